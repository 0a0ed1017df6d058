//! Tiles made ready off the thread that owns the mesh: what a mesh derives from a tile alone, so that adding it only
//! links it.

use super::NavMesh;
use super::entry::TileEntry;
use crate::error::MeshError;
use navtile::{Tile, TileCoord};
use std::sync::Arc;

/// A tile, and what a mesh with a given anchor derives from it: positions in metres, edges, detail triangles, what hangs
/// together. Make it where tiles are read and verified, on any thread; [`NavMesh::add_prepared`] and
/// [`NavMesh::replace_prepared`] then only link it with its neighbours. A clone shares everything.
#[derive(Clone, Debug)]
pub struct PreparedTile {
    entry: Arc<TileEntry>,
    anchor: [f64; 3],
}

impl PreparedTile {
    /// Prepares a tile for meshes with this anchor (world metres, [`NavMesh::anchor`]). Refused if the anchor is not
    /// finite, if the tile lies too far from it, or if it has more polygons than references can name. Cost: linear in
    /// the tile.
    pub fn new(tile: Tile, anchor: [f64; 3]) -> Result<PreparedTile, MeshError> {
        if !anchor.iter().all(|v| v.is_finite()) {
            return Err(MeshError::Anchor(anchor));
        }
        Ok(PreparedTile { entry: Arc::new(TileEntry::new(tile, anchor)?), anchor })
    }

    /// The tile.
    pub fn tile(&self) -> &Tile {
        &self.entry.tile
    }

    /// Where the tile stands.
    pub fn coord(&self) -> TileCoord {
        self.entry.coord
    }

    /// The anchor it was prepared for.
    pub fn anchor(&self) -> [f64; 3] {
        self.anchor
    }
}

impl NavMesh {
    /// As [`NavMesh::add_tile`], of a tile that was prepared for this mesh's anchor.
    pub fn add_prepared(&mut self, tile: PreparedTile) -> Result<(), MeshError> {
        let entry = self.entry_of(tile)?;
        self.add_entry(entry)
    }

    /// As [`NavMesh::replace_tile`], with a tile that was prepared for this mesh's anchor.
    pub fn replace_prepared(&mut self, tile: PreparedTile) -> Result<Tile, MeshError> {
        let entry = self.entry_of(tile)?;
        self.replace_entry(entry)
    }

    fn entry_of(&self, tile: PreparedTile) -> Result<Arc<TileEntry>, MeshError> {
        let (coord, expected, found) = (tile.coord(), self.anchor(), tile.anchor);
        if expected != found {
            return Err(MeshError::OtherAnchor { coord, expected, found });
        }
        Ok(tile.entry)
    }
}
