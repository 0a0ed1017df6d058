//! Stage 15, detail mesh: PolyMesh, RegionField -> DetailMesh.
//! Units: metres out; cells and 1/256 cell inside. Cost: O(floors + edges) on even ground, else O(floors +
//! vertices added x floors under the triangles around each). Figure: docs/figures/15-detail-mesh.svg.
//! Source: ours, from M. Garland and P. Heckbert's greedy insertion (1995), C. Lawson's triangulation (1977),
//! and D. Douglas and T. Peucker along edges (1973). Deviation: the reference examines samples, none of them
//! near an edge; here every floor under a polygon is within the error.
//!
//! The polygon mesh knows the ground at its corners only. The stage visits the polygons twice:
//!
//! 1. Each polygon is triangulated over its corners and compared with every floor under it. Most are even,
//!    and done.
//! 2. Edges of uneven polygons, and edges on a tile's border, get vertices where the ground next to them
//!    leaves the straight line; each edge is examined once, and both polygons keep the same vertices.
//! 3. Uneven polygons, and polygons with vertices on an edge, are triangulated again, and the floors that are
//!    furthest away become vertices until all floors are near enough.

mod edges;
mod put_together;
mod refine;
mod scan;

use super::Context;
use crate::data::floor_lookup::FloorLookup;
use crate::data::{DetailMesh, PolyMesh, Polygon, RegionField, RegionId};
use crate::error::Error;
use crate::lists::{next_in_ring, previous_in_ring};
use crate::meshing::convex;
use crate::meshing::delaunay::{DetailVertex, Surface};
use crate::observer::DiagnosticKind;
use crate::settings::Config;
use crate::soundness::floors_under::{FloorGatherer, FloorPatch};
use crate::soundness::ground_along::EdgeFitter;
use edges::EdgeVertices;
use navmath::FIXED_ONE;
use navmath::predicates::area2;
use put_together::{append_corners, append_surface, join};
use rayon::prelude::*;
use refine::WorstFirst;
use scan::worst_under;
use std::ops::Range;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// 0 for triangles over the polygons' corners only, on any ground. With any other distance they follow
    /// the ground.
    pub sample_distance: f32,
    /// Largest height error, metres, plus half a cell. Default one cell height: less would follow the steps
    /// of the voxels.
    pub max_error: f32,
    /// Largest distance between contours and their raw outlines, cells: a polygon may cover floors of other
    /// regions at this distance from its own.
    pub contour_max_error: f32,
    /// Most corners of a polygon.
    pub max_vertices: u32,
}

/// Greatest number of vertices of a polygon's detail mesh, including its corners: two triangles per vertex
/// fill a tile's 16 bits.
const MOST_VERTICES: usize = 32_000;

/// Everything the stage needs to know of its input.
#[derive(Clone, Copy)]
struct DetailInput<'a> {
    mesh: &'a PolyMesh,
    regions: &'a FloorLookup<'a>,
    /// Largest distance in height, cells.
    allowed: f64,
    /// Greatest number of steps between a floor under a polygon and the floors of its region.
    reach: usize,
    /// Greatest number of vertices along an edge.
    most_along_edge: usize,
}

/// Scratch memory of the stage.
#[derive(Default)]
struct Buffers {
    floors: FloorGatherer,
    fitter: EdgeFitter,
    surface: Surface,
    refinement: WorstFirst,
    corners: Vec<[i32; 3]>,
    /// The regions of the polygons at an edge.
    own: Vec<RegionId>,
    outline: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    sharp: Vec<u32>,
    between: Vec<Vec<u32>>,
}

/// A polygon whose detail mesh is further from the ground than it should be.
struct Missed {
    polygon: usize,
    /// Cells.
    distance: f64,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params {
            sample_distance: config.detail_sample_distance,
            max_error: config.detail_max_error,
            contour_max_error: config.contour_max_error,
            max_vertices: config.settings.max_vertices,
        }
    }
}

/// Builds the detail mesh of all polygons, which are shared among threads.
pub fn run(
    (mesh, regions): (&PolyMesh, &RegionField),
    params: &Params,
    context: &mut Context,
) -> Result<DetailMesh, Error> {
    let cell_height = f64::from(mesh.grid.cell_height);
    let ground = DetailInput {
        mesh,
        regions: &FloorLookup::new(regions),
        allowed: f64::from(params.max_error) / cell_height + 0.5,
        reach: (params.contour_max_error * std::f32::consts::SQRT_2).ceil() as usize + 1,
        most_along_edge: MOST_VERTICES / (params.max_vertices.max(3) as usize) - 1,
    };
    let Context { threads, scratch, report } = context;
    let mut shares = Shares { threads: *threads, buffers: scratch.of::<Vec<Buffers>>() };
    let polygons = mesh.polygons.len();
    let (uneven, edges) = if params.sample_distance > 0.0 {
        let uneven = shares.run(polygons, |share, buffers| -> Vec<Option<FloorPatch>> {
            share.map(|polygon| ground.if_uneven(&mesh.polygons[polygon], buffers)).collect()
        });
        let uneven: Vec<_> = uneven.into_iter().flatten().collect();
        let edges = shares.run(polygons, |share, buffers| ground.fit_edges(share, &uneven, buffers));
        (uneven, EdgeVertices::join(edges)?)
    } else {
        let none = EdgeVertices { first: vec![0; mesh.corners.len() + 1], ..EdgeVertices::default() };
        (vec![None; polygons], none)
    };
    let built = shares.run(polygons, |share, buffers| {
        let (mut detail, mut missed) = (DetailMesh::default(), Vec::new());
        detail.meshes.reserve(share.len());
        for polygon in share {
            let left = ground.build(polygon, uneven[polygon].as_ref(), &edges, buffers, &mut detail)?;
            missed.extend(left.map(|distance| Missed { polygon, distance }));
        }
        Ok((detail, missed))
    });
    let (details, missed): (Vec<_>, Vec<_>) =
        built.into_iter().collect::<Result<Vec<_>, Error>>()?.into_iter().unzip();
    let mut warn = |polygon: usize, what: String| {
        let corner = mesh.polygon_corners(&mesh.polygons[polygon])[0];
        report.at_place(DiagnosticKind::DetailMesh, mesh.vertices[corner as usize], what);
    };
    for &polygon in &edges.short {
        let most = ground.most_along_edge;
        warn(
            polygon,
            format!("{most} detail vertices along an edge, the most there may be, are not enough for it"),
        );
    }
    for Missed { polygon, distance } in missed.into_iter().flatten() {
        let off = distance * cell_height;
        warn(
            polygon,
            format!(
                "{MOST_VERTICES} detail vertices, the most there may be, leave a polygon {off:.3} m off the ground"
            ),
        );
    }
    join(details)
}

/// Distributes polygons to threads in shares, because some take long.
struct Shares<'a> {
    threads: usize,
    buffers: &'a mut Vec<Buffers>,
}

impl Shares<'_> {
    fn run<T: Send>(
        &mut self,
        polygons: usize,
        work: impl Fn(Range<usize>, &mut Buffers) -> T + Sync,
    ) -> Vec<T> {
        const SHARES: usize = 8;
        let count = if self.threads == 1 { 1 } else { self.threads * SHARES };
        if self.buffers.len() < count {
            self.buffers.resize_with(count, Buffers::default);
        }
        if count == 1 {
            return vec![work(0..polygons, &mut self.buffers[0])];
        }
        let share = polygons.div_ceil(count).max(1);
        let shares = self.buffers[..count].par_iter_mut().enumerate();
        shares
            .map(|(index, buffers)| {
                work((index * share).min(polygons)..((index + 1) * share).min(polygons), buffers)
            })
            .collect()
    }
}

impl DetailInput<'_> {
    fn corners_of(&self, polygon: &Polygon, corners: &mut Vec<[i32; 3]>) {
        corners.clear();
        let vertices = self.mesh.polygon_corners(polygon).iter();
        corners.extend(vertices.map(|&vertex| self.mesh.vertices[vertex as usize]));
    }

    /// Triangulates a polygon over its corners. Leaves these in the buffers, also in metres.
    fn triangulate_corners(&self, polygon: &Polygon, buffers: &mut Buffers) {
        let Buffers { corners, outline, triangles, .. } = buffers;
        self.corners_of(polygon, corners);
        let grid = &self.mesh.grid;
        outline.clear();
        outline.extend(corners.iter().map(|&[x, y, z]| {
            let metres = |fixed: i32| fixed as f32 / FIXED_ONE as f32 * grid.cell_size;
            [metres(x), y as f32 * grid.cell_height, metres(z)]
        }));
        convex::triangulate(outline, triangles);
    }

    /// The floors under a polygon, if one of them is too far from the triangles over its corners.
    fn if_uneven(&self, polygon: &Polygon, buffers: &mut Buffers) -> Option<FloorPatch> {
        self.triangulate_corners(polygon, buffers);
        let Buffers { floors, corners, triangles, .. } = buffers;
        floors.gather(corners, polygon.region, self.regions, self.reach);
        let is_even = |patch: &FloorPatch| {
            triangles.iter().all(|triangle| {
                let vertices = triangle.map(|corner| DetailVertex::corner(corners[corner as usize]));
                let [a, b, c] = vertices.map(|vertex| vertex.plan);
                // Corners on a line may give triangles without area.
                area2(a, b, c) != 0 && worst_under(vertices, patch, self.allowed).is_none()
            })
        };
        let even = is_even(&floors.patch)
            || (floors.keep_to_storey(corners, self.regions, self.reach) && is_even(&floors.patch));
        (!even).then(|| floors.patch.clone())
    }

    /// Builds the detail mesh of a polygon. Returns its distance from the ground, cells, if that is too
    /// large.
    fn build(
        &self,
        index: usize,
        uneven: Option<&FloorPatch>,
        edges: &EdgeVertices,
        buffers: &mut Buffers,
        detail: &mut DetailMesh,
    ) -> Result<Option<f64>, Error> {
        let polygon = &self.mesh.polygons[index];
        self.triangulate_corners(polygon, buffers);
        let plain =
            uneven.is_none() && polygon.range().all(|edge| edges.of(self.mesh, index, edge).is_empty());
        if plain || !self.start_surface(index, edges, buffers) {
            append_corners(detail, &buffers.outline, &buffers.triangles)?;
            return Ok(None);
        }
        let Buffers { floors, surface, refinement, corners, .. } = buffers;
        match uneven {
            Some(known) => floors.patch.clone_from(known),
            None => {
                floors.gather(corners, polygon.region, self.regions, self.reach);
                floors.keep_to_storey(corners, self.regions, self.reach);
            }
        }
        let left = refinement.run(surface, &mut floors.patch, self.allowed, MOST_VERTICES);
        append_surface(detail, &self.mesh.grid, surface)?;
        Ok(left.map(|worst| worst.distance()))
    }

    /// Triangulates a polygon over its corners and the vertices along its edges. Returns false if it has no
    /// area.
    fn start_surface(&self, index: usize, edges: &EdgeVertices, buffers: &mut Buffers) -> bool {
        let Buffers { surface, corners, sharp, between, .. } = buffers;
        let polygon = &self.mesh.polygons[index];
        surface.vertices.clear();
        surface.vertices.extend(corners.iter().map(|&corner| DetailVertex::corner(corner)));
        sharp.clear();
        let count = corners.len();
        let plan = |corner: usize| surface.vertices[corner].plan;
        let turns = |&corner: &usize| {
            let (before, after) = (previous_in_ring(corner, count), next_in_ring(corner, count));
            area2(plan(before), plan(corner), plan(after)) != 0
        };
        sharp.extend((0..count).filter(turns).map(|corner| corner as u32));
        let Some(&first) = sharp.first() else { return false };
        between.iter_mut().for_each(Vec::clear);
        between.resize_with(between.len().max(count), Vec::new);
        let mut line = 0;
        for corner in (first as usize..count).chain(0..first as usize) {
            if corner as u32 != first {
                if sharp.get(line + 1) == Some(&(corner as u32)) {
                    line += 1;
                } else {
                    between[line].push(corner as u32);
                }
            }
            let edge = polygon.first as usize + corner;
            let (_, turned) = self.ends_in_order(polygon, edge);
            let own = edges.of(self.mesh, index, edge);
            for at in 0..own.len() {
                between[line].push(surface.vertices.len() as u32);
                surface.vertices.push(own[if turned { own.len() - 1 - at } else { at }]);
            }
        }
        surface.start(sharp, between)
    }
}

#[cfg(test)]
mod tests;
