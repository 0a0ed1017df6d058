//! Maps drawn by hand, and random polygons that nobody would draw.

use super::boolean::{Booleans, GridPolygon, HoledPolygon};
use super::exact::{between, distance_squared, is_convex, polygon_area2, turn};
use super::segment::Segment;
use super::*;
use navmath::SplitMix64;
use navtile::AreaId;
use std::collections::BTreeMap;

pub(super) fn rect(x: f64, y: f64, width: f64, depth: f64) -> Vec<[f64; 2]> {
    vec![[x, y], [x + width, y], [x + width, y + depth], [x, y + depth]]
}

pub(super) fn polygon(outline: Vec<[f64; 2]>) -> Polygon {
    Polygon { outline, holes: Vec::new() }
}

pub(super) fn map(outlines: Vec<Polygon>) -> Map {
    Map { outlines, ..Map::default() }
}

/// Area of the polygons, in map units.
fn area(mesh: &Mesh) -> f64 {
    twice_area(mesh) as f64 / 2.0 * mesh.grid.spacing * mesh.grid.spacing
}

pub(super) fn corners(mesh: &Mesh, polygon: &ConvexPolygon) -> Vec<Point> {
    polygon.corners.iter().map(|&corner| mesh.vertices[corner as usize]).collect()
}

pub(super) fn twice_area(mesh: &Mesh) -> i128 {
    mesh.polygons.iter().map(|polygon| polygon_area2(corners(mesh, polygon))).sum()
}

/// Returns true if `d` is strictly inside the circle of the triangle `abc`, which runs counter-clockwise.
/// Exact.
fn in_circle(a: Point, b: Point, c: Point, d: Point) -> bool {
    let row = |p: Point| {
        let [x, y] = [0, 1].map(|axis| i128::from(p[axis]) - i128::from(d[axis]));
        [x, y, x * x + y * y]
    };
    let [a, b, c] = [a, b, c].map(row);
    let minor = |p: [i128; 3], q: [i128; 3]| p[0] * q[1] - p[1] * q[0];
    minor(a, b) * c[2] + minor(b, c) * a[2] + minor(c, a) * b[2] > 0
}

/// Checks the invariants of every mesh, for any map.
pub(super) fn assert_sound(mesh: &Mesh) {
    let triangle = |at: u32| mesh.triangles[at as usize].corners.map(|corner| mesh.vertices[corner as usize]);
    let mut whole = 0;
    for (at, cell) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = triangle(at as u32);
        assert!(turn(a, b, c) > 0);
        whole += i128::from(turn(a, b, c));
        for edge in 0..3 {
            let Some(beyond) = mesh.triangles.get(cell.beyond[edge] as usize) else { continue };
            let back = beyond.beyond.iter().position(|&back| back == at as u32).unwrap();
            assert_eq!(beyond.corners[(back + 1) % 3], cell.corners[edge]);
            assert_eq!(beyond.corners[back], cell.corners[(edge + 1) % 3]);
            let far = mesh.vertices[beyond.corners[(back + 2) % 3] as usize];
            assert!(
                cell.area != beyond.area || !in_circle(a, b, c, far),
                "not Delaunay at {a:?} {b:?} {c:?}"
            );
        }
    }
    assert_eq!(whole, twice_area(mesh), "merging keeps the area");
    for (at, polygon) in mesh.polygons.iter().enumerate() {
        let points = corners(mesh, polygon);
        let count = points.len();
        for i in 0..count {
            let [a, b, c] = [points[i], points[(i + 1) % count], points[(i + 2) % count]];
            assert!(is_convex(a, b, c), "not convex: {points:?}");
            if let Some(other) = mesh.polygons.get(polygon.beyond[i] as usize) {
                let ends = (polygon.corners[i], polygon.corners[(i + 1) % count]);
                let reciprocal = (0..other.corners.len()).any(|j| {
                    let back = (other.corners[(j + 1) % other.corners.len()], other.corners[j]);
                    back == ends && other.beyond[j] == at as u32
                });
                assert!(reciprocal, "polygon {at} edge {i}");
            }
        }
    }
}

fn sound(map: &Map, settings: &Settings) -> Mesh {
    let mesh = mesh(map, settings).unwrap();
    assert_sound(&mesh);
    assert_eq!(mesh.tile(settings).unwrap().polygons().len(), mesh.polygons.len());
    mesh
}

#[test]
fn a_square_is_one_polygon() {
    let mesh = sound(&map(vec![polygon(rect(2.0, 3.0, 10.0, 5.0))]), &Settings::default());
    assert_eq!((mesh.polygons.len(), mesh.triangles.len(), area(&mesh)), (1, 2, 50.0));
}

#[test]
fn a_place_in_the_map_is_a_place_in_the_world() {
    let settings = Settings { height: 3.25, ..Settings::default() };
    let tile = bake(&map(vec![polygon(rect(2.0, 3.0, 10.0, 5.0))]), &settings).unwrap();
    let mut corners: Vec<[f64; 3]> = tile.vertices().iter().map(|&fixed| tile.to_world(fixed)).collect();
    corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(corners, [[2.0, 3.25, -8.0], [2.0, 3.25, -3.0], [12.0, 3.25, -8.0], [12.0, 3.25, -3.0]]);
}

#[test]
fn islands_nest_to_any_depth() {
    let mut outlines = Vec::new();
    for depth in 0..6 {
        let (inset, size) = (f64::from(depth) * 2.0, 30.0 - f64::from(depth) * 4.0);
        let hole = rect(inset + 1.0, inset + 1.0, size - 2.0, size - 2.0);
        outlines.push(Polygon { outline: rect(inset, inset, size, size), holes: vec![hole] });
    }
    let mesh = sound(&map(outlines), &Settings::default());
    let rings: f64 =
        (0..6).map(|depth| 30.0 - f64::from(depth) * 4.0).map(|s| s * s - (s - 2.0).powi(2)).sum();
    assert_eq!(area(&mesh), rings);
}

#[test]
fn holes_may_touch_overlap_and_stick_out() {
    let holes = vec![
        rect(0.0, 2.0, 2.0, 2.0),
        rect(4.0, 2.0, 2.0, 2.0),
        rect(6.0, 4.0, 2.0, 2.0),
        rect(5.0, 3.0, 2.0, 2.0).into_iter().rev().collect(),
        rect(9.0, 8.0, 5.0, 1.0),
    ];
    let mesh =
        sound(&map(vec![Polygon { outline: rect(0.0, 0.0, 10.0, 10.0), holes }]), &Settings::default());
    assert_eq!(area(&mesh), 100.0 - 4.0 - (4.0 + 4.0 + 4.0 - 2.0) - 1.0);
}

#[test]
fn an_outline_may_cross_itself() {
    let bow = polygon(vec![[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]]);
    let mesh = sound(&map(vec![bow]), &Settings::default());
    assert_eq!(area(&mesh), 8.0);
    assert_eq!(mesh.polygons.len(), 2);
}

#[test]
fn repeated_and_flat_points_do_not_matter() {
    let plain = Settings { spacing: Some(0.25), ..Settings::default() };
    let ring =
        vec![[0.0, 0.0], [0.0, 0.0], [4.0, 0.0], [8.0, 0.0], [8.0, 8.0], [8.0, 8.0], [0.0, 8.0], [0.0, 0.0]];
    let one = bake(&map(vec![polygon(ring)]), &plain).unwrap();
    let other = bake(&map(vec![polygon(rect(0.0, 0.0, 8.0, 8.0))]), &plain).unwrap();
    assert_eq!(one.bytes(), other.bytes());
}

#[test]
fn the_radius_keeps_away_from_walls_and_rounds_corners() {
    let holed = Polygon { outline: rect(0.0, 0.0, 20.0, 20.0), holes: vec![rect(8.0, 8.0, 4.0, 4.0)] };
    let settings = Settings { agent_radius: 1.0, join_error: Some(0.01), ..Settings::default() };
    let mesh = sound(&map(vec![holed]), &settings);
    let free = 18.0f64 * 18.0 - (16.0 + 16.0 + std::f64::consts::PI);
    let found = area(&mesh);
    assert!(found <= free + 1e-4 && found > free - 0.04, "{found}, not {free}");
    for &vertex in &mesh.vertices {
        let [x, y] = mesh.grid.to_map(vertex);
        let outside = [x - 10.0, y - 10.0].map(|v: f64| (v.abs() - 2.0).max(0.0));
        let away = outside[0].hypot(outside[1]).min(x).min(y).min(20.0 - x).min(20.0 - y);
        assert!((1.0 - 2.0 * mesh.grid.spacing..1.011).contains(&away), "{x} {y}: {away}");
    }
}

#[test]
fn an_outline_that_vanishes_is_named() {
    let outlines = vec![polygon(rect(0.0, 0.0, 20.0, 20.0)), polygon(rect(30.0, 0.0, 1.0, 20.0))];
    let settings = Settings { agent_radius: 0.75, ..Settings::default() };
    let mesh = sound(&map(outlines.clone()), &settings);
    assert_eq!(mesh.vanished, [1]);
    let all = super::mesh(&map(outlines), &Settings { agent_radius: 1e6, ..settings });
    assert_eq!(all, Err(Error::NothingLeft { radius: 1e6 }));
}

#[test]
fn the_later_area_counts() {
    let (water, road) = (AreaId(5), AreaId(9));
    let labelled = |polygon: Vec<[f64; 2]>, area| AreaPolygon {
        polygon: Polygon { outline: polygon, holes: Vec::new() },
        area,
    };
    let mut map = map(vec![polygon(rect(0.0, 0.0, 10.0, 10.0))]);
    map.areas = vec![labelled(rect(-5.0, 2.0, 20.0, 3.0), water), labelled(rect(4.0, -1.0, 2.0, 20.0), road)];
    let of = |mesh: &Mesh, area: AreaId| {
        let part = mesh.polygons.iter().filter(|polygon| polygon.area == area.0);
        part.map(|polygon| polygon_area2(corners(mesh, polygon)) as f64 / 2.0 * mesh.grid.spacing.powi(2))
            .sum::<f64>()
    };
    let mesh = sound(&map, &Settings { max_vertices: 8, ..Settings::default() });
    assert_eq!([of(&mesh, water), of(&mesh, road), of(&mesh, AreaId::GROUND)], [24.0, 20.0, 56.0]);
    assert_eq!(mesh.polygons.len(), 7, "two of water, four of ground, one road: {:?}", mesh.polygons);
    map.areas.reverse();
    let mesh = sound(&map, &Settings::default());
    assert_eq!([of(&mesh, water), of(&mesh, road)], [30.0, 14.0]);
    map.areas.push(labelled(rect(3.0, 0.0, 4.0, 10.0), AreaId::NULL));
    let mesh = sound(&map, &Settings::default());
    assert_eq!([of(&mesh, water), of(&mesh, road), of(&mesh, AreaId::GROUND)], [18.0, 0.0, 42.0]);
}

#[test]
fn the_order_of_polygons_does_not_matter() {
    let settings = Settings { agent_radius: 0.3, ..Settings::default() };
    for seed in 0..20 {
        let mut random = SplitMix64::new(seed);
        let map = heap(&mut random);
        let mut other = map.clone();
        for polygons in [&mut other.outlines, &mut other.obstacles] {
            polygons.reverse();
            let middle = polygons.len() / 2;
            polygons.rotate_left(middle);
            for polygon in polygons {
                polygon.outline.reverse();
                polygon.holes.reverse();
                polygon.outline.rotate_left(1);
            }
        }
        match (bake(&map, &settings), bake(&other, &settings)) {
            (Ok(one), Ok(other)) => assert_eq!(one.bytes(), other.bytes(), "seed {seed}"),
            (one, other) => assert_eq!(one.is_err(), other.is_err(), "seed {seed}"),
        }
    }
}

#[test]
fn polygons_are_at_most_four_times_the_fewest() {
    let settings = Settings { max_vertices: 255, ..Settings::default() };
    for seed in 0..40 {
        let mut random = SplitMix64::new(seed ^ 0xbeef);
        let holes = (0..1 + random.below(12)).map(|_| star(&mut random, [50.0, 50.0], 40.0, 10.0)).collect();
        let map = map(vec![Polygon { outline: rect(0.0, 0.0, 100.0, 100.0), holes }]);
        let mesh = sound(&map, &settings);
        let polygons = Booleans::new().ground(&[GridPolygon::new(&map.outlines[0], &mesh.grid)], &[]);
        let inward: usize = polygons.iter().flatten().map(|ring| right_turns(ring)).sum();
        let holes: usize = polygons.iter().map(|polygon| polygon.len() - 1).sum();
        // Every cut ends at a corner that sticks out into the ground, two at most at each of them.
        let most = 2 * inward + polygons.len() - holes;
        let need = (inward.div_ceil(2) + polygons.len()).saturating_sub(holes).max(polygons.len());
        assert!(mesh.polygons.len() <= most, "{} polygons, {inward} corners", mesh.polygons.len());
        assert!(mesh.polygons.len() <= 4 * need, "{} polygons, need {need}", mesh.polygons.len());
    }
}

fn right_turns(ring: &[Point]) -> usize {
    let at = |i: usize| ring[i % ring.len()];
    (0..ring.len()).filter(|&i| turn(at(i), at(i + 1), at(i + 2)) < 0).count()
}

#[test]
fn crossing_segments_are_noded() {
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let size = 4 << random.below(12);
        let mut point = || [random.below(size) as i32, random.below(size) as i32];
        let segments: Vec<Segment> = (0..40).map(|kind| Segment::new(point(), point(), kind)).collect();
        let noded = node(segments, None).unwrap();
        for (at, one) in noded.iter().enumerate() {
            for other in &noded[at + 1..] {
                let (a, b, c, d) = (one.a, one.b, other.a, other.b);
                if (a, b) == (c, d) {
                    continue;
                }
                let sides = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)].map(i64::signum);
                assert!(sides[0] * sides[1] != -1 || sides[2] * sides[3] != -1, "{one:?} crosses {other:?}");
                for (ends, p) in [((a, b), c), ((a, b), d), ((c, d), a), ((c, d), b)] {
                    let at_end = p == ends.0 || p == ends.1;
                    assert!(at_end || !between(ends.0, ends.1, p), "{one:?} touches {other:?}");
                }
            }
        }
    }
}

/// A star around a random middle.
pub(super) fn star(random: &mut SplitMix64, middle: [f64; 2], spread: f64, size: f64) -> Vec<[f64; 2]> {
    let centre = middle.map(|v| v + (random.unit() * 2.0 - 1.0) * spread);
    let count = 3 + random.below(12);
    (0..count)
        .map(|at| {
            let angle = at as f64 / count as f64 * std::f64::consts::TAU;
            let reach = size * (0.2 + 0.8 * random.unit());
            [centre[0] + reach * angle.cos(), centre[1] + reach * angle.sin()]
        })
        .collect()
}

/// Points without any order: some repeated, some in a row, some on a coarse grid.
fn scribble(random: &mut SplitMix64, scale: f64) -> Vec<[f64; 2]> {
    let coarse = random.below(2) == 0;
    let value = |random: &mut SplitMix64| {
        let value = random.unit() * 2.0 - 1.0;
        scale * if coarse { (value * 5.0).round() / 5.0 } else { value }
    };
    let mut ring: Vec<[f64; 2]> = Vec::new();
    for _ in 0..3 + random.below(10) {
        let last = ring.len().checked_sub(1);
        match (random.below(8), last) {
            (0, Some(last)) => ring.push(ring[last]),
            (1, Some(last)) => ring.push(ring[random.below(last + 1)]),
            (2, Some(last)) if last > 0 => {
                let ([a, b], part) = ([ring[last - 1], ring[last]], random.unit() * 2.0);
                ring.push([0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part));
            }
            _ => ring.push([value(random), value(random)]),
        }
    }
    ring
}

pub(super) fn heap(random: &mut SplitMix64) -> Map {
    let scale = [1e-3, 1.0, 100.0, 1e6][random.below(4)];
    let some = |random: &mut SplitMix64, least: usize, most: usize| -> Vec<Polygon> {
        let shape = |random: &mut SplitMix64| match random.below(3) {
            0 => star(random, [0.0; 2], scale, scale * 0.7),
            1 => rect(0.0, 0.0, scale, scale * random.unit()),
            _ => scribble(random, scale),
        };
        let polygon = |random: &mut SplitMix64| Polygon {
            outline: shape(random),
            holes: (0..random.below(3)).map(|_| shape(random)).collect(),
        };
        let mut polygons: Vec<Polygon> =
            (0..least + random.below(most - least)).map(|_| polygon(random)).collect();
        if let Some(first) = polygons.first().cloned().filter(|_| random.below(6) == 0) {
            polygons.push(first);
        }
        polygons
    };
    Map { outlines: some(random, 1, 5), obstacles: some(random, 0, 4), areas: Vec::new() }
}

fn ring_area(polygons: &[HoledPolygon]) -> i128 {
    polygons.iter().flatten().map(|ring| polygon_area2(ring.iter().copied())).sum()
}

/// Returns true if a map has ground at a point, computed only from turns; `None` if the point is too near an
/// edge to decide.
fn ground_at(map: &Map, point: [f64; 2], slack: f64) -> Option<bool> {
    let winds = |ring: &[[f64; 2]]| -> Option<bool> {
        let mut turns = 0;
        for (at, &a) in ring.iter().enumerate() {
            let b = ring[(at + 1) % ring.len()];
            let along = [b[0] - a[0], b[1] - a[1]];
            let off = [point[0] - a[0], point[1] - a[1]];
            let length = along[0].powi(2) + along[1].powi(2);
            let part = if length > 0.0 { (off[0] * along[0] + off[1] * along[1]) / length } else { 0.0 };
            let part = part.clamp(0.0, 1.0);
            if (off[0] - along[0] * part).hypot(off[1] - along[1] * part) < slack {
                return None;
            }
            let left = along[0] * off[1] - along[1] * off[0] > 0.0;
            match (a[1] <= point[1], b[1] <= point[1]) {
                (true, false) if left => turns += 1,
                (false, true) if !left => turns -= 1,
                _ => {}
            }
        }
        Some(turns != 0)
    };
    let covered = |polygons: &[Polygon]| -> Option<bool> {
        let mut any = false;
        for polygon in polygons {
            let mut within = winds(&polygon.outline)?;
            for hole in &polygon.holes {
                within &= !winds(hole)?;
            }
            any |= within;
        }
        Some(any)
    };
    Some(covered(&map.outlines)? && !covered(&map.obstacles)?)
}

fn in_mesh(mesh: &Mesh, point: [f64; 2]) -> bool {
    let p = mesh.grid.snap(point);
    mesh.triangles.iter().any(|triangle| {
        let [a, b, c] = triangle.corners.map(|corner| mesh.vertices[corner as usize]);
        turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0
    })
}

/// Number of sets of random polygons: `NAVTILE_PLANAR_CASES`, 150 by default.
pub(super) fn cases() -> u64 {
    let asked = std::env::var("NAVTILE_PLANAR_CASES").ok();
    asked.map_or(150, |cases| cases.parse().expect("NAVTILE_PLANAR_CASES is a number"))
}

#[test]
fn heaps_of_random_polygons_are_meshed() {
    let (mut meshed, mut sampled) = (0, 0);
    for seed in 0..cases() {
        let mut random = SplitMix64::new(seed);
        let map = heap(&mut random);
        let mesh = match mesh(&map, &Settings::default()) {
            Err(Error::Empty | Error::NothingLeft { .. }) => continue,
            other => other.unwrap_or_else(|error| panic!("seed {seed}: {error}")),
        };
        assert_sound(&mesh);
        mesh.tile(&Settings::default()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let snapped = |polygons: &[Polygon]| -> Vec<GridPolygon> {
            polygons.iter().map(|polygon| GridPolygon::new(polygon, &mesh.grid)).collect()
        };
        let ground = Booleans::new().ground(&snapped(&map.outlines), &snapped(&map.obstacles));
        let (expected, found) = (ring_area(&ground) as f64, twice_area(&mesh) as f64);
        assert!((expected - found).abs() <= expected * 1e-6, "seed {seed}: {found}, not {expected}");
        meshed += 1;
        let side = f64::from(mesh.grid.size[0].max(mesh.grid.size[1])) * mesh.grid.spacing;
        for _ in 0..30 {
            let start = mesh.grid.to_map([0, 0]);
            let point = start.map(|v| v + random.unit() * side);
            if let Some(expected) = ground_at(&map, point, 8.0 * mesh.grid.spacing) {
                assert_eq!(in_mesh(&mesh, point), expected, "seed {seed} at {point:?}");
                sampled += 1;
            }
        }
    }
    assert!(meshed * 2 > cases() && sampled > meshed * 20, "{meshed} meshed, {sampled} sampled");
}

#[test]
fn random_areas_and_radii_are_meshed() {
    for seed in 0..cases() {
        let mut random = SplitMix64::new(seed ^ 0xa5a5_0000);
        let mut map = heap(&mut random);
        let scale = map.outlines[0].outline.iter().flatten().fold(0.0f64, |most, v| most.max(v.abs()));
        for polygon in heap(&mut random).outlines {
            map.areas.push(AreaPolygon { polygon, area: AreaId(1 + random.below(3) as u8) });
            map.areas.push(AreaPolygon {
                polygon: Polygon { outline: scribble(&mut random, scale), holes: Vec::new() },
                area: AreaId(random.below(3) as u8),
            });
        }
        let agent_radius = if random.below(2) == 0 { 0.0 } else { scale * 0.1 * random.unit() };
        let settings = Settings { agent_radius, ..Settings::default() };
        let mesh = match mesh(&map, &settings) {
            Err(Error::Empty | Error::NothingLeft { .. }) => continue,
            other => other.unwrap_or_else(|error| panic!("seed {seed}: {error}")),
        };
        assert_sound(&mesh);
        let tile = mesh.tile(&settings).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(tile.polygons().len(), mesh.polygons.len(), "seed {seed}");
        let mut areas: BTreeMap<u8, i128> = BTreeMap::new();
        for polygon in &mesh.polygons {
            *areas.entry(polygon.area).or_default() += polygon_area2(corners(&mesh, polygon));
        }
        assert!(!areas.contains_key(&0), "seed {seed}");
    }
}

/// Distance of a point from a ring.
fn away(ring: &[[f64; 2]], point: [f64; 2]) -> f64 {
    let from = |at: usize| {
        let (a, b) = (ring[at], ring[(at + 1) % ring.len()]);
        let (along, off) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
        let part = (off[0] * along[0] + off[1] * along[1]) / (along[0].powi(2) + along[1].powi(2));
        let part = part.clamp(0.0, 1.0);
        (off[0] - along[0] * part).hypot(off[1] - along[1] * part)
    };
    (0..ring.len()).map(from).fold(f64::INFINITY, f64::min)
}

#[test]
fn the_radius_is_kept_about_random_obstacles() {
    let mut far = 0;
    for seed in 0..cases() / 2 {
        let mut random = SplitMix64::new(seed ^ 0xd15c);
        let outline = rect(0.0, 0.0, 100.0, 100.0);
        let obstacles = (0..1 + random.below(12)).map(|_| polygon(star(&mut random, [50.0; 2], 50.0, 15.0)));
        let map = Map { obstacles: obstacles.collect(), ..map(vec![polygon(outline)]) };
        let agent_radius = 0.01 + 4.0 * random.unit();
        let mesh = sound(&map, &Settings { agent_radius, ..Settings::default() });
        for &vertex in &mesh.vertices {
            let point = mesh.grid.to_map(vertex);
            let rings = map.outlines.iter().chain(&map.obstacles);
            let clear = rings.map(|polygon| away(&polygon.outline, point)).fold(f64::INFINITY, f64::min);
            assert!(
                clear >= agent_radius - 4.0 * mesh.grid.spacing,
                "seed {seed}: {clear} of {agent_radius}"
            );
            let most = agent_radius * 1.01 + 4.0 * mesh.grid.spacing;
            far += usize::from(clear > most);
        }
    }
    assert_eq!(far, 0, "every corner of the ground lies at the radius from a wall");
}

#[test]
fn bad_maps_are_refused() {
    let good = map(vec![polygon(rect(0.0, 0.0, 1.0, 1.0))]);
    assert_eq!(mesh(&Map::default(), &Settings::default()), Err(Error::Empty));
    let flat = map(vec![polygon(vec![[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])]);
    assert_eq!(mesh(&flat, &Settings::default()), Err(Error::Empty));
    let mut wrong = good.clone();
    wrong.obstacles = vec![polygon(vec![[0.0, 0.0], [0.5, f64::NAN], [0.5, 0.0]])];
    let error = mesh(&wrong, &Settings::default()).unwrap_err().to_string();
    assert!(error.starts_with("obstacle 0, ring 0, point 1 is [0.5, NaN]"), "{error}");
    let mut covered = good.clone();
    covered.obstacles = vec![polygon(rect(-1.0, -1.0, 3.0, 3.0))];
    assert_eq!(mesh(&covered, &Settings::default()), Err(Error::NothingLeft { radius: 0.0 }));
    let settings =
        Settings { agent_radius: -1.0, max_vertices: 2, spacing: Some(0.0), ..Settings::default() };
    let Err(Error::Settings(errors)) = mesh(&good, &settings) else { panic!("settings are checked") };
    let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(fields, ["agent.radius", "max_vertices", "spacing"]);
    let fine = Settings { spacing: Some(1e-9), ..Settings::default() };
    assert!(matches!(mesh(&good, &fine), Err(Error::Settings(_))));
    let coarse = Settings { spacing: Some(1e308), ..Settings::default() };
    assert!(matches!(mesh(&good, &coarse), Err(Error::Settings(_))));
    for far in [[0.0, 1e300], [-1.7e308, 1.7e308], [1e300, 1e300]] {
        let far = map(vec![polygon(vec![[far[0], 0.0], [far[1], 0.0], [far[1], 1.0]])]);
        assert!(matches!(mesh(&far, &Settings::default()), Err(Error::Limit(_))));
        assert!(matches!(
            mesh(&far, &Settings { spacing: Some(1.0), ..Settings::default() }),
            Err(Error::Limit(_))
        ));
    }
}

#[test]
fn corners_move_by_less_than_a_spacing() {
    for spacing in [0.5, 0.3, 1e-3] {
        let mut random = SplitMix64::new(7);
        let star = star(&mut random, [0.0; 2], 20.0, 10.0);
        let settings = Settings { spacing: Some(spacing), ..Settings::default() };
        let mesh = sound(&map(vec![polygon(star.clone())]), &settings);
        assert!(mesh.grid.spacing <= spacing && mesh.grid.spacing > spacing / 2.0);
        for corner in star {
            let nearest = mesh.vertices.iter().map(|&vertex| {
                let at = mesh.grid.to_map(vertex);
                (at[0] - corner[0]).hypot(at[1] - corner[1])
            });
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            assert!(nearest <= mesh.grid.spacing * 0.7072, "{nearest}");
        }
    }
    assert_eq!(distance_squared([0, 0], [3, 4]), 25);
}

/// Long teeth. Each of them crosses all teeth of the other comb.
fn comb(teeth: i32, upright: bool) -> Vec<[f64; 2]> {
    let length = f64::from(teeth);
    let corner = |at: i32| {
        let along = if at % 2 == 0 { -1.0 } else { length };
        if upright { [f64::from(at), along] } else { [along, f64::from(at)] }
    };
    let back = if upright { [0.0, length] } else { [length, 0.0] };
    (0..teeth).map(corner).chain([back.map(|value| value + 1.0)]).collect()
}

#[test]
fn crossings_have_a_limit() {
    let ground = |teeth: i32| {
        let side = f64::from(teeth) + 9.0;
        map(vec![polygon(rect(-4.0, -4.0, side, side))])
    };
    let combs = |teeth: i32| [false, true].map(|upright| polygon(comb(teeth, upright))).to_vec();
    let areas = |teeth: i32| {
        let area = |polygon| AreaPolygon { polygon, area: AreaId(7) };
        Map { areas: combs(teeth).into_iter().map(area).collect(), ..ground(teeth) }
    };
    let obstacles = |teeth: i32| Map { obstacles: combs(teeth), ..ground(teeth) };
    // A ring around one comb and then around the other crosses itself the same number of times.
    let tangle = |teeth: i32| map(vec![polygon([false, true].map(|upright| comb(teeth, upright)).concat())]);
    let families: [(&dyn Fn(i32) -> Map, &str); 4] = [
        (&areas, "areas"),
        (&|teeth| map(combs(teeth)), "outlines"),
        (&obstacles, "obstacles"),
        (&tangle, "outlines"),
    ];
    for (family, named) in families {
        // 160,000 crossings of slightly more than 800 edges, which may have 64 each and 65,536.
        let error = mesh(&family(400), &Settings::default()).unwrap_err().to_string();
        assert!(error.contains("crossings of the map's edges is ") && error.contains(named), "{error}");
        assert!(mesh(&family(40), &Settings::default()).is_ok(), "{named}");
    }
}
