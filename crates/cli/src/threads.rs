//! The threads that commands run on.

use crate::failure::Failure;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

/// A pool of the given number of threads, or of one per core.
pub(crate) fn thread_pool(threads: Option<usize>) -> Result<rayon::ThreadPool, Failure> {
    ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build().map_err(|error| failure(&error))
}

/// Starts the threads of commands without a pool of their own. A later failure to start them would panic.
pub(crate) fn start() -> Result<(), Failure> {
    ThreadPoolBuilder::new().build_global().map_err(|error| failure(&error))
}

fn failure(error: &ThreadPoolBuildError) -> Failure {
    Failure::circumstances(format!("threads could not be started: {error}"))
        .help("raise the limit of processes or of memory, or ask for fewer with --threads")
}
