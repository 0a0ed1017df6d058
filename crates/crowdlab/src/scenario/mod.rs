//! Scenarios: a crowd on a level, described in a `crowd.toml`. The file has the starts and goals of agents,
//! the times when doors shut and tiles are removed, and the bounds that must hold. The program, the tests and
//! the comparison with other libraries run the same scenarios.
//!
//! - [`Scenario::read`] reads a scenario; every key is a field here, in a table with the name of its list.
//! - [`Run`] puts it on a mesh and steps it; [`Run::report`] returns the figures.
//! - [`Bounds::broken`] returns the bounds that a report violates.
//!
//! A run of the same scenario on the same mesh gives the same bits on any machine with any number of threads.
//!
//! ```
//! use crowdlab::scenario::{Run, Scenario, Terrain};
//!
//! let scenario = Scenario::read(
//!     r#"
//!     [[agents]]
//!     count = 4
//!     start.box = [[1.0, -1.0, 1.0], [4.0, 1.0, 7.0]]
//!     goal.place = [10.0, 0.0, 4.0]
//!
//!     [check]
//!     arrived = 1.0
//!     "#,
//! )?;
//! let mut mesh = detour::NavMesh::default();
//! mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
//! let mut run = Run::new(&scenario, mesh, &Terrain::default())?;
//! while !run.is_over() {
//!     run.step()?;
//!     run.watch()?;
//! }
//! assert_eq!(run.report().trial.arrived, 4);
//! assert!(scenario.check.broken(&run.report()).is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
mod discs;
mod distribution;
mod error;
mod flow;
mod gates;
mod keys;
mod names;
mod places;
mod plan;
mod read;
mod report;
mod run;
mod setup;
mod world;

pub use bounds::{Bounds, Broken};
pub use distribution::Distribution;
pub use error::ScenarioError;
pub use flow::{Flow, GateCounter};
pub use plan::{
    Agents, AvoidanceName, CrowdTuning, DiscCourse, Door, ExitPlace, FlowName, Follow, FormationName,
    GateLine, Goal, GroundLossName, Kind, Region, Scenario, TileSwap,
};
pub use report::RunReport;
pub use run::Run;
pub use world::Terrain;
