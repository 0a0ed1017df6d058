//! Whole bakes: ours from the triangles, and the C++ library's from our spans, compared stage by stage.

use crate::compare::{self, Difference, Outcome, SpanAgreement};
use crate::exact::Judge;
use crate::fragments;
use crate::reference::{self, ReferenceError};
use crate::results::{MeshResults, Results};
use recast::stage::rasterize::Source;
use recast::stage::{distance_field, mark_walkable, rasterize};
use recast::{
    Context, Partition, PreparedLevel, Scratch, Silent, StageId, StageResults, TileBuild, bake_tapped,
};

/// A whole bake that failed, ours or theirs.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// Our bake gave an error.
    #[error("our bake: {0}")]
    Ours(#[from] recast::Error),
    /// Our bake ended without showing the result of a stage.
    #[error("our bake did not show the result of {0}")]
    NotShown(&'static str),
    /// The C++ library's bake gave an error.
    #[error(transparent)]
    Theirs(#[from] ReferenceError),
}

/// Bakes a tile with each partition in turn and keeps every intermediate result.
pub fn bake_ours(
    prepared: &PreparedLevel,
    build: &TileBuild,
    partitions: &[Partition],
) -> Result<Results, ChainError> {
    let mut results: Option<Results> = None;
    for &partition in partitions {
        let mut level = prepared.clone();
        level.config.settings.partition = partition;
        let mut shown = StageResults::default();
        bake_tapped(&level, build, &Silent, &mut Scratch::new(), &mut |snapshot| shown.keep(snapshot))?;
        let mesh = mesh_results(&mut shown, partition)?;
        match &mut results {
            Some(results) => results.meshes.push(mesh),
            None => results = Some(results_of(shown, &level, build, mesh)?),
        }
    }
    results.ok_or(ChainError::NotShown("any partition: none was asked for"))
}

/// Takes the meshes out of the results of a bake.
fn mesh_results(shown: &mut StageResults, partition: Partition) -> Result<MeshResults, ChainError> {
    let not_shown = |stage: StageId| move || ChainError::NotShown(stage.name());
    Ok(MeshResults {
        partition,
        regions: shown.regions.take().ok_or_else(not_shown(StageId::Regions))?,
        raw_contours: shown.raw_contours.take().ok_or_else(not_shown(StageId::TraceContours))?,
        contours: shown.contours.take().ok_or_else(not_shown(StageId::MergeHoles))?,
        poly_mesh: shown.poly_mesh.take().ok_or_else(not_shown(StageId::PolyMesh))?,
        detail_mesh: shown.detail_mesh.take().ok_or_else(not_shown(StageId::DetailMesh))?,
    })
}

fn results_of(
    shown: StageResults,
    level: &PreparedLevel,
    build: &TileBuild,
    mesh: MeshResults,
) -> Result<Results, ChainError> {
    let not_shown = |stage: StageId| move || ChainError::NotShown(stage.name());
    let marked = shown.marked.ok_or_else(not_shown(StageId::MarkAreas))?;
    let context = &mut Context::new();
    Ok(Results {
        grid: build.grid,
        triangle_areas: mark_walkable::run(Source::all(level), &(&level.config).into(), context)?,
        rasterized: shown.rasterized.ok_or_else(not_shown(StageId::Rasterize))?,
        obstacles_done: shown.obstacles_done.ok_or_else(not_shown(StageId::FilterLowHanging))?,
        ledges_done: shown.ledges_done.ok_or_else(not_shown(StageId::FilterLedges))?,
        filtered: shown.filtered.ok_or_else(not_shown(StageId::FilterLowCeilings))?,
        compacted: shown.compacted.ok_or_else(not_shown(StageId::Compact))?,
        eroded: shown.eroded.ok_or_else(not_shown(StageId::Erode))?,
        // Sweeps need no distances, so a bake by them may not make any.
        distance: match shown.distance {
            Some(distance) => distance,
            None => distance_field::run(marked, &(), context)?,
        },
        meshes: vec![mesh],
    })
}

/// Compares a bake of ours with the C++ library's bake of the same spans, from the filters to distances.
pub fn before_regions(ours: &Results, theirs: &Results) -> Vec<Outcome> {
    let outcome = |stage, differences| Outcome { stage, differences };
    vec![
        outcome(StageId::FilterLowHanging, compare::spans(&ours.obstacles_done, &theirs.obstacles_done)),
        outcome(StageId::FilterLedges, compare::spans(&ours.ledges_done, &theirs.ledges_done)),
        outcome(StageId::FilterLowCeilings, compare::spans(&ours.filtered, &theirs.filtered)),
        outcome(StageId::Compact, compare::compact(&ours.compacted, &theirs.compacted)),
        outcome(StageId::Erode, compare::compact(&ours.eroded, &theirs.eroded)),
        outcome(StageId::MarkAreas, compare::compact(ours.marked(), theirs.marked())),
        outcome(StageId::DistanceField, compare::distance(&ours.distance, &theirs.distance)),
    ]
}

/// Compares a mesh of ours with the C++ library's from the same spans. A bake joins the regions of each
/// partition but layers, which are joined already. Detail meshes of different polygons have nothing in
/// common.
pub fn from_regions(ours: &MeshResults, theirs: &MeshResults, max_error: f32) -> Vec<Outcome> {
    let outcome = |stage, differences: Vec<Difference>| Outcome { stage, differences };
    let (regions, raw_contours) = match ours.partition {
        Partition::Layers => (
            compare::regions(&ours.regions, &theirs.regions),
            compare::raw_contours(&ours.raw_contours, &theirs.raw_contours),
        ),
        Partition::Watershed | Partition::Monotone => (
            compare::joined_regions(&ours.regions.region, &theirs.regions.region),
            compare::walls(&ours.raw_contours, &theirs.raw_contours),
        ),
    };
    vec![
        outcome(StageId::Regions, regions),
        outcome(StageId::TraceContours, raw_contours),
        outcome(StageId::MergeHoles, compare::all_contours(&ours.contours, &theirs.contours, max_error)),
        outcome(StageId::PolyMesh, compare::polygons(&ours.poly_mesh, &theirs.poly_mesh, max_error)),
    ]
}

/// Agreement of our spans with the C++ library's from the same triangles, and the sources of the differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RasterAgreement {
    /// Ours against theirs.
    pub all: SpanAgreement,
    /// Our fragments merged in the level's order, against theirs: the effect of our own cutting.
    pub cutting: SpanAgreement,
    /// Our fragments merged in sorted order, against the level's order: the effect of sorting.
    pub sorting: SpanAgreement,
}

impl RasterAgreement {
    /// The agreement of several tiles together.
    #[must_use]
    pub fn with(self, other: RasterAgreement) -> RasterAgreement {
        RasterAgreement {
            all: self.all.with(other.all),
            cutting: self.cutting.with(other.cutting),
            sorting: self.sorting.with(other.sorting),
        }
    }
}

/// Measures the agreement of the two programs' spans.
pub fn raster_agreement(
    prepared: &PreparedLevel,
    theirs: &Results,
    judge: Option<&Judge>,
) -> Result<RasterAgreement, ChainError> {
    let (config, grid) = (&prepared.config, &theirs.grid);
    let (source, context) = (Source::all(prepared), &mut Context::new());
    let areas = mark_walkable::run(source, &config.into(), context)?;
    let ours = rasterize::run((source, &areas, grid), &config.into(), context)?;
    let size = [prepared.size[0], prepared.size[2]];
    let in_order = reference::merge(&fragments::of_level(prepared, &areas, grid)?, grid, config)?;
    Ok(RasterAgreement {
        all: compare::span_agreement(&ours, &theirs.rasterized, size, judge),
        cutting: compare::span_agreement(&in_order, &theirs.rasterized, size, judge),
        sorting: compare::span_agreement(&ours, &in_order, size, None),
    })
}
