//! Paths on meshes of maps, compared with those of a visibility graph over the maps' own corners, which does
//! not use the meshes.

use detour::{Filter, NavMesh, Passable, PathStatus, Query, ShortestPath, Vec3};
use navplane::{Map, Settings, bake, cut};
use navtile::Tile;

type Point = [f64; 2];

fn cross(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Rings of a map of one polygon, as edges and corners.
struct Walls {
    rings: Vec<Vec<Point>>,
}

impl Walls {
    fn new(map: &Map) -> Walls {
        let polygon = &map.outlines[0];
        let rings = std::iter::once(&polygon.outline).chain(&polygon.holes).cloned().collect();
        Walls { rings }
    }

    fn edges(&self) -> impl Iterator<Item = (Point, Point)> {
        self.rings.iter().flat_map(|ring| (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()])))
    }

    fn corners(&self) -> impl Iterator<Item = Point> {
        self.rings.iter().flatten().copied()
    }

    /// Returns true if a point is on the ground: within an odd number of rings.
    fn free(&self, p: Point) -> bool {
        let crossed = self.edges().filter(|(a, b)| {
            (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
        });
        crossed.count() % 2 == 1
    }

    fn clearance(&self, p: Point) -> f64 {
        let away = |(a, b): (Point, Point)| {
            let along = [b[0] - a[0], b[1] - a[1]];
            let part = ((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / distance(a, b).powi(2);
            let part = part.clamp(0.0, 1.0);
            distance(p, [a[0] + along[0] * part, a[1] + along[1] * part])
        };
        self.edges().map(away).fold(f64::INFINITY, f64::min)
    }

    /// Returns true if a straight line is on the ground everywhere, or runs along walls.
    fn sees(&self, a: Point, b: Point) -> bool {
        let mut stops = vec![0.0, 1.0];
        for (c, d) in self.edges() {
            let (of_c, of_d) = (cross(a, b, c), cross(a, b, d));
            let (of_a, of_b) = (cross(c, d, a), cross(c, d, b));
            if of_c * of_d < 0.0 && of_a * of_b < 0.0 {
                return false;
            }
            if of_c == 0.0 {
                let along = (c[0] - a[0]) * (b[0] - a[0]) + (c[1] - a[1]) * (b[1] - a[1]);
                stops.push((along / distance(a, b).powi(2)).clamp(0.0, 1.0));
            }
        }
        stops.sort_by(f64::total_cmp);
        stops.windows(2).filter(|pair| pair[1] - pair[0] > 1e-9).all(|pair| {
            let part = f64::midpoint(pair[0], pair[1]);
            let p = [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part);
            self.free(p) || self.clearance(p) < 1e-9
        })
    }
}

/// The visibility graph over a map's corners: the corners that each sees, and the distances between all
/// pairs.
struct Sight {
    walls: Walls,
    corners: Vec<Point>,
    /// Shortest paths between corners: Floyd and Warshall.
    ways: Vec<Vec<f64>>,
}

impl Sight {
    fn new(map: &Map) -> Sight {
        let walls = Walls::new(map);
        let corners: Vec<Point> = walls.corners().collect();
        let mut ways: Vec<Vec<f64>> = corners.iter().map(|&a| seen(&walls, a, &corners)).collect();
        for over in 0..corners.len() {
            let beyond = ways[over].clone();
            for row in &mut ways {
                let first = row[over];
                for (to, rest) in row.iter_mut().zip(&beyond) {
                    *to = to.min(first + rest);
                }
            }
        }
        Sight { walls, corners, ways }
    }

    /// Length of the shortest path.
    fn shortest(&self, from: Point, to: Point) -> f64 {
        let [ours, theirs] = [from, to].map(|end| seen(&self.walls, end, &self.corners));
        let mut best = seen(&self.walls, from, &[to])[0];
        for (first, ways) in ours.iter().zip(&self.ways).filter(|(first, _)| first.is_finite()) {
            for (way, last) in ways.iter().zip(&theirs) {
                best = best.min(first + way + last);
            }
        }
        best
    }
}

/// Distances of the visible points.
fn seen(walls: &Walls, from: Point, points: &[Point]) -> Vec<f64> {
    let sight = |&to: &Point| {
        if from == to {
            0.0
        } else if walls.sees(from, to) {
            distance(from, to)
        } else {
            f64::INFINITY
        }
    };
    points.iter().map(sight).collect()
}

/// Points on the ground at a distance from the walls, by a sequence that fills the plane evenly.
fn places(walls: &Walls, count: usize) -> Vec<Point> {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for corner in walls.corners() {
        for axis in 0..2 {
            low[axis] = low[axis].min(corner[axis]);
            high[axis] = high[axis].max(corner[axis]);
        }
    }
    let at = |i: u32| {
        let part = [0.754_877_666_246_693, 0.569_840_290_998_053_3].map(|step| (f64::from(i) * step).fract());
        [0, 1].map(|axis| low[axis] + (high[axis] - low[axis]) * part[axis])
    };
    (1..).map(at).filter(|&p| walls.free(p) && walls.clearance(p) > 2.0).take(count).collect()
}

/// Shortest paths on some tiles between pairs of points.
fn lengths(tiles: Vec<Tile>, pairs: &[(Point, Point)]) -> Vec<(PathStatus, f64)> {
    let mut mesh = NavMesh::default();
    tiles.into_iter().for_each(|tile| {
        mesh.add_tile(tile).unwrap();
    });
    let mut query = Query::new();
    let mut path = ShortestPath::default();
    let mut length = |&(from, to): &(Point, Point)| {
        let [start, goal] = [from, to].map(|p| {
            let position = mesh.from_world([p[0], 0.0, -p[1]]);
            query.nearest(&mesh, position, Vec3::splat(0.5), &Filter::default()).unwrap().place()
        });
        query.shortest_path(&mesh, start, goal, &Passable::default(), &mut path).unwrap();
        (path.status, path.length_from_above)
    };
    pairs.iter().map(&mut length).collect()
}

/// Pairs of points. No point is in two pairs.
fn pairs(walls: &Walls, count: usize) -> Vec<(Point, Point)> {
    let places = places(walls, count * 2);
    let (ends, _) = places.as_chunks::<2>();
    ends.iter().map(|&[from, to]| (from, to)).collect()
}

#[test]
fn paths_on_maps_are_the_shortest_there_are() {
    for scene in navscenes::flat::ALL {
        let map = (scene.map)();
        let sight = Sight::new(&map);
        let pairs = pairs(&sight.walls, 1000);
        let found = lengths(vec![bake(&map, &Settings::default()).unwrap()], &pairs);
        let mut reached = 0;
        for (&(from, to), &(status, length)) in pairs.iter().zip(&found) {
            let expected = sight.shortest(from, to);
            assert_eq!(
                status == PathStatus::Complete,
                expected.is_finite(),
                "{}: {from:?} {to:?}",
                scene.name
            );
            if expected.is_finite() {
                let error = (length - expected).abs() / expected;
                let name = scene.name;
                assert!(error < 1e-3, "{name}: {from:?} to {to:?} is {length}, not {expected}");
                reached += 1;
            }
        }
        assert!(reached > 500, "{}: {reached}", scene.name);
    }
}

#[test]
fn paths_are_as_long_in_tiles_as_in_one_piece() {
    for scene in navscenes::flat::ALL {
        let map = (scene.map)();
        let pairs = pairs(&Walls::new(&map), 200);
        let settings = Settings { spacing: Some(1.0 / 4096.0), agent_radius: 3.0, ..Settings::default() };
        let whole = bake(&map, &settings).unwrap();
        // A cell is a sixteenth of a unit, and a tile is 150 units wide.
        let tiles = cut(&map, &settings, 2400).unwrap().tiles(&settings).unwrap();
        assert!(tiles.len() > 12, "{}", tiles.len());
        // There is no ground below points within the radius of a wall.
        let walls = Walls::new(&map);
        let stands = |&&(from, to): &&(Point, Point)| walls.clearance(from).min(walls.clearance(to)) > 3.1;
        let pairs: Vec<(Point, Point)> = pairs.iter().filter(stands).copied().collect();
        for (expected, found) in lengths(vec![whole], &pairs).iter().zip(lengths(tiles, &pairs)) {
            assert_eq!(expected.0, found.0, "{}", scene.name);
            if found.0 == PathStatus::Complete {
                let error = (expected.1 - found.1).abs();
                assert!(error <= expected.1 * 1e-5, "{}: {}, not {}", scene.name, found.1, expected.1);
            }
        }
    }
}
