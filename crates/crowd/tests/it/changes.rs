//! Tiles that are removed and added under a crowd, and doors that shut.

use crate::common::{DT, place, scene, walker};
use crowd::{AgentState, Crowd, CrowdSettings, Event, EventKind, Target};
use crowdlab::trial::Trial;
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
fn an_agent_without_a_size_gets_ground_next_to_another() {
    for radius in [0.0, 1e-30] {
        let mut mesh = scene("two_rooms");
        let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
        let at = Vec3::new(2.0, 0.0, 2.0);
        let other = crowd.add(&mesh, at, &walker()).unwrap();
        let id = crowd.add(&mesh, at, &crowd::AgentParams { radius, ..walker() }).unwrap();
        let coord = mesh.tiles().next().unwrap().coord();
        let tile = mesh.remove_tile(coord).unwrap();
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        mesh.add_tile(tile).unwrap();
        for _ in 0..30 {
            crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        }
        let [view, other] = [id, other].map(|id| crowd.agent(id).unwrap());
        assert_eq!([view.state, other.state], [AgentState::Idle; 2]);
        assert!((0.25..1.0).contains(&view.position.distance(other.position)), "{view:?}");
    }
}

#[test]
fn those_whose_ground_goes_are_put_where_nobody_stands() {
    let tiles = navscenes::crowds::by_name("rooms").unwrap().bake().unwrap();
    let mut mesh = NavMesh::default();
    mesh.add_tiles(tiles.clone()).unwrap();
    let params = crowd::AgentParams { radius: 0.3, ..walker() };
    let mut trial = Trial::watching(Crowd::new(CrowdSettings::default()).unwrap());
    // In the doorway between two tiles, and a row far from it.
    let doorway = (0..12).map(|index| [11.6 + (index % 4) as f32 * 0.65, 17.3 + (index / 4) as f32 * 0.65]);
    let far = (0..6).map(|index| [16.0 + index as f32, 20.0]);
    let ids: Vec<_> = doorway
        .chain(far)
        .map(|[x, z]| {
            let id = trial.crowd.add(&mesh, Vec3::new(x, 0.0, z), &params).unwrap();
            trial.add(id, None);
            id
        })
        .collect();
    let steps = |trial: &mut Trial, mesh: &NavMesh, count: usize| {
        let mut events = Vec::new();
        for _ in 0..count {
            trial.step(mesh, DT).unwrap();
            events.extend_from_slice(trial.events());
            trial.watch(mesh).unwrap();
        }
        events
    };
    let lost = |trial: &Trial| {
        ids.iter().filter(|id| trial.crowd.agent(**id).unwrap().state == AgentState::Lost).count()
    };
    steps(&mut trial, &mesh, 60);
    let middle = tiles.iter().find(|tile| tile.coord().x == 1 && tile.coord().z == 1).unwrap();
    mesh.remove_tile(middle.coord()).unwrap();
    let events = steps(&mut trial, &mesh, 120);
    let gone = lost(&trial);
    assert!((6..18).contains(&gone), "{gone}");
    let has_lost = |event: &&Event| event.kind == EventKind::GroundLost;
    assert!(events.iter().filter(has_lost).count() >= gone);
    // A restored crowd continues to look for ground.
    let (saved, hash) = (trial.crowd.save(), trial.crowd.hash());
    trial.crowd.restore(&mesh, &saved).unwrap();
    assert_eq!(trial.crowd.hash(), hash);
    mesh.add_tile(middle.clone()).unwrap();
    let events = steps(&mut trial, &mesh, 120);
    assert_eq!(lost(&trial), 0);
    assert!(events.iter().filter(|event| event.kind == EventKind::GroundFound).count() >= gone);
    let report = trial.report();
    assert!(report.worst_overlap <= 0.05 && report.left_mesh == 0, "{report:?}");
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
    // All polygons except that under the agent and that of its goal.
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

#[test]
fn one_that_was_led_beside_its_target_goes_there_once_there_is_ground() {
    let tiles = navscenes::crowds::by_name("rooms").unwrap().bake().unwrap();
    let mut mesh = NavMesh::default();
    mesh.add_tiles(tiles).unwrap();
    // On the tile in the middle, right after the door.
    let goal = place(&mesh, 18.0, 13.2);
    let coord = mesh.tiles().find(|tile| tile.coord().x == 1 && tile.coord().z == 1).unwrap().coord();
    let mut crowd = Crowd::new(CrowdSettings::default()).unwrap();
    let id = crowd.add(&mesh, Vec3::new(18.0, 0.0, 6.0), &walker()).unwrap();
    crowd.set_target(id, Target::Place(goal)).unwrap();
    let mut events = Vec::new();
    let tile = mesh.remove_tile(coord).unwrap();
    (0..600).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    let away = |crowd: &Crowd| crowd.agent(id).unwrap().position.distance(goal.point);
    assert_eq!(crowd.agent(id).unwrap().state, AgentState::Arrived);
    assert!(away(&crowd) > 0.3, "{}", away(&crowd));
    mesh.add_tile(tile).unwrap();
    (0..600).for_each(|_| crowd.step(&mesh, DT, &mut events).unwrap());
    assert!(away(&crowd) <= 0.1, "{}", away(&crowd));
    assert_eq!(events.iter().filter(|event| event.kind == EventKind::Arrived).count(), 2);
    assert!(!has(&events, |kind| *kind == EventKind::PathLost));
}
