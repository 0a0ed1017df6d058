//! The pipeline, from top to bottom. This is the one place to read it; it holds control flow only.

use crate::area::AreaId;
use crate::bands;
use crate::data::compact::state::{Compacted, Eroded};
use crate::data::span::state::{Filtered, LedgesDone, ObstaclesDone, Rasterized};
use crate::data::{
    CompactField, ContourSet, DetailMesh, DistanceField, Grid, PolyMesh, RawContours, RegionField, RegionId,
    SimplifiedContours, SpanField,
};
use crate::error::Error;
use crate::input::{MAX_GRID_SIDE, PreparedLevel};
use crate::islands;
use crate::observer::{Diagnostic, DiagnosticKind, Observer, Report, StageId};
use crate::prune::prune_islands;
use crate::schedule::{self, Job};
use crate::scratch::Scratch;
use crate::settings::Partition;
use crate::stage::rasterize::Triangles;
use crate::stage::simplify_contours::Refinement;
use crate::stage::triangulate::Triangulation;
use crate::stage::{
    compact, detail_mesh, distance_field, emit, erode, filter_ledges, filter_low_ceilings,
    filter_low_hanging, floors, mark_areas, mark_walkable, merge_holes, poly_mesh, rasterize, regions,
    simplify_contours, trace_contours, triangulate,
};
use crate::tiling::Tiling;
use navtile::{Tile, TileCoord};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A baked tile, and what there is to say about it.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The tile, verified.
    pub tile: Tile,
    /// How many walkable cells each of its local islands covers; see [`navtile::graph::local_islands`].
    pub island_cells: Vec<u64>,
    /// What each stage made.
    pub counts: Counts,
    /// What was mended or dropped.
    pub diagnostics: Vec<Diagnostic>,
    /// How long each stage took, in order. Stages 2 to 6 are one sweep, unless each was asked for its result (see
    /// [`StageId::Rasterize`] and [`bake_tapped`]).
    pub stage_times: Vec<(StageId, Duration)>,
}

/// How much of everything a bake made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Grid columns along x and z, border included.
    pub grid: [u32; 2],
    /// Triangles given, degenerate ones included.
    pub triangles: usize,
    /// Spans after rasterizing.
    pub spans: usize,
    /// Walkable spans after filtering.
    pub compact_spans: usize,
    /// Largest distance to a border, half cells.
    pub max_distance: u16,
    /// Regions.
    pub regions: u32,
    /// Contours, joined holes not counted.
    pub contours: usize,
    /// Corners of all contours.
    pub contour_vertices: usize,
    /// Vertices of the polygon mesh.
    pub vertices: usize,
    /// Polygons.
    pub polygons: usize,
    /// Vertices of the detail mesh, polygon corners included.
    pub detail_vertices: usize,
    /// Triangles of the detail mesh.
    pub detail_triangles: usize,
    /// Area of all polygons seen from above, m².
    pub walkable_area: f64,
}

/// One tile to bake: a rectangle of the lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileBuild {
    /// Where it stands in the grid of tiles.
    pub coord: TileCoord,
    /// Its columns, border included.
    pub grid: Grid,
}

/// An intermediate result, shown to a tap (see [`bake_tapped`]): for pictures, golden hashes and comparison.
#[derive(Clone, Copy, Debug)]
pub enum Snapshot<'a> {
    /// After rasterizing.
    Rasterized(&'a SpanField<Rasterized>),
    /// After the low-hanging filter.
    ObstaclesDone(&'a SpanField<ObstaclesDone>),
    /// After the ledge filter.
    LedgesDone(&'a SpanField<LedgesDone>),
    /// After the low-ceiling filter.
    Filtered(&'a SpanField<Filtered>),
    /// After compaction.
    Compacted(&'a CompactField<Compacted>),
    /// After erosion.
    Eroded(&'a CompactField<Eroded>),
    /// After marking areas.
    Marked(&'a CompactField<Eroded>),
    /// With distances.
    Distance(&'a DistanceField),
    /// With regions.
    Regions(&'a RegionField),
    /// Traced outlines.
    RawContours(&'a RawContours),
    /// Simplified outlines and holes.
    Simplified(&'a SimplifiedContours),
    /// Contours with holes joined.
    Contours(&'a ContourSet),
    /// The polygon mesh.
    PolyMesh(&'a PolyMesh),
    /// The detail mesh.
    DetailMesh(&'a DetailMesh),
}

/// Bakes a whole level as one tile.
pub fn bake_solo(
    level: &PreparedLevel,
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Baked, Error> {
    bake(level, Source::All, &TileBuild::solo(level), observer, scratch)
}

/// Bakes one tile of a level cut into square tiles of `tile_cells` cells. For more than a few tiles make a
/// [`Tiling`], which finds the triangles of all tiles at once.
pub fn bake_tile(
    level: &PreparedLevel,
    tile_cells: u32,
    coord: TileCoord,
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Baked, Error> {
    bake(level, Source::All, &TileBuild::tiled(level, tile_cells, coord)?, observer, scratch)
}

/// Bakes all tiles of a level, in parallel on rayon's current pool, the largest first, each worker with scratch of its
/// own. Islands that are too small, over all tiles they reach, are dropped; tiles without polygons are left out. The
/// result is in the canonical order of tiles (x, z, layer) and does not depend on the number of threads.
pub fn bake_tiles(
    level: &PreparedLevel,
    tile_cells: u32,
    observer: &dyn Observer,
) -> Result<Vec<Baked>, Error> {
    let tiling = Tiling::new(level, tile_cells)?;
    let jobs: Vec<Job> = tiling.coords().into_iter().map(|coord| Job { coord, agents: vec![0] }).collect();
    let done = Mutex::new(Vec::with_capacity(jobs.len()));
    schedule::bake_jobs(&tiling, &jobs, u64::MAX, observer, &|_, baked| {
        done.lock().unwrap_or_else(PoisonError::into_inner).push(baked);
        Ok::<(), Error>(())
    })?;
    let mut baked = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    prune_islands(level, tile_cells, &mut baked)?;
    Ok(baked)
}

/// Bakes a tile and shows every intermediate result to `tap`.
pub fn bake_tapped(
    level: &PreparedLevel,
    build: &TileBuild,
    observer: &dyn Observer,
    scratch: &mut Scratch,
    tap: &mut dyn FnMut(Snapshot<'_>),
) -> Result<Baked, Error> {
    bake_from(level, Source::All, build, observer, scratch, &mut Tap(Some(tap)))
}

/// Who is shown intermediate results, if anyone: then each stage makes its own, and nothing is fused.
struct Tap<'a>(Option<&'a mut dyn FnMut(Snapshot<'_>)>);

impl Tap<'_> {
    fn show(&mut self, snapshot: Snapshot<'_>) {
        if let Some(tap) = &mut self.0 {
            tap(snapshot);
        }
    }
}

/// What a tile is rasterized from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// All triangles of the level.
    All,
    /// The triangles of these numbers.
    Some(&'a [u32]),
    /// The triangles of these numbers, cut into columns already.
    Cut(&'a [u32], &'a rasterize::FragmentField),
}

/// Bakes a tile from `source`.
pub(crate) fn bake(
    level: &PreparedLevel,
    source: Source<'_>,
    build: &TileBuild,
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Baked, Error> {
    bake_from(level, source, build, observer, scratch, &mut Tap(None))
}

fn bake_from(
    level: &PreparedLevel,
    source: Source<'_>,
    build: &TileBuild,
    observer: &dyn Observer,
    scratch: &mut Scratch,
    tap: &mut Tap<'_>,
) -> Result<Baked, Error> {
    check_memory(level, build)?;
    let config = &level.config;
    let mut run = Run::new(level, build, observer);
    let threads = run.threads;
    let field = find_floors(&mut run, source, build, scratch, tap)?;
    let regions = find_regions(&mut run, field, tap)?;
    tap.show(Snapshot::Regions(&regions));
    let (contours, triangulation) = find_contours(&mut run, &regions, scratch, tap)?;
    tap.show(Snapshot::Contours(&contours));
    let mesh = run.stage(StageId::PolyMesh, |report| {
        let params = poly_mesh::Params { max_vertices: config.settings.max_vertices };
        poly_mesh::run_with(&contours, &triangulation, &params, report, &mut scratch.poly_mesh)
    })??;
    run.count_mesh(&contours, &mesh);
    tap.show(Snapshot::PolyMesh(&mesh));
    let detail = run.stage(StageId::DetailMesh, |report| {
        let params = detail_mesh::Params {
            sample_distance: config.detail_sample_distance,
            max_error: config.detail_max_error,
            contour_max_error: config.contour_max_error,
        };
        detail_mesh::run_on(&mesh, &regions, &params, report, threads, &mut scratch.detail)
    })??;
    (run.counts.detail_vertices, run.counts.detail_triangles) =
        (detail.vertices.len(), detail.triangles.len());
    tap.show(Snapshot::DetailMesh(&detail));
    let emitted = run.stage(StageId::Emit, |report| {
        emit::run_with(level, build.coord, &mesh, &detail, report, &mut scratch.emit)
    })??;
    let island_cells = islands::cells(&emitted, &mesh, &regions);
    Ok(run.finish(emitted.tile, island_cells))
}

/// Stages 1 to 8: from triangles to the floors an agent can stand on.
fn find_floors(
    run: &mut Run<'_>,
    source: Source<'_>,
    build: &TileBuild,
    scratch: &mut Scratch,
    tap: &mut Tap<'_>,
) -> Result<CompactField<Eroded>, Error> {
    let level = run.level;
    let threads = run.threads;
    let config = &level.config;
    let areas = run.stage(StageId::MarkWalkable, |_| {
        let params = mark_walkable::Params { walkable_slope: config.walkable_slope };
        match source {
            Source::All => mark_walkable::run(level, &params),
            Source::Some(ids) | Source::Cut(ids, _) => mark_walkable::run_some(level, ids, &params),
        }
    })?;
    let field = match tap.0 {
        None => sweep_floors(run, source, &areas, build, scratch)?,
        Some(_) => show_floors(run, source, &areas, build, scratch, tap)?,
    };
    run.counts.compact_spans = field.len();
    tap.show(Snapshot::Compacted(&field));
    let field = run.stage(StageId::Erode, |_| {
        erode::run_on(field, &erode::Params { walkable_radius: config.walkable_radius }, threads)
    })?;
    tap.show(Snapshot::Eroded(&field));
    let field = run.stage(StageId::MarkAreas, |_| {
        let params = mark_areas::Params { median_filter: config.settings.median_filter };
        mark_areas::run(field, &config.settings.volumes, &level.lattice, &params)
    })?;
    tap.show(Snapshot::Marked(&field));
    Ok(field)
}

/// Stages 2 to 6: one sweep over rows, then the neighbours of floors.
fn sweep_floors(
    run: &mut Run<'_>,
    source: Source<'_>,
    areas: &[AreaId],
    build: &TileBuild,
    scratch: &mut Scratch,
) -> Result<CompactField<Compacted>, Error> {
    let config = &run.level.config;
    let params = floors::Params {
        merge_threshold: config.walkable_climb,
        walkable_height: config.walkable_height,
        walkable_climb: config.walkable_climb,
    };
    let source = match source {
        Source::All => floors::Source::Triangles(run.level, Triangles { ids: None, areas }),
        Source::Some(ids) => floors::Source::Triangles(run.level, Triangles { ids: Some(ids), areas }),
        Source::Cut(_, field) => floors::Source::Cut(field, areas),
    };
    let threads = run.threads;
    let (parts, spans) = run.stage(StageId::Rasterize, |_| {
        floors::run(source, &build.grid, &params, threads, &mut scratch.floors)
    })??;
    run.counts.spans = spans;
    run.stage(StageId::Compact, |_| {
        let (walkable_height, walkable_climb) = (config.walkable_height, config.walkable_climb);
        compact::connect(parts, &compact::Params { walkable_height, walkable_climb }, threads, false)
    })
}

/// Stages 2 to 6, one after the other, each result shown to the tap.
fn show_floors(
    run: &mut Run<'_>,
    source: Source<'_>,
    areas: &[AreaId],
    build: &TileBuild,
    scratch: &mut Scratch,
    tap: &mut Tap<'_>,
) -> Result<CompactField<Compacted>, Error> {
    let level = run.level;
    let config = &level.config;
    let spans = run.stage(StageId::Rasterize, |_| {
        let params = rasterize::Params { merge_threshold: config.walkable_climb };
        match source {
            Source::All => rasterize::run(level, areas, &build.grid, &params, scratch),
            Source::Some(ids) => rasterize::run_some(level, ids, areas, &build.grid, &params, scratch),
            Source::Cut(_, field) => {
                rasterize::run_cut(field, areas, &build.grid, &params, &mut scratch.rasterize)
            }
        }
    })??;
    run.counts.spans = spans.len();
    tap.show(Snapshot::Rasterized(&spans));
    let spans = run.stage(StageId::FilterLowHanging, |_| {
        filter_low_hanging::run(spans, &filter_low_hanging::Params { walkable_climb: config.walkable_climb })
    })?;
    tap.show(Snapshot::ObstaclesDone(&spans));
    let (walkable_height, walkable_climb) = (config.walkable_height, config.walkable_climb);
    let spans = run.stage(StageId::FilterLedges, |_| {
        filter_ledges::run(spans, &filter_ledges::Params { walkable_height, walkable_climb })
    })?;
    tap.show(Snapshot::LedgesDone(&spans));
    let spans = run.stage(StageId::FilterLowCeilings, |_| {
        filter_low_ceilings::run(spans, &filter_low_ceilings::Params { walkable_height })
    })?;
    tap.show(Snapshot::Filtered(&spans));
    let field = run.stage(StageId::Compact, |_| {
        compact::run(spans, &compact::Params { walkable_height, walkable_climb })
    })?;
    Ok(field)
}

/// Stages 9 and 10; the sweeping partitions need no distances.
fn find_regions(
    run: &mut Run<'_>,
    field: CompactField<Eroded>,
    tap: &mut Tap<'_>,
) -> Result<RegionField, Error> {
    let threads = run.threads;
    let config = &run.level.config;
    let params =
        regions::Params { min_cells: config.region_min_cells, merge_cells: config.region_merge_cells };
    let regions = match config.settings.partition {
        Partition::Watershed => {
            let distance = run.stage(StageId::DistanceField, |_| distance_field::run_on(field, threads))?;
            run.counts.max_distance = distance.max_distance;
            tap.show(Snapshot::Distance(&distance));
            run.stage(StageId::Regions, |_| regions::watershed_on(distance, &params, threads))?
        }
        Partition::Monotone => run.stage(StageId::Regions, |_| regions::monotone(field, &params))?,
        Partition::Layers => run.stage(StageId::Regions, |_| regions::layers(field, &params))?,
    };
    run.counts.regions = regions.count;
    Ok(regions)
}

/// Stages 11 to 13, and the triangulation of 14. Where simplification has tied a region's contours into a knot,
/// the region is simplified less, until it comes out clean or its outline is raw.
fn find_contours(
    run: &mut Run<'_>,
    regions: &RegionField,
    scratch: &mut Scratch,
    tap: &mut Tap<'_>,
) -> Result<(ContourSet, Triangulation), Error> {
    let settings = &run.level.config.settings;
    let raw = run.stage(StageId::TraceContours, |report| trace_contours::run(regions, report))?;
    tap.show(Snapshot::RawContours(&raw));
    let params = simplify_contours::Params {
        max_error: run.level.config.contour_max_error,
        max_edge: run.level.config.max_edge_cells,
        split_walls: settings.split_walls,
        split_areas: settings.split_areas,
    };
    let mut refinement = Refinement::none(&raw);
    let reported = run.report.diagnostics.len();
    loop {
        let (simplified, vanished) =
            run.stage(StageId::SimplifyContours, |_| simplify_contours::run(&raw, &params, &refinement))?;
        let shown = tap.0.is_some().then(|| simplified.clone());
        let (contours, mut faults) =
            run.stage(StageId::MergeHoles, |report| merge_holes::run(simplified, report))?;
        let triangulation =
            run.stage(StageId::PolyMesh, |_| triangulate::run_with(&contours, &mut scratch.triangulate))?;
        faults.extend(vanished);
        faults.extend(triangulation.faults.iter().map(|&(_, region)| region));
        faults.sort_unstable();
        faults.dedup();
        let raised: Vec<RegionId> = faults.into_iter().filter(|&region| refinement.raise(region)).collect();
        if raised.is_empty() {
            run.report_refined(&raw, &refinement);
            if let Some(shown) = &shown {
                tap.show(Snapshot::Simplified(shown));
            }
            return Ok((contours, triangulation));
        }
        // What this attempt had to complain about, the next one may do better.
        run.report.diagnostics.truncate(reported);
    }
}

/// The state of one bake that is not passed from stage to stage.
struct Run<'a> {
    level: &'a PreparedLevel,
    coord: TileCoord,
    observer: &'a dyn Observer,
    /// How many threads share the work of a stage.
    threads: usize,
    report: Report,
    counts: Counts,
    stage_times: Vec<(StageId, Duration)>,
}

impl<'a> Run<'a> {
    fn new(level: &'a PreparedLevel, build: &TileBuild, observer: &'a dyn Observer) -> Run<'a> {
        let grid = &build.grid;
        let border = i64::from(grid.border);
        let base_cell = [i64::from(grid.base_x) + border, 0, i64::from(grid.base_z) + border];
        let counts =
            Counts { grid: [grid.width, grid.depth], triangles: level.triangles_given, ..Counts::default() };
        let mut report = Report::new(level.lattice, base_cell);
        report.diagnostics.extend(level.diagnostics.iter().cloned());
        let threads = bands::threads(grid);
        Run {
            level,
            coord: build.coord,
            observer,
            threads,
            report,
            counts,
            stage_times: Vec::with_capacity(16),
        }
    }

    /// Runs one stage under the observer's eyes.
    fn stage<T>(&mut self, stage: StageId, work: impl FnOnce(&mut Report) -> T) -> Result<T, Error> {
        if self.observer.cancelled() {
            return Err(Error::Cancelled);
        }
        let _span = tracing::debug_span!("stage", name = stage.name()).entered();
        self.observer.stage_started(self.coord, stage);
        let start = Instant::now();
        let result = work(&mut self.report);
        let elapsed = start.elapsed();
        match self.stage_times.iter_mut().find(|(other, _)| *other == stage) {
            Some((_, total)) => *total += elapsed,
            None => self.stage_times.push((stage, elapsed)),
        }
        self.observer.stage_finished(self.coord, stage, elapsed);
        Ok(result)
    }

    /// Says which regions had to be simplified less than asked for.
    fn report_refined(&mut self, raw: &RawContours, refinement: &Refinement) {
        let refined = raw.contours.iter().filter(|contour| refinement.level(contour.region) > 0);
        let mut seen = RegionId::NONE;
        for contour in refined {
            if std::mem::replace(&mut seen, contour.region) == contour.region {
                continue;
            }
            let how = match refinement.level(contour.region) {
                Refinement::RAW => "kept as traced".to_owned(),
                level => format!("simplified with 1/{} of the error", 1 << level),
            };
            let what = format!("the contours of a region tied themselves into a knot and were {how}");
            self.report.at_cell(DiagnosticKind::RefinedContour, contour.vertices[0].position, what);
        }
    }

    fn count_mesh(&mut self, contours: &ContourSet, mesh: &PolyMesh) {
        let cell_area = self.level.lattice.cell_size * self.level.lattice.cell_size;
        let doubled: i128 = mesh.polygons.iter().map(|polygon| mesh.polygon_area2(polygon)).sum();
        self.counts.contours =
            contours.contours.iter().filter(|contour| !contour.vertices.is_empty()).count();
        self.counts.contour_vertices = contours.contours.iter().map(|contour| contour.vertices.len()).sum();
        self.counts.vertices = mesh.vertices.len();
        self.counts.polygons = mesh.polygons.len();
        self.counts.walkable_area = doubled as f64 * 0.5 * cell_area;
    }

    fn finish(mut self, tile: Tile, island_cells: Vec<u64>) -> Baked {
        if self.counts.polygons == 0 {
            let what = "the mesh is empty: no surface is flat, high, wide and large enough for this agent";
            self.report.at(DiagnosticKind::EmptyMesh, None, what);
        }
        Baked {
            tile,
            island_cells,
            counts: self.counts,
            diagnostics: self.report.diagnostics,
            stage_times: self.stage_times,
        }
    }
}

/// The version of the bake: raised with every change that makes other bytes of the same input, so that tiles of
/// older bakes are not taken over.
pub const BAKE_VERSION: u32 = 1;

/// Bytes a bake needs for each column of the grid, as measured on open terrain; levels with many storeys need
/// more, but not by much, as their columns are mostly empty.
const BYTES_PER_COLUMN: u64 = 100;

/// Bytes a bake needs for each triangle that reaches the grid: its area, its place in bands of rows, a few fragments.
const BYTES_PER_TRIANGLE: u64 = 64;

/// Refuses a grid that would not fit, before anything is allocated.
fn check_memory(level: &PreparedLevel, build: &TileBuild) -> Result<(), Error> {
    let (width, depth) = (u64::from(build.grid.width), u64::from(build.grid.depth));
    let remedy = "enlarge the cell size, give smaller bounds, or bake in tiles";
    navmath::limit::check(
        "cells along a side of a grid",
        width.max(depth),
        u64::from(MAX_GRID_SIDE),
        remedy,
    )?;
    let estimate = width * depth * BYTES_PER_COLUMN;
    let bound = level.config.settings.memory_bound;
    if estimate <= bound { Ok(()) } else { Err(Error::too_large(&build.grid, estimate, bound)) }
}

/// Memory that a tile is expected to take while it is baked, bytes: its grid, its triangles, and their parts in all
/// columns at once if they are kept for several agents.
pub(crate) fn tile_memory(grid: &Grid, triangles: usize, several_agents: bool) -> u64 {
    let columns = u64::from(grid.width) * u64::from(grid.depth);
    let kept = if several_agents { BYTES_PER_COLUMN / 2 } else { 0 };
    columns * (BYTES_PER_COLUMN + kept) + triangles as u64 * BYTES_PER_TRIANGLE
}

impl TileBuild {
    /// The whole level as one tile, without a border.
    pub fn solo(level: &PreparedLevel) -> TileBuild {
        let grid = Grid {
            width: level.size[0],
            depth: level.size[2],
            border: 0,
            base_x: 0,
            base_z: 0,
            cell_size: level.config.cell_size,
            cell_height: level.config.cell_height,
        };
        TileBuild { coord: TileCoord::default(), grid }
    }

    /// One tile of a level cut into square tiles of `tile_cells` cells, with its border around it: the agent's
    /// radius, which erosion reaches across, and three cells more, which contours need to agree on their corners.
    /// Tile (0, 0) starts at the lattice's zero. The last tiles are as large as the others, so that a level can
    /// grow without moving them.
    pub fn tiled(level: &PreparedLevel, tile_cells: u32, coord: TileCoord) -> Result<TileBuild, Error> {
        let border = level.config.walkable_radius as u32 + 3;
        let side = u64::from(tile_cells) + 2 * u64::from(border);
        let remedy = "choose smaller tiles or a larger cell size";
        navmath::limit::check("cells along a tile with its border", side, u64::from(MAX_GRID_SIDE), remedy)?;
        let base = |tile: i32| -> Result<i32, Error> {
            let cell = i64::from(tile) * i64::from(tile_cells) - i64::from(border);
            let limit = i64::from(i32::MAX) - side as i64;
            let remedy = "this tile lies outside every level: give a coordinate of the level's own tiles";
            navmath::limit::check(
                "cells from the lattice's zero",
                cell.unsigned_abs(),
                limit as u64,
                remedy,
            )?;
            Ok(cell as i32)
        };
        let grid = Grid {
            width: side as u32,
            depth: side as u32,
            border,
            base_x: base(coord.x)?,
            base_z: base(coord.z)?,
            cell_size: level.config.cell_size,
            cell_height: level.config.cell_height,
        };
        Ok(TileBuild { coord, grid })
    }
}

#[cfg(test)]
mod tests;
