//! The report of a bake, as text and as JSON.

use super::summary::{IslandTotals, Summary};
use crate::inspect::tile_list;
use crate::report::{columns, rounded};
use crate::{memory, settings};
use navbake::Warning;
use navdraw::number::counted;
use navtile::TileCoord;
use recast::settings::{Unit, Value};
use recast::{Counts, LinkKind, PreparedLevel, SETTINGS, Settings, StageId};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// Figures of one agent's bake.
pub(crate) struct BakeReport<'a> {
    /// Names of the input files.
    pub(crate) levels: &'a [String],
    pub(crate) agent: Option<&'a str>,
    pub(crate) file: &'a Path,
    pub(crate) bytes: u64,
    pub(crate) prepared: &'a PreparedLevel,
    /// Triangles without an area, which were left out.
    pub(crate) dropped: usize,
    pub(crate) counts: Counts,
    pub(crate) stage_times: &'a [(StageId, Duration)],
    pub(crate) tiles: TileTotals,
    /// Tiles that were baked in this run, if others could have been reused.
    pub(crate) baked_tiles: Option<Vec<TileCoord>>,
    /// Islands over all tiles.
    pub(crate) islands: IslandTotals,
    pub(crate) off_mesh_links: usize,
    /// Generated links among them, by kind.
    pub(crate) generated_links: [usize; LinkKind::ALL.len()],
    pub(crate) threads: usize,
    /// Times of the phases of the whole run.
    pub(crate) phases: &'a [(&'static str, Duration)],
    /// Warnings and notes.
    pub(crate) warnings: &'a [Warning],
    pub(crate) elapsed: Duration,
    /// Peak memory of the program, bytes, if the system reports it.
    pub(crate) peak_memory: Option<u64>,
}

/// The tiles of a bake.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct TileTotals {
    /// Side in cells; 0 for one tile.
    pub(crate) side_cells: u32,
    /// Tiles with triangles.
    pub(crate) reached: usize,
    /// Tiles in the file: those with polygons.
    pub(crate) written: usize,
    /// Tiles that were baked in this run.
    pub(crate) baked: usize,
    /// Tiles in the file that were reused from the previous one.
    pub(crate) taken_over: usize,
    /// Tiles that an interrupted bake had finished.
    pub(crate) resumed: usize,
}

/// Settings as the bake used them: lengths are in cells unless their name says otherwise.
fn quantised(settings: &Settings) -> serde_json::Value {
    let entry = |setting: &recast::Setting| {
        let used = setting.used(settings)?;
        let name = setting.path.replace('.', "_");
        let suffix = match setting.unit {
            Unit::Degrees => "_degrees",
            _ => "_m",
        };
        match (used.cells, used.value) {
            (Some(cells), _) if cells.fract() == 0.0 => Some((name, json!(cells as u32))),
            (Some(cells), _) => Some((name, json!(rounded(cells)))),
            (None, Value::Number(number)) => Some((name + suffix, json!(rounded(number)))),
            _ => None,
        }
    };
    SETTINGS.iter().filter_map(entry).collect::<serde_json::Map<_, _>>().into()
}

/// Names and milliseconds.
pub(crate) fn times<'a>(times: impl Iterator<Item = (&'a str, Duration)>) -> serde_json::Value {
    times
        .map(|(name, time)| (name.to_owned(), json!(milliseconds(time))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

impl BakeReport<'_> {
    /// The report as one JSON object.
    pub(crate) fn json(&self) -> serde_json::Value {
        let settings = &self.prepared.config.settings;
        let mut report = json!({
            "levels": self.levels,
            "file": self.file.display().to_string(),
            "tiles": self.tiles,
            "islands": self.islands.kept,
            "islands_dropped": self.islands.dropped,
            "threads": self.threads,
            "volumes": settings.volumes.len(),
            "off_mesh_links": self.off_mesh_links,
            "bytes": self.bytes,
            "phase_ms": times(self.phases.iter().copied()),
            "stage_ms": times(self.stage_times.iter().map(|(stage, time)| (stage.name(), *time))),
            "total_ms": milliseconds(self.elapsed),
            "peak_memory": self.peak_memory,
            "quantised": quantised(settings),
            "warnings": self.warnings().map(Warning::line).collect::<Vec<_>>(),
            "notes": self.notes().map(Warning::line).collect::<Vec<_>>(),
        });
        if let (Some(report), Ok(serde_json::Value::Object(counts))) =
            (report.as_object_mut(), serde_json::to_value(self.counts))
        {
            report.extend(counts);
            if !settings.links.is_empty() {
                let counts = LinkKind::ALL.iter().zip(self.generated_links);
                let counts = counts.map(|(kind, count)| (kind.name().to_owned(), json!(count)));
                report.insert("generated_links".to_owned(), counts.collect::<serde_json::Map<_, _>>().into());
            }
            report.extend(self.agent.map(|agent| ("agent".to_owned(), json!(agent))));
            let coords = |tiles: &Vec<TileCoord>| {
                json!(tiles.iter().map(|coord| [coord.x, coord.z, coord.layer]).collect::<Vec<_>>())
            };
            report.extend(self.baked_tiles.as_ref().map(|tiles| ("baked_tiles".to_owned(), coords(tiles))));
        }
        report
    }

    pub(crate) fn warnings(&self) -> impl Iterator<Item = &Warning> {
        self.warnings.iter().filter(|warning| !warning.is_note)
    }

    pub(crate) fn notes(&self) -> impl Iterator<Item = &Warning> {
        self.warnings.iter().filter(|warning| warning.is_note)
    }

    /// The result in a few lines; before it, if `verbose`, the details.
    pub(crate) fn text(&self, verbose: bool) -> String {
        let summary = Summary {
            agent: self.agent,
            area_m2: self.counts.walkable_area,
            polygons: self.counts.polygons,
            islands: self.islands,
            tiles: self.tiles_text(),
            warnings: self.warnings().count(),
            notes: self.notes().count(),
            file: self.file,
            bytes: self.bytes,
            elapsed: self.elapsed,
        };
        if verbose { self.details() + &summary.text() } else { summary.text() }
    }

    /// Input, settings, counts, times and memory.
    fn details(&self) -> String {
        let counts = self.counts;
        // Reused tiles are not counted again.
        let of_baked = if self.tiles.taken_over > 0 { " in the tiles baked now" } else { "" };
        let mut lines = vec![
            (
                "level",
                format!(
                    "{}, {}{}",
                    self.levels.join(", "),
                    triangles(counts.triangles),
                    without(self.dropped)
                ),
            ),
            ("grid", format!("{} x {} cells", counts.grid[0], counts.grid[1])),
        ];
        lines.extend(self.baked_line());
        lines.extend(settings::lines(&self.prepared.config.settings));
        lines.extend([
            ("spans", format!("{}, {} of them walkable{of_baked}", counts.spans, counts.compact_spans)),
            (
                "regions",
                format!(
                    "{}, at most {} half cells from a border{of_baked}",
                    counts.regions, counts.max_distance
                ),
            ),
            (
                "contours",
                format!("{} with {}{of_baked}", counts.contours, counted(counts.contour_vertices, "corner")),
            ),
        ]);
        if counts.walls > 0.0 {
            let share = 100.0 * counts.exact_walls / counts.walls;
            lines.push((
                "walls",
                format!("{:.0} m, {share:.0} % of it from triangles{of_baked}", counts.walls),
            ));
        }
        lines.extend([
            ("vertices", counts.vertices.to_string()),
            (
                "detail",
                format!(
                    "{}, {}",
                    triangles(counts.detail_triangles),
                    counted(counts.detail_vertices, "vertex")
                ),
            ),
        ]);
        lines.extend(self.marks());
        lines.extend(self.links());
        lines.extend([("run", self.phases())]);
        lines.extend(self.times());
        lines.extend([(
            "memory",
            self.peak_memory
                .map_or("unknown".to_owned(), |peak| format!("{} at most", memory::readable(peak))),
        )]);
        columns(lines)
    }

    /// Volumes and off-mesh connections, if there are any.
    fn marks(&self) -> Option<(&'static str, String)> {
        let settings = &self.prepared.config.settings;
        let (volumes, given) = (settings.volumes.len(), settings.off_mesh_connections.len());
        let links = self.off_mesh_links - self.generated_links.iter().sum::<usize>();
        let [volumes_text, given_text] = [counted(volumes, "volume"), counted(given, "off-mesh connection")];
        let text = match given {
            0 => volumes_text,
            _ => format!("{volumes_text}; {given_text}, {links} of which start within the level"),
        };
        (volumes > 0 || given > 0).then_some(("marks", text))
    }

    /// Generated links by kind, if any were asked for.
    fn links(&self) -> Option<(&'static str, String)> {
        let counted = |(kind, count): (&LinkKind, usize)| counted(count, kind.name());
        let counts: Vec<String> = LinkKind::ALL.iter().zip(self.generated_links).map(counted).collect();
        (!self.prepared.config.settings.links.is_empty()).then(|| ("links", counts.join(", ")))
    }

    /// The total, then each stage.
    fn times(&self) -> Vec<(&'static str, String)> {
        let stages = self.stage_times.iter().map(|(stage, elapsed)| {
            let name = stage.name().replace('_', " ");
            ("", format!("  {name:<20} {:>9.1} ms", milliseconds(*elapsed)))
        });
        let threads = match self.threads {
            1 => String::new(),
            count if self.tiles.side_cells == 0 => format!(" ({count} threads)"),
            count => format!(" on {count} threads; summed over threads:"),
        };
        let total = format!("{:.1} ms in total{threads}", milliseconds(self.elapsed));
        std::iter::once(("time", total)).chain(stages).collect()
    }

    /// Times of the phases of the whole run.
    fn phases(&self) -> String {
        let phase = |(name, elapsed): &(&str, Duration)| format!("{name} {:.1} ms", milliseconds(*elapsed));
        self.phases.iter().map(phase).collect::<Vec<_>>().join(", ")
    }

    /// The tiles that were baked, if others could have been reused.
    fn baked_line(&self) -> Option<(&'static str, String)> {
        /// Of more tiles, only the number is given.
        const LISTED: usize = 16;
        let tiles = self.baked_tiles.as_ref().filter(|tiles| !tiles.is_empty())?;
        Some(("baked", tile_list(tiles, LISTED)))
    }

    /// Tiles, if there is more than one.
    fn tiles_text(&self) -> Option<String> {
        let TileTotals { side_cells, reached, written, baked, taken_over, resumed } = self.tiles;
        let side = rounded(f64::from(side_cells) * self.prepared.config.settings.cell_size);
        let how = match (self.baked_tiles.is_some(), resumed) {
            (false, 0) => String::new(),
            (false, _) => format!(": {baked} baked, {resumed} resumed"),
            (true, 0) => format!(": {baked} baked, {taken_over} reused"),
            (true, _) => format!(": {baked} baked, {resumed} resumed, {taken_over} reused"),
        };
        let empty = match reached.saturating_sub(written) {
            0 => String::new(),
            empty => format!(", {empty} without polygons"),
        };
        (side_cells > 0).then(|| format!("{reached} of {side} m{how}{empty}"))
    }
}

fn triangles(count: usize) -> String {
    counted(count, "triangle")
}

fn without(dropped: usize) -> String {
    if dropped == 0 { String::new() } else { format!(", {dropped} of them without an area") }
}
