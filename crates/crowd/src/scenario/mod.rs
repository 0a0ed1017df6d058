//! Scenarios: a crowd on a level, written down in a `crowd.toml`. Who starts where and goes where, which doors shut and
//! which tiles go in the meantime, and which bounds must hold. The program, the tests and the comparison with other
//! libraries run the same ones.
//!
//! - [`Scenario::read`] reads one; every key is a field here, in a table of the name that its list has.
//! - [`Run`] puts it on a mesh and steps it; [`Run::report`] measures how it went.
//! - [`Bounds::broken`] says which bounds a report breaks.
//!
//! The same scenario on the same mesh is the same run, to the bit, on any machine and any number of threads.
//!
//! ```
//! use crowd::scenario::{Run, Scenario, Terrain};
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
mod error;
mod flow;
mod gates;
mod limits;
mod places;
mod plan;
mod random;
mod read;
mod report;
mod run;
mod setup;
mod world;

pub use bounds::{Bounds, Broken};
pub use error::{ScenarioError, ScenarioProblem};
pub use flow::{Flow, GateCounter};
pub use plan::{
    Agents, AvoidanceName, CrowdTuning, DiscCourse, Door, Follow, FormationName, GateLine, Goal, Kind,
    Region, Scenario, TileSwap,
};
pub use report::RunReport;
pub use run::Run;
pub use world::Terrain;
