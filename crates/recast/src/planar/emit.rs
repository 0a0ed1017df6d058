//! A mesh as a tile. A grid spacing is 1/256 of a cell, so positions go over as they are.

use super::cells::NONE;
use super::error::Error;
use super::{Mesh, Settings};
use crate::area::AreaId;
use navmath::{FIXED_ONE, Lattice};
use navtile::content::Beyond;
use navtile::{EdgeContent, PolygonContent, Tile, TileContent, TileCoord};

impl Mesh {
    /// The mesh as one tile, at the place (0, 0) of its layer. World x is the map's x, world z is the map's -y.
    pub fn tile(&self, settings: &Settings) -> Result<Tile, Error> {
        let (bytes, _) = self.content(settings).write()?;
        Tile::from_bytes(&bytes).map_err(Error::Unsound)
    }

    /// The lattice of the tile: its zero is the world's, its cells are 256 grid spacings.
    pub fn lattice(&self) -> Lattice {
        let cell = self.grid.spacing * f64::from(FIXED_ONE);
        Lattice { origin: [0.0; 3], cell_size: cell, cell_height: cell }
    }

    fn content(&self, settings: &Settings) -> TileContent {
        let (grid, cell) = (&self.grid, i64::from(FIXED_ONE));
        let height = (settings.height / grid.spacing).round() as i64;
        let level = height.rem_euclid(cell) as i32;
        let top = grid.origin[1] + i64::from(grid.size[1]);
        let polygon = |polygon: &super::Convex| PolygonContent {
            edges: polygon
                .corners
                .iter()
                .zip(&polygon.beyond)
                .map(|(&vertex, &beyond)| EdgeContent {
                    vertex,
                    beyond: if beyond == NONE { Beyond::Wall } else { Beyond::Internal(beyond) },
                })
                .collect(),
            area: polygon.area,
            flags: settings.flags(AreaId(polygon.area)),
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
        };
        TileContent {
            coord: TileCoord { x: 0, z: 0, layer: settings.layer },
            lattice: self.lattice(),
            base_cell: [grid.origin[0] / cell, height.div_euclid(cell), -top / cell],
            size_cells: grid.size.map(|side| side.unsigned_abs() / FIXED_ONE as u32),
            agent: [
                settings.agent_radius as f32,
                settings.agent_height as f32,
                settings.agent_climb as f32,
                settings.agent_slope as f32,
            ],
            vertices: self.vertices.iter().map(|&[x, y]| [x, level, grid.size[1] - y]).collect(),
            polygons: self.polygons.iter().map(polygon).collect(),
            off_mesh_links: Vec::new(),
        }
    }
}
