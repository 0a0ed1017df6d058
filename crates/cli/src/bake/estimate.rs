//! The cells, tiles, memory and time of a bake, before it starts. A bake that cannot fit is refused here,
//! with the remedy.
//!
//! Free upper estimates decide if it fits; `--estimate` bakes a [`Sample`] and comes close.

use super::sample::Sample;
use crate::failure::{Answer, Failure};
use crate::memory::{self, readable};
use crate::report;
use crate::source::Stop;
use navdraw::number::{counted, fixed};
use navlevel::GroundKeeper;
use navlevel::triangles::{TileInputs, Triangles};
use navlinks::{MOST_OF_WINDOW, tile_size};
use navtile::TileCoord;
use recast::PreparedLevel;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Memory kept for each tile until all are baked, bytes: its node of the island graph and its counts.
pub(crate) const KEPT_OF_TILE: u64 = 2 << 10;
/// Memory for the ground that links are found on, bytes per column of a tile with one floor and one span in
/// each: the ground of tiles, and the floors again when they are joined and walked on.
const GROUND_OF_COLUMN: u64 = 116;
/// Time for a small file to reach the disk.
pub(crate) const WRITING: Duration = Duration::from_millis(10);
/// A bake of at least this many cells prints its estimate before it starts.
const WORTH_PRINTING: u64 = 1 << 24;

/// The expected size of a bake.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    size: [u32; 3],
    triangles: usize,
    agents: usize,
    tile_cells: u32,
    tiles: usize,
    threads: usize,
    /// Memory for the level, lists of triangles, the nodes of tiles, and the ground of links of a level in
    /// one tile, bytes; without [`memory::BASE`].
    level: u64,
    /// Memory for a window of links once all tiles are baked, bytes.
    window: u64,
    /// Memory for ground that is not packed, bytes.
    pub(crate) unpacked: u64,
    /// The part of it that is still to come when the level has been read.
    to_come: u64,
    /// Peak memory of reading the level, bytes.
    reading: u64,
    /// Memory for the largest tile, bytes, and its place.
    pub(crate) largest: u64,
    largest_at: TileCoord,
    /// Memory for one of the largest tiles per thread, bytes.
    in_work: u64,
    bound: u64,
    finds_links: bool,
}

impl Estimate {
    /// The estimate for a level with this number of triangles, or for a share of it, whose links are found
    /// when it is joined with others.
    pub(crate) fn new(
        source: &Triangles<'_>,
        inputs: &TileInputs,
        triangles: usize,
        finds_links: bool,
    ) -> Estimate {
        let levels = source.levels();
        let (largest, largest_at) = inputs.needs.first().copied().unwrap_or_default();
        let threads = rayon::current_num_threads();
        let tiles = inputs.needs.len();
        let kept = tiles as u64 * KEPT_OF_TILE * levels.len() as u64;
        let [width, depth] = tile_size(levels[0].size, source.tile_cells()).map(u64::from);
        let has_links = |level: &&PreparedLevel| finds_links && !level.config.settings.links.is_empty();
        let with_links = levels.iter().filter(has_links).count() as u64;
        let of_links = with_links * tiles as u64 * width * depth * GROUND_OF_COLUMN;
        // A tile is the smallest window.
        let (of_tile, window) = match source.tile_cells() {
            0 => (of_links, of_links),
            _ => (0, of_links.min(MOST_OF_WINDOW)),
        };
        Estimate {
            size: levels[0].size,
            triangles,
            agents: levels.len(),
            tile_cells: source.tile_cells(),
            tiles,
            threads,
            level: inputs.standing + kept + of_tile,
            window,
            unpacked: of_links.min(GroundKeeper::MOST),
            to_come: kept + of_tile,
            reading: memory::peak().unwrap_or(0),
            largest,
            largest_at,
            in_work: inputs.needs.iter().take(threads).map(|(need, _)| need).sum(),
            bound: levels[0].config.settings.memory_bound,
            finds_links,
        }
    }

    /// Memory that is held while tiles are baked, bytes.
    fn standing(&self) -> u64 {
        memory::BASE + self.level
    }

    /// Peak memory, bytes: reading takes several times the memory of the read level, and freed memory remains
    /// with the process.
    fn peak(&self) -> u64 {
        let standing = self.standing();
        let in_work = self.in_work.max(self.window) + self.unpacked;
        let in_work = in_work.min(self.bound.saturating_sub(standing)).max(self.largest);
        (standing + in_work).max(self.reading + self.to_come + in_work)
    }

    /// The expected time and memory of the bake of these tiles, which began at `started`, from a sample of
    /// them; `None` if it does not fit.
    pub(crate) fn expect(
        &self,
        source: &Triangles<'_>,
        inputs: &TileInputs,
        started: Instant,
    ) -> Result<Option<Expected>, Stop> {
        if !self.fits() {
            return Ok(None);
        }
        let read = started.elapsed();
        let before = memory::peak().unwrap_or(memory::BASE);
        // For a level in windows, one window's tiles represent all tiles.
        let (tiles, mut sample) = (inputs.tiles(), None);
        source.each::<Stop>(None, &mut |tiling, has| {
            let own: Vec<TileCoord> = tiles.iter().copied().filter(|coord| has(*coord)).collect();
            if sample.is_none() && !own.is_empty() {
                let of_all = tiles.len() as f64 / own.len() as f64;
                let Sample { time, largest, ground } = Sample::take(tiling, &own)?;
                let ground = (ground as f64 * of_all) as u64;
                sample = Some(Sample { time: time.mul_f64(of_all), largest, ground });
            }
            Ok(())
        })?;
        let sample = sample.unwrap_or_default();
        let of_links = if self.finds_links { sample.ground } else { 0 };
        let in_work = sample.largest * self.threads.min(self.tiles).max(1) as u64;
        let in_work = match self.tile_cells {
            0 => in_work + of_links,
            _ => in_work.max(of_links.min(MOST_OF_WINDOW)) + of_links.min(GroundKeeper::MOST),
        };
        let reached = memory::peak().unwrap_or(0);
        Ok(Some(Expected {
            memory: reached.max(before + (self.tiles * self.agents) as u64 * KEPT_OF_TILE + in_work),
            time: read + sample.time + WRITING,
        }))
    }

    /// Returns true if the bound holds at least one tile at a time.
    pub(crate) fn fits(&self) -> bool {
        self.standing().saturating_add(self.largest) <= self.bound
    }

    /// Memory left for tiles being baked, bytes. The process may hold more than was counted: its program may
    /// be larger, and freed memory remains with it.
    pub(crate) fn memory_for_tiles(&self, level: &str) -> Result<u64, Failure> {
        if self.fits() {
            let resident = self.standing().max(memory::resident().unwrap_or(0));
            return Ok(self.bound.saturating_sub(resident).max(self.largest));
        }
        let least = self.standing().saturating_add(self.largest);
        let TileCoord { x, z, .. } = self.largest_at;
        let what = match self.tile_cells {
            0 => "the level in one piece".to_owned(),
            _ => format!("tile ({x}, {z})"),
        };
        // Whole mebibytes, and one to spare.
        let enough = (least >> 20) + 2;
        let otherwise = match (self.tile_cells, self.standing() > self.bound) {
            (_, true) if memory::BASE > self.bound / 2 => "",
            (_, true) => ", or cut the level into several bakes",
            (0, _) => ", bake in tiles with --tile-size, enlarge the cell size, or give smaller bounds",
            _ => ", choose smaller tiles, or enlarge the cell size",
        };
        Err(Failure::call(format!(
            "{level}: memory_bound is {}, which cannot hold {what}: {} are needed, {} for the program itself, {} for the \
             level and {} for the largest grid",
            readable(self.bound),
            readable(least),
            readable(memory::BASE),
            readable(self.level),
            readable(self.largest)
        ))
        .help(format!("allow more memory: --memory {enough}MiB{otherwise}")))
    }

    fn cells(&self) -> u64 {
        u64::from(self.size[0]) * u64::from(self.size[2])
    }

    fn text(&self, expected: Option<&Expected>) -> String {
        let [width, height, depth] = self.size;
        let tiles = match self.tile_cells {
            0 => "one tile".to_owned(),
            side => format!("{} of {side} x {side} cells", counted(self.tiles, "tile")),
        };
        let agents = if self.agents == 1 { String::new() } else { format!(", {} agents", self.agents) };
        let takes = match expected {
            None => format!("at most {} of memory", readable(self.peak())),
            Some(expected) => expected.text(),
        };
        format!(
            "{}, {width} x {depth} cells ({height} high), {tiles}{agents}, {}: {takes}, {} allowed",
            counted(self.triangles, "triangle"),
            counted(self.threads, "thread"),
            readable(self.bound)
        )
    }

    /// Prints the estimate to standard output. The answer is yes if the bake fits.
    pub(crate) fn print(
        &self,
        level: &str,
        expected: Option<&Expected>,
        as_json: bool,
    ) -> Result<Answer, Failure> {
        let answer = if self.fits() { Answer::Yes } else { Answer::No };
        if !as_json {
            report::print_line(&self.text(expected))?;
            if let Err(failure) = self.memory_for_tiles(level) {
                report::print(&failure.escaped().plain())?;
            }
            return Ok(answer);
        }
        report::print_json(&json!({
            "triangles": self.triangles,
            "grid": [self.size[0], self.size[2]],
            "height": self.size[1],
            "cells": self.cells(),
            "side_cells": self.tile_cells,
            "tiles": self.tiles,
            "agents": self.agents,
            "threads": self.threads,
            "standing_memory": self.standing(),
            "largest_tile_memory": self.largest,
            "most_memory": self.peak(),
            "peak_memory": expected.map_or(Value::Null, |expected| expected.memory.into()),
            "total_ms": expected.map_or(Value::Null, |expected| expected.total_ms().into()),
            "memory_bound": self.bound,
            "fits": self.fits(),
        }))?;
        Ok(answer)
    }

    /// Prints the estimate of a large bake on standard error.
    pub(crate) fn announce(&self, quiet: bool) {
        if !quiet && self.cells() >= WORTH_PRINTING {
            report::note(&self.text(None));
        }
    }
}

/// The time and memory that a bake is expected to take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// Peak memory, bytes.
    pub(crate) memory: u64,
    /// From the start of the program until the file is written.
    pub(crate) time: Duration,
}

impl Expected {
    pub(crate) fn total_ms(&self) -> f64 {
        self.time.as_secs_f64() * 1000.0
    }

    /// `about 1.2 s and 31.2 MiB of memory`
    pub(crate) fn text(&self) -> String {
        let time = match self.time.as_secs_f64() {
            seconds if seconds < 1.0 => format!("{} ms", fixed(seconds * 1000.0, 0)),
            seconds if seconds < 600.0 => format!("{} s", fixed(seconds, 1)),
            seconds => format!("{} min", fixed(seconds / 60.0, 0)),
        };
        format!("about {time} and {} of memory", readable(self.memory))
    }
}
