//! Tiles that are prepared on other threads than the owner of the mesh: everything that a mesh derives from
//! the tile alone, so that adding it only links it.

use super::NavMesh;
use super::tile_data::TileData;
use crate::error::MeshError;
use navtile::{Tile, TileCoord};
use std::sync::Arc;

/// A tile, and everything that a mesh with a given anchor derives from it: positions in metres, edges, detail
/// triangles, connected components. Create it on any thread, such as the one where tiles are read and
/// verified; [`NavMesh::add_prepared`] and [`NavMesh::replace_prepared`] then only link it with its
/// neighbours. A clone shares everything.
#[derive(Clone, Debug)]
pub struct PreparedTile {
    data: Arc<TileData>,
    anchor: [f64; 3],
}

impl PreparedTile {
    /// Prepares a tile for meshes with this anchor (world metres, [`NavMesh::anchor`]). Refused if the anchor
    /// is not finite, if the tile is too far from it, or if it has more polygons than references can name.
    /// Cost: linear in the tile.
    pub fn new(tile: Tile, anchor: [f64; 3]) -> Result<PreparedTile, MeshError> {
        if !anchor.iter().all(|v| v.is_finite()) {
            return Err(MeshError::Anchor(anchor));
        }
        Ok(PreparedTile { data: TileData::new(tile, anchor)?, anchor })
    }

    /// The tile.
    pub fn tile(&self) -> &Tile {
        &self.data.tile
    }

    /// The tile's coordinate.
    pub fn coord(&self) -> TileCoord {
        self.data.coord
    }

    /// The anchor it was prepared for.
    pub fn anchor(&self) -> [f64; 3] {
        self.anchor
    }
}

impl NavMesh {
    /// [`NavMesh::add_tile`] for a tile that was prepared for this mesh's anchor.
    pub fn add_prepared(&mut self, tile: PreparedTile) -> Result<(), MeshError> {
        let data = self.data_of(tile)?;
        self.add_data(data)
    }

    /// [`NavMesh::replace_tile`] with a tile that was prepared for this mesh's anchor.
    pub fn replace_prepared(&mut self, tile: PreparedTile) -> Result<Tile, MeshError> {
        let data = self.data_of(tile)?;
        self.replace_data(data)
    }

    fn data_of(&self, tile: PreparedTile) -> Result<Arc<TileData>, MeshError> {
        let (coord, expected, found) = (tile.coord(), self.anchor(), tile.anchor);
        if expected != found {
            return Err(MeshError::OtherAnchor { coord, expected, found });
        }
        Ok(tile.data)
    }
}
