//! Off-mesh links by the tile they end in, whether that is loaded or not. Kept in blocks like the index of tiles: a
//! change copies one block and the list of blocks. Cost: two binary searches.

use super::index::{BlockKey, block_key};
use navtile::TileCoord;
use std::sync::Arc;

/// The tile a link ends in, and the slot of the tile it starts in.
type IncomingLink = (TileCoord, u32);

/// The off-mesh links of all loaded tiles, by the tile they end in.
#[derive(Clone, Debug, Default)]
pub(crate) struct IncomingLinks {
    /// Sorted by key; no block is empty. Rows sorted, each once.
    blocks: Vec<(BlockKey, Arc<Vec<IncomingLink>>)>,
}

fn key(coord: TileCoord) -> BlockKey {
    block_key(coord.x, coord.z)
}

impl IncomingLinks {
    fn block(&self, key: BlockKey) -> Result<usize, usize> {
        self.blocks.binary_search_by_key(&key, |block| block.0)
    }

    /// The slots of the tiles with links that end in the tile at `coord`.
    pub(crate) fn at(&self, coord: TileCoord) -> impl Iterator<Item = u32> + '_ {
        let rows = self.block(key(coord)).map_or(&[][..], |block| &self.blocks[block].1[..]);
        let start = rows.partition_point(|row| row.0 < coord);
        let length = rows[start..].partition_point(|row| row.0 == coord);
        rows[start..start + length].iter().map(|row| row.1)
    }

    /// Records that the tile in `slot` has links that end at `coord`.
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

    /// Undoes [`IncomingLinks::insert`]; does nothing if there was no such record.
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
    fn links_are_found_by_their_end_until_they_are_removed() {
        let mut incoming = IncomingLinks::default();
        let at = |x, z, layer| TileCoord { x, z, layer };
        for (x, slot) in [(0, 7), (0, 3), (0, 7), (1, 5), (-40, 6)] {
            incoming.insert(at(x, -2, 1), slot);
        }
        let found = |incoming: &IncomingLinks, coord| incoming.at(coord).collect::<Vec<_>>();
        assert_eq!(found(&incoming, at(0, -2, 1)), [3, 7]);
        assert_eq!(found(&incoming, at(0, -2, 0)), []);
        incoming.remove(at(0, -2, 1), 7);
        incoming.remove(at(0, -2, 1), 99);
        assert_eq!(found(&incoming, at(0, -2, 1)), [3]);
        incoming.remove(at(-40, -2, 1), 6);
        assert_eq!((found(&incoming, at(-40, -2, 1)), incoming.blocks.len()), (vec![], 1));
    }
}
