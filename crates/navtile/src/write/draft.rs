//! Content with its vertices resolved: each corner is a rank in canonical order.

use super::ranks::Ranks;
use crate::content::{Beyond, DetailTriangleContent, PolygonContent, TileContent, WriteError};
use crate::convex::is_convex;
use crate::layout::COORD_LIMIT;
use navmath::predicates::Point;
use navmath::{IBox3, limit};
use std::ops::Range;

/// A corner of a [`Draft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    /// Index into [`Drafts::positions`].
    pub(super) vertex: u32,
    /// The other side of the edge that starts here.
    pub(super) beyond: Beyond,
}

/// A polygon of the content; its neighbours are still polygon indices.
pub(super) struct Draft {
    /// Its index in the content.
    pub(super) index: u32,
    /// The first corner in the content, as an index into [`Drafts::positions`]: diagnostics report its
    /// position.
    pub(super) first_corner: u32,
    /// Its corners are `count` from `first` on in [`Drafts::corners`]. Starts at the smallest corner.
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) area: u8,
    pub(super) flags: u32,
    /// Index of its first corner in the content's polygon.
    pub(super) turn: usize,
    /// Its detail triangles in [`Drafts::triangles`], if it got corners that the content does not have.
    pub(super) triangles: Option<Range<usize>>,
    pub(super) is_convex: bool,
    /// The bounds of its corners.
    pub(super) bounds: IBox3,
    /// True if it is left out because it has no area.
    pub(super) dropped: bool,
}

/// All polygons of the content.
#[derive(Default)]
pub(super) struct Drafts {
    pub(super) list: Vec<Draft>,
    pub(super) corners: Vec<Corner>,
    /// Detail triangles of drafts that got further corners. Their indices count the current corners first.
    pub(super) triangles: Vec<DetailTriangleContent>,
    vertices: Ranks,
}

/// Returns an error for a polygon.
#[cold]
pub(super) fn refuse<T>(polygon: u32, what: impl Into<String>) -> Result<T, WriteError> {
    Err(WriteError::Polygon { polygon, what: what.into() })
}

impl Drafts {
    /// Replaces the drafts by those of `content`: resolves vertices and checks each polygon by itself. Shape
    /// and portals are checked later, because polygons without area, which are dropped, may run along the
    /// border in either direction.
    pub(super) fn read(&mut self, content: &TileContent) -> Result<(), WriteError> {
        let count = limit::to_u32("polygons in a tile", content.polygons.len(), "bake in smaller tiles")?;
        self.vertices.rank(&content.vertices);
        self.list.clear();
        self.corners.clear();
        self.triangles.clear();
        for (polygon, index) in content.polygons.iter().zip(0..count) {
            check(content, index, polygon)?;
            self.add(index, polygon);
        }
        Ok(())
    }

    fn add(&mut self, index: u32, polygon: &PolygonContent) {
        let Drafts { list, corners, vertices, .. } = self;
        let count = polygon.edges.len();
        let rank = |at: usize| vertices.ranks[polygon.edges[at].vertex as usize];
        // Starts the polygon at its smallest corner; of equal ones, at the first.
        let turn = (0..count).min_by_key(|&at| rank(at)).unwrap_or(0);
        let first = corners.len();
        let turned = (turn..count).chain(0..turn);
        corners.extend(turned.map(|at| Corner { vertex: rank(at), beyond: polygon.edges[at].beyond }));
        list.push(Draft {
            index,
            first_corner: rank(0),
            first,
            count,
            area: polygon.area,
            flags: polygon.flags,
            turn,
            triangles: None,
            is_convex: false,
            bounds: IBox3::EMPTY,
            dropped: false,
        });
        self.find_shape(index as usize);
    }
}

impl Draft {
    /// The current index of corner `local` of the content, if the draft has no further corners.
    #[inline]
    pub(super) fn turned(&self, local: usize) -> usize {
        let back = if local < self.turn { self.count } else { 0 };
        local + back - self.turn
    }
}

/// Returns true if a position is within the limit.
#[inline]
fn is_near(vertex: &[i32; 3]) -> bool {
    vertex.iter().all(|value| (-COORD_LIMIT..=COORD_LIMIT).contains(value))
}

/// Checks the numbers of a polygon: counts, area, positions and indices.
fn check(content: &TileContent, index: u32, polygon: &PolygonContent) -> Result<(), WriteError> {
    let count = polygon.edges.len();
    if count < 3 {
        return refuse(index, format!("it has {count} corners: three are the least"));
    }
    if polygon.area == 0 {
        return refuse(index, "its area id is 0, which means not walkable: give it one from 1 to 255");
    }
    // Only these vertices have a rank.
    let vertices = content.vertices.len().min(u32::MAX as usize);
    if let Some(at) = polygon.edges.iter().position(|edge| edge.vertex as usize >= vertices) {
        return refuse(index, format!("corner {at} is vertex {} of {vertices}", polygon.edges[at].vertex));
    }
    let corners = polygon.edges.iter().map(|edge| &content.vertices[edge.vertex as usize]);
    if let Some(vertex) = corners.chain(&polygon.detail_vertices).find(|vertex| !is_near(vertex)) {
        let what = format!("a vertex at {vertex:?} is more than {COORD_LIMIT} from the base cell: use tiles");
        return refuse(index, what);
    }
    for (at, edge) in polygon.edges.iter().enumerate() {
        if let Beyond::Internal(other) = edge.beyond
            && (other == index || other as usize >= content.polygons.len())
        {
            let what = format!("edge {at} leads to polygon {other}, which is not another one of this tile");
            return refuse(index, what);
        }
    }
    let local_count = count + polygon.detail_vertices.len();
    for (at, triangle) in polygon.detail_triangles.iter().enumerate() {
        let [a, b, c] = triangle.vertices;
        if a.max(b).max(c) as usize >= local_count || a == b || b == c || c == a {
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
    pub(super) fn plan(&self, draft: usize) -> impl DoubleEndedIterator<Item = Point> + Clone {
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

    /// Finds out if a draft is convex, and its bounds, from its corners.
    pub(super) fn find_shape(&mut self, draft: usize) {
        let corners = self.corners(draft).iter().map(|corner| self.positions()[corner.vertex as usize]);
        let bounds = IBox3::around(corners);
        let is_convex = is_convex(self.plan(draft));
        let draft = &mut self.list[draft];
        (draft.is_convex, draft.bounds) = (is_convex, bounds);
    }
}
