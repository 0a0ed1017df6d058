//! Walks around a region along the sides of its spans.

use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, NO_NEIGHBOUR, RawVertex, RegionField, RegionId};
use crate::outline::{AtBorder, FloorsAround};
use crate::soundness::corner_ring::{CornerRing, CornerRings, Position};
use crate::soundness::seam_corners::{Corner, SeamCorners};
use navmath::FIXED_ONE;
use navtile::area::AreaId;

/// A step along x and z in each direction.
const STEPS: [[i32; 2]; 4] = [[-1, 0], [0, 1], [1, 0], [0, -1]];
/// The end of a side in each direction, as seen from the smallest corner of its column.
const ENDS: [[i32; 2]; 4] = [[0, 1], [1, 1], [1, 0], [0, 0]];

/// Room for the corners of most outlines.
const ROOM: usize = 256;

/// Walks around regions: the parts of the field that it reads, and the corners that it finds.
pub(super) struct Walker<'a> {
    field: &'a CompactField<Eroded>,
    labels: &'a [RegionId],
    areas: &'a [AreaId],
    rings: CornerRings<'a>,
    /// Width of the border in columns, and columns of the tile inside it along x and z.
    border: i32,
    inner: [i32; 2],
    kept: SeamCorners,
    /// True if corners stay where a slit bends, starts or ends: the outline returns on its other side, and
    /// must not be on this one then. The sides of a slit move apart if outlines keep away from walls.
    keeps_slits: bool,
    /// The corners of the last outline, and, if they may move, the floors around each.
    pub(super) vertices: Vec<RawVertex>,
    pub(super) around: Vec<FloorsAround>,
}

/// A side that was walked.
#[derive(Clone, Copy)]
struct WalkedSide {
    direction: Direction,
    /// True if the same region is on both sides of it.
    is_slit: bool,
}

impl<'a> Walker<'a> {
    pub(super) fn new(regions: &'a RegionField, keeps_slits: bool) -> Walker<'a> {
        let field = &regions.field;
        let rings = CornerRings::new(regions);
        Walker {
            field,
            labels: &regions.region,
            areas: &field.area,
            border: field.grid.border as i32,
            inner: [field.grid.inner_width() as i32, field.grid.inner_depth() as i32],
            kept: SeamCorners::find(regions, &rings),
            keeps_slits,
            rings,
            vertices: Vec::with_capacity(ROOM),
            around: Vec::with_capacity(ROOM),
        }
    }

    /// Walks from the first open side of a span, in the column `x`, `z` of the grid, until it returns there,
    /// closing the sides on the path. Returns false if it does not return.
    pub(super) fn around(&mut self, sides: &mut [u8], span: usize, [x, z]: [u32; 2]) -> bool {
        self.vertices.clear();
        self.around.clear();
        let start = span;
        let Some(first) = Direction::ALL.into_iter().find(|&d| sides[start] & (1 << d as u8) != 0) else {
            return false;
        };
        let [mut x, mut z] = [x, z].map(|column| column as i32 - self.border);
        let (start, mut direction) = (start as u32, first);
        let mut at = self.rings.at(start);
        let (mut first_side, mut last_side) = (None, None);
        // Each span is passed at most once by each side.
        for _ in 0..4 * sides.len() {
            let side = 1 << direction as u8;
            let open = &mut sides[at.span as usize];
            if *open & side != 0 {
                *open &= !side;
                let [dx, dz] = ENDS[direction as usize];
                let ring = self.rings.around(&at, direction);
                let vertex = self.vertex(&at, &ring, direction, [x + dx, z + dz]);
                let side = WalkedSide { direction, is_slit: self.is_slit(&at, [x, z], direction) };
                self.join_sides(last_side, side);
                self.vertices.push(vertex);
                if !self.keeps_slits {
                    self.around.push(self.floors_around(&ring, direction, [x + dx, z + dz]));
                }
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
                at = self.rings.at(next);
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

    /// Drops the slits in the last outline: walls to a corner and back along their other side. The outline
    /// around the shadow that closes such a wall does without it.
    pub(super) fn drop_slits(&mut self) {
        let count = self.vertices.len();
        let mut kept: Vec<usize> = Vec::with_capacity(count);
        for corner in 0..count {
            kept.push(corner);
            while let [.., base, tip, back] = kept[..]
                && self.is_slit_end([base, tip, back])
            {
                kept.truncate(kept.len() - 2);
            }
        }
        // The first corner may be in a slit.
        let mut first = 0;
        while let [start, next, .., before, last] = kept[first..] {
            if self.is_slit_end([last, start, next]) {
                first += 2;
            } else if self.is_slit_end([before, last, start]) {
                kept.pop();
                first += 1;
            } else {
                break;
            }
        }
        let kept = &kept[first..];
        if kept.len() < count {
            self.vertices = kept.iter().map(|&corner| self.vertices[corner]).collect();
            self.around = kept.iter().map(|&corner| self.around[corner]).collect();
        }
    }

    /// Returns true if the outline walks along a wall to a corner, and back along its other side.
    fn is_slit_end(&self, [base, tip, back]: [usize; 3]) -> bool {
        let [base, tip, back] = [base, tip, back].map(|corner| &self.vertices[corner]);
        let is_slit = base.plan() == back.plan() && tip.beyond.is_none() && back.beyond.is_none();
        // The tile beyond its border may keep corners there.
        let on_border = |vertex: &RawVertex| self.is_on_border(vertex.plan().map(|at| at / FIXED_ONE));
        is_slit && !tip.junction && !on_border(tip) && !on_border(base)
    }

    /// The floors around a corner. At the end of the steps over the tile's border, only the floors of the
    /// last step count: their lines decided that there is room for it.
    fn floors_around(&self, ring: &CornerRing, direction: Direction, [x, z]: [i32; 2]) -> FloorsAround {
        let border = AtBorder::Inside;
        let all = FloorsAround { all: ring.floors, spans: ring.floors, border, alone: false };
        if !self.is_on_border([x, z]) {
            return all;
        }
        let along = |axis: usize| (axis, self.last_step(ring, direction, axis));
        let has_none = |axis: usize| along(axis).1.1 == [false; 2];
        let (axis, (slots, steps)) = match [x == 0 || x == self.inner[0], z == 0 || z == self.inner[1]] {
            [true, false] => along(1),
            [false, true] => along(0),
            // At the corner of a tile, the steps over one of its borders may end.
            _ if has_none(0) => along(1),
            _ if has_none(1) => along(0),
            _ => return FloorsAround { border: AtBorder::Corner, ..all },
        };
        let of_step =
            |slot: usize| [ring.floors[slot], ring.floors[(slot + 1) & 3], NO_NEIGHBOUR, NO_NEIGHBOUR];
        let spans = match steps {
            [true, false] => of_step(slots[0]),
            [false, true] => of_step(slots[1]),
            _ => ring.floors,
        };
        FloorsAround { spans, border: AtBorder::Along { axis, steps }, ..all }
    }

    /// The slots of a ring before and behind its corner along an axis, and whether steps lead over the border
    /// along that axis there.
    fn last_step(&self, ring: &CornerRing, direction: Direction, axis: usize) -> ([usize; 2], [bool; 2]) {
        // The corner is at the end of this side of the floor, and at the start of the next side.
        let is_across_x = matches!(direction, Direction::XMin | Direction::XMax);
        let slots = if is_across_x == (axis == 1) { [0, 2] } else { [3, 1] };
        let [end_x, end_z] = ENDS[direction as usize];
        let is_before = if axis == 1 { end_z == 1 } else { end_x == 1 };
        let slots = if is_before { slots } else { [slots[1], slots[0]] };
        let is_walkable = |slot: usize| self.areas[ring.floors[slot & 3] as usize].is_walkable();
        let is_step = |slot: usize| ring.is_linked(slot) && is_walkable(slot) && is_walkable(slot + 1);
        (slots, slots.map(is_step))
    }

    /// Returns true if a floor of the same region is beyond a side that no step leads over.
    #[inline]
    fn is_slit(&self, at: &Position, [x, z]: [i32; 2], direction: Direction) -> bool {
        if !self.keeps_slits || at.around[direction as usize] != NO_NEIGHBOUR {
            return false;
        }
        let [dx, dz] = STEPS[direction as usize];
        let [column_x, column_z] = [x + dx + self.border, z + dz + self.border].map(|place| place as u32);
        let grid = &self.field.grid;
        // A negative number is large as an unsigned one.
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

    /// Marks the corner between two sides as staying where a slit bends, starts or ends.
    #[inline]
    fn join_sides(&mut self, before: Option<WalkedSide>, side: WalkedSide) {
        if let (Some(before), Some(corner)) = (before, self.vertices.last_mut()) {
            let straight = before.is_slit & side.is_slit & (before.direction == side.direction);
            corner.junction |= (before.is_slit | side.is_slit) & !straight;
        }
    }

    /// Returns true if a corner is on the border to another tile.
    #[inline]
    fn is_on_border(&self, [x, z]: [i32; 2]) -> bool {
        let [width, depth] = self.inner;
        (self.border > 0) & ((x == 0) | (z == 0) | (x == width) | (z == depth))
    }

    /// The corner at the end of one side of the span, at `x`, `z`.
    #[inline]
    fn vertex(&self, at: &Position, ring: &CornerRing, direction: Direction, [x, z]: [i32; 2]) -> RawVertex {
        let on_border = self.is_on_border([x, z]);
        let beside = at.around[direction as usize];
        let corner = if on_border { self.kept.of(at.span, direction) } else { Corner::Other };
        let (beyond, area_border) = match beside {
            NO_NEIGHBOUR => (RegionId::NONE, false),
            _ => {
                let area = |span: u32| self.areas[span as usize];
                (self.labels[beside as usize], area(beside) != area(at.span))
            }
        };
        RawVertex {
            position: [x * FIXED_ONE, self.rings.height(ring, at.span, direction), z * FIXED_ONE],
            beyond,
            area_border,
            border_vertex: corner == Corner::Removable,
            junction: corner == Corner::Kept || self.rings.is_junction(ring, at.span, direction),
            exact: false,
        }
    }

    #[cfg(test)]
    pub(super) fn corner(&self, span: usize, direction: Direction, [x, z]: [u32; 2]) -> RawVertex {
        let at = self.rings.at(span as u32);
        let [dx, dz] = ENDS[direction as usize];
        let place = [x as i32 - self.border + dx, z as i32 - self.border + dz];
        self.vertex(&at, &self.rings.around(&at, direction), direction, place)
    }
}
