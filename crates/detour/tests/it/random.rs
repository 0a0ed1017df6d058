//! Random points: on the ground, within reach, and evenly spread.

use crate::common;
use crate::common::{Grid, METRE, Random, at, place, random_grid, unit};
use detour::{Filter, NavMesh, Place, PolyRef, Query, QueryError, Surroundings, Vec3};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

const DRAWS: usize = 20_000;

/// Returns true if counts follow their expected shares: chi-square within five standard deviations of its
/// mean.
fn is_even(counts: &[usize], shares: &[f64]) -> bool {
    let (draws, whole) = (counts.iter().sum::<usize>() as f64, shares.iter().sum::<f64>());
    let terms = counts.iter().zip(shares).map(|(count, share)| {
        let expected = draws * share / whole;
        (*count as f64 - expected).powi(2) / expected
    });
    let freedom = (counts.len() - 1) as f64;
    terms.sum::<f64>() < freedom + 5.0 * (2.0 * freedom).sqrt()
}

fn area(mesh: &NavMesh, polygon: PolyRef) -> f64 {
    let corners: Vec<Vec3> = mesh.corners(polygon).unwrap().collect();
    let cross = |a: Vec3, b: Vec3| f64::from(a.x) * f64::from(b.z) - f64::from(a.z) * f64::from(b.x);
    let twice: f64 = (0..corners.len()).map(|i| cross(corners[i], corners[(i + 1) % corners.len()])).sum();
    twice.abs() / 2.0
}

/// Asserts that a point is on its polygon.
fn assert_on(mesh: &NavMesh, place: &Place) {
    let on = mesh.closest_point(place.polygon, place.point).unwrap();
    assert!(on.point.distance(place.point) < 1e-5, "{place:?} {on:?}");
}

#[test]
fn the_yardstick_distinguishes_even_from_uneven() {
    assert!(is_even(&[1010, 990, 2000], &[1.0, 1.0, 2.0]));
    assert!(!is_even(&[1200, 800, 2000], &[1.0, 1.0, 2.0]));
}

#[test]
fn polygons_are_as_likely_as_they_are_large() {
    let lines = [0, 1, 5, 6, 14, 17, 18];
    let mut text = String::new();
    random_grid(4, 6, 20, &mut text);
    let mut grid = Grid::new(&text);
    grid.vertex = Box::new(|column, row| {
        [lines[column as usize] * METRE, column * 100, lines[row as usize] * METRE + column * 50]
    });
    let mesh = grid.mesh();
    let filter = Filter::default().with_exclude(1);
    let passing = mesh.polygons().filter(|p| mesh.attributes(*p).unwrap().area != 1);
    let mut counts: BTreeMap<PolyRef, usize> = passing.map(|p| (p, 0)).collect();
    let mut random = Random(11);
    let mut query = Query::new();
    for _ in 0..DRAWS {
        let place = query.random_point(&mesh, &filter, || unit(&mut random)).unwrap();
        assert_on(&mesh, &place);
        *counts.get_mut(&place.polygon).unwrap() += 1;
    }
    let shares: Vec<f64> = counts.keys().map(|p| area(&mesh, *p)).collect();
    assert!(is_even(&counts.values().copied().collect::<Vec<_>>(), &shares));
}

#[test]
fn points_are_even_within_a_polygon_and_over_tiles_of_unequal_ground() {
    // One tile has a single square, the other has nine: choosing a tile first, as Detour does, would
    // oversample the single square.
    let mesh = common::mesh(
        [Grid::tiled("###\n#.#\n###", 0, 0), Grid::tiled("...\n...\n...", 1, 0)].map(|g| g.tile()),
    );
    let mut counts = vec![0; 10 * 16];
    let mut random = Random(12);
    let mut query = Query::new();
    for _ in 0..DRAWS {
        let Place { point, .. } =
            query.random_point(&mesh, &Filter::default(), || unit(&mut random)).unwrap();
        let square = if point.x < 3.0 { 0 } else { 1 + (point.x as usize - 3) + 3 * point.z as usize };
        let quarter = |v: f32| (v.fract() * 4.0) as usize;
        counts[square * 16 + quarter(point.x) * 4 + quarter(point.z)] += 1;
    }
    assert!(is_even(&counts, &[1.0; 160]));
}

#[test]
fn points_around_are_reachable_and_even() {
    let mesh = Grid::new("....#.\n....#.\n....#.\n....#.").mesh();
    let start = place(&mesh, at(0.5, 0.5));
    let mut found = Surroundings::default();
    let (mut query, filter) = (Query::new(), Filter::default());
    query.around_circle(&mesh, start, 1.6, &filter, &mut found).unwrap();
    let reached: BTreeSet<PolyRef> = found.polygons.iter().map(|p| p.polygon).collect();
    assert!(reached.len() > 4 && reached.len() < 16);
    let mut counts: BTreeMap<PolyRef, usize> = reached.iter().map(|p| (*p, 0)).collect();
    let mut random = Random(13);
    for _ in 0..DRAWS {
        let place = query.random_around(&mesh, start, 1.6, &filter, || unit(&mut random)).unwrap();
        assert_on(&mesh, &place);
        *counts.get_mut(&place.polygon).unwrap() += 1;
    }
    assert!(is_even(&counts.values().copied().collect::<Vec<_>>(), &vec![1.0; counts.len()]));
}

#[test]
fn points_within_keep_to_the_circle_and_are_even() {
    let mut text = String::new();
    let mesh = random_grid(6, 10, 0, &mut text).mesh();
    let (centre, radius) = (at(4.75, 5.25), 3.0f32);
    let start = place(&mesh, centre);
    let mut random = Random(14);
    let mut query = Query::new();
    // Ten rings and four quarters of equal area.
    let mut counts = vec![0; 40];
    for _ in 0..DRAWS {
        let place =
            query.random_within(&mesh, start, radius, &Filter::default(), || unit(&mut random)).unwrap();
        assert_on(&mesh, &place);
        let away = place.point - start.point;
        let ring = f64::from(away.length_squared() / (radius * radius)) * 10.0;
        assert!(ring <= 10.0 + 1e-5);
        let quarter = usize::from(away.x > 0.0) * 2 + usize::from(away.z > 0.0);
        counts[(ring as usize).min(9) * 4 + quarter] += 1;
    }
    assert!(is_even(&counts, &[1.0; 40]), "{counts:?}");
}

#[test]
fn a_circle_at_the_rim_of_the_ground_is_cut_by_it() {
    let mesh = Grid::new("....\n....").mesh();
    let start = place(&mesh, at(0.0, 1.0));
    let mut random = Random(15);
    let mut counts = [0; 2];
    for _ in 0..DRAWS {
        let found =
            Query::new().random_within(&mesh, start, 2.0, &Filter::default(), || unit(&mut random)).unwrap();
        assert_on(&mesh, &found);
        counts[usize::from(found.point.x > 1.0)] += 1;
    }
    // Half a circle of radius 2, cut to the strip of half width 1. To x = 1 the strip is the narrower.
    let steps = 100_000u32;
    let half_width = |i: usize| (4.0 - (1.0 + (i as f64 + 0.5) / f64::from(steps)).powi(2)).sqrt().min(1.0);
    let beyond = 2.0 * (0..steps as usize).map(half_width).sum::<f64>() / f64::from(steps);
    assert!(is_even(&counts, &[2.0, beyond]), "{counts:?} {beyond}");
}

#[test]
fn the_ends_of_the_generator_and_worse_are_taken() {
    let mesh = Grid::new(".#.\n...").mesh();
    let start = place(&mesh, at(0.5, 0.5));
    let mut query = Query::new();
    for value in [0.0, 1.0, 0.5, -3.0, 7.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_on(&mesh, &query.random_point(&mesh, &Filter::default(), || value).unwrap());
        assert_on(&mesh, &query.random_around(&mesh, start, 9.0, &Filter::default(), || value).unwrap());
        let within = query.random_within(&mesh, start, 0.75, &Filter::default(), || value).unwrap();
        assert_on(&mesh, &within);
        assert!(within.point.distance(start.point) <= 0.75 + 1e-5);
    }
    let mut drawn = 0;
    query
        .random_point(&mesh, &Filter::default(), || {
            drawn += 1;
            0.25
        })
        .unwrap();
    assert_eq!(drawn, 3);
}

#[test]
fn no_ground_is_reported() {
    let mut mesh = Grid::new("..").mesh();
    let (mut query, all) = (Query::new(), Filter::default());
    let start = place(&mesh, at(0.5, 0.5));
    let half = || 0.5;
    let none = Filter::default().with_include(0x4000);
    assert_eq!(query.random_point(&mesh, &none, half), Err(QueryError::NothingPasses));
    assert_eq!(query.random_point(&NavMesh::default(), &all, half), Err(QueryError::NothingPasses));
    // A circle without area, and a circle off the ground.
    assert_eq!(query.random_within(&mesh, start, 0.0, &all, half), Ok(start));
    let beside = Place { point: at(-5.0, 0.5), ..start };
    assert_eq!(query.random_within(&mesh, beside, 1.0, &all, half), Ok(beside));
    let nowhere = Place { point: at(f32::NAN, 0.5), ..start };
    assert!(query.random_around(&mesh, nowhere, 1.0, &all, half).is_err());
    assert!(matches!(query.random_within(&mesh, start, f32::NAN, &all, half), Err(QueryError::Radius(_))));
    let mut small = Query::with_max_nodes(NonZeroU32::new(1).unwrap());
    assert_eq!(small.random_around(&mesh, start, 9.0, &all, half), Err(QueryError::OutOfNodes { limit: 1 }));
    mesh.remove_tile(Default::default()).unwrap();
    assert!(matches!(query.random_around(&mesh, start, 1.0, &all, half), Err(QueryError::Reference(_))));
}
