//! Obstacles and swapped meshes: tiles are baked again, and agents react.

use crate::common::*;
use bevy_asset::Assets;
use bevy_ecs::prelude::Entity;
use bevy_math::Vec3;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_navtile::{
    NavAgent, NavAgentEventKind, NavAgentState, NavArea, NavEffect, NavGroundLoss, NavMeshBuilder,
    NavMeshEventKind, NavObstacle, NavRebake, NavSource, NavStationary, NavTarget, NavVelocity, NavWorld,
    NoPathReason,
};
use bevy_transform::components::Transform;

/// A floor of 20 by 20 m, divided by a wall with a gap of 4 m.
fn two_rooms(app: &mut bevy_app::App) -> Entity {
    floor(app, [20.0, 20.0]);
    wall(app, [9.5, 0.0, 10.5, 8.0]);
    wall(app, [9.5, 12.0, 10.5, 20.0]);
    built(app, NavMeshBuilder::default())
}

fn door(app: &mut bevy_app::App) -> Entity {
    let obstacle = NavObstacle { shape: cuboid([1.0, 3.0, 5.0]), ..NavObstacle::default() };
    app.world_mut().spawn((obstacle, Transform::from_xyz(10.0, 1.5, 10.0))).id()
}

const WEST: Vec3 = Vec3::new(4.0, 0.0, 10.0);
const EAST: Vec3 = Vec3::new(16.0, 0.0, 10.0);

fn is_open(app: &bevy_app::App, world: Entity) -> bool {
    get::<NavWorld>(app, world).route(WEST, EAST).unwrap().reason().is_none()
}

#[test]
fn a_door_that_comes_moves_and_goes_parts_and_joins() {
    let mut app = app();
    let world = two_rooms(&mut app);
    let before = tiles(get(&app, world));
    mesh_events(&mut app);
    let door = door(&mut app);
    until(&mut app, "a shut door", |app| !is_open(app, world));
    let parts =
        |event: &NavMeshEventKind| matches!(event, NavMeshEventKind::Changed { parted: 1, tiles: 1.., .. });
    assert!(mesh_events(&mut app).iter().any(parts));
    let shut = tiles(get(&app, world));
    set(&mut app, door, Transform::from_xyz(10.0, 1.5, 15.0));
    until(&mut app, "an open door", |app| is_open(app, world));
    let joins = |event: &NavMeshEventKind| matches!(event, NavMeshEventKind::Changed { joined: 1, .. });
    assert!(mesh_events(&mut app).iter().any(joins));
    set(&mut app, door, Transform::from_xyz(10.0, 1.5, 10.0));
    until(&mut app, "a shut door", |app| tiles(get(app, world)) == shut);
    app.world_mut().despawn(door);
    until(&mut app, "the first mesh", |app| tiles(get(app, world)) == before);
}

#[test]
fn a_stationary_obstacle_bakes_no_tile_while_it_moves() {
    let mut app = app();
    let world = two_rooms(&mut app);
    let open = tiles(get(&app, world));
    let door = door(&mut app);
    until(&mut app, "a shut door", |app| !is_open(app, world));
    let shape = cuboid([1.0, 3.0, 5.0]);
    let rule = NavStationary { time_to_stationary: 1.0, ..NavStationary::default() };
    set(&mut app, door, NavObstacle { shape, stationary: Some(rule), ..NavObstacle::default() });
    updates(&mut app, 3);
    assert!(!is_open(&app, world), "the rule alone changes nothing");
    // It has no effect while it moves, and for a second after it: 60 steps.
    for step in 1..=10 {
        set(&mut app, door, Transform::from_xyz(10.0, 1.5, 10.0 + 0.2 * step as f32));
        app.update();
    }
    updates(&mut app, 3);
    assert_eq!(tiles(get(&app, world)), open);
    set(&mut app, door, Transform::from_xyz(10.0, 1.5, 10.0));
    updates(&mut app, 50);
    assert_eq!(tiles(get(&app, world)), open);
    updates(&mut app, 20);
    assert!(!is_open(&app, world), "it has come to rest");
}

#[test]
fn tiles_with_obstacles_are_those_of_a_bake_with_them_in_whatever_order_they_come() {
    let obstacle = |size: f32| NavObstacle {
        shape: cuboid([size; 3]),
        effect: NavEffect::Solid,
        ..NavObstacle::default()
    };
    let mut app = app();
    let world = two_rooms(&mut app);
    let at = |x: f32| Transform::from_xyz(x, 1.0, 5.0);
    let first = app.world_mut().spawn((obstacle(2.0), at(2.0))).id();
    updates(&mut app, 3);
    app.world_mut().spawn((obstacle(1.0), at(15.0)));
    updates(&mut app, 3);
    set(&mut app, first, at(6.0));
    updates(&mut app, 3);
    let moved = tiles(get(&app, world));

    // Obstacles that exist before the mesh.
    let mut other = crate::common::app();
    other.world_mut().spawn((obstacle(1.0), at(15.0)));
    other.world_mut().spawn((obstacle(2.0), at(6.0)));
    let world = two_rooms(&mut other);
    assert!(tiles(get(&other, world)) == moved);
}

#[test]
fn tiles_are_baked_in_the_background_too() {
    let mut app = app();
    app.insert_resource(NavRebake::Background);
    let world = two_rooms(&mut app);
    let door = door(&mut app);
    until(&mut app, "a shut door", |app| !is_open(app, world));
    // It continues to move while tiles are baked.
    for step in 0..40 {
        set(&mut app, door, Transform::from_xyz(10.0, 1.5, 10.0 + step as f32 * 0.25));
        app.update();
    }
    until(&mut app, "an open door", |app| is_open(app, world));
    until(&mut app, "rest", |app| !get::<NavWorld>(app, world).is_busy());
    let settled = tiles(get(&app, world));
    app.world_mut().despawn(door);
    let mut steps = crate::common::app();
    let world = two_rooms(&mut steps);
    let door = self::door(&mut steps);
    set(&mut steps, door, Transform::from_xyz(10.0, 1.5, 10.0 + 39.0 * 0.25));
    until(&mut steps, "the same mesh", |app| tiles(get(app, world)) == settled);
}

#[test]
fn agents_walk_round_what_is_put_in_their_way_and_wait_where_there_is_no_way() {
    let mut app = app();
    let world = two_rooms(&mut app);
    let agent = walker(&mut app, WEST, NavTarget::Point(EAST));
    until(&mut app, "speed", |app| get::<NavVelocity>(app, agent).0.length() > 1.5);
    let door = door(&mut app);
    until(&mut app, "a shut door", |app| !is_open(app, world));
    until_event(&mut app, agent, NavAgentEventKind::NoPath(NoPathReason::Unreachable));
    // Other changes find the same result again, which is not reported again.
    agent_events(&mut app);
    let cart = app.world_mut().spawn(NavObstacle { shape: cuboid([2.0; 3]), ..NavObstacle::default() }).id();
    for step in 0..60 {
        set(&mut app, cart, Transform::from_xyz(2.0 + step as f32 * 0.1, 1.0, 3.0));
        app.update();
        let again = |event: &bevy_navtile::NavAgentEvent| matches!(event.kind, NavAgentEventKind::NoPath(_));
        assert!(!agent_events(&mut app).iter().any(again));
    }
    assert!(place(&app, agent).x < 9.6);
    app.world_mut().despawn(door);
    until(&mut app, "an open door", |app| is_open(app, world));
    // It is sent again, as a game does after an event that islands were joined.
    set(&mut app, agent, NavTarget::Point(EAST));
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
}

#[test]
fn a_bridge_is_ground_and_an_agent_on_it_steps_out_when_it_goes() {
    let mut app = app();
    floor(&mut app, [10.0, 10.0]);
    let far = NavSource { shape: cuboid([10.0, 1.0, 10.0]) };
    app.world_mut().spawn((far, Transform::from_xyz(21.0, -0.5, 5.0)));
    let world = built(&mut app, NavMeshBuilder::default());
    let (from, to) = (Vec3::new(5.0, 0.0, 5.0), Vec3::new(21.0, 0.0, 5.0));
    let crosses =
        |app: &bevy_app::App| get::<NavWorld>(app, world).route(from, to).unwrap().reason().is_none();
    assert!(!crosses(&app));
    let bridge =
        NavObstacle { shape: cuboid([8.0, 0.4, 4.0]), effect: NavEffect::Solid, ..NavObstacle::default() };
    let bridge = app.world_mut().spawn((bridge, Transform::from_xyz(13.0, -0.1, 5.0))).id();
    until(&mut app, "a bridge", |app| crosses(app));
    let agent = walker(&mut app, from, NavTarget::Point(to));
    until(&mut app, "the bridge's middle", |app| place(app, agent).x > 12.0);
    app.world_mut().despawn(bridge);
    until_event(&mut app, agent, NavAgentEventKind::SteppingOut);
    until_event(&mut app, agent, NavAgentEventKind::GroundFound);
    let at = place(&app, agent).x;
    assert!(!(9.5..=16.5).contains(&at), "{at}");
}

#[test]
fn agents_on_a_bridge_that_goes_fall_or_leave_the_crowd() {
    for ground_loss in [NavGroundLoss::Fall, NavGroundLoss::Remove] {
        let mut app = app();
        floor(&mut app, [10.0, 10.0]);
        for [x, y, width] in [[21.0, -0.5, 10.0], [13.0, -5.5, 6.0]] {
            let ground = NavSource { shape: cuboid([width, 1.0, 10.0]) };
            app.world_mut().spawn((ground, Transform::from_xyz(x, y, 5.0)));
        }
        let world = built(&mut app, NavMeshBuilder::default());
        let (from, to) = (Vec3::new(5.0, 0.0, 5.0), Vec3::new(21.0, 0.0, 5.0));
        let bridge = NavObstacle {
            shape: cuboid([8.0, 0.4, 4.0]),
            effect: NavEffect::Solid,
            ..NavObstacle::default()
        };
        let bridge = app.world_mut().spawn((bridge, Transform::from_xyz(13.0, -0.1, 5.0))).id();
        until(&mut app, "a bridge", |app| {
            get::<NavWorld>(app, world).route(from, to).unwrap().reason().is_none()
        });
        let agent = walker(&mut app, from, NavTarget::Point(to));
        let usual = get::<NavAgent>(&app, agent).clone();
        set(&mut app, agent, NavAgent { ground_loss, ..usual });
        until(&mut app, "the bridge's middle", |app| place(app, agent).x > 12.0);
        app.world_mut().despawn(bridge);
        if ground_loss == NavGroundLoss::Fall {
            until_event(&mut app, agent, NavAgentEventKind::Falling);
            until_event(&mut app, agent, NavAgentEventKind::GroundFound);
            let at = place(&app, agent);
            assert!((at.y + 5.0).abs() < 0.5, "{at}");
        } else {
            until_event(&mut app, agent, NavAgentEventKind::Removed);
            updates(&mut app, 2);
            assert!(app.world().get::<NavAgent>(agent).is_none());
        }
    }
}

#[test]
fn marks_have_their_area_and_holes_open_walls() {
    let mut app = app();
    floor(&mut app, [20.0, 20.0]);
    wall(&mut app, [9.5, 0.0, 10.5, 20.0]);
    let world = built(&mut app, NavMeshBuilder::default());
    assert!(!is_open(&app, world));
    let hole =
        NavObstacle { shape: cuboid([2.0, 3.0, 4.0]), effect: NavEffect::Removes, ..NavObstacle::default() };
    app.world_mut().spawn((hole, Transform::from_xyz(10.0, 1.5, 10.0)));
    until(&mut app, "a hole", |app| is_open(app, world));
    let mud =
        NavObstacle { shape: cuboid([4.0, 2.0, 4.0]), effect: NavEffect::Marks, ..NavObstacle::default() };
    let mud = app.world_mut().spawn((mud, NavArea(5), Transform::from_xyz(4.0, 0.0, 4.0))).id();
    let of_mud = |app: &bevy_app::App, area: u8| -> f64 {
        get::<NavWorld>(app, world).mesh().tiles().map(|tile| tile.area(|polygon| polygon.area == area)).sum()
    };
    until(&mut app, "mud", |app| (14.0..18.0).contains(&of_mud(app, 5)));
    set(&mut app, mud, NavArea(6));
    until(&mut app, "other mud", |app| of_mud(app, 5) == 0.0 && of_mud(app, 6) > 14.0);
    app.world_mut().entity_mut(mud).remove::<NavArea>();
    until(&mut app, "plain ground", |app| of_mud(app, 6) == 0.0);
}

#[test]
fn obstacles_of_meshes_follow_their_triangles() {
    let mut app = app();
    let world = square(&mut app);
    let open = |app: &bevy_app::App| -> f64 {
        get::<NavWorld>(app, world).mesh().tiles().map(|tile| tile.area(|_| true)).sum()
    };
    let before = open(&app);
    let handle = app.world_mut().resource::<Assets<Mesh>>().reserve_handle();
    let obstacle = (NavObstacle::default(), Mesh3d(handle.clone()), Transform::from_xyz(8.0, 0.5, 8.0));
    app.world_mut().spawn(obstacle);
    updates(&mut app, 5);
    assert_eq!(open(&app), before, "its mesh is not loaded yet");
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(handle.id(), square_mesh(2.0)).unwrap();
    until(&mut app, "an obstacle", |app| open(app) < before - 4.0);
    let small = open(&app);
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(handle.id(), square_mesh(5.0)).unwrap();
    until(&mut app, "a larger one", |app| open(app) < small - 15.0);
}

#[test]
fn a_mesh_that_is_swapped_under_agents_has_them_go_on() {
    let mut app = app();
    let world = two_rooms(&mut app);
    let agent = walker(&mut app, WEST, NavTarget::Point(EAST));
    let still = walker(&mut app, Vec3::new(3.0, 0.0, 3.0), NavTarget::None);
    until(&mut app, "speed", |app| get::<NavVelocity>(app, agent).0.length() > 1.9);
    mesh_events(&mut app);
    // With other cells, nothing of the old mesh remains.
    set(&mut app, world, NavMeshBuilder { cell_size: Some(0.2), ..NavMeshBuilder::default() });
    until(&mut app, "another mesh", |app| {
        mesh_events(app).iter().any(|event| matches!(event, NavMeshEventKind::Ready { .. }))
    });
    updates(&mut app, 2);
    assert!(get::<NavVelocity>(&app, agent).0.length() > 1.5, "it does not stop");
    assert_eq!(get::<NavWorld>(&app, world).meta().unwrap().cell[0], 0.2);
    assert_eq!(*get::<NavAgentState>(&app, still), NavAgentState::Idle);
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
}

#[test]
fn a_build_on_the_same_grid_leaves_the_tiles_that_stay() {
    let mut app = app();
    floor(&mut app, [60.0, 60.0]);
    let world = built(&mut app, NavMeshBuilder::default());
    let agent = walker(&mut app, Vec3::new(5.0, 0.0, 5.0), NavTarget::Point(Vec3::new(10.0, 0.0, 5.0)));
    until(&mut app, "an agent", |app| get::<NavWorld>(app, world).agent(agent).is_some());
    let id = get::<NavWorld>(&app, world).agent(agent).unwrap();
    let count = get::<NavWorld>(&app, world).mesh().tile_count();
    mesh_events(&mut app);
    wall(&mut app, [50.0, 50.0, 52.0, 52.0]);
    let mut changed = 0;
    until(&mut app, "another mesh", |app| {
        mesh_events(app).iter().any(|event| match event {
            NavMeshEventKind::Ready { changed: tiles } => {
                changed = *tiles;
                true
            }
            _ => false,
        })
    });
    assert!((1..=4).contains(&changed) && count == 25, "{changed} of {count}");
    assert_eq!(get::<NavWorld>(&app, world).agent(agent), Some(id), "it is the same agent");
}
