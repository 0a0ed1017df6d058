//! A crowd that walks, ours or theirs.

use crowd::trial::Seen;
use oracle::runtime::RuntimeError;

/// A crowd that walks.
pub(crate) trait Walkers {
    /// Its name in tables.
    fn name(&self) -> &'static str;
    /// Moves all by one step.
    fn step(&mut self, dt: f32) -> Result<(), CrowdsError>;
    /// The state of one, by its number.
    fn seen(&mut self, number: usize) -> Result<Seen, CrowdsError>;
}

/// Why crowds could not be compared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CrowdsError {
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
