//! Tiles by coordinate and by box. The rows of 16 x 16 tile columns form a block; a change copies one block
//! and the list of blocks. Cost: constant time on average to look up a coordinate, and per tile that meets a
//! box. The coordinates of these tiles follow from the box, as it is known how far tiles reach beyond the
//! squares of their coordinates.

use super::fixed::{FixedBox, floor};
use navmath::FIXED_ONE;
use navtile::TileCoord;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// Log2 of a block's width in tiles.
const BLOCK_SHIFT: u32 = 4;
/// Columns of a block.
const COLUMNS: usize = 1 << (2 * BLOCK_SHIFT);
const LAST_IN_BLOCK: i32 = (1 << BLOCK_SHIFT) - 1;

/// The coordinates of a block: the coordinates of its tiles without their low bits.
pub(crate) type BlockKey = (i32, i32);

/// A tile in the index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileRow {
    pub(crate) coord: TileCoord,
    pub(crate) slot: u32,
    pub(crate) bounds: FixedBox,
}

/// The tiles of one block; never empty.
#[derive(Clone, Debug)]
struct Block {
    key: BlockKey,
    bounds: FixedBox,
    rows: Arc<BlockRows>,
}

impl Block {
    #[inline]
    fn column(&self, x: i32, z: i32) -> &[TileRow] {
        &self.rows.rows[self.rows.column(x, z)]
    }
}

/// The rows of a block.
#[derive(Clone, Debug)]
struct BlockRows {
    /// Sorted by coordinate.
    rows: Vec<TileRow>,
    /// Index of the first row of each column, and the end.
    starts: [u32; COLUMNS + 1],
}

impl BlockRows {
    fn of(row: TileRow) -> BlockRows {
        let mut rows = BlockRows { rows: Vec::new(), starts: [0; COLUMNS + 1] };
        rows.insert(row);
        rows
    }

    fn column(&self, x: i32, z: i32) -> Range<usize> {
        let column = column(x, z);
        self.starts[column] as usize..self.starts[column + 1] as usize
    }

    /// The rows of the columns at an x, within a range of z.
    fn columns(&self, x: i32, z: &RangeInclusive<i32>) -> Range<usize> {
        self.starts[column(x, *z.start())] as usize..self.starts[column(x, *z.end()) + 1] as usize
    }

    fn insert(&mut self, row: TileRow) {
        let column = self.column(row.coord.x, row.coord.z);
        let before = self.rows[column.clone()].iter().take_while(|other| other.coord < row.coord).count();
        self.rows.insert(column.start + before, row);
        self.starts_after(row).iter_mut().for_each(|start| *start += 1);
    }

    fn remove(&mut self, coord: TileCoord) -> Option<TileRow> {
        let column = self.column(coord.x, coord.z);
        let place = column.start + self.rows[column].iter().position(|row| row.coord == coord)?;
        let removed = self.rows.remove(place);
        self.starts_after(removed).iter_mut().for_each(|start| *start -= 1);
        Some(removed)
    }

    /// The starts of the columns after the column of a row.
    fn starts_after(&mut self, row: TileRow) -> &mut [u32] {
        &mut self.starts[column(row.coord.x, row.coord.z) + 1..]
    }
}

/// All tiles by coordinate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// Sorted by key.
    blocks: Vec<Block>,
    /// A hash table of open addressing: the number of each block, plus one. Its length is a power of two, at
    /// least twice the number of blocks; 0 without blocks.
    table: Vec<u32>,
    count: usize,
    grid: Grid,
}

/// The squares of tile coordinates along x and z, and how far tiles reach beyond theirs; in fixed-point
/// units.
#[derive(Clone, Copy, Debug, Default)]
struct Grid {
    /// The size of the first tile; 0 without tiles. Tiles of other sizes reach beyond their squares.
    step: [i64; 2],
    /// Squares per unit.
    density: [f64; 2],
    /// Towards smaller and towards larger coordinates. It only grows, until the last tile is removed.
    beyond: [[i64; 2]; 2],
}

/// More than the rounding of positions in squares.
const ROUNDING: f64 = 1e-6;

/// The axes of tile coordinates.
const AXES: [usize; 2] = [0, 2];

impl Grid {
    fn add(&mut self, row: &TileRow, size: [u32; 2]) {
        let coord = [row.coord.x, row.coord.z].map(i64::from);
        if self.step[0] == 0 {
            self.step = size.map(|cells| i64::from(cells.max(1)) * i64::from(FIXED_ONE));
            self.density = self.step.map(|step| 1.0 / step as f64);
        }
        for (number, axis) in AXES.into_iter().enumerate() {
            let low = coord[number].saturating_mul(self.step[number]);
            let high = low.saturating_add(self.step[number]);
            let [below, above] = &mut self.beyond[number];
            *below = (*below).max(low.saturating_sub(row.bounds.min[axis]));
            *above = (*above).max(row.bounds.max[axis].saturating_sub(high));
        }
    }

    /// The coordinates of the tiles that may meet a box.
    fn coords(&self, area: &FixedBox) -> [RangeInclusive<i32>; 2] {
        std::array::from_fn(|number| {
            let [below, above] = self.beyond[number];
            let (low, high) = (area.min[AXES[number]], area.max[AXES[number]]);
            let square = |units: i64, outwards: f64| floor(units as f64 * self.density[number] + outwards);
            // A tile whose edge is on the box meets it.
            let first = square(low.saturating_sub(above).saturating_sub(1), -ROUNDING);
            let last = square(high.saturating_add(below), ROUNDING);
            let clamp = |coord: i64| coord.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
            clamp(first)..=clamp(last)
        })
    }
}

pub(crate) fn block_key(x: i32, z: i32) -> BlockKey {
    (block_of(x), block_of(z))
}

fn block_of(coord: i32) -> i32 {
    coord >> BLOCK_SHIFT
}

/// Where to begin to look for a block in the hash table.
fn home((x, z): BlockKey) -> usize {
    let bits = u64::from(x as u32) << 32 | u64::from(z as u32);
    (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}

/// The number of a column within its block, in the order of coordinates.
fn column(x: i32, z: i32) -> usize {
    let within = |at: i32| (at & ((1 << BLOCK_SHIFT) - 1)) as usize;
    within(x) << BLOCK_SHIFT | within(z)
}

impl Index {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The number of a block.
    #[inline]
    fn block(&self, key: BlockKey) -> Option<usize> {
        let mask = self.table.len().checked_sub(1)?;
        let mut at = home(key) & mask;
        // Ends at an empty entry: at least half of them are empty.
        loop {
            let block = (self.table[at] as usize).checked_sub(1)?;
            if self.blocks[block].key == key {
                return Some(block);
            }
            at = (at + 1) & mask;
        }
    }

    /// Fills the hash table, after blocks have moved.
    fn fill_table(&mut self) {
        self.table.clear();
        if self.blocks.is_empty() {
            return;
        }
        self.table.resize((2 * self.blocks.len()).next_power_of_two(), 0);
        let mask = self.table.len() - 1;
        for (number, block) in (1u32..).zip(&self.blocks) {
            let mut at = home(block.key) & mask;
            while self.table[at] != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = number;
        }
    }

    /// The tiles of all layers at a column.
    pub(crate) fn column(&self, x: i32, z: i32) -> &[TileRow] {
        self.block(block_key(x, z)).map_or(&[], |block| self.blocks[block].column(x, z))
    }

    /// [`Index::column`] for a column that is probably in this block.
    pub(crate) fn column_near(&self, block: usize, x: i32, z: i32) -> &[TileRow] {
        match self.blocks.get(block).filter(|block| block.key == block_key(x, z)) {
            Some(block) => block.column(x, z),
            None => self.column(x, z),
        }
    }

    /// The slot of the tile at `coord`.
    pub(crate) fn slot(&self, coord: TileCoord) -> Option<u32> {
        self.column(coord.x, coord.z).iter().find(|row| row.coord == coord).map(|row| row.slot)
    }

    /// Calls `visit` for the tiles whose bounds meet a box.
    #[inline]
    pub(crate) fn visit_overlapping(&self, area: &FixedBox, mut visit: impl FnMut(&TileRow)) {
        let [x, z] = self.grid.coords(area);
        let ([first_x, first_z], [last_x, last_z]) =
            ([*x.start(), *z.start()].map(block_of), [*x.end(), *z.end()].map(block_of));
        let count = |first: i32, last: i32| (i64::from(last) - i64::from(first) + 1).max(0) as u64;
        let blocks = count(first_x, last_x).saturating_mul(count(first_z, last_z));
        if blocks > self.blocks.len() as u64 {
            for block in self.blocks.iter().filter(|block| block.bounds.overlaps(area)) {
                block.rows.rows.iter().filter(|row| row.bounds.overlaps(area)).for_each(&mut visit);
            }
            return;
        }
        for key in (first_x..=last_x).flat_map(|x| (first_z..=last_z).map(move |z| (x, z))) {
            let Some(block) = self.block(key) else { continue };
            let rows = &*self.blocks[block].rows;
            let within = |range: &RangeInclusive<i32>, block: i32| {
                let first = block << BLOCK_SHIFT;
                *range.start().max(&first)..=*range.end().min(&(first + LAST_IN_BLOCK))
            };
            let columns_z = within(&z, key.1);
            for x in within(&x, key.0) {
                let rows = &rows.rows[rows.columns(x, &columns_z)];
                rows.iter().filter(|row| row.bounds.overlaps(area)).for_each(&mut visit);
            }
        }
    }

    /// Adds a tile of a size in cells at a free coordinate, and returns the number of its block.
    pub(crate) fn insert(&mut self, row: TileRow, size: [u32; 2]) -> usize {
        let key = block_key(row.coord.x, row.coord.z);
        self.grid.add(&row, size);
        self.count += 1;
        if let Some(at) = self.block(key) {
            let block = &mut self.blocks[at];
            block.bounds = block.bounds.union(&row.bounds);
            Arc::make_mut(&mut block.rows).insert(row);
            return at;
        }
        let at = self.blocks.partition_point(|block| block.key < key);
        self.blocks.insert(at, Block { key, bounds: row.bounds, rows: Arc::new(BlockRows::of(row)) });
        self.fill_table();
        at
    }

    /// Removes the tile at `coord`; `None` if there is no such tile.
    pub(crate) fn remove(&mut self, coord: TileCoord) -> Option<TileRow> {
        let at = self.block(block_key(coord.x, coord.z))?;
        let block = &mut self.blocks[at];
        block.rows.rows[block.rows.column(coord.x, coord.z)].iter().find(|row| row.coord == coord)?;
        let removed = Arc::make_mut(&mut block.rows).remove(coord)?;
        match block.rows.rows.iter().map(|row| row.bounds).reduce(|a, b| a.union(&b)) {
            Some(bounds) => block.bounds = bounds,
            None => {
                self.blocks.remove(at);
                self.fill_table();
            }
        }
        self.count -= 1;
        if self.count == 0 {
            self.grid = Grid::default();
        }
        Some(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Side of a tile, cells and fixed-point units.
    const CELLS: u32 = 10;
    const SIDE: i64 = CELLS as i64 * FIXED_ONE as i64;

    fn row(x: i32, z: i32, layer: i32, slot: u32) -> TileRow {
        let at = [i64::from(x) * SIDE, 0, i64::from(z) * SIDE];
        let bounds = FixedBox { min: at, max: at.map(|v| v + SIDE) };
        TileRow { coord: TileCoord { x, z, layer }, slot, bounds }
    }

    fn overlapping(index: &Index, area: &FixedBox) -> Vec<TileCoord> {
        let mut found = Vec::new();
        index.visit_overlapping(area, |row| found.push(row.coord));
        found.sort();
        found
    }

    #[test]
    fn tiles_are_found_by_place_until_they_are_removed() {
        let mut index = Index::default();
        let mut slot = 0;
        for x in -20..20 {
            for z in -20..20 {
                index.insert(row(x, z, 0, slot), [CELLS; 2]);
                slot += 1;
            }
        }
        index.insert(row(-17, 3, 2, slot), [CELLS; 2]);
        assert_eq!(index.len(), 1601);
        assert_eq!(index.column(-17, 3).iter().map(|r| r.coord.layer).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(index.slot(TileCoord { x: -17, z: 3, layer: 2 }), Some(slot));
        let area = FixedBox { min: [SIDE + 1, 0, SIDE + 1], max: [3 * SIDE + 1, 0, 2 * SIDE - 1] };
        let coord = |x| TileCoord { x, z: 1, layer: 0 };
        assert_eq!(overlapping(&index, &area), [1, 2, 3].map(coord));
        assert!(index.remove(coord(2)).is_some());
        assert!(index.remove(coord(2)).is_none());
        assert_eq!(overlapping(&index, &area).len(), 2);
        assert_eq!(index.len(), 1600);
    }

    proptest! {
        /// Tiles of any size, anywhere, some removed again; boxes from a point to everything.
        #[test]
        fn a_box_meets_the_tiles_that_a_comparison_with_all_finds(
            tiles in prop::collection::vec((-40i32..40, -40i32..40, 0i32..2, prop::array::uniform4(-3000i64..3000), prop::bool::ANY), 1..60),
            boxes in prop::collection::vec((prop::array::uniform2(-45 * SIDE..45 * SIDE), 0i64..100 * SIDE), 1..20),
            far in prop::bool::ANY,
        ) {
            let mut index = Index::default();
            let mut rows: Vec<TileRow> = Vec::new();
            for (x, z, layer, moved, _) in &tiles {
                let mut row = row(*x, *z, *layer, rows.len() as u32);
                for (number, axis) in AXES.into_iter().enumerate() {
                    row.bounds.min[axis] += moved[2 * number].min(moved[2 * number + 1]);
                    row.bounds.max[axis] += moved[2 * number].max(moved[2 * number + 1]);
                }
                if rows.iter().all(|other| other.coord != row.coord) {
                    index.insert(row, [CELLS, CELLS + 1]);
                    rows.push(row);
                }
            }
            if far {
                let corner = row(i32::MAX, i32::MIN, 0, 999);
                index.insert(corner, [CELLS; 2]);
                rows.push(corner);
            }
            for (x, z, layer, _, stays) in &tiles {
                let coord = TileCoord { x: *x, z: *z, layer: *layer };
                if !stays && index.remove(coord).is_some() {
                    rows.retain(|row| row.coord != coord);
                }
            }
            for ([x, z], size) in boxes {
                let area = FixedBox { min: [x, 0, z], max: [x + size, SIDE, z + size] };
                let mut expected: Vec<TileCoord> =
                    rows.iter().filter(|row| row.bounds.overlaps(&area)).map(|row| row.coord).collect();
                expected.sort();
                prop_assert_eq!(overlapping(&index, &area), expected);
                prop_assert!(rows.iter().all(|row| index.slot(row.coord) == Some(row.slot)));
            }
        }
    }
}
