//! Agents: they join, arrive, follow, are moved, and leave.

use crate::common::*;
use bevy_ecs::prelude::Entity;
use bevy_math::Vec3;
use bevy_navtile::{
    NavAgent, NavAgentEvent, NavAgentEventKind, NavAgentState, NavArea, NavAreaKind, NavCarried,
    NavCrowdSettings, NavDrive, NavExit, NavExits, NavFilter, NavMeshBuilder, NavSource, NavTarget,
    NavVelocity, NavWorld, NoPathReason, OnNavWorld,
};
use bevy_transform::components::Transform;

const FAR: Vec3 = Vec3::new(17.0, 0.0, 17.0);
const NEAR: Vec3 = Vec3::new(3.0, 0.0, 3.0);

fn level(a: Vec3, b: Vec3) -> f32 {
    (a - b).with_y(0.0).length()
}

#[test]
fn an_agent_arrives_and_says_so() {
    let mut app = app();
    square(&mut app);
    let agent = walker(&mut app, NEAR, NavTarget::Point(FAR));
    until(&mut app, "a walk", |app| *get::<NavAgentState>(app, agent) == NavAgentState::Walking);
    until(&mut app, "speed", |app| get::<NavVelocity>(app, agent).0.length() > 1.9);
    // Bevy's forward is -z.
    let ahead = *get::<Transform>(&app, agent).forward();
    assert!(ahead.dot((FAR - NEAR).normalize()) > 0.95, "{ahead}");
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
    assert_eq!(*get::<NavAgentState>(&app, agent), NavAgentState::Arrived);
    assert!(level(place(&app, agent), FAR) < 0.2, "{}", place(&app, agent));
}

#[test]
fn observers_of_an_entity_get_its_events() {
    use bevy_ecs::observer::On;
    use bevy_ecs::prelude::{ResMut, Resource};

    #[derive(Resource, Default)]
    struct Heard(Vec<NavAgentEvent>);

    let mut app = app();
    square(&mut app);
    app.init_resource::<Heard>();
    let agent = walker(&mut app, NEAR, NavTarget::Point(NEAR + Vec3::X));
    let hear = |event: On<NavAgentEvent>, mut heard: ResMut<Heard>| heard.0.push(*event);
    app.world_mut().entity_mut(agent).observe(hear);
    let other = walker(&mut app, FAR, NavTarget::Point(FAR - Vec3::X));
    until_event(&mut app, other, NavAgentEventKind::Arrived);
    until(&mut app, "the event", |app| !app.world().resource::<Heard>().0.is_empty());
    let event = NavAgentEvent { entity: agent, kind: NavAgentEventKind::Arrived };
    assert_eq!(app.world().resource::<Heard>().0, [event]);
}

#[test]
fn a_target_that_is_changed_counts_at_once() {
    let mut app = app();
    square(&mut app);
    let agent = walker(&mut app, Vec3::new(10.0, 0.0, 10.0), NavTarget::Point(FAR));
    until(&mut app, "speed", |app| get::<NavVelocity>(app, agent).0.x > 1.0);
    set(&mut app, agent, NavTarget::Point(NEAR));
    updates(&mut app, 60);
    assert!(get::<NavVelocity>(&app, agent).0.x < -1.0);
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
    assert!(level(place(&app, agent), NEAR) < 0.2);
    set(&mut app, agent, NavTarget::Velocity(Vec3::new(0.0, 0.0, 1.5)));
    updates(&mut app, 60);
    assert!((get::<NavVelocity>(&app, agent).0 - Vec3::Z * 1.5).length() < 0.1);
    set(&mut app, agent, NavTarget::None);
    updates(&mut app, 60);
    assert_eq!(*get::<NavAgentState>(&app, agent), NavAgentState::Idle);
    assert!(get::<NavVelocity>(&app, agent).0.length() < 0.01);
}

#[test]
fn agents_follow_entities_that_walk_and_those_that_the_game_moves() {
    let mut app = app();
    square(&mut app);
    let leader = walker(&mut app, Vec3::new(10.0, 0.0, 10.0), NavTarget::Point(FAR));
    let follower = walker(&mut app, NEAR, NavTarget::Entity(leader));
    let flag = app.world_mut().spawn(Transform::from_xyz(3.0, 0.0, 17.0)).id();
    let other = walker(&mut app, NEAR + Vec3::X, NavTarget::Entity(flag));
    until_event(&mut app, leader, NavAgentEventKind::Arrived);
    until(&mut app, "the follower", |app| level(place(app, follower), FAR) < 1.5);
    until(&mut app, "the other", |app| level(place(app, other), Vec3::new(3.0, 0.0, 17.0)) < 0.5);
    set(&mut app, flag, Transform::from_xyz(3.0, 0.0, 10.0));
    until(&mut app, "the flag's new place", |app| level(place(app, other), Vec3::new(3.0, 0.0, 10.0)) < 0.5);
    app.world_mut().despawn(flag);
    updates(&mut app, 3);
    assert_eq!(*get::<NavAgentState>(&app, other), NavAgentState::Idle);
}

#[test]
fn an_agent_is_carried_off_the_mesh_and_walks_on_from_the_dock() {
    let mut app = app();
    let world = square(&mut app);
    let agent = walker(&mut app, NEAR, NavTarget::Point(FAR));
    until(&mut app, "speed", |app| get::<NavVelocity>(app, agent).0.length() > 1.9);
    set(&mut app, agent, NavCarried);
    for step in 0..60 {
        let raft = Vec3::new(-5.0, 1.0, 0.2 * step as f32);
        set(&mut app, agent, Transform::from_translation(raft));
        app.update();
        assert_eq!(place(&app, agent), raft);
        assert_eq!(*get::<NavAgentState>(&app, agent), NavAgentState::Carried);
    }
    assert_eq!(get::<NavWorld>(&app, world).hold_up(agent), None);
    set(&mut app, agent, Transform::from_translation(NEAR));
    app.world_mut().entity_mut(agent).remove::<NavCarried>();
    app.update();
    assert!(level(place(&app, agent), NEAR) < 0.2, "{}", place(&app, agent));
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
    assert!(level(place(&app, agent), FAR) < 0.2);
}

#[test]
fn an_agent_that_is_held_up_says_by_whom() {
    let mut app = app();
    let world = square(&mut app);
    let middle = Vec3::new(10.0, 0.0, 10.0);
    let agent = walker(&mut app, middle, NavTarget::None);
    // Others close a ring around it, and none steps aside.
    let others: Vec<Entity> = (0..6)
        .map(|number| {
            let (sine, cosine) = (number as f32 * std::f32::consts::TAU / 6.0).sin_cos();
            let at = Transform::from_translation(middle + Vec3::new(cosine, 0.0, sine) * 0.82);
            app.world_mut().spawn((NavAgent { max_speed: 0.0, ..NavAgent::default() }, at)).id()
        })
        .collect();
    updates(&mut app, 2);
    assert_eq!(get::<NavWorld>(&app, world).hold_up(agent), None);
    set(&mut app, agent, NavTarget::Point(FAR));
    updates(&mut app, 60);
    let held = get::<NavWorld>(&app, world).hold_up(agent).unwrap();
    assert_eq!(held.cause, crowd::HoldUpCause::Crowded);
    assert!(held.by.is_some_and(|by| others.contains(&by)), "{held:?}");
}

#[test]
fn agents_with_a_shared_goal_search_once() {
    let mut app = app();
    let world = square(&mut app);
    let agents: Vec<Entity> = (0..12)
        .map(|index| {
            let at = NEAR + Vec3::new((index % 4) as f32, 0.0, (index / 4) as f32);
            walker(&mut app, at, NavTarget::Shared(FAR))
        })
        .collect();
    until(&mut app, "all of them", |app| {
        agents.iter().all(|agent| *get::<NavAgentState>(app, *agent) == NavAgentState::Arrived)
    });
    // None of them requested its own path.
    let crowd = get::<NavWorld>(&app, world).crowd();
    assert!(crowd.agents().all(|id| matches!(crowd.agent(id).unwrap().target, crowd::Target::Field(_))));
    for agent in &agents {
        set(&mut app, *agent, NavTarget::Shared(NEAR));
    }
    until(&mut app, "the way back", |app| agents.iter().all(|agent| level(place(app, *agent), NEAR) < 3.0));
}

#[test]
fn agents_choose_among_exits_by_queue() {
    let mut app = app();
    let world = square(&mut app);
    let ends = [Vec3::new(3.0, 0.0, 17.0), FAR];
    let exits = NavExits(ends.map(|at| NavExit { at, rate: 0.5 }).to_vec());
    let doors = app.world_mut().spawn(exits.clone()).id();
    let agents: Vec<Entity> = (0..12)
        .map(|index| {
            let at = NEAR + Vec3::new((index % 4) as f32, 0.0, (index / 4) as f32);
            walker(&mut app, at, NavTarget::Exits(doors))
        })
        .collect();
    let at_end = |app: &bevy_app::App, end: usize| {
        agents.iter().filter(|agent| level(place(app, **agent), ends[end]) < 3.0).count()
    };
    until(&mut app, "both exits", |app| at_end(app, 0) + at_end(app, 1) == 12);
    assert!(at_end(&app, 0) > at_end(&app, 1) && at_end(&app, 1) > 2, "most at the nearer");
    let crowd = get::<NavWorld>(&app, world).crowd();
    assert!(crowd.agents().all(|id| crowd.exit_of(id).unwrap().is_some()));
    // One of them is closed.
    set(&mut app, doors, NavExits(exits.0[1..].to_vec()));
    until(&mut app, "the other exit", |app| at_end(app, 1) == 12);
    app.world_mut().despawn(doors);
    set(&mut app, agents[0], NavTarget::Exits(doors));
    updates(&mut app, 3);
    assert_eq!(*get::<NavAgentState>(&app, agents[0]), NavAgentState::Idle);
}

#[test]
fn an_agent_that_is_despawned_is_gone_from_the_crowd() {
    let mut app = app();
    let world = square(&mut app);
    let first = walker(&mut app, NEAR, NavTarget::Shared(FAR));
    let second = walker(&mut app, NEAR + Vec3::X * 2.0, NavTarget::Shared(FAR));
    updates(&mut app, 5);
    let id = get::<NavWorld>(&app, world).agent(first).unwrap();
    assert_eq!(get::<NavWorld>(&app, world).crowd().len(), 2);
    app.world_mut().despawn(first);
    assert_eq!(get::<NavWorld>(&app, world).crowd().len(), 1);
    assert!(get::<NavWorld>(&app, world).crowd().agent(id).is_err());
    assert_eq!(get::<NavWorld>(&app, world).agent(first), None);
    app.world_mut().entity_mut(second).remove::<NavAgent>();
    assert!(get::<NavWorld>(&app, world).crowd().is_empty());
    updates(&mut app, 5);
    // The number is reused with another handle.
    let third = walker(&mut app, NEAR, NavTarget::Shared(FAR));
    until(&mut app, "an agent", |app| get::<NavWorld>(app, world).agent(third).is_some());
    assert_ne!(get::<NavWorld>(&app, world).agent(third).unwrap(), id);
    until_event(&mut app, third, NavAgentEventKind::Arrived);
}

#[test]
fn a_transform_that_the_game_sets_is_a_teleport() {
    let mut app = app();
    square(&mut app);
    let agent = walker(&mut app, NEAR, NavTarget::Point(FAR));
    updates(&mut app, 30);
    set(&mut app, agent, Transform::from_xyz(16.0, 0.0, 3.0));
    updates(&mut app, 30);
    let at = place(&app, agent);
    assert!(at.x > 15.0 && at.z < 6.0, "{at}");
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
    assert!(level(place(&app, agent), FAR) < 0.2);
}

#[test]
fn the_origin_of_an_entity_may_be_above_its_feet() {
    let mut app = app();
    square(&mut app);
    let agent = walker(&mut app, NEAR.with_y(0.9), NavTarget::Point(FAR));
    set(&mut app, agent, NavAgent { origin_above_feet: 0.9, ..NavAgent::default() });
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
    let height = place(&app, agent).y;
    assert!((height - 0.9).abs() < 0.25, "{height}");
}

#[test]
fn a_driver_of_its_own_gets_a_velocity_and_nothing_moves_without_it() {
    let mut app = app();
    let world = square(&mut app);
    let agent = walker(&mut app, NEAR, NavTarget::Point(FAR));
    set(&mut app, agent, NavAgent { drive: NavDrive::Velocity, ..NavAgent::default() });
    // As if it were stuck.
    updates(&mut app, 240);
    assert_eq!(place(&app, agent), NEAR);
    let ahead = get::<NavWorld>(&app, world).view(agent).unwrap().position;
    assert!(level(ahead, NEAR) < 4.0 * 0.4 + 0.2, "{ahead}");
    // Moved as by a physics engine.
    until(&mut app, "the target", |app| {
        let velocity = get::<NavVelocity>(app, agent).0;
        let place = get::<Transform>(app, agent).translation + velocity / 64.0;
        set(app, agent, Transform::from_translation(place));
        level(place, FAR) < 0.3
    });
}

#[test]
fn targets_off_the_mesh_and_out_of_reach_are_reported() {
    let mut app = app();
    square(&mut app);
    let off = walker(&mut app, NEAR, NavTarget::Point(Vec3::new(50.0, 0.0, 50.0)));
    until_event(&mut app, off, NavAgentEventKind::NoPath(NoPathReason::OffMesh));
    // An island across a gap.
    let source = NavSource { shape: cuboid([10.0, 1.0, 10.0]) };
    app.world_mut().spawn((source, Transform::from_xyz(35.0, -0.5, 10.0)));
    let island = Vec3::new(35.0, 0.0, 10.0);
    let agent = walker(&mut app, FAR, NavTarget::None);
    until(&mut app, "the island", |app| {
        let mut worlds = app.world_mut().query::<&NavWorld>();
        worlds.single(app.world()).unwrap().route(island, island + Vec3::X).is_ok()
    });
    set(&mut app, agent, NavTarget::Point(island));
    until_event(&mut app, agent, NavAgentEventKind::NoPath(NoPathReason::Unreachable));
    // It walks as near as it can.
    until(&mut app, "the shore", |app| place(app, agent).x > 18.5);
}

#[test]
fn a_target_that_gets_ground_later_is_found_then() {
    let mut app = app();
    square(&mut app);
    let goal = Vec3::new(35.0, 0.0, 10.0);
    let agent = walker(&mut app, NEAR, NavTarget::Point(goal));
    until_event(&mut app, agent, NavAgentEventKind::NoPath(NoPathReason::OffMesh));
    let source = NavSource { shape: cuboid([20.0, 1.0, 10.0]) };
    app.world_mut().spawn((source, Transform::from_xyz(30.0, -0.5, 10.0)));
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
    assert!(level(place(&app, agent), goal) < 0.3);
}

#[test]
fn filters_close_ground_and_make_it_dear() {
    let mut app = app();
    // A swamp between two banks, with a detour of dry ground.
    floor(&mut app, [8.0, 20.0]);
    let strip = |app: &mut bevy_app::App, z: f32, depth: f32, area: u8| {
        let source = NavSource { shape: cuboid([8.0, 1.0, depth]) };
        app.world_mut().spawn((source, NavArea(area), Transform::from_xyz(12.0, -0.5, z + depth / 2.0)));
    };
    strip(&mut app, 0.0, 14.0, 7);
    strip(&mut app, 14.0, 6.0, 63);
    let east = NavSource { shape: cuboid([8.0, 1.0, 20.0]) };
    app.world_mut().spawn((east, Transform::from_xyz(20.0, -0.5, 10.0)));
    let kind = NavAreaKind { id: 7, name: "swamp".to_owned(), cost: 1.0, ..NavAreaKind::default() };
    built(&mut app, NavMeshBuilder { areas: vec![kind], ..NavMeshBuilder::default() });

    let (from, to) = (Vec3::new(3.0, 0.0, 3.0), Vec3::new(21.0, 0.0, 3.0));
    let through = |app: &mut bevy_app::App, filter: Option<NavFilter>| {
        let agent = walker(app, from, NavTarget::Point(to));
        if let Some(filter) = filter {
            set(app, agent, filter);
        }
        let mut furthest = 0.0_f32;
        until(app, "the other bank", |app| {
            furthest = furthest.max(place(app, agent).z);
            level(place(app, agent), to) < 0.3
        });
        app.world_mut().despawn(agent);
        furthest
    };
    assert!(through(&mut app, None) < 5.0);
    assert!(through(&mut app, Some(NavFilter { costs: vec![(7, 20.0)], ..NavFilter::default() })) > 13.0);
    assert!(through(&mut app, Some(NavFilter { closed: vec![7], ..NavFilter::default() })) > 13.0);
}

#[test]
fn worlds_for_several_sizes_have_their_own_agents() {
    let mut app = app();
    floor(&mut app, [20.0, 20.0]);
    // A gap of 2 m: wide enough for the small agent.
    wall(&mut app, [9.5, 0.0, 10.5, 9.0]);
    wall(&mut app, [9.5, 11.0, 10.5, 20.0]);
    let small = built(&mut app, NavMeshBuilder::default());
    let large = built(&mut app, NavMeshBuilder { agent_radius: 1.5, ..NavMeshBuilder::default() });
    let target = NavTarget::Point(Vec3::new(16.0, 0.0, 10.0));
    let dog = walker(&mut app, Vec3::new(4.0, 0.0, 10.0), target);
    let giant = walker(&mut app, Vec3::new(4.0, 0.0, 6.0), target);
    let lost = walker(&mut app, Vec3::new(4.0, 0.0, 14.0), target);
    set(&mut app, dog, OnNavWorld(small));
    set(&mut app, giant, OnNavWorld(large));
    until(&mut app, "both", |app| {
        get::<NavWorld>(app, small).agent(dog).is_some() && get::<NavWorld>(app, large).agent(giant).is_some()
    });
    assert!(get::<NavWorld>(&app, large).agent(dog).is_none());
    until_event(&mut app, dog, NavAgentEventKind::Arrived);
    assert!(place(&app, giant).x < 9.0);
    // With several worlds an agent has to name its own.
    assert_eq!(*get::<NavAgentState>(&app, lost), NavAgentState::OffMesh);
    set(&mut app, lost, OnNavWorld(small));
    until_event(&mut app, lost, NavAgentEventKind::Arrived);
}

#[test]
fn settings_of_the_crowd_that_change_have_agents_go_on() {
    let mut app = app();
    let world = square(&mut app);
    let agent = walker(&mut app, NEAR, NavTarget::Point(FAR));
    until(&mut app, "speed", |app| get::<NavVelocity>(app, agent).0.length() > 1.9);
    set(&mut app, world, NavCrowdSettings { avoid_every: 4, ..NavCrowdSettings::default() });
    updates(&mut app, 2);
    assert_eq!(get::<NavWorld>(&app, world).crowd().settings().avoid_every, 4);
    assert!(get::<NavVelocity>(&app, agent).0.length() > 1.5, "it does not stop");
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
}

#[test]
fn the_same_app_walks_the_same_ways() {
    let run = || {
        let mut app = app();
        let world = square(&mut app);
        for index in 0..40 {
            let at = Vec3::new(2.0 + (index % 8) as f32 * 2.0, 0.0, 2.0 + (index / 8) as f32 * 3.0);
            walker(&mut app, at, NavTarget::Point(Vec3::new(18.0 - at.x, 0.0, 18.0 - at.z)));
        }
        updates(&mut app, 200);
        get::<NavWorld>(&app, world).crowd().hash()
    };
    assert_eq!(run(), run());
}
