//! Tiles that are removed to make room.

use super::TileStream;
use crate::plan::Known;
use crate::source::TileSource;
use crate::update::{ChangeKind, TileChange, Update};
use crate::world::TileNumber;

/// The length of a stored state in which nothing differs from the tile.
const UNCHANGED_STATE: usize = 40;

impl<S: TileSource> TileStream<S> {
    /// Removes tiles that are not to be kept until `bytes` more fit.
    pub(super) fn make_room(&mut self, bytes: u64, update: &mut Update) {
        while self.memory.saturating_add(bytes) > self.limits.memory {
            let Some(tile) = self.plan.least_needed(&self.states) else { return };
            self.remove(tile, update);
        }
    }

    /// Removes a loaded tile, and keeps what was changed in it.
    pub(super) fn remove(&mut self, tile: TileNumber, update: &mut Update) {
        let coord = self.world.tile(tile).coord;
        // Both calls only fail if the caller has removed the tile through `mesh_mut`.
        if let Ok(state) = self.mesh.store_state(coord)
            && state.len() > UNCHANGED_STATE
        {
            self.changed.insert(coord, state);
        }
        _ = self.mesh.remove_tile(coord);
        self.memory -= u64::from(self.world.tile(tile).bytes);
        self.plan.removed(tile, self.states[tile as usize]);
        self.set_known(tile, Known::Nothing);
        self.reloads.remove(&tile);
        if self.in_flight.remove(&tile) {
            self.source.cancel(coord);
        }
        update.changes.push(TileChange { coord, kind: ChangeKind::Removed });
    }
}
