//! Meshes from the scene: the inputs that count, the triggers of new builds, and bytes equal to those of the
//! program.

use crate::common::*;
use bevy_asset::{Assets, RenderAssetUsages};
use bevy_math::{Quat, Vec3};
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology};
use bevy_navtile::{
    NavArea, NavAreaKind, NavMeshBuilder, NavMeshEventKind, NavMeshStatus, NavShape, NavSource, NavWorld,
};
use bevy_transform::components::Transform;
use recast::{Level, PreparedLevel, Settings};

/// The walkable area of a world, m².
fn area(world: &NavWorld) -> f64 {
    world.mesh().tiles().map(|tile| tile.area(|_| true)).sum()
}

#[test]
fn the_tiles_have_the_bytes_of_the_program() {
    // A floor, and a ramp on it.
    let mut app = app();
    let ramp = [[4.0, 0.0, 4.0], [4.0, 0.0, 7.0], [9.0, 2.0, 7.0], [9.0, 2.0, 4.0]];
    let vertices = ramp.map(Vec3::from_array).to_vec();
    let soup = NavShape::Triangles { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] };
    let shape = app.world_mut().resource_mut::<Assets<Mesh>>().add(square_mesh(24.0));
    app.world_mut().spawn((NavSource::default(), Mesh3d(shape)));
    app.world_mut().spawn(NavSource { shape: soup });
    let world = built(&mut app, NavMeshBuilder::default());

    // These triangles in one list, as the program reads them from a file.
    let mut level = Level::default();
    for [a, b, c, d] in [[[0.0; 3], [0.0, 0.0, 24.0], [24.0, 0.0, 24.0], [24.0, 0.0, 0.0]], ramp] {
        let first = level.vertices.len() as u32;
        level.vertices.extend([a, b, c, d].map(|corner: [f32; 3]| corner.map(f64::from)));
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
    let baked = navlevel::bake_tiles(&prepared, 48, &recast::Silent).unwrap();
    let theirs: Vec<Vec<u8>> = baked.iter().map(|baked| baked.tile.bytes().to_vec()).collect();
    assert!(theirs.len() == 4 && tiles(get::<NavWorld>(&app, world)) == theirs);

    // The result depends neither on the order in which entities were spawned nor on threads.
    let own = get::<NavWorld>(&app, world).bytes().unwrap().to_vec();
    let mut again = crate::common::app();
    let soup = NavShape::Triangles {
        vertices: ramp.map(Vec3::from_array).to_vec(),
        triangles: vec![[2, 3, 0], [1, 2, 0]],
    };
    again.world_mut().spawn(NavSource { shape: soup });
    let shape = again.world_mut().resource_mut::<Assets<Mesh>>().add(square_mesh(24.0));
    again.world_mut().spawn((NavSource::default(), Mesh3d(shape)));
    let world = built(&mut again, NavMeshBuilder::default());
    assert_eq!(get::<NavWorld>(&again, world).bytes().unwrap(), own);
}

#[test]
fn places_of_sources_count_and_so_do_mirrors_and_parents() {
    let mut app = app();
    let shape = app.world_mut().resource_mut::<Assets<Mesh>>().add(square_mesh(6.0));
    // Mirrored in x. Without a correction its winding would be wrong, and it would not be ground.
    let mirrored = Transform::from_xyz(6.0, 0.0, 0.0).with_scale(Vec3::new(-1.0, 1.0, 1.0));
    app.world_mut().spawn((NavSource::default(), Mesh3d(shape.clone()), mirrored));
    let parent = app.world_mut().spawn(Transform::from_xyz(6.0, 0.0, 0.0)).id();
    let child = app.world_mut().spawn((NavSource::default(), Mesh3d(shape))).id();
    app.world_mut().entity_mut(parent).add_child(child);
    let world = built(&mut app, NavMeshBuilder::default());
    // 12 by 6 m, minus the radius of 0.6 m all around, and a cell for the border.
    let found = area(get(&app, world));
    assert!((10.1 * 4.1..=10.8 * 4.8).contains(&found), "{found}");

    // Turned upside down, it is not ground.
    let flipped = Transform::from_rotation(Quat::from_rotation_x(std::f32::consts::PI));
    set(&mut app, parent, flipped);
    until(&mut app, "the new mesh", |app| area(get(app, world)) < found * 0.6);
}

#[test]
fn sources_that_come_move_change_and_go_are_built_again() {
    let mut app = app();
    let world = square(&mut app);
    let before = area(get(&app, world));
    assert!(before > 300.0, "{before}");
    let block = wall(&mut app, [4.0, 4.0, 10.0, 10.0]);
    let differs = |app: &bevy_app::App, than: f64| (area(get(app, world)) - than).abs() > 1.0;
    until(&mut app, "a hole", |app| differs(app, before));
    let with = area(get(&app, world));
    set(&mut app, block, NavSource { shape: cuboid([2.0, 3.0, 2.0]) });
    until(&mut app, "a smaller hole", |app| differs(app, with));
    let smaller = area(get(&app, world));
    assert!(with < smaller && smaller < before, "{with} {smaller} {before}");
    set(&mut app, block, Transform::from_xyz(100.0, 1.5, 7.0));
    until(&mut app, "no hole", |app| area(get(app, world)) > before - 1.0);
    app.world_mut().despawn(block);
    until(&mut app, "the first mesh", |app| area(get(app, world)) == before);
}

#[test]
fn a_transform_that_is_written_and_stays_builds_nothing() {
    let mut app = app();
    let world = square(&mut app);
    mesh_events(&mut app);
    let block = wall(&mut app, [4.0, 4.0, 6.0, 6.0]);
    until(&mut app, "the second mesh", |app| {
        mesh_events(app).iter().any(|event| matches!(event, NavMeshEventKind::Ready { changed: 1.. }))
    });
    until(&mut app, "rest", |app| !get::<NavWorld>(app, world).is_busy());
    mesh_events(&mut app);
    for _ in 0..20 {
        let place = *get::<Transform>(&app, block);
        set(&mut app, block, place);
        app.update();
        assert!(!get::<NavWorld>(&app, world).is_busy());
    }
    assert_eq!(mesh_events(&mut app), []);
}

#[test]
fn a_mesh_whose_triangles_change_is_built_again() {
    let mut app = app();
    let shape = app.world_mut().resource_mut::<Assets<Mesh>>().add(square_mesh(12.0));
    app.world_mut().spawn((NavSource::default(), Mesh3d(shape.clone())));
    let world = built(&mut app, NavMeshBuilder::default());
    let before = area(get(&app, world));
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(shape.id(), square_mesh(24.0)).unwrap();
    until(&mut app, "a larger mesh", |app| area(get(app, world)) > before * 3.0);
}

#[test]
fn areas_have_their_names_and_costs() {
    let mut app = app();
    floor(&mut app, [10.0, 10.0]);
    let swamp = NavSource { shape: cuboid([10.0, 1.0, 10.0]) };
    app.world_mut().spawn((swamp, NavArea(7), Transform::from_xyz(15.0, -0.5, 5.0)));
    let kind = NavAreaKind { id: 7, name: "swamp".to_owned(), cost: 5.0, ..NavAreaKind::default() };
    let world = built(&mut app, NavMeshBuilder { areas: vec![kind], ..NavMeshBuilder::default() });
    let world = get::<NavWorld>(&app, world);
    let areas = &world.meta().unwrap().areas;
    assert!(areas.iter().any(|area| area.id == 7 && area.name == "swamp" && area.cost == 5.0));
    assert_eq!(world.filter().area_cost(7), 5.0);
    let of_swamp = |tile: &navtile::Tile| tile.area(|polygon| polygon.area == 7);
    let found: f64 = world.mesh().tiles().map(of_swamp).sum();
    assert!((70.0..90.0).contains(&found), "{found}");
}

#[test]
fn settings_that_change_build_again_and_wrong_ones_are_reported() {
    let mut app = app();
    let world = square(&mut app);
    let before = area(get(&app, world));
    set(&mut app, world, NavMeshBuilder { agent_radius: 1.5, ..NavMeshBuilder::default() });
    until(&mut app, "a smaller mesh", |app| area(get(app, world)) < before - 10.0);
    set(&mut app, world, NavMeshBuilder { agent_slope: 95.0, ..NavMeshBuilder::default() });
    until(&mut app, "a failure", |app| matches!(get::<NavMeshStatus>(app, world), NavMeshStatus::Failed(_)));
    let NavMeshStatus::Failed(reason) = get::<NavMeshStatus>(&app, world) else { unreachable!() };
    assert!(reason.contains("agent.slope") && reason.contains("95"), "{reason}");
    assert!(area(get(&app, world)) < before - 10.0, "the last mesh is still there");
}

#[test]
fn a_build_that_is_cancelled_leaves_the_mesh() {
    let mut app = app();
    let world = square(&mut app);
    mesh_events(&mut app);
    let before = tiles(get(&app, world));
    // So fine that it takes longer than a frame.
    let fine = NavMeshBuilder { cell_size: Some(0.02), ..NavMeshBuilder::default() };
    set(&mut app, world, fine);
    until(&mut app, "progress", |app| {
        matches!(get::<NavMeshStatus>(app, world), NavMeshStatus::Building { total: 2.., .. })
    });
    let NavMeshStatus::Building { done, total } = *get::<NavMeshStatus>(&app, world) else { unreachable!() };
    assert!(done < total, "{done} of {total}");
    get::<NavWorld>(&app, world).cancel();
    until(&mut app, "an end", |app| mesh_events(app).contains(&NavMeshEventKind::Cancelled));
    assert_eq!(*get::<NavMeshStatus>(&app, world), NavMeshStatus::Ready);
    assert!(tiles(get(&app, world)) == before);
    updates(&mut app, 5);
    assert!(!get::<NavWorld>(&app, world).is_busy(), "it is not begun again");
}

#[test]
fn the_scene_is_waited_for_and_a_scene_that_is_gone_has_no_mesh() {
    let mut app = app();
    let world = app.world_mut().spawn(NavMeshBuilder::default()).id();
    updates(&mut app, 5);
    assert_eq!(*get::<NavMeshStatus>(&app, world), NavMeshStatus::Waiting);
    let meshes = app.world_mut().resource::<Assets<Mesh>>();
    let handle = meshes.reserve_handle();
    let source = app.world_mut().spawn((NavSource::default(), Mesh3d(handle.clone()))).id();
    updates(&mut app, 5);
    assert_eq!(*get::<NavMeshStatus>(&app, world), NavMeshStatus::Waiting);
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(handle.id(), square_mesh(10.0)).unwrap();
    until(&mut app, "a mesh", |app| get::<NavWorld>(app, world).is_ready());
    app.world_mut().despawn(source);
    until(&mut app, "no mesh", |app| !get::<NavWorld>(app, world).is_ready());
    assert_eq!(*get::<NavMeshStatus>(&app, world), NavMeshStatus::Waiting);
}

#[test]
fn a_source_that_cannot_be_used_is_reported_and_the_others_are_built() {
    let mut app = app();
    floor(&mut app, [10.0, 10.0]);
    let lines = Mesh::new(PrimitiveTopology::LineList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0_f32; 3], [1.0; 3]])
        .with_inserted_indices(Indices::U32(vec![0, 1]));
    let lines = app.world_mut().resource_mut::<Assets<Mesh>>().add(lines);
    let wrong = app.world_mut().spawn((NavSource::default(), Mesh3d(lines))).id();
    let bare = app.world_mut().spawn(NavSource::default()).id();
    let world = app.world_mut().spawn(NavMeshBuilder::default()).id();
    // A message is gone after two updates, and the build may take more.
    let mut events = Vec::new();
    until(&mut app, "a mesh", |app| {
        events.extend(mesh_events(app));
        let world = get::<NavWorld>(app, world);
        world.is_ready() && !world.is_busy()
    });
    assert!(area(get(&app, world)) > 60.0);
    let reasons: Vec<String> = events
        .into_iter()
        .filter_map(|event| match event {
            NavMeshEventKind::Failed(reason) => Some(reason),
            _ => None,
        })
        .collect();
    let [reason] = &reasons[..] else { panic!("{reasons:?}") };
    assert!(reason.contains(&format!("source {wrong}: its mesh is of LineList")), "{reason}");
    assert!(reason.contains(&format!("source {bare}: its shape is NavShape::Mesh")), "{reason}");
}
