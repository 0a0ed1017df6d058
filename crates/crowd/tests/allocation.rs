//! A warm step allocates nothing: with paths, fields, exits, groups and distant agents, on one thread.
#![allow(clippy::unwrap_used)]

#[path = "../../navtile/tests/it/allocations.rs"]
mod allocations;

use allocations::allocations_of;
use crowd::{AgentId, AgentParams, Crowd, CrowdSettings, Exit, FilterKind, Formation, Target};
use detour::{Filter, NavMesh, Query, Vec3};

/// Sends everybody there, or back again: some by paths, some by a field or to exits, some after a leader.
fn send(crowd: &mut Crowd, mesh: &NavMesh, ids: &[AgentId], ends: [Vec3; 2], back: bool) {
    let half_extents = Vec3::new(2.0, 4.0, 2.0);
    let [from, to] = if back { [ends[1], ends[0]] } else { ends };
    let mut query = Query::new();
    let mut at = |point: Vec3| query.nearest(mesh, point, half_extents, &Filter::default()).unwrap().place();
    let (goal, other) = (at(to), at(from));
    let field = crowd.add_field(mesh, &[goal], f32::INFINITY, FilterKind::default()).unwrap();
    let exits = [goal, other].map(|place| Exit { place, rate: 1.0 });
    let exits = crowd.add_exits(mesh, &exits, FilterKind::default()).unwrap();
    for (index, id) in ids.iter().enumerate() {
        let target = match index % 4 {
            1 if index > 8 => Target::Exits(exits),
            0 => Target::Place(goal),
            1 => Target::Field(field),
            2 => Target::Place(other),
            _ => continue,
        };
        crowd.set_target(*id, target).unwrap();
    }
    crowd.set_target(ids[3], Target::Place(goal)).unwrap();
}

/// Returns the largest number of allocations in a step, for each of several walks there and back. Agents
/// around the first of two places walk to the other.
fn allocations(scene: &str, ends: [Vec3; 2]) -> Vec<usize> {
    let mut mesh = NavMesh::default();
    mesh.add_tile(navscenes::baked_tile(scene).unwrap()).unwrap();
    // A body that begins to hold a passage, or ceases to, allocates.
    let settings = CrowdSettings { search_nodes: 300, held_detour: 0.0, ..CrowdSettings::default() };
    let mut crowd = Crowd::new(settings).unwrap();
    let params = AgentParams { radius: 0.3, ..AgentParams::default() };
    let spot = |index: usize| ends[0] + Vec3::new((index % 4) as f32, 0.0, (index / 4) as f32) * 0.8;
    let ids: Vec<AgentId> = (0..16).map(|index| crowd.add(&mesh, spot(index), &params).unwrap()).collect();
    let followers: Vec<AgentId> = ids.iter().copied().skip(7).step_by(4).collect();
    crowd.add_group(ids[3], &followers, Formation::Wedge, 0.9).unwrap();
    crowd.set_points_of_interest(&[ends[1]], 4.0).unwrap();
    let mut events = Vec::with_capacity(10_000);
    let mut walk = |crowd: &mut Crowd| {
        let mut most = 0;
        for _ in 0..800 {
            events.clear();
            let (done, count, _) = allocations_of(|| crowd.step(&mesh, 1.0 / 60.0, &mut events));
            done.unwrap();
            most = most.max(count);
        }
        most
    };
    let mut counts = Vec::new();
    // From the same places each time, so that paths have the same length.
    for _ in 0..24 {
        for (index, id) in ids.iter().enumerate() {
            crowd.place(&mesh, *id, spot(index), Vec3::ZERO).unwrap();
        }
        for back in [false, true] {
            send(&mut crowd, &mesh, &ids, ends, back);
            counts.push(walk(&mut crowd));
        }
    }
    counts
}

#[test]
fn a_warm_step_allocates_nothing() {
    let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let levels = [
        ("two_rooms", [at(1.0, 1.0), at(10.0, 2.0)]),
        ("courtyard", [at(3.0, 3.0), at(25.0, 25.0)]),
        ("terrain", [at(3.0, 3.0), at(25.0, 25.0)]),
    ];
    for (scene, ends) in levels {
        let counts = allocations(scene, ends);
        assert!(counts[0] > 0, "the allocator counts");
        // An agent that is pushed along a new route may have a longer path than ever before: in one walk of
        // the last eight.
        assert!(counts[40..].iter().filter(|count| **count > 0).count() <= 1, "{scene}: {counts:?}");
    }
}
