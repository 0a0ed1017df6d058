//! Polygon meshes and detail meshes.

use super::{Difference, Kind, Tally};
use recast::data::{DetailMesh, PolyMesh, SubMesh};

/// Compares two polygon meshes.
pub fn poly_mesh(ours: &PolyMesh, theirs: &PolyMesh) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::Grid, ours.grid, theirs.grid, || "grid".to_owned());
    tally.equal(Kind::VertexCount, ours.vertices.len(), theirs.vertices.len(), || "vertices".to_owned());
    tally.equal(Kind::PolygonCount, ours.polygons.len(), theirs.polygons.len(), || "polygons".to_owned());
    for (index, (a, b)) in ours.vertices.iter().zip(&theirs.vertices).enumerate() {
        tally.equal(Kind::VertexPosition, a, b, || format!("vertex {index}"));
    }
    for (index, (a, b)) in ours.polygons.iter().zip(&theirs.polygons).enumerate() {
        let place = || format!("polygon {index}");
        tally.equal(Kind::PolygonCorners, ours.polygon_corners(a), theirs.polygon_corners(b), place);
        tally.equal(Kind::PolygonLabel, (a.region, a.area), (b.region, b.area), place);
        tally.equal(Kind::PolygonEdge, &ours.edges[a.range()], &theirs.edges[b.range()], place);
    }
    tally.into_differences()
}

/// Compares the detail meshes of two polygon meshes: the corners of the polygons, and the number of triangles
/// in polygons without further vertices on either side. Each library cuts a polygon along diagonals of its
/// own choice.
pub fn even_detail_mesh(
    (our_mesh, ours): (&PolyMesh, &DetailMesh),
    (their_mesh, theirs): (&PolyMesh, &DetailMesh),
) -> Vec<Difference> {
    if ours.meshes.len() != theirs.meshes.len() {
        return detail_mesh(ours, theirs);
    }
    let mut tally = Tally::default();
    let parts =
        (our_mesh.polygons.iter().zip(&ours.meshes)).zip(their_mesh.polygons.iter().zip(&theirs.meshes));
    for (index, ((a, ours), (b, theirs))) in parts.enumerate() {
        if ours.vertex_count == a.count && theirs.vertex_count == b.count {
            let place = || format!("polygon {index}");
            tally.equal(Kind::SubMesh, ours.triangle_count, theirs.triangle_count, place);
        }
    }
    let mut differences = tally.into_differences();
    differences.extend(detail_mesh(&corners_alone(our_mesh, ours), &corners_alone(their_mesh, theirs)));
    differences
}

/// A detail mesh that keeps only the corners of its polygons, without triangles.
fn corners_alone(mesh: &PolyMesh, detail: &DetailMesh) -> DetailMesh {
    let mut rest = DetailMesh::default();
    for (polygon, part) in mesh.polygons.iter().zip(&detail.meshes) {
        rest.meshes.push(SubMesh {
            first_vertex: rest.vertices.len() as u32,
            vertex_count: polygon.count,
            first_triangle: 0,
            triangle_count: 0,
        });
        rest.vertices.extend(&detail.vertices[part.first_vertex as usize..][..polygon.count as usize]);
    }
    rest
}

/// Compares two detail meshes; floats bit for bit.
pub fn detail_mesh(ours: &DetailMesh, theirs: &DetailMesh) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::SubMesh, ours.meshes.len(), theirs.meshes.len(), || "sub-meshes".to_owned());
    for (index, (a, b)) in ours.meshes.iter().zip(&theirs.meshes).enumerate() {
        let place = || format!("polygon {index}");
        let sizes = |part: &SubMesh| (part.vertex_count, part.triangle_count);
        tally.equal(Kind::SubMesh, sizes(a), sizes(b), place);
        let vertices = |mesh: &DetailMesh, part: &SubMesh| {
            let first = part.first_vertex as usize;
            mesh.vertices[first..first + part.vertex_count as usize].to_vec()
        };
        for (vertex, (a, b)) in vertices(ours, a).into_iter().zip(vertices(theirs, b)).enumerate() {
            if a.map(f32::to_bits) != b.map(f32::to_bits) {
                tally.note(Kind::DetailVertex, || {
                    format!("{}, vertex {vertex}: {a:?}, theirs {b:?}", place())
                });
            }
        }
        let triangles = |mesh: &DetailMesh, part: &SubMesh| {
            let first = part.first_triangle as usize;
            mesh.triangles[first..first + part.triangle_count as usize].to_vec()
        };
        for (triangle, (a, b)) in triangles(ours, a).into_iter().zip(triangles(theirs, b)).enumerate() {
            let place = || format!("polygon {index}, triangle {triangle}");
            tally.equal(Kind::DetailTriangle, a.vertices, b.vertices, place);
            tally.equal(Kind::DetailFlags, a.boundary, b.boundary, place);
        }
    }
    tally.into_differences()
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::AreaId;
    use recast::data::{DetailTriangle, EdgeKind, Grid, Polygon, RegionId};

    fn mesh() -> PolyMesh {
        let grid =
            Grid { width: 9, depth: 9, border: 0, base_x: 0, base_z: 0, cell_size: 1.0, cell_height: 1.0 };
        PolyMesh {
            grid,
            vertices: vec![[0, 0, 0], [0, 0, 4], [4, 0, 0]],
            polygons: vec![Polygon {
                first: 0,
                count: 3,
                region: None,
                first_region: RegionId::NONE,
                area: AreaId::GROUND,
            }],
            corners: vec![0, 1, 2],
            edges: vec![EdgeKind::Wall; 3],
        }
    }

    #[test]
    fn polygons_are_compared_part_by_part() {
        let mut other = mesh();
        assert_eq!(poly_mesh(&mesh(), &other), []);
        other.edges[1] = EdgeKind::Internal(3);
        other.vertices[2][1] = 7;
        let kinds: Vec<_> = poly_mesh(&mesh(), &other).iter().map(|d| d.kind).collect();
        assert_eq!(kinds, [Kind::VertexPosition, Kind::PolygonEdge]);
    }

    #[test]
    fn detail_floats_are_compared_by_bits() {
        let detail = DetailMesh {
            meshes: vec![SubMesh { first_vertex: 0, vertex_count: 3, first_triangle: 0, triangle_count: 1 }],
            vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]],
            triangles: vec![DetailTriangle { vertices: [0, 1, 2], boundary: [true; 3] }],
        };
        let mut other = detail.clone();
        assert_eq!(detail_mesh(&detail, &other), []);
        other.vertices[0][0] = -0.0;
        other.triangles[0].boundary[2] = false;
        let kinds: Vec<_> = detail_mesh(&detail, &other).iter().map(|d| d.kind).collect();
        assert_eq!(kinds, [Kind::DetailVertex, Kind::DetailFlags]);
    }

    #[test]
    fn polygons_with_vertices_of_their_own_are_compared_in_their_corners() {
        let part = |vertex_count, triangle_count| SubMesh {
            first_vertex: 0,
            vertex_count,
            first_triangle: 0,
            triangle_count,
        };
        let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
        let triangle = |vertices| DetailTriangle { vertices, boundary: [false; 3] };
        let even = DetailMesh {
            meshes: vec![part(3, 1)],
            vertices: corners.to_vec(),
            triangles: vec![triangle([0, 1, 2])],
        };
        let mut refined = even.clone();
        refined.vertices.push([1.0, 3.0, 1.0]);
        refined.triangles = vec![triangle([0, 1, 3]), triangle([1, 2, 3]), triangle([2, 0, 3])];
        refined.meshes = vec![part(4, 3)];
        let (mesh, kinds) =
            (mesh(), |found: Vec<Difference>| found.iter().map(|d| d.kind).collect::<Vec<_>>());
        assert_eq!(even_detail_mesh((&mesh, &refined), (&mesh, &even)), []);
        refined.vertices[1][1] = 1.0;
        assert_eq!(kinds(even_detail_mesh((&mesh, &even), (&mesh, &refined))), [Kind::DetailVertex]);
        let mut other = even.clone();
        other.triangles[0].vertices = [1, 2, 0];
        assert_eq!(even_detail_mesh((&mesh, &even), (&mesh, &other)), []);
        other.meshes[0].triangle_count = 2;
        assert_eq!(kinds(even_detail_mesh((&mesh, &even), (&mesh, &other))), [Kind::SubMesh]);
    }
}
