//! Spans and floors of the tiles that were baked last: unpacked or found once, and held within a memory
//! bound.

use navlevel::{CachedFloors, CachedSpans};
use navtile::TileCoord;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Default bytes that are held: three to eight hundred tiles of 48 cells.
const DEFAULT_LIMIT: u64 = 32 << 20;

/// The digest of the level in a tile and of the obstacles there that change floors.
pub(crate) type FloorsDigest = [u8; 16];

/// Spans and floors by tile. Above the limit, those of the least recently used tiles are dropped.
#[derive(Debug)]
pub(crate) struct Held(Mutex<HeldTiles>);

#[derive(Debug, Default)]
struct HeldTiles {
    limit: u64,
    bytes: u64,
    tiles: BTreeMap<TileCoord, HeldTile>,
    /// The tiles by the time of their last use.
    order: BTreeMap<u64, TileCoord>,
    uses: u64,
}

#[derive(Debug, Default)]
struct HeldTile {
    spans: Option<Arc<CachedSpans>>,
    floors: Option<(FloorsDigest, Arc<CachedFloors>)>,
    used: u64,
}

impl HeldTile {
    fn memory(&self) -> u64 {
        let spans = self.spans.as_ref().map_or(0, |spans| spans.memory());
        spans + self.floors.as_ref().map_or(0, |(_, floors)| floors.memory())
    }
}

impl Default for Held {
    fn default() -> Held {
        Held(Mutex::new(HeldTiles { limit: DEFAULT_LIMIT, ..HeldTiles::default() }))
    }
}

impl Held {
    fn tiles(&self) -> MutexGuard<'_, HeldTiles> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn spans(&self, coord: TileCoord) -> Option<Arc<CachedSpans>> {
        self.tiles().used(coord)?.spans.clone()
    }

    /// The floors of a tile, if the held floors were found with the same obstacles.
    pub(crate) fn floors(&self, coord: TileCoord, digest: FloorsDigest) -> Option<Arc<CachedFloors>> {
        let mut tiles = self.tiles();
        let (of, floors) = tiles.used(coord)?.floors.as_ref()?;
        (*of == digest).then(|| Arc::clone(floors))
    }

    pub(crate) fn hold_spans(&self, coord: TileCoord, spans: &Arc<CachedSpans>) {
        self.tiles().hold(coord, |tile| tile.spans = Some(Arc::clone(spans)));
    }

    pub(crate) fn hold_floors(&self, coord: TileCoord, digest: FloorsDigest, floors: &Arc<CachedFloors>) {
        self.tiles().hold(coord, |tile| tile.floors = Some((digest, Arc::clone(floors))));
    }

    /// Sets the limit, bytes.
    pub(crate) fn set_limit(&self, limit: u64) {
        let mut tiles = self.tiles();
        tiles.limit = limit;
        tiles.forget_beyond_limit();
    }

    /// Number of tiles with held data, and its memory, bytes.
    pub(crate) fn size(&self) -> (usize, u64) {
        let tiles = self.tiles();
        (tiles.tiles.len(), tiles.bytes)
    }
}

impl HeldTiles {
    /// A tile that is used now, if any of its data is held.
    fn used(&mut self, coord: TileCoord) -> Option<&mut HeldTile> {
        let tile = self.tiles.get_mut(&coord)?;
        self.order.remove(&tile.used);
        self.uses += 1;
        tile.used = self.uses;
        self.order.insert(tile.used, coord);
        Some(tile)
    }

    fn hold(&mut self, coord: TileCoord, set: impl FnOnce(&mut HeldTile)) {
        self.tiles.entry(coord).or_default();
        let Some(tile) = self.used(coord) else { return };
        let before = tile.memory();
        set(tile);
        let now = tile.memory();
        self.bytes = self.bytes - before + now;
        self.forget_beyond_limit();
    }

    fn forget_beyond_limit(&mut self) {
        while self.bytes > self.limit
            && let Some((_, coord)) = self.order.pop_first()
        {
            let gone = self.tiles.remove(&coord);
            self.bytes -= gone.map_or(0, |tile| tile.memory());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::{PreparedLevel, TileBuild};

    fn coord(x: i32) -> TileCoord {
        TileCoord { x, z: 0, layer: 0 }
    }

    #[test]
    fn the_least_recently_used_are_forgotten_first() {
        let level =
            PreparedLevel::without_triangles(&recast::Settings::default(), [0.0; 3], [10, 10, 10], 5.0);
        let spans = Arc::new(CachedSpans::empty(&TileBuild::solo(&level.unwrap())));
        let (held, one) = (Held::default(), spans.memory());
        held.set_limit(3 * one);
        (0..3).for_each(|x| held.hold_spans(coord(x), &spans));
        // Holding the same data again takes no more memory.
        held.hold_spans(coord(1), &spans);
        assert_eq!(held.size(), (3, 3 * one));
        assert!(held.spans(coord(0)).is_some());
        held.hold_spans(coord(3), &spans);
        let there = |held: &Held| (0..4).filter(|x| held.spans(coord(*x)).is_some()).collect::<Vec<_>>();
        assert_eq!((there(&held), held.size()), (vec![0, 1, 3], (3, 3 * one)));
        held.set_limit(one);
        assert_eq!((there(&held), held.size()), (vec![3], (1, one)));
        held.set_limit(0);
        held.hold_spans(coord(5), &spans);
        assert_eq!(held.size(), (0, 0));
    }
}
