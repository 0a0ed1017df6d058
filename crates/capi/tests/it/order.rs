//! Calls in any order, and by several threads at once.

use crate::calls::Calls;
use crate::calls::support::{ask, done, get, scene};
use navtile_c::mesh::{nt_mesh_add_tile, nt_mesh_remove_tile};
use navtile_c::query::{nt_query_free, nt_query_nearest, nt_query_new, nt_query_random_place};
use navtile_c::types::NtFilter;
use std::process::Command;

/// NAVTILE_CALLS and NAVTILE_SEED draw more of them, and others. The calls run in a process of their own,
/// because made-up handles may be those of other tests.
#[test]
fn calls_in_any_order_with_any_handle_do_no_harm() {
    if std::env::var_os("NAVTILE_ALONE").is_some() {
        return any_calls();
    }
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "order::calls_in_any_order_with_any_handle_do_no_harm", "--nocapture"])
        .env("NAVTILE_ALONE", "1")
        .status();
    assert!(status.unwrap().success());
}

fn any_calls() {
    let number = |name: &str, usual: u64| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
    let mut state = number("NAVTILE_SEED", 1);
    let mut calls = Calls::default();
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..number("NAVTILE_CALLS", 20_000) {
        calls.one(&mut next);
    }
}

#[test]
fn every_call_is_among_them() {
    let header = include_str!("../../include/navtile.h");
    let calls = concat!(
        include_str!("calls/mod.rs"),
        include_str!("calls/questions.rs"),
        include_str!("calls/support.rs"),
        include_str!("calls/walkers.rs"),
        include_str!("calls/worlds.rs"),
    );
    let names = header.lines().filter_map(|line| line.strip_prefix("NtStatus ")?.split_once('('));
    let missing: Vec<&str> = names.map(|(name, _)| name).filter(|name| !calls.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(calls.contains("nt_mesh_new"));
}

#[test]
fn threads_ask_and_change_at_once() {
    let mesh = scene("two_rooms");
    let tile = navscenes::baked_tile("two_rooms").unwrap();
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    let here = get(|out| nt_query_random_place(query, None, 0.0, Some(&mut 3), out)).point;
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..300 {
                    let own = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
                    let _ = ask(|out| nt_query_nearest(own, here, None, out));
                    get(|out| nt_query_nearest(query, here, None, out)); // one query of all
                    done(nt_query_free(own));
                }
            });
        }
        for _ in 0..100 {
            done(nt_mesh_remove_tile(mesh, 0, 0, 0));
            let bytes = tile.bytes();
            done(nt_mesh_add_tile(mesh, bytes.as_ptr(), bytes.len()));
        }
    });
}
