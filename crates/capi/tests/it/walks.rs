//! Corridors and crowds.

use crate::calls::support::{done, fails, get, get_both, list, scene, take};
use detour::Vec3;
use navtile_c::agent::*;
use navtile_c::corridor::*;
use navtile_c::crowd::*;
use navtile_c::query::*;
use navtile_c::status::NtStatus;
use navtile_c::types::*;
use std::ptr::null;

#[test]
fn corridors_lead_to_their_target() {
    let mesh = scene("two_rooms");
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    let [start, goal] =
        [7, 9].map(|mut state| get(|out| nt_query_random_place(query, None, 0.0, Some(&mut state), out)));
    let corridor = get(|out| nt_corridor_new(start, out));
    get(|out| nt_query_route(query, start.point, goal.point, null(), out));
    done(nt_corridor_set_path(corridor, query, goal.point));
    for _ in 0..10_000 {
        let corners =
            list(4, |out, capacity, count| nt_corridor_corners(corridor, query, out, capacity, count));
        let Some(next) = corners.first() else { break };
        let (at, _) = get_both(|at, target| nt_corridor_ends(corridor, at, target));
        let (at, to) = (Vec3::from(at.point), Vec3::from(next.point));
        let step = (to - at).clamp_length_max(0.1);
        done(nt_corridor_move(corridor, query, (at + step).into(), None));
    }
    let (at, target) = get_both(|at, target| nt_corridor_ends(corridor, at, target));
    assert!(Vec3::from(at.point).distance(goal.point.into()) < 0.05, "{at:?} {target:?}");
    done(nt_corridor_free(corridor));
}

#[test]
fn crowds_arrive_and_go_on_after_they_were_saved() {
    let mesh = scene("two_rooms");
    let query = get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
    let crowd = get(|out| nt_crowd_new(null(), out));
    let mut state = 5;
    for _ in 0..6 {
        let from = get(|out| nt_query_random_place(query, None, 0.0, Some(&mut state), out));
        let to = get(|out| nt_query_random_place(query, Some(&from), 9.0, Some(&mut state), out));
        let agent = get(|out| nt_crowd_add(crowd, mesh, from.point, null(), out));
        done(nt_crowd_send(crowd, agent, to));
    }
    let step = |count: usize| {
        for _ in 0..count {
            done(nt_crowd_step(crowd, mesh, 1.0 / 60.0));
        }
    };
    step(30);
    let saved = get(|out| nt_crowd_save(crowd, out));
    let saved = take(saved);
    step(30);
    let hash = get(|out| nt_crowd_hash(crowd, out));
    done(nt_crowd_restore(crowd, mesh, saved.as_ptr(), saved.len()));
    step(30);
    assert_eq!(get(|out| nt_crowd_hash(crowd, out)), hash);
    step(2_000);
    let views = list(8, |out, capacity, count| nt_crowd_agents(crowd, out, capacity, count));
    assert_eq!(views.len(), 6);
    assert!(views.iter().all(|view| view.state == NtAgentState::NT_AGENT_ARRIVED), "{views:?}");
    let mut params = get(|out| nt_agent_params_init(out));
    params.avoidance = 9;
    let first = views[0].agent;
    fails(
        nt_crowd_set_params(crowd, first, &raw const params),
        NtStatus::NT_ERROR_ARGUMENT,
        "avoidance is 9",
    );
    (params.avoidance, params.flow) = (NT_AVOID_ORCA, 2);
    fails(nt_crowd_set_params(crowd, first, &raw const params), NtStatus::NT_ERROR_ARGUMENT, "flow is 2");
    done(nt_crowd_remove(crowd, first));
    fails(nt_crowd_stop(crowd, first), NtStatus::NT_ERROR_ARGUMENT, "agent");
    done(nt_crowd_free(crowd));
}
