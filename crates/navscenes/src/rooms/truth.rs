//! The line that the border of a perfect mesh would follow: all points at the agent's radius from the nearest
//! wall. It consists of parts of lines along the plan's sides, and of circles around its corners.

use super::Point;
use navplane::Polygon;

/// Points whose distances differ by less are at the same distance, metres.
const SAME: f64 = 1e-6;

/// The true border of the ground that an agent's middle can reach.
#[derive(Clone, Debug)]
pub struct TrueBorder {
    /// Agent radius, metres.
    radius: f64,
    /// Sides of the plan, the ground to their right.
    sides: Vec<[Point; 2]>,
    /// Points of the border where two of its lines or circles cross.
    crossings: Vec<Point>,
    /// Middles of its arcs.
    arcs: Vec<Point>,
}

fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// `a` plus `t` times `b`.
fn plus(a: Point, t: f64, b: Point) -> Point {
    [a[0] + t * b[0], a[1] + t * b[1]]
}

pub(super) fn distance(a: Point, b: Point) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}

/// The vector of length 1 in this direction.
fn unit(v: Point) -> Point {
    let length = libm::hypot(v[0], v[1]);
    [v[0] / length, v[1] / length]
}

/// The point of a segment that is nearest to `p`.
pub(super) fn nearest_on([a, b]: [Point; 2], p: Point) -> Point {
    let along = sub(b, a);
    let length2 = dot(along, along);
    if length2 == 0.0 { a } else { plus(a, (dot(sub(p, a), along) / length2).clamp(0.0, 1.0), along) }
}

/// A line of points at the radius from a side's line, or a circle of points at the radius from a corner.
#[derive(Clone, Copy)]
enum Curve {
    Line { from: Point, along: Point },
    Circle(Point),
}

impl Curve {
    /// The nearest point of the curve.
    fn nearest(self, radius: f64, p: Point) -> Point {
        match self {
            Curve::Line { from, along } => plus(from, dot(sub(p, from), along), along),
            Curve::Circle(middle) => plus(middle, radius, unit(sub(p, middle))),
        }
    }

    /// Points that are on both curves; none if they are parallel.
    fn crossings(self, other: Curve, radius: f64) -> Vec<Point> {
        match (self, other) {
            (Curve::Line { from: p, along: u }, Curve::Line { from: q, along: v }) => {
                let across = [-v[1], v[0]];
                let slope = dot(u, across);
                if slope.abs() < SAME { Vec::new() } else { vec![plus(p, dot(sub(q, p), across) / slope, u)] }
            }
            (Curve::Line { from, along }, Curve::Circle(middle)) => {
                let foot = plus(from, dot(sub(middle, from), along), along);
                both_sides(foot, along, radius, distance(foot, middle))
            }
            (Curve::Circle(a), Curve::Circle(b)) => {
                let between = sub(b, a);
                let foot = plus(a, 0.5, between);
                both_sides(foot, unit([-between[1], between[0]]), radius, distance(a, b) / 2.0)
            }
            (Curve::Circle(_), Curve::Line { .. }) => other.crossings(self, radius),
        }
    }
}

/// The points on a line through `foot` at `radius` from a point that is `height` from the foot, at a right
/// angle.
fn both_sides(foot: Point, along: Point, radius: f64, height: f64) -> Vec<Point> {
    let half2 = radius * radius - height * height;
    if half2 < 0.0 {
        return Vec::new();
    }
    let half = half2.sqrt();
    vec![plus(foot, half, along), plus(foot, -half, along)]
}

impl TrueBorder {
    /// The border for an agent of this radius, metres, above 0.
    pub fn new(plan: &Polygon, radius: f64) -> TrueBorder {
        let rings = || std::iter::once(&plan.outline).chain(&plan.holes);
        let closed = |ring: &[Point]| -> Vec<[Point; 2]> {
            ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&a, &b)| [a, b]).collect()
        };
        // Around a hole the ground is to the left of the plan's ring.
        let around = plan.holes.iter().flat_map(|hole| closed(hole)).map(|[a, b]| [b, a]);
        let sides = closed(&plan.outline).into_iter().chain(around).collect();
        let mut border = TrueBorder { radius, sides, crossings: Vec::new(), arcs: Vec::new() };
        let curves = border.curves();
        for (index, &curve) in curves.iter().enumerate() {
            for &other in &curves[index + 1..] {
                border.crossings.extend(curve.crossings(other, radius));
            }
        }
        let mut crossings = std::mem::take(&mut border.crossings);
        crossings.retain(|&point| border.is_on(point));
        border.crossings = crossings;
        let arc = |[before, at, after]: [Point; 3]| {
            plus(at, -radius, unit(plus(unit(sub(before, at)), 1.0, unit(sub(after, at)))))
        };
        let corners = rings().flat_map(|ring| {
            let count = ring.len();
            (0..count).map(move |i| [0, 1, 2].map(|offset| ring[(i + offset) % count]))
        });
        border.arcs = corners.map(arc).filter(|&point| border.is_on(point)).collect();
        border
    }

    /// A line for each side, on both sides of it, and a circle for each corner.
    fn curves(&self) -> Vec<Curve> {
        let lines = self.sides.iter().map(|&[a, b]| {
            let along = unit(sub(b, a));
            Curve::Line { from: plus(a, self.radius, [along[1], -along[0]]), along }
        });
        lines.chain(self.sides.iter().map(|&[a, _]| Curve::Circle(a))).collect()
    }

    /// Returns true if a point is on the border.
    fn is_on(&self, point: Point) -> bool {
        (self.clearance(point) - self.radius).abs() < SAME
    }

    /// Distance from the nearest wall or ledge, metres; negative outside the ground.
    pub fn clearance(&self, point: Point) -> f64 {
        let mut least = f64::INFINITY;
        let mut inside = false;
        for &[a, b] in &self.sides {
            least = least.min(distance(nearest_on([a, b], point), point));
            let crossed = (a[1] > point[1]) != (b[1] > point[1]);
            inside ^= crossed && point[0] < a[0] + (point[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        }
        if inside { least } else { -least }
    }

    /// Distance of a point from the border, metres: positive if the point is too far from walls, negative if
    /// it is too near.
    pub fn error(&self, point: Point) -> f64 {
        let clear = self.clearance(point);
        // Towards the nearest wall the clearance falls as fast as it can, so the border is nearest there.
        if clear >= self.radius {
            return clear - self.radius;
        }
        // From outside it is nearest at a right angle to one of its parts, or at the end of one.
        let feet = self.curves().into_iter().map(|curve| curve.nearest(self.radius, point));
        let on = feet.filter(|&foot| self.is_on(foot)).chain(self.crossings.iter().copied());
        -on.map(|foot| distance(foot, point)).fold(f64::INFINITY, f64::min)
    }

    /// Corners of the border and middles of its arcs.
    pub fn marks(&self) -> impl Iterator<Item = Point> + '_ {
        self.crossings.iter().chain(&self.arcs).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Border, Rooms, Shape};
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn a_doorway_has_round_corners() {
        // The wall between the rooms is 0.2 m thick, so its corners are at (0.1, 0.5) and so on.
        let rooms = Rooms::new(Shape::Doorway(1.0), Border::Walls(0.2), 0.0);
        let border = TrueBorder::new(&rooms.plan, 0.3);
        assert!(near(border.clearance([0.0, 0.0]), 0.5) && near(border.error([0.0, 0.0]), 0.2));
        assert!(near(border.clearance([0.0, 0.6]), -0.1));
        // On the arc around a corner, and a bit beyond its middle.
        assert!(near(border.error([0.1 + 0.18, 0.5 - 0.24]), 0.0));
        assert!(near(border.error([0.1 + 0.24, 0.5 - 0.32]), 0.1));
        assert!(near(border.error([0.1 + 0.12, 0.5 - 0.16]), -0.1));
        // In the corner of a room the border's own corner is nearest.
        assert!(near(border.error([-10.1 + 0.2, 3.5 - 0.2]), -0.02f64.sqrt()));
        assert!(border.marks().all(|mark| border.error(mark).abs() < SAME));
        assert_eq!(border.arcs.len(), 4);
        let corners = [[-9.8, 3.2], [-0.4, -3.2], [0.4, 3.2]];
        let is_marked = |corner: Point| border.marks().any(|mark| distance(mark, corner) < SAME);
        assert!(corners.into_iter().all(is_marked));
    }

    #[test]
    fn pillars_are_round_to_an_agent() {
        let rooms = Rooms::new(Shape::Pillars, Border::Walls(0.3), 37.0);
        let border = TrueBorder::new(&rooms.plan, 0.6);
        // Along the border of every pillar: a step to either side is an error of its length.
        let mut sampled = 0;
        for (hole, at) in rooms.plan.holes.iter().flat_map(|hole| hole.iter().map(move |&at| (hole, at))) {
            let sum = hole.iter().fold([0.0; 2], |sum, point| plus(sum, 1.0 / hole.len() as f64, *point));
            let out = unit(sub(at, sum));
            if border.is_on(plus(at, 0.6, out)) {
                sampled += 1;
                for error in [-0.05, 0.05] {
                    let found = border.error(plus(at, 0.6 + error, out));
                    assert!(near(found, error), "{at:?}: {found}");
                }
            }
        }
        assert!(sampled > 70, "{sampled}");
    }

    #[test]
    fn a_turn_changes_no_distance() {
        let at = |degrees: f64| {
            let rooms = Rooms::new(Shape::Corridor(2.0), Border::Ledges, degrees);
            let border = TrueBorder::new(&rooms.plan, 0.6);
            let [from, to] = rooms.ends;
            (0..40).map(|i| border.error(plus(from, f64::from(i) / 40.0, sub(to, from)))).collect::<Vec<_>>()
        };
        assert!(at(0.0).iter().zip(at(53.0)).all(|(&a, b)| near(a, b)));
    }
}
