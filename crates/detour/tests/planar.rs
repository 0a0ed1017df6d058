//! Paths on meshes of maps, beside those of a visibility graph over the maps' own corners, which knows nothing of
//! meshes.
#![allow(clippy::unwrap_used)] // Helpers of tests may, as tests do.

use detour::{Filter, NavMesh, Passable, PathStatus, Query, ShortestPath, Vec3};
use recast::planar::{Map, Settings, bake};

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

    /// Whether a point is ground: within an odd number of rings.
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

    /// Whether a straight line is ground all along, or runs along walls.
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

/// Lengths of the shortest ways between some points: Floyd and Warshall over all corners.
fn shortest(walls: &Walls, ends: &[Point]) -> Vec<Vec<f64>> {
    let points: Vec<Point> = ends.iter().copied().chain(walls.corners()).collect();
    let sight = |a: Point, b: Point| {
        if a == b {
            0.0
        } else if walls.sees(a, b) {
            distance(a, b)
        } else {
            f64::INFINITY
        }
    };
    let mut length: Vec<Vec<f64>> =
        points.iter().map(|&a| points.iter().map(|&b| sight(a, b)).collect()).collect();
    for over in 0..points.len() {
        let beyond = length[over].clone();
        for row in &mut length {
            let first = row[over];
            for (to, rest) in row.iter_mut().zip(&beyond) {
                *to = to.min(first + rest);
            }
        }
    }
    length
}

/// Points on the ground that stand off the walls, by a sequence that fills the plane evenly.
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

#[test]
fn paths_on_maps_are_the_shortest_there_are() {
    for scene in navscenes::flat::ALL {
        let map = (scene.map)();
        let walls = Walls::new(&map);
        let mut mesh = NavMesh::default();
        mesh.add_tile(bake(&map, &Settings::default()).unwrap()).unwrap();
        let ends = places(&walls, 16);
        let expected = shortest(&walls, &ends);
        let mut query = Query::new();
        let located: Vec<_> = ends
            .iter()
            .map(|p| {
                let position = mesh.from_world([p[0], 0.0, -p[1]]);
                query.nearest(&mesh, position, Vec3::splat(0.5), &Filter::default()).unwrap().place()
            })
            .collect();
        for (i, &start) in located.iter().enumerate() {
            for (j, &goal) in located.iter().enumerate().filter(|(j, _)| *j != i) {
                let mut path = ShortestPath::default();
                query.shortest_path(&mesh, start, goal, &Passable::default(), &mut path).unwrap();
                let expected = expected[i][j];
                if expected.is_infinite() {
                    assert_ne!(path.status, PathStatus::Complete, "{}: {i} to {j}", scene.name);
                    continue;
                }
                assert_eq!(path.status, PathStatus::Complete, "{}: {i} to {j}", scene.name);
                let error = (path.length - expected).abs() / expected;
                assert!(error < 1e-3, "{}: {i} to {j} is {}, not {expected}", scene.name, path.length);
            }
        }
    }
}
