//! Guided searches find the paths of unguided ones, and touch less.

use crate::worlds::{hierarchy, mesh, place, world};
use detour::{Filter, Optimality, Path, PathOptions, PathStatus, Query};
use hierarchy::{FarError, FarPlace, FarPlanner};
use navmath::SplitMix64;

#[test]
fn guided_paths_are_as_short_and_touch_less() {
    for optimality in [Optimality::Fast, Optimality::Near, Optimality::Shortest] {
        let options = PathOptions { optimality };
        let (mut length, mut guided_length, mut touched, mut guided_touched) = (0.0, 0.0, 0, 0);
        for (seed, with_links) in [(31, false), (32, true)] {
            let mesh = mesh(&world(seed, 130.0, with_links));
            let built = hierarchy(&mesh);
            let (mut query, mut planner) = (Query::new(), FarPlanner::new());
            let mut random = SplitMix64::new(seed);
            let (mut plain, mut guided, filter) = (Path::default(), Path::default(), Filter::default());
            for _ in 0..150 {
                let [start, goal] = [0; 2].map(|_| place(&mut random, &mut query, &mesh));
                let [from, to] = [start, goal].map(|place| FarPlace { mesh: &mesh, place });
                query.find_path(&mesh, start, goal, &filter, &options, &mut plain).unwrap();
                let guide = planner.guide(&built, 0, from, to).unwrap();
                assert_eq!(guide.is_some(), plain.status == PathStatus::Complete, "{start:?} {goal:?}");
                let Some(guide) = guide else { continue };
                query.find_path(&mesh, start, goal, &guide, &options, &mut guided).unwrap();
                assert_eq!(guided.status, PathStatus::Complete);
                assert!(guided.cost <= plain.cost * 1.05 + 0.1, "{} {}", guided.cost, plain.cost);
                let is_exact = optimality == Optimality::Shortest;
                assert!(!is_exact || guided.cost >= plain.cost * (1.0 - 1e-6), "shorter than the shortest");
                length += plain.cost;
                guided_length += guided.cost;
                touched += plain.touched;
                guided_touched += guided.touched;
            }
        }
        assert!(guided_length < length * 1.002, "{optimality:?}: {guided_length} {length}");
        assert!(guided_touched * 4 < touched * 3, "{optimality:?}: {guided_touched} {touched}");
    }
}

#[test]
fn guides_are_refused_for_unknown_classes() {
    let mesh = mesh(&world(33, 40.0, false));
    let built = hierarchy(&mesh);
    let place = place(&mut SplitMix64::new(1), &mut Query::new(), &mesh);
    let at = FarPlace { mesh: &mesh, place };
    assert_eq!(FarPlanner::new().guide(&built, 7, at, at).unwrap_err(), FarError::UnknownClass(7));
}
