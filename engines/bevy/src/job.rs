//! A mesh made in the background: baked from the scene or prepared from a file. Then obstacles are added, and
//! tiles are joined to a mesh.

use crate::asset::{FileBytes, NavMeshAsset};
use crate::far_world::FarWorld;
use crate::status::NavMeshStatus;
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::{Entity, Resource};
use bevy_tasks::{AsyncComputeTaskPool, Task, TaskPool};
use detour::NavMesh;
use navlevel::{Obstacle, Tiling};
use navtile::{Meta, NavStore, Tile, TileCoord};
use rayon::ThreadPool;
use recast::{InstancedMesh, Observer, PreparedLevel, Settings, StageId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tilecache::{CacheError, ObstacleHandle, Stationary, TileCache};

/// The threads that bake. Their number is that of the [`AsyncComputeTaskPool`], so that a bake takes no core
/// from the frame. The thread of the pool that began a bake waits for them.
#[derive(Resource, Default, Clone)]
pub(crate) struct BakeThreads(Option<Arc<ThreadPool>>);

impl BakeThreads {
    /// The threads. They are started on first use.
    pub(crate) fn start(&mut self) -> BakeThreads {
        if self.0.is_none() {
            let threads = AsyncComputeTaskPool::get_or_init(TaskPool::default).thread_num().max(1);
            let name = |index| format!("navtile bake {index}");
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build();
            self.0 = pool.map(Arc::new).map_err(|error| tracing::warn!("bakes share threads: {error}")).ok();
        }
        self.clone()
    }

    pub(crate) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// A level to bake.
pub(crate) struct BuildInput {
    pub(crate) meshes: Vec<InstancedMesh>,
    pub(crate) settings: Settings,
    pub(crate) tile_cells: u32,
    /// The entities of the links, in the order of the settings.
    pub(crate) links: Vec<Entity>,
}

/// The source of a mesh.
pub(crate) enum Origin {
    Scene(BuildInput),
    File(NavMeshAsset),
}

/// A finished mesh.
pub(crate) struct Prepared {
    pub(crate) bytes: FileBytes,
    pub(crate) meta: Meta,
    pub(crate) mesh: NavMesh,
    pub(crate) cache: Option<Box<TileCache<FileBytes>>>,
    /// The hierarchy of its file, if it has one.
    pub(crate) far: Option<FarWorld>,
    /// The obstacles that it was made with.
    pub(crate) obstacles: EntityHashMap<PlacedObstacle>,
    pub(crate) links: Vec<Entity>,
}

/// An obstacle that is in a tile cache.
pub(crate) struct PlacedObstacle {
    pub(crate) handle: ObstacleHandle,
    pub(crate) obstacle: Obstacle,
    /// The rule that the cache has for it.
    pub(crate) rule: Option<Stationary>,
}

/// The reason why a job has no result.
pub(crate) enum JobError {
    Cancelled,
    Failed(String),
}

impl From<CacheError> for JobError {
    fn from(error: CacheError) -> JobError {
        match error {
            CacheError::Bake(error) => JobError::from(error),
            other => JobError::Failed(other.to_string()),
        }
    }
}

impl From<recast::Error> for JobError {
    fn from(error: recast::Error) -> JobError {
        match error {
            recast::Error::Cancelled => JobError::Cancelled,
            other => JobError::Failed(other.to_string()),
        }
    }
}

fn failed(error: impl ToString) -> JobError {
    JobError::Failed(error.to_string())
}

/// Progress of a job, and the request to cancel it.
#[derive(Debug, Default)]
struct Progress {
    done: AtomicUsize,
    total: AtomicUsize,
    is_cancelled: AtomicBool,
}

impl Observer for Progress {
    fn stage_finished(&self, _: TileCoord, stage: StageId, _: Duration) {
        self.done.fetch_add(usize::from(stage == StageId::Emit), Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// A mesh that is being made. Drop it to cancel the job.
pub(crate) struct Job {
    task: Task<Result<Prepared, JobError>>,
    progress: Arc<Progress>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Job {
    /// Begins to make a mesh, with the present obstacles.
    pub(crate) fn start(origin: Origin, obstacles: Vec<(Entity, Obstacle)>, threads: BakeThreads) -> Job {
        let progress = Arc::new(Progress::default());
        let watched = progress.clone();
        let work = async move {
            threads.run(|| match origin {
                Origin::Scene(input) => build(input, &obstacles, &watched),
                Origin::File(asset) => prepare(asset, Vec::new(), &obstacles, &watched),
            })
        };
        let task = AsyncComputeTaskPool::get_or_init(TaskPool::default).spawn(work);
        Job { task, progress }
    }

    pub(crate) fn cancel(&self) {
        self.progress.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// The result, as soon as it is ready.
    pub(crate) fn poll(&mut self) -> Option<Result<Prepared, JobError>> {
        let result = bevy_tasks::futures::check_ready(&mut self.task)?;
        // The job may have been cancelled after the last tile.
        Some(if self.progress.cancelled() { Err(JobError::Cancelled) } else { result })
    }

    pub(crate) fn status(&self) -> NavMeshStatus {
        let read = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        NavMeshStatus::Building { done: read(&self.progress.done), total: read(&self.progress.total) }
    }
}

/// Bakes a level.
fn build(
    input: BuildInput,
    obstacles: &[(Entity, Obstacle)],
    progress: &Progress,
) -> Result<Prepared, JobError> {
    let level = PreparedLevel::from_meshes(&input.meshes, &input.settings)?;
    let total = Tiling::new(&level, input.tile_cells)?.coords().len();
    progress.total.store(total, Ordering::Relaxed);
    let bytes = tilecache::bake_dynamic_observed(&level, input.tile_cells, &[], progress)?;
    let asset = NavMeshAsset::from_bytes(bytes).map_err(failed)?;
    prepare(asset, input.links, obstacles, progress)
}

/// Puts obstacles into a level, and its tiles into a mesh.
fn prepare(
    asset: NavMeshAsset,
    links: Vec<Entity>,
    obstacles: &[(Entity, Obstacle)],
    progress: &Progress,
) -> Result<Prepared, JobError> {
    let mut placed = EntityHashMap::default();
    let (mut cache, mut tiles) = (None, Vec::new());
    if asset.is_dynamic() {
        let mut opened = Box::new(TileCache::open(asset.bytes.clone())?);
        for (entity, obstacle) in obstacles {
            // Obstacles that cannot be placed are reported at their next check.
            if let Ok(handle) = opened.add(obstacle) {
                placed.insert(*entity, PlacedObstacle { handle, obstacle: obstacle.clone(), rule: None });
            }
        }
        opened.wait()?;
        let of_cache = opened.coords().into_iter().filter_map(|coord| opened.tile(coord));
        tiles = of_cache.collect::<Result<Vec<Tile>, _>>()?;
        cache = Some(opened);
    }
    if progress.cancelled() {
        return Err(JobError::Cancelled);
    }
    let far = match asset.hierarchy.clone() {
        Some(hierarchy) => {
            Some(FarWorld::new(hierarchy, NavStore::open(asset.bytes.clone()).map_err(failed)?))
        }
        None => None,
    };
    let mut mesh = NavMesh::new([0.0; 3]).map_err(failed)?;
    mesh.add_tiles(if cache.is_some() { tiles } else { asset.tiles }).map_err(failed)?;
    Ok(Prepared { bytes: asset.bytes, meta: asset.meta, mesh, cache, far, obstacles: placed, links })
}
