//! Stage 16, emit: PolyMesh, DetailMesh -> Tile.
//! Units: 1/256 cell, heights in cells in. Cost: O(vertices + triangles), sorts.
//! Source: ours; docs/format.md describes the tile. Deviations: detail vertices are on the floor, like the
//! corners; the reference puts them one cell higher.

use super::Context;
use crate::data::{DetailMesh, DetailTriangle, EdgeKind, PolyMesh};
use crate::error::{Error, LevelError};
use crate::input::PreparedLevel;
use crate::observer::DiagnosticKind;
use navmath::FIXED_ONE;
use navtile::content::Beyond;
use navtile::layout::{COORD_LIMIT, OffMeshLink};
use navtile::{
    Built, DetailTriangleContent, EdgeContent, PolygonContent, Tile, TileContent, TileCoord, TileWriter,
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

/// Writes the tile at `coord`, verified.
pub fn run(
    (level, coord, mesh, detail): (&PreparedLevel, TileCoord, &PolyMesh, &DetailMesh),
    _: &(),
    context: &mut Context,
) -> Result<Emitted, Error> {
    let grid = &mesh.grid;
    let limit = u64::from(COORD_LIMIT.unsigned_abs() / FIXED_ONE.unsigned_abs());
    // A grid is narrower than that; only heights can reach the limit.
    let highest = mesh.vertices.iter().map(|&[_, y, _]| y).max().unwrap_or(0).max(0);
    let remedy = "enlarge the cell height or give lower bounds";
    navmath::limit::check("cells above the lattice's zero", highest.unsigned_abs().into(), limit, remedy)?;
    let Context { scratch, report, .. } = context;
    let settings = &level.config.settings;
    let agent = [settings.agent_radius, settings.agent_height, settings.agent_climb, settings.agent_slope];
    let content = TileContent {
        coord,
        lattice: level.lattice,
        base_cell: grid.inner_base(),
        size_cells: [grid.inner_width(), grid.inner_depth()],
        agent: agent.map(|measure| measure as f32),
        vertices: mesh.vertices.iter().map(|&[x, y, z]| [x, y * FIXED_ONE, z]).collect(),
        polygons: polygons(level, mesh, detail),
        off_mesh_links: off_mesh_links(level, mesh)?,
    };
    let Built { tile, diagnostics, sources } = scratch.of::<TileWriter>().build(&content)?;
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

fn polygons(level: &PreparedLevel, mesh: &PolyMesh, detail: &DetailMesh) -> Vec<PolygonContent> {
    let cell = [mesh.grid.cell_size, mesh.grid.cell_height, mesh.grid.cell_size].map(f64::from);
    let to_fixed = |vertex: &[f32; 3]| -> [i32; 3] {
        std::array::from_fn(|axis| {
            let fixed = f64::from(vertex[axis]) / cell[axis] * f64::from(FIXED_ONE);
            // Rounds without a call: the conversion truncates.
            (fixed + 0.5f64.copysign(fixed)) as i32
        })
    };
    let edge = |(&vertex, edge): (&u32, &EdgeKind)| EdgeContent {
        vertex,
        beyond: match *edge {
            EdgeKind::Wall => Beyond::Wall,
            EdgeKind::Internal(neighbour) => Beyond::Internal(neighbour),
            EdgeKind::Portal(side) => Beyond::Portal(side as u8),
        },
    };
    let triangle = |triangle: &DetailTriangle| DetailTriangleContent {
        vertices: triangle.vertices,
        boundary: triangle.boundary,
    };
    let polygons = mesh.polygons.iter().zip(&detail.meshes).map(|(polygon, part)| {
        // Corners come first in a detail mesh.
        let (first, last) = (part.first_vertex + polygon.count, part.first_vertex + part.vertex_count);
        let first_triangle = part.first_triangle as usize;
        let triangles = &detail.triangles[first_triangle..][..part.triangle_count as usize];
        PolygonContent {
            edges: mesh.corners[polygon.range()].iter().zip(&mesh.edges[polygon.range()]).map(edge).collect(),
            area: polygon.area.0,
            flags: level.config.settings.area_flags(polygon.area),
            detail_vertices: detail.vertices[first as usize..last as usize].iter().map(to_fixed).collect(),
            detail_triangles: triangles.iter().map(triangle).collect(),
        }
    });
    polygons.collect()
}

/// The connections that start in the tile. A connection that starts outside the level's bounds starts in no
/// tile.
fn off_mesh_links(level: &PreparedLevel, mesh: &PolyMesh) -> Result<Vec<OffMeshLink>, Error> {
    let grid = &mesh.grid;
    let (width, depth) = (i64::from(grid.inner_width()), i64::from(grid.inner_depth()));
    let base = grid.inner_base();
    let one = i64::from(FIXED_ONE);
    // The tile that contains a fixed-point position, counted in tiles from this one.
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
