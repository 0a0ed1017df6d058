//! Tiles that arrive: checked, and put into the mesh.

use super::TileStream;
use crate::plan::Known;
use crate::source::{Arrival, Fetched, TileSource};
use crate::update::{ChangeKind, FailedTile, TileChange, TileFault, Update};
use crate::world::TileNumber;
use detour::{MeshError, PreparedTile};
use navtile::{Tile, TileCoord};

impl<S: TileSource> TileStream<S> {
    /// Takes an answer of the source; returns the bytes of the tile.
    pub(super) fn take(&mut self, arrival: Arrival, update: &mut Update) -> u64 {
        let number = self.world.number(arrival.coord);
        let Some(tile) = number.filter(|tile| self.in_flight.remove(tile)) else {
            update.dropped += 1;
            return 0;
        };
        match self.open(arrival) {
            Ok(Some(prepared)) => self.install(tile, prepared, update),
            Ok(None) => {
                if self.is_loaded(tile) {
                    self.remove(tile, update);
                }
                self.set_known(tile, Known::Absent);
                self.is_planned = false;
                update.absent.push(self.world.tile(tile).coord);
                0
            }
            Err(fault) => {
                self.fail(tile, fault, update);
                0
            }
        }
    }

    /// The tile of an answer, checked against the world; `None` if the source does not have it.
    fn open(&self, arrival: Arrival) -> Result<Option<PreparedTile>, TileFault> {
        let coord = arrival.coord;
        let anchor = self.mesh.anchor();
        let prepare = |tile: Tile| {
            self.check(coord, &tile)?;
            PreparedTile::new(tile, anchor).map_err(TileFault::Mesh)
        };
        Ok(Some(match arrival.content {
            Fetched::Bytes(bytes) => prepare(Tile::from_bytes(&bytes).map_err(TileFault::Invalid)?)?,
            Fetched::Tile(tile) => prepare(tile)?,
            Fetched::Prepared(prepared) => {
                self.check(coord, prepared.tile())?;
                let found = prepared.anchor();
                if found != anchor {
                    return Err(TileFault::Mesh(MeshError::OtherAnchor { coord, expected: anchor, found }));
                }
                prepared
            }
            Fetched::Absent => return Ok(None),
            Fetched::Failed(error) => return Err(TileFault::Source(error)),
        }))
    }

    /// Checks that a tile is the tile of a coordinate, on the lattice of the world: the mesh takes its
    /// lattice from the first tile, whichever that is.
    fn check(&self, coord: TileCoord, tile: &Tile) -> Result<(), TileFault> {
        if tile.coord() != coord {
            return Err(TileFault::OtherTile(tile.coord()));
        }
        let (expected, found) = (self.world.lattice(), tile.lattice());
        if found != expected {
            return Err(TileFault::Mesh(MeshError::Lattice { coord, expected, found }));
        }
        Ok(())
    }

    /// Puts a tile into the mesh, if it still fits; returns its bytes.
    fn install(&mut self, tile: TileNumber, prepared: PreparedTile, update: &mut Update) -> u64 {
        let coord = prepared.coord();
        let is_loaded = self.is_loaded(tile);
        let length = prepared.tile().bytes().len();
        let bytes = length as u64;
        self.retries.retain(|(_, failed)| *failed != tile);
        if is_loaded && self.mesh.tile(coord) == Some(prepared.tile()) {
            return bytes;
        }
        let stated = self.world.tile(tile).bytes;
        // A blob is shorter than 4 GiB: its offsets are u32.
        self.world.set_bytes(tile, length as u32);
        if bytes != u64::from(stated) {
            self.is_planned = false;
            self.renew_plan();
        }
        if is_loaded {
            self.memory = self.memory - u64::from(stated) + bytes;
        }
        if !self.plan.keeps(self.states[tile as usize]) {
            // Out of date, and nothing needs it, or it no longer fits.
            if is_loaded {
                self.remove(tile, update);
            }
            return bytes;
        }
        self.make_room(if is_loaded { 0 } else { bytes }, update);
        let result = match is_loaded {
            true => self.mesh.replace_prepared(prepared).map(|_| ChangeKind::Replaced),
            false => self.mesh.add_prepared(prepared).map(|()| ChangeKind::Added),
        };
        match result {
            Ok(kind) => self.note_change(tile, TileChange { coord, kind }, update),
            Err(error) => self.fail(tile, TileFault::Mesh(error), update),
        }
        bytes
    }

    /// Notes that a tile is in the mesh, and restores what was changed in it before it was removed.
    fn note_change(&mut self, tile: TileNumber, change: TileChange, update: &mut Update) {
        let coord = change.coord;
        if change.kind == ChangeKind::Added {
            self.memory += u64::from(self.world.tile(tile).bytes);
            self.set_known(tile, Known::Loaded);
        }
        update.changes.push(change);
        if let Some(state) = self.changed.remove(&coord)
            && let Err(error) = self.mesh.restore_state(coord, &state)
        {
            update.failed.push(FailedTile { coord, fault: TileFault::State(error) });
        }
    }

    /// Reports a failure. A tile that is loaded stays.
    fn fail(&mut self, tile: TileNumber, fault: TileFault, update: &mut Update) {
        if !self.is_loaded(tile) {
            self.set_known(tile, Known::Failed);
            self.is_planned = false;
        }
        if let Some(updates) = self.limits.retry_after {
            self.retries.insert((self.updates + u64::from(updates.max(1)), tile));
        }
        update.failed.push(FailedTile { coord: self.world.tile(tile).coord, fault });
    }
}
