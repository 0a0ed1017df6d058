//! Samples velocities on rings around the preferred one, in several rounds with smaller and smaller rings,
//! and takes the velocity with the least penalty.
//!
//! Cost: number of tested velocities times number of obstacles.
//! Source: M. Mononen, Detour (`dtObstacleAvoidanceQuery`, adaptive sampling), after J. van den Berg, M. Lin,
//! D. Manocha, Reciprocal Velocity Obstacles (2008). Differences: the first pattern is rotated by the
//! direction itself, without computing sines for each agent. Weights decide how much each side yields, as
//! with half-planes. Walls seen from their other side are ignored. Velocities are tested four at a time, and
//! velocities too far from the preferred one are skipped.

use crate::avoid::walls::nearest_on;
use crate::settings::SamplingQuality;
use glam::{Vec2, Vec4};
use std::ops::{Add, Mul, Sub};

/// Weights of the penalty terms, as in Detour.
const WANTED: f32 = 2.0;
const CURRENT: f32 = 0.75;
const SIDE: f32 = 0.75;
const IMPACT: f32 = 2.5;
/// Time within which impacts count, seconds.
const HORIZON: f32 = 2.5;
/// The penalty of no impact within the horizon.
const NO_IMPACT: f32 = IMPACT / 1.1;
/// Factor on the time until a wall is hit, so that an agent can pass close to walls.
const WALL_TIME: f32 = 2.0;
/// A wall is touched below this squared distance.
const TOUCHED: f32 = 1e-4;
/// Squared speed below which an agent counts as stationary.
const STILL: f32 = 1e-8;
/// The smallest share of the avoiding that is used.
const LEAST_SHARE: f32 = 0.25;
/// Middle of the first pattern, as a part of the preferred velocity.
const BIAS: f32 = 0.4;

/// Another body as an agent sees it. Holds everything that does not depend on the tested velocity, with the
/// same value in all lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    /// Offset of its middle from the agent's.
    offset: Four,
    /// Factor on the tested velocity. With `rest` added, the result is the agent's velocity relative to the
    /// body.
    times: Vec4,
    rest: Four,
    /// Squared distance between both, minus the square of the sum of the radii.
    gap: Vec4,
    /// The direction to it, and the side on which it should not be passed.
    towards: Four,
    beside: Four,
}

impl Disc {
    /// A body at `offset`, with its own velocity and its preferred one; the sum of both radii; the agent; and
    /// the agent's share of the avoiding, 0 to 1.
    pub(crate) fn new(
        offset: Vec2,
        [velocity, wanted]: [Vec2; 2],
        reach: f32,
        mover: &Mover,
        share: f32,
    ) -> Disc {
        let towards = offset.normalize_or_zero();
        let turn = towards.perp();
        let beside = if towards.perp_dot(wanted - mover.wanted) < 0.01 { turn } else { -turn };
        // With a share of one half, the tested velocity counts twice, because each side contributes half of
        // the change.
        let times = 1.0 / share.clamp(LEAST_SHARE, 1.0);
        let rest = mover.velocity * (1.0 - times) - velocity;
        Disc {
            offset: Four::splat(offset),
            times: Vec4::splat(times),
            rest: Four::splat(rest),
            gap: Vec4::splat(offset.length_squared() - reach * reach),
            towards: Four::splat(towards),
            beside: Four::splat(beside),
        }
    }
}

/// A wall as an agent sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    from: Vec2,
    along: Vec2,
    /// True if the agent's middle is on it.
    is_touched: bool,
}

impl Wall {
    /// A wall between two ends relative to the agent's middle, with the ground to the left. `None` if an
    /// agent of this speed does not get to it in time, or is on its other side.
    pub(crate) fn new([from, to]: [Vec2; 2], max_speed: f32) -> Option<Wall> {
        let along = to - from;
        let away = nearest_on(from, to, Vec2::ZERO).length_squared();
        let farthest = max_speed * HORIZON / WALL_TIME;
        let is_behind = along.perp_dot(-from) < 0.0 && away >= TOUCHED;
        (away <= farthest * farthest && !is_behind).then_some(Wall {
            from,
            along,
            is_touched: away < TOUCHED,
        })
    }
}

/// Everything that an agent must keep clear of.
#[derive(Debug)]
pub(crate) struct Obstacles<'a> {
    pub(crate) discs: &'a [Disc],
    pub(crate) walls: &'a [Wall],
}

/// The agent's own state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mover {
    pub(crate) velocity: Vec2,
    pub(crate) wanted: Vec2,
    pub(crate) max_speed: f32,
}

/// Directions per ring, number of rings, and number of rounds.
fn pattern(quality: SamplingQuality) -> (usize, usize, u32) {
    match quality {
        SamplingQuality::Low => (5, 2, 1),
        SamplingQuality::Medium => (5, 2, 2),
        SamplingQuality::Good => (7, 2, 3),
        SamplingQuality::High => (7, 3, 3),
    }
}

/// Unit vectors of rings of five and of seven directions, the first straight ahead.
const FIVE: [Vec2; 5] = [
    Vec2::new(1.0, 0.0),
    Vec2::new(0.309_017, 0.951_056_5),
    Vec2::new(0.309_017, -0.951_056_5),
    Vec2::new(-0.809_017, 0.587_785_3),
    Vec2::new(-0.809_017, -0.587_785_3),
];
const SEVEN: [Vec2; 7] = [
    Vec2::new(1.0, 0.0),
    Vec2::new(0.623_489_8, 0.781_831_5),
    Vec2::new(0.623_489_8, -0.781_831_5),
    Vec2::new(-0.222_520_93, 0.974_927_9),
    Vec2::new(-0.222_520_93, -0.974_927_9),
    Vec2::new(-0.900_968_85, 0.433_883_73),
    Vec2::new(-0.900_968_85, -0.433_883_73),
];

/// The best velocity found.
pub(crate) fn best_velocity(mover: &Mover, obstacles: &Obstacles<'_>, quality: SamplingQuality) -> Vec2 {
    let (directions, rings, depth) = pattern(quality);
    let ring: &[Vec2] = if directions == 5 { &FIVE } else { &SEVEN };
    let ahead = mover.wanted.normalize_or(Vec2::X);
    // The first lane holds the middle of the first pattern. Unused lanes hold infinity, which is above any
    // speed limit.
    let mut turned = [Vec2::INFINITY; 8];
    turned[1..].iter_mut().zip(ring).for_each(|(turned, direction)| *turned = ahead.rotate(*direction));
    let turned = [Four::of(&[0, 1, 2, 3].map(|n| turned[n])), Four::of(&[4, 5, 6, 7].map(|n| turned[n]))];
    let mut radius = mover.max_speed * (1.0 - BIAS);
    let mut trial = Tries::new(mover, obstacles, mover.wanted * BIAS);
    for round in 0..depth {
        // The best velocity so far is the middle. Its penalty is known, except in the first round.
        let centre = Four::splat(trial.best);
        for number in (1..=rings).rev() {
            let length = Vec4::splat(radius * number as f32 / rings as f32);
            let [mut first, second] = turned.map(|turned| turned * length + centre);
            if round == 0 && number == rings {
                first = Four { x: first.x.with_x(trial.best.x), y: first.y.with_x(trial.best.y) };
            }
            trial.look(first);
            trial.look(second);
        }
        trial.run();
        radius *= 0.5;
    }
    trial.best
}

/// Tests velocities four at a time. First computes the penalty without impacts, then adds the impacts for
/// candidates that may still become the best, so that all four lanes do useful work.
struct Tries<'a> {
    mover: &'a Mover,
    obstacles: &'a Obstacles<'a>,
    /// The best velocity so far, and its penalty.
    best: Vec2,
    least: f32,
    /// Squared distance from the preferred velocity; no velocity farther away can become the best.
    worth: f32,
    /// Candidates that still need impacts: x, y, and the known part of their penalties.
    hopeful: [[f32; 4]; 3],
    hopes: usize,
}

impl<'a> Tries<'a> {
    fn new(mover: &'a Mover, obstacles: &'a Obstacles<'a>, best: Vec2) -> Tries<'a> {
        let (least, worth) = (f32::INFINITY, f32::INFINITY);
        Tries { mover, obstacles, best, least, worth, hopeful: [[0.0; 4]; 3], hopes: 0 }
    }

    /// Keeps those of four velocities that are slow enough and may become the best.
    #[inline]
    fn look(&mut self, v: Four) {
        let fastest = self.mover.max_speed * 1.001;
        let away = (v - Four::splat(self.mover.wanted)).length_squared();
        let counts =
            v.length_squared().cmple(Vec4::splat(fastest * fastest)) & away.cmplt(Vec4::splat(self.worth));
        if !counts.any() {
            return;
        }
        let known = without_impacts(v, away, self.mover, self.obstacles);
        let hopeful = counts & (known + NO_IMPACT).cmplt(Vec4::splat(self.least));
        let (mut lanes, x, y, known) = (hopeful.bitmask(), v.x.to_array(), v.y.to_array(), known.to_array());
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize & 3;
            lanes &= lanes - 1;
            let place = self.hopes & 3;
            let lists = &mut self.hopeful;
            (lists[0][place], lists[1][place], lists[2][place]) = (x[lane], y[lane], known[lane]);
            self.hopes += 1;
            if self.hopes == 4 {
                self.run();
            }
        }
    }

    /// Tests the candidates. Of equal candidates, the first is the best.
    fn run(&mut self) {
        let [x, y, known] = self.hopeful;
        let v = Four { x: Vec4::from_array(x), y: Vec4::from_array(y) };
        let hopes = std::mem::take(&mut self.hopes);
        if hopes == 0 {
            return;
        }
        let found = penalties(v, Vec4::from_array(known), self.obstacles, self.least);
        for (number, penalty) in found.into_iter().enumerate().take(hopes) {
            if penalty < self.least {
                (self.best, self.least) = (Vec2::new(x[number], y[number]), penalty);
            }
        }
        // No penalty is less than the penalty for the distance from the preferred velocity plus the penalty
        // for no impact.
        let worth = ((self.least - NO_IMPACT) * self.mover.max_speed / WANTED).max(0.0);
        self.worth = worth * worth;
    }
}

/// The penalties of four velocities without impacts; `away` are their squared distances from the preferred
/// velocity.
#[inline]
fn without_impacts(v: Four, away: Vec4, mover: &Mover, obstacles: &Obstacles<'_>) -> Vec4 {
    let per_speed = 1.0 / mover.max_speed;
    let changed = (v - Four::splat(mover.velocity)).length_squared();
    let apart = root(away) * (WANTED * per_speed) + root(changed) * (CURRENT * per_speed);
    let mut side = Vec4::ZERO;
    for disc in obstacles.discs {
        side += passing_side(disc, v * disc.times + disc.rest);
    }
    let per_disc = 1.0 / obstacles.discs.len().max(1) as f32;
    apart + side * (SIDE * per_disc)
}

/// The penalties of four velocities, from their penalties without impacts. Results of `limit` or more may be
/// inexact.
fn penalties(v: Four, known: Vec4, obstacles: &Obstacles<'_>, limit: f32) -> [f32; 4] {
    let mut impact = Vec4::splat(HORIZON);
    for disc in obstacles.discs {
        impact = impact.min(first_touch(disc, v * disc.times + disc.rest));
    }
    let with = |impact: Vec4| known + Vec4::splat(IMPACT) / (impact * (1.0 / HORIZON) + 0.1);
    let so_far = with(impact);
    if so_far.min_element() >= limit {
        return so_far.to_array();
    }
    for wall in obstacles.walls {
        impact = impact.min(wall_touch(wall, v));
    }
    with(impact).to_array()
}

/// Four vectors, one per lane.
#[derive(Clone, Copy, Debug)]
struct Four {
    x: Vec4,
    y: Vec4,
}

impl Four {
    fn of(list: &[Vec2; 4]) -> Four {
        Four { x: Vec4::from_array(list.map(|v| v.x)), y: Vec4::from_array(list.map(|v| v.y)) }
    }
    #[inline]
    fn splat(v: Vec2) -> Four {
        Four { x: Vec4::splat(v.x), y: Vec4::splat(v.y) }
    }
    #[inline]
    fn dot(self, other: Four) -> Vec4 {
        self.x * other.x + self.y * other.y
    }
    #[inline]
    fn length_squared(self) -> Vec4 {
        self.dot(self)
    }
}

impl Add for Four {
    type Output = Four;
    #[inline]
    fn add(self, other: Four) -> Four {
        Four { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Four {
    type Output = Four;
    #[inline]
    fn sub(self, other: Four) -> Four {
        Four { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Mul<Vec4> for Four {
    type Output = Four;
    #[inline]
    fn mul(self, factor: Vec4) -> Four {
        Four { x: self.x * factor, y: self.y * factor }
    }
}

/// The square roots of four numbers.
#[inline]
fn root(v: Vec4) -> Vec4 {
    Vec4::from_array(v.to_array().map(f32::sqrt))
}

/// Degree to which velocities pass a disc on the wrong side: 0 to 1.
#[inline]
fn passing_side(disc: &Disc, relative: Four) -> Vec4 {
    let before = relative.dot(disc.towards) * 0.5 + 0.5;
    before.min(relative.dot(disc.beside) * 2.0).max(Vec4::ZERO).min(Vec4::ONE)
}

/// Time until bodies that move by `relative` touch a disc, at most the horizon. Overlapping bodies get an
/// early time, but not zero.
#[inline]
fn first_touch(disc: &Disc, relative: Four) -> Vec4 {
    let a = relative.length_squared();
    let b = relative.dot(disc.offset);
    let discriminant = b * b - a * disc.gap;
    let meets = a.cmpge(Vec4::splat(STILL)) & discriminant.cmpge(Vec4::ZERO);
    if !meets.any() {
        return Vec4::splat(HORIZON);
    }
    let (root, per_a) = (root(discriminant.max(Vec4::ZERO)), Vec4::ONE / a.max(Vec4::splat(STILL)));
    let (enter, leave) = ((b - root) * per_a, (b + root) * per_a);
    let is_in = enter.cmplt(Vec4::ZERO);
    let hit = Vec4::select(is_in, enter * -0.5, enter);
    Vec4::select(meets & (!is_in | leave.cmpgt(Vec4::ZERO)), hit, Vec4::splat(HORIZON))
}

/// Time until points that move by `v` hit a wall, at most the horizon.
#[inline]
fn wall_touch(wall: &Wall, v: Four) -> Vec4 {
    let Wall { from, along, is_touched } = *wall;
    let never = Vec4::splat(HORIZON);
    // Positive if the velocity crosses the wall from its ground side.
    let across = v.dot(Four::splat(Vec2::new(along.y, -along.x)));
    if is_touched {
        // On the wall, only velocities that cross it count.
        return Vec4::select(across.cmpgt(Vec4::ZERO), Vec4::ZERO, never);
    }
    let (t, s) = (Vec4::splat(from.perp_dot(along)), v.dot(Four::splat(Vec2::new(-from.y, from.x))));
    let per_across = Vec4::ONE / across;
    let (t, s) = (t * per_across, s * per_across);
    let meets = across.abs().cmpge(Vec4::splat(1e-6))
        & t.cmpge(Vec4::ZERO)
        & s.cmpge(Vec4::ZERO)
        & s.cmple(Vec4::ONE);
    // Walls get more time, so that an agent can pass close to them.
    Vec4::select(meets, t * WALL_TIME, never)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mover(wanted: Vec2) -> Mover {
        Mover { velocity: wanted, wanted, max_speed: 2.0 }
    }

    #[test]
    fn nothing_in_the_way_leaves_about_the_wanted_velocity() {
        let free = Obstacles { discs: &[], walls: &[] };
        for quality in
            [SamplingQuality::Low, SamplingQuality::Medium, SamplingQuality::Good, SamplingQuality::High]
        {
            let found = best_velocity(&mover(Vec2::new(1.2, 1.6)), &free, quality);
            assert!(found.distance(Vec2::new(1.2, 1.6)) < 0.35, "{quality:?} {found}");
        }
    }

    #[test]
    fn a_disc_ahead_is_passed_and_a_wall_is_not_run_into() {
        let wanted = Vec2::new(2.0, 0.0);
        let disc = Disc::new(Vec2::X, [Vec2::ZERO; 2], 0.6, &mover(wanted), 0.5);
        let wall = Wall::new([Vec2::new(0.5, -5.0), Vec2::new(0.5, 5.0)], 2.0).unwrap();
        let find = |discs: &[Disc], walls: &[Wall]| {
            best_velocity(&mover(wanted), &Obstacles { discs, walls }, SamplingQuality::High)
        };
        let passed = find(&[disc], &[]);
        assert!(passed.y.abs() > 0.3, "{passed}");
        assert!(find(&[], &[wall]).x < 1.2);
        // A wall that is far away, and a wall seen from its other side.
        assert!(Wall::new([Vec2::new(5.5, -5.0), Vec2::new(5.5, 5.0)], 2.0).is_none());
        assert!(Wall::new([Vec2::new(0.5, 5.0), Vec2::new(0.5, -5.0)], 2.0).is_none());
    }

    #[test]
    fn touches_are_when_the_outlines_meet() {
        let still = Mover { velocity: Vec2::ZERO, wanted: Vec2::ZERO, max_speed: 9.0 };
        let disc = Disc::new(Vec2::new(3.0, 0.0), [Vec2::ZERO; 2], 1.0, &still, 1.0);
        let ways = [Vec2::new(2.0, 0.0), Vec2::new(-2.0, 0.0), Vec2::new(0.0, 2.0), Vec2::ZERO];
        assert_eq!(first_touch(&disc, Four::of(&ways)).to_array(), [1.0, HORIZON, HORIZON, HORIZON]);
    }

    fn vector(range: f32) -> impl Strategy<Value = Vec2> {
        (-range..range, -range..range).prop_map(|(x, y)| Vec2::new(x, y))
    }

    proptest! {
        #[test]
        fn impacts_are_where_ways_that_are_walked_meet_something(
            offset in vector(4.0), other in vector(2.0), from in vector(3.0), to in vector(3.0), v in vector(2.0),
        ) {
            prop_assume!(offset.length() > 1.1 && from.distance(to) > 0.5);
            let still = Mover { velocity: Vec2::ZERO, wanted: Vec2::ZERO, max_speed: 2.0 };
            let disc = Disc::new(offset, [other; 2], 1.0, &still, 1.0);
            let hit = first_touch(&disc, Four::of(&[v; 4]) * disc.times + disc.rest).x;
            let at = |t: f32| (offset + (other - v) * t).length();
            let walked = (0..=500).map(|step| step as f32 * 0.005).find(|t| at(*t) <= 1.0);
            // Velocities that only graze it may pass.
            if let Some(walked) = walked {
                prop_assert!((hit - walked).abs() < 0.01, "{hit} {walked}");
            }
            if let Some(wall) = Wall::new([from, to], 2.0).filter(|wall| !wall.is_touched) {
                let hit = wall_touch(&wall, Four::of(&[v; 4])).x / WALL_TIME;
                if hit * WALL_TIME < HORIZON {
                    prop_assert!(nearest_on(from, to, v * hit).distance(v * hit) < 1e-2);
                }
            }
        }
    }
}
