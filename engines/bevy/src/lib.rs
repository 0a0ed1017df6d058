//! Navigation for Bevy: navmeshes from the scene or from files, rebuilt when objects move, and crowds that
//! walk over them.
//!
//! - [`NavtilePlugin`]: everything except gizmos, which are drawn by `NavtileGizmoPlugin`.
//! - [`NavMeshBuilder`] builds a mesh from all [`NavSource`]s of the scene; [`NavMeshHandle`] takes one from
//!   a `.navtile` file. Both make their entity a [`NavWorld`].
//! - [`NavObstacle`]s appear, move and disappear in a finished mesh. [`NavArea`] sets the kind of ground, and
//!   [`OffMeshLink`] connects places without ground in between.
//! - A [`NavAgent`] walks to its [`NavTarget`]. With [`NavFollows`] it walks in the formation of a
//!   [`NavGroup`], or chooses among [`NavExits`]. A [`NavDisc`] is not an agent, but agents avoid it.
//! - A [`NavFarTarget`] leads an agent through a world of which only the tiles around it are in the mesh.
//! - [`NavMeshEvent`] and [`NavAgentEvent`] are sent as messages, and to observers.
//! - [`NavRebake`], [`NavTimings`]: when tiles are baked, and the time that navigation takes in a frame.
//! - [`crowd`], [`detour`], [`hierarchy`], [`recast`], [`tilecache`]: the underlying libraries, for
//!   everything else.

#![forbid(unsafe_code)]

mod agent;
mod asset;
mod builds;
mod components;
pub mod debug;
mod discs;
mod events;
mod exits;
mod far;
mod far_world;
#[cfg(feature = "gizmos")]
mod gizmos;
mod groups;
mod install;
mod job;
mod obstacles;
mod plugin;
mod scene;
mod seating;
mod seats;
mod shape;
mod status;
mod stepping;
mod timings;
mod tracking;
mod world;

pub use agent::{
    NavAgent, NavAgentState, NavAvoidance, NavCarried, NavDrive, NavFilter, NavFlow, NavGroundLoss,
    NavTarget, NavVelocity,
};
pub use asset::{LoadProblem, NavMeshAsset, NavMeshLoadError, NavMeshLoader};
pub use components::{
    NavArea, NavAreaKind, NavEffect, NavMeshBuilder, NavMeshHandle, NavObstacle, NavSource, NavStationary,
    OffMeshLink, OnNavWorld,
};
pub use discs::NavDisc;
pub use events::{
    LinkId, NavAgentEvent, NavAgentEventKind, NavMeshEvent, NavMeshEventKind, NoPathReason, StuckReason,
};
pub use exits::{NavExit, NavExits};
pub use far::{NavFarRoute, NavFarTarget};
#[cfg(feature = "gizmos")]
pub use gizmos::{NavGizmoLayers, NavGizmos, NavtileGizmoPlugin};
pub use groups::{NavFollowers, NavFollows, NavFormation, NavGroup};
pub use obstacles::NavRebake;
pub use plugin::{NavtilePlugin, NavtileSystems};
pub use shape::{NavShape, ShapeError};
pub use status::{NavCrowdSettings, NavMeshStatus};
pub use timings::NavTimings;
pub use world::{NavHoldUp, NavWorld};

pub use {crowd, detour, hierarchy, navtile, recast, tilecache};
