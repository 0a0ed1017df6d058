//! One tile: header, vertices, polygons with their neighbours, detail meshes, tree.

use super::detail::Detail;
use super::error::ExportError;
use super::grid::extent;
use super::polygon::{Corner, ExportPolygon};
use super::polygons::{ExportPolygons, cut_up};
use super::report::{Change, Notes};
use super::thin::thin;
use super::tree;
use super::tree::Bounds;
use crate::detour::AREA_ZERO;
use crate::detour::{DetourDetailMesh, DetourPolygon, DetourTile, EXTERNAL};
use navmath::{FIXED_ONE, LimitError, limit};
use navtile::layout::{Edge, edge_kind, side};
use navtile::tile::Tile;

/// Largest area.
pub const AREA_LIMIT: u8 = 63;
/// Most polygons of a tile: a neighbour has 15 bits, and one of their values means none.
pub const POLYGON_LIMIT: usize = 0x7fff;
/// Most vertices of a tile.
pub const VERTEX_LIMIT: usize = 0xffff;

/// The remedy if a tile exceeds a limit.
pub(super) const OTHER_TILES: &str = "bake in smaller tiles";

/// A tile that is being exported.
pub(super) struct Export<'a> {
    pub(super) tile: &'a Tile,
    pieces: ExportPolygons,
    pub(super) out: DetourTile,
    bounds: Vec<Bounds>,
    flagged: usize,
    pub(super) notes: &'a mut Notes,
}

/// Exports a tile, cut into at most `most` polygons for its detail meshes. Reserves link space for this many
/// off-mesh connections that end in it.
pub(super) fn export(
    tile: &Tile,
    most: usize,
    arriving: u32,
    notes: &mut Notes,
) -> Result<DetourTile, ExportError> {
    let pieces = cut_up(tile, [most.min(POLYGON_LIMIT), VERTEX_LIMIT], notes);
    let mut export =
        Export { tile, pieces, out: DetourTile::default(), bounds: Vec::new(), flagged: 0, notes };
    export.header()?;
    export.vertices()?;
    for index in 0..export.pieces.list.len() {
        export.polygon(index)?;
        export.detail(index)?;
    }
    export.out.bv_nodes = tree::build(&export.bounds);
    for (index, link) in tile.off_mesh_links().iter().enumerate() {
        export.connection(index, link)?;
    }
    export.finish(arriving)
}

impl Export<'_> {
    fn fail<T>(&self, fixed: [i32; 3], source: LimitError) -> Result<T, ExportError> {
        Err(ExportError::Limit { coord: self.tile.coord(), at: self.tile.to_world(fixed), source })
    }

    /// Checks a number of the tile against a limit, and reports its place.
    pub(super) fn limit(
        &self,
        at: [i32; 3],
        what: &'static str,
        value: u64,
        most: u64,
        remedy: &'static str,
    ) -> Result<(), ExportError> {
        limit::check(what, value, most, remedy).or_else(|error| self.fail(at, error))
    }

    fn header(&mut self) -> Result<(), ExportError> {
        let header = self.tile.header();
        let ([x, z], one) = (extent(self.tile), i64::from(FIXED_ONE));
        // Polygons may reach beyond the tile; the tree is quantised by the tile's own box.
        let height = i64::from(header.bounds_max[1]) - i64::from(header.bounds_min[1]);
        let metres = height as f64 / f64::from(FIXED_ONE) * header.cell_height;
        let cells = [(x / one) as u64, (z / one) as u64, (metres / header.cell_size).ceil() as u64];
        let most = u64::from(u16::MAX);
        for cells in cells {
            self.limit([0; 3], "cells of a tile", cells, most, "bake in tiles, or with a larger cell size")?;
        }
        // Cells fit 16 bits, as just checked.
        let corners = [[0, header.bounds_min[1], 0], [x as i32, header.bounds_max[1], z as i32]];
        let [min, max] = [self.world(corners[0])?, self.world(corners[1])?];
        self.out = DetourTile {
            x: header.x,
            y: header.z,
            layer: header.layer,
            walkable_height: header.agent[1],
            walkable_radius: header.agent[0],
            walkable_climb: header.agent[2],
            bounds_min: min,
            bounds_max: max,
            bv_quant_factor: (1.0 / header.cell_size) as f32,
            ..DetourTile::default()
        };
        Ok(())
    }

    /// The f32 position nearest to a fixed-point one. Error: it is more than a quarter of a cell away.
    pub(super) fn world(&mut self, fixed: [i32; 3]) -> Result<[f32; 3], ExportError> {
        let exact = self.tile.to_world(fixed);
        let rounded = exact.map(|value| value as f32);
        let cell = self.tile.lattice().cell();
        for axis in 0..3 {
            let error = (exact[axis] - f64::from(rounded[axis])).abs();
            self.notes.largest_error[axis] = self.notes.largest_error[axis].max(error);
            if error * 4.0 > cell[axis] {
                let source = LimitError {
                    what: "distance from the world's zero, metres",
                    value: exact[axis].abs() as u64,
                    limit: (cell[axis] / 2.0 / f64::from(f32::EPSILON)) as u64,
                    remedy: "move the level nearer to zero: Detour holds positions as 32-bit floats",
                };
                return self.fail(fixed, source);
            }
        }
        Ok(rounded)
    }

    fn vertices(&mut self) -> Result<(), ExportError> {
        let vertices = std::mem::take(&mut self.pieces.vertices);
        let total = (vertices.len() + 2 * self.tile.off_mesh_links().len()) as u64;
        self.limit([0; 3], "vertices of a tile", total, VERTEX_LIMIT as u64, OTHER_TILES)?;
        self.limit(
            [0; 3],
            "polygons of a tile",
            self.pieces.list.len() as u64,
            POLYGON_LIMIT as u64,
            OTHER_TILES,
        )?;
        self.out.off_mesh_base = self.pieces.list.len() as u32;
        for &vertex in &vertices {
            let world = self.world(vertex)?;
            self.out.vertices.push(world);
        }
        self.pieces.vertices = vertices;
        Ok(())
    }

    fn polygon(&mut self, index: usize) -> Result<(), ExportError> {
        let piece = &self.pieces.list[index];
        let polygon = &self.tile.polygons()[piece.polygon as usize];
        let edges: Vec<(Corner, Corner)> = piece.edges().collect();
        let at = self.pieces.vertices[edges[0].0.vertex as usize];
        let mut out = DetourPolygon {
            flags: self.flags(at, polygon.flags)?,
            area: self.area(at, polygon.area)?,
            // At most six.
            corner_count: edges.len() as u8,
            ..DetourPolygon::default()
        };
        for (local, (from, to)) in edges.into_iter().enumerate() {
            // Vertices and pieces are fewer than 2^16 and 2^15, as checked.
            out.vertices[local] = from.vertex as u16;
            out.neighbours[local] = self.neighbour(from, to);
        }
        self.out.polygons.push(out);
        Ok(())
    }

    /// The neighbour beyond an edge of a piece, as Detour numbers it.
    fn neighbour(&self, from: Corner, to: Corner) -> u16 {
        match self.tile.edges().get(from.line as usize) {
            Some(Edge { kind: edge_kind::PORTAL, neighbour, .. }) => {
                EXTERNAL
                    | match self.tile.portals()[*neighbour as usize].side {
                        side::X_MAX => 0,
                        side::Z_MAX => 2,
                        side::X_MIN => 4,
                        _ => 6,
                    }
            }
            Some(Edge { kind: edge_kind::WALL, .. }) => 0,
            _ => self.pieces.beyond(self.tile, from, to).map_or(0, |piece| piece as u16 + 1),
        }
    }

    pub(super) fn flags(&mut self, at: [i32; 3], flags: u32) -> Result<u16, ExportError> {
        self.limit(
            at,
            "flags of a polygon or link",
            flags.into(),
            u16::MAX.into(),
            "use the lower 16 bits for flags",
        )?;
        self.flagged += usize::from(flags == 0);
        Ok(flags.max(1) as u16)
    }

    pub(super) fn area(&self, at: [i32; 3], area: u8) -> Result<u8, ExportError> {
        if area == AREA_ZERO {
            return Ok(0);
        }
        let remedy = "give areas numbers from 1 to 63";
        self.limit(at, "area of a polygon or link", area.into(), AREA_LIMIT.into(), remedy)?;
        Ok(area)
    }

    /// A piece's detail mesh, and its box.
    fn detail(&mut self, index: usize) -> Result<(), ExportError> {
        let piece = &mut self.pieces.list[index];
        let (number, detail) = (piece.polygon, std::mem::take(&mut piece.detail));
        let corners: Vec<[i32; 3]> =
            piece.corners.iter().map(|corner| self.pieces.vertices[corner.vertex as usize]).collect();
        let detail = self.fitting(number, &corners, detail);
        let all = corners.iter().chain(&detail.vertices).copied();
        self.bounds.push(self.quantised(navmath::IBox3::around(all)));
        self.out.detail_meshes.push(DetourDetailMesh {
            // Fewer than 2^15 polygons with at most 255 each.
            first_vertex: self.out.detail_vertices.len() as u32,
            first_triangle: self.out.detail_triangles.len() as u32,
            vertex_count: detail.vertices.len() as u8,
            triangle_count: detail.triangles.len() as u8,
        });
        for vertex in detail.vertices {
            let world = self.world(vertex)?;
            self.out.detail_vertices.push(world);
        }
        for ([a, b, c], boundary) in detail.triangles {
            let flags = (0..3).map(|edge| u8::from(boundary[edge]) << (2 * edge)).sum();
            self.out.detail_triangles.push([a as u8, b as u8, c as u8, flags]);
        }
        Ok(())
    }

    /// The detail mesh of a polygon, thinned if it does not fit.
    fn fitting(&mut self, polygon: u32, corners: &[[i32; 3]], detail: Detail) -> Detail {
        let (vertices, triangles) = (detail.vertices.len(), detail.triangles.len());
        if detail.fits(corners.len()) {
            return detail;
        }
        let (thinned, off) = thin(corners, &detail);
        let kept = thinned.vertices.len();
        // At most the coordinate limit in metres, times a thousand.
        let millimetres = (off / f64::from(FIXED_ONE) * self.tile.lattice().cell_height * 1e3).ceil() as u64;
        let change = Change::Thinned { polygon, vertices, triangles, kept, millimetres };
        self.notes.note(self.tile, corners[0], change);
        thinned
    }

    /// A box in cell sizes from the tile's smallest corner, rounded outwards.
    fn quantised(&self, bounds: navmath::IBox3) -> Bounds {
        let header = self.tile.header();
        let one = f64::from(FIXED_ONE);
        let cells = |fixed: i32, axis: usize| match axis {
            1 => {
                (f64::from(fixed) - f64::from(header.bounds_min[1])) / one * header.cell_height
                    / header.cell_size
            }
            _ => f64::from(fixed) / one,
        };
        // The cast saturates at 0 and 65535, like a query's box.
        (
            std::array::from_fn(|axis| cells(bounds.min[axis], axis).floor() as u16),
            std::array::from_fn(|axis| cells(bounds.max[axis], axis).ceil() as u16),
        )
    }

    /// Sets the space for links: one per edge, three more per portal, because up to four neighbours may be
    /// beyond it, and two for each end of an off-mesh connection.
    fn finish(mut self, arriving: u32) -> Result<DetourTile, ExportError> {
        if self.flagged > 0 {
            self.notes.note(self.tile, [0; 3], Change::Flagged { count: self.flagged });
        }
        let corners = self.pieces.list.iter().map(|piece| piece.corners.len() as u64).sum::<u64>();
        let ends = 2 * (self.tile.off_mesh_links().len() as u64 + u64::from(arriving));
        let is_portal = |&(from, _): &(Corner, Corner)| {
            let edge = self.tile.edges().get(from.line as usize);
            edge.is_some_and(|edge| edge.kind == edge_kind::PORTAL)
        };
        let portals = self.pieces.list.iter().flat_map(ExportPolygon::edges).filter(is_portal).count() as u64;
        let links = corners + 3 * portals + ends;
        self.limit([0; 3], "links of a tile", links, i32::MAX as u64, OTHER_TILES)?;
        self.out.max_links = links as u32;
        Ok(self.out)
    }
}
