//! The true shortest length, by a visibility graph: every corner of a wall sees others, or does not, along a
//! straight line that is followed from polygon to polygon. Slow, and short enough to be believed.

use detour::{NavMesh, Place, PolyRef, Vec3};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

/// What rounding may do to a position, metres.
const SLACK: f64 = 1e-4;

struct Polygon {
    corners: Vec<DVec2>,
    /// Ways out: right end, left end, the polygon beyond.
    openings: Vec<(DVec2, DVec2, usize)>,
}

/// A corner that a path may bend at, with the polygons about it.
struct Bend {
    point: DVec2,
    polygons: Vec<usize>,
}

/// Corners and who sees whom.
pub(crate) struct Graph {
    polygons: Vec<Polygon>,
    numbers: BTreeMap<PolyRef, usize>,
    bends: Vec<Bend>,
    /// Lengths between bends that see each other.
    sight: Vec<Vec<(usize, f64)>>,
}

fn flat(p: Vec3) -> DVec2 {
    DVec2::new(f64::from(p.x), f64::from(p.z))
}

/// Distance of a point from a segment.
fn away(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    let t = if along.length_squared() > 0.0 { (p - a).dot(along) / along.length_squared() } else { 0.0 };
    (a + along * t.clamp(0.0, 1.0)).distance(p)
}

impl Graph {
    pub(crate) fn new(mesh: &NavMesh) -> Graph {
        let numbers: BTreeMap<PolyRef, usize> = mesh.polygons().enumerate().map(|(i, p)| (p, i)).collect();
        let polygons = mesh.polygons().map(|polygon| {
            let mut openings = Vec::new();
            mesh.visit_links(polygon, |link| {
                openings.push((flat(link.right), flat(link.left), numbers[&link.to]));
            })
            .unwrap();
            Polygon { corners: mesh.corners(polygon).unwrap().map(flat).collect(), openings }
        });
        let mut graph = Graph { polygons: polygons.collect(), numbers, bends: Vec::new(), sight: Vec::new() };
        graph.find_bends();
        graph.sight = (0..graph.bends.len())
            .map(|from| {
                let Bend { point, polygons } = &graph.bends[from];
                let sees = |to: usize| {
                    let other = &graph.bends[to];
                    let seen = to != from && graph.sees(polygons, *point, &other.polygons, other.point);
                    seen.then(|| (to, point.distance(other.point)))
                };
                (0..graph.bends.len()).filter_map(sees).collect()
            })
            .collect();
        graph
    }

    /// The polygons that hang together about a point, of which `first` is one.
    fn about(&self, first: usize, point: DVec2) -> Vec<usize> {
        let mut found = vec![first];
        let mut next = 0;
        while next < found.len() {
            for (right, left, to) in &self.polygons[found[next]].openings {
                if away(point, *right, *left) < SLACK && !found.contains(to) {
                    found.push(*to);
                }
            }
            next += 1;
        }
        found.sort();
        found
    }

    /// Corners about which the polygons that hang together leave some angle free.
    fn find_bends(&mut self) {
        let mut seen: BTreeSet<(i64, i64, usize)> = BTreeSet::new();
        for (number, polygon) in self.polygons.iter().enumerate() {
            let ends = polygon.openings.iter().flat_map(|(right, left, _)| [*right, *left]);
            for point in polygon.corners.iter().copied().chain(ends) {
                let polygons = self.about(number, point);
                let key = |v: f64| (v / SLACK / 4.0).round() as i64;
                if !seen.insert((key(point.x), key(point.y), polygons[0])) {
                    continue;
                }
                let angle: f64 = polygons.iter().map(|polygon| self.angle_at(*polygon, point)).sum();
                // A path bends where more than half a turn is ground and not all of it.
                if angle > std::f64::consts::PI + 1e-4 && angle < std::f64::consts::TAU - 1e-3 {
                    self.bends.push(Bend { point, polygons });
                }
            }
        }
    }

    /// The angle of a polygon at a point of its outline.
    fn angle_at(&self, polygon: usize, point: DVec2) -> f64 {
        let corners = &self.polygons[polygon].corners;
        for (i, corner) in corners.iter().enumerate() {
            if corner.distance(point) < SLACK {
                let before = corners[(i + corners.len() - 1) % corners.len()] - *corner;
                let after = corners[(i + 1) % corners.len()] - *corner;
                return before.angle_to(after).abs();
            }
        }
        std::f64::consts::PI
    }

    /// Whether the segment lies on ground that hangs together along it, from one of some polygons to one of
    /// others.
    fn sees(&self, from: &[usize], a: DVec2, to: &[usize], b: DVec2) -> bool {
        let mut reached: Vec<usize> = from.to_vec();
        let mut next = 0;
        let mut covered = Vec::new();
        while next < reached.len() {
            let polygon = &self.polygons[reached[next]];
            covered.extend(inside(&polygon.corners, a, b));
            for (right, left, beyond) in &polygon.openings {
                if !reached.contains(beyond) && meet(a, b, *right, *left) {
                    reached.push(*beyond);
                }
            }
            next += 1;
        }
        covered.sort_by(|x, y| x.0.total_cmp(&y.0));
        let slack = SLACK / a.distance(b).max(SLACK);
        let mut free = 0.0f64;
        for (start, end) in covered {
            if start > free + slack {
                return false;
            }
            free = free.max(end);
        }
        free >= 1.0 - slack && reached.iter().any(|polygon| to.contains(polygon))
    }

    /// The length of the shortest way; infinite if there is none.
    pub(crate) fn shortest(&self, start: Place, goal: Place) -> f64 {
        let ends = [start, goal].map(|end| {
            let (number, point) = (self.numbers[&end.polygon], flat(end.point));
            (self.about(number, point), point)
        });
        let [(start, from), (goal, to)] = &ends;
        let mut best = if self.sees(start, *from, goal, *to) { from.distance(*to) } else { f64::INFINITY };
        let seen = |polygons: &[usize], p: DVec2| -> Vec<f64> {
            let of = |bend: &Bend| {
                let seen = self.sees(polygons, p, &bend.polygons, bend.point);
                if seen { p.distance(bend.point) } else { f64::INFINITY }
            };
            self.bends.iter().map(of).collect()
        };
        let (mut open, last) = (seen(start, *from), seen(goal, *to));
        let mut closed = vec![false; self.bends.len()];
        while let Some(next) = (0..self.bends.len())
            .filter(|i| !closed[*i] && open[*i] < best)
            .min_by(|a, b| open[*a].total_cmp(&open[*b]))
        {
            closed[next] = true;
            best = best.min(open[next] + last[next]);
            for (other, length) in &self.sight[next] {
                open[*other] = open[*other].min(open[next] + length);
            }
        }
        best
    }
}

/// The part of segment `ab` in a convex polygon with its interior to the left, as parameters.
fn inside(polygon: &[DVec2], a: DVec2, b: DVec2) -> Option<(f64, f64)> {
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for (i, u) in polygon.iter().enumerate() {
        let along = (polygon[(i + 1) % polygon.len()] - *u).normalize_or_zero();
        let (of_a, of_b) = (along.perp_dot(a - *u), along.perp_dot(b - *u));
        match (of_a > SLACK / 10.0, of_b > SLACK / 10.0) {
            (true, true) => return None,
            (true, false) => low = low.max(of_a / (of_a - of_b)),
            (false, true) => high = high.min(of_a / (of_a - of_b)),
            (false, false) => {}
        }
    }
    (low <= high + 1e-9).then_some((low, high))
}

/// Whether two segments come within rounding of each other.
fn meet(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let cross = |o: DVec2, p: DVec2, q: DVec2| (p - o).perp_dot(q - o);
    if cross(a, b, c) * cross(a, b, d) <= 0.0 && cross(c, d, a) * cross(c, d, b) <= 0.0 {
        let near = away(a, c, d).min(away(b, c, d)).min(away(c, a, b)).min(away(d, a, b));
        return near < SLACK || cross(a, b, c) != 0.0 || cross(a, b, d) != 0.0;
    }
    away(a, c, d).min(away(b, c, d)).min(away(c, a, b)).min(away(d, a, b)) < SLACK
}
