//! Measured times as lines of a table.

use crate::{Change, theirs};
use std::time::Duration;

/// Times of one change by one program.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) change: Change,
    pub(crate) by: &'static str,
    pub(crate) times: Times,
}

/// For each obstacle, the number of tiles that it changed, and the time that took, milliseconds.
#[derive(Debug, Default)]
pub(crate) struct Times(Vec<(usize, f64)>);

impl Times {
    pub(crate) fn add(&mut self, (tiles, took): (usize, Duration)) {
        self.0.push((tiles, took.as_secs_f64() * 1000.0));
    }

    /// The median time per tile, over obstacles that change at least one.
    fn of_tile(&self) -> f64 {
        share(self.0.iter().filter(|(tiles, _)| *tiles > 0).map(|(tiles, took)| took / *tiles as f64), 50)
    }

    /// The time per obstacle that a share of all obstacles, per cent, does not exceed.
    fn of_obstacle(&self, per_cent: usize) -> f64 {
        share(self.0.iter().map(|(_, took)| *took), per_cent)
    }

    fn tiles(&self) -> f64 {
        self.0.iter().map(|(tiles, _)| *tiles as f64).sum::<f64>() / self.0.len().max(1) as f64
    }
}

/// The value that a share of all, per cent, does not exceed.
fn share(values: impl Iterator<Item = f64>, per_cent: usize) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) * per_cent / 100).copied().unwrap_or_default()
}

/// The table. Ratios are of medians of tiles.
pub(crate) fn table(lines: &[Line]) -> Vec<String> {
    let mut out = vec![
        "| change | by | tiles an obstacle | a tile, ms | an obstacle, ms | 99 % | a tile, in times of Detour's tile cache | \
         as fast as kept voxels, times |"
            .to_owned(),
        "|---|---|---|---|---|---|---|---|".to_owned(),
    ];
    let mut before = None;
    for line in lines {
        let name = match line.change {
            change if before.replace(change) == Some(change) => "",
            Change::MarkComes => "a mark of radius 1 m comes",
            Change::MarkGoes => "it goes",
            Change::SolidComes => "a solid box of 1 m comes",
            Change::SolidGoes => "it goes",
        };
        let times = &line.times;
        let other = |by: &str| {
            let found = lines.iter().find(|other| other.change == line.change && other.by == by);
            found.filter(|_| line.by != by).map(|other| other.times.of_tile())
        };
        let of_cache =
            other(theirs::CACHE).map_or(String::new(), |theirs| format!("{:.2}", times.of_tile() / theirs));
        let of_voxels =
            other(theirs::VOXELS).map_or(String::new(), |theirs| format!("{:.1}", theirs / times.of_tile()));
        out.push(format!(
            "| {name} | {} | {:.1} | {:.3} | {:.3} | {:.3} | {of_cache} | {of_voxels} |",
            line.by,
            times.tiles(),
            times.of_tile(),
            times.of_obstacle(50),
            times.of_obstacle(99)
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_of_tiles() {
        let line = |by, times: &[(usize, u64)]| {
            let mut line = Line { change: Change::MarkGoes, by, times: Times::default() };
            times.iter().for_each(|&(tiles, millis)| line.times.add((tiles, Duration::from_millis(millis))));
            line
        };
        let lines = [
            line("ours", &[(2, 4), (1, 2), (0, 9)]),
            line(theirs::CACHE, &[(1, 1), (1, 1), (1, 3)]),
            line(theirs::VOXELS, &[(2, 20), (1, 10), (1, 10)]),
        ];
        let table = table(&lines);
        assert_eq!(table[2], "| it goes | ours | 1.0 | 2.000 | 4.000 | 4.000 | 2.00 | 5.0 |");
        assert_eq!(table[3], "|  | Detour's tile cache | 1.0 | 1.000 | 1.000 | 1.000 |  | 10.0 |");
        assert!(table[4].ends_with("| 10.00 |  |"), "{}", table[4]);
    }
}
