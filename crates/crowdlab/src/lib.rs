//! The laboratory of the crowd: it sends agents over a mesh, watches them from outside, and reports. Tools
//! and tests use it, and no game needs it.
//!
//! - [`trial`]: agents that are sent over a mesh, and figures of how they got there.
//! - [`scenario`]: crowds from a file, with bounds that they must keep. It needs the feature `scenario`,
//!   which is on by default.
//! - [`recording`]: the positions of all agents, frame by frame, in few bytes.
//! - [`maps`]: density, flow and waiting time per cell of ground, from a recording.
//!
//! Equal crowds, meshes and steps give equal figures and equal recordings on every machine and with any
//! number of threads.
//!
//! ```
//! use crowd::{AgentParams, Crowd, CrowdSettings};
//! use crowdlab::trial::{Trial, random_walks};
//! use detour::{Filter, NavMesh};
//!
//! let mut mesh = NavMesh::default();
//! mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
//! let (filter, params) = (Filter::default(), AgentParams::default());
//! let mut random = navscenes::random::SplitMix64::new(1);
//! let walks = random_walks(&mesh, &filter, 5, &params, &mut || random.between(0.0, 1.0));
//!
//! let crowd = Crowd::new(CrowdSettings::default())?;
//! let mut trial = Trial::new(crowd, &mesh, &filter, &walks)?;
//! while !trial.is_over() && trial.time() < 60.0 {
//!     trial.step(&mesh, 1.0 / 60.0)?;
//!     trial.watch(&mesh)?;
//! }
//! assert_eq!(trial.report().arrived, walks.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod maps;
pub mod recording;
#[cfg(feature = "scenario")]
pub mod scenario;
pub mod trial;

// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
