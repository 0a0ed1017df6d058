//! The threads that commands run on.

use crate::failure::Failure;

/// A pool of the given number of threads, or of one per core.
pub(crate) fn thread_pool(threads: Option<usize>) -> Result<rayon::ThreadPool, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    pool.map_err(|error| Failure::circumstances(format!("threads could not be started: {error}")))
}
