//! Stage 16, emit: PolyMesh, DetailMesh -> Tile.
//! Units: cells in, 1/256 cell out. Cost: O(vertices + triangles), sorts.
//! Source: ours; docs/format.md describes the tile. Deviations: detail vertices stand on the floor, as the
//! corners do; the reference puts them one cell higher.

use super::Context;
use crate::data::{DetailMesh, EdgeKind, PolyMesh};
use crate::error::{Error, LevelError};
use crate::input::PreparedLevel;
use crate::observer::DiagnosticKind;
use navmath::FIXED_ONE;
use navtile::content::Beyond;
use navtile::layout::{COORD_LIMIT, OffMeshLink};
use navtile::{
    Built, DetailTriangleContent, EdgeContent, PolygonParts, Tile, TileCoord, TileParts, TileWriter,
    WriteDiagnostic,
};

/// A tile and the origin of its polygons.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// The tile, verified.
    pub tile: Tile,
    /// For each of its polygons, the polygon of the mesh that it is, or is a part of.
    pub sources: Vec<u32>,
}

/// Scratch memory of the stage.
#[derive(Default)]
struct Buffers {
    writer: TileWriter,
    lists: Lists,
}

/// The lists of all polygons, in the units of a tile.
#[derive(Default)]
struct Lists {
    vertices: Vec<[i32; 3]>,
    edges: Vec<EdgeContent>,
    detail_vertices: Vec<[i32; 3]>,
    detail_triangles: Vec<DetailTriangleContent>,
}

/// Writes the tile at `coord`, verified.
pub fn run(
    (level, coord, mesh, detail): (&PreparedLevel, TileCoord, &PolyMesh, &DetailMesh),
    _: &(),
    context: &mut Context,
) -> Result<Emitted, Error> {
    let grid = &mesh.grid;
    let limit = u64::from(COORD_LIMIT.unsigned_abs() / FIXED_ONE.unsigned_abs());
    // A grid is narrower than that; only heights can get there.
    let highest = mesh.vertices.iter().map(|&[_, y, _]| y).max().unwrap_or(0).max(0);
    let remedy = "enlarge the cell height or give lower bounds";
    navmath::limit::check("cells above the lattice's zero", highest.unsigned_abs().into(), limit, remedy)?;
    let Context { scratch, report, .. } = context;
    let Buffers { writer, lists } = scratch.of::<Buffers>();
    lists.fill(mesh, detail);
    let settings = &level.config.settings;
    let agent = [settings.agent_radius, settings.agent_height, settings.agent_climb, settings.agent_slope];
    let polygons = polygons(level, mesh, detail, lists);
    let parts = TileParts {
        coord,
        lattice: level.lattice,
        base_cell: grid.inner_base(),
        size_cells: [grid.inner_width(), grid.inner_depth()],
        agent: agent.map(|measure| measure as f32),
        vertices: &lists.vertices,
        polygons: &polygons,
        off_mesh_links: &off_mesh_links(level, mesh)?,
    };
    let Built { tile, diagnostics, sources } = writer.build(&parts)?;
    for diagnostic in diagnostics {
        let (at, what) = match diagnostic {
            WriteDiagnostic::ZeroArea { at, .. } => (at, "a polygon without area was left out".to_owned()),
            WriteDiagnostic::Split { at, pieces, .. } => {
                (at, format!("a polygon that was not convex was split into {pieces}"))
            }
        };
        report.at(DiagnosticKind::Emission, Some(at), what);
    }
    Ok(Emitted { tile, sources })
}

impl Lists {
    /// Fills the lists from a mesh.
    fn fill(&mut self, mesh: &PolyMesh, detail: &DetailMesh) {
        self.vertices.clear();
        self.vertices.extend(mesh.vertices.iter().map(|vertex| vertex.map(|cells| cells * FIXED_ONE)));
        self.edges.clear();
        self.edges.extend(mesh.corners.iter().zip(&mesh.edges).map(|(&vertex, edge)| EdgeContent {
            vertex,
            beyond: match *edge {
                EdgeKind::Wall => Beyond::Wall,
                EdgeKind::Internal(neighbour) => Beyond::Internal(neighbour),
                EdgeKind::Portal(side) => Beyond::Portal(side as u8),
            },
        }));
        let cell = [mesh.grid.cell_size, mesh.grid.cell_height, mesh.grid.cell_size].map(f64::from);
        let to_fixed = |vertex: &[f32; 3]| -> [i32; 3] {
            std::array::from_fn(|axis| {
                (f64::from(vertex[axis]) / cell[axis] * f64::from(FIXED_ONE)).round() as i32
            })
        };
        self.detail_vertices.clear();
        for (polygon, part) in mesh.polygons.iter().zip(&detail.meshes) {
            let (first, last) = (part.first_vertex + polygon.count, part.first_vertex + part.vertex_count);
            let own = &detail.vertices[first as usize..last as usize];
            self.detail_vertices.extend(own.iter().map(to_fixed));
        }
        self.detail_triangles.clear();
        self.detail_triangles.extend(detail.triangles.iter().map(|triangle| DetailTriangleContent {
            vertices: triangle.vertices,
            boundary: triangle.boundary,
        }));
    }
}

/// All polygons, as slices of the lists.
fn polygons<'a>(
    level: &PreparedLevel,
    mesh: &PolyMesh,
    detail: &DetailMesh,
    lists: &'a Lists,
) -> Vec<PolygonParts<'a>> {
    let mut detail_vertices = lists.detail_vertices.as_slice();
    let parts = mesh.polygons.iter().zip(&detail.meshes).map(|(polygon, part)| {
        // Corners come first in a detail mesh.
        let (own, others) = detail_vertices.split_at((part.vertex_count - polygon.count) as usize);
        detail_vertices = others;
        let first_triangle = part.first_triangle as usize;
        PolygonParts {
            edges: &lists.edges[polygon.range()],
            area: polygon.area.0,
            flags: level.config.settings.area_flags(polygon.area),
            detail_vertices: own,
            detail_triangles: &lists.detail_triangles[first_triangle..][..part.triangle_count as usize],
        }
    });
    parts.collect()
}

/// The connections that start in the tile. One that starts outside the level's bounds starts in no tile.
fn off_mesh_links(level: &PreparedLevel, mesh: &PolyMesh) -> Result<Vec<OffMeshLink>, Error> {
    let grid = &mesh.grid;
    let (width, depth) = (i64::from(grid.inner_width()), i64::from(grid.inner_depth()));
    let base = grid.inner_base();
    let one = i64::from(FIXED_ONE);
    // The tile a fixed-point position lies in, counted in tiles from this one.
    let tiles_away = |fixed: [i32; 3]| {
        [i64::from(fixed[0]).div_euclid(width * one), i64::from(fixed[2]).div_euclid(depth * one)]
    };
    let mut links = Vec::new();
    for (index, connection) in level.config.settings.off_mesh_connections.iter().enumerate() {
        let fixed = |point| level.lattice.world_to_fixed(point, base);
        // A start beyond the tile's range of numbers is certainly not in the tile.
        let Some(start) = fixed(connection.start).filter(|&start| tiles_away(start) == [0, 0]) else {
            continue;
        };
        let end = fixed(connection.end).ok_or(LevelError::OffMeshTooLong { connection: index })?;
        let [x, z] = if grid.border == 0 { [0, 0] } else { tiles_away(end) };
        let end_tile = [base[0] / width + x, base[2] / depth + z, 0].map(|tile| tile as i32);
        let flags = level.config.settings.area_flags(connection.area);
        links.push(connection.link([start, end], end_tile, flags, &level.lattice));
    }
    Ok(links)
}
