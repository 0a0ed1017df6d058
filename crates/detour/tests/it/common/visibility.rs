//! The true shortest length, by a visibility graph: a straight line, followed from polygon to polygon,
//! decides if two corners of walls or ends of off-mesh links see each other. Slow, but short enough to be
//! trusted.

use crate::common::{Random, unit};
use detour::{CostModel, NavMesh, Passable, Place, PolyRef, Vec3};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

/// The error that rounding may give a position, metres.
const SLACK: f64 = 1e-4;

struct Polygon {
    corners: Vec<DVec2>,
    /// Openings: right end, left end, the polygon beyond.
    openings: Vec<(DVec2, DVec2, usize)>,
}

/// A point, with the polygons about it.
#[derive(Clone)]
struct Spot {
    point: DVec2,
    polygons: Vec<usize>,
}

/// The ground that a path may lead over between two straight lines: a corner, or an off-mesh link in one
/// direction.
struct Knot {
    /// The points where a path enters and leaves it; equal for a corner.
    ends: [Spot; 2],
    /// Length between the two.
    over: f64,
}

/// Corners and links, and the pairs that see each other.
pub(crate) struct Graph {
    polygons: Vec<Polygon>,
    numbers: BTreeMap<PolyRef, usize>,
    knots: Vec<Knot>,
    /// The knots that each knot sees, with the length of the line and of the other knot.
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
        Graph::of_what_passes(mesh, &Passable::default())
    }

    /// The graph of the polygons and off-mesh links that a filter lets pass. A start on an excluded polygon
    /// has no openings.
    pub(crate) fn of_what_passes(mesh: &NavMesh, filter: &impl CostModel) -> Graph {
        let passes = |of: PolyRef| filter.passes(&mesh.attributes(of).unwrap());
        let passing = mesh.polygons().filter(|polygon| passes(*polygon));
        let numbers: BTreeMap<PolyRef, usize> = passing.enumerate().map(|(i, p)| (p, i)).collect();
        let mut polygons = Vec::new();
        for polygon in mesh.polygons().filter(|polygon| passes(*polygon)) {
            let mut openings = Vec::new();
            mesh.visit_links(polygon, |link| {
                if let (Some(_), Some(to)) = (link.edge, numbers.get(&link.to)) {
                    openings.push((flat(link.right), flat(link.left), *to));
                }
            })
            .unwrap();
            polygons.push(Polygon { corners: mesh.corners(polygon).unwrap().map(flat).collect(), openings });
        }
        let mut graph = Graph { polygons, numbers, knots: Vec::new(), sight: Vec::new() };
        graph.find_bends();
        for link in mesh.off_mesh_links().filter(|link| passes(*link)) {
            graph.add_link(mesh, link);
        }
        graph.sight = (0..graph.knots.len()).map(|from| graph.seen_from(from)).collect();
        graph
    }

    /// Adds an off-mesh link in each direction in which it can be taken.
    fn add_link(&mut self, mesh: &NavMesh, link: PolyRef) {
        let link = mesh.off_mesh(link).unwrap();
        let Some([start, end]) = link.ends else { return };
        let over = start.point.as_dvec3().distance(end.point.as_dvec3());
        let (Some(start), Some(end)) = (self.spot(start), self.spot(end)) else { return };
        self.knots.push(Knot { ends: [start.clone(), end.clone()], over });
        if link.both_ways {
            self.knots.push(Knot { ends: [end, start], over });
        }
    }

    /// A place; `None` if its polygon is not in the graph.
    fn spot(&self, place: Place) -> Option<Spot> {
        let (number, point) = (*self.numbers.get(&place.polygon)?, flat(place.point));
        Some(Spot { point, polygons: self.about(number, point) })
    }

    /// The visible knots from a knot, with the length over each.
    fn seen_from(&self, from: usize) -> Vec<(usize, f64)> {
        let leaves = &self.knots[from].ends[1];
        let others = self.knots.iter().enumerate().filter(|(to, _)| *to != from);
        let lengths = others.map(|(to, knot)| (to, self.line(leaves, &knot.ends[0]) + knot.over));
        lengths.filter(|(_, length)| length.is_finite()).collect()
    }

    /// The length of the straight line between two spots; infinite if they do not see each other.
    fn line(&self, a: &Spot, b: &Spot) -> f64 {
        let seen = self.sees(&a.polygons, a.point, &b.polygons, b.point);
        if seen { a.point.distance(b.point) } else { f64::INFINITY }
    }

    /// The polygons that are connected about a point, including `first`.
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

    /// Corners about which the connected polygons leave some angle free.
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
                // A path bends where more than half a turn, but not a full turn, is ground.
                if angle > std::f64::consts::PI + 1e-4 && angle < std::f64::consts::TAU - 1e-3 {
                    let spot = Spot { point, polygons };
                    self.knots.push(Knot { ends: [spot.clone(), spot], over: 0.0 });
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

    /// Returns true if the segment is on ground that is connected along it, from one of the polygons `from`
    /// to one of `to`.
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

    /// The length of the shortest path; infinite without a path. Both ends are on polygons of the graph.
    pub(crate) fn shortest(&self, start: Place, goal: Place) -> f64 {
        let [start, goal] = [start, goal].map(|end| self.spot(end).unwrap());
        let mut best = self.line(&start, &goal);
        let mut open: Vec<f64> =
            self.knots.iter().map(|knot| self.line(&start, &knot.ends[0]) + knot.over).collect();
        let last: Vec<f64> = self.knots.iter().map(|knot| self.line(&knot.ends[1], &goal)).collect();
        let mut closed = vec![false; self.knots.len()];
        while let Some(next) = (0..self.knots.len())
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

/// Returns true if two segments meet, up to rounding.
fn meet(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let cross = |o: DVec2, p: DVec2, q: DVec2| (p - o).perp_dot(q - o);
    if cross(a, b, c) * cross(a, b, d) <= 0.0 && cross(c, d, a) * cross(c, d, b) <= 0.0 {
        let near = away(a, c, d).min(away(b, c, d)).min(away(c, a, b)).min(away(d, a, b));
        return near < SLACK || cross(a, b, c) != 0.0 || cross(a, b, d) != 0.0;
    }
    away(a, c, d).min(away(b, c, d)).min(away(c, a, b)).min(away(d, a, b)) < SLACK
}

/// Random ends: middles of polygons, points in them, corners and points on edges.
pub(crate) fn random_place(mesh: &NavMesh, polygons: &[PolyRef], random: &mut Random) -> Place {
    let polygon = polygons[random.below(polygons.len() as u64) as usize];
    let corners: Vec<Vec3> = mesh.corners(polygon).unwrap().collect();
    let k = random.below(corners.len() as u64) as usize;
    let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
    let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
    let point = match random.below(5) {
        0 => middle,
        1 => a,
        2 => a.lerp(b, unit(random) as f32),
        3 => a.lerp(b, 0.5),
        _ => a.lerp(b, unit(random) as f32).lerp(middle, unit(random) as f32),
    };
    Place { polygon, point }
}
