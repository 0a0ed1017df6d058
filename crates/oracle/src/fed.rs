//! Feeds each of our stages with the C++ stage's own input, and compares its output with theirs: up to traced
//! outlines and in detail meshes bit for bit, between them in what must hold (`compare::bounds`).

use crate::chain::ChainError;
use crate::compare::{self, Difference, Kind, Outcome};
use crate::fragments;
use crate::reference;
use crate::results::{MeshResults, Results};
use recast::stage::rasterize::Source;
use recast::stage::simplify_contours::Refinement;
use recast::stage::{
    compact, detail_mesh, distance_field, erode, filter_ledges, filter_low_ceilings, filter_low_hanging,
    mark_areas, mark_walkable, merge_holes, poly_mesh, rasterize, regions, simplify_contours, trace_contours,
    triangulate,
};
use recast::{AreaId, Context, Error, Level, Partition, PreparedLevel, StageId};

/// Compares the stages from triangles to distances.
pub fn before_regions(
    level: &Level,
    prepared: &PreparedLevel,
    theirs: &Results,
) -> Result<Vec<Outcome>, ChainError> {
    let config = &prepared.config;
    let context = &mut Context::new();
    let outcome = |stage, differences| Outcome { stage, differences };
    let obstacles_done = filter_low_hanging::run(theirs.rasterized.clone(), &config.into(), context)?;
    let ledges_done = filter_ledges::run(theirs.obstacles_done.clone(), &config.into(), context)?;
    let filtered = filter_low_ceilings::run(theirs.ledges_done.clone(), &config.into(), context)?;
    let compacted = compact::run(theirs.filtered.clone(), &config.into(), context)?;
    let eroded = erode::run(theirs.compacted.clone(), &config.into(), context)?;
    let input = (theirs.eroded.clone(), config.settings.volumes.as_slice(), [].as_slice(), &prepared.lattice);
    let marked = mark_areas::run(input, &config.into(), context)?;
    let distance = distance_field::run(theirs.marked().clone(), &(), context)?;
    Ok(vec![
        outcome(StageId::MarkWalkable, mark_walkable_differences(level, prepared, theirs)?),
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
///
/// # Errors
/// A stage before the polygon mesh failed; an error of a later one is an outcome.
pub fn from_regions(
    prepared: &PreparedLevel,
    theirs: &Results,
    mesh: &MeshResults,
) -> Result<Vec<Outcome>, Error> {
    let config = &prepared.config;
    let outcome = |stage, differences| Outcome { stage, differences };
    let context = &mut Context::new();
    let params = regions::Params { join: false, ..config.into() };
    let regions = match mesh.partition {
        Partition::Watershed => regions::watershed(theirs.distance.clone(), &params, context),
        Partition::Monotone => regions::monotone(theirs.marked().clone(), &params, context),
        Partition::Layers => regions::layers(theirs.marked().clone(), &params, context),
    }?;
    // The C++ library traces, simplifies and joins in one step, so that it has no simplified contours apart
    // from joined ones.
    let raw = trace_contours::run(&mesh.regions, &(), context)?;
    let params = simplify_contours::Params { split_walls: true, split_areas: false, ..config.into() };
    let (simplified, _) = simplify_contours::run((&raw, &Refinement::none(&raw)), &params, context)?;
    let within_error = compare::simplified(&simplified, &raw, config.contour_max_error);
    let (contours, _) = merge_holes::run(simplified, &(), context)?;
    let triangulation = triangulate::run(&mesh.contours, &(), context)?;
    let polygons = poly_mesh::run((&mesh.contours, &triangulation), &config.into(), context);
    let detail = detail_mesh::run((&mesh.poly_mesh, &mesh.regions), &config.into(), context);
    Ok(vec![
        outcome(StageId::Regions, compare::regions(&regions, &mesh.regions)),
        outcome(StageId::TraceContours, compare::raw_contours(&raw, &mesh.raw_contours)),
        outcome(StageId::SimplifyContours, within_error),
        outcome(StageId::MergeHoles, compare::contours(&contours, &mesh.contours, config.contour_max_error)),
        outcome(StageId::PolyMesh, or_error(polygons, |ours| compare::polygons(ours, &mesh.poly_mesh, 0.0))),
        outcome(
            StageId::DetailMesh,
            or_error(detail, |ours| {
                compare::even_detail_mesh((&mesh.poly_mesh, ours), (&mesh.poly_mesh, &mesh.detail_mesh))
            }),
        ),
    ])
}

/// The differences of a stage's output, or the error it returned instead.
fn or_error<T>(output: Result<T, Error>, differences: impl FnOnce(&T) -> Vec<Difference>) -> Vec<Difference> {
    match output {
        Ok(output) => differences(&output),
        Err(error) => vec![Difference { kind: Kind::Error, count: 1, first: error.to_string() }],
    }
}

fn mark_walkable_differences(
    level: &Level,
    prepared: &PreparedLevel,
    theirs: &Results,
) -> Result<Vec<Difference>, Error> {
    if theirs.triangle_areas.is_empty() {
        return Ok(Vec::new());
    }
    let ours = mark_walkable::run(Source::all(prepared), &(&prepared.config).into(), &mut Context::new())?;
    Ok(compare::triangle_areas(&ours, &kept_triangles(level, prepared, &theirs.triangle_areas)))
}

/// The values of the triangles that remain when a level is prepared. A dropped triangle has no area. Since
/// that depends only on its corners, the first equal triangle is the right one.
fn kept_triangles(level: &Level, prepared: &PreparedLevel, all: &[AreaId]) -> Vec<AreaId> {
    let mut kept = (0..prepared.triangle_count()).map(|triangle| prepared.corners(triangle)).peekable();
    let corners =
        |triangle: &[u32; 3]| triangle.map(|v| prepared.lattice.to_local(level.vertices[v as usize]));
    let pairs = level.triangles.iter().zip(all);
    pairs.filter_map(|(triangle, &area)| kept.next_if_eq(&corners(triangle)).map(|_| area)).collect()
}

/// Our fragments, sorted, merged by the C++ library against our own spans.
fn rasterize_differences(prepared: &PreparedLevel, theirs: &Results) -> Result<Vec<Difference>, ChainError> {
    let (config, grid, context) = (&prepared.config, &theirs.grid, &mut Context::new());
    let source = Source::all(prepared);
    let areas = mark_walkable::run(source, &config.into(), context)?;
    let ours = rasterize::run((source, &areas, grid), &config.into(), context);
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
