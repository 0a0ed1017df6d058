//! The tap: follows the floors of one column from stage to stage and notes the stage that drops each of them.

use super::explanation::{Column, Covering, Floor};
use super::triangles::{self, Flattest};
use super::{erosion, polygons, regions};
use navlinks::{Reason, ReasonCode};
use navmath::lattice::snap_quotient;
use navmath::sort::SharedSort;
use navtile::Tile;
use navtile::area::AreaId;
use recast::Outlines;
use recast::PreparedLevel;
use recast::Snapshot;
use recast::TileBuild;
use recast::data::compact::state::Compacted;
use recast::data::span::OPEN_SKY;
use recast::data::span::state::{LedgesDone, Rasterized};
use recast::data::{CompactField, ContourSet, Grid, Region, RegionField, RegionId, SpanField};
use recast::inside::Footprint;
use recast::inside::Source;
use recast::inside::outline::{self, NoRoom};
use recast::inside::stage::{Ledge, find_ledge};

/// A floor that is followed through the stages.
struct TracedFloor {
    /// Index of its span in the span field.
    span: usize,
    /// Bottom and top of the span, and where the next one begins, cells.
    bottom: i32,
    top: i32,
    ceiling: i32,
    area: AreaId,
    stepped_over: Option<i32>,
    region: RegionId,
    /// The reason for which the agent has no room at the place. If outlines are exact, also on floors that
    /// have room elsewhere in their cell.
    no_room: Option<Reason>,
    cause: Option<Reason>,
}

pub(super) struct Trace<'a> {
    level: &'a PreparedLevel,
    /// The area of each triangle; none unless outlines are exact.
    areas: Vec<AreaId>,
    at: [f64; 3],
    grid: Grid,
    /// The column within the grid.
    column: [u32; 2],
    candidates: Vec<TracedFloor>,
    nearest_geometry: Option<f64>,
}

impl<'a> Trace<'a> {
    /// Starts a trace of the column that contains `at`; `None` if `at` is outside the grid.
    /// `areas` are those of the level's triangles; none are needed unless outlines are exact.
    pub(super) fn new(
        (level, areas): (&'a PreparedLevel, Vec<AreaId>),
        build: &TileBuild,
        at: [f64; 3],
    ) -> Option<Trace<'a>> {
        let (lattice, grid) = (&level.lattice, build.grid);
        let column = |axis: usize, base: i32, count: u32| {
            let cell = ((at[axis] - lattice.origin[axis]) / lattice.cell_size).floor() - f64::from(base);
            (cell >= 0.0 && cell < f64::from(count)).then_some(cell as u32)
        };
        let column = [column(0, grid.base_x, grid.width)?, column(2, grid.base_z, grid.depth)?];
        let (candidates, nearest_geometry) = (Vec::new(), None);
        Some(Trace { level, areas, at, grid, column, candidates, nearest_geometry })
    }

    /// Notes what a stage made of the column.
    pub(super) fn see(&mut self, snapshot: Snapshot<'_>) {
        match snapshot {
            Snapshot::Rasterized(field) => self.see_rasterized(field),
            Snapshot::ObstaclesDone(field) => {
                self.see_obstacles(&field.area);
                self.find_ledges(field);
            }
            Snapshot::LedgesDone(field) => self.see_ledges(field),
            Snapshot::Compacted(field) => self.find_no_room(field),
            Snapshot::Eroded(field) => self.see_eroded(field),
            Snapshot::Marked(field) => self.see_marked(field),
            Snapshot::Regions(field) => self.see_regions(field),
            Snapshot::Contours(contours) => self.see_contours(contours),
            _ => {}
        }
    }

    fn metres(&self, cells: i32) -> f64 {
        f64::from(cells) * self.level.lattice.cell_height
    }

    fn index(&self) -> usize {
        self.grid.column(self.column[0], self.column[1])
    }

    /// The column's place on the lattice.
    fn cell(&self) -> [i64; 2] {
        [
            i64::from(self.grid.base_x) + i64::from(self.column[0]),
            i64::from(self.grid.base_z) + i64::from(self.column[1]),
        ]
    }

    /// World height of a lattice height.
    fn height(&self, cells: i32) -> f64 {
        self.level.lattice.origin[1] + self.metres(cells)
    }

    fn see_rasterized(&mut self, field: &SpanField<Rasterized>) {
        let column = field.column(self.index());
        for span in column.clone() {
            self.candidates.push(TracedFloor {
                span,
                bottom: field.min[span],
                top: field.max[span],
                ceiling: field.ceiling(&column, span),
                area: field.area[span],
                stepped_over: None,
                region: RegionId::NONE,
                no_room: None,
                cause: None,
            });
        }
        if column.is_empty() {
            self.nearest_geometry = self.nearest_filled(field);
        }
    }

    /// Distance between the middles of this column and the nearest one with spans, metres.
    fn nearest_filled(&self, field: &SpanField<Rasterized>) -> Option<f64> {
        let [x, z] = self.column.map(i64::from);
        let mut nearest: Option<i64> = None;
        for row in 0..self.grid.depth {
            for column in 0..self.grid.width {
                if !field.column(self.grid.column(column, row)).is_empty() {
                    let (dx, dz) = (i64::from(column) - x, i64::from(row) - z);
                    let squared = dx * dx + dz * dz;
                    nearest = Some(nearest.map_or(squared, |nearest| nearest.min(squared)));
                }
            }
        }
        nearest.map(|squared| (squared as f64).sqrt() * self.level.lattice.cell_size)
    }

    /// Stages 1 and 3: the tops that are too steep, and those of them that are kept as steps.
    fn see_obstacles(&mut self, areas: &[AreaId]) {
        let mut below: Option<i32> = None;
        for index in 0..self.candidates.len() {
            let candidate = &self.candidates[index];
            let (given, top) = (candidate.area, candidate.top);
            let step = below.map(|below| top - below);
            let kept = areas[candidate.span];
            if kept.is_walkable() && !given.is_walkable() {
                self.candidates[index].stepped_over = step;
                self.candidates[index].area = kept;
            } else if !kept.is_walkable() {
                self.candidates[index].cause = Some(self.unwalkable(top, step));
            }
            below = given.is_walkable().then_some(top);
        }
    }

    /// The reason for which the rasterized top at `top` cells is not walkable.
    fn unwalkable(&self, top: i32, step: Option<i32>) -> Reason {
        let config = &self.level.config;
        let limit = f64::from(config.walkable_slope);
        let found = triangles::flattest(self.level, &self.grid, self.column, top);
        match found {
            Some(flattest) if flattest.is_within(limit) && !flattest.area.is_walkable() => {
                ReasonCode::Unwalkable.into()
            }
            Some(Flattest { slope, .. }) if slope > 90.0 => {
                Reason::compared(ReasonCode::FacesDown, slope, limit)
            }
            // If no triangle ends at a top, the bounds cut it off: nothing flat can be there.
            _ => {
                let step = step.map(|step| [step, config.walkable_climb].map(|cells| self.metres(cells)));
                let slope = found.map_or(90.0, |flattest| flattest.slope);
                Reason::compared(ReasonCode::TooSteep(step), slope, limit)
            }
        }
    }

    /// The floors that stage 4 will drop.
    fn find_ledges<S>(&mut self, field: &SpanField<S>) {
        let config = &self.level.config;
        let params = config.into();
        let climb = self.metres(config.walkable_climb);
        for index in 0..self.candidates.len() {
            if self.candidates[index].cause.is_none() {
                let ledge = find_ledge(field, self.column, self.candidates[index].span, &params);
                self.candidates[index].cause = ledge.map(|ledge| match ledge {
                    Ledge::GridEdge(side) => ReasonCode::GridEdge(side).into(),
                    Ledge::Void(side) => ReasonCode::Void(side).into(),
                    Ledge::Drop(side, cells) => {
                        Reason::compared(ReasonCode::Drop(side), self.metres(cells), climb)
                    }
                    Ledge::Uneven(cells) => Reason::compared(ReasonCode::Uneven, self.metres(cells), climb),
                });
            }
        }
    }

    /// Stage 4, and with it the floors that stage 5 will drop.
    fn see_ledges(&mut self, field: &SpanField<LedgesDone>) {
        let (height, rounded) = (self.level.config.walkable_height, self.level.config.rounded_headroom);
        for index in 0..self.candidates.len() {
            let candidate = &self.candidates[index];
            let clearance = candidate.ceiling - candidate.top;
            if field.area[candidate.span].is_walkable() && clearance < height {
                let [clearance, height] = [clearance, height].map(|cells| self.metres(cells + rounded));
                self.candidates[index].cause =
                    Some(Reason::compared(ReasonCode::LowCeiling, clearance, height));
            }
        }
    }

    /// The floor of a candidate in a compact field; `None` if it was dropped before.
    fn floor_of<S>(&self, field: &CompactField<S>, candidate: &TracedFloor) -> Option<usize> {
        let spans = field.column(self.index());
        spans.into_iter().find(|&span| candidate.cause.is_none() && field.floor[span] == candidate.top)
    }

    /// The reasons for which the agent has no room, on each floor that stage 7 finds.
    fn find_no_room(&mut self, field: &CompactField<Compacted>) {
        let all = self.candidates.iter().enumerate();
        let floors: Vec<(usize, usize)> =
            all.filter_map(|(index, candidate)| Some((index, self.floor_of(field, candidate)?))).collect();
        let spans: Vec<usize> = floors.iter().map(|(_, span)| *span).collect();
        let reasons = match self.level.config.settings.outlines {
            Outlines::Exact => self.near_walls(field, &spans),
            _ => spans.iter().map(|&span| self.near_border(field, span)).collect(),
        };
        for ((index, _), reason) in floors.into_iter().zip(reasons) {
            self.candidates[index].no_room = reason;
        }
    }

    /// The reason for which a floor is too near to a border, counted in cells.
    fn near_border(&self, field: &CompactField<Compacted>, span: usize) -> Option<Reason> {
        let (radius, cell) = (self.level.config.walkable_radius, self.level.lattice.cell_size);
        let threshold = radius.unsigned_abs() * 2;
        let border = erosion::nearest(field, span, threshold)?;
        let middle = [0, 1].map(|axis| (self.cell()[axis] + i64::from(border.steps[axis])) as f64 + 0.5);
        let distance = f64::from(border.distance) * 0.5 * cell;
        let reason = Reason::compared(ReasonCode::Eroded, distance, f64::from(radius) * cell);
        (border.distance < threshold).then(|| reason.at(self.place(middle, border.floor)))
    }

    /// The reasons for which the place has no room on floors, measured from the triangles.
    fn near_walls(&self, field: &CompactField<Compacted>, spans: &[usize]) -> Vec<Option<Reason>> {
        let PreparedLevel { config, lattice, .. } = self.level;
        let at = [0, 2].map(|axis| (self.at[axis] - lattice.origin[axis]) / lattice.cell_size);
        let found =
            outline::no_room((field, Source::all(self.level), &self.areas), &config.into(), at, spans);
        let reason = |(found, &span): (Option<NoRoom>, &usize)| {
            let (code, distance, place) = match found? {
                NoRoom::Wall { distance, place } => (ReasonCode::Eroded, distance, place),
                NoRoom::Gap { radius, place } => (ReasonCode::Narrow, radius, place),
            };
            let reason = Reason::compared(code, distance * lattice.cell_size, config.settings.agent_radius);
            Some(reason.at(self.place(place, field.floor[span])))
        };
        found.into_iter().zip(spans).map(reason).collect()
    }

    /// World metres of a place on the lattice, cells.
    fn place(&self, [x, z]: [f64; 2], floor: i32) -> [f64; 3] {
        let lattice = &self.level.lattice;
        let along = |axis: usize, at: f64| lattice.origin[axis] + at * lattice.cell_size;
        [along(0, x), self.height(floor), along(2, z)]
    }

    /// Stage 7.
    fn see_eroded<S>(&mut self, field: &CompactField<S>) {
        for index in 0..self.candidates.len() {
            let Some(span) = self.floor_of(field, &self.candidates[index]) else { continue };
            if !field.area[span].is_walkable() {
                self.candidates[index].cause = self.candidates[index].no_room;
            }
        }
    }

    /// Stage 8: what volumes took away, and the areas they gave.
    fn see_marked<S>(&mut self, field: &CompactField<S>) {
        for index in 0..self.candidates.len() {
            let Some(span) = self.floor_of(field, &self.candidates[index]) else { continue };
            self.candidates[index].area = field.area[span];
            if !field.area[span].is_walkable() {
                let volume = self.taking_volume(field.floor[span]);
                let count = self.level.config.settings.volumes.len();
                let code = volume.map_or(ReasonCode::NoRegion, |index| ReasonCode::Volume(index, count));
                self.candidates[index].cause = Some(code.into());
            }
        }
    }

    /// The first volume that makes the floor at `floor` cells unwalkable: no later volume makes it walkable
    /// again.
    fn taking_volume(&self, floor: i32) -> Option<usize> {
        let cell = self.cell();
        self.level.config.settings.volumes.iter().position(|volume| {
            let footprint = Footprint::new(&volume.shape, &self.level.lattice);
            !volume.area.is_walkable() && footprint.contains(cell, floor)
        })
    }

    /// Stage 10.
    fn see_regions(&mut self, field: &RegionField) {
        let config = &self.level.config;
        let cell_area = self.level.lattice.cell_size * self.level.lattice.cell_size;
        for index in 0..self.candidates.len() {
            let Some(span) = self.floor_of(&field.field, &self.candidates[index]) else { continue };
            let candidate = &mut self.candidates[index];
            candidate.region = field.region[span];
            match field.region[span].kind() {
                Region::Inner(_) => {}
                Region::Border(_) => candidate.cause = Some(ReasonCode::TileBorder.into()),
                Region::None => {
                    let dropped = regions::dropped_cells(field, span, config);
                    let small = dropped.filter(|&cells| cells < config.region_min_cells);
                    candidate.cause = Some(small.map_or(ReasonCode::NoRegion.into(), |cells| {
                        let [area, least] =
                            [cells, config.region_min_cells].map(|cells| f64::from(cells) * cell_area);
                        Reason::compared(ReasonCode::RegionTooSmall, area, least)
                    }));
                }
            }
        }
    }

    /// Stages 11 to 13.
    fn see_contours(&mut self, contours: &ContourSet) {
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.cause.is_none()) {
            let outlined = contours
                .contours
                .iter()
                .any(|contour| contour.region == candidate.region && !contour.vertices.is_empty());
            if !outlined {
                candidate.cause = Some(ReasonCode::NoContour(candidate.region.index() as u32).into());
            }
        }
    }

    /// The column with all its floors, once the tile is baked.
    pub(super) fn finish(self, tile: &Tile) -> Column {
        let reach = self.metres(self.level.config.walkable_height);
        let off = |height: f64| (height - self.at[1]).abs();
        let mut polygons = polygons::covering(tile, self.at);
        polygons.shared_sort_by(|a, b| off(a.height).total_cmp(&off(b.height)));
        let covered = self.cover(&polygons, reach);
        let pairs = self.candidates.iter().zip(&covered);
        let mut floors: Vec<Floor> = pairs.map(|(floor, &by)| self.floor(floor, by, tile, reach)).collect();
        // A place inside a solid is about that solid, regardless of the height of its top.
        let away = |floor: &Floor| if floor.buried { 0.0 } else { off(floor.height) };
        floors.shared_sort_by(|a, b| away(a).total_cmp(&away(b)));
        let all = floors.len();
        let near = floors.iter().filter(|floor| away(floor) <= reach).count();
        floors.truncate(near.max(1));
        // Polygons out of reach are kept only if a floor refers to them.
        let spoken_of = floors.iter().filter_map(|floor| floor.polygon).max().map_or(0, |last| last + 1);
        let near = polygons.iter().filter(|polygon| off(polygon.height) <= reach).count();
        polygons.truncate(near.max(spoken_of));
        Column {
            cell: self.cell(),
            reach,
            other_floors: all - floors.len(),
            floors,
            nearest_geometry: self.nearest_geometry,
            polygons,
        }
    }

    /// Returns for each candidate the polygon that covers it. A polygon covers one floor: the nearest in
    /// height of the floors that were kept by all stages, or of all floors if there is no such floor.
    fn cover(&self, polygons: &[Covering], reach: f64) -> Vec<Option<usize>> {
        let mut covered: Vec<Option<(f64, usize)>> = vec![None; self.candidates.len()];
        for (polygon, covering) in polygons.iter().enumerate() {
            let apart = |index: usize| (self.height(self.candidates[index].top) - covering.height).abs();
            let lost = |index: usize| self.candidates[index].cause.is_some();
            let near = (0..self.candidates.len()).filter(|&index| apart(index) < reach);
            let nearest = near.min_by(|&a, &b| lost(a).cmp(&lost(b)).then(apart(a).total_cmp(&apart(b))));
            let Some(floor) = nearest else { continue };
            if covered[floor].is_none_or(|(known, _)| apart(floor) < known) {
                covered[floor] = Some((apart(floor), polygon));
            }
        }
        covered.into_iter().map(|by| by.map(|(_, polygon)| polygon)).collect()
    }

    /// Returns true if the place is in the solid below a top, by more than the cell that tops are rounded up
    /// by.
    fn buries(&self, candidate: &TracedFloor) -> bool {
        let lattice = &self.level.lattice;
        let cells = snap_quotient((self.at[1] - lattice.origin[1]) / lattice.cell_height);
        f64::from(candidate.bottom) <= cells && cells < f64::from(candidate.top - 1)
    }

    fn floor(&self, candidate: &TracedFloor, covered: Option<usize>, tile: &Tile, reach: f64) -> Floor {
        let height = self.height(candidate.top);
        let mut cause = candidate.cause;
        if cause.is_none() && covered.is_none() {
            let config = &self.level.config;
            cause = candidate.no_room.or_else(|| {
                Some(Reason {
                    found: polygons::distance(tile, [self.at[0], height, self.at[2]], reach),
                    limit: Some(f64::from(config.contour_max_error) * self.level.lattice.cell_size),
                    ..ReasonCode::OutsidePolygons.into()
                })
            });
        }
        Floor {
            height,
            clearance: (candidate.ceiling < OPEN_SKY).then(|| self.metres(candidate.ceiling - candidate.top)),
            area: candidate.area,
            buried: self.buries(candidate),
            stepped_over: candidate.stepped_over.map(|step| self.metres(step)),
            region: candidate.region.is_inner().then(|| candidate.region.index() as u32),
            cause,
            polygon: covered,
        }
    }
}
