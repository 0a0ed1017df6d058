//! Joins the triangles of all polygons into one detail mesh.

use crate::data::{DetailMesh, DetailTriangle, Grid, SubMesh};
use crate::error::Error;
use crate::meshing::delaunay::{DetailVertex, Surface};
use navmath::FIXED_ONE;

/// Indices of detail vertices and triangles have 32 bits.
pub(super) fn limited(what: &'static str, count: usize) -> Result<u32, Error> {
    Ok(navmath::limit::to_u32(what, count, "raise detail.max_error, or bake in tiles")?)
}

/// Adds a sub-mesh for the vertices and triangles that the caller adds next.
fn append(all: &mut DetailMesh, vertices: usize, triangles: usize) -> Result<(), Error> {
    all.meshes.push(SubMesh {
        first_vertex: limited("detail vertices", all.vertices.len())?,
        vertex_count: vertices as u32,
        first_triangle: limited("detail triangles", all.triangles.len())?,
        triangle_count: triangles as u32,
    });
    Ok(())
}

/// Adds the detail mesh of a polygon with no vertices except its corners.
pub(super) fn append_corners(
    all: &mut DetailMesh,
    outline: &[[f32; 3]],
    triangles: &[[u32; 3]],
) -> Result<(), Error> {
    append(all, outline.len(), triangles.len())?;
    all.vertices.extend_from_slice(outline);
    let next = |corner: u32| if corner as usize + 1 < outline.len() { corner + 1 } else { 0 };
    all.triangles.extend(triangles.iter().map(|&vertices @ [a, b, c]| DetailTriangle {
        vertices,
        boundary: [(a, b), (b, c), (c, a)].map(|(from, to)| next(from) == to),
    }));
    Ok(())
}

/// Adds the detail mesh of a polygon.
pub(super) fn append_surface(all: &mut DetailMesh, grid: &Grid, surface: &Surface) -> Result<(), Error> {
    append(all, surface.vertices.len(), surface.triangles.len())?;
    let (size, height) = (f64::from(grid.cell_size), f64::from(grid.cell_height));
    let metres = |cells: i32| (f64::from(cells) / f64::from(FIXED_ONE) * size) as f32;
    all.vertices.extend(
        surface
            .vertices
            .iter()
            .map(|&DetailVertex { plan: [x, z], height: y }| [metres(x), (y * height) as f32, metres(z)]),
    );
    let triangles = surface.triangles.iter().enumerate();
    all.triangles.extend(
        triangles.map(|(index, &vertices)| DetailTriangle { vertices, boundary: surface.boundary(index) }),
    );
    Ok(())
}

/// Joins the detail meshes of all shares, in order.
pub(super) fn join(shares: Vec<DetailMesh>) -> Result<DetailMesh, Error> {
    let mut shares = shares.into_iter();
    let mut all = shares.next().unwrap_or_default();
    for share in shares {
        let first_vertex = limited("detail vertices", all.vertices.len())?;
        let first_triangle = limited("detail triangles", all.triangles.len())?;
        limited("detail vertices", all.vertices.len() + share.vertices.len())?;
        limited("detail triangles", all.triangles.len() + share.triangles.len())?;
        all.meshes.extend(share.meshes.iter().map(|part| SubMesh {
            first_vertex: part.first_vertex + first_vertex,
            first_triangle: part.first_triangle + first_triangle,
            ..*part
        }));
        all.vertices.extend_from_slice(&share.vertices);
        all.triangles.extend_from_slice(&share.triangles);
    }
    Ok(all)
}
