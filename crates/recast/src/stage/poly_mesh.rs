//! Stage 14, polygon mesh: ContourSet, Triangulation -> PolyMesh.
//! Units: 1/256 cell. Cost: O(corners²) per contour. Figure: docs/figures/14-poly-mesh.svg.
//! Source: M. Mononen, Recast (RecastMesh.cpp, rcBuildPolyMesh); ear clipping after J. O'Rourke (1998).
//! Deviations: triangles are made Delaunay, and merged by the notches of the outline (`meshing::merge`); only
//! edges beyond which the tile's border continues are portals, not walls on its line; vertices are merged
//! only if their heights are equal, and edges with walls on both sides lead nowhere; a vertex of the border
//! is removed only if the mesh ends in a straight line there, but then also from two triangles; there is no
//! limit on vertices and polygons.
//!
//! Triangulates each contour, merges triangles into convex polygons, removes vertices that exist only because
//! of the tile's border, and finds the adjacency of polygons.

mod draft;
mod remove_vertex;
mod twins;

use super::Context;
use super::triangulate::Triangulation;
use crate::data::draft_polygons::RegionSpan;
use crate::data::{Contour, ContourSet, EdgeKind, PolyMesh, Polygon};
use crate::error::Error;
use crate::lists::next_in_ring;
use crate::meshing::adjacency;
use crate::meshing::flips::Flips;
use crate::meshing::merge::Merger;
use crate::meshing::vertices::SharedVertices;
use crate::observer::DiagnosticKind;
use crate::settings::Config;
use draft::Draft;
use twins::drop_twins;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Greatest number of corners of a polygon, at least 3. Default 12: in tiles of 72 cells, 16 save
    /// nothing on five levels; with 6 there are 6 % more polygons.
    pub max_vertices: u32,
}

/// Scratch memory of the stage.
#[derive(Default)]
struct Buffers {
    draft: Draft,
    shared: SharedVertices,
    merger: Merger,
    /// The vertices of a contour, and its triangles.
    indices: Vec<u32>,
    triangulated: Vec<[u32; 3]>,
    flips: Flips,
    /// Edges of walls, the smaller vertex first, and the contour.
    walls: Vec<([u32; 2], usize)>,
    /// True for vertices that are corners of contours more than once.
    met_again: Vec<bool>,
    edges: adjacency::Buffers,
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
    let buffers = scratch.of::<Buffers>();
    buffers.start(contours.contours.iter().map(|contour| contour.vertices.len()).sum());
    for &(index, _) in &triangulation.faults {
        let what = "a contour could not be triangulated cleanly, so part of its region may be missing: lower the \
                    contours' max_error";
        report.at_place(
            DiagnosticKind::BadTriangulation,
            contours.contours[index].vertices[0].position,
            what,
        );
    }
    for (index, (contour, triangles)) in contours.contours.iter().zip(triangulation.by_contour()).enumerate()
    {
        buffers.add_corners(contour);
        buffers.add_sides(contour, index);
        let Buffers { draft, merger, indices, flips, triangulated, .. } = &mut *buffers;
        merger.start(triangles.len(), max_vertices);
        // At the end of a slit, or of a bridge to a hole, the outline turns back on itself.
        let is_whole = |&[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
        let corners = triangles.iter().map(|triangle| triangle.map(|corner| indices[corner as usize]));
        triangulated.clear();
        triangulated.extend(corners.filter(is_whole));
        flips.make_delaunay(triangulated, |vertex| draft.plan(vertex));
        for &triangle in &*triangulated {
            merger.add(triangle, RegionSpan::of(contour.region), contour.area);
        }
        merger.merge_into(&draft.vertices, &mut draft.polygons);
    }
    let Buffers { draft, merger, walls, met_again, edges, .. } = buffers;
    draft.border_edges.sort_unstable();
    draft.border_edges.dedup();
    // Few walls share both ends with others.
    walls.retain(|(ends, _)| ends.iter().all(|&end| met_again[end as usize]));
    draft.keep_double_walls(walls);
    remove_vertex::remove_border_vertices(draft, max_vertices, merger, report);
    drop_twins(draft, report);
    finish(contours, draft, edges)
}

impl Buffers {
    /// Empties the draft, for contours with this many corners.
    fn start(&mut self, corners: usize) {
        self.draft.start(corners);
        self.shared.start(corners);
        self.walls.clear();
        self.met_again.clear();
    }

    /// Adds the corners of a contour; corners of several contours at one place become one vertex.
    fn add_corners(&mut self, contour: &Contour) {
        let Buffers { draft, shared, indices, met_again, .. } = self;
        indices.clear();
        indices.extend(contour.vertices.iter().map(|vertex| {
            let index = shared.add_exactly(vertex.position, &mut draft.vertices);
            if let Some(known) = draft.border_vertex.get_mut(index as usize) {
                *known |= vertex.border_vertex;
                met_again[index as usize] = true;
            } else {
                draft.border_vertex.push(vertex.border_vertex);
                met_again.push(false);
            }
            index
        }));
    }

    /// Adds the edges of a contour without a region on the other side: on the tile's border, or walls.
    fn add_sides(&mut self, contour: &Contour, index: usize) {
        let Buffers { draft, indices, walls, .. } = self;
        for (corner, vertex) in contour.vertices.iter().enumerate().filter(|(_, v)| !v.beyond.is_inner()) {
            let edge = [indices[corner], indices[next_in_ring(corner, indices.len())]];
            if vertex.beyond.is_border() {
                draft.border_edges.push(edge);
            } else {
                walls.push(([edge[0].min(edge[1]), edge[0].max(edge[1])], index));
            }
        }
    }
}

fn finish(
    contours: &ContourSet,
    draft: &mut Draft,
    buffers: &mut adjacency::Buffers,
) -> Result<PolyMesh, Error> {
    let remedy = "bake in tiles";
    let polygons = &draft.polygons;
    let corners = polygons.list.iter().map(|polygon| polygon.count).sum();
    navmath::limit::to_u32("polygon corners", corners, remedy)?;
    let mut mesh = PolyMesh {
        grid: contours.grid,
        vertices: std::mem::take(&mut draft.vertices),
        polygons: Vec::with_capacity(polygons.list.len()),
        corners: Vec::with_capacity(corners),
        edges: vec![EdgeKind::Wall; corners],
    };
    for polygon in &polygons.list {
        mesh.polygons.push(Polygon {
            first: mesh.corners.len() as u32,
            count: polygon.count as u32,
            region: polygon.regions.single(),
            first_region: polygon.regions.first,
            area: polygon.area,
        });
        mesh.corners.extend_from_slice(polygons.corners(polygon));
    }
    adjacency::connect(&mut mesh, &draft.walls, buffers);
    adjacency::find_portals(&mut mesh, &draft.border_edges);
    Ok(mesh)
}

#[cfg(test)]
mod tests;
