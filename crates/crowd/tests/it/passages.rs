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
/// Corners of the rooms at both ends of the passage.
const ROOMS: [[[f64; 2]; 2]; 2] = [[[-6.0, -3.0], [0.0, 3.0]], [[12.0, 3.0], [18.0, 9.0]]];

/// Two rooms, and a passage of this width between them with two bends.
fn level(width: f64) -> NavMesh {
    let (mut builder, half) = (Builder::new(), width / 2.0);
    for [[x0, z0], [x1, z1]] in ROOMS {
        builder.floor(rect(x0, z0, x1, z1), 0.0);
    }
    builder.floor(rect(0.0, -half, 6.0 + half, half), 0.0);
    builder.floor(rect(6.0 - half, half, 6.0 + half, 6.0 - half), 0.0);
    builder.floor(rect(6.0 - half, 6.0 - half, 12.0, 6.0 + half), 0.0);
    baked(builder, &Settings { agent_radius: RADIUS.into(), cell_size: 0.05, ..Settings::default() })
}

/// Walks from random places in one room to random places in the other.
fn stream(mesh: &NavMesh, count: usize, [from, to]: [usize; 2], seed: u64) -> Vec<Walk> {
    let (mut random, mut query) = (SplitMix64::new(seed), Query::new());
    let params = AgentParams { radius: RADIUS, max_speed: 1.34, ..AgentParams::default() };
    let mut taken = [Vec::<Vec3>::new(), Vec::new()];
    let mut draw = |room: usize| loop {
        let [low, high] = ROOMS[room];
        let mut along = |axis: usize| random.between(low[axis] + 0.4, high[axis] - 0.4) as f32;
        let at = Vec3::new(along(0), 0.0, along(1));
        let place = query.nearest(mesh, at, Vec3::splat(0.5), &Filter::default()).unwrap().place();
        if taken[room].iter().all(|other| other.distance(place.point) > RADIUS * 2.4) {
            taken[room].push(place.point);
            return place;
        }
    };
    (0..count).map(|_| Walk { start: draw(from).point, goal: draw(to), params }).collect()
}

/// Sends agents both ways. Everybody arrives, and nobody overlaps another agent or leaves the mesh.
fn meet(mesh: &NavMesh, count: usize, seed: u64, seconds: f32) -> TrialReport {
    let mut walks = stream(mesh, count, [0, 1], seed);
    walks.extend(stream(mesh, count, [1, 0], seed + 1000));
    let report = run(&mut trial(mesh, &walks), mesh, seconds);
    assert_eq!(report.arrived, report.agents, "seed {seed}: {report:?}");
    assert!(report.worst_overlap <= 0.05 && report.left_mesh == 0, "seed {seed}: {report:?}");
    report
}

#[test]
fn two_streams_pass_in_lanes_round_bends() {
    for (width, most) in [(1.2, 20.0), (1.6, 12.0)] {
        let mesh = level(width);
        let delays = (0..20).map(|seed| meet(&mesh, 10, seed, 120.0).mean_delay);
        let mean = delays.sum::<f32>() / 20.0;
        assert!(mean < most, "{width} m: {mean} s");
    }
}
