//! The columns of some tiles and of their surroundings in one array: one load per column that a search
//! examines. Units: cells from the lattice's zero. Cost: O(columns of the window), 16 bytes each; a level in
//! one tile is not copied.

use crate::ground::LevelGround;
use recast::inside::ground::{CutRange, GroundColumn};
use std::ops::Range;

/// The columns of a part of the level.
pub(super) struct GroundWindow<'a> {
    pub(super) ground: &'a LevelGround,
    first: [i32; 2],
    size: [i32; 2],
    columns: &'a [GroundColumn],
    /// For each x, and for each z, of the window: the coordinate of the tile, in tiles, and the column within
    /// the tile.
    places: [Vec<[i32; 2]>; 2],
}

impl<'a> GroundWindow<'a> {
    /// The columns within `reach` of the border floors of some tiles, clipped to the level; `None` if there
    /// are no such floors.
    pub(super) fn around(
        ground: &'a LevelGround,
        tiles: &[usize],
        reach: i32,
        columns: &'a mut Vec<GroundColumn>,
    ) -> Option<GroundWindow<'a>> {
        let borders = tiles.iter().flat_map(|&tile| ground.borders_of(tile));
        let mut places = borders.map(|&floor| ground.floors[floor as usize].at);
        let first = places.next()?;
        let (low, high) = places.fold((first, first), |(low, high), at| {
            let pick = |by: fn(i32, i32) -> i32, other: [i32; 2]| [by(other[0], at[0]), by(other[1], at[1])];
            (pick(i32::min, low), pick(i32::max, high))
        });
        let whole = if let [tile] = ground.tiles.as_slice() { Some(tile) } else { None };
        let first = whole.map_or_else(|| low.map(|low| low - reach), |tile| tile.base);
        let size = [0, 1].map(|axis| high[axis] + reach + 1 - first[axis]);
        let size = if whole.is_some() { ground.size } else { size };
        let places = [0, 1].map(|axis| {
            let (first, side) = (first[axis], ground.size[axis]);
            (first..first + size[axis]).map(|at| [at.div_euclid(side), at.rem_euclid(side)]).collect()
        });
        let mut window = GroundWindow { ground, first, size, columns: &[], places };
        window.columns = match whole {
            Some(tile) => &tile.columns,
            None => {
                window.fill(columns);
                columns
            }
        };
        Some(window)
    }

    /// Copies the columns of all tiles, row by row.
    fn fill(&self, columns: &mut Vec<GroundColumn>) {
        columns.clear();
        columns.reserve_exact(self.size[0] as usize * self.size[1] as usize);
        let width = self.ground.size[0] as usize;
        for &[tile_z, z] in &self.places[1] {
            for across in self.places[0].chunk_by(|a, b| a[0] == b[0]) {
                match self.ground.tile_at([across[0][0], tile_z]) {
                    Some(tile) => {
                        let first = across[0][1] as usize + z as usize * width;
                        let part = &self.ground.tiles[tile as usize];
                        columns.extend_from_slice(&part.columns[first..first + across.len()]);
                    }
                    None => columns.resize(columns.len() + across.len(), GroundColumn::EMPTY),
                }
            }
        }
    }

    /// The index of a column of the window.
    #[inline]
    pub(super) fn index(&self, [x, z]: [i32; 2]) -> usize {
        (x - self.first[0]) as usize + (z - self.first[1]) as usize * self.size[0] as usize
    }

    /// Offset of an index for a step along x and z.
    #[inline]
    pub(super) fn stride(&self, [x, z]: [i32; 2]) -> isize {
        x as isize + z as isize * self.size[0] as isize
    }

    /// The column at an index.
    #[inline]
    pub(super) fn column(&self, index: usize) -> &GroundColumn {
        &self.columns[index]
    }

    /// The column at a place; an empty one outside the window.
    #[inline]
    pub(super) fn column_at(&self, at: [i32; 2]) -> &GroundColumn {
        if self.contains(at) { self.column(self.index(at)) } else { &GroundColumn::EMPTY }
    }

    #[inline]
    fn contains(&self, at: [i32; 2]) -> bool {
        [0, 1].into_iter().all(|axis| (0..self.size[axis]).contains(&(at[axis] - self.first[axis])))
    }

    /// Number of steps in a direction from a place that are within the window; 0 from outside. Steps along an
    /// axis are one or two columns long.
    #[inline]
    pub(super) fn steps_within(&self, at: [i32; 2], direction: [i32; 2]) -> i32 {
        if !self.contains(at) {
            return 0;
        }
        let along = |axis: usize| {
            let (at, step) = (at[axis] - self.first[axis], direction[axis]);
            match step.signum() {
                0 => i32::MAX,
                1 => (self.size[axis] - 1 - at) >> (step - 1),
                _ => at >> (-step - 1),
            }
        };
        along(0).min(along(1))
    }

    /// Returns true if a span of a column is between two heights.
    #[inline]
    pub(super) fn meets(&self, at: [i32; 2], column: &GroundColumn, low: i32, high: i32) -> bool {
        column.may_meet(CutRange::between(low, high))
            && (column.is_whole() || self.spans(at).iter().any(|&[bottom, top]| bottom < high && top > low))
    }

    /// Bottom and top of the spans of a column of the window, in any order.
    pub(super) fn spans(&self, at: [i32; 2]) -> &[[i32; 2]] {
        self.place(at).map_or(&[], |(tile, own)| self.ground.tiles[tile].spans_of(own))
    }

    /// The floors of a column of the window, from bottom to top, kept or not.
    pub(super) fn floors(&self, at: [i32; 2]) -> Range<usize> {
        self.place(at).map_or(0..0, |(tile, own)| self.ground.tiles[tile].floors_of(own))
    }

    /// The tile that holds a column of the window, and the column within it.
    #[inline]
    fn place(&self, [x, z]: [i32; 2]) -> Option<(usize, usize)> {
        let [tile_x, x] = self.places[0][(x - self.first[0]) as usize];
        let [tile_z, z] = self.places[1][(z - self.first[1]) as usize];
        let tile = self.ground.tile_at([tile_x, tile_z])?;
        Some((tile as usize, x as usize + z as usize * self.ground.size[0] as usize))
    }
}
