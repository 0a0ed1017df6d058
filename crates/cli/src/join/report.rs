//! The report of a join: the files, and the figures of each shard.

use super::Joined;
use super::shards::{JoinedShard, ShardSet};
use crate::bake_report::report::{milliseconds, times};
use crate::bake_report::summary::{IslandTotals, Summary};
use crate::memory;
use crate::report::duration;
use navbake::Warning;
use navdraw::number::counted;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

pub(crate) struct JoinReport<'a> {
    pub(crate) shards: &'a ShardSet,
    /// Empty if nothing was to be written.
    pub(crate) files: &'a [Joined],
    pub(crate) phases: &'a [(&'static str, Duration)],
    pub(crate) elapsed: Duration,
}

/// The time of all stages of all tiles, and the slowest tile.
fn tile_times(shard: &JoinedShard) -> (Duration, Option<([i32; 2], Duration)>) {
    let mut sum = Duration::ZERO;
    let mut slowest: Option<([i32; 2], Duration)> = None;
    for stored in &shard.read.tiles {
        let (coord, elapsed) = (stored.node.coord(), stored.facts.elapsed());
        sum += elapsed;
        if slowest.is_none_or(|(_, most)| elapsed > most) {
            slowest = Some(([coord.x, coord.z], elapsed));
        }
    }
    (sum, slowest)
}

fn warned(shard: &JoinedShard) -> usize {
    let warnings = shard.read.tiles.iter().flat_map(|stored| &stored.facts.warnings);
    warnings.filter(|warning| !warning.is_note).count()
}

impl JoinReport<'_> {
    /// The report as one JSON object.
    pub(crate) fn json(&self) -> Value {
        let entry = |(share, shard): (&u32, &JoinedShard)| {
            let (sum, slowest) = tile_times(shard);
            json!({
                "share": share,
                "file": shard.path.display().to_string(),
                "tiles": shard.read.tiles.len(),
                "baked": shard.run.baked,
                "threads": shard.run.threads,
                "total_ms": milliseconds(shard.run.elapsed),
                "tiles_ms": milliseconds(sum),
                "slowest": slowest.map(|(tile, time)| json!({ "tile": tile, "ms": milliseconds(time) })),
                "peak_memory": shard.run.peak_memory,
                "warnings": warned(shard),
            })
        };
        let file = |file: &Joined| {
            let lines = |notes: bool| -> Vec<String> {
                file.warnings.iter().filter(|w| w.is_note == notes).map(Warning::line).collect()
            };
            let keep = &file.tiles.level.surviving.keep;
            let islands = keep.iter().filter(|keep| **keep).count();
            json!({
                "agent": file.agent,
                "file": file.file,
                "up_to_date": file.up_to_date,
                "bytes": file.bytes,
                "tiles": file.written.len(),
                "polygons": file.written.iter().map(|tile| tile.polygons).sum::<usize>(),
                "walkable_area": file.written.iter().map(|tile| tile.area).sum::<f64>(),
                "islands": islands,
                "islands_dropped": keep.len() - islands,
                "warnings": lines(false),
                "notes": lines(true),
            })
        };
        json!({
            "shares": self.shards.of(),
            "missing": self.shards.missing().collect::<Vec<u32>>(),
            "shards": self.shards.shards.iter().map(entry).collect::<Vec<_>>(),
            "files": self.files.iter().map(file).collect::<Vec<_>>(),
            "phase_ms": times(self.phases.iter().copied()),
            "total_ms": milliseconds(self.elapsed),
            "peak_memory": memory::peak(),
        })
    }

    /// The files in a few lines each; before them a row for each shard, if `with_shards`.
    pub(crate) fn text(&self, with_shards: bool) -> String {
        let mut text = if with_shards { self.shards() } else { String::new() };
        for file in self.files {
            if !text.is_empty() {
                text.push('\n');
            }
            match file.up_to_date {
                true => writeln!(text, "{}: up to date", file.file),
                false => write!(text, "{}", self.summary(file)),
            }
            .unwrap_or_default();
        }
        text
    }

    fn summary(&self, file: &Joined) -> String {
        let kept = &file.tiles.level.surviving;
        let cells = kept.islands.cells.iter().zip(&kept.keep).filter(|(_, keep)| **keep);
        let sizes: Vec<f64> = cells.map(|(cells, _)| *cells as f64).collect();
        let dropped = kept.keep.len() - sizes.len();
        Summary {
            agent: file.agent.as_deref(),
            area_m2: file.written.iter().map(|tile| tile.area).sum(),
            polygons: file.written.iter().map(|tile| tile.polygons).sum(),
            islands: IslandTotals::new(&sizes, dropped),
            tiles: Some(format!("{} in {}", file.written.len(), counted(self.shards.of() as usize, "share"))),
            warnings: file.warnings.iter().filter(|warning| !warning.is_note).count(),
            notes: file.warnings.iter().filter(|warning| warning.is_note).count(),
            file: Path::new(&file.file),
            bytes: file.bytes,
            elapsed: self.elapsed,
        }
        .text()
    }

    /// A row for each shard.
    fn shards(&self) -> String {
        let mut text = format!(
            "{:>5} {:>7} {:>7} {:>8} {:>9} {:>10} {:>9}  {}\n",
            "share", "tiles", "baked", "threads", "time", "memory", "warnings", "slowest tile"
        );
        let mut gaps = self.shards.gaps().peekable();
        for (share, shard) in &self.shards.shards {
            if let Some(gap) = gaps.next_if(|gap| gap.end() < share) {
                text.push_str(&missing(&gap));
            }
            let slowest = tile_times(shard)
                .1
                .map_or(String::new(), |([x, z], time)| format!("({x}, {z}), {}", duration(time)));
            writeln!(
                text,
                "{share:>5} {:>7} {:>7} {:>8} {:>9} {:>10} {:>9}  {slowest}",
                shard.read.tiles.len(),
                shard.run.baked,
                shard.run.threads,
                duration(shard.run.elapsed),
                shard.run.peak_memory.map_or("unknown".to_owned(), memory::readable),
                warned(shard),
            )
            .unwrap_or_default();
        }
        text.extend(gaps.map(|gap| missing(&gap)));
        text
    }
}

/// The row of missing shares.
fn missing(gap: &RangeInclusive<u32>) -> String {
    match (gap.start(), gap.end()) {
        (start, end) if start == end => format!("{start:>5} missing\n"),
        (start, end) => format!("{start:>5} to {end} missing\n"),
    }
}
