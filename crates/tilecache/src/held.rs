//! Spans of tiles that pieces reach: unpacked once, and held while there are pieces.

use navtile::TileCoord;
use recast::KeptSpans;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Unpacked spans by tile.
#[derive(Debug, Default)]
pub(crate) struct HeldSpans(Mutex<BTreeMap<TileCoord, Arc<KeptSpans>>>);

impl HeldSpans {
    fn tiles(&self) -> MutexGuard<'_, BTreeMap<TileCoord, Arc<KeptSpans>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, coord: TileCoord) -> Option<Arc<KeptSpans>> {
        self.tiles().get(&coord).cloned()
    }

    pub(crate) fn hold(&self, coord: TileCoord, spans: Arc<KeptSpans>) {
        self.tiles().insert(coord, spans);
    }

    pub(crate) fn release(&self, coord: TileCoord) {
        self.tiles().remove(&coord);
    }

    /// Number of tiles whose spans are held, and the memory that these take, bytes.
    pub(crate) fn size(&self) -> (usize, u64) {
        let tiles = self.tiles();
        (tiles.len(), tiles.values().map(|spans| spans.memory()).sum())
    }
}
