//! Finds the wall lines behind the sides of floors that no step leads over.
//!
//! A side is explained by the triangles in the cell beyond it that are between climb and head height. If it
//! has no such triangle, it is explained by edges of walkable triangles that no walkable triangle continues.
//! Without such an edge, the side itself is the line.

use super::pieces::{Base, Found, Pieces};
use super::shape::LineSegment;
use super::slab::{Slabs, TriangleCorners, plan};
use super::vector::{Plan, add, cross, dot, quarter, scale, sub, unit};
use crate::data::compact::state::Compacted;
use crate::data::outline_triangle::OutlineTriangle;
use crate::data::{CompactField, Direction, Grid, NO_NEIGHBOUR};
use crate::source::Source;
use crate::triangle_sum::canonical_corners;
use navtile::area::AreaId;
use std::cmp::Ordering;
use std::ops::Range;

/// A line may be this far outside the cells that it explains, cells: rasterizing rounds corners.
const SLACK: f64 = 1.0 / 32.0;
/// The same for the end of the ground, which may be beyond the end of the grid: its size is rounded.
const END_SLACK: f64 = 0.5 + SLACK;
/// A triangle that continues another's ground may begin this far from its edge, cells.
const CRACK: f64 = 1.0 / 32.0;

/// A side of a floor that no step leads over.
struct OpenSide {
    span: u32,
    floor: i32,
    direction: Direction,
    /// The column of the floor, and the column beyond, cells from the lattice's zero.
    own: [i32; 2],
    beyond: [i32; 2],
    /// True if a triangle between climb and head height is beyond it.
    at_wall: bool,
    /// True if the ground ends near it.
    at_end: bool,
}

/// The open sides of a tile, by the columns beyond them.
struct OpenSides {
    list: Vec<OpenSide>,
    /// The first column beyond a side along z, and the start of each row in the list.
    first_row: i32,
    rows: Vec<u32>,
    /// The lowest and highest floor.
    floors: [i32; 2],
}

/// Finds the lines, and the floors at whose sides each is.
pub(super) fn find(field: &CompactField<Compacted>, source: Source<'_>, areas: &[AreaId]) -> Found {
    let mut sides = OpenSides::new(field);
    let mut pieces = Pieces::default();
    let triangles = ToCells::new(&field.grid);
    let mut slabs = Slabs::default();
    for triangle in source.outline_triangles(areas) {
        walls_of(&triangles.corners(&triangle), field, &mut sides, &mut slabs, &mut pieces);
    }
    sides.keep(|side| !side.at_wall);
    if !sides.list.is_empty() {
        for edge in free_edges(source.outline_triangles(areas), field, &sides) {
            ground_ends(&edge, field, &mut sides, &mut pieces);
        }
    }
    for side in sides.list.iter().filter(|side| !side.at_end) {
        let base = pieces.add_base(Base::side(side.segment()));
        pieces.add(base, [0.0, 1.0], side.floor, side.span);
    }
    pieces.join()
}

impl OpenSide {
    /// The middle of the floor's cell.
    fn middle(&self) -> Plan {
        self.own.map(|at| f64::from(at) + 0.5)
    }

    /// The side itself.
    fn segment(&self) -> LineSegment {
        let [x, z] = self.own.map(f64::from);
        let (a, b) = match self.direction {
            Direction::XMin => ([x, z], [x, z + 1.0]),
            Direction::XMax => ([x + 1.0, z], [x + 1.0, z + 1.0]),
            Direction::ZMin => ([x, z], [x + 1.0, z]),
            Direction::ZMax => ([x, z + 1.0], [x + 1.0, z + 1.0]),
        };
        LineSegment::new(a, b)
    }
}

impl OpenSides {
    fn new(field: &CompactField<Compacted>) -> OpenSides {
        let grid = &field.grid;
        let mut list = Vec::new();
        let mut floors = [i32::MAX, i32::MIN];
        let all = 0..field.len();
        // Floors in runs have steps on all sides.
        let others =
            field.neighbours.runs(all.clone(), &all).into_iter().filter(|stretch| stretch.run.is_none());
        let mut column = 0;
        for span in others.flat_map(|stretch| stretch.spans) {
            while field.offsets.first(column + 1) <= span {
                column += 1;
            }
            let [x, z] = [column as u32 % grid.width, column as u32 / grid.width];
            let around = Direction::ALL.into_iter().zip(field.neighbours.of(span));
            for (direction, _) in around.filter(|(_, other)| *other == NO_NEIGHBOUR) {
                let own = [grid.base_x + x as i32, grid.base_z + z as i32];
                let (dx, dz) = direction.offset();
                let beyond = [own[0] + dx, own[1] + dz];
                if !is_certain(grid, beyond) {
                    continue;
                }
                let floor = field.floor[span];
                floors = [floors[0].min(floor), floors[1].max(floor)];
                list.push(OpenSide {
                    span: span as u32,
                    floor,
                    direction,
                    own,
                    beyond,
                    at_wall: false,
                    at_end: false,
                });
            }
        }
        list.sort_unstable_by_key(|side| (i64::from(side.beyond[1]) << 32) + i64::from(side.beyond[0]));
        let rows = vec![0; grid.depth as usize + 3];
        let mut sides = OpenSides { list, first_row: grid.base_z - 1, rows, floors };
        sides.count_rows();
        sides
    }

    /// Keeps some of the sides.
    fn keep(&mut self, is_kept: impl FnMut(&OpenSide) -> bool) {
        self.list.retain(is_kept);
        self.count_rows();
    }

    fn count_rows(&mut self) {
        let mut start = 0;
        for (row, first) in (self.first_row..).zip(&mut self.rows) {
            start += self.list[start..].iter().take_while(|side| side.beyond[1] < row).count();
            *first = start as u32;
        }
    }

    /// The rows at most `reach` cells from a rectangle.
    fn rows_near(&self, low: Plan, high: Plan, reach: i32) -> Range<usize> {
        let last_row = self.rows.len() as i32 - 2;
        let row =
            |z: f64, reach: i32| (z.floor() as i32 + reach - self.first_row).clamp(0, last_row) as usize;
        row(low[1], -reach)..row(high[1], reach) + 1
    }

    /// Calls `visit` with each side whose column beyond is at most `reach` cells from a rectangle.
    fn for_near(&mut self, low: Plan, high: Plan, reach: i32, mut visit: impl FnMut(&mut OpenSide)) {
        let cell = |place: f64| place.floor() as i32;
        let (left, right) = (cell(low[0]) - reach, cell(high[0]) + reach);
        for row in self.rows_near(low, high, reach) {
            let sides = &mut self.list[self.rows[row] as usize..self.rows[row + 1] as usize];
            let first = sides.partition_point(|side| side.beyond[0] < left);
            sides[first..].iter_mut().take_while(|side| side.beyond[0] <= right).for_each(&mut visit);
        }
    }

    /// Returns true if there is a side whose column beyond is at most `reach` cells from a rectangle.
    fn has_near(&self, low: Plan, high: Plan, reach: i32) -> bool {
        let (left, right) = (low[0].floor() as i32 - reach, high[0].floor() as i32 + reach);
        self.rows_near(low, high, reach).any(|row| {
            let sides = &self.list[self.rows[row] as usize..self.rows[row + 1] as usize];
            let first = sides.partition_point(|side| side.beyond[0] < left);
            sides.get(first).is_some_and(|side| side.beyond[0] <= right)
        })
    }
}

/// Returns true if the floors of a column are certain: those at the end of a tile with a border are missing,
/// because what is beyond is not known.
fn is_certain(grid: &Grid, [x, z]: [i32; 2]) -> bool {
    let is_inside = |at: i32, size: u32| 0 < at && at < size as i32 - 1;
    grid.border == 0 || is_inside(x - grid.base_x, grid.width) && is_inside(z - grid.base_z, grid.depth)
}

/// Brings triangles to cells.
struct ToCells {
    cell: [f64; 3],
}

impl ToCells {
    fn new(grid: &Grid) -> ToCells {
        ToCells { cell: [grid.cell_size, grid.cell_height, grid.cell_size].map(f64::from) }
    }

    fn corners(&self, triangle: &OutlineTriangle) -> TriangleCorners {
        canonical_corners(triangle.corners)
            .map(|corner| std::array::from_fn(|axis| f64::from(corner[axis]) / self.cell[axis]))
    }
}

/// The smallest rectangle around corners.
fn bounds(corners: &[[f64; 3]]) -> [[f64; 3]; 2] {
    corners.iter().fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], corner| {
        [
            std::array::from_fn(|axis| low[axis].min(corner[axis])),
            std::array::from_fn(|axis| high[axis].max(corner[axis])),
        ]
    })
}

/// Adds the pieces of a triangle that is an obstacle for agents.
fn walls_of(
    corners: &TriangleCorners,
    field: &CompactField<Compacted>,
    sides: &mut OpenSides,
    slabs: &mut Slabs,
    pieces: &mut Pieces,
) {
    let [low, high] = bounds(corners);
    let (climb, height) = (f64::from(field.walkable_climb), f64::from(field.walkable_height));
    let [lowest, highest] = sides.floors.map(f64::from);
    if high[1] <= lowest + climb || low[1] >= highest + height {
        return;
    }
    slabs.start(corners);
    sides.for_near(plan(low), plan(high), 1, |side| {
        let heights = [climb, height].map(|above| f64::from(side.floor) + above);
        if high[1] <= heights[0] || low[1] >= heights[1] {
            return;
        }
        let [x, z] = side.beyond.map(f64::from);
        for edge in slabs.outline(side.floor, heights) {
            let segment = &edge.base.line.segment;
            if let Some(range) = segment.within([x - 1.0, z - 1.0], [x + 2.0, z + 2.0]) {
                let [low, high] = [[x - SLACK, z - SLACK], [x + 1.0 + SLACK, z + 1.0 + SLACK]];
                side.at_wall = side.at_wall || segment.within(low, high).is_some();
                // Also without a piece: a triangle on the other side of the segment may be an obstacle too.
                let number = *edge.number.get_or_insert_with(|| pieces.add_base(edge.base));
                if !edge.base.obstacle.is_some_and(|obstacle| obstacle.hides(segment, side.middle())) {
                    pieces.add(number, range, side.floor, side.span);
                }
            }
        }
    });
}

/// A part of an edge of a walkable triangle beyond which no walkable triangle continues.
struct FreeEdge {
    ends: [[f64; 3]; 2],
    range: [f64; 2],
}

/// An edge of a walkable triangle, from one of its corners to the next.
#[derive(Clone, Copy)]
pub(super) struct GroundEdge {
    pub(super) triangle: u32,
    corner: u32,
}

impl GroundEdge {
    /// Its ends, the smaller one first.
    pub(super) fn ends(&self, ground: &WalkableGround) -> [[f64; 3]; 2] {
        let corners = &ground.triangles[self.triangle as usize].corners;
        let (from, to) = (corners[self.corner as usize], corners[(self.corner as usize + 1) % 3]);
        if from < to { [from, to] } else { [to, from] }
    }
}

/// A walkable triangle, and the rectangle around it, rounded outwards.
pub(super) struct Ground {
    corners: TriangleCorners,
    pub(super) area: AreaId,
    low: [f32; 2],
    high: [f32; 2],
}

/// Walkable triangles, sorted along x.
pub(super) struct WalkableGround {
    pub(super) triangles: Vec<Ground>,
    /// The size of the widest one along x.
    widest: f32,
    climb: f64,
}

impl WalkableGround {
    /// The walkable triangles in rectangles that are near something.
    pub(super) fn new(
        all: impl Iterator<Item = OutlineTriangle>,
        field: &CompactField<impl Sized>,
        is_near: impl Fn(Plan, Plan) -> bool,
    ) -> WalkableGround {
        let to_cells = ToCells::new(&field.grid);
        let mut triangles: Vec<Ground> = Vec::new();
        let mut widest = 0.0f32;
        for triangle in all.filter(|triangle| triangle.area.is_walkable()) {
            let corners = to_cells.corners(&triangle);
            let [low, high] = bounds(&corners);
            if is_near(plan(low), plan(high)) {
                let low = plan(low).map(|at| (at as f32).next_down());
                let high = plan(high).map(|at| (at as f32).next_up());
                triangles.push(Ground { corners, area: triangle.area, low, high });
                widest = widest.max(high[0] - low[0]);
            }
        }
        triangles.sort_unstable_by(|one, two| one.low[0].total_cmp(&two.low[0]));
        WalkableGround { triangles, widest, climb: f64::from(field.walkable_climb) }
    }

    /// Their edges in rectangles that are near something.
    pub(super) fn edges(&self, is_near: impl Fn(Plan, Plan) -> bool) -> Vec<GroundEdge> {
        let all = (0..self.triangles.len() as u32)
            .flat_map(|triangle| (0..3).map(move |corner| GroundEdge { triangle, corner }));
        let is_near = |edge: &GroundEdge| {
            let [low, high] = bounds(&edge.ends(self));
            is_near(plan(low), plan(high))
        };
        all.filter(is_near).collect()
    }

    /// The parts of an edge, as shares of its length, beyond which other triangles continue; each with the
    /// number of the triangle.
    pub(super) fn beyond(&self, edge: GroundEdge) -> Vec<([f64; 2], usize)> {
        let ends = edge.ends(self);
        let [a, b] = ends.map(plan);
        let Some(normal) = unit(quarter(sub(b, a))) else { return Vec::new() };
        let own = &self.triangles[edge.triangle as usize];
        let opposite = plan(own.corners[(edge.corner as usize + 2) % 3]);
        let outwards = if dot(normal, sub(opposite, a)) > 0.0 { -1.0 } else { 1.0 };
        let moved = |end: Plan| add(end, scale(normal, outwards * CRACK));
        let beyond = LineSegment::new(moved(a), moved(b));
        let [low, high] = bounds(&ends);
        let [[left, right], [back, front]] = [0, 2]
            .map(|axis| [((low[axis] - CRACK) as f32).next_down(), ((high[axis] + CRACK) as f32).next_up()]);
        let from = (left - self.widest).next_down();
        let first = self.triangles.partition_point(|other| other.low[0] < from);
        let others = self.triangles.iter().enumerate().skip(first);
        let mut parts = Vec::new();
        for (index, Ground { corners, low, high, .. }) in
            others.take_while(|(_, other)| other.low[0] <= right)
        {
            let is_apart = high[0] < left || low[1] > front || high[1] < back;
            if is_apart || index == edge.triangle as usize {
                continue;
            }
            if let Some(range) = inside(&beyond, &corners.map(plan)) {
                let middle = 0.5 * (range[0] + range[1]);
                let own = ends[0][1] + (ends[1][1] - ends[0][1]) * middle;
                if (height_at(corners, beyond.at(middle)) - own).abs() <= self.climb {
                    parts.push((range, index));
                }
            }
        }
        parts
    }
}

/// The parts of an edge, as shares of its length, that others do not cover. Gaps no longer than a crack do
/// not count.
pub(super) fn gaps(ends: &[[f64; 3]; 2], mut covered: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let [a, b] = ends.map(plan);
    covered.sort_unstable_by(|one, two| one[0].total_cmp(&two[0]));
    let crack = CRACK / super::vector::length(sub(b, a)).max(CRACK);
    let mut from = 0.0;
    let mut gaps = Vec::new();
    for [start, end] in covered.into_iter().chain([[1.0, 1.0]]) {
        if start - from > 2.0 * crack || (from == 0.0 && start == 1.0) {
            gaps.push([from, start]);
        }
        from = f64::max(from, end);
    }
    gaps
}

/// The free edges near sides that are not explained.
fn free_edges(
    all: impl Iterator<Item = OutlineTriangle>,
    field: &CompactField<Compacted>,
    sides: &OpenSides,
) -> Vec<FreeEdge> {
    // One cell more than for its edges, for what continues them beyond a crack.
    let ground = WalkableGround::new(all, field, |low, high| sides.has_near(low, high, 3));
    let mut edges = ground.edges(|low, high| sides.has_near(low, high, 2));
    let order = |one: &GroundEdge, two: &GroundEdge| {
        let (one, two) = (one.ends(&ground), two.ends(&ground));
        let numbers = one.as_flattened().iter().zip(two.as_flattened());
        numbers.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    edges.sort_unstable_by(order);
    let mut free = Vec::new();
    for edges in edges.chunk_by(|one, two| order(one, two).is_eq()) {
        if let [edge] = edges {
            let ends = edge.ends(&ground);
            if plan(ends[0]) != plan(ends[1]) {
                let covered = ground.beyond(*edge).into_iter().map(|(range, _)| range).collect();
                free.extend(gaps(&ends, covered).into_iter().map(|range| FreeEdge { ends, range }));
            }
        }
    }
    free
}

/// The part of a segment inside a triangle.
fn inside(segment: &LineSegment, corners: &[Plan; 3]) -> Option<[f64; 2]> {
    let turn = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
    let mut range = [0.0f64, 1.0f64];
    for corner in 0..3 {
        let (from, to) = (corners[corner], corners[(corner + 1) % 3]);
        let side = |place: Plan| cross(sub(to, from), sub(place, from)) * turn.signum();
        let (start, end) = (side(segment.a), side(segment.b));
        if start < 0.0 && end < 0.0 {
            return None;
        }
        if start < 0.0 {
            range[0] = range[0].max(start / (start - end));
        } else if end < 0.0 {
            range[1] = range[1].min(start / (start - end));
        }
    }
    (turn != 0.0 && range[0] < range[1]).then_some(range)
}

/// The height of a triangle's plane at a place.
fn height_at(corners: &TriangleCorners, place: Plan) -> f64 {
    let [a, b, c] = corners.map(plan);
    let whole = cross(sub(b, a), sub(c, a));
    let (by_b, by_c) = (cross(sub(place, a), sub(c, a)), cross(sub(b, a), sub(place, a)));
    let [low, by, other] = corners.map(|corner| corner[1]);
    low + (by - low) * (by_b / whole) + (other - low) * (by_c / whole)
}

/// Adds the pieces of an edge where the ground ends.
fn ground_ends(edge: &FreeEdge, field: &CompactField<Compacted>, sides: &mut OpenSides, pieces: &mut Pieces) {
    let [a, b] = edge.ends;
    let segment = LineSegment { range: edge.range, ..LineSegment::new(plan(a), plan(b)) };
    let [low, high] = bounds(&edge.ends);
    // The floor of a cell is the highest ground in it.
    let steep = f64::from(field.grid.cell_size / field.grid.cell_height);
    let reach = f64::from(field.walkable_climb) + 2.0 * steep.ceil();
    let base = pieces.add_base(Base::exact(segment));
    sides.for_near(plan(low), plan(high), 2, |side| {
        if side.at_wall {
            return;
        }
        let low: Plan = [0, 1].map(|axis| f64::from(side.own[axis].min(side.beyond[axis])));
        let high: Plan = [0, 1].map(|axis| f64::from(side.own[axis].max(side.beyond[axis]) + 1));
        let grown = |by: f64| ([low[0] - by, low[1] - by], [high[0] + by, high[1] + by]);
        let (wide_low, wide_high) = grown(1.0);
        let Some(range) = segment.within(wide_low, wide_high) else { return };
        let height = a[1] + (b[1] - a[1]) * 0.5 * (range[0] + range[1]);
        if (height - f64::from(side.floor)).abs() > reach {
            return;
        }
        pieces.add(base, range, side.floor, side.span);
        let (close_low, close_high) = grown(END_SLACK);
        side.at_end |= segment.within(close_low, close_high).is_some();
    });
}
