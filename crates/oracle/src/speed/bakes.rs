//! Bakes in turns, and their tables.

use super::bakers::{self, Theirs};
use super::groups::{self, Once};
use super::plan::{Bench, Plan};
use super::port::Port;
use super::rounds::Rounds;
use super::samples::Samples;
use super::table::{Cell, Section, Table};
use super::{SpeedError, same};
use navlevel::Tiling;
use recast::Silent;

/// Names of the libraries that are measured.
pub const NAMES: [&str; 3] = ["ours", "C++", "rerecast"];
/// The least and the greatest number of polygons of a mesh of the same ground, as shares of ours, and a
/// number that it may be off besides. Ours are fewer, as docs/deviations.md says (fewest-edges, notches): up
/// to 0.6 of theirs.
const TOLERANCE: ([f64; 2], usize) = ([0.85, 2.0], 10);

/// Times of one of the bakers.
#[derive(Clone, Debug, Default)]
pub struct BakerTimes {
    /// By group of stages.
    pub groups: [Samples; groups::COUNT],
    /// The whole.
    pub total: Samples,
    /// Polygons that it made.
    pub polygons: usize,
}

/// The figures of one level.
#[derive(Clone, Debug)]
pub struct BakeTimes {
    /// Its name.
    pub name: String,
    /// Columns of its grid.
    pub cells: u64,
    /// Triangles.
    pub triangles: usize,
    /// Tiles.
    pub tiles: usize,
    /// Ours, the C++ library's, rerecast's; rerecast does not bake all levels.
    pub bakers: [Option<BakerTimes>; 3],
    /// The error of rerecast if it failed.
    pub failed: Option<String>,
}

impl BakerTimes {
    fn add(&mut self, once: &Once) {
        for (samples, time) in self.groups.iter_mut().zip(&once.times) {
            samples.push(*time);
        }
        self.total.push(once.total);
        self.polygons = once.polygons;
    }

    /// Median of a group, nanoseconds.
    pub fn group(&self, group: usize) -> f64 {
        self.groups[group].median()
    }

    /// Median of the groups that rerecast has: all except writing the tile.
    pub fn to_detail(&self) -> f64 {
        (0..groups::TILE).map(|group| self.group(group)).sum()
    }
}

/// Bakes a level in turns. Errors: our tiles differ from run to run or from an unwatched bake, or the number
/// of polygons of the C++ library's mesh differs by more than the tolerance.
pub fn measure(bench: &Bench, rounds: Rounds) -> Result<BakeTimes, SpeedError> {
    let tiling = match bench.tile_cells {
        Some(cells) => Some(Tiling::new(&bench.prepared, cells)?),
        None => None,
    };
    let tiling = tiling.as_ref();
    let expected = bakers::plain(bench, tiling, &Silent)?;
    let theirs = Theirs::new(bench, tiling)?;
    let mut port = Port::new(bench);
    let (mut failed, mut bakers) = (None, [const { None::<BakerTimes> }; 3]);
    rounds.run(|| {
        let (once, found) = bakers::ours(bench, tiling)?;
        same(format!("{}: hash of our tiles", bench.name), &expected.to_string(), &found.to_string())?;
        bakers[0].get_or_insert_default().add(&once);
        let polygons = once.polygons;
        let once = theirs.bake()?;
        near(&bench.name, polygons, once.polygons)?;
        bakers[1].get_or_insert_default().add(&once);
        match port.as_ref().map(Port::bake) {
            None => {}
            Some(Ok(once)) => bakers[2].get_or_insert_default().add(&once),
            Some(Err(error)) => (port, failed) = (None, Some(error.to_string())),
        }
        Ok(())
    })?;
    let [width, _, depth] = bench.prepared.size;
    Ok(BakeTimes {
        name: bench.name.clone(),
        cells: u64::from(width) * u64::from(depth),
        triangles: bench.prepared.triangle_count(),
        tiles: tiling.map_or(1, |tiling| tiling.coords().len()),
        bakers,
        failed,
    })
}

fn near(name: &str, ours: usize, theirs: usize) -> Result<(), SpeedError> {
    let (shares, some) = TOLERANCE;
    let [least, most] = shares.map(|share| (ours as f64 * share) as usize);
    let expected = least.saturating_sub(some)..=most + some;
    if expected.contains(&theirs) {
        return Ok(());
    }
    let what = format!("{name}: polygons of the C++ library's mesh");
    Err(SpeedError::Wrong {
        what,
        expected: format!("{} to {}", expected.start(), expected.end()),
        found: theirs.to_string(),
    })
}

/// Bakes levels, one after the other.
pub fn all(plans: &[Plan], rounds: Rounds) -> Result<Vec<BakeTimes>, SpeedError> {
    plans.iter().map(|plan| measure(&plan.bench()?, rounds)).collect()
}

impl BakeTimes {
    fn total(&self, baker: usize) -> Option<&BakerTimes> {
        self.bakers[baker].as_ref()
    }

    /// Ratio of the C++ library's time to ours.
    pub fn ratio(&self) -> Option<f64> {
        let [ours, theirs] = [self.total(0)?, self.total(1)?].map(|times| times.total.median());
        (ours > 0.0).then(|| theirs / ours)
    }
}

/// The geometric mean of ratios.
pub fn mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = ratios.filter(|&ratio| ratio > 0.0).map(f64::ln).collect();
    if logs.is_empty() { 0.0 } else { (logs.iter().sum::<f64>() / logs.len() as f64).exp() }
}

fn totals(measured: &[BakeTimes]) -> Table {
    let head = [
        "level",
        "cells",
        "triangles",
        "ours ms",
        "C++ ms",
        "C++ / ours",
        "rerecast ms",
        "rerecast / ours",
        "polygons",
        "C++ polygons",
        "rerecast polygons",
        "rounds",
        "spread %",
    ];
    let mut table = Table::new("Whole bakes", &head);
    for level in measured {
        let [ours, theirs, port] = [0, 1, 2].map(|baker| level.total(baker));
        let ms =
            |times: Option<&BakerTimes>| times.map_or(Cell::None, |times| Cell::ms(times.total.median()));
        let median = |times: Option<&BakerTimes>| times.map_or(0.0, |times| times.total.median());
        let polygons = |times: Option<&BakerTimes>| times.map_or(Cell::None, |times| times.polygons.into());
        // rerecast does not write tiles, so it is compared with our time without that.
        let without = ours.map_or(0.0, BakerTimes::to_detail);
        table.row([
            Cell::from(level.name.as_str()),
            Cell::from(level.cells as usize),
            Cell::from(level.triangles),
            ms(ours),
            ms(theirs),
            Cell::ratio(median(theirs), median(ours)),
            ms(port),
            Cell::ratio(port.map_or(0.0, BakerTimes::to_detail), without),
            polygons(ours),
            polygons(theirs),
            polygons(port),
            ours.map_or(Cell::None, |times| times.total.len().into()),
            ours.map_or(Cell::None, |times| Cell::Number(times.total.spread() * 100.0, 1)),
        ]);
    }
    let mut row = vec![Cell::None; head.len()];
    row[0] = Cell::from("geometric mean");
    row[5] = Cell::Ratio(mean(measured.iter().filter_map(BakeTimes::ratio)));
    let ported = |level: &BakeTimes| Some(level.total(2)?.to_detail() / level.total(0)?.to_detail());
    row[7] = Cell::Ratio(mean(measured.iter().filter_map(ported)));
    table.row(row);
    table
}

/// A table with a column per group; `cell` fills it from two bakers' medians.
fn by_group(measured: &[BakeTimes], title: &str, pair: [usize; 2], cell: fn(f64, f64) -> Cell) -> Table {
    let head: Vec<&str> = std::iter::once("level").chain(groups::NAMES).chain(["total"]).collect();
    let mut table = Table::new(title, &head);
    for level in measured {
        let [Some(one), Some(other)] = pair.map(|baker| level.total(baker)) else { continue };
        let mut row = vec![Cell::from(level.name.as_str())];
        row.extend((0..groups::COUNT).map(|group| cell(one.group(group), other.group(group))));
        row.push(cell(one.total.median(), other.total.median()));
        table.row(row);
    }
    table
}

/// As tables.
pub fn section(measured: &[BakeTimes]) -> Section {
    let mut notes = vec![
        "Levels are prepared before the clock starts: vertices on the lattice, and for tiles the list of triangles \
         of each. Everything from marking walkable triangles to the bytes of the tile is timed, what lies between \
         the stages included. Each of our bakes must have the hash of a bake that nobody watches; the C++ library's \
         mesh must have 0.85 to 2 times the polygons of ours, give or take 10."
            .to_owned(),
        "Ratios above 1 mean that ours is faster. The column `rerecast / ours` leaves writing the tile out, which \
         rerecast does not do; a dash is a level that it cannot bake. `spread` is half the distance between the \
         quartiles of our times."
            .to_owned(),
    ];
    for level in measured {
        notes.extend(level.failed.iter().map(|said| format!("Not measured: {}: {said}", level.name)));
    }
    let ratio: fn(f64, f64) -> Cell = |theirs, ours| Cell::ratio(theirs, ours);
    let first: fn(f64, f64) -> Cell = |one, _| if one > 0.0 { Cell::ms(one) } else { Cell::None };
    let tables = vec![
        totals(measured),
        by_group(measured, "C++ / ours, by group of stages", [1, 0], ratio),
        by_group(measured, "Ours, ms", [0, 0], first),
        by_group(measured, "C++, ms", [1, 1], first),
        by_group(measured, "rerecast, ms", [2, 2], first),
    ];
    Section { title: "Bakes".to_owned(), notes, tables }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Origin;
    use super::*;
    use std::time::Duration;

    const ONCE: Rounds = Rounds { least: 2, most: 2, time: Duration::ZERO };

    #[test]
    fn a_scene_is_baked_by_all_three() {
        let bench = Plan::solo(Origin::Scene("two_rooms"), 0.3).bench().unwrap();
        let measured = measure(&bench, ONCE).unwrap();
        assert_eq!(measured.failed, None);
        for times in &measured.bakers {
            let times = times.as_ref().unwrap();
            assert!(times.total.len() == 2 && times.polygons > 0 && times.to_detail() > 0.0);
        }
        let [table, ..] = &section(&[measured]).tables[..] else { panic!("no table") };
        assert_eq!(table.rows.len(), 2);
    }

    #[test]
    fn tiles_are_baked_by_two() {
        let plan = Plan { tile_cells: Some(24), ..Plan::solo(Origin::Scene("two_rooms"), 0.3) };
        let measured = measure(&plan.bench().unwrap(), ONCE).unwrap();
        assert!(measured.tiles > 1 && measured.bakers[2].is_none());
        let [ours, theirs] = [0, 1].map(|baker| measured.bakers[baker].as_ref().unwrap().polygons);
        assert!(ours > 0 && theirs > 0);
    }

    #[test]
    fn another_number_of_polygons_is_an_error() {
        assert!(near("x", 100, 75).is_ok() && near("x", 100, 210).is_ok());
        assert!(near("x", 100, 74).unwrap_err().to_string().contains("75 to 210, found 74"));
    }

    #[test]
    fn the_mean_is_geometric() {
        assert!((mean([1.0, 4.0].into_iter()) - 2.0).abs() < 1e-9);
        assert_eq!(mean(std::iter::empty()), 0.0);
    }
}
