//! The time that tiles take, as measured up to now, for updates with a budget of time.

use navtile::TileCoord;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Largest number of updates in a row that begin nothing while tiles wait.
const PATIENCE: u32 = 8;

/// True if there is a clock. Without a clock nothing is measured.
pub(crate) const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Runs some work; returns its result and its time.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = HAS_CLOCK.then(Instant::now);
    let result = work();
    (result, start.map_or(Duration::ZERO, |start| start.elapsed()))
}

/// A mean with most weight on the last values. An outlier, for example after the thread had to wait for
/// others, counts as at most twice the mean.
#[derive(Clone, Copy, Debug, Default)]
struct Mean(Option<Duration>);

impl Mean {
    fn add(&mut self, value: Duration) {
        self.0 = Some(self.0.map_or(value, |mean| (mean * 7 + value.min(mean * 2)) / 8));
    }

    fn value(self) -> Duration {
        self.0.unwrap_or_default()
    }
}

/// The measured times of tiles, and the time that updates left unused.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// For each tile that was baked, the mean of its last times.
    of_tile: BTreeMap<TileCoord, Duration>,
    bake: Mean,
    /// The work on a tile after its bake: its islands, and the neighbouring tiles that now keep other
    /// islands.
    finish: Mean,
    /// The time that the last updates left unused because they began nothing, and the number of these
    /// updates.
    unused: Duration,
    idle: u32,
}

impl Pace {
    /// The time that a tile is expected to take. A tile that is already correct in the file needs no bake.
    pub(crate) fn expected(&self, coord: TileCoord, is_in_file: bool) -> Duration {
        let of_tile = || self.of_tile.get(&coord).copied().unwrap_or(self.bake.value());
        let bake = if is_in_file { Duration::ZERO } else { of_tile() };
        bake + self.finish.value()
    }

    /// The part of `budget` that is used up after `elapsed`, including the time to finish `begun` tiles.
    pub(crate) fn spent(&self, elapsed: Duration, begun: usize) -> Duration {
        elapsed.saturating_add(self.finish.value().saturating_mul(u32::try_from(begun).unwrap_or(u32::MAX)))
    }

    /// Returns true if a tile may be begun in an update that has spent this much. The first tile of an update
    /// may also use the time that earlier updates left, and is begun in any case after enough updates that
    /// began nothing.
    pub(crate) fn fits(&self, spent: Duration, expected: Duration, budget: Duration, is_first: bool) -> bool {
        let unused = if is_first { self.unused } else { Duration::ZERO };
        spent.saturating_add(expected) <= budget.saturating_add(unused)
            || (is_first && self.idle + 1 >= PATIENCE)
    }

    /// Notes the time of the bake of a tile.
    pub(crate) fn note(&mut self, coord: TileCoord, took: Duration) {
        self.bake.add(took);
        let first = took.min(self.bake.value() * 2);
        self.of_tile.entry(coord).and_modify(|own| *own = (*own + took.min(*own * 2)) / 2).or_insert(first);
    }

    /// Notes the time that it took to finish some tiles.
    pub(crate) fn note_finish(&mut self, tiles: usize, took: Duration) {
        if let Ok(tiles @ 1..) = u32::try_from(tiles) {
            self.finish.add(took / tiles);
        }
    }

    /// Notes the end of an update with a budget of time.
    pub(crate) fn end(&mut self, begun: usize, waiting: usize, left: Duration) {
        let is_idle = begun == 0 && waiting > 0;
        (self.unused, self.idle) =
            if is_idle { (self.unused.saturating_add(left), self.idle + 1) } else { (Duration::ZERO, 0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILE: TileCoord = TileCoord { x: 0, z: 0, layer: 0 };
    const BUDGET: Duration = Duration::from_millis(2);

    /// Number of updates that pass until a tile is begun that is expected to take this long.
    fn updates_until_begun(expected: Duration) -> u32 {
        let mut pace = Pace::default();
        (1..)
            .find(|_| {
                let begins = pace.fits(Duration::ZERO, expected, BUDGET, true);
                pace.end(usize::from(begins), 1, BUDGET);
                begins
            })
            .unwrap()
    }

    #[test]
    fn a_tile_that_takes_longer_than_a_budget_waits_until_the_time_is_there() {
        assert_eq!(updates_until_begun(Duration::from_millis(2)), 1);
        assert_eq!(updates_until_begun(Duration::from_millis(3)), 2);
        assert_eq!(updates_until_begun(Duration::from_millis(6)), 3);
        assert_eq!(updates_until_begun(Duration::from_secs(60)), PATIENCE);
    }

    #[test]
    fn tiles_are_begun_as_long_as_they_are_expected_to_fit() {
        let mut pace = Pace::default();
        // At first nothing is known of any tile, so it is begun.
        assert!(pace.fits(Duration::ZERO, pace.expected(TILE, false), BUDGET, true));
        (0..40).for_each(|_| pace.note(TILE, Duration::from_micros(600)));
        pace.note_finish(2, Duration::from_micros(200));
        let expected = pace.expected(TILE, false);
        assert!(Duration::from_micros(699) < expected && expected <= Duration::from_micros(700));
        // Another tile is expected to take the same time. A tile in the file is only expected to take the
        // time to finish it, still zero.
        assert_eq!(pace.expected(TileCoord { x: 1, ..TILE }, false), expected);
        assert_eq!(pace.expected(TILE, true), Duration::from_micros(100));
        let begun = (0..).find(|&begun| {
            let elapsed = Duration::from_micros(600) * begun;
            !pace.fits(pace.spent(elapsed, begun as usize), expected, BUDGET, begun == 0)
        });
        assert_eq!(begun, Some(2));
    }

    #[test]
    fn a_thread_that_waited_once_is_no_slow_tile() {
        let mut pace = Pace::default();
        let often = Duration::from_micros(400);
        (0..20).for_each(|_| pace.note(TILE, often));
        pace.note(TILE, often * 50);
        assert_eq!(pace.expected(TILE, false), often * 3 / 2);
        let another = TileCoord { x: 1, ..TILE };
        pace.note(another, often * 50);
        assert!(pace.expected(another, false) < often * 3);
        // A tile that stays slow is expected to be slow.
        (0..20).for_each(|_| pace.note(TILE, often * 50));
        assert!(pace.expected(TILE, false) > often * 49);
    }

    #[test]
    fn time_that_was_left_does_not_add_up_once_a_tile_was_begun() {
        let mut pace = Pace::default();
        pace.end(0, 3, BUDGET);
        assert!(pace.fits(Duration::ZERO, BUDGET * 2, BUDGET, true));
        assert!(!pace.fits(Duration::ZERO, BUDGET * 2, BUDGET, false), "it is for the first tile");
        pace.end(1, 2, Duration::ZERO);
        assert!(!pace.fits(Duration::ZERO, BUDGET * 2, BUDGET, true));
        pace.end(0, 0, BUDGET);
        assert!(!pace.fits(Duration::ZERO, BUDGET * 2, BUDGET, true), "nothing waited for it");
    }
}
