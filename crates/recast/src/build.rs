//! The pipeline, from top to bottom. This is the one place to read it; it holds control flow only.

use crate::baked::Baked;
use crate::data::column_spans::ColumnSpans;
use crate::data::compact::state::{Compacted, Eroded};
use crate::data::{CompactField, ContourSet, RawContours, RegionField, RegionId};
use crate::error::Error;
use crate::fast::{self, SweptFloors};
use crate::ground::{TileGround, TileLadders};
use crate::ground_mark::GroundMark;
use crate::input::PreparedLevel;
use crate::islands::RegionIslands;
use crate::memory;
use crate::observer::{Observer, StageId};
use crate::outline::{self, Moves, OutlineFault, VolumeEdges};
use crate::scratch::Scratch;
use crate::settings::area_order::AreaOrder;
use crate::settings::{Outlines, Partition};
use crate::snapshot::Snapshot;
use crate::soundness::strips;
use crate::source::Source;
use crate::stage::simplify_contours::Refinement;
use crate::stage::triangulate::Triangulation;
use crate::stage::{
    compact, detail_mesh, distance_field, emit, erode, filter_ledges, filter_low_ceilings,
    filter_low_hanging, mark_areas, mark_walkable, merge_holes, poly_mesh, rasterize, regions,
    simplify_contours, trace_contours, triangulate,
};
use crate::tile_bake::{Tap, TileBake};
use crate::tile_build::TileBuild;
use navmath::sort::SharedSort;
use navtile::area::AreaId;
use navtile::{Tile, TileCoord};
use std::sync::Arc;

/// Bakes a whole level as one tile.
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use recast::{Scratch, Silent, bake_solo};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// let baked = bake_solo(&level, &Silent, &mut Scratch::new())?;
/// assert_eq!(baked.counts.polygons, 1);
/// assert_eq!(baked.tile.polygons().len(), 1);
/// # Ok::<(), recast::Error>(())
/// ```
pub fn bake_solo(
    level: &PreparedLevel,
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Baked, Error> {
    bake(Source::all(level), &TileBuild::solo(level), observer, scratch, None)
}

/// Bakes one tile of a level cut into square tiles of `tile_cells` cells. For more than a few tiles make a
/// `navlevel::Tiling`, which finds the triangles of all tiles at once.
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use navtile::TileCoord;
/// use recast::{Scratch, Silent, bake_tile};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// let coord = TileCoord { x: 1, z: 0, layer: 0 };
/// let baked = bake_tile(&level, 20, coord, &Silent, &mut Scratch::new())?;
/// assert_eq!(baked.tile.coord(), coord);
/// assert!(!baked.tile.portals().is_empty(), "the ground goes on in the neighbouring tiles");
/// # Ok::<(), recast::Error>(())
/// ```
pub fn bake_tile(
    level: &PreparedLevel,
    tile_cells: u32,
    coord: TileCoord,
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Baked, Error> {
    bake(Source::all(level), &TileBuild::tiled(level, tile_cells, coord)?, observer, scratch, None)
}

/// Bakes a tile and shows every intermediate result to `tap`.
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use recast::{Scratch, Silent, StageResults, TileBuild, bake_tapped};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// let mut results = StageResults::default();
/// let build = TileBuild::solo(&level);
/// bake_tapped(&level, &build, &Silent, &mut Scratch::new(), &mut |result| results.keep(result))?;
/// let regions = results.regions.expect("every bake has regions");
/// assert_eq!(regions.count, 1);
/// # Ok::<(), recast::Error>(())
/// ```
pub fn bake_tapped(
    level: &PreparedLevel,
    build: &TileBuild,
    observer: &dyn Observer,
    scratch: &mut Scratch,
    tap: &mut dyn FnMut(Snapshot<'_>),
) -> Result<Baked, Error> {
    bake(Source::all(level), build, observer, scratch, Some(tap))
}

/// Bakes a tile from floors that are already eroded and have their areas, from any origin: stages 9 to 16.
/// The grid of the field is that of the tile, border included. `navlayers::heightfield_layers::join` makes
/// such a field from layers, and [`PreparedLevel::without_triangles`] makes a level to go with it.
///
/// The caller vouches for the field, as for [`CompactField::from_arrays`]; in doubt call
/// [`CompactField::check`].
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use recast::{Scratch, Silent, StageResults, TileBuild, bake_field, bake_tapped};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// let (build, mut results) = (TileBuild::solo(&level), StageResults::default());
/// let mut scratch = Scratch::new();
/// let baked = bake_tapped(&level, &build, &Silent, &mut scratch, &mut |result| results.keep(result))?;
/// let field = results.marked.expect("every bake marks areas");
/// let again = bake_field(&level, build.coord, field, &Silent, &mut scratch)?;
/// assert_eq!(again.tile.bytes(), baked.tile.bytes());
/// # Ok::<(), recast::Error>(())
/// ```
pub fn bake_field(
    level: &PreparedLevel,
    coord: TileCoord,
    field: CompactField<Eroded>,
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Baked, Error> {
    let build = TileBuild { coord, grid: field.grid };
    TileBake::new(level, &build, observer, None).finish(scratch, |bake| {
        bake.counts.compact_spans = field.len();
        bake.build_mesh(field)
    })
}

/// Bakes a tile from the triangles of `source`; `tap` sees each intermediate result.
pub fn bake(
    source: Source<'_>,
    build: &TileBuild,
    observer: &dyn Observer,
    scratch: &mut Scratch,
    tap: Tap<'_>,
) -> Result<Baked, Error> {
    let ladders = TileLadders::of_triangles(source, &build.grid);
    bake_marked((source, &[], ladders), build, observer, scratch, tap)
}

/// Like [`bake`], but also marks the ground of obstacles, and takes surfaces of ladders that need not be
/// among the triangles.
pub fn bake_marked(
    (source, marks, ladders): (Source<'_>, &[GroundMark<'_>], TileLadders),
    build: &TileBuild,
    observer: &dyn Observer,
    scratch: &mut Scratch,
    tap: Tap<'_>,
) -> Result<Baked, Error> {
    memory::check(source, &build.grid, source.level.config.settings.memory_bound)?;
    TileBake::new(source.level, build, observer, tap).finish(scratch, |bake| {
        bake.ladders = ladders;
        let floors = bake.find_floors(source)?;
        let field = bake.mark(floors, marks)?;
        bake.build_mesh(field)
    })
}

impl TileBake<'_, '_> {
    /// Stages 9 to 16: the tile, and the walkable cells of each of its islands.
    pub fn build_mesh(&mut self, field: CompactField<Eroded>) -> Result<(Tile, Vec<u64>), Error> {
        let mut regions = self.find_regions(field)?;
        let (contours, triangulation) = self.find_contours(&mut regions)?;
        let mesh = self.stage(StageId::PolyMesh, poly_mesh::run, (&contours, &triangulation))?;
        self.counts.add_mesh(&contours, &mesh, self.level.lattice.cell_size);
        self.show(Snapshot::PolyMesh(&mesh));
        let detail = self.stage(StageId::DetailMesh, detail_mesh::run, (&mesh, &regions))?;
        self.counts.detail_vertices = detail.vertices.len();
        self.counts.detail_triangles = detail.triangles.len();
        self.show(Snapshot::DetailMesh(&detail));
        let emitted = self.stage(StageId::Emit, emit::run, (self.level, self.build.coord, &mesh, &detail))?;
        let islands = RegionIslands::new(&emitted, &mesh, &regions);
        let island_cells = islands.cells(&regions);
        let ladders = std::mem::take(&mut self.ladders);
        self.ground = self.spans.take().map(|spans| {
            let spans = (spans, ladders);
            Box::new(TileGround::new(self.build.coord, spans, &regions, &islands.of_region))
        });
        Ok((emitted.tile, island_cells))
    }

    /// Stages 1 to 7: from triangles to the floors that an agent can walk on.
    pub fn find_floors(&mut self, source: Source<'_>) -> Result<CompactField<Eroded>, Error> {
        let mut areas = self.stage(StageId::MarkWalkable, mark_walkable::run, source)?;
        let order = AreaOrder::new(&self.level.config.settings);
        order.rank(&mut areas);
        let field = match self.tap {
            None => self.sweep_floors(source, &areas, &order)?,
            Some(_) => self.show_floors(source, &areas, &order)?,
        };
        self.counts.compact_spans = field.len();
        self.show(Snapshot::Compacted(&field));
        let field = match self.tap {
            _ if self.has_exact_outlines() => {
                let (field, lines) = self.stage(StageId::Erode, outline::erode, (field, source, &areas))?;
                self.wall_lines = Some(Arc::new(lines));
                field
            }
            None => self.stage(StageId::Erode, fast::erode, field)?,
            Some(_) => self.stage(StageId::Erode, erode::run, field)?,
        };
        self.show(Snapshot::Eroded(&field));
        Ok(field)
    }

    /// Returns true if outlines follow the triangles.
    fn has_exact_outlines(&self) -> bool {
        let settings = &self.level.config.settings;
        settings.outlines == Outlines::Exact && settings.agent_radius > 0.0
    }

    /// Stage 8: the areas of volumes, and of obstacles that mark ground.
    pub fn mark(
        &mut self,
        field: CompactField<Eroded>,
        marks: &[GroundMark<'_>],
    ) -> Result<CompactField<Eroded>, Error> {
        let volumes = self.level.config.settings.volumes.as_slice();
        let marks = (field, volumes, marks, &self.level.lattice);
        let field = self.stage(StageId::MarkAreas, mark_areas::run, marks)?;
        self.show(Snapshot::Marked(&field));
        Ok(field)
    }

    /// Stages 2 to 6: one sweep over rows, then the neighbours of floors.
    fn sweep_floors(
        &mut self,
        source: Source<'_>,
        areas: &[AreaId],
        order: &AreaOrder,
    ) -> Result<CompactField<Compacted>, Error> {
        let grid = &self.build.grid;
        let SweptFloors { parts, count, spans } =
            self.stage(StageId::Rasterize, fast::floors, (source, areas, grid))?;
        (self.counts.spans, self.spans) = (count, spans);
        let mut field = self.stage(StageId::Compact, fast::connect, parts)?;
        order.restore(&mut field.area);
        Ok(field)
    }

    /// Stages 2 to 6, one after the other, each result shown to the tap.
    fn show_floors(
        &mut self,
        source: Source<'_>,
        areas: &[AreaId],
        order: &AreaOrder,
    ) -> Result<CompactField<Compacted>, Error> {
        let grid = &self.build.grid;
        let mut spans = self.stage(StageId::Rasterize, rasterize::run, (source, areas, grid))?;
        order.restore(&mut spans.area);
        self.counts.spans = spans.len();
        if !self.level.config.settings.links.is_empty() {
            self.spans = Some(ColumnSpans::of_field(&spans));
        }
        self.show(Snapshot::Rasterized(&spans));
        let spans = self.stage(StageId::FilterLowHanging, filter_low_hanging::run, spans)?;
        self.show(Snapshot::ObstaclesDone(&spans));
        let spans = self.stage(StageId::FilterLedges, filter_ledges::run, spans)?;
        self.show(Snapshot::LedgesDone(&spans));
        let spans = self.stage(StageId::FilterLowCeilings, filter_low_ceilings::run, spans)?;
        self.show(Snapshot::Filtered(&spans));
        self.stage(StageId::Compact, compact::run, spans)
    }

    /// Stages 9 and 10; the sweeping partitions need no distances.
    fn find_regions(&mut self, field: CompactField<Eroded>) -> Result<RegionField, Error> {
        let regions = match self.level.config.settings.partition {
            Partition::Watershed => {
                let distance = match self.tap {
                    None => self.stage(StageId::DistanceField, fast::distance_field, field)?,
                    Some(_) => self.stage(StageId::DistanceField, distance_field::run, field)?,
                };
                self.counts.max_distance = distance.max_distance;
                self.show(Snapshot::Distance(&distance));
                self.stage(StageId::Regions, regions::watershed, distance)?
            }
            Partition::Monotone => self.stage(StageId::Regions, regions::monotone, field)?,
            Partition::Layers => self.stage(StageId::Regions, regions::layers, field)?,
        };
        self.counts.regions = regions.count;
        self.show(Snapshot::Regions(&regions));
        Ok(regions)
    }

    /// Stages 11 to 13, and the triangulation of 14. If regions have slits that cannot be outlined, cuts
    /// these regions into strips and runs the stages again. If exact outlines of regions cross, runs them
    /// again with these regions moved less.
    fn find_contours(&mut self, regions: &mut RegionField) -> Result<(ContourSet, Triangulation), Error> {
        let is_exact = self.wall_lines.is_some();
        let mut moves = if is_exact { Moves::to_lines(regions) } else { Moves::still(regions) };
        let reported = self.context.report.diagnostics.len();
        loop {
            let (raw, faults) = self.trace(regions, &moves)?;
            if !moves.lower(regions, &faults) {
                match self.make_contours(&raw) {
                    Err(Error::Gaps { .. }) if moves.stop() => {}
                    Err(Error::Gaps { .. }) => {
                        strips::cut(regions, &strips::with_slits(&raw));
                        self.counts.regions = regions.count;
                        let (raw, _) = self.trace(regions, &Moves::still(regions))?;
                        let (contours, triangulation, _) = self.make_contours(&raw)?;
                        return Ok((contours, triangulation));
                    }
                    Err(error) => return Err(error),
                    Ok((contours, triangulation, faults)) => {
                        let faults: Vec<OutlineFault> =
                            faults.into_iter().map(|region| OutlineFault { region, place: None }).collect();
                        if !moves.lower(regions, &faults) {
                            return Ok((contours, triangulation));
                        }
                    }
                }
            }
            self.context.report.diagnostics.truncate(reported);
        }
    }

    fn trace(
        &mut self,
        regions: &RegionField,
        moves: &Moves,
    ) -> Result<(RawContours, Vec<OutlineFault>), Error> {
        let lines = self.wall_lines.clone();
        let exact = lines.as_deref().map(|lines| {
            let PreparedLevel { config, lattice, .. } = self.level;
            (lines, VolumeEdges::new(&regions.field, lines, config, lattice), moves)
        });
        let (raw, faults) = self.stage(StageId::TraceContours, trace_contours::trace, (regions, exact))?;
        if self.wall_lines.is_some() {
            let lengths = raw.wall_lengths().map(|cells| cells * self.level.lattice.cell_size);
            [self.counts.walls, self.counts.exact_walls] = lengths;
        }
        Ok((raw, faults))
    }

    /// Stages 12 and 13, and the triangulation of 14. If a region's contours cross themselves after
    /// simplification, the region is simplified less, until it has no faults or its outline is raw.
    /// Returns the regions that still have faults then.
    fn make_contours(
        &mut self,
        raw: &RawContours,
    ) -> Result<(ContourSet, Triangulation, Vec<RegionId>), Error> {
        self.show(Snapshot::RawContours(raw));
        let mut refinement = Refinement::none(raw);
        let reported = self.context.report.diagnostics.len();
        loop {
            let (simplified, mut faults) =
                self.stage(StageId::SimplifyContours, simplify_contours::run, (raw, &refinement))?;
            let shown = self.tap.is_some().then(|| simplified.clone());
            let (contours, unmerged) = self.stage(StageId::MergeHoles, merge_holes::run, simplified)?;
            let triangulation = self.stage(StageId::PolyMesh, triangulate::run, &contours)?;
            faults.extend(unmerged);
            faults.extend(triangulation.faults.iter().map(|&(_, region)| region));
            faults.shared_sort();
            faults.dedup();
            let raised: Vec<RegionId> =
                faults.iter().copied().filter(|&region| refinement.raise(region)).collect();
            if raised.is_empty() {
                refinement.report(raw, &mut self.context.report);
                if let Some(shown) = &shown {
                    self.show(Snapshot::Simplified(shown));
                }
                self.show(Snapshot::Contours(&contours));
                return Ok((contours, triangulation, faults));
            }
            // Drop the diagnostics of this attempt: the next one starts over.
            self.context.report.diagnostics.truncate(reported);
        }
    }
}

#[cfg(test)]
mod tests;
