//! A mesh in the world: its tiles, the crowd on them, and the data for new bakes.

use crate::asset::FileBytes;
use crate::far_world::FarWorld;
use crate::job::{Job, PlacedObstacle};
use crate::seats::Seats;
use crate::status::{NavCrowdSettings, NavMeshStatus};
use bevy_ecs::entity::{EntityHashMap, EntityHashSet};
use bevy_ecs::prelude::{Component, Entity};
use bevy_math::Vec3;
use bevy_tasks::Task;
use crowd::{AgentId, AgentView, Crowd, CrowdError, Event, HoldUp, HoldUpCause};
use detour::{Filter, NavMesh, Query, Route, RouteError, RouteOptions};
use hierarchy::{ClusterCoord, Hierarchy};
use navtile::Meta;
use std::collections::BTreeSet;
use std::sync::Arc;
use tilecache::{CacheError, TileCache, Update};

/// A navmesh and the crowd on it. Added by [`NavMeshHandle`](crate::NavMeshHandle), for a mesh from a file,
/// or by [`NavMeshBuilder`](crate::NavMeshBuilder), for a mesh built from the scene.
///
/// If there are several of them, for example for agents of different sizes, each agent names its own by
/// [`OnNavWorld`](crate::OnNavWorld).
///
/// `#[require(NavMeshStatus, NavCrowdSettings)]`
#[derive(Component, Default)]
#[require(NavMeshStatus, NavCrowdSettings)]
pub struct NavWorld {
    pub(crate) mesh: NavMesh,
    /// The mesh when agents were last checked, and whether it had changed then.
    pub(crate) seen: NavMesh,
    pub(crate) is_other_mesh: bool,
    pub(crate) meta: Option<Meta>,
    /// The file that the mesh came from, without obstacles.
    pub(crate) bytes: Option<FileBytes>,
    /// The hierarchy of the file, if it has one.
    pub(crate) far: Option<FarWorld>,
    pub(crate) crowd: Crowd,
    pub(crate) seats: Seats,
    pub(crate) events: Vec<Event>,
    /// Velocities of agents that join the crowd again.
    pub(crate) momentum: EntityHashMap<Vec3>,
    /// The entities of off-mesh links, by their numbers; empty if the mesh is from a file.
    pub(crate) links: Vec<Entity>,
    pub(crate) cache: CacheSlot,
    /// Seconds that the cache has not counted yet for obstacles that move.
    pub(crate) uncounted: f64,
    pub(crate) obstacles: EntityHashMap<PlacedObstacle>,
    /// Obstacles that have changed.
    pub(crate) pending: EntityHashSet,
    /// True if sources or settings changed since the last build began.
    pub(crate) is_dirty: bool,
    pub(crate) job: Option<Job>,
    /// True if a warning was sent that obstacles have no effect here.
    pub(crate) has_warned: bool,
}

/// The reason why an agent is held up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NavHoldUp {
    /// The reason.
    pub cause: HoldUpCause,
    /// The entity of the agent that it waits for. `None` if it waits for something else, such as a
    /// [`NavDisc`](crate::NavDisc), or for nobody.
    pub by: Option<Entity>,
}

/// Location of the tile cache.
#[derive(Default)]
pub(crate) enum CacheSlot {
    /// No cache, because the mesh keeps no data to bake tiles from.
    #[default]
    None,
    Here(Box<TileCache<FileBytes>>),
    /// In a task that bakes tiles.
    Away(Task<Rebaked>),
}

/// A cache that comes back from a task.
pub(crate) type Rebaked = (Box<TileCache<FileBytes>>, Result<Update, CacheError>);

impl NavWorld {
    /// The mesh in its present state. A clone costs a reference count and never changes, so that it can go to
    /// other threads.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// The mesh, to set flags and areas at run time, for example of doors. They survive when obstacles change
    /// tiles.
    pub fn mesh_mut(&mut self) -> &mut NavMesh {
        &mut self.mesh
    }

    /// The bake of the mesh; `None` until there is one.
    pub fn meta(&self) -> Option<&Meta> {
        self.meta.as_ref()
    }

    /// The file of the mesh, like [`NavMeshAsset::bytes`](crate::NavMeshAsset::bytes), without obstacles: to
    /// save it and load it later. `None` until there is a mesh.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_ref().map(|bytes| &*bytes.0)
    }

    /// Returns true if there is a mesh.
    pub fn is_ready(&self) -> bool {
        self.meta.is_some()
    }

    /// Returns true if tiles wait to be baked again, or sources to be built.
    pub fn is_busy(&self) -> bool {
        let waits = match &self.cache {
            CacheSlot::None => false,
            CacheSlot::Here(cache) => cache.waiting() > 0,
            CacheSlot::Away(_) => true,
        };
        waits || self.job.is_some() || self.is_dirty || (!self.pending.is_empty() && self.is_dynamic())
    }

    /// Returns true if obstacles have an effect here.
    pub fn is_dynamic(&self) -> bool {
        !matches!(self.cache, CacheSlot::None)
    }

    /// Cancels the running build, if there is one. The mesh stays unchanged.
    pub fn cancel(&self) {
        if let Some(job) = &self.job {
            job.cancel();
        }
    }

    /// The crowd, for everything without a component: saving, recording.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The agent of an entity in the crowd; `None` until it is on the mesh.
    pub fn agent(&self, entity: Entity) -> Option<AgentId> {
        self.seats.get(entity).map(|seat| seat.id)
    }

    /// The state of an entity's agent in the crowd; `None` until it is on the mesh.
    pub fn view(&self, entity: Entity) -> Option<AgentView> {
        self.crowd.agent(self.agent(entity)?).ok()
    }

    /// The reason why an entity's agent was much slower in the last step than it wanted to be. `None` if
    /// nothing holds it up, if it does not want to walk, or if it is not on the mesh yet.
    pub fn hold_up(&self, entity: Entity) -> Option<NavHoldUp> {
        let HoldUp { cause, by } = self.crowd.hold_up(self.agent(entity)?).ok()??;
        Some(NavHoldUp { cause, by: by.and_then(|by| self.seats.entity(by)) })
    }

    /// Moves an agent that is on an off-mesh link to the link's far end, for example because its animation
    /// has ended. For agents with a [`link_speed`](crate::NavAgent::link_speed) of 0.
    ///
    /// # Errors
    /// Fails if the entity is not an agent of this world.
    pub fn finish_link(&mut self, entity: Entity) -> Result<(), CrowdError> {
        let id = self.agent(entity).unwrap_or(AgentId::from_bits(u64::MAX));
        self.crowd.finish_link(id, &mut self.events)
    }

    /// A route between two places, by the costs of the areas. Ground is searched within 2 m horizontally and
    /// 4 m in height.
    ///
    /// # Errors
    /// Fails if there is no ground at either end.
    pub fn route(&self, from: Vec3, to: Vec3) -> Result<Route, RouteError> {
        Query::new().route(&self.mesh, from, to, &self.filter(), &RouteOptions::default())
    }

    /// The filter of agents without their own filter, with the areas' costs from the bake.
    pub fn filter(&self) -> Filter {
        let areas = self.meta.as_ref().map_or(&[][..], |meta| &meta.areas);
        Filter::of_areas(areas).unwrap_or_default()
    }

    /// The hierarchy of the file, for planning far paths; `None` if it has none, and for worlds that are
    /// built from the scene.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.far.as_ref().map(|far| &*far.hierarchy)
    }

    /// Changes the hierarchy, by [`Hierarchy::set_closed`] or [`Hierarchy::update`], whose answer `change`
    /// returns. Agents with a [`NavFarTarget`](crate::NavFarTarget) plan again if their routes lead through
    /// changed clusters, or if they had no path. Without a hierarchy it does nothing.
    ///
    /// Obstacles change the mesh, but not the hierarchy.
    pub fn change_hierarchy(&mut self, change: impl FnOnce(&mut Hierarchy) -> BTreeSet<ClusterCoord>) {
        if let Some(far) = &mut self.far {
            far.changed.extend(change(Arc::make_mut(&mut far.hierarchy)));
        }
    }

    /// The present status.
    pub(crate) fn status(&self) -> NavMeshStatus {
        match &self.job {
            Some(job) => job.status(),
            None if self.is_ready() => NavMeshStatus::Ready,
            None => NavMeshStatus::Waiting,
        }
    }
}
