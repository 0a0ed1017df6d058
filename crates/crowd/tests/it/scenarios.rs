//! Crowds in places where crowds jam: everybody arrives, and nobody overlaps another agent or leaves the
//! mesh.

use crate::common::{run, scattered, scene, square, trial, two_halls, walk, walker};
use crowdlab::trial::{TrialReport, Walk};
use detour::NavMesh;

/// Deepest overlap, in radii.
const DEEPEST: f32 = 0.05;

fn check(mesh: &NavMesh, walks: &[Walk], seconds: f32) -> TrialReport {
    let report = run(&mut trial(mesh, walks), mesh, seconds);
    assert_eq!(report.arrived, report.agents, "{report:?}");
    assert!(report.worst_overlap <= DEEPEST, "{report:?}");
    assert_eq!(report.left_mesh, 0, "{report:?}");
    report
}

#[test]
fn random_walks_on_every_scene() {
    for name in ["courtyard", "terrain", "two_rooms", "slopes", "storeys", "spiral", "boxes"] {
        let mesh = scene(name);
        let walks = scattered(&mesh, 30, &walker(), 7);
        assert!(walks.len() >= 10, "{name}");
        let report = check(&mesh, &walks, 120.0);
        // The stairs between storeys are as wide as two agents, and both directions meet there.
        let most = if name == "storeys" { 10.0 } else { 5.0 };
        assert!(report.mean_delay < most, "{name}: {report:?}");
    }
}

#[test]
fn a_circle_changes_sides() {
    let mesh = square(30.0);
    let at = |index: usize| {
        let (sine, cosine) = (index as f32 / 60.0 * std::f32::consts::TAU).sin_cos();
        [15.0 + 12.0 * cosine, 15.0 + 12.0 * sine]
    };
    let walks: Vec<Walk> = (0..60).map(|index| walk(&mesh, at(index), at((index + 30) % 60))).collect();
    check(&mesh, &walks, 90.0);
}

#[test]
fn two_streams_meet_in_a_corridor() {
    let mut builder = navscenes::build::Builder::new();
    builder.floor(navscenes::build::rect(0.0, 0.0, 40.0, 4.0), 0.0);
    let mesh = crate::common::baked(builder, &crate::common::slim());
    let stream = |index: usize, from: f32, step: f32, to: f32| {
        let (row, column) = (index % 4, index / 4);
        let z = 0.7 + row as f32 * 0.8;
        walk(&mesh, [from + step * column as f32, z], [to - step * column as f32, z])
    };
    let there = (0..24).map(|index| stream(index, 1.0, 0.9, 39.0));
    let back = (0..24).map(|index| stream(index, 39.0, -0.9, 1.0));
    let walks: Vec<Walk> = there.chain(back).collect();
    check(&mesh, &walks, 120.0);
}

#[test]
fn a_hall_empties_through_a_door() {
    // As wide as one agent, and as wide as two.
    for width in [1.2, 2.0] {
        let mesh = two_halls(width);
        let spot = |index: usize, from: f32| [from + (index / 10) as f32 * 0.8, 3.0 + (index % 10) as f32];
        let walks: Vec<Walk> =
            (0..60).map(|index| walk(&mesh, spot(index, 2.0), spot(index, 16.0))).collect();
        check(&mesh, &walks, 180.0);
    }
}

#[test]
fn two_meet_at_a_door_of_one_agents_width() {
    let mesh = two_halls(1.0);
    let walks = [walk(&mesh, [8.0, 8.0], [16.0, 8.0]), walk(&mesh, [16.0, 8.0], [8.0, 8.0])];
    let report = check(&mesh, &walks, 60.0);
    assert!(report.mean_delay < 8.0, "{report:?}");
}

#[test]
fn many_are_sent_to_one_place() {
    let mesh = square(20.0);
    let goal = [10.0, 10.0];
    let walks: Vec<Walk> = (0..40)
        .map(|index| walk(&mesh, [2.0 + (index % 8) as f32 * 2.0, 2.0 + (index / 8) as f32], goal))
        .collect();
    // Later agents gather around the agents that are already there.
    let report = check(&mesh, &walks, 60.0);
    assert!(report.seconds < 40.0, "{report:?}");
}

#[test]
fn those_that_are_sent_to_a_dense_hall_all_stand_in_their_places() {
    // Places 0.9 m apart, taken in no particular order.
    let mesh = square(20.0);
    let walks: Vec<Walk> = (0..100)
        .map(|index| {
            let goal = index * 37 % 100;
            let start = [1.0 + (index % 25) as f32 * 0.7, 1.0 + (index / 25) as f32 * 0.7];
            walk(&mesh, start, [6.0 + (goal % 10) as f32 * 0.9, 8.0 + (goal / 10) as f32 * 0.9])
        })
        .collect();
    let mut trial = trial(&mesh, &walks);
    for _ in 0..60 * 60 {
        trial.step(&mesh, crate::common::DT).unwrap();
    }
    let away = |(at, walk): (&detour::Vec3, &Walk)| at.distance(walk.goal.point);
    let mut away: Vec<f32> = trial.positions().unwrap().iter().zip(&walks).map(away).collect();
    away.sort_by(f32::total_cmp);
    // Two radii and stopping distances: as near as an agent next to a taken place.
    assert!(away.iter().all(|away| *away <= 0.8), "{:?}", &away[90..]);
}

#[test]
fn floors_above_each_other_do_not_meet() {
    let mesh = scene("storeys");
    let mut query = detour::Query::new();
    let filter = detour::Filter::default();
    // Directly above each other, if there is ground on both floors.
    let polygons: Vec<_> = mesh.polygons().collect();
    let middle = |polygon| {
        let corners: Vec<_> = mesh.corners(polygon).unwrap().collect();
        corners.iter().sum::<detour::Vec3>() / corners.len() as f32
    };
    let mut found = None;
    for polygon in polygons {
        let low = middle(polygon);
        let half_extents = detour::Vec3::new(0.01, 1.0, 0.01);
        let high = query.nearest(&mesh, low + detour::Vec3::Y * 4.0, half_extents, &filter);
        if let Ok(high) = high.map(|high| high.place())
            && high.point.y > low.y + 2.5
        {
            found = Some((low, high.point));
            break;
        }
    }
    let Some((low, high)) = found else { panic!("the scene has two floors") };
    let mut crowd = crowd::Crowd::new(crowd::CrowdSettings::default()).unwrap();
    let ids = [low, high].map(|at| crowd.add(&mesh, at, &walker()).unwrap());
    let before = ids.map(|id| crowd.agent(id).unwrap().position);
    for _ in 0..60 {
        crowd.step(&mesh, crate::common::DT, &mut Vec::new()).unwrap();
    }
    assert_eq!(ids.map(|id| crowd.agent(id).unwrap().position), before);
}
