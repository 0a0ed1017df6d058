//! Work in two steps: pieces are prepared by all threads, in any order, and taken over by one of them in theirs.
//!
//! There is no barrier: who takes over prepares a chunk itself where the next one is not ready, and who prepares runs a
//! bounded number of chunks ahead. Chunks wait in a ring, so that memory does not depend on how many there are.
//!
//! Only who takes over ever waits, and only for chunks that others have begun: preparing one may make a thread of the
//! pool run anything else meanwhile, and what it runs must not wait for what lies below it on its stack. Who prepares
//! and is too far ahead ends instead, and is called again when there is room.

use rayon::Scope;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most pieces that are prepared one after the other by one thread: where they are small, who prepares them should be
/// the one that takes them over, since what another thread has just written is far away.
const MOST_A_CHUNK: usize = 32;
/// Fewest chunks a thread, where there are as many pieces.
const CHUNKS_A_THREAD: usize = 8;
/// Chunks that may be ready before the first of them is taken over, beside one for each thread: few enough for what
/// they hold to be still in a cache.
const AHEAD: usize = 2;
/// How often a thread that has nothing to do looks again before it lets others have the processor.
const SPINS: usize = 64;

/// What a thread may do next.
enum Turn {
    /// This chunk.
    Prepare(usize),
    /// Nothing, until something more is taken over; or nothing at all any more.
    Rest,
}

struct Pipeline<'a, T, P> {
    count: usize,
    /// How many pieces a chunk has.
    chunk: usize,
    prepare: &'a P,
    /// The next chunk that nobody prepares.
    next: AtomicUsize,
    /// How many chunks were taken over.
    taken: AtomicUsize,
    /// How many threads prepare, beside the one that takes over.
    active: AtomicUsize,
    /// Whether to prepare no more: something failed.
    stopped: AtomicBool,
    /// Those that are ready, by their number in the ring.
    ready: Vec<Mutex<Option<Vec<T>>>>,
}

/// Prepares `count` pieces by number on up to `threads` threads of the pool of `scope`, the current one among them, and
/// gives them to `take` in their order. Stops at the first error of `take`.
pub(super) fn run<'scope, T: Send + 'scope, E>(
    scope: &Scope<'scope>,
    threads: usize,
    count: usize,
    prepare: &'scope (impl Fn(usize) -> T + Sync),
    take: impl FnMut(Vec<T>) -> Result<(), E>,
) -> Result<(), E> {
    let pipeline = Arc::new(Pipeline {
        count,
        chunk: (count / (threads * CHUNKS_A_THREAD)).clamp(1, MOST_A_CHUNK),
        prepare,
        next: AtomicUsize::new(0),
        taken: AtomicUsize::new(0),
        active: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
        ready: (0..threads + AHEAD).map(|_| Mutex::default()).collect(),
    });
    let helpers = threads.min(pipeline.chunks()).saturating_sub(1);
    pipeline.take_all(take, || {
        for _ in pipeline.active.load(Ordering::Relaxed)..helpers {
            pipeline.active.fetch_add(1, Ordering::Relaxed);
            let pipeline = pipeline.clone();
            scope.spawn(move |_| pipeline.prepare_some());
        }
    })
}

impl<T: Send, P: Fn(usize) -> T + Sync> Pipeline<'_, T, P> {
    fn chunks(&self) -> usize {
        self.count.div_ceil(self.chunk)
    }

    fn turn(&self) -> Turn {
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            if next >= self.chunks() || self.stopped.load(Ordering::Relaxed) {
                return Turn::Rest;
            }
            // What was taken over has left its place in the ring.
            if next >= self.taken.load(Ordering::Acquire) + self.ready.len() {
                return Turn::Rest;
            }
            match self.next.compare_exchange_weak(next, next + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Turn::Prepare(next),
                Err(other) => next = other,
            }
        }
    }

    fn prepared(&self, chunk: usize) -> Vec<T> {
        // Whoever waits for this chunk must not do so for ever if preparing it panics.
        let stop = StopOnPanic(&self.stopped);
        let pieces =
            (chunk * self.chunk..self.count.min((chunk + 1) * self.chunk)).map(self.prepare).collect();
        std::mem::forget(stop);
        pieces
    }

    fn place(&self, chunk: usize) -> MutexGuard<'_, Option<Vec<T>>> {
        self.ready[chunk % self.ready.len()].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prepares chunks as long as there are any to prepare.
    fn prepare_some(&self) {
        while let Turn::Prepare(chunk) = self.turn() {
            let pieces = self.prepared(chunk);
            *self.place(chunk) = Some(pieces);
        }
        self.active.fetch_sub(1, Ordering::Relaxed);
    }

    /// Takes all chunks over, and prepares those that it would have to wait for. `call` calls others to help.
    fn take_all<E>(&self, mut take: impl FnMut(Vec<T>) -> Result<(), E>, call: impl Fn()) -> Result<(), E> {
        // Ends the others at an error too.
        let _stop = StopOnPanic(&self.stopped);
        for chunk in 0..self.chunks() {
            if self.next.load(Ordering::Relaxed) < self.chunks() {
                call();
            }
            let Some(pieces) = self.next_ready(chunk) else { break };
            self.taken.store(chunk + 1, Ordering::Release);
            take(pieces)?;
        }
        Ok(())
    }

    /// A chunk, once it is ready; `None` if preparing another has panicked.
    fn next_ready(&self, chunk: usize) -> Option<Vec<T>> {
        let mut spins = 0;
        loop {
            let ready = self.place(chunk).take();
            if ready.is_some() {
                return ready;
            }
            match self.turn() {
                Turn::Prepare(other) if other == chunk => return Some(self.prepared(chunk)),
                Turn::Prepare(other) => {
                    let pieces = self.prepared(other);
                    *self.place(other) = Some(pieces);
                    spins = 0;
                }
                Turn::Rest if self.stopped.load(Ordering::Relaxed) => return None,
                Turn::Rest => wait(&mut spins),
            }
        }
    }
}

/// Stops a pipeline when it is dropped.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Lets time pass: at first a little, then as much as others need.
fn wait(spins: &mut usize) {
    *spins += 1;
    if *spins < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// What was taken over by a pool of that many threads, and how it ended.
    fn taken(threads: usize, count: usize, prepare: impl Fn(usize) -> usize + Sync) -> (Vec<usize>, bool) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut taken = Vec::new();
        let ended = pool.scope(|scope| {
            run(scope, threads, count, &prepare, |pieces| {
                let sound = pieces.iter().take_while(|piece| **piece != usize::MAX).count();
                taken.extend(&pieces[..sound]);
                if sound < pieces.len() { Err(()) } else { Ok(()) }
            })
        });
        (taken, ended.is_ok())
    }

    #[test]
    fn pieces_are_taken_over_in_order_by_any_number_of_threads() {
        for threads in 1..=5 {
            for count in [0, 1, 2, 31, 32, 33, 1000, 5003] {
                let (found, ok) = taken(threads, count, |number| number * 3);
                assert!(
                    ok && found.iter().copied().eq((0..count).map(|number| number * 3)),
                    "{threads} {count}"
                );
            }
        }
    }

    #[test]
    fn the_first_failure_ends_it() {
        for threads in [2, 3] {
            for failure in [0, 7, 450, 999] {
                let fails = |number| if number == failure || number == 999 { usize::MAX } else { number };
                let (found, ok) = taken(threads, 1000, fails);
                assert!(!ok && found.into_iter().eq(0..failure), "{threads} {failure}");
            }
        }
    }

    #[test]
    fn a_panic_ends_it_too() {
        for threads in [1, 2, 4] {
            for panics in [0, 40, 700] {
                let prepare = |number| if number == panics { panic!("{number}") } else { number };
                let ended = catch_unwind(AssertUnwindSafe(|| taken(threads, 1000, prepare)));
                assert!(ended.is_err(), "{threads} {panics}");
                assert_eq!(taken(threads, 3, |number| number), (vec![0, 1, 2], true));
            }
        }
    }

    #[test]
    fn preparing_may_use_the_pool_itself() {
        for threads in [1, 2, 4] {
            let many = |number: usize| (0..200 + number).into_par_iter().map(std::hint::black_box).sum();
            let (found, ok) = taken(threads, 300, many);
            let sum = |number: usize| (0..200 + number).sum::<usize>();
            assert!(ok && found.into_iter().eq((0..300).map(sum)), "{threads}");
            // And another pipeline.
            let inner = |number: usize| {
                let shifted = |piece| piece + number;
                rayon::scope(|scope| {
                    let mut sum = 0;
                    let add = |pieces: Vec<usize>| {
                        sum += pieces.iter().sum::<usize>();
                        Ok::<_, ()>(())
                    };
                    run(scope, threads, 50, &shifted, add).map(|()| sum)
                })
            };
            let inner = |number| inner(number).unwrap_or(usize::MAX);
            let (found, ok) = taken(threads, 100, inner);
            assert!(ok && found.into_iter().eq((0..100).map(|number| 1225 + 50 * number)), "{threads}");
        }
    }
}
