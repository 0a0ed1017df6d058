//! CPU time of the current thread, which does not include other programs on the machine.

use cpu_time::ThreadTime;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// CPU time of the current thread since some moment; wall time if the platform does not report it.
pub fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    match ThreadTime::try_now() {
        Ok(time) => time.as_duration(),
        Err(_) => START.get_or_init(Instant::now).elapsed(),
    }
}

/// The result of `work`, and the CPU time it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = now();
    let made = work();
    (made, now().saturating_sub(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_takes_no_cpu_time() {
        let ((), asleep) = timed(|| std::thread::sleep(Duration::from_millis(30)));
        let (sum, busy) = timed(|| (0..3_000_000u64).map(std::hint::black_box).sum::<u64>());
        assert!(asleep < Duration::from_millis(20), "{asleep:?}");
        assert!(sum > 0 && busy > Duration::ZERO);
    }
}
