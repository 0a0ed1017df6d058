//! Removes points where a line does not bend: points on the straight line between their neighbours, up to the
//! rounding of positions. If a string passes exactly through a shared corner of polygons, or along a wall
//! with corners in it, it must not get a point there because a coordinate was rounded to one side.
//!
//! A point may be left out if its distance from the line between the points that stay is at most the slack.
//! So all points left out since the last that stayed define one cone of directions from there, and the next
//! point must be in it:
//!
//! ```text
//!                  _.-´
//!          ○  _.-´      ○ left out: the cone passes on both sides of them
//!    ●<´- - ○ - - - ●   ● stays if the next point lies in the cone of those before it and in its own
//!           `-._
//! ```
//!
//! Cost: O(1) per point, for any number of points left out.
//! Source: K. Reumann, A. Witkam, Optimizing curve segmentation in computer graphics (1974); with cones, J.
//! Sklansky, V. Gonzalez, Fast polygonal approximation of digitized curves (1980).

use glam::DVec2;

/// The last point that stayed, and the following point, which is undecided until the next one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Straightener<T> {
    from: DVec2,
    /// The rightmost and the leftmost direction in which the line may continue; `None` if nothing was left
    /// out.
    cone: Option<[DVec2; 2]>,
    waiting: Option<(DVec2, T)>,
}

/// The largest distance from a line that the rounding to `f32` explains for points with these coordinates.
pub(super) fn rounding<const N: usize>(points: [DVec2; N]) -> f64 {
    let largest = points.iter().fold(0.0f64, |largest, point| largest.max(point.abs().max_element()));
    4.0 * f64::from(f32::EPSILON) * largest
}

impl<T: Copy> Straightener<T> {
    /// Begins a line at a point that stays.
    pub(super) fn new(from: DVec2) -> Straightener<T> {
        Straightener { from, cone: None, waiting: None }
    }

    /// The last point that stayed.
    pub(super) fn from(&self) -> DVec2 {
        self.from
    }

    /// Takes the next point. Returns the point before it if that stays.
    pub(super) fn take(&mut self, point: DVec2, item: T, slack: f64) -> Option<T> {
        let before = self.end(point, slack);
        self.waiting = Some((point, item));
        before
    }

    /// Ends the line, or this part of it, at a point that always stays. Returns the point before it if that
    /// stays.
    pub(super) fn end(&mut self, point: DVec2, slack: f64) -> Option<T> {
        let (before, item) = self.waiting.take()?;
        let way = before - self.from;
        let length = way.length();
        if length <= slack {
            return None;
        }
        let aside = way.perp() * (slack / length);
        let of_before = [way + aside, way - aside];
        let ahead = point - self.from;
        let is_in = |[right, left]: [DVec2; 2]| right.perp_dot(ahead) <= 0.0 && left.perp_dot(ahead) >= 0.0;
        if ahead.dot(way) >= (length - slack) * length && is_in(of_before) && self.cone.is_none_or(is_in) {
            let [right, left] = self.cone.unwrap_or(of_before);
            self.cone = Some([
                if right.perp_dot(of_before[0]) < 0.0 { of_before[0] } else { right },
                if left.perp_dot(of_before[1]) > 0.0 { of_before[1] } else { left },
            ]);
            return None;
        }
        (self.from, self.cone) = (before, None);
        Some(item)
    }

    /// Decides that the last point taken stays. Returns it.
    pub(super) fn settle(&mut self) -> Option<T> {
        let (point, item) = self.waiting.take()?;
        (self.from, self.cone) = (point, None);
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The points of a line that stay, its ends included.
    fn straightened(points: &[DVec2], slack: f64) -> Vec<DVec2> {
        let mut straightener = Straightener::new(points[0]);
        let mut kept = vec![points[0]];
        for &point in &points[1..points.len() - 1] {
            kept.extend(straightener.take(point, point, slack));
        }
        let last = points[points.len() - 1];
        kept.extend(straightener.end(last, slack));
        kept.push(last);
        kept
    }

    fn away(p: DVec2, [a, b]: [DVec2; 2]) -> f64 {
        let along = b - a;
        let share = ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        if share.is_nan() { p.distance(a) } else { p.distance(a + along * share) }
    }

    #[test]
    fn an_arc_of_many_small_turns_keeps_its_shape() {
        let points: Vec<DVec2> = (0..2000).map(|i| DVec2::from_angle(f64::from(i) * 1e-3) * 9.0).collect();
        let kept = straightened(&points, 1e-3);
        assert!(kept.len() > 40 && kept.len() < 200, "{}", kept.len());
        for point in points {
            assert!(kept.windows(2).any(|pair| away(point, [pair[0], pair[1]]) <= 1.01e-3), "{point}");
        }
    }

    #[test]
    fn a_spike_stays() {
        let points = [DVec2::ZERO, DVec2::X * 4.0, DVec2::X];
        assert_eq!(straightened(&points, 1e-6), points);
    }

    proptest! {
        #[test]
        fn points_left_out_lie_on_the_line(steps in prop::collection::vec((0.0..1.0f64, -0.02..0.02f64), 2..40)) {
            let mut points = vec![DVec2::ZERO];
            points.extend(steps.iter().scan(0.0, |x, (step, y)| {
                *x += step;
                Some(DVec2::new(*x, *y))
            }));
            let kept = straightened(&points, 0.02);
            let mut legs = kept.windows(2);
            let mut leg = legs.next().unwrap();
            for point in points {
                if leg[1] == point && let Some(next) = legs.next() {
                    leg = next;
                }
                prop_assert!(away(point, [leg[0], leg[1]]) <= 0.02 * 1.001, "{} of {:?}", point, kept);
            }
        }
    }
}
