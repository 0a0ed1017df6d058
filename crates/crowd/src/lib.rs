//! Characters that walk over a navigation mesh: around each other, through doors, over off-mesh links, to
//! their targets.
//!
//! - [`Crowd`] owns the agents; [`Crowd::step`] moves all of them by one fixed step over a snapshot of the
//!   mesh.
//! - [`AgentParams`]: the properties of an agent. [`Target`]: its destination.
//! - [`Crowd::add_field`]: one search for all agents with the same goals. [`Crowd::add_exits`]: exits that
//!   agents choose among by queue. [`Crowd::add_group`]: agents in formation.
//! - [`Event`]: the events of a step, as values.
//! - [`Overlaps`]: how deep bodies are in one another, measured from their positions alone.
//!
//! Equal crowds, meshes and steps give equal bits on every machine and with any number of threads;
//! [`Crowd::hash`] makes it easy to compare. A step allocates nothing once a crowd and its paths have reached
//! their largest size.
//!
//! ```
//! use crowd::{AgentParams, AgentState, Crowd, CrowdSettings, Target};
//! use detour::{Filter, NavMesh, Query, Vec3};
//!
//! let mut mesh = NavMesh::default();
//! mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
//! let mut crowd = Crowd::new(CrowdSettings::default())?;
//! let walker = crowd.add(&mesh, Vec3::new(2.0, 0.0, 2.0), &AgentParams::default())?;
//!
//! let half_extents = Vec3::new(1.0, 2.0, 1.0);
//! let goal = Query::new().nearest(&mesh, Vec3::new(10.0, 0.0, 2.0), half_extents, &Filter::default())?;
//! crowd.set_target(walker, Target::Place(goal.place()))?;
//! let mut events = Vec::new();
//! for _ in 0..1000 {
//!     crowd.step(&mesh, 1.0 / 60.0, &mut events)?;
//! }
//! assert_eq!(crowd.agent(walker)?.state, AgentState::Arrived);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `rayon` steps agents on all threads of the current rayon pool. The crate `navtile-crowdlab`
//! has trials, scenarios from files, and recordings.

#![forbid(unsafe_code)]

mod agent;
mod agents;
mod avoid;
mod bodies;
mod crowd;
mod error;
mod event;
mod exit;
mod exits;
mod fields;
mod filters;
mod fnv;
mod grounding;
mod group;
mod groups;
mod hold_up;
mod holder;
mod holding;
mod ids;
mod interest;
mod overlaps;
mod parallel;
mod precedence;
mod registry;
mod save;
mod searches;
mod settings;
mod step;
mod stepping;
mod stored;

pub use agent::{AgentState, AgentView, Target};
pub use crowd::{Crowd, MovingDisc};
pub use error::CrowdError;
pub use event::{Event, EventKind, StuckCause};
pub use exit::Exit;
pub use group::formation::Formation;
pub use group::{GroupView, SlotView};
pub use hold_up::{HoldUp, HoldUpCause};
pub use ids::{AgentId, ExitsId, FieldId, GroupId};
pub use overlaps::Overlaps;
pub use settings::{AgentParams, Avoidance, CrowdSettings, FilterKind, Flow, GroundLoss};

// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
