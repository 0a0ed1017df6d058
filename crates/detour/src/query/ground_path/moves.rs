//! The cost of a straight move over a plane, also if it is steeper than the limit.
//!
//! A move that is too steep is replaced by a zigzag of moves that are exactly as steep as the limit. Each of
//! them gains or loses height at the same rate, so the length of the zigzag depends on the height alone, and
//! turning more often makes it no longer. The cost of moves over a plane is therefore convex with limits,
//! too.

use crate::slopes::Slopes;
use glam::{DVec2, DVec3};

/// The least limit, as the tangent of an angle: 0.01 degrees, so that rounding makes no level ground steep.
const LEAST_LIMIT: f64 = 1.75e-4;
/// The most turns of a zigzag to one side: twice these per half of a move.
const MOST_TURNS: u32 = 64;

/// The costs of changes of height, and the limits of slopes as tangents; infinite for no limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves {
    pub(super) climb: f64,
    pub(super) descent: f64,
    up: f64,
    down: f64,
}

impl Moves {
    pub(super) fn new(slopes: &Slopes) -> Moves {
        let tangent = |degrees: f32| match degrees {
            90.0 => f64::INFINITY,
            degrees => libm_tan(f64::from(degrees).to_radians()).max(LEAST_LIMIT),
        };
        Moves {
            climb: slopes.climb_cost().into(),
            descent: slopes.descent_cost().into(),
            up: tangent(slopes.max_slope_up()),
            down: tangent(slopes.max_slope_down()),
        }
    }

    pub(super) fn has_limits(&self) -> bool {
        self.up < f64::INFINITY || self.down < f64::INFINITY
    }

    /// The horizontal length that is needed for a change of height.
    #[inline]
    fn needed(&self, rise: f64) -> f64 {
        if rise > 0.0 { rise / self.up } else { -rise / self.down }
    }

    /// The cost of a change of height.
    #[inline]
    pub(super) fn rising(&self, rise: f64) -> f64 {
        if rise > 0.0 { rise * self.climb } else { -rise * self.descent }
    }

    /// The cost of a move within a triangle, straight or in a zigzag.
    #[inline]
    pub(super) fn cost(&self, from: DVec3, to: DVec3, rate: f64) -> f64 {
        let along = to - from;
        let flat = along.x * along.x + along.z * along.z;
        let needed = self.needed(along.y);
        rate * (flat.max(needed * needed) + along.y * along.y).sqrt() + self.rising(along.y)
    }

    /// The cost of a move that no limit holds for: over an off-mesh link, or over the step between two tiles.
    #[inline]
    pub(super) fn cost_over(&self, from: DVec3, to: DVec3, rate: f64) -> f64 {
        rate * from.distance(to) + self.rising(to.y - from.y)
    }

    /// Returns true if a move is steeper than the limit.
    #[inline]
    pub(super) fn is_steep(&self, from: DVec3, to: DVec3) -> bool {
        let along = to - from;
        let needed = self.needed(along.y);
        needed * needed > along.x * along.x + along.z * along.z
    }

    /// The length of the zigzag of a move per metre of height; `None` if the move is not too steep.
    #[inline]
    pub(super) fn steep_factor(&self, along: DVec3) -> Option<f64> {
        let needed = self.needed(along.y);
        let is_steep = needed * needed > along.x * along.x + along.z * along.z;
        is_steep.then(|| {
            let limit = if along.y > 0.0 { self.up } else { self.down };
            (1.0 + 1.0 / (limit * limit)).sqrt()
        })
    }

    /// The zigzag of a move that is too steep, over a triangle that both ends are on. `None` if the triangle
    /// is too narrow for it: at a corner that neither side of a zigzag leads into.
    pub(super) fn zigzag(&self, triangle: [DVec3; 3], from: DVec3, to: DVec3) -> Option<Zigzag> {
        let [a, b, c] = triangle;
        let normal = (b - a).cross(c - a);
        let uphill = DVec2::new(-normal.x, -normal.z) / normal.y;
        let (along, rise) = (level(to) - level(from), to.y - from.y);
        let whole = self.needed(rise);
        let steepest = uphill.length();
        let limit = if rise > 0.0 { self.up } else { self.down };
        if !(steepest > limit && whole < f64::INFINITY) {
            return None;
        }
        let ahead = uphill / steepest * rise.signum();
        let aside = ahead.perp();
        let cosine = limit / steepest;
        let sine = (1.0 - cosine * cosine).sqrt();
        let more = along.dot(aside) / sine;
        let sides = [
            (ahead * cosine + aside * sine) * ((whole + more) * 0.5),
            (ahead * cosine - aside * sine) * ((whole - more) * 0.5),
        ];
        let zigzag = |halves| Zigzag { from, along, rise, sides, uphill, halves };
        let mut halves = [(0, 0); 2];
        for (half, found) in halves.iter_mut().enumerate() {
            let orders = (0..=MOST_TURNS.ilog2()).flat_map(|power| [(1 << power, 0), (1 << power, 1)]);
            let is_over = |order: &(u32, usize)| {
                let tried = zigzag([*order; 2]);
                [0, order.0 - 1].iter().all(|turn| is_inside(triangle, tried.turn(half, *turn)))
            };
            *found = orders.into_iter().find(is_over)?;
        }
        Some(zigzag(halves))
    }
}

/// The tangent of an angle from 0 to less than a right angle. Sums of powers give the same bits everywhere;
/// the platform's own need not.
fn libm_tan(angle: f64) -> f64 {
    let square = angle * angle;
    // The series of sine and cosine: the eleventh term is less than 1e-17 here.
    let (mut sine, mut cosine) = (0.0, 0.0);
    for term in (0..12).rev() {
        let n = f64::from(2 * term + 1);
        sine = 1.0 - square / ((n + 1.0) * (n + 2.0)) * sine;
        cosine = 1.0 - square / (n * (n + 1.0)) * cosine;
    }
    angle * sine / cosine
}

/// A zigzag over a plane: two halves, each of turns to one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zigzag {
    from: DVec3,
    along: DVec2,
    rise: f64,
    /// The sums of its moves to each side.
    sides: [DVec2; 2],
    /// The slope of the plane.
    uphill: DVec2,
    /// For each half the number of its turns, and the side that it begins with.
    halves: [(u32, usize); 2],
}

impl Zigzag {
    /// A turn off the line, seen from above.
    fn turn(&self, half: usize, turn: u32) -> DVec2 {
        let (turns, side) = self.halves[half];
        let start = (f64::from(turn) / f64::from(turns) + half as f64) * 0.5;
        level(self.from) + self.along * start + self.sides[side] * (0.5 / f64::from(turns))
    }

    /// The points of the zigzag between its ends.
    pub(super) fn points(&self) -> impl Iterator<Item = DVec3> + '_ {
        let from = level(self.from);
        (0..2usize)
            .flat_map(move |half| {
                let (turns, _) = self.halves[half];
                (0..turns).flat_map(move |turn| {
                    let off = self.turn(half, turn);
                    let height = self.from.y + self.uphill.dot(off - from);
                    let share = (f64::from(turn + 1) / f64::from(turns) + half as f64) * 0.5;
                    let back = from + self.along * share;
                    let back = DVec3::new(back.x, self.from.y + self.rise * share, back.y);
                    let is_end = half == 1 && turn + 1 == turns;
                    [Some(DVec3::new(off.x, height, off.y)), Some(back).filter(|_| !is_end)]
                })
            })
            .flatten()
    }
}

#[inline]
pub(super) fn level(p: DVec3) -> DVec2 {
    DVec2::new(p.x, p.z)
}

/// Returns true if a point is over a triangle of either winding, or outside by no more than rounding.
pub(super) fn is_inside([a, b, c]: [DVec3; 3], p: DVec2) -> bool {
    outside([a, b, c], p) <= 1e-9
}

/// The distance of a point outside a triangle, seen from above, as a share of its heights; negative inside.
pub(super) fn outside([a, b, c]: [DVec3; 3], p: DVec2) -> f64 {
    let [a, b, c] = [a, b, c].map(level);
    let area = (b - a).perp_dot(c - a);
    let weights = [(c - b).perp_dot(p - b), (a - c).perp_dot(p - c), (b - a).perp_dot(p - a)];
    if area == 0.0 {
        return f64::INFINITY;
    }
    weights.iter().fold(f64::NEG_INFINITY, |most, weight| most.max(-weight / area))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_are_those_of_the_library() {
        for degrees in 0..90 {
            let angle = f64::from(degrees).to_radians();
            assert!((libm_tan(angle) - angle.tan()).abs() <= 1e-11 * (1.0 + angle.tan()), "{degrees}");
        }
    }
}
