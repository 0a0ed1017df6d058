//! Vertices along the edges of polygons: finds the edges that need some, and stores the vertices.

use super::put_together::limited;
use super::{Buffers, DetailInput};
use crate::data::{EdgeKind, PolyMesh, Polygon, RegionId};
use crate::error::Error;
use crate::meshing::delaunay::DetailVertex;
use crate::soundness::floors_under::FloorPatch;
use crate::soundness::ground_along::Beside;
use std::ops::Range;

/// Vertices along edges.
#[derive(Default)]
pub(super) struct EdgeVertices {
    /// For each corner of the polygon mesh, the start of the vertices of its edge, and the end of the last.
    /// They are stored with the first of the edge's two polygons.
    pub(super) first: Vec<u32>,
    pub(super) vertices: Vec<DetailVertex>,
    /// Polygons with an edge that would need more vertices.
    pub(super) short: Vec<usize>,
}

impl DetailInput<'_> {
    /// Finds the vertices of all edges that the given polygons have to examine.
    pub(super) fn fit_edges(
        &self,
        polygons: Range<usize>,
        uneven: &[Option<FloorPatch>],
        Buffers { fitter, corners, own, .. }: &mut Buffers,
    ) -> EdgeVertices {
        let mesh = self.mesh;
        let mut found = EdgeVertices::default();
        for index in polygons {
            let polygon = &mesh.polygons[index];
            for edge in polygon.range() {
                found.first.push(found.vertices.len() as u32);
                let is_uneven = |polygon: usize| uneven[polygon].is_some();
                let (needed, beside) = match mesh.edges[edge] {
                    EdgeKind::Wall => (is_uneven(index), [Some(index), None]),
                    EdgeKind::Portal(_) => (true, [None, None]),
                    EdgeKind::Internal(other) => {
                        let other = other as usize;
                        let needed = index < other && (is_uneven(index) || is_uneven(other));
                        (needed, [Some(index), Some(other)])
                    }
                };
                if needed {
                    own.clear();
                    for polygon in beside.into_iter().flatten() {
                        self.add_regions(&mesh.polygons[polygon], corners, own);
                    }
                    let under = beside.into_iter().flatten().find_map(|polygon| uneven[polygon].as_ref());
                    let beside = Beside { regions: self.regions, own, under };
                    let (ends, _) = self.ends_in_order(polygon, edge);
                    let most = self.most_along_edge;
                    if !fitter.fit(ends, &beside, self.allowed, most, &mut found.vertices) {
                        found.short.push(index);
                    }
                }
            }
        }
        found
    }

    /// The ends of an edge in the order of its examination, which does not depend on the polygon; and true if
    /// that is the reverse of the polygon's order.
    pub(super) fn ends_in_order(&self, polygon: &Polygon, edge: usize) -> ([[i32; 3]; 2], bool) {
        let [a, b] = ends(self.mesh, polygon, edge).map(|vertex| self.mesh.vertices[vertex as usize]);
        let turned = [a[0], a[2]] > [b[0], b[2]];
        (if turned { [b, a] } else { [a, b] }, turned)
    }

    /// Adds the regions that a polygon came from.
    fn add_regions(&self, polygon: &Polygon, corners: &mut Vec<[i32; 3]>, own: &mut Vec<RegionId>) {
        match polygon.region {
            Some(region) => own.push(region),
            None => {
                self.corners_of(polygon, corners);
                self.regions.add_regions_around(corners, own);
            }
        }
    }
}

/// The vertices at the ends of an edge.
fn ends(mesh: &PolyMesh, polygon: &Polygon, edge: usize) -> [u32; 2] {
    let next = if edge + 1 == polygon.range().end { polygon.first as usize } else { edge + 1 };
    [mesh.corners[edge], mesh.corners[next]]
}

impl EdgeVertices {
    /// Appends the vertices of all shares, in order.
    pub(super) fn join(shares: Vec<EdgeVertices>) -> Result<EdgeVertices, Error> {
        let mut shares = shares.into_iter();
        let mut all = shares.next().unwrap_or_default();
        for share in shares {
            let before = all.vertices.len() as u32;
            all.first.extend(share.first.into_iter().map(|first| first + before));
            all.vertices.extend(share.vertices);
            all.short.extend(share.short);
        }
        all.first.push(limited("detail vertices", all.vertices.len())?);
        Ok(all)
    }

    /// The vertices along an edge of a polygon.
    pub(super) fn of(&self, mesh: &PolyMesh, polygon: usize, edge: usize) -> &[DetailVertex] {
        let edge = match mesh.edges[edge] {
            EdgeKind::Internal(other) if (other as usize) < polygon => {
                let [from, to] = ends(mesh, &mesh.polygons[polygon], edge);
                let other = &mesh.polygons[other as usize];
                let twin = |&edge: &usize| mesh.corners[edge] == to && ends(mesh, other, edge) == [to, from];
                other.range().find(twin).unwrap_or(edge)
            }
            _ => edge,
        };
        &self.vertices[self.first[edge] as usize..self.first[edge + 1] as usize]
    }
}
