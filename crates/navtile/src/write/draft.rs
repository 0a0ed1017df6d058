//! Content with its vertices resolved: corners by their place in canonical order.

use super::ranks::Ranks;
use crate::content::{Beyond, DetailTriangleContent, PolygonParts, TileParts, WriteError};
use crate::convex::flaw;
use crate::layout::COORD_LIMIT;
use navmath::limit;
use navmath::predicates::Point;
use std::ops::Range;

/// A corner of a [`Draft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    /// Place in [`Drafts::positions`].
    pub(super) vertex: u32,
    /// What lies beyond the edge that starts here.
    pub(super) beyond: Beyond,
}

/// A polygon of the content, still with neighbours by polygon index.
pub(super) struct Draft {
    /// Its index in the content.
    pub(super) index: u32,
    /// The corner that came first in the content, as a place in [`Drafts::positions`]: where diagnostics point to.
    pub(super) first_corner: u32,
    /// Its corners in [`Drafts::corners`]: `count` from `first` on. Starts at the smallest corner.
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) area: u8,
    pub(super) flags: u32,
    /// Its detail vertices in [`Drafts::detail_vertices`].
    pub(super) detail_vertices: Range<usize>,
    /// Its detail triangles in [`Drafts::triangles`]. Their indices count the corners first.
    pub(super) first_triangle: usize,
    pub(super) triangle_count: usize,
    pub(super) is_convex: bool,
    /// Left out, for want of area.
    pub(super) dropped: bool,
}

/// All polygons of the content.
#[derive(Default)]
pub(super) struct Drafts {
    pub(super) list: Vec<Draft>,
    pub(super) corners: Vec<Corner>,
    pub(super) detail_vertices: Vec<[i32; 3]>,
    pub(super) triangles: Vec<DetailTriangleContent>,
    vertices: Ranks,
    /// Used over and over.
    plan: Vec<Point>,
}

/// Refuses a polygon.
#[cold]
pub(super) fn refuse<T>(polygon: u32, what: impl Into<String>) -> Result<T, WriteError> {
    Err(WriteError::Polygon { polygon, what: what.into() })
}

impl Drafts {
    /// Reads content in place of what was here: resolves vertices and checks each polygon by itself. Shape and portals
    /// are checked later: polygons without area, which are dropped, may run along the border either way.
    pub(super) fn read(&mut self, content: &TileParts<'_>) -> Result<(), WriteError> {
        let count = limit::to_u32("polygons in a tile", content.polygons.len(), "bake in smaller tiles")?;
        self.vertices.rank(content.vertices);
        self.list.clear();
        self.corners.clear();
        self.detail_vertices.clear();
        self.triangles.clear();
        for (polygon, index) in content.polygons.iter().zip(0..count) {
            self.add(content, index, polygon)?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        content: &TileParts<'_>,
        index: u32,
        polygon: &PolygonParts<'_>,
    ) -> Result<(), WriteError> {
        let count = polygon.edges.len();
        if count < 3 {
            return refuse(index, format!("it has {count} corners: three are the least"));
        }
        if polygon.area == 0 {
            return refuse(index, "its area id is 0, which means not walkable: give it one from 1 to 255");
        }
        let first = self.corners.len();
        for (at, edge) in polygon.edges.iter().enumerate() {
            let Some(&vertex) = self.vertices.ranks.get(edge.vertex as usize) else {
                let vertices = content.vertices.len();
                return refuse(index, format!("corner {at} is vertex {} of {vertices}", edge.vertex));
            };
            self.corners.push(Corner { vertex, beyond: edge.beyond });
        }
        check(content, index, polygon)?;
        let corners = &mut self.corners[first..];
        let first_corner = corners[0].vertex;
        // Starts the polygon at its smallest corner.
        let smallest = (0..count).min_by_key(|&at| corners[at].vertex).unwrap_or(0);
        corners.rotate_left(smallest);
        let (first_vertex, first_triangle) = (self.detail_vertices.len(), self.triangles.len());
        self.detail_vertices.extend_from_slice(polygon.detail_vertices);
        self.triangles.extend(polygon.detail_triangles.iter().map(|triangle| {
            let turned = |local: u32| match local as usize {
                local if local >= count => local,
                local if local >= smallest => local - smallest,
                local => local + count - smallest,
            };
            // No more than the indices that were given.
            let vertices = triangle.vertices.map(|local| turned(local) as u32);
            DetailTriangleContent { vertices, boundary: triangle.boundary }
        }));
        self.list.push(Draft {
            index,
            first_corner,
            first,
            count,
            area: polygon.area,
            flags: polygon.flags,
            detail_vertices: first_vertex..self.detail_vertices.len(),
            first_triangle,
            triangle_count: polygon.detail_triangles.len(),
            is_convex: false,
            dropped: false,
        });
        self.find_shape(self.list.len() - 1);
        Ok(())
    }
}

/// Checks positions and indices of a polygon whose corners are vertices.
fn check(content: &TileParts<'_>, index: u32, polygon: &PolygonParts<'_>) -> Result<(), WriteError> {
    let corners = polygon.edges.iter().map(|edge| &content.vertices[edge.vertex as usize]);
    for vertex in corners.chain(polygon.detail_vertices) {
        if vertex.iter().any(|value| !(-COORD_LIMIT..=COORD_LIMIT).contains(value)) {
            let what =
                format!("a vertex at {vertex:?} is more than {COORD_LIMIT} from the base cell: use tiles");
            return refuse(index, what);
        }
    }
    for (at, edge) in polygon.edges.iter().enumerate() {
        if let Beyond::Internal(other) = edge.beyond
            && (other == index || other as usize >= content.polygons.len())
        {
            let what = format!("edge {at} leads to polygon {other}, which is not another one of this tile");
            return refuse(index, what);
        }
    }
    let local_count = polygon.edges.len() + polygon.detail_vertices.len();
    for (at, triangle) in polygon.detail_triangles.iter().enumerate() {
        let [a, b, c] = triangle.vertices;
        if [a, b, c].iter().any(|v| *v as usize >= local_count) || a == b || b == c || c == a {
            let what = format!("detail triangle {at} is {:?} of {local_count} vertices", triangle.vertices);
            return refuse(index, what);
        }
    }
    Ok(())
}

impl Drafts {
    /// The positions of vertices, each once, in canonical order.
    #[inline]
    pub(super) fn positions(&self) -> &[[i32; 3]] {
        &self.vertices.positions
    }

    /// The corners of a draft.
    #[inline]
    pub(super) fn corners(&self, draft: usize) -> &[Corner] {
        let Draft { first, count, .. } = self.list[draft];
        &self.corners[first..first + count]
    }

    /// A vertex seen from above.
    #[inline]
    pub(super) fn seen(&self, vertex: u32) -> Point {
        let [x, _, z] = self.positions()[vertex as usize];
        [x, z]
    }

    /// The corners of a draft seen from above.
    #[inline]
    pub(super) fn plan(&self, draft: usize) -> impl Iterator<Item = Point> {
        self.corners(draft).iter().map(|corner| self.seen(corner.vertex))
    }

    /// The ends of the edge that starts at corner `at` of a draft.
    #[inline]
    pub(super) fn ends(&self, draft: usize, at: usize) -> [u32; 2] {
        let corners = self.corners(draft);
        [corners[at].vertex, corners.get(at + 1).unwrap_or(&corners[0]).vertex]
    }

    /// The positions of some vertices, for messages.
    pub(super) fn shown(&self, ends: [u32; 2]) -> [[i32; 3]; 2] {
        ends.map(|vertex| self.positions()[vertex as usize])
    }

    /// Finds out whether a draft is convex.
    pub(super) fn find_shape(&mut self, draft: usize) {
        let mut plan = std::mem::take(&mut self.plan);
        plan.clear();
        plan.extend(self.plan(draft));
        self.list[draft].is_convex = flaw(&plan).is_none();
        self.plan = plan;
    }
}
