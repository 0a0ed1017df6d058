//! Each of our stages, fed with the C++ stage's own input, its output compared bit for bit with the C++ stage's.

use crate::compare::{self, Difference, Kind};
use crate::fragments;
use crate::reference::{self, ReferenceError};
use crate::results::{MeshResults, Results};
use recast::observer::Report;
use recast::stage::simplify_contours::Refinement;
use recast::stage::{
    compact, detail_mesh, distance_field, erode, filter_ledges, filter_low_ceilings, filter_low_hanging,
    mark_areas, mark_walkable, merge_holes, poly_mesh, rasterize, regions, simplify_contours, trace_contours,
    triangulate,
};
use recast::{AreaId, Config, Error, Level, Partition, PreparedLevel, Scratch, StageId};

/// What came of one stage.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The stage.
    pub stage: StageId,
    /// How its output differs from the C++ stage's.
    pub differences: Vec<Difference>,
}

/// Compares the stages from triangles to distances.
pub fn before_regions(
    level: &Level,
    prepared: &PreparedLevel,
    theirs: &Results,
) -> Result<Vec<Outcome>, ReferenceError> {
    let config = &prepared.config;
    let (walkable_height, walkable_climb) = (config.walkable_height, config.walkable_climb);
    let outcome = |stage, differences| Outcome { stage, differences };
    let obstacles_done =
        filter_low_hanging::run(theirs.rasterized.clone(), &filter_low_hanging::Params { walkable_climb });
    let ledges_done = filter_ledges::run(
        theirs.obstacles_done.clone(),
        &filter_ledges::Params { walkable_height, walkable_climb },
    );
    let filtered = filter_low_ceilings::run(
        theirs.ledges_done.clone(),
        &filter_low_ceilings::Params { walkable_height },
    );
    let compacted =
        compact::run(theirs.filtered.clone(), &compact::Params { walkable_height, walkable_climb });
    let walkable_radius = config.walkable_radius;
    let eroded = erode::run(theirs.compacted.clone(), &erode::Params { walkable_radius });
    let params = mark_areas::Params { median_filter: config.settings.median_filter };
    let marked = mark_areas::run(theirs.eroded.clone(), &config.settings.volumes, &prepared.lattice, &params);
    let distance = distance_field::run(theirs.marked().clone());
    Ok(vec![
        outcome(StageId::MarkWalkable, mark_walkable_differences(level, prepared, theirs)),
        outcome(StageId::Rasterize, rasterize_differences(prepared, theirs)?),
        outcome(StageId::FilterLowHanging, compare::spans(&obstacles_done, &theirs.obstacles_done)),
        outcome(StageId::FilterLedges, compare::spans(&ledges_done, &theirs.ledges_done)),
        outcome(StageId::FilterLowCeilings, compare::spans(&filtered, &theirs.filtered)),
        outcome(StageId::Compact, compare::compact(&compacted, &theirs.compacted)),
        outcome(StageId::Erode, compare::compact(&eroded, &theirs.eroded)),
        outcome(StageId::MarkAreas, compare::compact(&marked, theirs.marked())),
        outcome(StageId::DistanceField, compare::distance(&distance, &theirs.distance)),
    ])
}

/// Compares the stages from regions to the detail mesh.
pub fn from_regions(prepared: &PreparedLevel, theirs: &Results, mesh: &MeshResults) -> Vec<Outcome> {
    let config = &prepared.config;
    let outcome = |stage, differences| Outcome { stage, differences };
    let params =
        regions::Params { min_cells: config.region_min_cells, merge_cells: config.region_merge_cells };
    let regions = match mesh.partition {
        Partition::Watershed => regions::watershed(theirs.distance.clone(), &params),
        Partition::Monotone => regions::monotone(theirs.marked().clone(), &params),
        Partition::Layers => regions::layers(theirs.marked().clone(), &params),
    };
    // The C++ library traces, simplifies and joins in one step: its outlines and its joined contours can be
    // looked at, what lies between only where a region has no holes.
    let mut report = Report::new(prepared.lattice, [0; 3]);
    let raw = trace_contours::run(&mesh.regions, &mut report);
    let (simplified, _) = simplify_contours::run(&raw, &simplify_params(config), &Refinement::none(&raw));
    let without_holes = compare::contours_without_holes(&simplified, &mesh.contours);
    let (contours, _) = merge_holes::run(simplified, &mut report);
    let params = poly_mesh::Params { max_vertices: config.settings.max_vertices };
    let triangulation = triangulate::run(&mesh.contours);
    let polygons = poly_mesh::run(&mesh.contours, &triangulation, &params, &mut report);
    let params = detail_mesh::Params {
        sample_distance: config.detail_sample_distance,
        max_error: config.detail_max_error,
        contour_max_error: config.contour_max_error,
    };
    let detail = detail_mesh::run(&mesh.poly_mesh, &mesh.regions, &params, &mut report);
    vec![
        outcome(StageId::Regions, compare::regions(&regions, &mesh.regions)),
        outcome(StageId::TraceContours, compare::raw_contours(&raw, &mesh.raw_contours)),
        outcome(StageId::SimplifyContours, without_holes),
        outcome(StageId::MergeHoles, compare::contours(&contours, &mesh.contours)),
        outcome(StageId::PolyMesh, or_error(polygons, |ours| compare::poly_mesh(ours, &mesh.poly_mesh))),
        outcome(StageId::DetailMesh, or_error(detail, |ours| compare::detail_mesh(ours, &mesh.detail_mesh))),
    ]
}

/// The differences of a stage's output, or the error it gave instead.
fn or_error<T>(output: Result<T, Error>, differences: impl FnOnce(&T) -> Vec<Difference>) -> Vec<Difference> {
    match output {
        Ok(output) => differences(&output),
        Err(error) => vec![Difference { kind: Kind::Error, count: 1, first: error.to_string() }],
    }
}

fn simplify_params(config: &Config) -> simplify_contours::Params {
    simplify_contours::Params {
        max_error: config.contour_max_error,
        max_edge: config.max_edge_cells,
        split_walls: true,
        split_areas: false,
    }
}

fn mark_walkable_differences(level: &Level, prepared: &PreparedLevel, theirs: &Results) -> Vec<Difference> {
    if theirs.triangle_areas.is_empty() {
        return Vec::new();
    }
    let params = mark_walkable::Params { walkable_slope: prepared.config.walkable_slope };
    let ours = mark_walkable::run(prepared, &params);
    compare::triangle_areas(&ours, &kept_triangles(level, prepared, &theirs.triangle_areas))
}

/// What belongs to the triangles that preparing a level keeps. Those it drops have no area, and whether one has
/// depends on its corners alone, so the first equal triangle is the one.
fn kept_triangles(level: &Level, prepared: &PreparedLevel, all: &[AreaId]) -> Vec<AreaId> {
    let mut kept = (0..prepared.triangle_count()).map(|triangle| prepared.corners(triangle)).peekable();
    let corners =
        |triangle: &[u32; 3]| triangle.map(|v| prepared.lattice.to_local(level.vertices[v as usize]));
    let pairs = level.triangles.iter().zip(all);
    pairs.filter_map(|(triangle, &area)| kept.next_if_eq(&corners(triangle)).map(|_| area)).collect()
}

/// Our fragments, sorted, merged by the C++ library against our own spans.
fn rasterize_differences(
    prepared: &PreparedLevel,
    theirs: &Results,
) -> Result<Vec<Difference>, ReferenceError> {
    let areas = mark_walkable::run(
        prepared,
        &mark_walkable::Params { walkable_slope: prepared.config.walkable_slope },
    );
    let params = rasterize::Params { merge_threshold: prepared.config.walkable_climb };
    let grid = &theirs.grid;
    let ours = rasterize::run(prepared, &areas, grid, &params, &mut Scratch::new());
    let pieces = fragments::of_level(prepared, &areas, grid);
    match (ours, pieces) {
        (Ok(ours), Ok(mut pieces)) => {
            fragments::sort(&mut pieces);
            Ok(compare::spans(&ours, &reference::merge(&pieces, grid, &prepared.config)?))
        }
        (Err(error), _) | (_, Err(error)) => {
            Ok(vec![Difference { kind: Kind::Error, count: 1, first: error.to_string() }])
        }
    }
}
