//! Parts of a level, in columns: squares that the search for links goes through one by one, and the zone
//! around a square in which all candidates are known.
//! Units: cells from the lattice's zero.

use std::collections::BTreeSet;

/// Edges of links end at the multiples of this many cells, so that one is found in a window of the level.
pub(super) const EDGE_CELLS: i32 = 1024;

/// The first column of a rectangle, and the first one beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) low: [i32; 2],
    pub(super) high: [i32; 2],
}

impl Rect {
    /// The columns of the tile at a coordinate.
    pub(super) fn of_tile(tile: [i32; 2], size: [i32; 2]) -> Rect {
        let low = [0, 1].map(|axis| tile[axis].saturating_mul(size[axis]));
        Rect { low, high: [0, 1].map(|axis| low[axis].saturating_add(size[axis])) }
    }

    /// The rectangle with everything within `reach` of it.
    pub(super) fn grown(self, reach: u32) -> Rect {
        Rect {
            low: self.low.map(|low| low.saturating_sub_unsigned(reach)),
            high: self.high.map(|high| high.saturating_add_unsigned(reach)),
        }
    }

    /// The smallest rectangle that contains both.
    pub(super) fn joined(self, other: Rect) -> Rect {
        let pick =
            |by: fn(i32, i32) -> i32, a: [i32; 2], b: [i32; 2]| [0, 1].map(|axis| by(a[axis], b[axis]));
        Rect { low: pick(i32::min, self.low, other.low), high: pick(i32::max, self.high, other.high) }
    }

    pub(super) fn has(&self, at: [i32; 2]) -> bool {
        [0, 1].into_iter().all(|axis| (self.low[axis]..self.high[axis]).contains(&at[axis]))
    }

    pub(super) fn meets(&self, other: &Rect) -> bool {
        [0, 1].into_iter().all(|axis| self.low[axis] < other.high[axis] && other.low[axis] < self.high[axis])
    }

    /// The squares of a grid that it meets, by their first and last coordinates.
    pub(super) fn squares(&self, grid: &SquareGrid) -> [[i32; 2]; 2] {
        [grid.square(self.low), grid.square(self.high.map(|high| high.saturating_sub(1)))]
    }
}

/// A grid of squares over the level.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquareGrid {
    /// The first column of a square.
    pub(super) first: [i32; 2],
    /// Columns along a side.
    pub(super) side: i32,
}

impl SquareGrid {
    /// The square of a column.
    pub(super) fn square(&self, at: [i32; 2]) -> [i32; 2] {
        [0, 1].map(|axis| at[axis].saturating_sub(self.first[axis]).div_euclid(self.side))
    }

    /// The columns of a square.
    pub(super) fn rect(&self, square: [i32; 2]) -> Rect {
        let Rect { low, high } = Rect::of_tile(square, [self.side; 2]);
        let moved = |at: [i32; 2]| [0, 1].map(|axis| at[axis].saturating_add(self.first[axis]));
        Rect { low: moved(low), high: moved(high) }
    }
}

/// A row of candidates that leaves the zone: the first column beyond, and the direction.
pub(super) type Lead = ([i32; 2], [i32; 2]);

/// The columns in which all candidates that start there are known.
#[derive(Clone, Debug)]
pub(super) struct Zone {
    pub(super) rect: Rect,
    /// Tiles beyond, into which rows of candidates lead.
    pub(super) tiles: BTreeSet<[i32; 2]>,
    /// Columns of a tile along x and z.
    size: [i32; 2],
}

impl Zone {
    pub(super) fn new(rect: Rect, size: [i32; 2]) -> Zone {
        Zone { rect, tiles: BTreeSet::new(), size }
    }

    /// Everything.
    pub(super) fn whole() -> Zone {
        Zone::new(Rect { low: [i32::MIN; 2], high: [i32::MAX; 2] }, [1; 2])
    }

    pub(super) fn has(&self, at: [i32; 2]) -> bool {
        self.rect.has(at) || self.tiles.contains(&self.tile(at))
    }

    /// Returns true if a column of the zone may be within `reach` of a column.
    pub(super) fn is_within(&self, at: [i32; 2], reach: i32) -> bool {
        let around =
            Rect { low: at, high: at.map(|cell| cell.saturating_add(1)) }.grown(reach.unsigned_abs());
        let [low, high] = [around.low, around.high].map(|at| self.tile(at));
        let mut beside = (low[0]..=high[0]).flat_map(|x| (low[1]..=high[1]).map(move |z| [x, z]));
        self.rect.meets(&around) || (!self.tiles.is_empty() && beside.any(|tile| self.tiles.contains(&tile)))
    }

    fn tile(&self, at: [i32; 2]) -> [i32; 2] {
        [0, 1].map(|axis| at[axis].div_euclid(self.size[axis]))
    }

    /// Returns true if a column is within `around` of the rectangle, or within `beyond` of a tile beyond it.
    pub(super) fn is_near(&self, tile: [i32; 2], around: u32, beyond: u32) -> bool {
        let own = Rect::of_tile(tile, self.size);
        let near = |other: &[i32; 2]| Rect::of_tile(*other, self.size).grown(beyond).meets(&own);
        self.rect.grown(around).meets(&own) || self.tiles.iter().any(near)
    }

    /// Adds the tiles along rows, as far as an edge may be long.
    pub(super) fn follow(&mut self, leads: &BTreeSet<Lead>) {
        for &(mut at, [dx, dz]) in leads {
            let first = edge_square(at);
            while edge_square(at) == first {
                self.tiles.insert(self.tile(at));
                at = [at[0] + dx, at[1] + dz];
            }
        }
    }
}

/// The square that an edge with a place in this column stays in.
pub(super) fn edge_square(at: [i32; 2]) -> [i32; 2] {
    at.map(|cell| cell.div_euclid(EDGE_CELLS))
}
