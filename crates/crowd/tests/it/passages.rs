//! Streams that meet in passages: everybody gets through, in lanes if two have room abreast, else one
//! direction after the other.

use crate::common::{baked, run, trial};
use crowd::AgentParams;
use crowdlab::trial::{TrialReport, Walk};
use detour::{Filter, NavMesh, Query, Vec3};
use navscenes::build::{Builder, rect};
use navscenes::random::SplitMix64;
use recast::Settings;

const RADIUS: f32 = 0.25;
/// Corners of a room: x and z of the lowest, and of the highest.
type Room = [[f64; 2]; 2];

/// Two rooms, and a passage of this width between their middles. Unless it is straight, it has two bends.
fn level(width: f64, [a, b]: [Room; 2]) -> NavMesh {
    let (mut builder, half) = (Builder::new(), width / 2.0);
    for [[x0, z0], [x1, z1]] in [a, b] {
        builder.floor(rect(x0, z0, x1, z1), 0.0);
    }
    let [start, end] = [a, b].map(|room| (room[0][1] + room[1][1]) / 2.0);
    let middle = (a[1][0] + b[0][0]) / 2.0;
    builder.floor(rect(a[1][0], start - half, middle + half, start + half), 0.0);
    builder.floor(rect(middle - half, start - half, middle + half, end + half), 0.0);
    builder.floor(rect(middle - half, end - half, b[0][0], end + half), 0.0);
    baked(builder, &Settings { agent_radius: RADIUS.into(), cell_size: 0.05, ..Settings::default() })
}

/// Walks from random places in one room to random places in the other.
fn stream(mesh: &NavMesh, count: usize, rooms: [Room; 2], seed: u64) -> Vec<Walk> {
    let (mut random, mut query) = (SplitMix64::new(seed), Query::new());
    let params = AgentParams { radius: RADIUS, max_speed: 1.34, ..AgentParams::default() };
    let mut taken = [Vec::<Vec3>::new(), Vec::new()];
    let mut draw = |room: usize| loop {
        let [low, high] = rooms[room];
        let mut along = |axis: usize| random.between(low[axis] + 0.4, high[axis] - 0.4) as f32;
        let at = Vec3::new(along(0), 0.0, along(1));
        let place = query.nearest(mesh, at, Vec3::splat(0.5), &Filter::default()).unwrap().place();
        if taken[room].iter().all(|other| other.distance(place.point) > RADIUS * 2.4) {
            taken[room].push(place.point);
            return place;
        }
    };
    (0..count).map(|_| Walk { start: draw(0).point, goal: draw(1), params }).collect()
}

/// Sends agents both ways. Everybody arrives, and nobody overlaps another agent or leaves the mesh.
fn meet(mesh: &NavMesh, [a, b]: [Room; 2], count: usize, seed: u64) -> TrialReport {
    let mut walks = stream(mesh, count, [a, b], seed);
    walks.extend(stream(mesh, count, [b, a], seed + 1000));
    let report = run(&mut trial(mesh, &walks), mesh, 120.0);
    assert_eq!(report.arrived, report.agents, "seed {seed}: {report:?}");
    assert!(report.worst_overlap <= 0.05 && report.left_mesh == 0, "seed {seed}: {report:?}");
    report
}

#[test]
fn two_streams_pass_in_lanes_round_bends() {
    let rooms = [[[-6.0, -3.0], [0.0, 3.0]], [[12.0, 3.0], [18.0, 9.0]]];
    for (width, most) in [(1.2, 21.0), (1.6, 12.0)] {
        let mesh = level(width, rooms);
        let delays = (0..20).map(|seed| meet(&mesh, rooms, 10, seed).mean_delay);
        let mean = delays.sum::<f32>() / 20.0;
        assert!(mean < most, "{width} m: {mean} s");
    }
}

#[test]
fn one_side_goes_first_where_one_has_room() {
    let rooms = [[[-6.0, -3.0], [0.0, 3.0]], [[12.0, -3.0], [18.0, 3.0]]];
    let mesh = level(0.8, rooms);
    let mut seconds: Vec<f32> = (0..20).map(|seed| meet(&mesh, rooms, 3, seed).seconds).collect();
    seconds.sort_by(f32::total_cmp);
    // One side after the other takes 36 s.
    assert!(seconds[18] < 45.0, "{seconds:?}");
}
