//! Systems that add obstacles to meshes: the tiles that they touch are baked again and swapped.

use crate::builds::send;
use crate::events::NavMeshEventKind;
use crate::job::{BakeThreads, PlacedObstacle};
use crate::scene::Scene;
use crate::shape::ShapeError;
use crate::world::{CacheSlot, NavWorld, Rebaked};
use bevy_ecs::prelude::ReflectResource;
use bevy_ecs::prelude::{Commands, Entity, Query, Res, ResMut, Resource};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_tasks::{AsyncComputeTaskPool, TaskPool};
use bevy_time::Time;
use std::time::Duration;
use tilecache::{Budget, CacheError, Stationary, TileCache, Update};

/// The method of baking the tiles that obstacles touch.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Clone, PartialEq, Debug)]
pub enum NavRebake {
    /// On the [`AsyncComputeTaskPool`]: no frame waits for the bake, and a change shows some frames later.
    #[default]
    Background,
    /// This many tiles per step, at least 1, in the step itself. The step in which a change shows does not
    /// depend on the machine, as games in lockstep need.
    Tiles(usize),
    /// In the step itself, for about this time.
    Time(Duration),
}

/// The longest time that one task bakes. Finished tiles are swapped after it.
const TASK: Duration = Duration::from_millis(20);

/// Puts changed obstacles into the caches.
pub(crate) fn place_obstacles(
    mut worlds: Query<(Entity, &mut NavWorld)>,
    scene: Scene,
    mut commands: Commands,
) {
    for (entity, mut world) in &mut worlds {
        let world = &mut *world;
        if world.pending.is_empty() || !world.is_ready() {
            continue;
        }
        let cache = match &mut world.cache {
            CacheSlot::Here(cache) => cache,
            CacheSlot::Away(_) => continue,
            CacheSlot::None => {
                world.pending.clear();
                if scene.has_obstacles() && !world.has_warned {
                    world.has_warned = true;
                    let why = "obstacles have no effect on this mesh, because its file has no cached spans: bake it with \
                               `navtile bake --dynamic`";
                    send(&mut commands, entity, NavMeshEventKind::Failed(why.to_owned()));
                }
                continue;
            }
        };
        let mut pending: Vec<Entity> = world.pending.drain().collect();
        pending.sort_unstable();
        for pending in pending {
            let placed = match scene.obstacle(pending) {
                None => remove(cache, world.obstacles.remove(&pending)),
                Some(Ok(obstacle)) => {
                    let before = world.obstacles.remove(&pending);
                    place(cache, before, obstacle, scene.stationary(pending))
                        .map(|placed| drop(world.obstacles.insert(pending, placed)))
                }
                // The obstacle counts as changed once its mesh is loaded.
                Some(Err(ShapeError::NoMesh)) => continue,
                Some(Err(error)) => {
                    let why = format!("obstacle {pending}: {error}");
                    send(&mut commands, entity, NavMeshEventKind::Failed(why));
                    remove(cache, world.obstacles.remove(&pending))
                }
            };
            if let Err(error) = placed {
                send(&mut commands, entity, NavMeshEventKind::Failed(format!("obstacle {pending}: {error}")));
            }
        }
    }
}

/// Moves an obstacle to its present place, with its present rule. If its body or effect changed, it is
/// replaced.
fn place<S: navtile::file::Source>(
    cache: &mut TileCache<S>,
    before: Option<PlacedObstacle>,
    obstacle: navlevel::Obstacle,
    rule: Option<Stationary>,
) -> Result<PlacedObstacle, CacheError> {
    match before {
        Some(placed)
            if placed.obstacle.body == obstacle.body && placed.obstacle.effect == obstacle.effect =>
        {
            if placed.rule != rule {
                cache.set_stationary(placed.handle, rule)?;
            }
            cache.move_to(placed.handle, obstacle.place)?;
            Ok(PlacedObstacle { obstacle, rule, ..placed })
        }
        before => {
            remove(cache, before)?;
            let handle = cache.add(&obstacle)?;
            cache.set_stationary(handle, rule)?;
            Ok(PlacedObstacle { handle, obstacle, rule })
        }
    }
}

fn remove<S: navtile::file::Source>(
    cache: &mut TileCache<S>,
    placed: Option<PlacedObstacle>,
) -> Result<(), CacheError> {
    placed.map_or(Ok(()), |placed| cache.remove(placed.handle))
}

/// Bakes tiles again, and swaps the finished ones. Counts time for obstacles that move.
pub(crate) fn rebake(
    mut worlds: Query<(Entity, &mut NavWorld)>,
    budget: Res<NavRebake>,
    time: Res<Time>,
    mut threads: ResMut<BakeThreads>,
    mut commands: Commands,
) {
    for (entity, mut world) in &mut worlds {
        let NavWorld { cache, uncounted, .. } = &mut *world;
        *uncounted += time.delta_secs_f64();
        if let CacheSlot::Here(cache) = cache
            && let Err(error) = cache.advance(std::mem::take(uncounted))
        {
            send(&mut commands, entity, NavMeshEventKind::Failed(error.to_string()));
        }
        let is_idle = match &world.cache {
            CacheSlot::None => true,
            CacheSlot::Here(cache) => cache.waiting() == 0,
            CacheSlot::Away(_) => false,
        };
        if is_idle {
            continue;
        }
        let Some((cache, result)) = bake(&mut world, *budget, &mut threads) else { continue };
        world.cache = CacheSlot::Here(cache);
        match result {
            Ok(update) => swap(&mut world, entity, &update, &mut commands),
            Err(error) => send(&mut commands, entity, NavMeshEventKind::Failed(error.to_string())),
        }
    }
}

/// Starts or continues the bake of tiles. Returns the cache once it is back.
fn bake(world: &mut NavWorld, budget: NavRebake, threads: &mut BakeThreads) -> Option<Rebaked> {
    let budget = match (std::mem::take(&mut world.cache), budget) {
        (CacheSlot::None, _) => return None,
        (CacheSlot::Away(mut task), _) => {
            let back = bevy_tasks::futures::check_ready(&mut task);
            if back.is_none() {
                world.cache = CacheSlot::Away(task);
            }
            return back;
        }
        (CacheSlot::Here(mut cache), NavRebake::Background) => {
            let threads = threads.start();
            let work = async move {
                let result = threads.run(|| cache.update(Budget::time(TASK)));
                (cache, result)
            };
            let task = AsyncComputeTaskPool::get_or_init(TaskPool::default).spawn(work);
            world.cache = CacheSlot::Away(task);
            return None;
        }
        (CacheSlot::Here(cache), NavRebake::Tiles(tiles)) => (cache, Budget::tiles(tiles)),
        (CacheSlot::Here(cache), NavRebake::Time(time)) => (cache, Budget::time(time)),
    };
    let (mut cache, budget) = budget;
    let result = cache.update(budget);
    Some((cache, result))
}

/// Swaps the tiles of an update.
fn swap(world: &mut NavWorld, entity: Entity, update: &Update, commands: &mut Commands) {
    for failed in &update.failed {
        let why = format!("tile ({}, {}): {}", failed.coord.x, failed.coord.z, failed.error);
        send(commands, entity, NavMeshEventKind::Failed(why));
    }
    if update.changes.is_empty() {
        return;
    }
    match tilecache::apply(&mut world.mesh, &update.changes) {
        Ok(applied) => {
            let (parted, joined) = (applied.islands.parted().len(), applied.islands.joined().len());
            let kind = NavMeshEventKind::Changed { tiles: update.changes.len(), parted, joined };
            send(commands, entity, kind);
        }
        Err(error) => send(commands, entity, NavMeshEventKind::Failed(error.to_string())),
    }
}
