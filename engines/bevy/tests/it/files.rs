//! Meshes from files: loaded, reloaded, damaged, and without cached spans.

use crate::common::*;
use bevy_asset::AssetServer;
use bevy_math::Vec3;
use bevy_navtile::{
    NavAgentEventKind, NavMeshAsset, NavMeshEventKind, NavMeshHandle, NavMeshStatus, NavObstacle, NavTarget,
    NavWorld,
};
use bevy_transform::components::Transform;
use recast::{Level, PreparedLevel, Settings};
use std::fs;

/// The file of a level square, with or without cached spans.
fn file(side: f64, is_dynamic: bool) -> Vec<u8> {
    let vertices = vec![[0.0; 3], [0.0, 0.0, side], [side, 0.0, side], [side, 0.0, 0.0]];
    let level = Level { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]], ..Level::default() };
    let level = PreparedLevel::new(&level, &Settings::default()).unwrap();
    if is_dynamic {
        return tilecache::bake_dynamic(&level, 48, &[]).unwrap();
    }
    let baked = navlevel::bake_tiles(&level, 48, &recast::Silent).unwrap();
    let tiles: Vec<navtile::Tile> = baked.into_iter().map(|baked| baked.tile).collect();
    navtile::write_file(&navlevel::meta::meta(&level, 48, None), &tiles).unwrap()
}

fn width(world: &NavWorld) -> f32 {
    let bounds = world.mesh().bounds();
    bounds.max[0] - bounds.min[0]
}

#[test]
fn a_file_is_walked_on_and_loaded_again_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("level.navtile"), file(20.0, true)).unwrap();
    let mut app = app_in(folder.path());
    let handle = app.world().resource::<AssetServer>().load("level.navtile");
    let world = app.world_mut().spawn(NavMeshHandle(handle)).id();
    let agent = walker(&mut app, Vec3::new(2.0, 0.0, 2.0), NavTarget::Point(Vec3::new(16.0, 0.0, 16.0)));
    until(&mut app, "a mesh", |app| *get::<NavMeshStatus>(app, world) == NavMeshStatus::Ready);
    assert!(width(get(&app, world)) < 20.0);
    until_event(&mut app, agent, NavAgentEventKind::Arrived);

    let obstacle = NavObstacle { shape: cuboid([4.0; 3]), ..NavObstacle::default() };
    app.world_mut().spawn((obstacle, Transform::from_xyz(8.0, 1.0, 8.0)));
    let holed =
        |app: &bevy_app::App| get::<NavWorld>(app, world).route(Vec3::new(8.0, 0.0, 8.0), Vec3::X * 5.0);
    until(&mut app, "an obstacle", |app| {
        holed(app).is_ok_and(|route| route.start.point.x != 8.0) || holed(app).is_err()
    });

    fs::write(folder.path().join("level.navtile"), file(40.0, true)).unwrap();
    app.world().resource::<AssetServer>().reload("level.navtile");
    until(&mut app, "a larger mesh", |app| width(get(app, world)) > 30.0);
    set(&mut app, agent, NavTarget::Point(Vec3::new(36.0, 0.0, 36.0)));
    until_event(&mut app, agent, NavAgentEventKind::Arrived);
}

#[test]
fn a_damaged_file_is_reported_with_its_path_and_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let whole = file(20.0, true);
    let mut damaged = whole.clone();
    damaged.truncate(whole.len() / 2);
    fs::write(folder.path().join("level.navtile"), damaged).unwrap();
    let mut app = app_in(folder.path());
    let handle = app.world().resource::<AssetServer>().load("level.navtile");
    let world = app.world_mut().spawn(NavMeshHandle(handle)).id();
    until(&mut app, "a failure", |app| matches!(get::<NavMeshStatus>(app, world), NavMeshStatus::Failed(_)));
    let [NavMeshEventKind::Failed(reason)] = &mesh_events(&mut app)[..] else { panic!("one event") };
    assert!(reason.contains("level.navtile") && reason.contains("navtile verify"), "{reason}");

    // It is used as soon as it is intact.
    fs::write(folder.path().join("level.navtile"), whole).unwrap();
    app.world().resource::<AssetServer>().reload("level.navtile");
    until(&mut app, "a mesh", |app| *get::<NavMeshStatus>(app, world) == NavMeshStatus::Ready);

    // If the file is damaged again, the mesh stays unchanged.
    fs::write(folder.path().join("level.navtile"), b"no navmesh").unwrap();
    app.world().resource::<AssetServer>().reload("level.navtile");
    until(&mut app, "a failure", |app| matches!(get::<NavMeshStatus>(app, world), NavMeshStatus::Failed(_)));
    assert!(get::<NavWorld>(&app, world).is_ready());
}

#[test]
fn a_file_that_is_not_there_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app_in(folder.path());
    let handle = app.world().resource::<AssetServer>().load("nowhere.navtile");
    let world = app.world_mut().spawn(NavMeshHandle(handle)).id();
    until(&mut app, "a failure", |app| matches!(get::<NavMeshStatus>(app, world), NavMeshStatus::Failed(_)));
    let NavMeshStatus::Failed(reason) = get::<NavMeshStatus>(&app, world) else { unreachable!() };
    assert!(reason.contains("nowhere.navtile"), "{reason}");
}

#[test]
fn obstacles_without_cached_spans_are_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("level.navtile"), file(20.0, false)).unwrap();
    let mut app = app_in(folder.path());
    let handle = app.world().resource::<AssetServer>().load("level.navtile");
    let world = app.world_mut().spawn(NavMeshHandle(handle)).id();
    let obstacle = NavObstacle { shape: cuboid([4.0; 3]), ..NavObstacle::default() };
    let obstacle = app.world_mut().spawn((obstacle, Transform::from_xyz(8.0, 1.0, 8.0))).id();
    until(&mut app, "a mesh", |app| *get::<NavMeshStatus>(app, world) == NavMeshStatus::Ready);
    let mut events = mesh_events(&mut app);
    for step in 0..10 {
        set(&mut app, obstacle, Transform::from_xyz(step as f32, 1.0, 8.0));
        app.update();
        events.extend(mesh_events(&mut app));
    }
    assert!(!get::<NavWorld>(&app, world).is_dynamic() && !get::<NavWorld>(&app, world).is_busy());
    let failed = |event: &&NavMeshEventKind| matches!(event, NavMeshEventKind::Failed(reason) if reason.contains("navtile bake --dynamic"));
    assert_eq!(events.iter().filter(failed).count(), 1);
}

#[test]
fn the_mesh_of_a_scene_is_a_file_that_can_be_loaded() {
    let mut app = app();
    let world = square(&mut app);
    let world = get::<NavWorld>(&app, world);
    let asset = NavMeshAsset::from_bytes(world.bytes().unwrap()).unwrap();
    assert!(asset.is_dynamic() && asset.bytes() == world.bytes().unwrap());
    assert_eq!(asset.tiles().len(), world.mesh().tile_count());
    assert!(NavMeshAsset::from_bytes(&b"no navmesh"[..]).is_err());
}
