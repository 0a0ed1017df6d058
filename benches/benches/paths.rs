//! Routes between the places of every scene, with a warm query. Fails if a route differs from the first one.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use detour::Query;
use navtile_benches::{mesh, route, route_digest};

fn routes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("route");
    for scene in navscenes::all() {
        let mesh = mesh(scene).expect("scenes bake");
        let mut query = Query::new();
        for wanted in scene.routes {
            let mut find = || {
                let found = route(&mut query, &mesh, scene, wanted.from, wanted.to);
                found.expect("routes name places").expect("places are on the mesh")
            };
            let first = route_digest(&find());
            let id = BenchmarkId::new(scene.name, format!("{}-{}", wanted.from, wanted.to));
            group.bench_function(id, |bencher| {
                let mut last = None;
                bencher.iter(|| last = Some(find()));
                let last = last.expect("a bench runs at least once");
                assert_eq!(route_digest(&last), first, "{}: {wanted:?}: another route", scene.name);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, routes);
criterion_main!(benches);
