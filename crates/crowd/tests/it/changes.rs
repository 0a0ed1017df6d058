//! Tiles that go and come under a crowd, and doors that shut.

use crate::common::{DT, place, scene, walker};
use crowd::{AgentState, Crowd, CrowdSettings, Event, EventKind, Target};
use detour::{Filter, NavMesh, Vec3};

fn has(events: &[Event], wanted: impl Fn(&EventKind) -> bool) -> bool {
    events.iter().any(|event| wanted(&event.kind))
}

#[test]
fn all_tiles_go_and_come_back() {
    let mut mesh = scene("two_rooms");
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let id = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &walker()).unwrap();
    let idle = crowd.add(&mesh, Vec3::new(2.0, 0.0, 5.0), &walker()).unwrap();
    crowd.set_target(id, Target::Place(place(&mesh, 10.0, 2.0))).unwrap();
    let mut events = Vec::new();
    for _ in 0..30 {
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    let coord = mesh.tiles().next().unwrap().coord();
    let tile = mesh.remove_tile(coord).unwrap();
    for _ in 0..30 {
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    assert_eq!(crowd.agent(id).unwrap().state, AgentState::Lost);
    assert!(has(&events, |kind| *kind == EventKind::GroundLost));
    mesh.add_tile(tile).unwrap();
    for _ in 0..900 {
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    assert!(has(&events, |kind| *kind == EventKind::GroundFound));
    assert_eq!(crowd.agent(id).unwrap().state, AgentState::Arrived);
    assert_eq!(crowd.agent(idle).unwrap().state, AgentState::Idle);
}

#[test]
fn a_tile_is_swapped_under_walkers() {
    let mut mesh = scene("courtyard");
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let walks = crate::common::scattered(&mesh, 40, &walker(), 5);
    let ids: Vec<_> = walks
        .iter()
        .map(|walk| {
            let id = crowd.add(&mesh, walk.start, &walk.params).unwrap();
            crowd.set_target(id, Target::Place(walk.goal)).unwrap();
            id
        })
        .collect();
    let mut events = Vec::new();
    for step in 0..3600 {
        if step % 50 == 49 && step < 1000 {
            let coord = mesh.tiles().next().unwrap().coord();
            let tile = mesh.tile(coord).unwrap().clone();
            mesh.replace_tile(tile).unwrap();
        }
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    for id in ids {
        assert_eq!(crowd.agent(id).unwrap().state, AgentState::Arrived, "{id}");
    }
}

#[test]
fn a_door_that_shuts_is_gone_round_or_waited_at() {
    const SHUT: u32 = 0x8000;
    let mut mesh: NavMesh = scene("two_rooms");
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let kind = crowd.add_filter(Filter::default().with_exclude(SHUT)).unwrap();
    let params = crowd::AgentParams { filter: kind, ..walker() };
    let id = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &params).unwrap();
    let goal = place(&mesh, 10.0, 2.0);
    crowd.set_target(id, Target::Place(goal)).unwrap();
    let mut events = Vec::new();
    for _ in 0..20 {
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    // Everything but where it stands and where it goes.
    let own = crowd.agent(id).unwrap().polygon;
    let others: Vec<_> =
        mesh.polygons().filter(|polygon| *polygon != own && *polygon != goal.polygon).collect();
    for polygon in &others {
        mesh.set_flags(*polygon, SHUT | mesh.attributes(*polygon).unwrap().flags).unwrap();
    }
    for _ in 0..200 {
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    assert!(has(&events, |kind| matches!(kind, EventKind::PathPartial(_))), "{events:?}");
    assert_eq!(crowd.agent(id).unwrap().polygon, own);
    for polygon in &others {
        mesh.set_flags(*polygon, mesh.attributes(*polygon).unwrap().flags & !SHUT).unwrap();
    }
    for _ in 0..900 {
        crowd.step(&mesh, DT, &mut events).unwrap();
    }
    assert_eq!(crowd.agent(id).unwrap().state, AgentState::Arrived);
}
