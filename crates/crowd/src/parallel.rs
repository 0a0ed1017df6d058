//! Runs the same work for each agent, on the caller's thread or on all threads of the current rayon pool.
//!
//! Agents are split into one piece per worker. The work for an agent depends on the state of all agents at
//! the beginning, never on a worker or on the other agents of a chunk. The number of threads therefore does
//! not affect the result.

/// With fewer agents than this, other threads are not worth their cost.
#[cfg(feature = "rayon")]
const FEWEST: usize = 128;

/// Number of workers for this many agents.
pub(crate) fn worker_count(agents: usize) -> usize {
    #[cfg(feature = "rayon")]
    if agents >= FEWEST {
        // A few chunks per thread, because some take longer than others.
        let threads = rayon::current_num_threads();
        return if threads == 1 { 1 } else { (threads * 4).min(agents / 32).max(1) };
    }
    let _ = agents;
    1
}

/// Calls `work` for chunks of a list, each with its own worker and the index of its first element.
pub(crate) fn for_each_chunk<T: Send, W: Send>(
    list: &mut [T],
    workers: &mut [W],
    work: impl Fn(&mut W, usize, &mut [T]) + Sync,
) {
    let size = list.len().div_ceil(workers.len().max(1)).max(1);
    #[cfg(feature = "rayon")]
    if workers.len() > 1 {
        use rayon::prelude::*;
        let chunks = list.par_chunks_mut(size).zip(workers.par_iter_mut()).enumerate();
        chunks.with_max_len(1).for_each(|(number, (chunk, worker))| work(worker, number * size, chunk));
        return;
    }
    let chunks = list.chunks_mut(size).zip(workers.iter_mut());
    chunks.enumerate().for_each(|(number, (chunk, worker))| work(worker, number * size, chunk));
}
