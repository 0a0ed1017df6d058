//! Whole bakes: ours from the triangles, and the C++ library's from our spans, compared stage by stage.

use crate::compare::{self, Difference, SpanAgreement};
use crate::exact::Judge;
use crate::fed::Outcome;
use crate::fragments;
use crate::reference::{self, ReferenceError};
use crate::results::{MeshResults, Results};
use recast::build::{Snapshot, TileBuild, bake_tapped};
use recast::data::compact::state::{Compacted, Eroded};
use recast::data::span::state::{Filtered, LedgesDone, ObstaclesDone, Rasterized};
use recast::data::{
    CompactField, ContourSet, DetailMesh, DistanceField, PolyMesh, RawContours, RegionField, SpanField,
};
use recast::stage::{distance_field, mark_walkable, rasterize};
use recast::{Partition, PreparedLevel, Scratch, Silent, StageId};

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
        let mut shown = Shown::default();
        bake_tapped(&level, build, &Silent, &mut Scratch::new(), &mut |snapshot| shown.keep(snapshot))?;
        let mesh = shown.mesh(partition)?;
        match &mut results {
            Some(results) => results.meshes.push(mesh),
            None => results = Some(shown.results(&level, build, mesh)?),
        }
    }
    results.ok_or(ChainError::NotShown("any partition: none was asked for"))
}

/// Copies of the snapshots of one bake.
#[derive(Default)]
struct Shown {
    rasterized: Option<SpanField<Rasterized>>,
    obstacles_done: Option<SpanField<ObstaclesDone>>,
    ledges_done: Option<SpanField<LedgesDone>>,
    filtered: Option<SpanField<Filtered>>,
    compacted: Option<CompactField<Compacted>>,
    eroded: Option<CompactField<Eroded>>,
    marked: Option<CompactField<Eroded>>,
    distance: Option<DistanceField>,
    regions: Option<RegionField>,
    raw_contours: Option<RawContours>,
    contours: Option<ContourSet>,
    poly_mesh: Option<PolyMesh>,
    detail_mesh: Option<DetailMesh>,
}

impl Shown {
    fn keep(&mut self, snapshot: Snapshot<'_>) {
        match snapshot {
            Snapshot::Rasterized(field) => self.rasterized = Some(field.clone()),
            Snapshot::ObstaclesDone(field) => self.obstacles_done = Some(field.clone()),
            Snapshot::LedgesDone(field) => self.ledges_done = Some(field.clone()),
            Snapshot::Filtered(field) => self.filtered = Some(field.clone()),
            Snapshot::Compacted(field) => self.compacted = Some(field.clone()),
            Snapshot::Eroded(field) => self.eroded = Some(field.clone()),
            Snapshot::Marked(field) => self.marked = Some(field.clone()),
            Snapshot::Distance(field) => self.distance = Some(field.clone()),
            Snapshot::Regions(field) => self.regions = Some(field.clone()),
            Snapshot::RawContours(contours) => self.raw_contours = Some(contours.clone()),
            // The C++ library has nothing to compare it with.
            Snapshot::Simplified(_) => {}
            Snapshot::Contours(contours) => self.contours = Some(contours.clone()),
            Snapshot::PolyMesh(mesh) => self.poly_mesh = Some(mesh.clone()),
            Snapshot::DetailMesh(mesh) => self.detail_mesh = Some(mesh.clone()),
        }
    }

    fn mesh(&mut self, partition: Partition) -> Result<MeshResults, ChainError> {
        let not_shown = |stage: StageId| move || ChainError::NotShown(stage.name());
        Ok(MeshResults {
            partition,
            regions: self.regions.take().ok_or_else(not_shown(StageId::Regions))?,
            raw_contours: self.raw_contours.take().ok_or_else(not_shown(StageId::TraceContours))?,
            contours: self.contours.take().ok_or_else(not_shown(StageId::MergeHoles))?,
            poly_mesh: self.poly_mesh.take().ok_or_else(not_shown(StageId::PolyMesh))?,
            detail_mesh: self.detail_mesh.take().ok_or_else(not_shown(StageId::DetailMesh))?,
        })
    }

    fn results(
        self,
        level: &PreparedLevel,
        build: &TileBuild,
        mesh: MeshResults,
    ) -> Result<Results, ChainError> {
        let not_shown = |stage: StageId| move || ChainError::NotShown(stage.name());
        let marked = self.marked.ok_or_else(not_shown(StageId::MarkAreas))?;
        let params = mark_walkable::Params { walkable_slope: level.config.walkable_slope };
        Ok(Results {
            grid: build.grid,
            triangle_areas: mark_walkable::run(level, &params),
            rasterized: self.rasterized.ok_or_else(not_shown(StageId::Rasterize))?,
            obstacles_done: self.obstacles_done.ok_or_else(not_shown(StageId::FilterLowHanging))?,
            ledges_done: self.ledges_done.ok_or_else(not_shown(StageId::FilterLedges))?,
            filtered: self.filtered.ok_or_else(not_shown(StageId::FilterLowCeilings))?,
            compacted: self.compacted.ok_or_else(not_shown(StageId::Compact))?,
            eroded: self.eroded.ok_or_else(not_shown(StageId::Erode))?,
            // Sweeps need no distances, so a bake by them may not make any.
            distance: self.distance.unwrap_or_else(|| distance_field::run(marked)),
            meshes: vec![mesh],
        })
    }
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

/// Compares a mesh of ours with the C++ library's from the same spans.
pub fn from_regions(ours: &MeshResults, theirs: &MeshResults) -> Vec<Outcome> {
    let outcome = |stage, differences: Vec<Difference>| Outcome { stage, differences };
    vec![
        outcome(StageId::Regions, compare::regions(&ours.regions, &theirs.regions)),
        outcome(StageId::TraceContours, compare::raw_contours(&ours.raw_contours, &theirs.raw_contours)),
        outcome(StageId::MergeHoles, compare::contours(&ours.contours, &theirs.contours)),
        outcome(StageId::PolyMesh, compare::poly_mesh(&ours.poly_mesh, &theirs.poly_mesh)),
        outcome(StageId::DetailMesh, compare::detail_mesh(&ours.detail_mesh, &theirs.detail_mesh)),
    ]
}

/// How far our spans agree with the C++ library's from the same triangles, and what the differences come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RasterAgreement {
    /// Ours against theirs.
    pub all: SpanAgreement,
    /// Our fragments merged in the level's order against theirs: what cutting afresh does.
    pub cutting: SpanAgreement,
    /// Our fragments merged in sorted order against the level's order: what sorting does.
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

/// Measures how far the two programs' spans agree.
pub fn raster_agreement(
    prepared: &PreparedLevel,
    theirs: &Results,
    judge: Option<&Judge>,
) -> Result<RasterAgreement, ChainError> {
    let (config, grid) = (&prepared.config, &theirs.grid);
    let slope = mark_walkable::Params { walkable_slope: config.walkable_slope };
    let areas = mark_walkable::run(prepared, &slope);
    let merging = rasterize::Params { merge_threshold: config.walkable_climb };
    let ours = rasterize::run(prepared, &areas, grid, &merging, &mut Scratch::new())?;
    let size = [prepared.size[0], prepared.size[2]];
    let in_order = reference::merge(&fragments::of_level(prepared, &areas, grid)?, grid, config)?;
    Ok(RasterAgreement {
        all: compare::span_agreement(&ours, &theirs.rasterized, size, judge),
        cutting: compare::span_agreement(&in_order, &theirs.rasterized, size, judge),
        sorting: compare::span_agreement(&ours, &in_order, size, None),
    })
}
