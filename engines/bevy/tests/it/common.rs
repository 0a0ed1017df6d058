//! Shared by the tests: apps without a window, small levels, and simulated time.

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, RenderAssetUsages};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::{Component, Entity};
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, MeshPlugin, PrimitiveTopology};
use bevy_navtile::{
    NavAgent, NavAgentEvent, NavAgentEventKind, NavMeshBuilder, NavMeshEvent, NavMeshEventKind, NavRebake,
    NavShape, NavSource, NavTarget, NavWorld, NavtilePlugin,
};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use std::path::Path;
use std::time::Duration;

/// An app that steps the crowd once in each update, and bakes all tiles in it.
pub(crate) fn app() -> App {
    app_in(Path::new("assets"))
}

/// Such an app with its assets in a folder.
pub(crate) fn app_in(folder: &Path) -> App {
    let mut app = unfinished(folder);
    app.finish();
    app.cleanup();
    app
}

/// Such an app before it is finished, to add more plugins.
pub(crate) fn unfinished(folder: &Path) -> App {
    let mut app = App::new();
    let assets = AssetPlugin { file_path: folder.display().to_string(), ..AssetPlugin::default() };
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, assets, TransformPlugin, MeshPlugin));
    app.add_plugins(NavtilePlugin::default());
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1)).insert_resource(NavRebake::Tiles(usize::MAX));
    app
}

/// Updates until a condition holds.
pub(crate) fn until(app: &mut App, what: &str, mut holds: impl FnMut(&mut App) -> bool) {
    for _ in 0..20_000 {
        if holds(app) {
            return;
        }
        app.update();
        // Gives other threads time to bake.
        std::thread::sleep(Duration::from_micros(200));
    }
    panic!("{what} does not come to pass");
}

pub(crate) fn updates(app: &mut App, count: usize) {
    (0..count).for_each(|_| app.update());
}

pub(crate) fn get<C: Component>(app: &App, entity: Entity) -> &C {
    app.world().get::<C>(entity).unwrap()
}

pub(crate) fn set<C: Component>(app: &mut App, entity: Entity, component: C) {
    app.world_mut().entity_mut(entity).insert(component);
}

/// Position of an entity.
pub(crate) fn place(app: &App, entity: Entity) -> Vec3 {
    get::<Transform>(app, entity).translation
}

/// The messages about agents since the last call.
pub(crate) fn agent_events(app: &mut App) -> Vec<NavAgentEvent> {
    app.world_mut().resource_mut::<Messages<NavAgentEvent>>().drain().collect()
}

/// The messages about meshes since the last call.
pub(crate) fn mesh_events(app: &mut App) -> Vec<NavMeshEventKind> {
    app.world_mut().resource_mut::<Messages<NavMeshEvent>>().drain().map(|event| event.kind).collect()
}

/// Updates until an agent has had an event.
pub(crate) fn until_event(app: &mut App, agent: Entity, kind: NavAgentEventKind) {
    let event = NavAgentEvent { entity: agent, kind };
    until(app, "the event", |app| agent_events(app).contains(&event));
}

/// A box whose middle is at a place.
pub(crate) fn cuboid(size: [f32; 3]) -> NavShape {
    NavShape::Cuboid { size: size.into() }
}

/// A floor from zero to (x, z): the top of a box.
pub(crate) fn floor(app: &mut App, [x, z]: [f32; 2]) -> Entity {
    let source = NavSource { shape: cuboid([x, 1.0, z]) };
    app.world_mut().spawn((source, Transform::from_xyz(x / 2.0, -0.5, z / 2.0))).id()
}

/// A wall from (x, z) to (x, z), 3 m high.
pub(crate) fn wall(app: &mut App, [x, z, far_x, far_z]: [f32; 4]) -> Entity {
    let source = NavSource { shape: cuboid([far_x - x, 3.0, far_z - z]) };
    let middle = Transform::from_xyz((x + far_x) / 2.0, 1.5, (z + far_z) / 2.0);
    app.world_mut().spawn((source, middle)).id()
}

/// A world that is built from the scene. Returns when it is built.
pub(crate) fn built(app: &mut App, builder: NavMeshBuilder) -> Entity {
    let world = app.world_mut().spawn(builder).id();
    until(app, "a mesh", |app| {
        let world = get::<NavWorld>(app, world);
        world.is_ready() && !world.is_busy()
    });
    world
}

/// A floor of 20 by 20 m as a world.
pub(crate) fn square(app: &mut App) -> Entity {
    floor(app, [20.0, 20.0]);
    built(app, NavMeshBuilder::default())
}

/// An agent that is sent somewhere.
pub(crate) fn walker(app: &mut App, from: Vec3, target: NavTarget) -> Entity {
    app.world_mut().spawn((NavAgent::default(), target, Transform::from_translation(from))).id()
}

/// A mesh of triangles.
pub(crate) fn mesh(vertices: &[[f32; 3]], indices: &[u32]) -> Mesh {
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vertices.to_vec())
        .with_inserted_indices(Indices::U32(indices.to_vec()))
}

/// A level square of this side, with its corner at zero.
pub(crate) fn square_mesh(side: f32) -> Mesh {
    mesh(&[[0.0; 3], [0.0, 0.0, side], [side, 0.0, side], [side, 0.0, 0.0]], &[0, 1, 2, 0, 2, 3])
}

/// The bytes of all tiles, in the order of their coordinates.
pub(crate) fn tiles(world: &NavWorld) -> Vec<Vec<u8>> {
    let mut tiles: Vec<_> = world.mesh().tiles().collect();
    tiles.sort_by_key(|tile| tile.coord());
    tiles.into_iter().map(|tile| tile.bytes().to_vec()).collect()
}
