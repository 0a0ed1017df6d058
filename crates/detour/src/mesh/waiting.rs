//! Which tiles have off-mesh links that end in a tile, whether that is loaded or not. Kept in blocks like the index
//! of tiles: a change copies one block and the list of blocks. Cost: two binary searches.

use navtile::TileCoord;
use std::sync::Arc;

/// Log2 of a block's width in tiles.
const BLOCK_SHIFT: u32 = 4;

type Key = (i32, i32);

/// Where a link ends, and the slot of the tile it starts in.
type Row = (TileCoord, u32);

/// Where links end, and the slots of the tiles they start in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting {
    /// Sorted by key; no block is empty. Rows sorted, each once.
    blocks: Vec<(Key, Arc<Vec<Row>>)>,
}

fn key(coord: TileCoord) -> Key {
    (coord.x >> BLOCK_SHIFT, coord.z >> BLOCK_SHIFT)
}

impl Waiting {
    fn block(&self, key: Key) -> Result<usize, usize> {
        self.blocks.binary_search_by_key(&key, |block| block.0)
    }

    /// The slots of the tiles with links that end in the tile at `coord`.
    pub(crate) fn at(&self, coord: TileCoord) -> impl Iterator<Item = u32> + '_ {
        let rows = self.block(key(coord)).map_or(&[][..], |block| &self.blocks[block].1[..]);
        let start = rows.partition_point(|row| row.0 < coord);
        let length = rows[start..].partition_point(|row| row.0 == coord);
        rows[start..start + length].iter().map(|row| row.1)
    }

    /// Notes that the tile in `slot` has links that end at `coord`.
    pub(crate) fn insert(&mut self, coord: TileCoord, slot: u32) {
        match self.block(key(coord)) {
            Ok(block) => {
                let rows = Arc::make_mut(&mut self.blocks[block].1);
                if let Err(place) = rows.binary_search(&(coord, slot)) {
                    rows.insert(place, (coord, slot));
                }
            }
            Err(place) => self.blocks.insert(place, (key(coord), Arc::new(vec![(coord, slot)]))),
        }
    }

    /// Forgets that; nothing if it was not noted.
    pub(crate) fn remove(&mut self, coord: TileCoord, slot: u32) {
        let Ok(block) = self.block(key(coord)) else { return };
        let rows = Arc::make_mut(&mut self.blocks[block].1);
        if let Ok(place) = rows.binary_search(&(coord, slot)) {
            rows.remove(place);
        }
        if rows.is_empty() {
            self.blocks.remove(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_wait_until_they_are_forgotten() {
        let mut waiting = Waiting::default();
        let at = |x, z, layer| TileCoord { x, z, layer };
        for (x, slot) in [(0, 7), (0, 3), (0, 7), (1, 5), (-40, 6)] {
            waiting.insert(at(x, -2, 1), slot);
        }
        let found = |waiting: &Waiting, coord| waiting.at(coord).collect::<Vec<_>>();
        assert_eq!(found(&waiting, at(0, -2, 1)), [3, 7]);
        assert_eq!(found(&waiting, at(0, -2, 0)), []);
        waiting.remove(at(0, -2, 1), 7);
        waiting.remove(at(0, -2, 1), 99);
        assert_eq!(found(&waiting, at(0, -2, 1)), [3]);
        waiting.remove(at(-40, -2, 1), 6);
        assert_eq!((found(&waiting, at(-40, -2, 1)), waiting.blocks.len()), (vec![], 1));
    }
}
