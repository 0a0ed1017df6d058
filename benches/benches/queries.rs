//! Every kind of query over every scene, between random places that a path connects. Fails if answers differ
//! from the first ones.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use detour::{Filter, Query};
use navtile_benches::mesh;
use std::time::Duration;
use verbs::{Room, VERBS, Verb, pairs};

#[path = "../../crates/cli/src/bench/verbs.rs"]
mod verbs;

/// Number of pairs of places that are queried.
const PAIRS: usize = 64;

/// A query that only this benchmark measures.
const HEIGHT: (&str, Verb) = ("height", |_, mesh, _, pair| {
    Ok(mesh.height(pair.start.polygon, pair.start.point)?.unwrap_or(-1.0).into())
});

fn queries(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("query");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    group.throughput(Throughput::Elements(PAIRS as u64));
    for scene in navscenes::all() {
        let (mesh, filter) = (mesh(scene).expect("scenes bake"), Filter::default());
        let mut room = Room::default();
        let pairs = pairs(&mesh, &filter, &mut Query::new(), PAIRS).expect("there is ground");
        assert_eq!(pairs.len(), PAIRS, "places are too seldom connected");
        for (name, verb) in VERBS.into_iter().chain([HEIGHT]) {
            // A full hash would take longer than some answers.
            let mut ask = || {
                pairs.iter().fold(0u64, |sum, pair| {
                    let answer = verb(&mut room, &mesh, &filter, pair).expect("places are on the mesh");
                    sum.rotate_left(7) ^ answer.to_bits()
                })
            };
            let first = ask();
            group.bench_function(BenchmarkId::new(name, scene.name), |bencher| {
                let mut last = None;
                bencher.iter(|| last = Some(ask()));
                assert_eq!(last, Some(first), "{}: {name}: other answers", scene.name);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, queries);
criterion_main!(benches);
