//! Stage 14, polygon mesh: ContourSet, Triangulation -> PolyMesh.
//! Units: cells. Cost: O(corners²) a contour. Figure: docs/figures/14-poly-mesh.svg.
//! Source: M. Mononen, Recast (RecastMesh.cpp, rcBuildPolyMesh); ear clipping after J. O'Rourke (1998).
//! Deviations: only edges beyond which the tile's border goes on are portals, not walls that lie on its line;
//! vertices on the tile's border are one only if their heights are equal; a vertex of the border goes only if the
//! mesh ends in a straight line there; any number of vertices and polygons.
//!
//! Triangulates each contour, merges triangles into convex polygons, removes vertices that only the tile's
//! border made, and finds out who is next to whom.

pub(crate) mod adjacency;
mod merge;
mod remove_vertex;
pub(crate) mod vertices;

use super::Context;
use super::triangulate::Triangulation;
use crate::area::AreaId;
use crate::data::{ContourSet, EdgeKind, PolyMesh, Polygon, RegionId};
use crate::error::Error;
use crate::observer::{DiagnosticKind, Report};
use crate::settings::Config;
use merge::Merger;
use navmath::predicates::{Point, polygon_area2};

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Most corners of a polygon, at least 3. Default 6: fewer polygons to search, and what others' tiles hold.
    pub max_vertices: u32,
}

/// A polygon under construction.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    /// Its corners among [`Pieces::corners`]: `count` from `first` on.
    first: usize,
    count: usize,
    region: Option<RegionId>,
    area: AreaId,
}

/// Polygons under construction.
#[derive(Default)]
struct Pieces {
    list: Vec<Piece>,
    /// Corners of all of them, and of those that are gone.
    corners: Vec<u32>,
}

impl Pieces {
    fn corners(&self, piece: &Piece) -> &[u32] {
        &self.corners[piece.first..piece.first + piece.count]
    }

    fn add(&mut self, corners: &[u32], region: Option<RegionId>, area: AreaId) {
        self.list.push(Piece { first: self.corners.len(), count: corners.len(), region, area });
        self.corners.extend_from_slice(corners);
    }
}

/// The mesh under construction.
#[derive(Default)]
struct Draft {
    vertices: Vec<[i32; 3]>,
    /// Vertices that only the tile's border made.
    border_vertex: Vec<bool>,
    /// Edges, as their vertices in order, beyond which the tile's border goes on. A wall may come to lie on the
    /// border's line too. Sorted.
    border_edges: Vec<[u32; 2]>,
    pieces: Pieces,
}

impl Draft {
    /// A vertex seen from above.
    fn plan(&self, vertex: u32) -> Point {
        let [x, _, z] = self.vertices[vertex as usize];
        [x, z]
    }
}

/// Memory reused from tile to tile.
#[derive(Default)]
struct Buffers {
    draft: Draft,
    shared: vertices::SharedVertices,
    merger: Merger,
    /// The vertices of a contour.
    indices: Vec<u32>,
    /// A number for each piece.
    sums: Vec<u64>,
    edges: adjacency::Buffers,
}

impl Draft {
    /// Empties it, and makes room for the pieces of so many corners.
    fn start(&mut self, corners: usize) {
        let Draft { vertices, border_vertex, border_edges, pieces } = self;
        vertices.clear();
        vertices.reserve_exact(corners);
        border_vertex.clear();
        border_vertex.reserve(corners);
        border_edges.clear();
        // Fewer polygons than corners, and few corners more than those of contours.
        pieces.list.clear();
        pieces.list.reserve(corners / 2);
        pieces.corners.clear();
        pieces.corners.reserve(2 * corners);
    }
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { max_vertices: config.settings.max_vertices }
    }
}

/// Builds the polygon mesh.
pub fn run(
    (contours, triangulation): (&ContourSet, &Triangulation),
    params: &Params,
    context: &mut Context,
) -> Result<PolyMesh, Error> {
    let max_vertices = params.max_vertices as usize;
    let Context { scratch, report, .. } = context;
    let Buffers { draft, shared, merger, indices, sums, edges } = scratch.of::<Buffers>();
    let corners = contours.contours.iter().map(|contour| contour.vertices.len()).sum();
    draft.start(corners);
    shared.start(corners);
    let (width, depth) = (contours.grid.inner_width() as i32, contours.grid.inner_depth() as i32);
    let on_border =
        |[x, _, z]: [i32; 3]| contours.grid.border > 0 && (x == 0 || z == 0 || x == width || z == depth);
    for &(index, _) in &triangulation.faults {
        let what = "a contour could not be triangulated cleanly, so part of its region may be missing: lower the \
                    contours' max_error";
        report.at_cell(DiagnosticKind::BadTriangulation, contours.contours[index].vertices[0].position, what);
    }
    for (contour, triangles) in contours.contours.iter().zip(triangulation.by_contour()) {
        indices.clear();
        indices.extend(contour.vertices.iter().map(|vertex| {
            let index = if on_border(vertex.position) {
                shared.add_exactly(vertex.position, &mut draft.vertices)
            } else {
                shared.add(vertex.position, &mut draft.vertices)
            };
            match draft.border_vertex.get_mut(index as usize) {
                Some(known) => *known |= vertex.border_vertex,
                None => draft.border_vertex.push(vertex.border_vertex),
            }
            index
        }));
        for corner in (0..indices.len()).filter(|&corner| contour.vertices[corner].beyond.is_border()) {
            let next = if corner + 1 < indices.len() { corner + 1 } else { 0 };
            draft.border_edges.push([indices[corner], indices[next]]);
        }
        merger.start(triangles.len(), max_vertices);
        for triangle in triangles {
            let corners = triangle.map(|corner| indices[corner as usize]);
            merger.add(corners, Some(contour.region), contour.area);
        }
        merger.merge_into(&draft.vertices, &mut draft.pieces);
    }
    draft.border_edges.sort_unstable();
    draft.border_edges.dedup();
    remove_vertex::remove_border_vertices(draft, max_vertices, merger, report);
    drop_twins(draft, sums, report);
    finish(contours, draft, edges)
}

/// Drops polygons that have the same corners as another. Two storeys can come that close only where the climb is
/// as large as the agent's height.
///
/// `sums` is used over and over.
fn drop_twins(draft: &mut Draft, sums: &mut Vec<u64>, report: &mut Report) {
    if draft.pieces.list.len() < 2 || !may_have_twins(&draft.pieces, sums) {
        return;
    }
    let mut is_twin = find_twins(&draft.pieces).into_iter();
    let Draft { vertices, pieces: Pieces { list, corners }, .. } = draft;
    list.retain(|piece| {
        let new = is_twin.next() != Some(true);
        let corners = &corners[piece.first..piece.first + piece.count];
        let plan = |&vertex: &u32| [vertices[vertex as usize][0], vertices[vertex as usize][2]];
        if !new && polygon_area2(corners.iter().map(plan)) != 0 {
            let what = "a polygon was left out, as another storey has the same corners: lower agent.climb below \
                        agent.height";
            report.at_cell(DiagnosticKind::MergedStoreys, vertices[corners[0] as usize], what);
        }
        new
    });
}

/// Whether some pieces could have the same corners: those that do have the same sum of products of them.
fn may_have_twins(pieces: &Pieces, sums: &mut Vec<u64>) -> bool {
    let mixed = |&corner: &u32| (u64::from(corner) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
    let product = |corner: &u32| mixed(corner).wrapping_mul(mixed(corner) | 1);
    let sum = |piece: &Piece| pieces.corners(piece).iter().map(product).fold(0, u64::wrapping_add);
    sums.clear();
    sums.extend(pieces.list.iter().map(sum));
    sums.sort_unstable();
    sums.array_windows().any(|[a, b]| a == b)
}

/// Whether a piece has the same corners as one before it.
fn find_twins(pieces: &Pieces) -> Vec<bool> {
    let list = &pieces.list;
    let mut corners: Vec<u32> = Vec::with_capacity(list.iter().map(|piece| piece.count).sum());
    // The smallest corner of each piece, the piece, and where its corners start.
    let mut sorted: Vec<(u32, usize, usize)> = Vec::with_capacity(list.len());
    for (index, piece) in list.iter().enumerate() {
        let start = corners.len();
        corners.extend(pieces.corners(piece));
        corners[start..].sort_unstable();
        sorted.push((corners.get(start).copied().unwrap_or(0), index, start));
    }
    let own = |index: usize, start: usize| &corners[start..start + list[index].count];
    sorted.sort_unstable_by(|&(least, a, start), &(other_least, b, other)| {
        least.cmp(&other_least).then_with(|| own(a, start).cmp(own(b, other))).then(a.cmp(&b))
    });
    let mut is_twin = vec![false; list.len()];
    for &[(_, a, start), (_, b, other)] in sorted.array_windows() {
        is_twin[b] = own(a, start) == own(b, other);
    }
    is_twin
}

fn finish(
    contours: &ContourSet,
    draft: &mut Draft,
    buffers: &mut adjacency::Buffers,
) -> Result<PolyMesh, Error> {
    let remedy = "bake in tiles";
    let pieces = &draft.pieces;
    let corners = pieces.list.iter().map(|piece| piece.count).sum();
    navmath::limit::to_u32("polygon corners", corners, remedy)?;
    let mut mesh = PolyMesh {
        grid: contours.grid,
        vertices: std::mem::take(&mut draft.vertices),
        polygons: Vec::with_capacity(pieces.list.len()),
        corners: Vec::with_capacity(corners),
        edges: vec![EdgeKind::Wall; corners],
    };
    for piece in &pieces.list {
        mesh.polygons.push(Polygon {
            first: mesh.corners.len() as u32,
            count: piece.count as u32,
            region: piece.region,
            area: piece.area,
        });
        mesh.corners.extend_from_slice(pieces.corners(piece));
    }
    adjacency::connect_with(&mut mesh, buffers);
    adjacency::find_portals(&mut mesh, &draft.border_edges);
    Ok(mesh)
}

#[cfg(test)]
mod tests;
