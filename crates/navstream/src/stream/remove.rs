//! Tiles that are removed to make room.

use super::{Known, TileStream};
use crate::plan::Rank;
use crate::source::TileSource;
use crate::update::{ChangeKind, TileChange, Update};
use crate::world::TileNumber;
use std::cmp::Reverse;

/// The length of a stored state in which nothing differs from the tile.
const UNCHANGED_STATE: usize = 40;

impl<S: TileSource> TileStream<S> {
    /// Removes tiles that are not to be kept until `bytes` more fit.
    pub(super) fn make_room(&mut self, bytes: u64, update: &mut Update) {
        while self.memory.saturating_add(bytes) > self.limits.memory {
            let Some(tile) = self.least_needed() else { return };
            self.remove(tile, update);
        }
    }

    /// The tile to remove next: of those that nothing needs, the one that was needed least recently; then of
    /// those that are needed but do not fit, the least urgent.
    fn least_needed(&self) -> Option<TileNumber> {
        let order = |(tile, known): (&TileNumber, &Known)| {
            let Known::Loaded { needed_until } = *known else { return None };
            match self.plan.rank(*tile) {
                None => Some((false, needed_until, Reverse(0), *tile)),
                Some(Rank::Over(number)) => Some((true, 0, Reverse(number), *tile)),
                Some(Rank::Kept) => None,
            }
        };
        self.known.iter().filter_map(order).min().map(|(.., tile)| tile)
    }

    /// Removes a loaded tile, and keeps what was changed in it.
    pub(super) fn remove(&mut self, tile: TileNumber, update: &mut Update) {
        let coord = self.world.tile(tile).coord;
        // Both calls only fail if the caller has removed the tile through `mesh_mut`: then it is gone already.
        if let Ok(state) = self.mesh.store_state(coord)
            && state.len() > UNCHANGED_STATE
        {
            self.states.insert(coord, state);
        }
        _ = self.mesh.remove_tile(coord);
        self.memory -= u64::from(self.world.tile(tile).bytes);
        self.known.remove(&tile);
        self.reloads.remove(&tile);
        if self.in_flight.remove(&tile) {
            self.source.cancel(coord);
        }
        update.changes.push(TileChange { coord, kind: ChangeKind::Removed });
    }
}
