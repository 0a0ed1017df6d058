//! Systems that start the making of meshes: from the scene when it changes, and from files when they are
//! loaded.

use crate::asset::NavMeshAsset;
use crate::components::{NavMeshBuilder, NavMeshHandle};
use crate::events::{NavMeshEvent, NavMeshEventKind};
use crate::job::{BakeThreads, BuildInput, Job, JobError, Origin};
use crate::scene::Scene;
use crate::status::{NavCrowdSettings, NavMeshStatus};
use crate::world::NavWorld;
use bevy_asset::{AssetEvent, AssetId, AssetLoadFailedEvent, Assets};
use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::prelude::{Commands, DetectChanges, Entity, MessageReader, Query, Ref, Res, ResMut};
use std::collections::BTreeSet;

/// Sends an event of a mesh, as a message and to observers.
pub(crate) fn send(commands: &mut Commands, entity: Entity, kind: NavMeshEventKind) {
    if let NavMeshEventKind::Failed(reason) = &kind {
        tracing::warn!("navmesh {entity}: {reason}");
    }
    let event = NavMeshEvent { entity, kind };
    commands.write_message(event.clone());
    commands.trigger(event);
}

/// Begins to build changed meshes. A running build is finished first, so that a scene with constant changes
/// gets a mesh too.
pub(crate) fn start_builds(
    mut worlds: Query<(Entity, &mut NavWorld, &mut NavMeshStatus, Ref<NavMeshBuilder>, &NavCrowdSettings)>,
    scene: Scene,
    mut threads: ResMut<BakeThreads>,
    mut commands: Commands,
) {
    for (entity, mut world, mut status, builder, crowd) in &mut worlds {
        if builder.is_changed() {
            world.is_dirty = true;
        }
        if !world.is_dirty || world.job.is_some() || !scene.is_loaded() {
            continue;
        }
        let gathered = scene.gather();
        if !gathered.failures.is_empty() {
            let list = gathered.failures.iter().map(|(source, error)| format!("source {source}: {error}"));
            let list = list.collect::<Vec<_>>().join("; ");
            send(&mut commands, entity, NavMeshEventKind::Failed(list));
        }
        if gathered.meshes.is_empty() {
            if world.is_ready() {
                world.unload(crowd);
                world.is_dirty = !builder.watch;
                status.set_if_neq(world.status());
            }
            continue;
        }
        world.is_dirty = false;
        let mut settings = builder.settings();
        let (connections, links) = scene.links();
        settings.off_mesh_connections.extend(connections);
        let input = BuildInput { meshes: gathered.meshes, settings, tile_cells: builder.tile_cells, links };
        world.pending.clear();
        world.job = Some(Job::start(Origin::Scene(input), scene.usable_obstacles(), threads.start()));
    }
}

/// Begins to prepare meshes from loaded files, and reports files that failed to load.
pub(crate) fn start_loads(
    mut worlds: Query<(Entity, &mut NavWorld, Ref<NavMeshHandle>, &mut NavMeshStatus)>,
    assets: Res<Assets<NavMeshAsset>>,
    mut changed: MessageReader<AssetEvent<NavMeshAsset>>,
    mut failed: MessageReader<AssetLoadFailedEvent<NavMeshAsset>>,
    scene: Scene,
    mut threads: ResMut<BakeThreads>,
    mut commands: Commands,
) {
    let id = |event: &AssetEvent<NavMeshAsset>| match event {
        AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
        _ => None,
    };
    let changed: BTreeSet<AssetId<NavMeshAsset>> = changed.read().filter_map(id).collect();
    let failed: Vec<_> = failed.read().collect();
    for (entity, mut world, handle, mut status) in &mut worlds {
        let id = handle.0.id();
        if let Some(failure) = failed.iter().find(|failure| failure.id == id) {
            let reason = failure.error.to_string();
            status.set_if_neq(NavMeshStatus::Failed(reason.clone()));
            send(&mut commands, entity, NavMeshEventKind::Failed(reason));
        }
        if (handle.is_changed() || changed.contains(&id))
            && let Some(asset) = assets.get(id)
        {
            // A running job is for an older file.
            world.pending.clear();
            world.job =
                Some(Job::start(Origin::File(asset.clone()), scene.usable_obstacles(), threads.start()));
        }
    }
}

/// Installs finished meshes, and keeps the status up to date.
pub(crate) fn finish_jobs(
    mut worlds: Query<(Entity, &mut NavWorld, &mut NavMeshStatus, Ref<NavCrowdSettings>)>,
    scene: Scene,
    mut commands: Commands,
) {
    for (entity, mut world, mut status, settings) in &mut worlds {
        if settings.is_changed() {
            world.restart_crowd(&settings);
        }
        let Some(job) = &mut world.job else { continue };
        let Some(result) = job.poll() else {
            status.set_if_neq(job.status());
            continue;
        };
        world.job = None;
        match result {
            Ok(made) => {
                let changed = world.install(made, &settings);
                // Obstacles may have moved since the job began.
                world.pending.extend(scene.obstacles());
                status.set_if_neq(world.status());
                send(&mut commands, entity, NavMeshEventKind::Ready { changed });
            }
            Err(JobError::Cancelled) => {
                status.set_if_neq(world.status());
                send(&mut commands, entity, NavMeshEventKind::Cancelled);
            }
            Err(JobError::Failed(reason)) => {
                status.set_if_neq(NavMeshStatus::Failed(reason.clone()));
                send(&mut commands, entity, NavMeshEventKind::Failed(reason));
            }
        }
    }
}
