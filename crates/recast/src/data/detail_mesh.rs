//! The detail mesh: for each polygon, triangles that follow the height of the ground.

use super::{Broken, PolyMesh, require};
use navmath::{Digest, Hasher};

/// Detail triangles of all polygons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetailMesh {
    /// One per polygon, in order.
    pub meshes: Vec<SubMesh>,
    /// Vertices, metres from the tile's inner corner in x and z, from the lattice's zero in y. The first ones
    /// of each sub-mesh are its polygon's corners.
    pub vertices: Vec<[f32; 3]>,
    /// Triangles.
    pub triangles: Vec<DetailTriangle>,
}

/// The detail triangles of one polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubMesh {
    /// Index of its first vertex.
    pub first_vertex: u32,
    /// Number of vertices, including the polygon's corners.
    pub vertex_count: u32,
    /// Index of its first triangle.
    pub first_triangle: u32,
    /// Number of triangles.
    pub triangle_count: u32,
}

/// A triangle; corners are indices within its sub-mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetailTriangle {
    /// Corners.
    pub vertices: [u32; 3],
    /// True if the edge from corner i to corner i + 1 is on the polygon's boundary.
    pub boundary: [bool; 3],
}

impl DetailMesh {
    /// Checks the invariants: one sub-mesh per polygon, consecutive ranges, indices within them, finite
    /// vertices.
    pub fn check(&self, mesh: &PolyMesh) -> Result<(), Broken> {
        require(self.meshes.len() == mesh.polygons.len(), || "one sub-mesh a polygon".into())?;
        let (mut vertex, mut triangle) = (0, 0);
        for (index, part) in self.meshes.iter().enumerate() {
            let consecutive = part.first_vertex == vertex && part.first_triangle == triangle;
            require(consecutive, || format!("sub-mesh {index} does not follow the one before"))?;
            vertex += part.vertex_count;
            triangle += part.triangle_count;
            require(part.vertex_count >= mesh.polygons[index].count, || {
                format!("sub-mesh {index} lacks corners")
            })?;
            require(triangle as usize <= self.triangles.len(), || {
                format!("sub-mesh {index} lacks triangles")
            })?;
            let range = part.first_triangle as usize..triangle as usize;
            let sound =
                self.triangles[range].iter().all(|t| t.vertices.iter().all(|&v| v < part.vertex_count));
            require(sound, || format!("sub-mesh {index} names a vertex that is not there"))?;
        }
        let whole = vertex as usize == self.vertices.len() && triangle as usize == self.triangles.len();
        require(whole, || "sub-meshes do not cover all vertices and triangles".into())?;
        let finite = self.vertices.iter().flatten().all(|v| v.is_finite());
        require(finite, || "a detail vertex is not finite".into())
    }

    /// Hash of the whole mesh.
    pub fn hash(&self) -> Digest {
        let mut hasher = Hasher::new();
        for part in &self.meshes {
            let SubMesh { first_vertex, vertex_count, first_triangle, triangle_count } = *part;
            hasher.write_u32s(&[first_vertex, vertex_count, first_triangle, triangle_count]);
        }
        hasher.write_f32s(self.vertices.as_flattened());
        for triangle in &self.triangles {
            hasher.write_u32s(&triangle.vertices).write_u8s(&triangle.boundary.map(u8::from));
        }
        hasher.finish()
    }
}
