//! Off-mesh links as connections: two vertices, a polygon that represents them, and the connection itself.

use super::error::ExportError;
use super::grid::extent;
use super::report::Change;
use super::tile::{Export, OTHER_TILES};
use crate::detour::{DetourOffMeshConnection, DetourPolygon, SAME_TILE};
use navmath::FIXED_ONE;
use navtile::layout::OffMeshLink;
use navtile::off_mesh::middle;

impl Export<'_> {
    /// Adds a link, number `index` of the tile.
    pub(super) fn connection(&mut self, index: usize, link: &OffMeshLink) -> Result<(), ExportError> {
        let at = link.start;
        let [x, z, _] = link.end_tile;
        let coord = self.tile.coord();
        let away = |a: i32, b: i32| (i64::from(a) - i64::from(b)).unsigned_abs();
        let tiles = away(x, coord.x).max(away(z, coord.z));
        let remedy = "leave the link out, or bake in larger tiles: Detour joins neighbours only";
        self.limit(at, "tiles from an off-mesh link's start to its end", tiles, 1, remedy)?;
        let most = u64::from(u32::MAX);
        self.limit(at, "user's number of an off-mesh link", link.user_id, most, "use 32 bits for it")?;
        let polygons = self.out.off_mesh_base as usize + index;
        self.limit(
            at,
            "polygons and off-mesh links of a tile",
            polygons as u64,
            u16::MAX.into(),
            OTHER_TILES,
        )?;
        let (flags, area) = (self.flags(at, link.flags)?, self.area(at, link.area)?);
        // Detour's connections lead from point to point.
        let [start, end] = [link.start, link.end].map(|end| middle(link, end));
        if link.along != [0; 2] {
            let [along_x, along_z] = link.along.map(f64::from);
            let metres = along_x.hypot(along_z) / f64::from(FIXED_ONE) * self.tile.lattice().cell_size;
            let change = Change::Narrowed { link: index, millimetres: (metres * 1000.0).round() as u64 };
            self.notes.note(self.tile, start, change);
        }
        let ends = [self.world(start)?, self.world(end)?];
        let first = self.out.vertices.len();
        self.out.vertices.extend(ends);
        self.out.polygons.push(DetourPolygon {
            // Vertices are fewer than 2^16, these included.
            vertices: [first as u16, first as u16 + 1, 0, 0, 0, 0],
            flags,
            corner_count: 2,
            area,
            off_mesh: true,
            ..DetourPolygon::default()
        });
        let radius = f64::from(link.radius) / f64::from(FIXED_ONE) * self.tile.lattice().cell_size;
        self.out.off_mesh_connections.push(DetourOffMeshConnection {
            start: ends[0],
            end: ends[1],
            radius: radius as f32,
            polygon: polygons as u16,
            flags: link.direction,
            side: self.side_of(end),
            user_id: link.user_id as u32,
        });
        Ok(())
    }

    /// The side of the tile beyond which a position is, counted from +x through +z.
    fn side_of(&self, fixed: [i32; 3]) -> u8 {
        let [width, depth] = extent(self.tile);
        let beyond = |value: i32, size: i64| match i64::from(value) {
            value if value < 0 => -1,
            value if value >= size => 1,
            _ => 0,
        };
        match (beyond(fixed[0], width), beyond(fixed[2], depth)) {
            (1, 0) => 0,
            (1, 1) => 1,
            (0, 1) => 2,
            (-1, 1) => 3,
            (-1, 0) => 4,
            (-1, -1) => 5,
            (0, -1) => 6,
            (1, -1) => 7,
            _ => SAME_TILE,
        }
    }
}
