//! The last steps of a tile: off-mesh links, and writing it.

use super::diagnostic::{ImportDiagnostic, Repair};
use super::draft::{Draft, REFUSAL_LIMIT, area, fixed};
use super::error::{ImportError, coord};
use super::frame::Frame;
use navmath::FIXED_ONE;
use navtile::content::{TileContent, WriteDiagnostic, WriteError};
use navtile::layout::OffMeshLink;
use navtile::tile::Tile;

impl Draft<'_> {
    /// Converts off-mesh links; a link that the format cannot represent is left out.
    pub(super) fn links(&mut self, frame: &Frame) -> Vec<(usize, OffMeshLink)> {
        let mut links = Vec::new();
        for (number, connection) in self.tile.off_mesh_connections.iter().enumerate() {
            let polygon = self.tile.polygons[usize::from(connection.polygon)];
            let ends = [connection.start, connection.end];
            let [start, end] = ends.map(|end| fixed(self.tile, self.grid, end).ok());
            let end_tile = end.and_then(|end| frame.tile_of(self.tile, end));
            let (Some(start), Some(end), Some(end_tile)) = (start, end, end_tile) else {
                let what = "it is too long, or too far from its tile".to_owned();
                self.note_connection(number, what);
                continue;
            };
            let radius = f64::from(connection.radius) / frame.lattice.cell_size * f64::from(FIXED_ONE);
            links.push((
                number,
                OffMeshLink {
                    start,
                    end,
                    end_tile: [end_tile.x, end_tile.z, end_tile.layer],
                    // The cast saturates at the limits of i32; the writer refuses a radius out of range.
                    radius: radius.round() as i32,
                    flags: polygon.flags.into(),
                    area: area(polygon.area),
                    direction: connection.flags & 1,
                    reserved: 0,
                    user_id: connection.user_id.into(),
                    along: [0; 2],
                },
            ));
        }
        links
    }

    fn note_connection(&mut self, connection: usize, what: String) {
        let at = self.tile.off_mesh_connections[connection].start.map(f64::from);
        let repair = Repair::Connection { connection, what };
        self.diagnostics.push(ImportDiagnostic { coord: coord(self.tile), at, repair });
    }

    /// Writes the tile. Polygons and links that the writer refuses are left out, up to [`REFUSAL_LIMIT`].
    pub(super) fn write(mut self, mut links: Vec<(usize, OffMeshLink)>) -> Result<Tile, ImportError> {
        let coord = coord(self.tile);
        let agent = [self.tile.walkable_radius, self.tile.walkable_height, self.tile.walkable_climb, 0.0];
        let mut content = TileContent {
            coord,
            lattice: self.grid.lattice,
            base_cell: self.grid.base_cell,
            size_cells: self.grid.size_cells,
            agent,
            vertices: std::mem::take(&mut self.vertices),
            polygons: std::mem::take(&mut self.polygons),
            off_mesh_links: Vec::new(),
        };
        let mut keep = std::mem::take(&mut self.keep);
        let mut refused = 0;
        loop {
            content = content.retaining(&keep);
            let mut kept = keep.iter();
            self.sources.retain(|_| kept.next().copied().unwrap_or(true));
            keep = vec![true; self.sources.len()];
            content.off_mesh_links = links.iter().map(|(_, link)| *link).collect();
            let error = match content.write() {
                Ok((bytes, mended)) => {
                    self.note_mended(mended);
                    return Tile::from_bytes(&bytes).map_err(|source| ImportError::Unsound { coord, source });
                }
                Err(error) => error,
            };
            refused += 1;
            match error {
                WriteError::Polygon { polygon, what } if refused <= REFUSAL_LIMIT => {
                    keep[polygon as usize] = false;
                    let polygon = self.sources[polygon as usize];
                    self.note_source(polygon, Repair::LeftOut { polygon, what });
                }
                WriteError::OffMeshLink { link, what } if refused <= REFUSAL_LIMIT => {
                    let (number, _) = links.remove(link as usize);
                    self.note_connection(number, what);
                }
                source => return Err(ImportError::Write { coord, source }),
            }
        }
    }

    fn note_mended(&mut self, mended: Vec<WriteDiagnostic>) {
        for diagnostic in mended {
            let (at, repair) = match diagnostic {
                WriteDiagnostic::ZeroArea { polygon, at } => {
                    (at, Repair::ZeroArea { polygon: self.sources[polygon as usize] })
                }
                WriteDiagnostic::Split { polygon, at, pieces } => {
                    (at, Repair::Split { polygon: self.sources[polygon as usize], pieces })
                }
            };
            self.diagnostics.push(ImportDiagnostic { coord: coord(self.tile), at, repair });
        }
    }
}
