//! Around a region along the sides of its spans.

use super::border::{BorderCorners, Corner};
use crate::area::AreaId;
use crate::data::compact::state::Eroded;
use crate::data::neighbours::across;
use crate::data::{CompactField, Direction, NO_NEIGHBOUR, Neighbours, RawVertex, RegionField, RegionId};

/// A step along x and z in each direction.
const STEPS: [[i32; 2]; 4] = [[-1, 0], [0, 1], [1, 0], [0, -1]];
/// The end of a side in each direction, seen from the smallest corner of its column.
const ENDS: [[i32; 2]; 4] = [[0, 1], [1, 1], [1, 0], [0, 0]];

/// Room for the corners of most outlines.
const ROOM: usize = 256;

/// Walks around regions: the data it needs of the field, and the corners it leaves.
pub(super) struct Walker<'a> {
    field: &'a CompactField<Eroded>,
    labels: &'a [RegionId],
    areas: &'a [AreaId],
    floors: &'a [i32],
    neighbours: &'a Neighbours,
    /// Columns of the border, and of the tile within it along x and z.
    border: i32,
    inner: [i32; 2],
    corners: BorderCorners,
    /// The corners of the outline that was walked last.
    pub(super) vertices: Vec<RawVertex>,
}

/// The floors connected around a corner, the first one that of the walk, then beyond its side, across, and ahead.
struct CornerRing {
    floors: [u32; 4],
    /// Whether steps lead from each to the next one, from the last to the first.
    linked: [bool; 4],
    /// Whether they are no more than four; others wind around the corner like a stair.
    closed: bool,
}

/// A side that was walked.
#[derive(Clone, Copy)]
struct WalkedSide {
    direction: Direction,
    /// Whether the same region is on both sides of it.
    is_slit: bool,
}

/// A span and its neighbours, and whether it is in a run.
#[derive(Clone, Copy)]
struct Position {
    span: u32,
    around: [u32; 4],
    in_run: bool,
}

impl<'a> Walker<'a> {
    pub(super) fn new(regions: &'a RegionField) -> Walker<'a> {
        let field = &regions.field;
        let mut walker = Walker {
            field,
            labels: &regions.region,
            areas: &field.area,
            floors: &field.floor,
            neighbours: &field.neighbours,
            border: field.grid.border as i32,
            inner: [field.grid.inner_width() as i32, field.grid.inner_depth() as i32],
            corners: BorderCorners::default(),
            vertices: Vec::with_capacity(ROOM),
        };
        walker.corners = BorderCorners::find(regions, &|span, side| walker.corner_height(span, side));
        walker
    }

    /// The height of the corner at the end of one side of a span.
    pub(super) fn corner_height(&self, span: u32, direction: Direction) -> i32 {
        self.height(&self.look_around(&self.place(span), direction), span, direction)
    }

    /// Walks from the first open side of a span, which is in the column `x`, `z` of the grid, until it is met again,
    /// closing the sides it passes. False if it does not come back.
    pub(super) fn around(&mut self, sides: &mut [u8], span: usize, [x, z]: [u32; 2]) -> bool {
        self.vertices.clear();
        let start = span;
        let Some(first) = Direction::ALL.into_iter().find(|&d| sides[start] & (1 << d as u8) != 0) else {
            return false;
        };
        let [mut x, mut z] = [x, z].map(|column| column as i32 - self.border);
        let (start, mut direction) = (start as u32, first);
        let mut at = self.place(start);
        let (mut first_side, mut last_side) = (None, None);
        // Each span is passed at most once by each side.
        for _ in 0..4 * sides.len() {
            let side = 1 << direction as u8;
            let open = &mut sides[at.span as usize];
            if *open & side != 0 {
                *open &= !side;
                let [dx, dz] = ENDS[direction as usize];
                let vertex = self.vertex(&at, direction, [x + dx, z + dz]);
                let side = WalkedSide { direction, is_slit: self.is_slit(&at, [x, z], direction) };
                self.join_sides(last_side, side);
                self.vertices.push(vertex);
                first_side = first_side.or(Some(side));
                last_side = Some(side);
                direction = direction.next();
            } else {
                let next = at.around[direction as usize];
                if next == NO_NEIGHBOUR {
                    return false;
                }
                let [dx, dz] = STEPS[direction as usize];
                (x, z) = (x + dx, z + dz);
                at = self.place(next);
                direction = direction.previous();
            }
            if (at.span == start) & (direction == first) {
                if let Some(side) = first_side {
                    self.join_sides(last_side, side);
                }
                return true;
            }
        }
        false
    }

    /// Whether beyond a side, which no step leads over, there is a floor of the same region.
    #[inline]
    fn is_slit(&self, at: &Position, [x, z]: [i32; 2], direction: Direction) -> bool {
        if at.around[direction as usize] != NO_NEIGHBOUR {
            return false;
        }
        let [dx, dz] = STEPS[direction as usize];
        let [column_x, column_z] = [x + dx + self.border, z + dz + self.border].map(|place| place as u32);
        let grid = &self.field.grid;
        // Less than nothing is large as an unsigned number.
        (column_x < grid.width) & (column_z < grid.depth) && {
            let beside = self.field.column(grid.column(column_x, column_z));
            let label = self.labels[at.span as usize];
            // Most columns have one floor.
            match &self.labels[beside] {
                [] => false,
                [only] => *only == label,
                all => all.contains(&label),
            }
        }
    }

    /// Makes the corner between two sides one that stays where a slit bends, starts or ends: the outline comes back on
    /// its other side, and must not be on this one then.
    #[inline]
    fn join_sides(&mut self, before: Option<WalkedSide>, side: WalkedSide) {
        if let (Some(before), Some(corner)) = (before, self.vertices.last_mut()) {
            let straight = before.is_slit & side.is_slit & (before.direction == side.direction);
            corner.junction |= (before.is_slit | side.is_slit) & !straight;
        }
    }

    #[inline]
    fn place(&self, span: u32) -> Position {
        let (around, in_run) = self.neighbours.of_in_run(span as usize);
        Position { span, around, in_run }
    }

    #[inline]
    fn floor(&self, span: u32) -> i32 {
        self.floors[span as usize]
    }

    /// The corner at the end of one side of the span, at `x`, `z`.
    #[inline]
    fn vertex(&self, at: &Position, direction: Direction, [x, z]: [i32; 2]) -> RawVertex {
        let [width, depth] = self.inner;
        let on_border = (self.border > 0) & ((x == 0) | (z == 0) | (x == width) | (z == depth));
        let beside = at.around[direction as usize];
        let ring = self.look_around(at, direction);
        let corner = if on_border { self.corners.of(at.span, direction) } else { Corner::Other };
        let (beyond, area_border) = match beside {
            NO_NEIGHBOUR => (RegionId::NONE, false),
            _ => {
                let area = |span: u32| self.areas[span as usize];
                (self.labels[beside as usize], area(beside) != area(at.span))
            }
        };
        RawVertex {
            position: [x, self.height(&ring, at.span, direction), z],
            beyond,
            area_border,
            border_vertex: corner == Corner::Removable,
            junction: corner == Corner::Kept || self.is_junction(&ring, at.span, direction),
        }
    }

    /// The height of the corner at the end of a side of a span: that of the highest floor around it.
    #[inline]
    fn height(&self, ring: &CornerRing, span: u32, direction: Direction) -> i32 {
        if !ring.closed {
            return self.top_of_stair(span, direction);
        }
        // There is no floor that far on where there is none.
        let floor = |span: u32| self.floors.get(span as usize).copied().unwrap_or(i32::MIN);
        ring.floors.map(floor).into_iter().fold(i32::MIN, i32::max)
    }

    /// All floors that are connected around the corner at the end of a side: whichever of them one starts from, they
    /// are the same, so that all regions that meet there, and both tiles at a border, find the same height and the same
    /// kind of corner.
    #[inline]
    fn look_around(&self, at: &Position, direction: Direction) -> CornerRing {
        let next = direction.next();
        let step = |from: u32, side: Direction| {
            if from == NO_NEIGHBOUR { NO_NEIGHBOUR } else { self.neighbours.one(from as usize, side) }
        };
        let (beside, ahead) = (at.around[direction as usize], at.around[next as usize]);
        if at.in_run {
            let floors = [at.span, beside, across(at.span, [beside, ahead]), ahead];
            return CornerRing { floors, linked: [true; 4], closed: true };
        }
        let (by_beside, by_ahead) = (step(beside, next), step(ahead, direction));
        if by_beside != NO_NEIGHBOUR && by_beside == by_ahead {
            return CornerRing {
                floors: [at.span, beside, by_beside, ahead],
                linked: [true; 4],
                closed: true,
            };
        }
        // Somewhere around the corner there is no step. The connected floors are a row, seen from both ends.
        let (last_by_beside, last_by_ahead) =
            (step(by_beside, next.next()), step(by_ahead, direction.previous()));
        let either = |a: u32, b: u32| if a == NO_NEIGHBOUR { b } else { a };
        CornerRing {
            floors: [
                at.span,
                either(beside, last_by_ahead),
                either(by_ahead, by_beside),
                either(ahead, last_by_beside),
            ],
            linked: [
                beside != NO_NEIGHBOUR,
                by_beside != NO_NEIGHBOUR || last_by_ahead != NO_NEIGHBOUR,
                by_ahead != NO_NEIGHBOUR || last_by_beside != NO_NEIGHBOUR,
                ahead != NO_NEIGHBOUR,
            ],
            closed: ![
                (by_beside, by_ahead),
                (last_by_beside, ahead),
                (last_by_ahead, beside),
                (step(last_by_beside, direction.previous()), at.span),
                (step(last_by_ahead, next.next()), at.span),
            ]
            .iter()
            .any(|&(one, other)| one != NO_NEIGHBOUR && other != NO_NEIGHBOUR),
        }
    }

    /// The highest of the floors that wind around the corner at the end of a side.
    fn top_of_stair(&self, span: u32, direction: Direction) -> i32 {
        let mut top = self.floor(span);
        self.climb_stair(span, direction, |_, to| top = top.max(self.floor(to)));
        top
    }

    /// Whether a step of the floors that wind around the corner at the end of a side leads from one region to another.
    fn stair_has_border(&self, span: u32, direction: Direction) -> bool {
        let label = |span: u32| self.labels[span as usize];
        let is_border = |from, to| label(from) != label(to) && label(from).is_inner() && label(to).is_inner();
        let mut found = false;
        self.climb_stair(span, direction, |from, to| found |= is_border(from, to));
        found
    }

    /// Visits each step between the floors that wind around the corner at the end of a side, both ways from `span`: they
    /// may be more than the four that a ring holds.
    #[cold]
    fn climb_stair(&self, span: u32, direction: Direction, mut visit: impl FnMut(u32, u32)) {
        for turn in [Direction::next, Direction::previous] {
            let (mut at, mut side) =
                (span, if turn(direction) == direction.next() { direction } else { direction.next() });
            loop {
                let from = at;
                at = self.neighbours.one(from as usize, side);
                if at == NO_NEIGHBOUR {
                    break;
                }
                visit(from, at);
                if at == span {
                    break;
                }
                side = turn(side);
            }
        }
    }

    /// Whether a border between two regions meets more than its own continuation at a corner.
    #[inline]
    fn is_junction(&self, ring: &CornerRing, span: u32, direction: Direction) -> bool {
        if !ring.closed {
            return self.stair_has_border(span, direction);
        }
        let label = |span: u32| self.labels.get(span as usize).copied().unwrap_or(RegionId::NONE);
        let labels = ring.floors.map(label);
        let is_other = |label: RegionId| label.is_inner() & (label != labels[0]);
        if !(is_other(labels[1]) | is_other(labels[2]) | is_other(labels[3])) {
            return false;
        }
        let (mut sides, mut borders) = (0, 0);
        for slot in 0..4 {
            let (a, b) = (labels[slot], labels[(slot + 1) & 3]);
            let linked = ring.linked[slot];
            sides += u32::from((a.is_inner() | b.is_inner()) & ((a != b) | !linked));
            borders += u32::from(a.is_inner() & b.is_inner() & (a != b) & linked);
        }
        borders > 0 && sides > 2
    }

    #[cfg(test)]
    pub(super) fn corner(&self, span: usize, direction: Direction, [x, z]: [u32; 2]) -> RawVertex {
        let at = self.place(span as u32);
        let [dx, dz] = ENDS[direction as usize];
        let place = [x as i32 - self.border + dx, z as i32 - self.border + dz];
        self.vertex(&at, direction, place)
    }
}
