//! The columns of a tile and those around it side by side: one load per column that a search looks at.
//! Units: cells from the lattice's zero. Cost: O(columns of the window), 16 bytes each.

use super::ground::LevelGround;
use std::ops::Range;

/// A column of the ground.
#[derive(Clone, Copy)]
pub(super) struct WindowColumn {
    /// The lowest bottom and the highest top of its spans.
    bottom: i32,
    top: i32,
    /// Twice the index of the tile that holds it, and one more if it has floors.
    tile: u32,
    /// The column within the tile.
    own: u32,
}

/// No spans, no floors.
const EMPTY: WindowColumn = WindowColumn { bottom: i32::MAX, top: i32::MIN, tile: 0, own: 0 };

/// The columns of a part of the level.
pub(super) struct GroundWindow<'a> {
    pub(super) ground: &'a LevelGround,
    first: [i32; 2],
    size: [i32; 2],
    columns: &'a [WindowColumn],
}

impl<'a> GroundWindow<'a> {
    /// All columns within `reach` of a tile's border floors; `None` if it has none.
    pub(super) fn around(
        ground: &'a LevelGround,
        tile: usize,
        reach: i32,
        columns: &'a mut Vec<WindowColumn>,
    ) -> Option<GroundWindow<'a>> {
        let mut places =
            ground.floors_of(tile).map(|floor| &ground.floors[floor]).filter(|floor| floor.is_border());
        let first = places.next()?.at;
        let (low, high) = places.fold((first, first), |(low, high), floor| {
            let pick = |by: fn(i32, i32) -> i32, other: [i32; 2]| {
                std::array::from_fn(|axis| by(other[axis], floor.at[axis]))
            };
            (pick(i32::min, low), pick(i32::max, high))
        });
        let first = low.map(|low| low - reach);
        let size = [0, 1].map(|axis| high[axis] + reach + 1 - first[axis]);
        columns.clear();
        columns.resize(size[0] as usize * size[1] as usize, EMPTY);
        fill(ground, first, size, columns);
        Some(GroundWindow { ground, first, size, columns })
    }

    /// A column; one without anything outside of the window.
    #[inline]
    pub(super) fn column(&self, [x, z]: [i32; 2]) -> &WindowColumn {
        let [x, z] = [x - self.first[0], z - self.first[1]];
        if x < 0 || z < 0 || x >= self.size[0] {
            return &EMPTY;
        }
        self.columns.get(x as usize + z as usize * self.size[0] as usize).unwrap_or(&EMPTY)
    }

    /// Whether a span of a column lies between two heights.
    #[inline]
    pub(super) fn meets(&self, column: &WindowColumn, low: i32, high: i32) -> bool {
        column.may_meet(low, high)
            && self.spans(column).iter().any(|&[bottom, top]| bottom < high && top > low)
    }

    /// Bottom and top of the spans of a column, in any order.
    pub(super) fn spans(&self, column: &WindowColumn) -> &[[i32; 2]] {
        self.ground.tiles[column.tile as usize / 2].spans_of(column.own as usize)
    }

    /// The floors of a column, from bottom to top.
    #[inline]
    pub(super) fn floors(&self, column: &WindowColumn) -> Range<usize> {
        self.ground.tiles[column.tile as usize / 2].floors_of(column.own as usize)
    }
}

/// Fills in the columns of a window.
fn fill(ground: &LevelGround, first: [i32; 2], size: [i32; 2], columns: &mut [WindowColumn]) {
    let end = [first[0] + size[0], first[1] + size[1]];
    for tile in ground.tiles_over(first, end) {
        let part = &ground.tiles[tile as usize];
        let [xs, zs] = [0, 1].map(|axis| {
            let (base, side) = (part.base[axis], ground.size[axis]);
            first[axis].max(base)..end[axis].min(base + side)
        });
        for z in zs {
            let own = (xs.start - part.base[0]) + (z - part.base[1]) * ground.size[0];
            let here = (xs.start - first[0]) + (z - first[1]) * size[0];
            let columns = columns[here as usize..].iter_mut().take(xs.len());
            for (column, own) in columns.zip(own as u32..) {
                let (mut bottom, mut top) = (i32::MAX, i32::MIN);
                for span in part.spans_of(own as usize) {
                    (bottom, top) = (bottom.min(span[0]), top.max(span[1]));
                }
                let has_floors = !part.floors_of(own as usize).is_empty();
                *column = WindowColumn { bottom, top, tile: 2 * tile + u32::from(has_floors), own };
            }
        }
    }
}

impl WindowColumn {
    /// Whether a span may lie between two heights: for one span it does.
    #[inline]
    pub(super) fn may_meet(&self, low: i32, high: i32) -> bool {
        self.top > low && self.bottom < high
    }

    /// Whether it has floors.
    #[inline]
    pub(super) fn has_floors(&self) -> bool {
        self.tile & 1 == 1
    }
}
