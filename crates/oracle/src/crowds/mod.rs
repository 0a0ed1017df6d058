//! Our crowd beside DetourCrowd: the same mesh, agents, goals and steps, in turns, and one watcher for both.
//!
//! - [`theirs`]: the C++ library's crowd.
//! - [`contest`]: all crowds walk the same walks; what each costs, and how each gets on.
//! - [`table`]: the result as lines.

pub mod contest;
pub mod table;
pub mod theirs;

use crate::runtime::RuntimeError;
use crowd::trial::Seen;

/// A crowd that walks.
pub trait Walkers {
    /// Its name in tables.
    fn name(&self) -> &'static str;
    /// Moves all by one step.
    fn step(&mut self, dt: f32) -> Result<(), CrowdsError>;
    /// What is to be seen of one, by its number.
    fn seen(&mut self, number: usize) -> Result<Seen, CrowdsError>;
}

/// Why crowds could not be compared.
#[derive(Debug, thiserror::Error)]
pub enum CrowdsError {
    /// Our crowd refuses.
    #[error(transparent)]
    Ours(#[from] crowd::CrowdError),
    /// The mesh could not be had in both libraries.
    #[error(transparent)]
    Mesh(#[from] RuntimeError),
    /// DetourCrowd refuses.
    #[error("DetourCrowd refuses {0}")]
    Theirs(&'static str),
}
