//! Checks that a body can travel along a link: sweeps it through the spans of the columns that it touches.
//!
//! The body is the agent's cylinder. It touches a column while the column's middle is within the radius of
//! its axis, which is also how erosion measures. The body passes if no span of a column overlaps it at any
//! height that it has while it touches that column. At the start, at the end and while it walks off a ledge,
//! spans up to the agent's climb above its feet are ground to step on. Everything is exact in integers, so
//! the answer for a link does not depend on where tiles end.
//! Units: cells; heights on an arc in 1/256 cell of height.

use crate::ladders::Ladders;
use crate::rays::{Ray, RayColumn};
use crate::window::GroundWindow;
use navmath::FIXED_ONE;
use recast::inside::ground::CutRange;
use recast::inside::ground::GroundFloor;
use recast::settings::Config;

/// The agent, in cells.
#[derive(Clone, Copy)]
pub(super) struct LinkBody {
    pub(super) radius: i32,
    pub(super) height: i32,
    pub(super) climb: i32,
}

impl From<&Config> for LinkBody {
    fn from(config: &Config) -> LinkBody {
        LinkBody {
            // A line would pass between the middles of columns, through walls that are a column thick.
            radius: config.walkable_radius.max(1),
            height: config.walkable_height,
            climb: config.walkable_climb,
        }
    }
}

/// A column that stops a body, and the range of heights in which its spans do so.
pub(super) struct Hit {
    pub(super) column: [i32; 2],
    pub(super) low: i32,
    pub(super) high: i32,
}

impl LinkBody {
    /// The first column that stops the body, or `None` if it passes. The body walks from a floor along a ray
    /// to the end of step `k` and falls from there; or it climbs there and walks to the floor. The lower end
    /// is `below` cells high. Ladders do not block it.
    #[inline]
    pub(super) fn fall_hit(
        &self,
        ground: &GroundWindow<'_>,
        top: &GroundFloor,
        (ray, k): (&Ray, i32),
        (below, ladders): (i32, Option<&Ladders>),
    ) -> Option<Hit> {
        let end = ray.end(k);
        let ceiling = top.height + self.height;
        ray.passed(k).find_map(|column| {
            let feet = if self.is_over(column, end) { below } else { top.height };
            let at = [top.at[0] + column.at[0], top.at[1] + column.at[1]];
            let own = ground.column_at(at);
            let [low, high] = [feet + self.climb, ceiling];
            let is_ladder =
                |ladders: &Ladders| ground.spans(at).iter().all(|&span| ladders.hold(at, span, [low, high]));
            let is_free = !ground.meets(at, own, low, high) || ladders.is_some_and(is_ladder);
            (!is_free).then_some(Hit { column: at, low, high })
        })
    }

    /// The first column that stops the body, or `None` if it passes. The body jumps from one floor to
    /// another, at the end of step `k` of a ray, along an arc ([`Reach::bow`](super::profile::Reach::bow)).
    #[inline]
    pub(super) fn jump_hit(
        &self,
        ground: &GroundWindow<'_>,
        from: &GroundFloor,
        to: &GroundFloor,
        (ray, k): (&Ray, i32),
        bow: i64,
    ) -> Option<Hit> {
        let end = ray.end(k);
        let arc = Arc::new(to.height - from.height, bow, k * ray.length2);
        // The feet are never lower than the lower end.
        let above = CutRange::between(from.height.min(to.height), i32::MAX);
        ray.passed(k).find_map(|column| {
            let at = [from.at[0] + column.at[0], from.at[1] + column.at[1]];
            let own = ground.column_at(at);
            if !own.may_meet(above) {
                return None;
            }
            let [low, high] = arc.heights(column);
            let feet = from.height + low;
            let mut low = feet;
            // Steps are measured above the feet, not above the floor: the body may be lower while it is still
            // over the column.
            if self.is_over(column, [0, 0]) {
                low = low.max(from.height.min(feet) + self.climb);
            }
            if self.is_over(column, end) {
                low = low.max(to.height.min(feet) + self.climb);
            }
            let high = from.height + high + self.height;
            ground.meets(at, own, low, high).then_some(Hit { column: at, low, high })
        })
    }

    /// Returns true if the body touches a column while it is at a place.
    #[inline]
    fn is_over(&self, column: &RayColumn, at: [i32; 2]) -> bool {
        let (dx, dz) = (column.at[0] - at[0], column.at[1] - at[1]);
        dx * dx + dz * dz <= self.radius * self.radius
    }
}

/// A parabola from the start to the end of a jump. At position p of t along it, its height above the start is
/// `up p / t + 4 bow p (t - p) / t²`.
struct Arc {
    /// Height of the end above the start, 1/256 cell of height.
    up: i64,
    /// Height of the arc above the straight line at its middle, 1/256 cell of height.
    bow: i64,
    /// The position of its end.
    t: i64,
    /// The position of its highest point, rounded down, and the height there, rounded up.
    apex: [i64; 2],
}

impl Arc {
    /// `up` in cells.
    fn new(up: i32, bow: i64, t: i32) -> Arc {
        let (up, t) = (i64::from(up) * i64::from(FIXED_ONE), i64::from(t));
        let apex = match bow {
            0 => [0, up.max(0)],
            _ => [(t * (4 * bow + up)).div_euclid(8 * bow), div_ceil((4 * bow + up).pow(2), 16 * bow)],
        };
        Arc { up, bow, t, apex }
    }

    /// The lowest and the highest height of the body's feet above the start while it touches a column, cells,
    /// rounded outwards.
    #[inline]
    fn heights(&self, column: &RayColumn) -> [i32; 2] {
        let [from, to] = [column.from, column.to].map(|place| i64::from(place).clamp(0, self.t));
        let [a, b] =
            [from, to].map(|place| self.up * place * self.t + 4 * self.bow * place * (self.t - place));
        let t2 = self.t * self.t * i64::from(FIXED_ONE);
        let mut high = div_ceil(a.max(b), t2);
        if (from..=to).contains(&self.apex[0]) {
            high = high.max(div_ceil(self.apex[1], i64::from(FIXED_ONE)));
        }
        // A parabola is lowest at one of its ends.
        [a.min(b).div_euclid(t2) as i32, high as i32]
    }
}

/// A quotient, rounded up.
#[inline]
pub(super) fn div_ceil(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}
