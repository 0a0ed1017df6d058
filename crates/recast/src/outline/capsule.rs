//! The outline of a capsule at one height, as a polygon near it.
//!
//! ```text
//!       ________________           The outline of a level capsule has two straight sides and two half
//!      /                \          circles. A leaning capsule has parts of an ellipse between parts of two
//!     |  a ·--------· b  |         circles. One line of each direction touches the outline. The sides of
//!      \________________/          the polygon are lines of a few directions, moved a little inwards.
//! ```

use super::vector::{Plan, add, cross, dot, quarter, scale, sub, unit};

/// A capsule, cells along all three axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capsule {
    /// One end of the axis as seen from above, and the vector from there to the other end.
    pub(super) start: Plan,
    pub(super) way: Plan,
    /// The rise of the axis from one end to the other.
    pub(super) rise: f64,
    pub(super) radius: f64,
}

/// A line that touches the outline.
#[derive(Clone, Copy)]
struct TouchingLine {
    /// Points out of the outline; its length is 1.
    normal: Plan,
    support: f64,
    /// True if it is a straight side of the outline.
    is_side: bool,
}

impl Capsule {
    /// A polygon along the outline at a height above the start of the axis. Empty if the capsule does not
    /// reach that height. Along round parts, the polygon is at most `farthest` from the outline, on either
    /// side, and at most a tenth of the outline's radius.
    pub(super) fn outline(&self, height: f64, farthest: f64) -> Vec<Plan> {
        let nearest = height.clamp(self.rise.min(0.0), self.rise.max(0.0));
        let radius = self.radius_at(height - nearest);
        if radius == 0.0 {
            return Vec::new();
        }
        let farthest = farthest.min(0.1 * radius);
        let along = unit(self.way).unwrap_or([1.0, 0.0]);
        let is_level = self.rise == 0.0 && self.way != [0.0; 2];
        let starts = [along, quarter(along), scale(along, -1.0), scale(quarter(along), -1.0)];
        let starts: [TouchingLine; 4] = std::array::from_fn(|index| TouchingLine {
            is_side: is_level && index % 2 == 1,
            ..self.tangent(starts[index], height)
        });
        let mut lines: Vec<(TouchingLine, f64)> = Vec::new();
        for (index, &line) in starts.iter().enumerate() {
            self.divide([line, starts[(index + 1) % starts.len()]], height, farthest, &mut lines);
        }
        // Sides along round parts move inwards until they are as far inside as their corners are outside.
        let count = lines.len();
        let moved = |index: usize| {
            let (line, spare) = lines[index % count];
            let (_, before) = lines[(index + count - 1) % count];
            let inwards = if line.is_side { 0.0 } else { 0.5 * before.max(spare) };
            TouchingLine { support: line.support - inwards, ..line }
        };
        (0..count).map(|index| meeting([moved(index), moved(index + 1)])).collect()
    }

    /// The radius of the circle in which a level plane cuts a ball of the capsule, `above` the ball's middle.
    fn radius_at(&self, above: f64) -> f64 {
        (self.radius * self.radius - above * above).max(0.0).sqrt()
    }

    /// The line across a direction that touches the outline.
    fn tangent(&self, normal: Plan, height: f64) -> TouchingLine {
        let along = dot(normal, self.way);
        // The share of the axis before the ball that reaches farthest in this direction.
        let share = if self.rise == 0.0 {
            f64::from(along > 0.0)
        } else {
            let above = -self.radius * along * self.rise.signum() / libm::hypot(along, self.rise);
            ((height - above) / self.rise).clamp(0.0, 1.0)
        };
        let middle = add(self.start, scale(self.way, share));
        let support = dot(normal, middle) + self.radius_at(height - self.rise * share);
        TouchingLine { normal, support, is_side: false }
    }

    /// Appends the first of two lines, and the lines between them that keep the polygon near the outline.
    /// Appends with each line the distance from the outline to the corner after it.
    fn divide(
        &self,
        [one, two]: [TouchingLine; 2],
        height: f64,
        farthest: f64,
        lines: &mut Vec<(TouchingLine, f64)>,
    ) {
        let between = |one: &TouchingLine, two: &TouchingLine| {
            let normal = unit(add(one.normal, two.normal)).unwrap_or(one.normal);
            self.tangent(normal, height)
        };
        let middle = between(&one, &two);
        let corner = meeting([one, two]);
        // The distance from the outline to the corner. One of these three directions nearly leads from one to
        // the other.
        let spare = [between(&one, &middle), middle, between(&middle, &two)]
            .map(|line| dot(line.normal, corner) - line.support)
            .into_iter()
            .fold(0.0, f64::max);
        // A straight side stays where it is, so a corner next to it moves inwards half as far.
        let most = if one.is_side || two.is_side { 4.0 / 3.0 } else { 2.0 };
        if spare > most * farthest {
            self.divide([one, middle], height, farthest, lines);
            self.divide([middle, two], height, farthest, lines);
        } else {
            lines.push((one, spare));
        }
    }
}

/// The place where two lines cross.
fn meeting([one, two]: [TouchingLine; 2]) -> Plan {
    let ways = sub(scale(quarter(one.normal), two.support), scale(quarter(two.normal), one.support));
    scale(ways, 1.0 / cross(one.normal, two.normal))
}

#[cfg(test)]
mod tests {
    use super::super::shape::LineSegment;
    use super::*;

    const FARTHEST: f64 = 0.25;

    /// The distance from a place at a height to the capsule, negative inside of it.
    fn beyond(capsule: &Capsule, [x, z]: Plan, height: f64) -> f64 {
        let axis = [capsule.way[0], capsule.rise, capsule.way[1]];
        let from = [x - capsule.start[0], height, z - capsule.start[1]];
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let whole = dot(axis, axis);
        let share = if whole > 0.0 { (dot(from, axis) / whole).clamp(0.0, 1.0) } else { 0.0 };
        let off: [f64; 3] = std::array::from_fn(|at| from[at] - axis[at] * share);
        dot(off, off).sqrt() - capsule.radius
    }

    #[test]
    fn outlines_are_near_the_places_at_the_radius() {
        let mut polygons = 0;
        for radius in [0.5, 2.0, 9.0, 40.0] {
            for way in [[0.0, 0.0], [6.0, 0.0], [5.0, -12.0], [0.3, 0.1]] {
                for rise in [0.0, 0.01, -3.0, 15.0] {
                    let capsule = Capsule { start: [3.0, -2.0], way, rise, radius };
                    for height in [-0.9, -0.3, 0.0, 0.5, 0.8].map(|part| part * radius + 0.3 * rise) {
                        let outline = capsule.outline(height, FARTHEST);
                        let next = outline.iter().cycle().skip(1);
                        let sides = outline.iter().zip(next).map(|(&a, &b)| LineSegment::new(a, b));
                        for place in
                            sides.flat_map(|side| (0..8).map(move |at| side.at(0.125 * f64::from(at))))
                        {
                            // From any place of the polygon, a move by a little more than the largest
                            // distance leads inside, and another one outside.
                            let by = 1.15 * FARTHEST.min(0.1 * radius);
                            let moves_to = |side: f64| {
                                (0..32).any(|turn| {
                                    let angle = f64::from(turn) * std::f64::consts::PI / 16.0;
                                    let moved = add(place, [by * libm::cos(angle), by * libm::sin(angle)]);
                                    side * beyond(&capsule, moved, height) >= 0.0
                                })
                            };
                            let [is_inside, is_outside] = [-1.0, 1.0].map(moves_to);
                            assert!(is_inside && is_outside, "{capsule:?} {height} {place:?}");
                        }
                        polygons += usize::from(!outline.is_empty());
                    }
                }
            }
        }
        assert!(polygons > 250, "{polygons}");
    }

    #[test]
    fn level_capsules_have_straight_sides() {
        let capsule = Capsule { start: [1.0, 2.0], way: [8.0, 6.0], rise: 0.0, radius: 5.0 };
        let outline = capsule.outline(3.0, FARTHEST);
        let [along, across] = [[0.8, 0.6], [-0.6, 0.8]];
        let on = |side: f64| {
            let off = |place: &&Plan| (dot(sub(**place, capsule.start), across) - 4.0 * side).abs() < 1e-9;
            let mut ends: Vec<f64> =
                outline.iter().filter(off).map(|&place| dot(sub(place, capsule.start), along)).collect();
            ends.sort_by(f64::total_cmp);
            ends
        };
        for ends in [on(1.0), on(-1.0)] {
            assert!(ends.len() == 2 && ends[0] > -2.0 && ends[0] < 0.0 && ends[1] > 10.0, "{ends:?}");
        }
    }

    #[test]
    fn a_capsule_has_no_outline_above_it() {
        let capsule = Capsule { start: [1.0, 2.0], way: [8.0, 6.0], rise: 3.0, radius: 5.0 };
        assert!(capsule.outline(8.0, FARTHEST).is_empty() && capsule.outline(-5.0, FARTHEST).is_empty());
        assert!(!capsule.outline(7.9, FARTHEST).is_empty());
    }
}
