//! Every stage of the bake of every scene by itself, from what the stage before made of it. A stage whose result has
//! another hash than in a bake fails; the bake's tile must have the golden one.

use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use navmath::Digest;
use navscenes::Scene;
use navtile_benches::{golden_digest, prepare, tile_digest};
use recast::build::{Snapshot, TileBuild, bake_tapped};
use recast::data::compact::state::{Compacted, Eroded};
use recast::data::span::state::{Filtered, LedgesDone, ObstaclesDone, Rasterized};
use recast::data::{
    CompactField, ContourSet, DetailMesh, DistanceField, PolyMesh, RawContours, RegionField,
    SimplifiedContours, SpanField,
};
use recast::observer::Report;
use recast::stage::simplify_contours::Refinement;
use recast::stage::{
    compact, detail_mesh, distance_field, emit, erode, filter_ledges, filter_low_ceilings,
    filter_low_hanging, mark_areas, mark_walkable, merge_holes, poly_mesh, rasterize, regions,
    simplify_contours, trace_contours, triangulate,
};
use recast::{PreparedLevel, Scratch, Silent, StageId};
use std::time::Duration;

/// Everything that the stages of one bake made.
#[derive(Default)]
struct Made {
    rasterized: Option<SpanField<Rasterized>>,
    obstacles_done: Option<SpanField<ObstaclesDone>>,
    ledges_done: Option<SpanField<LedgesDone>>,
    filtered: Option<SpanField<Filtered>>,
    compacted: Option<CompactField<Compacted>>,
    eroded: Option<CompactField<Eroded>>,
    marked: Option<CompactField<Eroded>>,
    distance: Option<DistanceField>,
    regions: Option<RegionField>,
    raw: Option<RawContours>,
    simplified: Option<SimplifiedContours>,
    contours: Option<ContourSet>,
    mesh: Option<PolyMesh>,
    detail: Option<DetailMesh>,
}

impl Made {
    fn keep(&mut self, snapshot: Snapshot<'_>) {
        match snapshot {
            Snapshot::Rasterized(made) => self.rasterized = Some(made.clone()),
            Snapshot::ObstaclesDone(made) => self.obstacles_done = Some(made.clone()),
            Snapshot::LedgesDone(made) => self.ledges_done = Some(made.clone()),
            Snapshot::Filtered(made) => self.filtered = Some(made.clone()),
            Snapshot::Compacted(made) => self.compacted = Some(made.clone()),
            Snapshot::Eroded(made) => self.eroded = Some(made.clone()),
            Snapshot::Marked(made) => self.marked = Some(made.clone()),
            Snapshot::Distance(made) => self.distance = Some(made.clone()),
            Snapshot::Regions(made) => self.regions = Some(made.clone()),
            Snapshot::RawContours(made) => self.raw = Some(made.clone()),
            Snapshot::Simplified(made) => self.simplified = Some(made.clone()),
            Snapshot::Contours(made) => self.contours = Some(made.clone()),
            Snapshot::PolyMesh(made) => self.mesh = Some(made.clone()),
            Snapshot::DetailMesh(made) => self.detail = Some(made.clone()),
        }
    }
}

/// A scene and the group its stages are measured in.
struct Lane<'a, 'c> {
    group: &'a mut BenchmarkGroup<'c, WallTime>,
    scene: &'static Scene,
}

impl Lane<'_, '_> {
    /// Measures a stage. `expected` is the hash that its result has.
    fn stage<I: Clone, O>(
        &mut self,
        stage: StageId,
        input: &I,
        expected: Digest,
        mut run: impl FnMut(I) -> O,
        hash: impl Fn(&O) -> Digest,
    ) {
        let found = hash(&run(input.clone()));
        assert_eq!(found, expected, "{}: {}: another result than in the bake", self.scene.name, stage.name());
        let id = BenchmarkId::new(stage.name(), self.scene.name);
        self.group.bench_function(id, |bencher| {
            bencher.iter_batched(|| input.clone(), &mut run, BatchSize::LargeInput);
        });
        let found = hash(&run(input.clone()));
        assert_eq!(found, expected, "{}: {}: not the same every time", self.scene.name, stage.name());
    }
}

/// What the bake made, which it always shows.
fn shown<T>(made: &Option<T>) -> &T {
    made.as_ref().expect("a watershed bake shows every intermediate result")
}

fn stages(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stage");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    for scene in navscenes::all() {
        let level = prepare(scene).expect("scenes are sound levels");
        let build = TileBuild::solo(&level);
        let mut made = Made::default();
        let mut keep = |snapshot: Snapshot<'_>| made.keep(snapshot);
        let baked =
            bake_tapped(&level, &build, &Silent, &mut Scratch::new(), &mut keep).expect("scenes bake");
        let golden = golden_digest(scene).expect("every scene has golden hashes");
        assert_eq!(tile_digest(&baked).to_string(), golden, "{}: not the golden tile", scene.name);
        let mut lane = Lane { group: &mut group, scene };
        spans(&mut lane, &level, &build, &made);
        fields(&mut lane, &level, &made);
        contours(&mut lane, &level, &made);
        meshes(&mut lane, &level, &build, &made, &tile_digest(&baked));
    }
    group.finish();
}

fn spans(lane: &mut Lane<'_, '_>, level: &PreparedLevel, build: &TileBuild, made: &Made) {
    let config = &level.config;
    let (walkable_height, walkable_climb) = (config.walkable_height, config.walkable_climb);
    let slope = mark_walkable::Params { walkable_slope: config.walkable_slope };
    let areas = mark_walkable::run(level, &slope);
    let hash = |areas: &Vec<recast::AreaId>| {
        navmath::Hasher::new().write_u8s(&areas.iter().map(|area| area.0).collect::<Vec<_>>()).finish()
    };
    lane.stage(StageId::MarkWalkable, &(), hash(&areas), |()| mark_walkable::run(level, &slope), hash);
    let merging = rasterize::Params { merge_threshold: walkable_climb };
    let mut scratch = Scratch::new();
    lane.stage(
        StageId::Rasterize,
        &(),
        shown(&made.rasterized).hash(),
        |()| rasterize::run(level, &areas, &build.grid, &merging, &mut scratch).expect("scenes fit"),
        |made| made.hash(),
    );
    let hanging = filter_low_hanging::Params { walkable_climb };
    lane.stage(
        StageId::FilterLowHanging,
        shown(&made.rasterized),
        shown(&made.obstacles_done).hash(),
        |input| filter_low_hanging::run(input, &hanging),
        |made| made.hash(),
    );
    let ledges = filter_ledges::Params { walkable_height, walkable_climb };
    lane.stage(
        StageId::FilterLedges,
        shown(&made.obstacles_done),
        shown(&made.ledges_done).hash(),
        |input| filter_ledges::run(input, &ledges),
        |made| made.hash(),
    );
    let ceilings = filter_low_ceilings::Params { walkable_height };
    lane.stage(
        StageId::FilterLowCeilings,
        shown(&made.ledges_done),
        shown(&made.filtered).hash(),
        |input| filter_low_ceilings::run(input, &ceilings),
        |made| made.hash(),
    );
    let compacting = compact::Params { walkable_height, walkable_climb };
    lane.stage(
        StageId::Compact,
        shown(&made.filtered),
        shown(&made.compacted).hash(),
        |input| compact::run(input, &compacting),
        |made| made.hash(),
    );
}

fn fields(lane: &mut Lane<'_, '_>, level: &PreparedLevel, made: &Made) {
    let config = &level.config;
    let radius = erode::Params { walkable_radius: config.walkable_radius };
    lane.stage(
        StageId::Erode,
        shown(&made.compacted),
        shown(&made.eroded).hash(),
        |input| erode::run(input, &radius),
        |made| made.hash(),
    );
    let marking = mark_areas::Params { median_filter: config.settings.median_filter };
    lane.stage(
        StageId::MarkAreas,
        shown(&made.eroded),
        shown(&made.marked).hash(),
        |input| mark_areas::run(input, &config.settings.volumes, &level.lattice, &marking),
        |made| made.hash(),
    );
    lane.stage(
        StageId::DistanceField,
        shown(&made.marked),
        shown(&made.distance).hash(),
        distance_field::run,
        |made| made.hash(),
    );
    let sizes =
        regions::Params { min_cells: config.region_min_cells, merge_cells: config.region_merge_cells };
    lane.stage(
        StageId::Regions,
        shown(&made.distance),
        shown(&made.regions).hash(),
        |input| regions::watershed(input, &sizes),
        |made| made.hash(),
    );
}

/// A report for what is not read here.
fn report(level: &PreparedLevel) -> Report {
    Report::new(level.lattice, [0; 3])
}

fn contours(lane: &mut Lane<'_, '_>, level: &PreparedLevel, made: &Made) {
    let (config, settings) = (&level.config, &level.config.settings);
    let raw = shown(&made.raw);
    lane.stage(
        StageId::TraceContours,
        &(),
        raw.hash(),
        |()| trace_contours::run(shown(&made.regions), &mut report(level)),
        |made| made.hash(),
    );
    let params = simplify_contours::Params {
        max_error: config.contour_max_error,
        max_edge: config.max_edge_cells,
        split_walls: settings.split_walls,
        split_areas: settings.split_areas,
    };
    // A bake simplifies a region less where it must, so that its result may be another.
    let none = Refinement::none(raw);
    let (simplified, _) = simplify_contours::run(raw, &params, &none);
    lane.stage(
        StageId::SimplifyContours,
        &(),
        simplified.hash(),
        |()| simplify_contours::run(raw, &params, &none).0,
        |made| made.hash(),
    );
    lane.stage(
        StageId::MergeHoles,
        shown(&made.simplified),
        shown(&made.contours).hash(),
        |input| merge_holes::run(input, &mut report(level)).0,
        |made| made.hash(),
    );
}

fn meshes(lane: &mut Lane<'_, '_>, level: &PreparedLevel, build: &TileBuild, made: &Made, tile: &Digest) {
    let config = &level.config;
    let (contours, mesh) = (shown(&made.contours), shown(&made.mesh));
    let polygons = poly_mesh::Params { max_vertices: config.settings.max_vertices };
    lane.stage(
        StageId::PolyMesh,
        &(),
        mesh.hash(),
        |()| {
            let triangles = triangulate::run(contours);
            poly_mesh::run(contours, &triangles, &polygons, &mut report(level)).expect("scenes fit")
        },
        |made| made.hash(),
    );
    let heights = detail_mesh::Params {
        sample_distance: config.detail_sample_distance,
        max_error: config.detail_max_error,
        contour_max_error: config.contour_max_error,
    };
    let (regions, detail) = (shown(&made.regions), shown(&made.detail));
    lane.stage(
        StageId::DetailMesh,
        &(),
        detail.hash(),
        |()| detail_mesh::run(mesh, regions, &heights, &mut report(level)).expect("scenes fit"),
        |made| made.hash(),
    );
    lane.stage(
        StageId::Emit,
        &(),
        *tile,
        |()| emit::run(level, build.coord, mesh, detail, &mut report(level)).expect("scenes fit"),
        |made| navmath::Hasher::new().write_u8s(made.tile.bytes()).finish(),
    );
}

criterion_group!(benches, stages);
criterion_main!(benches);
