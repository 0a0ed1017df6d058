//! Solo bakes of every scene, scratch memory warm. A bake whose tile has another hash than the golden one
//! fails.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use navtile_benches::{golden_digest, prepare, tile_digest};
use recast::{Scratch, Silent, bake_solo};

fn solo(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bake_solo");
    for scene in navscenes::all() {
        let level = prepare(scene).expect("scenes are sound levels");
        let golden = golden_digest(scene).expect("every scene has golden hashes");
        let mut scratch = Scratch::new();
        let [width, _, depth] = level.size;
        group.throughput(Throughput::Elements(u64::from(width) * u64::from(depth)));
        group.bench_function(BenchmarkId::from_parameter(scene.name), |bencher| {
            let mut last = None;
            bencher.iter(|| last = Some(bake_solo(&level, &Silent, &mut scratch)));
            let baked = last.expect("a bench runs at least once").expect("scenes bake");
            assert_eq!(tile_digest(&baked).to_string(), golden, "{}: not the golden tile", scene.name);
        });
    }
    group.finish();
}

criterion_group!(benches, solo);
criterion_main!(benches);
