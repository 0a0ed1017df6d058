//! The lines, timings and types that a game sees.

use crate::common::*;
use bevy_ecs::reflect::AppTypeRegistry;
use bevy_math::Vec3;
use bevy_navtile::debug::NavLayers;
use bevy_navtile::{NavAgent, NavMeshBuilder, NavObstacle, NavTarget, NavTimings, NavWorld, OffMeshLink};
use bevy_reflect::PartialReflect;
use bevy_transform::components::Transform;

#[test]
fn each_layer_has_lines_of_its_own() {
    let mut app = app();
    floor(&mut app, [20.0, 20.0]);
    wall(&mut app, [9.0, 0.0, 10.0, 15.0]);
    let link = OffMeshLink { start: Vec3::X * -2.0, end: Vec3::X * 3.0, ..OffMeshLink::default() };
    app.world_mut().spawn((link, Transform::from_xyz(9.0, 0.0, 3.0)));
    let obstacle = NavObstacle { shape: cuboid([2.0; 3]), ..NavObstacle::default() };
    app.world_mut().spawn((obstacle, Transform::from_xyz(4.0, 1.0, 15.0)));
    let world = built(&mut app, NavMeshBuilder::default());
    let agent = walker(&mut app, Vec3::new(3.0, 0.0, 3.0), NavTarget::Point(Vec3::new(17.0, 0.0, 15.0)));
    until(&mut app, "a path", |app| {
        let world = get::<NavWorld>(app, world);
        world.agent(agent).is_some_and(|id| world.crowd().corridor(id).unwrap().polygons().len() > 1)
    });
    let world = get::<NavWorld>(&app, world);
    let none = NavLayers::none();
    let count = |layers: NavLayers| world.mesh_lines(&layers).len() + world.moving_lines(&layers).len();
    assert_eq!(count(none), 0);
    let layers = [
        NavLayers { polygons: true, ..none },
        NavLayers { walls: true, ..none },
        NavLayers { portals: true, ..none },
        NavLayers { links: true, ..none },
        NavLayers { tiles: true, ..none },
        NavLayers { obstacles: true, ..none },
        NavLayers { agents: true, ..none },
        NavLayers { paths: true, ..none },
        NavLayers { corridors: true, ..none },
    ];
    let counts = layers.map(count);
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    assert_eq!(count(NavLayers::all()), counts.iter().sum::<usize>());
    // A box has 12 edges, and no diagonals are drawn; four tiles have four sides each.
    assert_eq!((counts[5], counts[4]), (12, 4 * world.mesh().tile_count()));
    // Lines are above the ground.
    let lines = world.mesh_lines(&NavLayers { lift: 2.0, ..NavLayers::default() });
    assert!(lines.iter().all(|line| line.from.y > 1.5 && line.to.is_finite()));
}

#[cfg(feature = "gizmos")]
#[test]
fn gizmos_draw_without_a_renderer() {
    use bevy_gizmos::GizmoPlugin;
    use bevy_gizmos::config::GizmoConfigStore;
    use bevy_navtile::{NavGizmoLayers, NavGizmos, NavtileGizmoPlugin};

    let mut app = unfinished(std::path::Path::new("assets"));
    app.add_plugins((GizmoPlugin, NavtileGizmoPlugin));
    app.finish();
    app.cleanup();
    square(&mut app);
    walker(&mut app, Vec3::new(3.0, 0.0, 3.0), NavTarget::Point(Vec3::new(17.0, 0.0, 15.0)));
    app.insert_resource(NavGizmoLayers(NavLayers::all()));
    updates(&mut app, 10);
    app.world_mut().resource_mut::<GizmoConfigStore>().config_mut::<NavGizmos>().0.enabled = false;
    updates(&mut app, 2);
}

#[test]
fn the_time_of_each_frame_is_counted() {
    let mut app = app();
    square(&mut app);
    walker(&mut app, Vec3::new(3.0, 0.0, 3.0), NavTarget::Point(Vec3::new(17.0, 0.0, 15.0)));
    updates(&mut app, 5);
    let timings = app.world().resource::<NavTimings>();
    assert_eq!(timings.steps, 1);
    assert!(timings.step > std::time::Duration::ZERO && timings.total() >= timings.step);
}

#[test]
fn components_are_known_to_reflection_and_come_back_from_it() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    for name in [
        "NavAgent",
        "NavAgentState",
        "NavArea",
        "NavCrowdSettings",
        "NavFilter",
        "NavMeshBuilder",
        "NavMeshHandle",
        "NavMeshStatus",
        "NavObstacle",
        "NavSource",
        "NavTarget",
        "NavVelocity",
        "OffMeshLink",
        "OnNavWorld",
    ] {
        let known = registry.get_with_short_type_path(name).unwrap_or_else(|| panic!("{name}"));
        assert!(known.data::<bevy_ecs::reflect::ReflectComponent>().is_some(), "{name}");
    }
    let mut agent = NavAgent::default();
    let changed = NavAgent { max_speed: 7.0, ..NavAgent::default() };
    agent.apply(changed.as_partial_reflect());
    assert_eq!(agent, changed);
    assert!(agent.reflect_clone().is_ok());
}
