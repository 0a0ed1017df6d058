//! Content with its vertices resolved: corners by their place in canonical order.

use super::ranks::Ranks;
use super::shape::Shape;
use crate::content::{Beyond, DetailTriangleContent, EdgeContent, PolygonParts, TileParts, WriteError};
use crate::layout::COORD_LIMIT;
use navmath::predicates::Point;
use navmath::{IBox3, limit};
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
    /// Which of the corners in the content its first one is.
    pub(super) turn: usize,
    /// Its detail triangles in [`Drafts::triangles`], if it got corners that the content does not know.
    pub(super) triangles: Option<Range<usize>>,
    pub(super) is_convex: bool,
    /// What its corners lie in.
    pub(super) bounds: IBox3,
    /// Left out, for want of area.
    pub(super) dropped: bool,
}

/// All polygons of the content.
#[derive(Default)]
pub(super) struct Drafts {
    pub(super) list: Vec<Draft>,
    pub(super) corners: Vec<Corner>,
    /// Detail triangles of drafts that got further corners. Their indices count corners first, as those are now.
    pub(super) triangles: Vec<DetailTriangleContent>,
    vertices: Ranks,
    /// Whether all vertices lie within the limit, those that no polygon has included.
    all_near: bool,
    /// Whether all drafts are convex and have few corners, as nearly always: then none is dropped, none is split, and
    /// the corners of all of them stand one after the other.
    pub(super) plain: bool,
}

/// Polygons with more corners than this are not searched corner by corner.
pub(super) const FEW: usize = 16;

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
        self.all_near = [self.vertices.bounds.min, self.vertices.bounds.max].iter().all(is_near);
        self.list.clear();
        self.list.reserve(content.polygons.len());
        self.corners.clear();
        self.corners.reserve(content.polygons.iter().map(|polygon| polygon.edges.len()).sum());
        self.triangles.clear();
        self.plain = true;
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
        let Drafts { list, corners, vertices, all_near, plain, .. } = self;
        // Whatever is wrong is looked for only if anything is.
        let mut sound = *all_near && polygon.detail_vertices.iter().all(is_near);
        let (first, polygons) = (corners.len(), content.polygons.len());
        let rank = |edge: &EdgeContent| vertices.ranks.get(edge.vertex as usize).copied().unwrap_or(u32::MAX);
        let (mut least, mut smallest) = (u32::MAX, 0);
        for (at, edge) in polygon.edges.iter().enumerate() {
            let vertex = rank(edge);
            sound &= vertex != u32::MAX;
            if let Beyond::Internal(other) = edge.beyond {
                sound &= (other != index) & ((other as usize) < polygons);
            }
            (least, smallest) = if vertex < least { (vertex, at) } else { (least, smallest) };
        }
        let local_count = count + polygon.detail_vertices.len();
        for triangle in polygon.detail_triangles {
            sound &= is_triangle(triangle.vertices, local_count);
        }
        if !sound {
            check(content, index, polygon)?;
        }
        // Starts the polygon at its smallest corner.
        let before = |at: usize| if at > 0 { at - 1 } else { count - 1 };
        let last = before(smallest);
        let [next_to_last, last] =
            [before(last), last].map(|at| vertices.positions[rank(&polygon.edges[at]) as usize]);
        let mut shape = Shape::new(next_to_last, last);
        let mut at = smallest;
        corners.extend((0..count).map(|_| {
            let edge = &polygon.edges[at];
            at = if at + 1 < count { at + 1 } else { 0 };
            let vertex = rank(edge);
            shape.go_to(vertices.positions[vertex as usize]);
            Corner { vertex, beyond: edge.beyond }
        }));
        let is_convex = shape.is_convex();
        *plain &= is_convex & (count <= FEW);
        list.push(Draft {
            index,
            first_corner: rank(&polygon.edges[0]),
            first,
            count,
            area: polygon.area,
            flags: polygon.flags,
            turn: smallest,
            triangles: None,
            is_convex,
            bounds: shape.bounds,
            dropped: false,
        });
        Ok(())
    }
}

impl Draft {
    /// The corner that was corner `local` in the content, unless it has further corners.
    #[inline]
    pub(super) fn turned(&self, local: usize) -> usize {
        let back = if local < self.turn { self.count } else { 0 };
        local + back - self.turn
    }
}

/// Whether a position lies within the limit.
#[inline]
fn is_near(vertex: &[i32; 3]) -> bool {
    vertex.iter().all(|value| (-COORD_LIMIT..=COORD_LIMIT).contains(value))
}

/// Whether three vertices of a polygon, of so many, make a triangle.
#[inline]
fn is_triangle([a, b, c]: [u32; 3], local_count: usize) -> bool {
    ((a.max(b).max(c) as usize) < local_count) & (a != b) & (b != c) & (c != a)
}

/// Checks positions and indices of a polygon.
#[cold]
fn check(content: &TileParts<'_>, index: u32, polygon: &PolygonParts<'_>) -> Result<(), WriteError> {
    // As many as have a rank.
    let vertices = content.vertices.len().min(u32::MAX as usize);
    if let Some(at) = polygon.edges.iter().position(|edge| edge.vertex as usize >= vertices) {
        return refuse(index, format!("corner {at} is vertex {} of {vertices}", polygon.edges[at].vertex));
    }
    let corners = polygon.edges.iter().map(|edge| &content.vertices[edge.vertex as usize]);
    for vertex in corners.chain(polygon.detail_vertices) {
        if !is_near(vertex) {
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
        if !is_triangle(triangle.vertices, local_count) {
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

    /// Finds out whether a draft is convex, and what it lies in, after its corners have changed.
    pub(super) fn find_shape(&mut self, draft: usize) {
        let corners = self.corners(draft);
        let [.., next_to_last, last] = corners else { return };
        let position = |corner: &Corner| self.positions()[corner.vertex as usize];
        let mut shape = Shape::new(position(next_to_last), position(last));
        corners.iter().for_each(|corner| shape.go_to(position(corner)));
        let draft = &mut self.list[draft];
        (draft.is_convex, draft.bounds) = (shape.is_convex(), shape.bounds);
    }
}
