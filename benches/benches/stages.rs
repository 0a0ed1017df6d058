//! Every stage of the bake of every scene by itself, from what the stage before made of it. A stage whose result has
//! another hash than in a bake fails; the bake's tile must have the golden one.

use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use navmath::Digest;
use navscenes::Scene;
use navtile_benches::{golden_digest, prepare, tile_digest};
use recast::stage::rasterize::Source;
use recast::stage::simplify_contours::Refinement;
use recast::stage::{
    compact, detail_mesh, distance_field, emit, erode, filter_ledges, filter_low_ceilings,
    filter_low_hanging, mark_areas, mark_walkable, merge_holes, poly_mesh, rasterize, regions,
    simplify_contours, trace_contours, triangulate,
};
use recast::{
    AreaId, Context, Error, PreparedLevel, Scratch, Silent, Snapshot, StageId, StageResults, TileBuild,
    bake_tapped,
};
use std::time::Duration;

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
        mut run: impl FnMut(I) -> Result<O, Error>,
        hash: impl Fn(&O) -> Digest,
    ) {
        let found = hash(&run(input.clone()).expect("scenes fit"));
        assert_eq!(found, expected, "{}: {}: another result than in the bake", self.scene.name, stage.name());
        let id = BenchmarkId::new(stage.name(), self.scene.name);
        self.group.bench_function(id, |bencher| {
            bencher.iter_batched(|| input.clone(), &mut run, BatchSize::LargeInput);
        });
        let found = hash(&run(input.clone()).expect("scenes fit"));
        assert_eq!(found, expected, "{}: {}: not the same every time", self.scene.name, stage.name());
    }
}

/// A result of the bake, which always shows it.
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
        let mut made = StageResults::default();
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

fn spans(lane: &mut Lane<'_, '_>, level: &PreparedLevel, build: &TileBuild, made: &StageResults) {
    let config = &level.config;
    let context = &mut Context::new();
    let source = Source::all(level);
    let areas = mark_walkable::run(source, &config.into(), context).expect("scenes fit");
    let hash = |areas: &Vec<AreaId>| {
        navmath::Hasher::new().write_u8s(&areas.iter().map(|area| area.0).collect::<Vec<_>>()).finish()
    };
    lane.stage(
        StageId::MarkWalkable,
        &(),
        hash(&areas),
        |()| mark_walkable::run(source, &config.into(), context),
        hash,
    );
    lane.stage(
        StageId::Rasterize,
        &(),
        shown(&made.rasterized).hash(),
        |()| rasterize::run((source, &areas, &build.grid), &config.into(), context),
        |made| made.hash(),
    );
    lane.stage(
        StageId::FilterLowHanging,
        shown(&made.rasterized),
        shown(&made.obstacles_done).hash(),
        |input| filter_low_hanging::run(input, &config.into(), context),
        |made| made.hash(),
    );
    lane.stage(
        StageId::FilterLedges,
        shown(&made.obstacles_done),
        shown(&made.ledges_done).hash(),
        |input| filter_ledges::run(input, &config.into(), context),
        |made| made.hash(),
    );
    lane.stage(
        StageId::FilterLowCeilings,
        shown(&made.ledges_done),
        shown(&made.filtered).hash(),
        |input| filter_low_ceilings::run(input, &config.into(), context),
        |made| made.hash(),
    );
    lane.stage(
        StageId::Compact,
        shown(&made.filtered),
        shown(&made.compacted).hash(),
        |input| compact::run(input, &config.into(), context),
        |made| made.hash(),
    );
}

fn fields(lane: &mut Lane<'_, '_>, level: &PreparedLevel, made: &StageResults) {
    let config = &level.config;
    let context = &mut Context::new();
    lane.stage(
        StageId::Erode,
        shown(&made.compacted),
        shown(&made.eroded).hash(),
        |input| erode::run(input, &config.into(), context),
        |made| made.hash(),
    );
    let volumes = config.settings.volumes.as_slice();
    lane.stage(
        StageId::MarkAreas,
        shown(&made.eroded),
        shown(&made.marked).hash(),
        |input| mark_areas::run((input, volumes, &level.lattice), &config.into(), context),
        |made| made.hash(),
    );
    lane.stage(
        StageId::DistanceField,
        shown(&made.marked),
        shown(&made.distance).hash(),
        |input| distance_field::run(input, &(), context),
        |made| made.hash(),
    );
    lane.stage(
        StageId::Regions,
        shown(&made.distance),
        shown(&made.regions).hash(),
        |input| regions::watershed(input, &config.into(), context),
        |made| made.hash(),
    );
}

fn contours(lane: &mut Lane<'_, '_>, level: &PreparedLevel, made: &StageResults) {
    let config = &level.config;
    let context = &mut Context::new();
    let raw = shown(&made.raw_contours);
    lane.stage(
        StageId::TraceContours,
        &(),
        raw.hash(),
        |()| trace_contours::run(shown(&made.regions), &(), context),
        |made| made.hash(),
    );
    // A bake simplifies a region less where it must, so its result may differ.
    let none = Refinement::none(raw);
    let (simplified, _) = simplify_contours::run((raw, &none), &config.into(), context).expect("scenes fit");
    lane.stage(
        StageId::SimplifyContours,
        &(),
        simplified.hash(),
        |()| simplify_contours::run((raw, &none), &config.into(), context),
        |(made, _)| made.hash(),
    );
    lane.stage(
        StageId::MergeHoles,
        shown(&made.simplified),
        shown(&made.contours).hash(),
        |input| merge_holes::run(input, &(), context),
        |(made, _)| made.hash(),
    );
}

fn meshes(
    lane: &mut Lane<'_, '_>,
    level: &PreparedLevel,
    build: &TileBuild,
    made: &StageResults,
    tile: &Digest,
) {
    let config = &level.config;
    let context = &mut Context::new();
    let (contours, mesh) = (shown(&made.contours), shown(&made.poly_mesh));
    lane.stage(
        StageId::PolyMesh,
        &(),
        mesh.hash(),
        |()| {
            let triangles = triangulate::run(contours, &(), context)?;
            poly_mesh::run((contours, &triangles), &config.into(), context)
        },
        |made| made.hash(),
    );
    let (regions, detail) = (shown(&made.regions), shown(&made.detail_mesh));
    lane.stage(
        StageId::DetailMesh,
        &(),
        detail.hash(),
        |()| detail_mesh::run((mesh, regions), &config.into(), context),
        |made| made.hash(),
    );
    lane.stage(
        StageId::Emit,
        &(),
        *tile,
        |()| emit::run((level, build.coord, mesh, detail), &(), context),
        |made| navmath::Hasher::new().write_u8s(made.tile.bytes()).finish(),
    );
}

criterion_group!(benches, stages);
criterion_main!(benches);
