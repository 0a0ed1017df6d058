//! What a bake did, for people and for machines.

use crate::memory;
use recast::{Baked, Config, Diagnostic, PreparedLevel, StageId};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// Everything there is to say about a bake.
pub(super) struct Report<'a> {
    pub(super) level: &'a Path,
    pub(super) file: &'a Path,
    pub(super) bytes: u64,
    pub(super) prepared: &'a PreparedLevel,
    pub(super) baked: &'a Baked,
    pub(super) warnings: &'a [String],
    pub(super) elapsed: Duration,
}

/// A diagnostic as one line.
pub(super) fn warning(diagnostic: &Diagnostic) -> String {
    match diagnostic.place {
        Some([x, y, z]) => format!("{}, at {x:.2}, {y:.2}, {z:.2}", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}

/// The report as one JSON object.
#[derive(serde::Serialize)]
pub(super) struct Json<'a> {
    file: String,
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

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

impl<'a> Report<'a> {
    pub(super) fn json(&self) -> Json<'a> {
        let counts = self.baked.counts;
        Json {
            file: self.file.display().to_string(),
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
            off_mesh_links: self.baked.tile.off_mesh_links().len(),
            bytes: self.bytes,
            stage_ms: StageTimes(&self.baked.stage_times),
            total_ms: milliseconds(self.elapsed),
            peak_memory: memory::peak(),
            quantised: Quantised::of(&self.prepared.config),
            warnings: self.warnings,
        }
    }

    pub(super) fn text(&self) -> String {
        let counts = self.baked.counts;
        let dropped = self.prepared.triangles_given - self.prepared.triangle_count();
        let mut lines = vec![
            (
                "level",
                format!("{}, {} triangles in{}", self.level.display(), counts.triangles, without(dropped)),
            ),
            ("grid", format!("{} x {} cells", counts.grid[0], counts.grid[1])),
        ];
        lines.extend(settings_lines(&self.prepared.config));
        lines.extend([
            ("spans", format!("{}, of which {} walkable", counts.spans, counts.compact_spans)),
            (
                "regions",
                format!("{}, at most {} half cells from a border", counts.regions, counts.max_distance),
            ),
            ("contours", format!("{} with {} corners", counts.contours, counts.contour_vertices)),
            ("polygons", format!("{} with {} vertices", counts.polygons, counts.vertices)),
            ("detail", format!("{} triangles, {} vertices", counts.detail_triangles, counts.detail_vertices)),
            ("walkable", format!("{:.2} m2", counts.walkable_area)),
        ]);
        lines.extend(self.marks());
        lines.extend([
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
        let links = self.baked.tile.off_mesh_links().len();
        let text = format!(
            "{volumes} volumes; {given} off-mesh connections, of which {links} start within the level"
        );
        (volumes > 0 || given > 0).then_some(("marks", text))
    }

    /// The whole, then each stage.
    fn times(&self) -> String {
        let stages = self.baked.stage_times.iter().map(|(stage, elapsed)| {
            format!(
                "\n{:<10}   {:<20} {:>9.1} ms",
                "",
                stage.name().replace('_', " "),
                milliseconds(*elapsed)
            )
        });
        format!("{:.1} ms in all{}", milliseconds(self.elapsed), stages.collect::<String>())
    }
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
