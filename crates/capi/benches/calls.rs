//! The cost of a call through C. The library and the C interface answer the same queries in turn; prints the
//! nanoseconds of each and their difference. A nearest query may cost at most 50 ns more.
//! `cargo bench -p navtile-c`.

#![allow(clippy::print_stdout, reason = "it reports to the console")]

#[allow(dead_code, clippy::unwrap_used, reason = "the tests use the rest")]
#[path = "../tests/it/calls/support.rs"]
mod support;

use detour::{Filter, NavMesh, Place, PolyRef, Query, Ray, RouteOptions, Vec3};
use navtile_c::query::{nt_query_height, nt_query_nearest, nt_query_new, nt_query_raycast};
use navtile_c::types::{NtFilter, NtPlace, NtQuery};
use std::error::Error;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::Instant;

const QUESTIONS: usize = 2_000;
const ROUNDS: usize = 101;

/// Both sides, and places to ask about.
struct Sides {
    mesh: NavMesh,
    asked: Query,
    filter: Filter,
    query: NtQuery,
    places: Vec<(Place, Vec3)>,
}

/// A query by its number, in Rust and through C.
type Ways = [fn(&mut Sides, usize); 2];

/// Median nanoseconds of a query by each of two methods, measured in turn.
fn medians(sides: &mut Sides, ways: Ways) -> [f64; 2] {
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..ROUNDS {
        for (way, times) in ways.iter().zip(&mut times) {
            let start = Instant::now();
            (0..QUESTIONS).for_each(|number| way(sides, number));
            times.push(start.elapsed().as_nanos() as f64 / QUESTIONS as f64);
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    })
}

impl Sides {
    fn new(scene: &str) -> Result<Sides, Box<dyn Error>> {
        let mesh = support::scene(scene);
        let query = support::get(|out| nt_query_new(mesh, NtFilter::default(), 0, out));
        let mut own = NavMesh::default();
        own.add_tile(navscenes::baked_tile(scene)?)?;
        let (mut asked, filter, mut state) = (Query::new(), Filter::default(), 1u64);
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1u64 << 31) as f64
        };
        let mut places = Vec::with_capacity(QUESTIONS);
        for _ in 0..QUESTIONS {
            let place = asked.random_point(&own, &filter, &mut random)?;
            places.push((place, place.point + Vec3::new(0.4, 0.5, -0.3)));
        }
        Ok(Sides { mesh: own, asked, filter, query, places })
    }
}

fn place(of: Place) -> NtPlace {
    NtPlace { polygon: PolyRef::to_bits(of.polygon), point: of.point.into() }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut sides = Sides::new("courtyard")?;
    let questions: [(&str, Ways); 3] = [
        (
            "nearest",
            [
                |sides, number| {
                    let reach = RouteOptions::default().half_extents;
                    let point = sides.places[number].1;
                    let _ = black_box(sides.asked.nearest(&sides.mesh, point, reach, &sides.filter));
                },
                |sides, number| {
                    let (point, mut out) = (sides.places[number].1.into(), MaybeUninit::uninit());
                    let _ = black_box(nt_query_nearest(sides.query, point, None, Some(&mut out)));
                    black_box(&out);
                },
            ],
        ),
        (
            "raycast",
            [
                |sides, number| {
                    let ((start, _), (_, goal)) =
                        (sides.places[number], sides.places[QUESTIONS - 1 - number]);
                    let mut ray = Ray::default();
                    let _ = black_box(sides.asked.raycast(&sides.mesh, start, goal, &sides.filter, &mut ray));
                },
                |sides, number| {
                    let ((start, _), (_, goal)) =
                        (sides.places[number], sides.places[QUESTIONS - 1 - number]);
                    let mut out = MaybeUninit::uninit();
                    let _ =
                        black_box(nt_query_raycast(sides.query, place(start), goal.into(), Some(&mut out)));
                    black_box(&out);
                },
            ],
        ),
        (
            "height",
            [
                |sides, number| {
                    let (at, _) = sides.places[number];
                    let _ = black_box(sides.mesh.height(at.polygon, at.point));
                },
                |sides, number| {
                    let (at, _) = sides.places[number];
                    let mut out = MaybeUninit::uninit();
                    let at = place(at);
                    let _ = black_box(nt_query_height(sides.query, at.polygon, at.point, Some(&mut out)));
                    black_box(&out);
                },
            ],
        ),
    ];
    for (name, ways) in questions {
        let [rust, c] = medians(&mut sides, ways);
        println!(
            "{name:<8} {rust:>6.0} ns in Rust, {c:>6.0} ns through C: {:>+5.0} ns, ratio {:.2}",
            c - rust,
            c / rust
        );
    }
    Ok(())
}
