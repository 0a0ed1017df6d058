//! A mesh in the world: tiles, the crowd on them, and what they are baked again from.

use crate::asset::FileBytes;
use crate::job::{Job, PlacedObstacle};
use crate::seats::Seats;
use crate::status::{NavCrowdSettings, NavMeshStatus};
use bevy_ecs::entity::{EntityHashMap, EntityHashSet};
use bevy_ecs::prelude::{Component, Entity};
use bevy_math::Vec3;
use bevy_tasks::Task;
use crowd::{AgentId, AgentView, Crowd, CrowdError, Event};
use detour::{Filter, NavMesh, Query, Route, RouteError, RouteOptions};
use navtile::Meta;
use tilecache::{CacheError, TileCache, Update};

/// A navmesh and the crowd on it. Added by [`NavMeshHandle`](crate::NavMeshHandle), for a mesh from a file, or by
/// [`NavMeshBuilder`](crate::NavMeshBuilder), for one that is built from the scene.
///
/// A world with several of them, for agents of different sizes say, has each agent name its own by
/// [`OnNavWorld`](crate::OnNavWorld).
///
/// `#[require(NavMeshStatus, NavCrowdSettings)]`
#[derive(Component, Default)]
#[require(NavMeshStatus, NavCrowdSettings)]
pub struct NavWorld {
    pub(crate) mesh: NavMesh,
    /// The mesh when agents were last looked at, and whether it was another before that.
    pub(crate) seen: NavMesh,
    pub(crate) is_other_mesh: bool,
    pub(crate) meta: Option<Meta>,
    /// The file that the mesh came from, without obstacles.
    pub(crate) bytes: Option<FileBytes>,
    pub(crate) crowd: Crowd,
    pub(crate) seats: Seats,
    pub(crate) events: Vec<Event>,
    /// Velocities of agents that join the crowd anew.
    pub(crate) momentum: EntityHashMap<Vec3>,
    /// The entities of off-mesh links, by their numbers; none if the mesh is from a file.
    pub(crate) links: Vec<Entity>,
    pub(crate) cache: CacheSlot,
    pub(crate) pieces: EntityHashMap<PlacedObstacle>,
    /// Obstacles that have changed.
    pub(crate) pending: EntityHashSet,
    /// Whether sources or settings changed since the last build began.
    pub(crate) is_dirty: bool,
    pub(crate) job: Option<Job>,
    /// Whether obstacles were found to have no effect here, and that was reported.
    pub(crate) has_warned: bool,
}

/// Where the tile cache is.
#[derive(Default)]
pub(crate) enum CacheSlot {
    /// There is none: the mesh keeps nothing to bake tiles from.
    #[default]
    None,
    Here(Box<TileCache<FileBytes>>),
    /// In a task that bakes tiles.
    Away(Task<Rebaked>),
}

/// A cache that comes back from a task.
pub(crate) type Rebaked = (Box<TileCache<FileBytes>>, Result<Update, CacheError>);

impl NavWorld {
    /// The mesh as it is now. A clone costs a reference count and never changes: take one to other threads.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// The mesh, for flags and areas that are set at run time: doors, say. Tiles that obstacles change keep them.
    pub fn mesh_mut(&mut self) -> &mut NavMesh {
        &mut self.mesh
    }

    /// The bake of the mesh; `None` until there is one.
    pub fn meta(&self) -> Option<&Meta> {
        self.meta.as_ref()
    }

    /// The file of the mesh, as [`NavMeshAsset::bytes`](crate::NavMeshAsset::bytes), without obstacles: to be saved and loaded later. `None` until there
    /// is one.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_ref().map(|bytes| &*bytes.0)
    }

    /// Whether there is a mesh.
    pub fn is_ready(&self) -> bool {
        self.meta.is_some()
    }

    /// Whether tiles wait to be baked again, or sources to be built.
    pub fn is_busy(&self) -> bool {
        let waits = match &self.cache {
            CacheSlot::None => false,
            CacheSlot::Here(cache) => cache.waiting() > 0,
            CacheSlot::Away(_) => true,
        };
        waits || self.job.is_some() || self.is_dirty || (!self.pending.is_empty() && self.is_dynamic())
    }

    /// Whether obstacles count here.
    pub fn is_dynamic(&self) -> bool {
        !matches!(self.cache, CacheSlot::None)
    }

    /// Gives up the build that is under way, if there is one. The mesh stays as it was.
    pub fn cancel(&self) {
        if let Some(job) = &self.job {
            job.cancel();
        }
    }

    /// The crowd, for all that has no component: saving, recording.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The agent of an entity in the crowd; `None` until it stands on the mesh.
    pub fn agent(&self, entity: Entity) -> Option<AgentId> {
        self.seats.get(entity).map(|seat| seat.id)
    }

    /// How the agent of an entity is doing in the crowd; `None` until it stands on the mesh.
    pub fn view(&self, entity: Entity) -> Option<AgentView> {
        self.crowd.agent(self.agent(entity)?).ok()
    }

    /// Takes an agent that is on an off-mesh link to its far end: its animation has ended. For agents whose
    /// [`link_speed`](crate::NavAgent::link_speed) is 0.
    ///
    /// # Errors
    /// An entity that is no agent of this world.
    pub fn finish_link(&mut self, entity: Entity) -> Result<(), CrowdError> {
        let id = self.agent(entity).unwrap_or(AgentId::from_bits(u64::MAX));
        self.crowd.finish_link(id, &mut self.events)
    }

    /// A route between two places, by the areas' costs. Ground is looked for within 2 m across and 4 m in height.
    ///
    /// # Errors
    /// No ground at either end.
    pub fn route(&self, from: Vec3, to: Vec3) -> Result<Route, RouteError> {
        Query::new().route(&self.mesh, from, to, &self.filter(), &RouteOptions::default())
    }

    /// The filter of agents without one of their own: the areas cost what the bake says.
    pub fn filter(&self) -> Filter {
        let areas = self.meta.as_ref().map_or(&[][..], |meta| &meta.areas);
        Filter::of_areas(areas).unwrap_or_default()
    }

    /// The status that fits.
    pub(crate) fn status(&self) -> NavMeshStatus {
        match &self.job {
            Some(job) => job.status(),
            None if self.is_ready() => NavMeshStatus::Ready,
            None => NavMeshStatus::Waiting,
        }
    }
}
