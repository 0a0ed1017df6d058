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

use super::Context;
use crate::data::{DetailMesh, DetailTriangle, PolyMesh, Polygon, RegionField, SubMesh};
use crate::error::Error;
use crate::observer::DiagnosticKind;
use crate::settings::Config;
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
struct Buffers {
    patch: HeightPatch,
    delaunay: Delaunay,
    errors: SampleErrors,
    samples: Vec<Sample>,
    part: Part,
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

/// The detail mesh of one polygon under way. Lists stay from polygon to polygon.
#[derive(Default)]
struct Part {
    /// The polygon's corners, cells, and the same in metres.
    corners: Vec<[i32; 3]>,
    outline: Vec<[f32; 3]>,
    vertices: Vec<[f32; 3]>,
    hull: Hull,
    triangles: Vec<[u32; 3]>,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params {
            sample_distance: config.detail_sample_distance,
            max_error: config.detail_max_error,
            contour_max_error: config.contour_max_error,
        }
    }
}

/// Builds the detail mesh of all polygons, which are shared among threads.
pub fn run(
    (mesh, regions): (&PolyMesh, &RegionField),
    params: &Params,
    context: &mut Context,
) -> Result<DetailMesh, Error> {
    /// Shares of the polygons for each thread: some take long.
    const SHARES: usize = 8;
    let build = |polygons: &[Polygon], buffers: &mut Buffers| -> Result<DetailMesh, Error> {
        let mut detail = DetailMesh { meshes: Vec::with_capacity(polygons.len()), ..DetailMesh::default() };
        for polygon in polygons {
            build_polygon(mesh, polygon, regions, params, buffers);
            append(&mut detail, &buffers.part)?;
        }
        Ok(detail)
    };
    let Context { threads, scratch, report } = context;
    let (threads, buffers) = (*threads, scratch.of::<Vec<Buffers>>());
    let detail = if threads == 1 {
        buffers.resize_with(buffers.len().max(1), Buffers::default);
        build(&mesh.polygons, &mut buffers[0])?
    } else {
        let share = mesh.polygons.len().div_ceil(threads * SHARES).max(1);
        buffers.resize_with(buffers.len().max(threads * SHARES), Buffers::default);
        let work = mesh.polygons.par_chunks(share).zip(buffers);
        join(work.map(|(polygons, buffers)| build(polygons, buffers)).collect::<Result<_, _>>()?)?
    };
    for (polygon, _) in mesh.polygons.iter().zip(&detail.meshes).filter(|(_, part)| part.triangle_count == 0)
    {
        let what = "a polygon got no detail triangles: heights on it are those of its corners";
        let corner = mesh.polygon_corners(polygon)[0];
        report.at_cell(DiagnosticKind::DetailMesh, mesh.vertices[corner as usize], what);
    }
    Ok(detail)
}

/// Leaves the polygon's detail mesh in the buffers' part.
fn build_polygon(
    mesh: &PolyMesh,
    polygon: &Polygon,
    regions: &RegionField,
    params: &Params,
    buffers: &mut Buffers,
) {
    let grid = &mesh.grid;
    let Buffers { patch, delaunay, errors, samples, part } = buffers;
    let Part { corners, outline, vertices, hull, triangles } = part;
    corners.clear();
    corners.extend(mesh.polygon_corners(polygon).iter().map(|&vertex| mesh.vertices[vertex as usize]));
    patch.set_polygon(corners, polygon.region, regions);
    let mut sampler = Sampler {
        params,
        cell_size: grid.cell_size,
        cell_height: grid.cell_height,
        regions,
        patch,
        search_radius: (params.contour_max_error.ceil() as i32).max(1),
    };
    outline.clear();
    outline.extend(corners.iter().map(|&[x, y, z]| {
        [x as f32 * grid.cell_size, y as f32 * grid.cell_height, z as f32 * grid.cell_size]
    }));
    vertices.clear();
    vertices.extend_from_slice(outline);
    hull.sample_edges(outline, vertices, &mut sampler);
    hull.triangulate(vertices, outline.len(), triangles);
    // In a sliver there is no room for samples inside.
    let spacing = params.sample_distance;
    if spacing > 0.0 && plane::least_extent(outline) >= spacing * 2.0 {
        place_samples(outline, &mut sampler, samples);
        delaunay.reset();
        errors.reset(samples);
        add_samples(vertices, triangles, hull, samples, params.max_error, delaunay, errors);
    }
}

/// Indices of detail vertices and triangles have 32 bits.
fn limited(what: &'static str, count: usize) -> Result<u32, Error> {
    Ok(navmath::limit::to_u32(
        what,
        count,
        "raise detail.sample_distance or detail.max_error, or bake in tiles",
    )?)
}

/// Adds the detail mesh of the next polygon.
fn append(detail: &mut DetailMesh, part: &Part) -> Result<(), Error> {
    detail.meshes.push(SubMesh {
        first_vertex: limited("detail vertices", detail.vertices.len())?,
        vertex_count: part.vertices.len() as u32,
        first_triangle: limited("detail triangles", detail.triangles.len())?,
        triangle_count: part.triangles.len() as u32,
    });
    detail.vertices.extend_from_slice(&part.vertices);
    detail.triangles.extend(part.triangles.iter().map(|&[a, b, c]| DetailTriangle {
        vertices: [a, b, c],
        boundary: [(a, b), (b, c), (c, a)].map(|(from, to)| part.hull.has_edge(from, to)),
    }));
    Ok(())
}

/// The detail meshes of all shares, one behind the other.
fn join(shares: Vec<DetailMesh>) -> Result<DetailMesh, Error> {
    let sum = |count: fn(&DetailMesh) -> usize| shares.iter().map(count).sum();
    let mut all = DetailMesh {
        meshes: Vec::with_capacity(sum(|share| share.meshes.len())),
        vertices: Vec::with_capacity(sum(|share| share.vertices.len())),
        triangles: Vec::with_capacity(sum(|share| share.triangles.len())),
    };
    for share in shares {
        let first_vertex = limited("detail vertices", all.vertices.len())?;
        let first_triangle = limited("detail triangles", all.triangles.len())?;
        limited("detail vertices", all.vertices.len() + share.vertices.len())?;
        limited("detail triangles", all.triangles.len() + share.triangles.len())?;
        all.meshes.extend(share.meshes.iter().map(|part| SubMesh {
            first_vertex: part.first_vertex + first_vertex,
            first_triangle: part.first_triangle + first_triangle,
            ..*part
        }));
        all.vertices.extend_from_slice(&share.vertices);
        all.triangles.extend_from_slice(&share.triangles);
    }
    Ok(all)
}

/// A height sample inside a polygon.
struct Sample {
    position: [f32; 3],
    added: bool,
}

/// Adds samples inside, the worst first, until none is off by more than the error allows.
fn add_samples(
    vertices: &mut Vec<[f32; 3]>,
    triangles: &mut Vec<[u32; 3]>,
    hull: &Hull,
    samples: &mut [Sample],
    max_error: f32,
    delaunay: &mut Delaunay,
    errors: &mut SampleErrors,
) {
    for _ in 0..samples.len() {
        if vertices.len() >= REFERENCE_VERTICES {
            insertion::add_worst(vertices, triangles, samples, max_error);
            break;
        }
        let Some((_, index)) = errors.update(vertices, triangles).filter(|&(error, _)| error > max_error)
        else {
            break;
        };
        samples[index].added = true;
        errors.take(index);
        vertices.push(samples[index].position);
        delaunay.triangulate(vertices, hull, triangles);
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
