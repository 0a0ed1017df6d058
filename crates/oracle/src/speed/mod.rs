//! Times of bakes, queries and loading: ours compared with the C++ library's and, for bakes, rerecast's.
//!
//! All are measured in one run and in turns, one after the other in every round. If the machine becomes
//! slower or faster, it does so for all of them. Figures are CPU times of one thread, medians of the rounds.
//! Every result is checked: a wrong answer is an error, no matter how fast it was.
//!
//! - [`plan`]: levels under names.
//! - [`bakes`], [`bakers`], [`port`], [`groups`]: bakes, group of stages by group of stages.
//! - [`queries`]: the same questions for both runtimes.
//! - [`loading`]: from the bytes of a file to a mesh that can be queried.
//! - [`scaling`], [`plot`]: growth of times with cells, triangles, tiles and threads.
//! - [`memory`]: peak memory of a process.
//! - [`clock`], [`samples`], [`rounds`]: CPU time, medians, number of rounds.
//! - [`table`]: sections of tables as Markdown and JSON.

pub mod bakers;
pub mod bakes;
pub mod clock;
pub mod groups;
pub mod levels;
pub mod loading;
pub mod memory;
pub mod plan;
pub mod plot;
pub mod port;
pub mod queries;
pub mod rounds;
pub mod samples;
pub mod scaling;
pub mod table;

use crate::chain::ChainError;
use crate::level::ReadError;
use crate::reference::ReferenceError;
use crate::runtime::RuntimeError;

/// A measurement that cannot be made, or whose results are wrong.
#[derive(Debug, thiserror::Error)]
pub enum SpeedError {
    /// Our bake gave an error.
    #[error("our bake: {0}")]
    Bake(#[from] recast::Error),
    /// The C++ library's bake gave an error.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// A bake that is compared gave an error.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// A level cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// One of the runtimes gave an error.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// Our file gave an error.
    #[error("our file: {0}")]
    File(#[from] navtile::FileError),
    /// A result differs from the expected one.
    #[error("{what}: expected {expected}, found {found}: the time of a wrong result is not reported")]
    Wrong {
        /// The result that is wrong.
        what: String,
        /// The expected value.
        expected: String,
        /// The value found.
        found: String,
    },
    /// There is no such level.
    #[error("{0}")]
    Level(String),
    /// rerecast gave an error.
    #[error("rerecast: {0}")]
    Port(String),
    /// A process or file of ours failed.
    #[error("{what}: {source}")]
    Io {
        /// The action that failed.
        what: String,
        /// The cause of the failure.
        source: std::io::Error,
    },
    /// Threads could not be started.
    #[error("starting threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Does work on a pool of one thread, whose time is measured. Otherwise, our library would share work among
/// all cores, and the time of a single thread would not show the work of the others.
pub fn on_one_thread<T: Send>(work: impl FnOnce() -> Result<T, SpeedError> + Send) -> Result<T, SpeedError> {
    pool(1)?.install(work)
}

/// Does work on a pool while the calling thread sleeps. A thread that waits in a pool of its own would look
/// for work meanwhile, and take a core from the measured threads.
pub(crate) fn on_pool<T: Send>(
    pool: &rayon::ThreadPool,
    work: impl FnOnce() -> Result<T, SpeedError> + Send,
) -> Result<T, SpeedError> {
    std::thread::scope(|scope| match scope.spawn(|| pool.install(work)).join() {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// A pool of `threads` threads.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, SpeedError> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
}

/// Returns an error if a result is not the expected one.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(
    what: impl Into<String>,
    expected: &T,
    found: &T,
) -> Result<(), SpeedError> {
    if expected == found {
        return Ok(());
    }
    let (expected, found) = (format!("{expected:?}"), format!("{found:?}"));
    Err(SpeedError::Wrong { what: what.into(), expected, found })
}

impl From<navmath::LimitError> for SpeedError {
    fn from(error: navmath::LimitError) -> SpeedError {
        RuntimeError::from(error).into()
    }
}

impl From<detour::QueryError> for SpeedError {
    fn from(error: detour::QueryError) -> SpeedError {
        RuntimeError::from(error).into()
    }
}

impl From<detour::MeshError> for SpeedError {
    fn from(error: detour::MeshError) -> SpeedError {
        RuntimeError::from(error).into()
    }
}

impl From<recastnavigation_rs::XError> for SpeedError {
    fn from(error: recastnavigation_rs::XError) -> SpeedError {
        RuntimeError::from(error).into()
    }
}
