//! Tiles by coordinate and by box. The rows of 16 x 16 tile columns form a block; a change copies one block
//! and the list of blocks. Cost: looking up a coordinate is a binary search among blocks; a box is compared
//! with the bounds of every block (a 256th of the tiles) and with the rows of the blocks it meets.

use super::fixed::FixedBox;
use navtile::TileCoord;
use std::ops::Range;
use std::sync::Arc;

/// Log2 of a block's width in tiles.
const BLOCK_SHIFT: u32 = 4;
/// Columns of a block.
const COLUMNS: usize = 1 << (2 * BLOCK_SHIFT);

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
    count: usize,
}

pub(crate) fn block_key(x: i32, z: i32) -> BlockKey {
    (x >> BLOCK_SHIFT, z >> BLOCK_SHIFT)
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

    fn block(&self, key: BlockKey) -> Result<usize, usize> {
        self.blocks.binary_search_by_key(&key, |block| block.key)
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

    /// The tiles whose bounds meet a box.
    pub(crate) fn overlapping<'a>(&'a self, area: &'a FixedBox) -> impl Iterator<Item = &'a TileRow> {
        let blocks = self.blocks.iter().filter(|block| block.bounds.overlaps(area));
        blocks.flat_map(|block| block.rows.rows.iter()).filter(|row| row.bounds.overlaps(area))
    }

    /// Adds a tile at a free coordinate and returns the number of its block.
    pub(crate) fn insert(&mut self, row: TileRow) -> usize {
        let key = block_key(row.coord.x, row.coord.z);
        let place = self.block(key);
        match place {
            Ok(at) => {
                let block = &mut self.blocks[at];
                block.bounds = block.bounds.union(&row.bounds);
                Arc::make_mut(&mut block.rows).insert(row);
            }
            Err(at) => {
                self.blocks.insert(at, Block { key, bounds: row.bounds, rows: Arc::new(BlockRows::of(row)) });
            }
        }
        self.count += 1;
        place.unwrap_or_else(|at| at)
    }

    /// Removes the tile at `coord`; `None` if there is no such tile.
    pub(crate) fn remove(&mut self, coord: TileCoord) -> Option<TileRow> {
        let at = self.block(block_key(coord.x, coord.z)).ok()?;
        let block = &mut self.blocks[at];
        block.rows.rows[block.rows.column(coord.x, coord.z)].iter().find(|row| row.coord == coord)?;
        let removed = Arc::make_mut(&mut block.rows).remove(coord)?;
        match block.rows.rows.iter().map(|row| row.bounds).reduce(|a, b| a.union(&b)) {
            Some(bounds) => block.bounds = bounds,
            None => {
                self.blocks.remove(at);
            }
        }
        self.count -= 1;
        Some(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: i32, z: i32, layer: i32, slot: u32) -> TileRow {
        let at = [i64::from(x) * 10, 0, i64::from(z) * 10];
        let bounds = FixedBox { min: at, max: at.map(|v| v + 10) };
        TileRow { coord: TileCoord { x, z, layer }, slot, bounds }
    }

    #[test]
    fn tiles_are_found_by_place_until_they_are_removed() {
        let mut index = Index::default();
        let mut slot = 0;
        for x in -20..20 {
            for z in -20..20 {
                index.insert(row(x, z, 0, slot));
                slot += 1;
            }
        }
        index.insert(row(-17, 3, 2, slot));
        assert_eq!(index.len(), 1601);
        assert_eq!(index.column(-17, 3).iter().map(|r| r.coord.layer).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(index.slot(TileCoord { x: -17, z: 3, layer: 2 }), Some(slot));
        let area = FixedBox { min: [11, 0, 11], max: [31, 0, 19] };
        let mut found: Vec<_> = index.overlapping(&area).map(|r| (r.coord.x, r.coord.z)).collect();
        found.sort();
        assert_eq!(found, [(1, 1), (2, 1), (3, 1)]);
        assert!(index.remove(TileCoord { x: 2, z: 1, layer: 0 }).is_some());
        assert!(index.remove(TileCoord { x: 2, z: 1, layer: 0 }).is_none());
        assert_eq!(index.overlapping(&area).count(), 2);
        assert_eq!(index.len(), 1600);
    }
}
