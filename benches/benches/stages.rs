//! Every stage of the bake of every scene on its own, fed with the output of the stage before it. Fails if a
//! stage's result has another hash than in a bake, or if the bake's tile does not have the golden hash.

use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use navscenes::Scene;
use navtile::Tile;
use navtile_benches::{golden_digest, prepare, tile_digest};
use recast::stage::rasterize::Source;
use recast::stage::simplify_contours::Refinement;
use recast::stage::{
    compact, detail_mesh, distance_field, emit, erode, filter_ledges, filter_low_ceilings,
    filter_low_hanging, mark_areas, mark_walkable, merge_holes, poly_mesh, rasterize, regions,
    simplify_contours, trace_contours, triangulate,
};
use recast::{
    Context, Error, PreparedLevel, Scratch, Silent, Snapshot, StageId, StageResults, TileBuild, bake_tapped,
};
use std::time::Duration;

/// A scene and the group its stages are measured in.
struct Lane<'a, 'c> {
    group: &'a mut BenchmarkGroup<'c, WallTime>,
    scene: &'static Scene,
}

impl Lane<'_, '_> {
    /// Measures a stage. `expected` is its result in the bake.
    fn stage<I: Clone, O: PartialEq>(
        &mut self,
        stage: StageId,
        input: &I,
        expected: &O,
        mut run: impl FnMut(I) -> Result<O, Error>,
    ) {
        let same = run(input.clone()).expect("scenes fit") == *expected;
        assert!(same, "{}: {}: another result than in the bake", self.scene.name, stage.name());
        let id = BenchmarkId::new(stage.name(), self.scene.name);
        self.group.bench_function(id, |bencher| {
            bencher.iter_batched(|| input.clone(), &mut run, BatchSize::LargeInput);
        });
        let same = run(input.clone()).expect("scenes fit") == *expected;
        assert!(same, "{}: {}: not the same every time", self.scene.name, stage.name());
    }
}

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
        meshes(&mut lane, &level, &build, &made, &baked.tile);
    }
    group.finish();
}

fn spans(lane: &mut Lane<'_, '_>, level: &PreparedLevel, build: &TileBuild, made: &StageResults) {
    let config = &level.config;
    let context = &mut Context::new();
    let source = Source::all(level);
    let areas = mark_walkable::run(source, &config.into(), context).expect("scenes fit");
    lane.stage(StageId::MarkWalkable, &(), &areas, |()| mark_walkable::run(source, &config.into(), context));
    lane.stage(StageId::Rasterize, &(), shown(&made.rasterized), |()| {
        rasterize::run((source, &areas, &build.grid), &config.into(), context)
    });
    lane.stage(StageId::FilterLowHanging, shown(&made.rasterized), shown(&made.obstacles_done), |input| {
        filter_low_hanging::run(input, &config.into(), context)
    });
    lane.stage(StageId::FilterLedges, shown(&made.obstacles_done), shown(&made.ledges_done), |input| {
        filter_ledges::run(input, &config.into(), context)
    });
    lane.stage(StageId::FilterLowCeilings, shown(&made.ledges_done), shown(&made.filtered), |input| {
        filter_low_ceilings::run(input, &config.into(), context)
    });
    lane.stage(StageId::Compact, shown(&made.filtered), shown(&made.compacted), |input| {
        compact::run(input, &config.into(), context)
    });
}

fn fields(lane: &mut Lane<'_, '_>, level: &PreparedLevel, made: &StageResults) {
    let config = &level.config;
    let context = &mut Context::new();
    lane.stage(StageId::Erode, shown(&made.compacted), shown(&made.eroded), |input| {
        erode::run(input, &config.into(), context)
    });
    let volumes = config.settings.volumes.as_slice();
    lane.stage(StageId::MarkAreas, shown(&made.eroded), shown(&made.marked), |input| {
        mark_areas::run((input, volumes, &[], &level.lattice), &config.into(), context)
    });
    lane.stage(StageId::DistanceField, shown(&made.marked), shown(&made.distance), |input| {
        distance_field::run(input, &(), context)
    });
    lane.stage(StageId::Regions, shown(&made.distance), shown(&made.regions), |input| {
        regions::watershed(input, &config.into(), context)
    });
}

fn contours(lane: &mut Lane<'_, '_>, level: &PreparedLevel, made: &StageResults) {
    let config = &level.config;
    let context = &mut Context::new();
    let raw = shown(&made.raw_contours);
    lane.stage(StageId::TraceContours, &(), raw, |()| {
        trace_contours::run(shown(&made.regions), &(), context)
    });
    // A bake simplifies a region less where it must, so its result may differ.
    let none = Refinement::none(raw);
    let (simplified, _) = simplify_contours::run((raw, &none), &config.into(), context).expect("scenes fit");
    lane.stage(StageId::SimplifyContours, &(), &simplified, |()| {
        Ok(simplify_contours::run((raw, &none), &config.into(), context)?.0)
    });
    lane.stage(StageId::MergeHoles, shown(&made.simplified), shown(&made.contours), |input| {
        Ok(merge_holes::run(input, &(), context)?.0)
    });
}

fn meshes(
    lane: &mut Lane<'_, '_>,
    level: &PreparedLevel,
    build: &TileBuild,
    made: &StageResults,
    tile: &Tile,
) {
    let config = &level.config;
    let context = &mut Context::new();
    let (contours, mesh) = (shown(&made.contours), shown(&made.poly_mesh));
    lane.stage(StageId::PolyMesh, &(), mesh, |()| {
        let triangles = triangulate::run(contours, &(), context)?;
        poly_mesh::run((contours, &triangles), &config.into(), context)
    });
    let (regions, detail) = (shown(&made.regions), shown(&made.detail_mesh));
    lane.stage(StageId::DetailMesh, &(), detail, |()| {
        detail_mesh::run((mesh, regions), &config.into(), context)
    });
    lane.stage(StageId::Emit, &(), tile, |()| {
        Ok(emit::run((level, build.coord, mesh, detail), &(), context)?.tile)
    });
}

criterion_group!(benches, stages);
criterion_main!(benches);
