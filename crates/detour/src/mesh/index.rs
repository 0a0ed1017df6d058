//! Where tiles are: by coordinate and by box. Rows of 16 x 16 tile columns stand in a block; a change copies one
//! block and the list of blocks. Cost: a coordinate takes a binary search among blocks; a box looks at every block's
//! bounds (a 256th of the tiles) and at the rows of the blocks it meets.

use super::entry::FixedBox;
use navtile::TileCoord;
use std::ops::Range;
use std::sync::Arc;

/// Log2 of a block's width in tiles.
const BLOCK_SHIFT: u32 = 4;
/// Columns of a block.
const COLUMNS: usize = 1 << (2 * BLOCK_SHIFT);

type Key = (i32, i32);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) coord: TileCoord,
    pub(crate) slot: u32,
    pub(crate) bounds: FixedBox,
}

/// The tiles of one block; never empty.
#[derive(Clone, Debug)]
struct Block {
    key: Key,
    bounds: FixedBox,
    rows: Arc<Rows>,
}

impl Block {
    #[inline]
    fn column(&self, x: i32, z: i32) -> &[Row] {
        &self.rows.rows[self.rows.column(x, z)]
    }
}

/// The rows of a block.
#[derive(Clone, Debug)]
struct Rows {
    /// Sorted by coordinate.
    rows: Vec<Row>,
    /// Where the rows of each column start, and the end.
    starts: [u32; COLUMNS + 1],
}

impl Rows {
    fn of(row: Row) -> Rows {
        let mut rows = Rows { rows: Vec::new(), starts: [0; COLUMNS + 1] };
        rows.insert(row);
        rows
    }

    fn column(&self, x: i32, z: i32) -> Range<usize> {
        let column = column(x, z);
        self.starts[column] as usize..self.starts[column + 1] as usize
    }

    fn insert(&mut self, row: Row) {
        let column = self.column(row.coord.x, row.coord.z);
        let before = self.rows[column.clone()].iter().take_while(|other| other.coord < row.coord).count();
        self.rows.insert(column.start + before, row);
        self.starts_after(row).iter_mut().for_each(|start| *start += 1);
    }

    fn remove(&mut self, coord: TileCoord) -> Option<Row> {
        let column = self.column(coord.x, coord.z);
        let place = column.start + self.rows[column].iter().position(|row| row.coord == coord)?;
        let gone = self.rows.remove(place);
        self.starts_after(gone).iter_mut().for_each(|start| *start -= 1);
        Some(gone)
    }

    /// The starts of the columns after that of a row.
    fn starts_after(&mut self, row: Row) -> &mut [u32] {
        &mut self.starts[column(row.coord.x, row.coord.z) + 1..]
    }
}

/// All tiles by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// Sorted by key.
    blocks: Vec<Block>,
    count: usize,
}

fn key(x: i32, z: i32) -> Key {
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

    fn block(&self, key: Key) -> Result<usize, usize> {
        self.blocks.binary_search_by_key(&key, |block| block.key)
    }

    /// The tiles of all layers at a column.
    pub(crate) fn column(&self, x: i32, z: i32) -> &[Row] {
        self.block(key(x, z)).map_or(&[], |block| self.blocks[block].column(x, z))
    }

    /// The same, of a column that is probably in this block.
    pub(crate) fn column_near(&self, block: usize, x: i32, z: i32) -> &[Row] {
        match self.blocks.get(block).filter(|block| block.key == key(x, z)) {
            Some(block) => block.column(x, z),
            None => self.column(x, z),
        }
    }

    /// The slot of the tile at `coord`.
    pub(crate) fn slot(&self, coord: TileCoord) -> Option<u32> {
        self.column(coord.x, coord.z).iter().find(|row| row.coord == coord).map(|row| row.slot)
    }

    /// The tiles whose bounds meet a box.
    pub(crate) fn overlapping<'a>(&'a self, area: &'a FixedBox) -> impl Iterator<Item = &'a Row> {
        let blocks = self.blocks.iter().filter(|block| block.bounds.overlaps(area));
        blocks.flat_map(|block| block.rows.rows.iter()).filter(|row| row.bounds.overlaps(area))
    }

    /// Adds a tile at a coordinate that is free; tells the block it is in.
    pub(crate) fn insert(&mut self, row: Row) -> usize {
        let key = key(row.coord.x, row.coord.z);
        let place = self.block(key);
        match place {
            Ok(at) => {
                let block = &mut self.blocks[at];
                block.bounds = block.bounds.union(&row.bounds);
                Arc::make_mut(&mut block.rows).insert(row);
            }
            Err(at) => {
                self.blocks.insert(at, Block { key, bounds: row.bounds, rows: Arc::new(Rows::of(row)) });
            }
        }
        self.count += 1;
        place.unwrap_or_else(|at| at)
    }

    /// Removes the tile at `coord`; `None` if there is none.
    pub(crate) fn remove(&mut self, coord: TileCoord) -> Option<Row> {
        let at = self.block(key(coord.x, coord.z)).ok()?;
        let block = &mut self.blocks[at];
        block.rows.rows[block.rows.column(coord.x, coord.z)].iter().find(|row| row.coord == coord)?;
        let gone = Arc::make_mut(&mut block.rows).remove(coord)?;
        match block.rows.rows.iter().map(|row| row.bounds).reduce(|a, b| a.union(&b)) {
            Some(bounds) => block.bounds = bounds,
            None => {
                self.blocks.remove(at);
            }
        }
        self.count -= 1;
        Some(gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: i32, z: i32, layer: i32, slot: u32) -> Row {
        let at = [i64::from(x) * 10, 0, i64::from(z) * 10];
        let bounds = FixedBox { min: at, max: at.map(|v| v + 10) };
        Row { coord: TileCoord { x, z, layer }, slot, bounds }
    }

    #[test]
    fn tiles_are_found_by_place_until_they_are_gone() {
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
