//! Growth of times with cells, triangles and tiles, and the gain from a second thread.

use super::bakes::{self, BakeTimes};
use super::groups;
use super::plan::{Origin, Plan, TILE_CELLS};
use super::plot::{Line, draw};
use super::rounds::Rounds;
use super::samples::Samples;
use super::table::{Cell, Section, Table};
use super::{SpeedError, loading, on_pool, pool};
use navlevel::bake_tiles;
use recast::{PreparedLevel, Scratch, Silent, bake_solo};
use std::time::Instant;

/// Sides of the terrain whose cells grow, metres; and triangles of the terrain whose triangles grow.
const SIDES: [f64; 5] = [25.0, 50.0, 100.0, 150.0, 200.0];
const QUICK_SIDES: [f64; 5] = [15.0, 20.0, 30.0, 40.0, 50.0];
/// Triangles per square metre while cells grow.
const DENSITY: f64 = 1.0;
const TRIANGLES: [usize; 5] = [2_000, 8_000, 32_000, 72_000, 128_000];
const QUICK_TRIANGLES: [usize; 5] = [500, 1_000, 2_000, 4_000, 8_000];
/// Side of the terrain whose triangles grow, metres.
const FIXED_SIDE: f64 = 60.0;

/// All measurements of growth.
#[derive(Clone, Debug)]
pub struct Scaling {
    /// Terrain of five sizes.
    pub cells: Vec<BakeTimes>,
    /// One terrain of five numbers of triangles.
    pub triangles: Vec<BakeTimes>,
    /// Many copies of a level: tiles, nanoseconds of the bake and of loading.
    pub tiles: Vec<[f64; 3]>,
    /// The bakes on one and on two threads, and the wall time of each, nanoseconds.
    pub threads: Vec<(String, [f64; 2])>,
}

/// Measures all of it, over terrain; `origin` is the level that is copied many times.
pub fn measure(origin: &Origin, quick: bool) -> Result<Scaling, SpeedError> {
    let rounds = Rounds::new(quick);
    let terrain = |side: f64, triangles: usize| Plan::solo(Origin::Terrain(side, triangles), 0.3);
    let sides = if quick { QUICK_SIDES } else { SIDES };
    let plans = sides.map(|side| terrain(side, (side * side * DENSITY) as usize));
    let cells = bakes::all(&plans, rounds)?;
    let counts = if quick { QUICK_TRIANGLES } else { TRIANGLES };
    let triangles = bakes::all(&counts.map(|count| terrain(FIXED_SIDE, count)), rounds)?;
    let copies: &[u32] = if quick { &[1, 2, 3] } else { &[1, 2, 3, 5, 8] };
    let mut tiles = Vec::new();
    for &copies in copies {
        tiles.push(tiled(origin, copies, if quick { 2 } else { 3 })?);
    }
    Ok(Scaling { cells, triangles, tiles, threads: threads(origin, quick)? })
}

/// Tiles, and the medians of baking and of loading them.
fn tiled(origin: &Origin, copies: u32, rounds: usize) -> Result<[f64; 3], SpeedError> {
    let plan = Plan { copies, tile_cells: Some(TILE_CELLS), ..Plan::solo(origin.clone(), 0.3) };
    let bench = plan.bench()?;
    let measured =
        bakes::measure(&bench, Rounds { least: rounds, most: rounds, time: std::time::Duration::ZERO })?;
    let loaded = loading::measure(&bench.tiles()?, 5)?;
    let bake = measured.bakers[0].as_ref().map_or(0.0, |times| times.total.median());
    Ok([measured.tiles as f64, bake, loaded.ours.median()])
}

/// Bakes in tiles and in one piece on a pool of one thread and of two, in turns.
fn threads(origin: &Origin, quick: bool) -> Result<Vec<(String, [f64; 2])>, SpeedError> {
    let copies = if quick { 1 } else { 3 };
    let pools = [pool(1)?, pool(2)?];
    let mut rows = Vec::new();
    for (kind, copies, cell_size) in
        [("in tiles", copies, 0.3), ("in one piece", 1, 0.3), ("in one piece", 1, 0.1)]
    {
        let bench = Plan { copies, ..Plan::solo(origin.clone(), cell_size) }.bench()?;
        let mut samples = [Samples::default(), Samples::default()];
        for _ in 0..if quick { 3 } else { 11 } {
            for (pool, samples) in pools.iter().zip(&mut samples) {
                samples.push(on_pool(pool, || bake_once(&bench.prepared, kind == "in tiles"))?);
            }
        }
        rows.push((format!("{} {kind}", bench.name), samples.map(|samples| samples.median())));
    }
    Ok(rows)
}

fn bake_once(level: &PreparedLevel, in_tiles: bool) -> Result<std::time::Duration, SpeedError> {
    let start = Instant::now();
    if in_tiles {
        bake_tiles(level, TILE_CELLS, &Silent)?;
    } else {
        bake_solo(level, &Silent, &mut Scratch::new())?;
    }
    Ok(start.elapsed())
}

/// Lines of a baker over the levels, one per group and the total, milliseconds.
fn lines(measured: &[BakeTimes], baker: usize, size: fn(&BakeTimes) -> f64) -> Vec<Line> {
    let line = |name: &str, time: &dyn Fn(&bakes::BakerTimes) -> f64| Line {
        name: name.to_owned(),
        points: measured
            .iter()
            .filter_map(|level| Some([size(level), time(level.bakers[baker].as_ref()?) / 1e6]))
            .collect(),
    };
    let mut lines: Vec<Line> = (0..groups::COUNT)
        .map(|group| line(groups::NAMES[group], &|times: &bakes::BakerTimes| times.group(group)))
        .collect();
    lines.push(line("total", &|times: &bakes::BakerTimes| times.total.median()));
    lines
}

fn cells(level: &BakeTimes) -> f64 {
    level.cells as f64
}

fn triangles(level: &BakeTimes) -> f64 {
    level.triangles as f64
}

fn slopes(title: &str, measured: &[BakeTimes], size: fn(&BakeTimes) -> f64) -> Table {
    let sizes: Vec<String> = measured.iter().map(|level| size(level).to_string()).collect();
    let mut head = vec!["stages"];
    head.extend(sizes.iter().map(String::as_str));
    head.extend(["slope", "C++ slope"]);
    let mut table = Table::new(title, &head);
    for (ours, theirs) in lines(measured, 0, size).iter().zip(&lines(measured, 1, size)) {
        let slope = |line: &Line| line.slope().map_or(Cell::None, |slope| Cell::Number(slope, 2));
        let mut row = vec![Cell::from(ours.name.as_str())];
        row.extend(ours.points.iter().map(|point| Cell::Number(point[1], 3)));
        row.extend([slope(ours), slope(theirs)]);
        table.row(row);
    }
    table
}

impl Scaling {
    /// As tables.
    pub fn section(&self) -> Section {
        let mut tiles = Table::new("Tiles", &["tiles", "bake ms", "load ms"]);
        for &[count, bake, load] in &self.tiles {
            tiles.row([Cell::Number(count, 0), Cell::ms(bake), Cell::ms(load)]);
        }
        let line = |at: usize| Line {
            name: String::new(),
            points: self.tiles.iter().map(|row| [row[0], row[at]]).collect(),
        };
        let slope = |at: usize| line(at).slope().map_or(Cell::None, |slope| Cell::Number(slope, 2));
        tiles.row([Cell::from("slope"), slope(1), slope(2)]);
        let mut threads = Table::new("Threads", &["bake", "one thread ms", "two ms", "times as fast"]);
        for (name, [one, two]) in &self.threads {
            threads.row([Cell::from(name.as_str()), Cell::ms(*one), Cell::ms(*two), Cell::ratio(*one, *two)]);
        }
        let note = "Rolling terrain as one tile, once with cells and triangles growing together, once with triangles \
                    alone. A slope is that of the straight line through the logarithms of sizes and times: 1 is \
                    linear. Tiles: a level that stands more and more often side by side. Threads are timed by the \
                    wall, all else in CPU time of one thread.";
        Section {
            title: "Growth".to_owned(),
            notes: vec![note.to_owned()],
            tables: vec![
                slopes("Cells: ms at each number", &self.cells, cells),
                slopes("Triangles: ms at each number", &self.triangles, triangles),
                tiles,
                threads,
            ],
        }
    }

    /// Our slowest groups by cells, compared with the C++ library's total, as a plot.
    pub fn plot(&self) -> String {
        let mut ours = lines(&self.cells, 0, cells);
        let last = |line: &Line| line.points.last().map_or(0.0, |point| point[1]);
        ours.sort_by(|a, b| last(b).total_cmp(&last(a)));
        ours.truncate(5);
        ours.extend(
            lines(&self.cells, 1, cells).pop().map(|line| Line { name: "C++ total".to_owned(), ..line }),
        );
        draw("Time of a bake against cells", ["cells of the grid", "ms"], &ours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_grows_in_tiles() {
        let [one, two] = [1, 2].map(|copies| tiled(&Origin::Scene("plane"), copies, 1).unwrap());
        assert!(two[0] > one[0] && two[1] > 0.0 && two[2] > 0.0);
    }

    #[test]
    fn slopes_and_plot_are_of_what_was_measured() {
        let rounds = Rounds { least: 1, most: 1, time: std::time::Duration::ZERO };
        let plans = [8.0, 16.0].map(|side| Plan::solo(Origin::Terrain(side, 50), 0.3));
        let cells = bakes::all(&plans, rounds).unwrap();
        let scaling = Scaling {
            triangles: cells.clone(),
            cells,
            tiles: vec![[1.0; 3]],
            threads: vec![("bake".to_owned(), [2.0, 1.0])],
        };
        let section = scaling.section();
        assert_eq!(section.tables[0].rows.len(), groups::COUNT + 1);
        assert_eq!(section.tables[3].rows[0][3], Cell::Ratio(2.0));
        assert!(scaling.plot().contains("C++ total"));
    }
}
