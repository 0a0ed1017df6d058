//! Around a region along the sides of its spans.

use super::border::{BorderCorners, Corner};
use crate::area::AreaId;
use crate::data::neighbours::across;
use crate::data::{Direction, NO_NEIGHBOUR, Neighbours, RawVertex, RegionField, RegionId};

/// A step along x and z in each direction.
const STEPS: [[i32; 2]; 4] = [[-1, 0], [0, 1], [1, 0], [0, -1]];
/// The end of a side in each direction, seen from the smallest corner of its column.
const ENDS: [[i32; 2]; 4] = [[0, 1], [1, 1], [1, 0], [0, 0]];

/// Room for the corners of most outlines.
const ROOM: usize = 256;

/// Walks around regions: the data it needs of the field, and the corners it leaves.
pub(super) struct Walker<'a> {
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
            labels: &regions.region,
            areas: &field.area,
            floors: &field.floor,
            neighbours: &field.neighbours,
            border: field.grid.border as i32,
            inner: [field.grid.inner_width() as i32, field.grid.inner_depth() as i32],
            corners: BorderCorners::default(),
            vertices: Vec::with_capacity(ROOM),
        };
        walker.corners = BorderCorners::find(regions, &walker);
        walker
    }

    /// The height of the corner at the end of one side of a span on the tile's border.
    pub(super) fn corner_height(&self, span: u32, direction: Direction) -> i32 {
        self.look_around(&self.place(span), direction, true)
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
        // Each span is passed at most once by each side.
        for _ in 0..4 * sides.len() {
            let side = 1 << direction as u8;
            let open = &mut sides[at.span as usize];
            if *open & side != 0 {
                *open &= !side;
                let [dx, dz] = ENDS[direction as usize];
                let vertex = self.vertex(&at, direction, [x + dx, z + dz]);
                self.vertices.push(vertex);
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
                return true;
            }
        }
        false
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
        let height = self.look_around(at, direction, on_border);
        let corner = if on_border { self.corners.of(at.span, direction) } else { Corner::Other };
        let (beyond, area_border) = match beside {
            NO_NEIGHBOUR => (RegionId::NONE, false),
            _ => {
                let area = |span: u32| self.areas[span as usize];
                (self.labels[beside as usize], area(beside) != area(at.span))
            }
        };
        RawVertex {
            position: [x, height, z],
            beyond,
            area_border,
            border_vertex: corner == Corner::Removable,
            junction: corner == Corner::Kept,
        }
    }

    /// The height of the corner at the end of a side: that of the highest of the spans that meet there. On the tile's
    /// border it is that of the highest span connected to this one around the corner, in either direction: both tiles at
    /// the border see the same spans, and come to the same answer whichever of them they start from.
    #[inline]
    fn look_around(&self, at: &Position, direction: Direction, on_border: bool) -> i32 {
        let next = direction.next();
        let mut height = self.floor(at.span);
        if at.in_run {
            // Both ways round meet the same spans, and end where they set out.
            let [beside, ahead] = [direction, next].map(|step| at.around[step as usize]);
            let heights = [beside, across(at.span, [beside, ahead]), ahead].map(|span| self.floor(span));
            return heights.into_iter().fold(height, i32::max);
        }
        // Both ways round; each step but the first is a quarter turn on from the one before, and the last one is seen
        // on the border only.
        for steps in [[direction, next, next.next()], [next, direction, direction.previous()]] {
            let beside = at.around[steps[0] as usize];
            if beside == NO_NEIGHBOUR {
                continue;
            }
            height = height.max(self.floor(beside));
            let second = self.neighbours.one(beside as usize, steps[1]);
            if second == NO_NEIGHBOUR {
                continue;
            }
            height = height.max(self.floor(second));
            if on_border {
                let third = self.neighbours.one(second as usize, steps[2]);
                if third != NO_NEIGHBOUR {
                    height = height.max(self.floor(third));
                }
            }
        }
        height
    }

    /// The corner at the end of a side of a span in column `x`, `z` of the grid.
    #[cfg(test)]
    pub(super) fn corner(&self, span: usize, direction: Direction, [x, z]: [u32; 2]) -> RawVertex {
        let at = self.place(span as u32);
        let [dx, dz] = ENDS[direction as usize];
        let place = [x as i32 - self.border + dx, z as i32 - self.border + dz];
        self.vertex(&at, direction, place)
    }
}
