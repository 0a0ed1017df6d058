//! Content with its indices resolved: corners by position, twins by the number of an edge.

use super::vertex_key;
use crate::content::{Beyond, DetailTriangleContent, PolygonContent, TileContent, WriteError};
use crate::layout::COORD_LIMIT;
use std::collections::HashMap;

/// A polygon of the content, still with neighbours by polygon index.
pub(super) struct Draft {
    /// Its index in the content.
    pub(super) index: u32,
    /// The corner that came first in the content: where diagnostics point to.
    pub(super) first_corner: [i32; 3],
    /// Corners, and what lies beyond the edge that starts there. Starts at the smallest corner.
    pub(super) corners: Vec<([i32; 3], Beyond)>,
    pub(super) area: u8,
    pub(super) flags: u32,
    pub(super) detail_vertices: Vec<[i32; 3]>,
    /// Indices count the corners first.
    pub(super) detail_triangles: Vec<DetailTriangleContent>,
    /// Left out, for want of area.
    pub(super) dropped: bool,
}

/// What lies beyond an edge of a [`Piece`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceBeyond {
    Wall,
    /// The edge with this number.
    Twin(usize),
    Portal(u8),
}

/// An edge with a number that it keeps through splitting and sorting.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceEdge {
    pub(super) corner: [i32; 3],
    pub(super) id: usize,
    pub(super) beyond: PieceBeyond,
}

/// A polygon to be written, or about to be split.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Its polygon's index in the content.
    pub(super) source: u32,
    pub(super) edges: Vec<PieceEdge>,
    pub(super) area: u8,
    pub(super) flags: u32,
    pub(super) detail_vertices: Vec<[i32; 3]>,
    pub(super) detail_triangles: Vec<DetailTriangleContent>,
}

/// A polygon of the content, and the ends of one of its edges.
type EdgeKey = (u32, [[i32; 3]; 2]);

/// Refuses a polygon.
pub(super) fn refuse<T>(polygon: u32, what: impl Into<String>) -> Result<T, WriteError> {
    Err(WriteError::Polygon { polygon, what: what.into() })
}

/// Resolves vertices and checks each polygon by itself. Shape and portals are checked later: polygons without
/// area, which are dropped, may run along the border either way.
pub(super) fn read(content: &TileContent) -> Result<Vec<Draft>, WriteError> {
    let count =
        navmath::limit::to_u32("polygons in a tile", content.polygons.len(), "bake in smaller tiles")?;
    content
        .polygons
        .iter()
        .zip(0..count)
        .map(|(polygon, index)| read_polygon(content, index, polygon))
        .collect()
}

fn read_polygon(content: &TileContent, index: u32, polygon: &PolygonContent) -> Result<Draft, WriteError> {
    let count = polygon.edges.len();
    if count < 3 {
        return refuse(index, format!("it has {count} corners: three are the least"));
    }
    if polygon.area == 0 {
        return refuse(index, "its area id is 0, which means not walkable: give it one from 1 to 255");
    }
    let mut corners = Vec::with_capacity(count);
    for (at, edge) in polygon.edges.iter().enumerate() {
        let Some(&corner) = content.vertices.get(edge.vertex as usize) else {
            let what = format!("corner {at} is vertex {} of {}", edge.vertex, content.vertices.len());
            return refuse(index, what);
        };
        corners.push((corner, edge.beyond));
    }
    let positions = corners.iter().map(|(corner, _)| corner).chain(&polygon.detail_vertices);
    for vertex in positions {
        if vertex.iter().any(|value| !(-COORD_LIMIT..=COORD_LIMIT).contains(value)) {
            let what =
                format!("a vertex at {vertex:?} is more than {COORD_LIMIT} from the base cell: use tiles");
            return refuse(index, what);
        }
    }
    for (at, (_, beyond)) in corners.iter().enumerate() {
        if let Beyond::Internal(other) = *beyond
            && (other == index || other as usize >= content.polygons.len())
        {
            let what = format!("edge {at} leads to polygon {other}, which is not another one of this tile");
            return refuse(index, what);
        }
    }
    let local_count = count + polygon.detail_vertices.len();
    for (at, triangle) in polygon.detail_triangles.iter().enumerate() {
        let [a, b, c] = triangle.vertices;
        if [a, b, c].iter().any(|v| *v as usize >= local_count) || a == b || b == c || c == a {
            let what = format!("detail triangle {at} is {:?} of {local_count} vertices", triangle.vertices);
            return refuse(index, what);
        }
    }
    let first_corner = corners[0].0;
    let mut draft = Draft {
        index,
        first_corner,
        corners,
        area: polygon.area,
        flags: polygon.flags,
        detail_vertices: polygon.detail_vertices.clone(),
        detail_triangles: polygon.detail_triangles.clone(),
        dropped: false,
    };
    draft.rotate();
    Ok(draft)
}

impl Draft {
    /// Starts the polygon at its smallest corner.
    fn rotate(&mut self) {
        let count = self.corners.len();
        let smallest = (0..count).min_by_key(|&i| vertex_key(self.corners[i].0)).unwrap_or(0);
        self.corners.rotate_left(smallest);
        for vertex in self.detail_triangles.iter_mut().flat_map(|triangle| &mut triangle.vertices) {
            let local = *vertex as usize;
            if local < count {
                *vertex = ((local + count - smallest) % count) as u32;
            }
        }
    }

    /// The ends of the edge that starts at corner `at`.
    pub(super) fn ends(&self, at: usize) -> [[i32; 3]; 2] {
        [self.corners[at].0, self.corners[(at + 1) % self.corners.len()].0]
    }
}

/// Numbers the edges and finds each internal edge's twin; `None` for dropped polygons. Also gives the number
/// of edges. An edge towards a dropped polygon becomes a wall.
pub(super) fn identify(drafts: &[Draft]) -> Result<(Vec<Option<Piece>>, usize), WriteError> {
    // Looked up, never walked through: its order shows nowhere.
    let mut by_ends: HashMap<EdgeKey, (usize, Beyond)> = HashMap::new();
    let mut first_ids = Vec::with_capacity(drafts.len());
    let mut next_id = 0;
    for draft in drafts {
        first_ids.push(next_id);
        if draft.dropped {
            continue;
        }
        for (at, (_, beyond)) in draft.corners.iter().enumerate() {
            if by_ends.insert((draft.index, draft.ends(at)), (next_id, *beyond)).is_some() {
                return refuse(draft.index, format!("it has the same edge twice, at {:?}", draft.ends(at)));
            }
            next_id += 1;
        }
    }
    let mut pieces = Vec::with_capacity(drafts.len());
    for (draft, first_id) in drafts.iter().zip(first_ids) {
        if draft.dropped {
            pieces.push(None);
            continue;
        }
        let mut edges = Vec::with_capacity(draft.corners.len());
        for (at, &(corner, beyond)) in draft.corners.iter().enumerate() {
            let beyond = match beyond {
                Beyond::Wall => PieceBeyond::Wall,
                Beyond::Portal(side) => PieceBeyond::Portal(side),
                Beyond::Internal(other) if drafts[other as usize].dropped => PieceBeyond::Wall,
                Beyond::Internal(other) => {
                    let [a, b] = draft.ends(at);
                    match by_ends.get(&(other, [b, a])) {
                        Some(&(twin, Beyond::Internal(back))) if back == draft.index => {
                            PieceBeyond::Twin(twin)
                        }
                        _ => {
                            let what = format!(
                                "the edge {a:?} to {b:?} leads to polygon {other}, which has no such edge back"
                            );
                            return refuse(draft.index, what);
                        }
                    }
                }
            };
            edges.push(PieceEdge { corner, id: first_id + at, beyond });
        }
        pieces.push(Some(Piece {
            source: draft.index,
            edges,
            area: draft.area,
            flags: draft.flags,
            detail_vertices: draft.detail_vertices.clone(),
            detail_triangles: draft.detail_triangles.clone(),
        }));
    }
    Ok((pieces, next_id))
}
