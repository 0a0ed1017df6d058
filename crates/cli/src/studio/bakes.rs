//! One bake at a time. A bake ends when the next one starts, or when its page is gone.

use recast::Observer;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The pause between two checks of the client that waits for a bake.
const LOOK: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) struct BakeSlot {
    /// Number of the last requested bake.
    newest: AtomicU64,
    running: Mutex<()>,
}

/// Ends a bake that nobody waits for any more.
struct Watch<'a> {
    bakes: &'a BakeSlot,
    number: u64,
    is_abandoned: &'a (dyn Fn() -> bool + Sync),
    looked: Mutex<Instant>,
    is_over: AtomicBool,
}

impl BakeSlot {
    /// Runs a bake once no other runs; `None` if it was cancelled, by the next one or because its client is
    /// gone.
    pub(super) fn run<T>(
        &self,
        is_abandoned: &(dyn Fn() -> bool + Sync),
        bake: impl FnOnce(&dyn Observer) -> T,
    ) -> Option<T> {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        let _running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let (looked, is_over) = (Mutex::new(Instant::now()), AtomicBool::new(is_abandoned()));
        let watch = Watch { bakes: self, number, is_abandoned, looked, is_over };
        if watch.cancelled() {
            return None;
        }
        let made = bake(&watch);
        (!watch.cancelled()).then_some(made)
    }
}

impl Observer for Watch<'_> {
    fn cancelled(&self) -> bool {
        // All threads of the bake ask; only one of them checks.
        if let Ok(mut looked) = self.looked.try_lock()
            && looked.elapsed() >= LOOK
        {
            *looked = Instant::now();
            if (self.is_abandoned)() {
                self.is_over.store(true, Ordering::Relaxed);
            }
        }
        self.is_over.load(Ordering::Relaxed) || self.bakes.newest.load(Ordering::Relaxed) != self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::thread;

    /// Runs until it has to stop.
    fn endless(observer: &dyn Observer) {
        while !observer.cancelled() {
            thread::yield_now();
        }
    }

    #[test]
    fn the_next_bake_ends_the_one_before_and_a_page_that_is_gone_ends_its_own() {
        let bakes = BakeSlot::default();
        let started = Barrier::new(2);
        thread::scope(|scope| {
            let first = scope.spawn(|| {
                bakes.run(&|| false, |observer| {
                    started.wait();
                    endless(observer);
                })
            });
            started.wait();
            assert_eq!(bakes.run(&|| false, |_| 7), Some(7));
            assert_eq!(first.join().unwrap(), None);
        });
        let is_gone = AtomicBool::new(false);
        let gone = bakes.run(&|| is_gone.load(Ordering::Relaxed), |observer| {
            is_gone.store(true, Ordering::Relaxed);
            endless(observer);
        });
        assert_eq!(gone, None);
        assert_eq!(bakes.run(&|| true, |_| 7), None, "it does not begin");
    }
}
