//! Paths with and without the links that a bake generates: the number of pairs of random places that a path
//! joins, and the lengths of paths.

#![allow(clippy::print_stdout, reason = "figures that the test finds are printed")]

use crate::common::{Random, unit};
use detour::{Filter, NavMesh, Passable, PathStatus, Place, Query, ShortestPath, Vec3};
use navlevel::prune_islands;
use navscenes::shooter;
use recast::{Level, PreparedLevel, Scratch, Settings, Silent, bake_solo};
use std::num::NonZeroU32;

const PAIRS: usize = 2000;

fn mesh(level: &Level, settings: &Settings) -> NavMesh {
    let level = PreparedLevel::new(level, settings).unwrap();
    let mut tiles = vec![bake_solo(&level, &Silent, &mut Scratch::new()).unwrap()];
    prune_islands(&level, 0, &mut tiles).unwrap();
    crate::common::mesh(tiles.into_iter().map(|baked| baked.tile))
}

/// The lengths of the paths between pairs of places, if there are any.
fn lengths(mesh: &NavMesh, pairs: &[[Vec3; 2]]) -> Vec<Option<f64>> {
    let (mut query, mut path) =
        (Query::with_max_nodes(NonZeroU32::new(1 << 20).unwrap()), ShortestPath::default());
    let place = |query: &mut Query, point: Vec3| -> Place {
        query.nearest(mesh, point, Vec3::splat(0.1), &Filter::default()).unwrap().place()
    };
    let mut length = |[from, to]: &[Vec3; 2]| {
        let [from, to] = [from, to].map(|point| place(&mut query, *point));
        query.shortest_path(mesh, from, to, &Passable::default(), &mut path).unwrap();
        (path.status == PathStatus::Complete).then_some(path.length_from_above)
    };
    pairs.iter().map(&mut length).collect()
}

fn compare(name: &str, level: &Level, settings: &Settings) {
    let with = mesh(level, &Settings { links: shooter::profiles(), ..settings.clone() });
    let without = mesh(level, &Settings { links: Vec::new(), ..settings.clone() });
    let (mut query, mut random) = (Query::new(), Random(7));
    let mut point = || query.random_point(&without, &Filter::default(), || unit(&mut random)).unwrap().point;
    let pairs: Vec<[Vec3; 2]> = (0..PAIRS).map(|_| [point(), point()]).collect();
    let [on_foot, linked] = [&without, &with].map(|mesh| lengths(mesh, &pairs));
    let share = |lengths: &[Option<f64>]| lengths.iter().flatten().count() as f64 / PAIRS as f64;
    let both: Vec<[f64; 2]> =
        on_foot.iter().zip(&linked).filter_map(|(before, after)| Some([(*before)?, (*after)?])).collect();
    let mean = |which: usize| both.iter().map(|pair| pair[which]).sum::<f64>() / both.len() as f64;
    println!(
        "| {name} | {:.1} % | {:.1} % | {:.2} m | {:.2} m | {:.1} % |",
        100.0 * share(&on_foot),
        100.0 * share(&linked),
        mean(0),
        mean(1),
        100.0 * both.iter().filter(|pair| pair[1] < pair[0] - 1e-3).count() as f64 / both.len() as f64
    );
    // Links do not remove paths, and do not make any path longer.
    assert_eq!(both.len(), on_foot.iter().flatten().count(), "{name}");
    assert!(both.iter().all(|[before, after]| *after <= before + 1e-3), "{name}");
}

#[test]
fn links_join_places_and_shorten_ways() {
    println!("| level | pairs on foot | with links | length on foot | with links | shorter |");
    for scene in shooter::scenes() {
        compare(scene.name, &(scene.level)(), &(scene.settings)());
    }
    for (name, level) in navscenes::public_levels() {
        compare(name, &level, &Settings::default());
    }
}
