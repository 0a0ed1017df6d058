//! Off-mesh links by the tile they end in, even if that is not loaded. They are kept in blocks, as the index
//! of tiles is: if a snapshot shares them, a change copies one block and the list of blocks. Cost: two
//! searches.

use super::index::{BlockKey, block_key};
use navtile::TileCoord;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The tile that a link ends in, the slot of the tile that it starts in, and its number there.
type IncomingLink = (TileCoord, u32, u32);

/// The off-mesh links of all loaded tiles, by the tile that they end in.
#[derive(Clone, Debug, Default)]
pub(crate) struct IncomingLinks {
    /// Sorted by key; no block is empty.
    blocks: Vec<(BlockKey, Arc<BTreeSet<IncomingLink>>)>,
}

fn key(coord: TileCoord) -> BlockKey {
    block_key(coord.x, coord.z)
}

impl IncomingLinks {
    fn block(&self, key: BlockKey) -> Result<usize, usize> {
        self.blocks.binary_search_by_key(&key, |block| block.0)
    }

    /// The links that end in the tile at `coord`: the slot of the tile that each starts in, and its number
    /// there.
    pub(crate) fn at(&self, coord: TileCoord) -> impl Iterator<Item = (u32, u32)> + '_ {
        let block = self.block(key(coord)).ok();
        let rows = block.map(|block| self.blocks[block].1.range((coord, 0, 0)..=(coord, u32::MAX, u32::MAX)));
        rows.into_iter().flatten().map(|&(_, slot, number)| (slot, number))
    }

    /// All links: the slot of the tile that each starts in, and its number there.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.blocks.iter().flat_map(|(_, rows)| rows.iter()).map(|&(_, slot, number)| (slot, number))
    }

    /// Records that link `number` of the tile in `slot` ends at `coord`.
    pub(crate) fn insert(&mut self, coord: TileCoord, slot: u32, number: u32) {
        let row = (coord, slot, number);
        match self.block(key(coord)) {
            Ok(block) => drop(Arc::make_mut(&mut self.blocks[block].1).insert(row)),
            Err(place) => self.blocks.insert(place, (key(coord), Arc::new(BTreeSet::from([row])))),
        }
    }

    /// Undoes [`IncomingLinks::insert`]; does nothing if there was no such record.
    pub(crate) fn remove(&mut self, coord: TileCoord, slot: u32, number: u32) {
        let Ok(block) = self.block(key(coord)) else { return };
        let rows = Arc::make_mut(&mut self.blocks[block].1);
        rows.remove(&(coord, slot, number));
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
            incoming.insert(at(x, -2, 1), slot, 2);
        }
        let found = |incoming: &IncomingLinks, coord| incoming.at(coord).collect::<Vec<_>>();
        assert_eq!(found(&incoming, at(0, -2, 1)), [(3, 2), (7, 2)]);
        assert_eq!(found(&incoming, at(0, -2, 0)), []);
        incoming.remove(at(0, -2, 1), 7, 2);
        incoming.remove(at(0, -2, 1), 3, 9);
        assert_eq!(found(&incoming, at(0, -2, 1)), [(3, 2)]);
        incoming.remove(at(-40, -2, 1), 6, 2);
        assert_eq!((found(&incoming, at(-40, -2, 1)), incoming.blocks.len()), (vec![], 1));
    }
}
