//! Replaces a mesh by a new one: tile by tile if both have the same grid, so that agents on unchanged ground
//! are not affected, else as a whole.

use crate::job::Prepared;
use crate::seats::Seats;
use crate::status::NavCrowdSettings;
use crate::world::{CacheSlot, NavWorld};
use detour::NavMesh;
use navtile::TileCoord;
use std::collections::BTreeSet;
use tilecache::TileChange;

impl NavWorld {
    /// Installs a finished mesh. Returns the number of tiles that are new, changed or removed.
    pub(crate) fn install(&mut self, made: Prepared, settings: &NavCrowdSettings) -> usize {
        let changes = changes(&self.mesh, &made.mesh);
        let count = changes.len();
        let fits = self.meta.as_ref().is_some_and(|meta| {
            (meta.origin, meta.cell, meta.tile_cells)
                == (made.meta.origin, made.meta.cell, made.meta.tile_cells)
        });
        let has_same_areas = self.meta.as_ref().is_some_and(|meta| meta.areas == made.meta.areas);
        let is_swapped = fits && has_same_areas && tilecache::apply(&mut self.mesh, &changes).is_ok();
        if !is_swapped {
            self.mesh = made.mesh;
            self.restart_crowd(settings);
        }
        self.meta = Some(made.meta);
        self.bytes = Some(made.bytes);
        self.far = made.far;
        self.links = made.links;
        self.obstacles = made.obstacles;
        self.cache = made.cache.map_or(CacheSlot::None, CacheSlot::Here);
        count
    }

    /// Drops the mesh, because its sources are gone.
    pub(crate) fn unload(&mut self, settings: &NavCrowdSettings) {
        self.mesh = NavMesh::default();
        (self.meta, self.bytes, self.cache) = (None, None, CacheSlot::None);
        self.far = None;
        self.links.clear();
        self.obstacles.clear();
        self.restart_crowd(settings);
    }

    /// Empties the crowd. Agents join it again with their positions and velocities.
    pub(crate) fn restart_crowd(&mut self, settings: &NavCrowdSettings) {
        for (entity, seat) in self.seats.iter() {
            if let Ok(view) = self.crowd.agent(seat.id) {
                self.momentum.insert(entity, view.velocity);
            }
        }
        match settings.crowd() {
            Ok(crowd) => self.crowd = crowd,
            Err(error) => {
                tracing::error!("NavCrowdSettings: {error}; the default settings are used");
                self.crowd = NavCrowdSettings::default().crowd().unwrap_or_default();
            }
        }
        self.seats = Seats::default();
        self.events.clear();
    }
}

/// The tiles in which two meshes differ.
fn changes(before: &NavMesh, after: &NavMesh) -> Vec<TileChange> {
    let coords: BTreeSet<TileCoord> = before.tiles().chain(after.tiles()).map(|tile| tile.coord()).collect();
    let differs = |coord: &TileCoord| {
        before.tile(*coord).map(|tile| tile.bytes()) != after.tile(*coord).map(|tile| tile.bytes())
    };
    let change = |coord| TileChange { coord, tile: after.tile(coord).cloned() };
    coords.into_iter().filter(differs).map(change).collect()
}
