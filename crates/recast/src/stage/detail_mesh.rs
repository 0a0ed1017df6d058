//! Stage 15, detail mesh: PolyMesh, RegionField -> DetailMesh.
//! Units: metres. Cost: O((samples + edges) x added samples) a polygon. Figure: docs/figures/15-detail-mesh.svg.
//! Source: M. Mononen, Recast (RecastMeshDetail.cpp, rcBuildPolyMeshDetail). Deviations: heights are those of the
//! floor itself, not one cell above; without samples the polygon is triangulated over its corners; a sample that
//! finds no height is left out; a polygon may have more than 127 vertices and 255 triangles.
//!
//! The polygon mesh knows the ground at its corners only. For each polygon, its edges are sampled and given
//! vertices where the ground leaves the straight line; then samples inside are added, the worst first, until
//! none is further from the triangles than the error allows.

mod delaunay;
mod errors;
mod hull;
mod insertion;
mod patch;
mod plane;

use crate::data::{DetailMesh, DetailTriangle, PolyMesh, Polygon, RegionField, SubMesh};
use crate::error::Error;
use crate::observer::{DiagnosticKind, Report};
use delaunay::Delaunay;
use errors::SampleErrors;
use hull::Hull;
use patch::HeightPatch;
use rayon::prelude::*;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Spacing of height samples, metres; 0 for none. Default 6 cells.
    pub sample_distance: f32,
    /// Largest height error, metres. Default one cell height: less would follow the steps of the voxels.
    pub max_error: f32,
    /// Largest distance between contours and their raw outlines, cells: as far as a corner may lie outside the
    /// walkable spans whose heights it needs.
    pub contour_max_error: f32,
}

/// Most vertices of a polygon's detail mesh, its corners included: two triangles a vertex fill a tile's 16 bits.
const MAX_VERTICES: usize = 32_000;
/// Up to this many vertices samples are added as the reference adds them, which stops there: each with a new
/// triangulation of all, whose cost grows with their square.
const REFERENCE_VERTICES: usize = 127;

/// Scratch memory of the stage.
#[derive(Default)]
pub(crate) struct Buffers {
    patch: HeightPatch,
    delaunay: Delaunay,
    errors: SampleErrors,
    samples: Vec<Sample>,
}

/// What a polygon's detail mesh is made with.
struct Sampler<'a> {
    params: &'a Params,
    cell_size: f32,
    cell_height: f32,
    regions: &'a RegionField,
    patch: &'a mut HeightPatch,
    /// How many cells around a place may be searched for a height.
    search_radius: i32,
}

impl Sampler<'_> {
    /// Height of the ground at a place, in metres; `near` tells floors apart. `None` if none is found around.
    fn height(&mut self, [x, near, z]: [f32; 3]) -> Option<f32> {
        // Corners of polygons lie on the lines between cells; a hair to the right of them is the cell meant.
        let cell = |metres: f32| (metres * (1.0 / self.cell_size) + 0.01).floor() as i32;
        let place = [cell(x), cell(z)];
        let height =
            self.patch.height_near(place, near, self.cell_height, self.search_radius, self.regions)?;
        Some(height as f32 * self.cell_height)
    }
}

/// Vertices and triangles of one polygon.
#[derive(Default)]
struct Detail {
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// Builds the detail mesh of all polygons.
pub fn run(
    mesh: &PolyMesh,
    regions: &RegionField,
    params: &Params,
    report: &mut Report,
) -> Result<DetailMesh, Error> {
    run_on(mesh, regions, params, report, 1, &mut Vec::new())
}

/// As [`run`], the polygons shared among threads.
pub(crate) fn run_on(
    mesh: &PolyMesh,
    regions: &RegionField,
    params: &Params,
    report: &mut Report,
    threads: usize,
    buffers: &mut Vec<Buffers>,
) -> Result<DetailMesh, Error> {
    /// Shares of the polygons for each thread: some take long.
    const SHARES: usize = 8;
    let build =
        |polygon: &Polygon, buffers: &mut Buffers| build_polygon(mesh, polygon, regions, params, buffers);
    let mut detail = DetailMesh::default();
    if threads == 1 {
        buffers.resize_with(buffers.len().max(1), Buffers::default);
        for polygon in &mesh.polygons {
            let (part, hull) = build(polygon, &mut buffers[0]);
            append(&mut detail, mesh, polygon, part, &hull, report)?;
        }
        return Ok(detail);
    }
    let share = mesh.polygons.len().div_ceil(threads * SHARES).max(1);
    buffers.resize_with(buffers.len().max(threads * SHARES), Buffers::default);
    let built: Vec<Vec<(Detail, Hull)>> = mesh
        .polygons
        .par_chunks(share)
        .zip(buffers)
        .map(|(polygons, buffers)| polygons.iter().map(|polygon| build(polygon, buffers)).collect())
        .collect();
    for (polygon, (part, hull)) in mesh.polygons.iter().zip(built.into_iter().flatten()) {
        append(&mut detail, mesh, polygon, part, &hull, report)?;
    }
    Ok(detail)
}

fn build_polygon(
    mesh: &PolyMesh,
    polygon: &Polygon,
    regions: &RegionField,
    params: &Params,
    buffers: &mut Buffers,
) -> (Detail, Hull) {
    let grid = &mesh.grid;
    let Buffers { patch, delaunay, errors, samples } = buffers;
    let corners: Vec<[i32; 3]> =
        mesh.polygon_corners(polygon).iter().map(|&vertex| mesh.vertices[vertex as usize]).collect();
    patch.set_polygon(&corners, polygon.region, regions);
    let mut sampler = Sampler {
        params,
        cell_size: grid.cell_size,
        cell_height: grid.cell_height,
        regions,
        patch,
        search_radius: (params.contour_max_error.ceil() as i32).max(1),
    };
    let outline: Vec<[f32; 3]> = corners
        .iter()
        .map(|&[x, y, z]| [x as f32 * grid.cell_size, y as f32 * grid.cell_height, z as f32 * grid.cell_size])
        .collect();
    let mut detail = Detail { vertices: outline.clone(), triangles: Vec::new() };
    let hull = hull::sample_edges(&outline, &mut detail.vertices, &mut sampler);
    detail.triangles = hull.triangulate(&detail.vertices, outline.len());
    // In a sliver there is no room for samples inside.
    let spacing = params.sample_distance;
    if spacing > 0.0 && plane::least_extent(&outline) >= spacing * 2.0 {
        place_samples(&outline, &mut sampler, samples);
        delaunay.reset();
        errors.reset(samples.len());
        add_samples(&mut detail, &hull, samples, params.max_error, delaunay, errors);
    }
    (detail, hull)
}

fn append(
    detail: &mut DetailMesh,
    mesh: &PolyMesh,
    polygon: &Polygon,
    part: Detail,
    hull: &Hull,
    report: &mut Report,
) -> Result<(), Error> {
    if part.triangles.is_empty() {
        let what = "a polygon got no detail triangles: heights on it are those of its corners";
        let corner = mesh.polygon_corners(polygon)[0];
        report.at_cell(DiagnosticKind::DetailMesh, mesh.vertices[corner as usize], what);
    }
    debug_assert!(part.vertices.len() >= polygon.count as usize);
    let remedy = "raise detail.sample_distance or detail.max_error, or bake in tiles";
    detail.meshes.push(SubMesh {
        first_vertex: navmath::limit::to_u32("detail vertices", detail.vertices.len(), remedy)?,
        vertex_count: part.vertices.len() as u32,
        first_triangle: navmath::limit::to_u32("detail triangles", detail.triangles.len(), remedy)?,
        triangle_count: part.triangles.len() as u32,
    });
    detail.vertices.extend(part.vertices);
    detail.triangles.extend(part.triangles.iter().map(|&[a, b, c]| DetailTriangle {
        vertices: [a, b, c],
        boundary: [(a, b), (b, c), (c, a)].map(|(from, to)| hull.has_edge(from, to)),
    }));
    Ok(())
}

/// A height sample inside a polygon.
struct Sample {
    position: [f32; 3],
    added: bool,
}

/// Adds samples inside, the worst first, until none is off by more than the error allows.
fn add_samples(
    detail: &mut Detail,
    hull: &Hull,
    samples: &mut [Sample],
    max_error: f32,
    delaunay: &mut Delaunay,
    errors: &mut SampleErrors,
) {
    for _ in 0..samples.len() {
        if detail.vertices.len() >= REFERENCE_VERTICES {
            insertion::add_worst(&mut detail.vertices, &mut detail.triangles, samples, max_error);
            break;
        }
        errors.update(samples, &detail.vertices, &detail.triangles);
        let mut worst: Option<(f32, usize)> = None;
        for (index, _) in samples.iter().enumerate().filter(|(_, sample)| !sample.added) {
            let Some(error) = errors.of(index) else { continue };
            if error > worst.map_or(0.0, |(error, _)| error) {
                worst = Some((error, index));
            }
        }
        let Some((_, index)) = worst.filter(|&(error, _)| error > max_error) else { break };
        samples[index].added = true;
        detail.vertices.push(samples[index].position);
        delaunay.triangulate(&detail.vertices, hull, &mut detail.triangles);
    }
}

/// Samples on a grid of the sample distance, well inside the polygon, each shifted a little: a regular grid
/// makes bad triangulations.
fn place_samples(outline: &[[f32; 3]], sampler: &mut Sampler<'_>, samples: &mut Vec<Sample>) {
    let spacing = sampler.params.sample_distance;
    let bound = |axis: usize, start: f32, pick: fn(f32, f32) -> f32| {
        outline.iter().map(|corner| corner[axis]).fold(start, pick)
    };
    let low: [f32; 3] = std::array::from_fn(|axis| bound(axis, f32::INFINITY, f32::min));
    let high: [f32; 3] = std::array::from_fn(|axis| bound(axis, f32::NEG_INFINITY, f32::max));
    let (x0, x1) = ((low[0] / spacing).floor() as i32, (high[0] / spacing).ceil() as i32);
    let (z0, z1) = ((low[2] / spacing).floor() as i32, (high[2] / spacing).ceil() as i32);
    samples.clear();
    let mut number = 0u32;
    for z in z0..z1 {
        for x in x0..x1 {
            let place = [x as f32 * spacing, (high[1] + low[1]) * 0.5, z as f32 * spacing];
            if plane::distance_to_outline(outline, place) > -spacing / 2.0 {
                continue;
            }
            let cell_size = sampler.cell_size;
            let jitter = |factor: u32| {
                let unit = (number.wrapping_mul(factor) & 0xffff) as f32 / 65535.0 * 2.0 - 1.0;
                unit * cell_size * 0.1
            };
            if let Some(height) = sampler.height(place) {
                let position = [place[0] + jitter(0x8da6_b343), height, place[2] + jitter(0xd816_3841)];
                samples.push(Sample { position, added: false });
            }
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests;
