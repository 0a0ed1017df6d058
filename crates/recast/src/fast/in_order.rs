//! Parallel work whose results are taken in order, each as soon as all previous ones were taken, so that few
//! are held at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Results that are ready before their turn.
struct Waiting<T, F> {
    next: usize,
    made: Vec<Option<T>>,
    take: F,
}

/// Calls `make` with the numbers from 0 to `count`, on one thread of the current pool for each of `workers`,
/// which are state that a thread keeps from one call to the next. Calls `take` with the results in order,
/// from one thread at a time.
///
/// No thread waits for a result: the thread that makes the missing result also takes the results after it.
pub(crate) fn run<W: Send, T: Send>(
    workers: &mut [W],
    count: usize,
    make: impl Fn(&mut W, usize) -> T + Sync,
    take: impl FnMut(T) + Send,
) {
    let begun = AtomicUsize::new(0);
    let waiting = Mutex::new(Waiting { next: 0, made: (0..count).map(|_| None).collect(), take });
    let work = |worker: &mut W| {
        loop {
            let index = begun.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            let made = make(worker, index);
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let Waiting { next, made: all, take } = &mut *waiting;
            all[index] = Some(made);
            while let Some(made) = all.get_mut(*next).and_then(Option::take) {
                take(made);
                *next += 1;
            }
        }
    };
    rayon::scope(|scope| {
        for worker in workers {
            scope.spawn(|_| work(worker));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    #[test]
    fn results_come_in_order_from_any_thread() {
        for threads in [1, 2, 5] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for count in [0, 1, 2, 100] {
                let mut made_by = vec![0; 3];
                let mut taken = Vec::new();
                pool.install(|| {
                    run(
                        &mut made_by,
                        count,
                        |made, index| {
                            *made += 1;
                            // The first takes longest, so others have to wait for it.
                            (0..1000 / (index + 1))
                                .fold(index, |sum, step| std::hint::black_box(sum ^ step ^ step))
                        },
                        |result| taken.push(result),
                    );
                });
                assert_eq!(taken, (0..count).collect::<Vec<_>>(), "{threads} threads");
                assert_eq!(made_by.iter().sum::<usize>(), count);
            }
        }
    }
}
