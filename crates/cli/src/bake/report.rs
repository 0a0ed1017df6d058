//! What a bake did, for people and for machines.

use crate::memory;
use navtile::TileCoord;
use recast::{Config, Counts, PreparedLevel, StageId};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// Everything there is to say about the bake of one agent.
pub(super) struct Report<'a> {
    /// Names of the input files.
    pub(super) levels: &'a [String],
    pub(super) agent: Option<&'a str>,
    pub(super) file: &'a Path,
    pub(super) bytes: u64,
    pub(super) prepared: &'a PreparedLevel,
    pub(super) counts: Counts,
    pub(super) stage_times: &'a [(StageId, Duration)],
    pub(super) tiles: Tiles,
    /// Tiles that were baked in this run, if others could have been taken over.
    pub(super) baked_tiles: Option<Vec<TileCoord>>,
    /// Islands that stayed, and that were dropped over all tiles.
    pub(super) islands: [usize; 2],
    pub(super) off_mesh_links: usize,
    pub(super) threads: usize,
    /// Where the time of the whole run went.
    pub(super) phases: &'a [(&'static str, Duration)],
    pub(super) warnings: Vec<String>,
    pub(super) elapsed: Duration,
}

/// The tiles of a bake.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(super) struct Tiles {
    /// Side in cells; 0 for one tile.
    pub(super) side_cells: u32,
    /// Tiles that triangles reach.
    pub(super) reached: usize,
    /// Tiles in the file: those that anything is left of.
    pub(super) written: usize,
    /// Tiles that were baked in this run.
    pub(super) baked: usize,
    /// Tiles in the file that were taken over from the last one.
    pub(super) taken_over: usize,
}

/// The report as one JSON object.
#[derive(serde::Serialize)]
pub(super) struct Json<'a> {
    levels: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    file: String,
    tiles: Tiles,
    #[serde(skip_serializing_if = "Option::is_none")]
    baked_tiles: Option<Vec<[i32; 3]>>,
    islands: usize,
    islands_dropped: usize,
    threads: usize,
    grid: [u32; 2],
    triangles: usize,
    spans: usize,
    compact_spans: usize,
    max_distance: u16,
    regions: u32,
    contours: usize,
    contour_vertices: usize,
    vertices: usize,
    polygons: usize,
    detail_vertices: usize,
    detail_triangles: usize,
    walkable_area: f64,
    volumes: usize,
    off_mesh_links: usize,
    bytes: u64,
    phase_ms: PhaseTimes<'a>,
    stage_ms: StageTimes<'a>,
    total_ms: f64,
    peak_memory: Option<u64>,
    quantised: Quantised,
    warnings: &'a [String],
}

/// Settings as the bake used them: lengths in cells unless their name says otherwise.
#[derive(serde::Serialize)]
struct Quantised {
    cell_size_m: f32,
    cell_height_m: f32,
    agent_radius: i32,
    agent_height: i32,
    agent_climb: i32,
    agent_slope_degrees: f32,
    regions_min_area: u32,
    regions_merge_area: u32,
    contours_max_edge_length: i32,
    contours_max_error: f32,
    detail_sample_distance_m: f32,
    detail_max_error_m: f32,
}

impl Quantised {
    fn of(config: &Config) -> Quantised {
        Quantised {
            cell_size_m: config.cell_size,
            cell_height_m: config.cell_height,
            agent_radius: config.walkable_radius,
            agent_height: config.walkable_height,
            agent_climb: config.walkable_climb,
            agent_slope_degrees: config.walkable_slope,
            regions_min_area: config.region_min_cells,
            regions_merge_area: config.region_merge_cells,
            contours_max_edge_length: config.max_edge_cells,
            contours_max_error: config.contour_max_error,
            detail_sample_distance_m: config.detail_sample_distance,
            detail_max_error_m: config.detail_max_error,
        }
    }
}

/// Stages and their milliseconds, in the order they ran.
struct StageTimes<'a>(&'a [(StageId, Duration)]);

impl Serialize for StageTimes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (stage, elapsed) in self.0 {
            map.serialize_entry(stage.name(), &milliseconds(*elapsed))?;
        }
        map.end()
    }
}

/// Phases of the run and their milliseconds, in order.
struct PhaseTimes<'a>(&'a [(&'static str, Duration)]);

impl Serialize for PhaseTimes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (phase, elapsed) in self.0 {
            map.serialize_entry(phase, &milliseconds(*elapsed))?;
        }
        map.end()
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

impl<'a> Report<'a> {
    pub(super) fn json(&self) -> Json<'_> {
        let counts = self.counts;
        let [islands, islands_dropped] = self.islands;
        Json {
            levels: self.levels,
            agent: self.agent,
            file: self.file.display().to_string(),
            tiles: self.tiles,
            baked_tiles: self
                .baked_tiles
                .as_ref()
                .map(|tiles| tiles.iter().map(|coord| [coord.x, coord.z, coord.layer]).collect()),
            islands,
            islands_dropped,
            threads: self.threads,
            grid: counts.grid,
            triangles: counts.triangles,
            spans: counts.spans,
            compact_spans: counts.compact_spans,
            max_distance: counts.max_distance,
            regions: counts.regions,
            contours: counts.contours,
            contour_vertices: counts.contour_vertices,
            vertices: counts.vertices,
            polygons: counts.polygons,
            detail_vertices: counts.detail_vertices,
            detail_triangles: counts.detail_triangles,
            walkable_area: counts.walkable_area,
            volumes: self.prepared.config.settings.volumes.len(),
            off_mesh_links: self.off_mesh_links,
            bytes: self.bytes,
            phase_ms: PhaseTimes(self.phases),
            stage_ms: StageTimes(self.stage_times),
            total_ms: milliseconds(self.elapsed),
            peak_memory: memory::peak(),
            quantised: Quantised::of(&self.prepared.config),
            warnings: &self.warnings,
        }
    }

    pub(super) fn text(&self) -> String {
        let counts = self.counts;
        let dropped = self.prepared.triangles_given - self.prepared.triangle_count();
        let mut lines = vec![
            (
                "level",
                format!("{}, {} triangles in{}", self.levels.join(", "), counts.triangles, without(dropped)),
            ),
            ("grid", format!("{} x {} cells", counts.grid[0], counts.grid[1])),
        ];
        lines.extend(self.tiles_line());
        lines.extend(self.baked_line());
        lines.extend(settings_lines(&self.prepared.config));
        lines.extend([
            ("spans", format!("{}, of which {} walkable", counts.spans, counts.compact_spans)),
            (
                "regions",
                format!("{}, at most {} half cells from a border", counts.regions, counts.max_distance),
            ),
            ("contours", format!("{} with {} corners", counts.contours, counts.contour_vertices)),
            ("polygons", format!("{} with {} vertices", counts.polygons, counts.vertices)),
            ("islands", format!("{}{}", self.islands[0], dropped_islands(self.islands[1]))),
            ("detail", format!("{} triangles, {} vertices", counts.detail_triangles, counts.detail_vertices)),
            ("walkable", format!("{:.2} m2", counts.walkable_area)),
        ]);
        lines.extend(self.marks());
        lines.extend([
            ("run", self.phases()),
            ("time", self.times()),
            (
                "memory",
                memory::peak()
                    .map_or("unknown".to_owned(), |peak| format!("{} at most", memory::readable(peak))),
            ),
            (
                "warnings",
                if self.warnings.is_empty() { "none".to_owned() } else { self.warnings.len().to_string() },
            ),
            ("file", format!("{}, {}", self.file.display(), memory::readable(self.bytes))),
        ]);
        let mut text = String::new();
        for (name, line) in lines {
            writeln!(text, "{name:<10} {line}").expect("writing to a String cannot fail");
        }
        text
    }

    /// Volumes and off-mesh connections, if there are any.
    fn marks(&self) -> Option<(&'static str, String)> {
        let settings = &self.prepared.config.settings;
        let (volumes, given) = (settings.volumes.len(), settings.off_mesh_connections.len());
        let links = self.off_mesh_links;
        let text = format!(
            "{volumes} volumes; {given} off-mesh connections, of which {links} start within the level"
        );
        (volumes > 0 || given > 0).then_some(("marks", text))
    }

    /// The whole, then each stage.
    fn times(&self) -> String {
        let stages = self.stage_times.iter().map(|(stage, elapsed)| {
            format!(
                "\n{:<10}   {:<20} {:>9.1} ms",
                "",
                stage.name().replace('_', " "),
                milliseconds(*elapsed)
            )
        });
        let threads = match self.threads {
            1 => String::new(),
            count if self.tiles.side_cells == 0 => format!(" ({count} threads)"),
            count => format!(" on {count} threads; of all threads together:"),
        };
        format!("{:.1} ms in all{threads}{}", milliseconds(self.elapsed), stages.collect::<String>())
    }

    /// Where the time of the whole run went.
    fn phases(&self) -> String {
        let phase = |(name, elapsed): &(&str, Duration)| format!("{name} {:.1} ms", milliseconds(*elapsed));
        self.phases.iter().map(phase).collect::<Vec<_>>().join(", ")
    }

    /// Which tiles were baked, if others could have been taken over.
    fn baked_line(&self) -> Option<(&'static str, String)> {
        /// More are counted.
        const LISTED: usize = 16;
        let tiles = self.baked_tiles.as_ref().filter(|tiles| !tiles.is_empty())?;
        let listed: Vec<String> =
            tiles.iter().take(LISTED).map(|coord| format!("({}, {})", coord.x, coord.z)).collect();
        let more = match tiles.len().saturating_sub(LISTED) {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        Some(("baked", format!("{}{more}", listed.join(", "))))
    }

    /// Tiles, if there are more than one.
    fn tiles_line(&self) -> Option<(&'static str, String)> {
        let Tiles { side_cells, reached, written, baked, taken_over } = self.tiles;
        let side = rounded(f64::from(side_cells) * self.prepared.config.settings.cell_size);
        let text = format!(
            "{side_cells} cells ({side} m) on a side; {reached} reached, {baked} baked, {taken_over} taken over, \
             {written} written"
        );
        (side_cells > 0).then_some(("tiles", text))
    }
}

fn dropped_islands(count: usize) -> String {
    if count == 0 { String::new() } else { format!(", and {count} that were dropped") }
}

fn without(dropped: usize) -> String {
    if dropped == 0 { String::new() } else { format!(", {dropped} of them without an area") }
}

/// Settings in world units, with the cells they became.
fn settings_lines(config: &Config) -> [(&'static str, String); 4] {
    let settings = &config.settings;
    let (cell, area) = (settings.cell_size, settings.cell_size * settings.cell_size);
    let metres = |cells: f64| rounded(cells * cell);
    let sample = match config.detail_sample_distance {
        0.0 => "no samples".to_owned(),
        distance => format!("samples every {} m", rounded(f64::from(distance))),
    };
    [
        ("cell", format!("{} m wide, {} m high", settings.cell_size, settings.cell_height)),
        (
            "agent",
            format!(
                "radius {} m ({} cells), height {} m ({} cells), climb {} m ({} cells), slope {} degrees",
                settings.agent_radius,
                config.walkable_radius,
                settings.agent_height,
                config.walkable_height,
                settings.agent_climb,
                config.walkable_climb,
                settings.agent_slope
            ),
        ),
        (
            "partition",
            format!(
                "{}, kept from {} m2 ({} cells), merged up to {} m2 ({} cells)",
                settings.partition.name(),
                rounded(f64::from(config.region_min_cells) * area),
                config.region_min_cells,
                rounded(f64::from(config.region_merge_cells) * area),
                config.region_merge_cells
            ),
        ),
        (
            "outlines",
            format!(
                "edges up to {} m ({} cells), error {} m ({} cells), {} vertices a polygon; {sample}, error {} m",
                settings.max_edge_length,
                config.max_edge_cells,
                metres(f64::from(config.contour_max_error)),
                config.contour_max_error,
                settings.max_vertices,
                rounded(f64::from(config.detail_max_error))
            ),
        ),
    ]
}

/// Without the noise of a division: six digits behind the point.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
