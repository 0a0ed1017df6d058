//! The report of `navtile bench`, as text and as JSON.

use super::samples::{Samples, ms};
use crate::memory;
use navdraw::number::counted;
use serde::Serialize;
use std::collections::BTreeMap;

/// Figures of one level.
#[derive(Debug, Serialize)]
pub(super) struct BenchReport {
    /// Names of the given files and folders.
    pub(super) levels: Vec<String>,
    pub(super) threads: usize,
    pub(super) repeat: usize,
    /// Cells along a tile; 0 for one tile.
    pub(super) tile_cells: u32,
    pub(super) tiles: usize,
    /// Columns of the level's grid along x and z.
    pub(super) grid: [u32; 2],
    pub(super) triangles: usize,
    pub(super) polygons: usize,
    pub(super) vertices: usize,
    /// Hash of all tiles, the same for every repetition.
    pub(super) hash: String,
    /// Length of the file that would be written, bytes.
    pub(super) file_bytes: u64,
    /// Name, median and spread of each stage, in the order of a bake.
    #[serde(skip)]
    pub(super) stages: Vec<(&'static str, [f64; 2])>,
    /// Median of each stage, summed over tiles, by its name.
    pub(super) stage_ms: BTreeMap<&'static str, f64>,
    /// The longest time of each stage minus the shortest.
    pub(super) stage_spread_ms: BTreeMap<&'static str, f64>,
    /// Median wall-clock time of whole bakes.
    pub(super) total_ms: f64,
    pub(super) total_spread_ms: f64,
    /// Median time from the bytes of the file to a mesh that can be queried.
    pub(super) load_ms: f64,
    pub(super) load_spread_ms: f64,
    /// Number of queried pairs.
    pub(super) pairs: usize,
    /// One answer of each kind; empty without pairs.
    pub(super) query_ns: BTreeMap<&'static str, f64>,
    /// Hash of all answers; empty without pairs.
    pub(super) answers_hash: String,
    /// Peak memory of the process; null if the system does not report it.
    pub(super) peak_bytes: Option<u64>,
}

/// Name, median and spread.
pub(super) fn summary(samples: &[(&'static str, Samples)]) -> Vec<(&'static str, [f64; 2])> {
    let both = |samples: &Samples| [ms(samples.median()), ms(samples.spread())];
    samples.iter().map(|(name, samples)| (*name, both(samples))).collect()
}

impl BenchReport {
    pub(super) fn text(&self) -> String {
        let cut = match self.tile_cells {
            0 => "one tile".to_owned(),
            cells => format!("{} of {cells} cells", counted(self.tiles, "tile")),
        };
        let [width, depth] = self.grid;
        let mut lines = vec![
            ("level".to_owned(), self.levels.join(", ")),
            (
                "bake".to_owned(),
                format!(
                    "{}, {width} x {depth} cells, {cut}: {}",
                    counted(self.triangles, "triangle"),
                    counted(self.polygons, "polygon")
                ),
            ),
            ("medians".to_owned(), format!("bakes: {}, threads: {}", self.repeat, self.threads)),
        ];
        lines.extend(
            self.stages.iter().map(|&(name, [median, spread])| (name.to_owned(), line(median, spread))),
        );
        lines.push(("total".to_owned(), line(self.total_ms, self.total_spread_ms)));
        lines.push((
            "load".to_owned(),
            format!("{}, {}", line(self.load_ms, self.load_spread_ms), memory::readable(self.file_bytes)),
        ));
        if self.query_ns.is_empty() {
            lines.push(("queries".to_owned(), "none: there is no ground to ask about".to_owned()));
        } else {
            lines.push(("queries".to_owned(), counted(self.pairs, "random connected pair")));
        }
        lines.extend(self.query_ns.iter().map(|(name, ns)| ((*name).to_owned(), format!("{ns:>10.0} ns"))));
        lines
            .extend(self.peak_bytes.map(|bytes| ("memory".to_owned(), memory::readable(bytes) + " at most")));
        lines.push(("hash".to_owned(), self.hash.clone()));
        lines.iter().map(|(name, text)| format!("{name:<20} {}\n", navinput::escaped(text))).collect()
    }
}

fn line(median: f64, spread: f64) -> String {
    format!("{median:>10.3} ms, spread {spread:.3} ms")
}
