//! Change detection: finds the sources, links and obstacles that changed since the last frame.

use crate::components::{NavArea, NavMeshBuilder, NavObstacle, NavSource, OffMeshLink};
use crate::world::NavWorld;
use bevy_asset::{AssetEvent, AssetId};
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::message::{MessageCursor, Messages};
use bevy_ecs::prelude::{Changed, DetectChanges, Entity, Local, Or, Query, Ref, Res, With};
use bevy_ecs::system::SystemParam;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_transform::components::GlobalTransform;
use std::collections::BTreeSet;

/// Components that were removed.
#[derive(SystemParam)]
pub(crate) struct Removed<'w, 's> {
    sources: RemovedComponents<'w, 's, NavSource>,
    links: RemovedComponents<'w, 's, OffMeshLink>,
    obstacles: RemovedComponents<'w, 's, NavObstacle>,
    areas: RemovedComponents<'w, 's, NavArea>,
}

/// Meshes whose triangles were added or changed.
#[derive(SystemParam)]
pub(crate) struct ChangedMeshes<'w, 's> {
    messages: Option<Res<'w, Messages<AssetEvent<Mesh>>>>,
    cursor: Local<'s, MessageCursor<AssetEvent<Mesh>>>,
}

impl ChangedMeshes<'_, '_> {
    fn read(&mut self) -> BTreeSet<AssetId<Mesh>> {
        let Some(messages) = &self.messages else { return BTreeSet::new() };
        let id = |event: &AssetEvent<Mesh>| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        };
        self.cursor.read(messages).filter_map(id).collect()
    }
}

/// Marks the meshes that must be built again, and the obstacles to check. Writing an equal transform is not a
/// change.
pub(crate) fn note_changes(
    sources: Query<(Entity, Ref<NavSource>, Option<Ref<NavArea>>, Option<Ref<Mesh3d>>, Ref<GlobalTransform>)>,
    links: Query<(Entity, Ref<OffMeshLink>, Ref<GlobalTransform>)>,
    obstacles: Query<(Entity, Option<&Mesh3d>), With<NavObstacle>>,
    changed_obstacles: Query<
        Entity,
        (
            With<NavObstacle>,
            Or<(Changed<NavObstacle>, Changed<NavArea>, Changed<Mesh3d>, Changed<GlobalTransform>)>,
        ),
    >,
    mut removed: Removed,
    mut meshes: ChangedMeshes,
    mut known: Local<EntityHashMap<GlobalTransform>>,
    mut worlds: Query<(&mut NavWorld, Option<&NavMeshBuilder>)>,
) {
    let meshes = meshes.read();
    let mut is_dirty = false;
    let mut moved = |entity: Entity, place: &Ref<GlobalTransform>| {
        place.is_changed() && known.insert(entity, **place) != Some(**place)
    };
    for (entity, source, area, mesh, place) in &sources {
        let has_other_mesh = mesh.is_some_and(|mesh| mesh.is_changed() || meshes.contains(&mesh.0.id()));
        let is_changed = source.is_changed() || area.is_some_and(|area| area.is_changed()) || has_other_mesh;
        is_dirty |= moved(entity, &place) || is_changed;
    }
    for (entity, link, place) in &links {
        is_dirty |= moved(entity, &place) || link.is_changed();
    }
    for entity in removed.sources.read().chain(removed.links.read()) {
        known.remove(&entity);
        is_dirty = true;
    }
    let mut pending: BTreeSet<Entity> = changed_obstacles.iter().chain(removed.obstacles.read()).collect();
    if !meshes.is_empty() {
        let has_changed = |mesh: Option<&Mesh3d>| mesh.is_some_and(|mesh| meshes.contains(&mesh.0.id()));
        pending.extend(obstacles.iter().filter(|(_, mesh)| has_changed(*mesh)).map(|(entity, _)| entity));
    }
    for entity in removed.areas.read() {
        is_dirty |= sources.contains(entity);
        pending.extend(Some(entity).filter(|entity| obstacles.contains(*entity)));
    }
    if !is_dirty && pending.is_empty() {
        return;
    }
    for (mut world, builder) in &mut worlds {
        world.pending.extend(pending.iter().copied());
        world.is_dirty |= is_dirty && builder.is_some_and(|builder| builder.watch);
    }
}
