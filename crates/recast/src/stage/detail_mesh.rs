//! Stage 15, detail mesh: PolyMesh, RegionField -> DetailMesh.
//! Units: metres. Cost: O((samples + edges) x added samples) per polygon. Figure: docs/figures/15-detail-mesh.svg.
//! Source: M. Mononen, Recast (RecastMeshDetail.cpp, rcBuildPolyMeshDetail). Deviations: heights are those of the
//! floor itself, not one cell above; without samples the polygon is triangulated over its corners; a sample that
//! finds no height is left out; a polygon may have more than 127 vertices and 255 triangles.
//!
//! The polygon mesh knows the ground at its corners only. For each polygon, its edges are sampled and given
//! vertices where the ground leaves the straight line; then samples inside are added, the worst first, until
//! none is further from the triangles than the error allows.

mod errors;
mod hull;
mod patch;
mod sampler;

use super::Context;
use crate::data::{DetailMesh, DetailTriangle, PolyMesh, Polygon, RegionField, SubMesh};
use crate::error::Error;
use crate::meshing::delaunay::Delaunay;
use crate::meshing::insertion::{self, Sample};
use crate::meshing::plane;
use crate::observer::DiagnosticKind;
use crate::settings::Config;
use errors::SampleErrors;
use hull::Hull;
use patch::HeightPatch;
use rayon::prelude::*;
use sampler::{MAX_VERTICES, Sampler};

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Spacing of height samples, metres; 0 for none. Default 6 cells.
    pub sample_distance: f32,
    /// Largest height error, metres. Default one cell height: less would follow the steps of the voxels.
    pub max_error: f32,
    /// Largest distance between contours and their raw outlines, cells: a corner may lie this far outside the walkable
    /// spans that give it its height.
    pub contour_max_error: f32,
}

/// Up to this many vertices, samples are added like in the reference, which stops there: each with a new triangulation
/// of all vertices, at a cost that grows with their square.
const REFERENCE_VERTICES: usize = 127;

/// Scratch memory of the stage.
#[derive(Default)]
struct Buffers {
    patch: HeightPatch,
    delaunay: Delaunay,
    errors: SampleErrors,
    samples: Vec<Sample>,
    detail: PolygonDetail,
}

/// The detail mesh of one polygon while it is built. Lists are reused from polygon to polygon.
#[derive(Default)]
struct PolygonDetail {
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
            append(&mut detail, &buffers.detail)?;
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

/// Builds the detail mesh of a polygon, which it leaves in the buffers.
fn build_polygon(
    mesh: &PolyMesh,
    polygon: &Polygon,
    regions: &RegionField,
    params: &Params,
    buffers: &mut Buffers,
) {
    let grid = &mesh.grid;
    let Buffers { patch, delaunay, errors, samples, detail } = buffers;
    let PolygonDetail { corners, outline, vertices, hull, triangles } = detail;
    corners.clear();
    corners.extend(mesh.polygon_corners(polygon).iter().map(|&vertex| mesh.vertices[vertex as usize]));
    patch.set_polygon(corners, polygon.region, regions);
    let mut sampler = Sampler {
        sample_distance: params.sample_distance,
        max_error: params.max_error,
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
        sampler.place_samples(outline, samples);
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
fn append(all: &mut DetailMesh, polygon: &PolygonDetail) -> Result<(), Error> {
    all.meshes.push(SubMesh {
        first_vertex: limited("detail vertices", all.vertices.len())?,
        vertex_count: polygon.vertices.len() as u32,
        first_triangle: limited("detail triangles", all.triangles.len())?,
        triangle_count: polygon.triangles.len() as u32,
    });
    all.vertices.extend_from_slice(&polygon.vertices);
    all.triangles.extend(polygon.triangles.iter().map(|&[a, b, c]| DetailTriangle {
        vertices: [a, b, c],
        boundary: [(a, b), (b, c), (c, a)].map(|(from, to)| polygon.hull.has_edge(from, to)),
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
            insertion::add_worst(vertices, triangles, samples, max_error, MAX_VERTICES);
            break;
        }
        let Some((_, index)) = errors.update(vertices, triangles).filter(|&(error, _)| error > max_error)
        else {
            break;
        };
        samples[index].added = true;
        errors.take(index);
        vertices.push(samples[index].position);
        delaunay.triangulate(vertices, &hull.vertices, triangles);
    }
}

#[cfg(test)]
mod tests;
