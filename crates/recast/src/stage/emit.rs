//! Stage 16, emit: PolyMesh, DetailMesh -> Tile.
//! Units: cells in, 1/256 cell out. Cost: O(vertices + triangles), sorts.
//! Source: ours; what a tile holds is in docs/format.md. Deviations: detail vertices stand on the floor, as the
//! corners do; the reference puts them one cell higher.

use crate::data::{DetailMesh, EdgeKind, PolyMesh, SubMesh};
use crate::error::{Error, LevelError};
use crate::input::PreparedLevel;
use crate::observer::{DiagnosticKind, Report};
use navmath::FIXED_ONE;
use navtile::content::Beyond;
use navtile::layout::{COORD_LIMIT, OffMeshLink};
use navtile::{
    DetailTriangleContent, EdgeContent, PolygonContent, Tile, TileContent, TileCoord, WriteDiagnostic,
    Written,
};

/// A tile and where its polygons came from.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// The tile, verified.
    pub tile: Tile,
    /// For each of its polygons, the polygon of the mesh that it is, or is a part of.
    pub sources: Vec<u32>,
}

/// Writes the tile at `coord` and reads it back, verified.
pub fn run(
    level: &PreparedLevel,
    coord: TileCoord,
    mesh: &PolyMesh,
    detail: &DetailMesh,
    report: &mut Report,
) -> Result<Emitted, Error> {
    let Written { bytes, diagnostics, sources } = content(level, coord, mesh, detail)?.write_traced()?;
    for diagnostic in diagnostics {
        let (at, what) = match diagnostic {
            WriteDiagnostic::ZeroArea { at, .. } => (at, "a polygon without area was left out".to_owned()),
            WriteDiagnostic::Split { at, pieces, .. } => {
                (at, format!("a polygon that was not convex was split into {pieces}"))
            }
        };
        report.at(DiagnosticKind::Emission, Some(at), what);
    }
    let tile = Tile::from_bytes(&bytes).map_err(Error::Unsound)?;
    Ok(Emitted { tile, sources })
}

/// The tile before it is bytes.
pub fn content(
    level: &PreparedLevel,
    coord: TileCoord,
    mesh: &PolyMesh,
    detail: &DetailMesh,
) -> Result<TileContent, Error> {
    let grid = &mesh.grid;
    let limit = u64::from(COORD_LIMIT.unsigned_abs() / FIXED_ONE.unsigned_abs());
    // A grid is narrower than that; only heights can get there.
    let highest = mesh.vertices.iter().map(|&[_, y, _]| y).max().unwrap_or(0).max(0);
    let remedy = "enlarge the cell height or give lower bounds";
    navmath::limit::check("cells above the lattice's zero", highest.unsigned_abs().into(), limit, remedy)?;
    let settings = &level.config.settings;
    let agent = [settings.agent_radius, settings.agent_height, settings.agent_climb, settings.agent_slope];
    let border = i64::from(grid.border);
    Ok(TileContent {
        coord,
        lattice: level.lattice,
        base_cell: [i64::from(grid.base_x) + border, 0, i64::from(grid.base_z) + border],
        size_cells: [grid.inner_width(), grid.inner_depth()],
        agent: agent.map(|measure| measure as f32),
        vertices: mesh.vertices.iter().map(|vertex| vertex.map(|cells| cells * FIXED_ONE)).collect(),
        polygons: (0..mesh.polygons.len()).map(|index| polygon(level, mesh, detail, index)).collect(),
        off_mesh_links: off_mesh_links(level, mesh)?,
    })
}

/// The connections that start in the tile. One that starts outside the level's bounds starts in no tile.
fn off_mesh_links(level: &PreparedLevel, mesh: &PolyMesh) -> Result<Vec<OffMeshLink>, Error> {
    let grid = &mesh.grid;
    let (width, depth) = (i64::from(grid.inner_width()), i64::from(grid.inner_depth()));
    let base =
        [i64::from(grid.base_x) + i64::from(grid.border), 0, i64::from(grid.base_z) + i64::from(grid.border)];
    let one = i64::from(FIXED_ONE);
    // The tile a fixed-point position lies in, counted in tiles from this one.
    let tiles_away = |fixed: [i32; 3]| {
        [i64::from(fixed[0]).div_euclid(width * one), i64::from(fixed[2]).div_euclid(depth * one)]
    };
    let mut links = Vec::new();
    for (index, connection) in level.config.settings.off_mesh_connections.iter().enumerate() {
        let fixed = |point| level.lattice.world_to_fixed(point, base);
        // Out of reach of a tile's numbers is certainly not in the tile.
        let Some(start) = fixed(connection.start).filter(|&start| tiles_away(start) == [0, 0]) else {
            continue;
        };
        let end = fixed(connection.end).ok_or(LevelError::OffMeshTooLong { connection: index })?;
        let [x, z] = if grid.border == 0 { [0, 0] } else { tiles_away(end) };
        let end_tile = [
            (i64::from(grid.base_x) + i64::from(grid.border)) / width + x,
            (i64::from(grid.base_z) + i64::from(grid.border)) / depth + z,
            0,
        ]
        .map(|tile| tile as i32);
        let flags = level.config.settings.area(connection.area).flags;
        links.push(connection.link([start, end], end_tile, flags, &level.lattice));
    }
    Ok(links)
}

fn polygon(level: &PreparedLevel, mesh: &PolyMesh, detail: &DetailMesh, index: usize) -> PolygonContent {
    let polygon = &mesh.polygons[index];
    let edges = polygon.range().map(|corner| EdgeContent {
        vertex: mesh.corners[corner],
        beyond: match mesh.edges[corner] {
            EdgeKind::Wall => Beyond::Wall,
            EdgeKind::Internal(neighbour) => Beyond::Internal(neighbour),
            EdgeKind::Portal(side) => Beyond::Portal(side as u8),
        },
    });
    let SubMesh { first_vertex, vertex_count, first_triangle, triangle_count } = detail.meshes[index];
    let vertices = (first_vertex + polygon.count) as usize..(first_vertex + vertex_count) as usize;
    let triangles = first_triangle as usize..(first_triangle + triangle_count) as usize;
    let cell = [mesh.grid.cell_size, mesh.grid.cell_height, mesh.grid.cell_size].map(f64::from);
    let to_fixed = |vertex: &[f32; 3]| -> [i32; 3] {
        std::array::from_fn(|axis| {
            (f64::from(vertex[axis]) / cell[axis] * f64::from(FIXED_ONE)).round() as i32
        })
    };
    PolygonContent {
        edges: edges.collect(),
        area: polygon.area.0,
        flags: level.config.settings.area(polygon.area).flags,
        detail_vertices: detail.vertices[vertices].iter().map(to_fixed).collect(),
        detail_triangles: detail.triangles[triangles]
            .iter()
            .map(|triangle| DetailTriangleContent {
                vertices: triangle.vertices,
                boundary: triangle.boundary,
            })
            .collect(),
    }
}
