//! Converts a mesh to a tile. A grid spacing is 1/256 of a cell, so positions are copied unchanged.

use crate::error::Error;
use crate::grid::Point;
use crate::merge::ConvexPolygon;
use crate::mesh::Mesh;
use crate::settings::Settings;
use crate::triangulation::{NONE, SEAM};
use navmath::{FIXED_ONE, Lattice};
use navtile::AreaId;
use navtile::content::Beyond;
use navtile::layout::{OffMeshLink, side};
use navtile::{EdgeContent, PolygonContent, Tile, TileContent, TileCoord};

impl Mesh {
    /// The mesh as one tile, at the place (0, 0) of its layer. World x is the map's x, world z is the map's
    /// -y.
    pub fn tile(&self, settings: &Settings) -> Result<Tile, Error> {
        self.tile_at(settings, TileCoord { x: 0, z: 0, layer: settings.layer }, &[])
    }

    /// The mesh as a tile at a place, with the links that start in it.
    pub fn tile_at(
        &self,
        settings: &Settings,
        coord: TileCoord,
        links: &[OffMeshLink],
    ) -> Result<Tile, Error> {
        let content = TileContent { off_mesh_links: links.to_vec(), ..self.content(settings, coord) };
        let (bytes, _) = content.write()?;
        Tile::from_bytes(&bytes).map_err(Error::Unsound)
    }

    /// The lattice of the tile: its zero is the world's, its cells are 256 grid spacings.
    pub fn lattice(&self) -> Lattice {
        let cell = self.grid.spacing * f64::from(FIXED_ONE);
        Lattice { origin: [0.0; 3], cell_size: cell, cell_height: cell }
    }

    /// The lattice cell that positions of the tile are relative to.
    pub(crate) fn base_cell(&self, settings: &Settings) -> [i64; 3] {
        let cell = i64::from(FIXED_ONE);
        let top = self.grid.origin[1] + i64::from(self.grid.size[1]);
        [self.grid.origin[0] / cell, self.level(settings).div_euclid(cell), -top / cell]
    }

    /// Height of the ground, in spacings.
    fn level(&self, settings: &Settings) -> i64 {
        (settings.height / self.grid.spacing).round() as i64
    }

    /// The other side of the edge from `a` to `b`.
    fn beyond(&self, a: Point, b: Point, beyond: u32) -> Beyond {
        let at = |axis: usize, value: i32| a[axis] == value && b[axis] == value;
        match beyond {
            NONE => Beyond::Wall,
            SEAM if at(0, 0) => Beyond::Portal(side::X_MIN),
            SEAM if at(0, self.grid.size[0]) => Beyond::Portal(side::X_MAX),
            // Up on the map is towards smaller z.
            SEAM if at(1, self.grid.size[1]) => Beyond::Portal(side::Z_MIN),
            SEAM => Beyond::Portal(side::Z_MAX),
            neighbour => Beyond::Internal(neighbour),
        }
    }

    fn content(&self, settings: &Settings, coord: TileCoord) -> TileContent {
        let grid = &self.grid;
        let level = self.level(settings).rem_euclid(i64::from(FIXED_ONE)) as i32;
        let polygon = |polygon: &ConvexPolygon| {
            let next = polygon.corners.iter().cycle().skip(1);
            let edges = polygon.corners.iter().zip(next).zip(&polygon.beyond).map(|((&a, &b), &beyond)| {
                let [from, to] = [a, b].map(|corner| self.vertices[corner as usize]);
                EdgeContent { vertex: a, beyond: self.beyond(from, to, beyond) }
            });
            PolygonContent {
                edges: edges.collect(),
                area: polygon.area,
                flags: settings.flags(AreaId(polygon.area)),
                detail_vertices: Vec::new(),
                detail_triangles: Vec::new(),
            }
        };
        TileContent {
            coord,
            lattice: self.lattice(),
            base_cell: self.base_cell(settings),
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
