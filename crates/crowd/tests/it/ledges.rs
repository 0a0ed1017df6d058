//! Crowds on generated off-mesh links: everybody arrives, whichever links they share.

use crate::common::{baked, slim};
use crowd::{AgentParams, Crowd, CrowdSettings};
use crowdlab::trial::{Trial, TrialReport, Walk};
use detour::{Filter, NavMesh, Query, Vec3};
use navscenes::build::{Builder, rect};
use navscenes::random::SplitMix64;
use navscenes::shooter;
use recast::settings::OffMeshConnection;
use recast::{AreaId, LinkKind, LinkProfile, PreparedLevel, Scratch, Settings, Silent};

/// The mesh of a level in one tile, with generated links.
fn linked(builder: Builder, links: Vec<LinkProfile>) -> NavMesh {
    let settings =
        Settings { links, agent_height: 1.8, agent_climb: 0.45, agent_radius: 0.4, ..Settings::default() };
    let settings = Settings { cell_size: 0.2, cell_height: 0.1, ..settings };
    let level = PreparedLevel::new(&builder.finish(), &settings).unwrap();
    let mut tiles = vec![recast::bake_solo(&level, &Silent, &mut Scratch::new()).unwrap()];
    navlevel::prune_islands(&level, 0, &mut tiles).unwrap();
    let mut mesh = NavMesh::default();
    mesh.add_tiles(tiles.into_iter().map(|baked| baked.tile)).unwrap();
    mesh
}

/// A floor with a block of this height, without a stair.
fn block(height: f64) -> Builder {
    let mut builder = Builder::new();
    builder.floor(rect(-20.0, -10.0, 20.0, 10.0), 0.0).block([-19.0, 0.0, -6.0], [-6.0, height, 6.0]);
    builder
}

/// A box in which agents start, or their goals are.
type Area = [Vec3; 2];
const ON_BLOCK: [[f32; 2]; 2] = [[-18.5, -5.5], [-7.0, 5.5]];
const ON_FLOOR: [[f32; 2]; 2] = [[2.0, -9.0], [19.0, 9.0]];

fn area(box_of: [[f32; 2]; 2], y: f32) -> Area {
    box_of.map(|[x, z]| Vec3::new(x, y, z))
}

/// Walks from random places in one area to random places in another. Places in an area do not overlap.
fn walks(mesh: &NavMesh, count: usize, [from, to]: [Area; 2], params: AgentParams, seed: u64) -> Vec<Walk> {
    let mut random = SplitMix64::new(seed);
    let (mut query, mut taken) = (Query::new(), [Vec::new(), Vec::new()]);
    let mut draw = |[low, high]: Area, taken: &mut Vec<Vec3>| loop {
        let mut along = |low: f32, high: f32| random.between(f64::from(low), f64::from(high)) as f32;
        let at = Vec3::new(along(low.x, high.x), low.y, along(low.z, high.z));
        let near = query.nearest(mesh, at, Vec3::new(0.1, 0.5, 0.1), &Filter::default());
        let Ok(place) = near.map(|near| near.place()) else { continue };
        if taken.iter().all(|other| other.distance(place.point) > params.radius * 2.1) {
            taken.push(place.point);
            return place;
        }
    };
    (0..count)
        .map(|_| {
            let start = draw(from, &mut taken[0]).point;
            Walk { start, goal: draw(to, &mut taken[1]), params }
        })
        .collect()
}

fn report_of(mesh: &NavMesh, walks: &[Walk], seconds: f32) -> TrialReport {
    let crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let mut trial = Trial::new(crowd, mesh, &Filter::default(), walks).unwrap();
    crate::common::run(&mut trial, mesh, seconds)
}

/// Two floors with a gap of 2 m between them.
fn gap() -> Builder {
    let mut builder = Builder::new();
    builder.floor(rect(-20.0, -6.0, -6.0, 6.0), 0.0).floor(rect(-4.0, -6.0, 20.0, 6.0), 0.0);
    builder
}

/// A block of 3 m with a ladder, and the profile of its links.
fn ladder() -> (Builder, Vec<LinkProfile>) {
    let mut builder = block(3.0);
    builder.area(AreaId(9)).block([-5.95, 0.0, -0.5], [-5.9, 3.0, 0.5]);
    (builder, vec![LinkProfile { surface: Some(AreaId(9)), ..LinkProfile::new(LinkKind::Ladder) }])
}

const BEFORE_GAP: [[f32; 2]; 2] = [[-19.0, -5.5], [-7.0, 5.5]];
const AFTER_GAP: [[f32; 2]; 2] = [[2.0, -5.5], [19.0, 5.5]];

fn all_arrive(name: &str, mesh: &NavMesh, areas: [Area; 2]) {
    for seed in 0..20 {
        let walks = walks(mesh, 30, areas, AgentParams::default(), seed);
        let report = report_of(mesh, &walks, 40.0);
        assert_eq!((report.arrived, report.left_mesh), (30, 0), "{name}, seed {seed}: {report:?}");
        assert!(report.worst_overlap <= 0.05, "{name}, seed {seed}: {report:?}");
    }
}

#[test]
fn all_come_down_a_ledge_and_a_step() {
    for height in [3.0, 1.0] {
        let mesh = linked(block(f64::from(height)), shooter::profiles());
        all_arrive("down", &mesh, [area(ON_BLOCK, height), area(ON_FLOOR, 0.0)]);
    }
}

#[test]
fn all_come_up_a_step() {
    let mesh = linked(block(1.0), shooter::profiles());
    all_arrive("up", &mesh, [area(ON_FLOOR, 0.0), area(ON_BLOCK, 1.0)]);
}

#[test]
fn all_come_over_a_gap() {
    let mesh = linked(gap(), shooter::profiles());
    all_arrive("over", &mesh, [area(BEFORE_GAP, 0.0), area(AFTER_GAP, 0.0)]);
}

#[test]
fn all_come_up_and_down_a_ladder() {
    let (builder, links) = ladder();
    let mesh = linked(builder, links);
    all_arrive("up", &mesh, [area(ON_FLOOR, 0.0), area(ON_BLOCK, 3.0)]);
    all_arrive("down", &mesh, [area(ON_BLOCK, 3.0), area(ON_FLOOR, 0.0)]);
}

/// Walks in both directions at once.
fn crossing_walks(mesh: &NavMesh, [one, other]: [Area; 2], seed: u64) -> Vec<Walk> {
    // Starts and goals of the two directions share an area, each its own half of it.
    let halves = |[low, high]: Area| {
        let middle = (low.z + high.z) * 0.5;
        [[low, high.with_z(middle - 0.5)], [low.with_z(middle + 0.5), high]]
    };
    let ([a, b], [c, d]) = (halves(one), halves(other));
    let params = AgentParams::default();
    let mut all = walks(mesh, 15, [a, c], params, seed);
    all.extend(walks(mesh, 15, [d, b], params, seed + 1000));
    all
}

#[test]
fn all_arrive_in_both_directions() {
    let (builder, profiles) = ladder();
    for (name, mesh, areas) in [
        ("gap", linked(gap(), shooter::profiles()), [area(BEFORE_GAP, 0.0), area(AFTER_GAP, 0.0)]),
        ("step", linked(block(1.0), shooter::profiles()), [area(ON_BLOCK, 1.0), area(ON_FLOOR, 0.0)]),
        ("ladder", linked(builder, profiles), [area(ON_BLOCK, 3.0), area(ON_FLOOR, 0.0)]),
    ] {
        for seed in 0..10 {
            let report = report_of(&mesh, &crossing_walks(&mesh, areas, seed), 60.0);
            assert_eq!((report.arrived, report.left_mesh), (30, 0), "{name}, seed {seed}: {report:?}");
            assert!(report.worst_overlap <= 0.05, "{name}, seed {seed}: {report:?}");
        }
    }
}

#[test]
fn agents_of_many_sizes_and_priorities_arrive() {
    let mesh = linked(block(3.0), shooter::profiles());
    for seed in 0..10 {
        let mut walks =
            walks(&mesh, 30, [area(ON_BLOCK, 3.0), area(ON_FLOOR, 0.0)], AgentParams::default(), seed);
        for (index, walk) in (0u8..).zip(&mut walks) {
            walk.params.radius = [0.4, 0.2, 0.3][usize::from(index % 3)];
            walk.params.priority = index % 4;
        }
        let report = report_of(&mesh, &walks, 40.0);
        assert_eq!((report.arrived, report.left_mesh), (30, 0), "seed {seed}: {report:?}");
    }
}

#[test]
fn all_come_over_links_that_end_side_by_side() {
    // Five links between points, 0.4 m apart: no two agents can land on neighbouring ends.
    let link = |z: f64| OffMeshConnection {
        start: [-6.5, 0.0, z],
        end: [-3.5, 0.0, z],
        radius: 0.5,
        both_ways: true,
        area: AreaId::GROUND,
        flags: None,
        user_id: 0,
        along: [0.0; 2],
    };
    let links = [-0.8, -0.4, 0.0, 0.4, 0.8].map(link).to_vec();
    let settings = Settings { off_mesh_connections: links, agent_radius: 0.3, ..slim() };
    let mesh = baked(gap(), &settings);
    for seed in 0..20 {
        let areas = [area(BEFORE_GAP, 0.0), area(AFTER_GAP, 0.0)];
        let report = report_of(&mesh, &walks(&mesh, 20, areas, AgentParams::default(), seed), 120.0);
        assert_eq!((report.arrived, report.left_mesh), (20, 0), "seed {seed}: {report:?}");
        let report = report_of(&mesh, &crossing_walks(&mesh, areas, seed), 120.0);
        assert_eq!((report.arrived, report.left_mesh), (30, 0), "both, seed {seed}: {report:?}");
    }
}

#[test]
fn a_row_that_stands_at_the_foot_of_a_ledge_makes_room() {
    // Agents without a target fill the edge where others land, shoulder to shoulder.
    let mesh = linked(block(3.0), shooter::profiles());
    let params = AgentParams::default();
    for seed in 0..10 {
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        for index in 0..14 {
            crowd.add(&mesh, Vec3::new(-5.2, 0.0, -5.6 + index as f32 * 0.85), &params).unwrap();
        }
        let walks =
            walks(&mesh, 20, [area(ON_BLOCK, 3.0), area(ON_FLOOR, 0.0)], AgentParams::default(), seed);
        let mut trial = Trial::new(crowd, &mesh, &Filter::default(), &walks).unwrap();
        let report = crate::common::run(&mut trial, &mesh, 60.0);
        assert_eq!((report.arrived, report.left_mesh), (20, 0), "seed {seed}: {report:?}");
    }
}

/// Two floors, and between them blocks of these heights in a row that leave room for one agent.
fn walkway(heights: &[f64]) -> Builder {
    let (mut builder, length) = (Builder::new(), heights.len() as f64 * 8.0);
    builder.floor(rect(-14.0, -5.0, 0.0, 5.0), 0.0).floor(rect(length, -5.0, length + 14.0, 5.0), 0.0);
    for (number, height) in (0u32..).zip(heights) {
        let start = f64::from(number) * 8.0;
        builder.block([start, 0.0, -0.7], [start + 8.0, *height, 0.7]);
    }
    builder
}

#[test]
fn a_walkway_between_two_ledges_is_used_in_one_direction_at_a_time() {
    for heights in [&[1.0][..], &[1.0, 0.1, 1.0]] {
        let mesh = linked(walkway(heights), shooter::profiles());
        let far = heights.len() as f32 * 8.0;
        let areas = [[[-13.5, -4.5], [-3.0, 4.5]], [[far + 3.0, -4.5], [far + 13.5, 4.5]]];
        for seed in 0..10 {
            let walks = crossing_walks(&mesh, areas.map(|rect| area(rect, 0.0)), seed);
            let report = report_of(&mesh, &walks, 120.0);
            assert_eq!((report.arrived, report.left_mesh), (30, 0), "{heights:?}, seed {seed}: {report:?}");
            assert!(report.worst_overlap <= 0.05, "{heights:?}, seed {seed}: {report:?}");
        }
    }
}
