//! The velocity with the least penalty among some that are tried, on rings around the wanted one that get finer.
//!
//! Cost: velocities tried times obstacles.
//! Source: M. Mononen, Detour (`dtObstacleAvoidanceQuery`, adaptive sampling), after J. van den Berg, M. Lin, D. Manocha,
//! Reciprocal Velocity Obstacles (2008). Different: the first pattern is turned by the direction alone, without sines
//! worked out for each agent.

use crate::avoid::walls::nearest_on;
use crate::settings::SamplingQuality;
use glam::Vec2;

/// Weights of the parts of the penalty, as in Detour.
const WANTED: f32 = 2.0;
const CURRENT: f32 = 0.75;
const SIDE: f32 = 0.75;
const IMPACT: f32 = 2.5;
/// How far ahead impacts count, seconds.
const HORIZON: f32 = 2.5;
/// The middle of the first pattern, as a part of the wanted velocity.
const BIAS: f32 = 0.4;

/// Another body as an agent sees it: what does not depend on the velocity that is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    /// Its middle from the agent's.
    offset: Vec2,
    velocity: Vec2,
    /// The square of the distance between both, less that of the sum of the radii.
    gap: f32,
    /// The direction to it, and the side that it is not to be passed on.
    towards: Vec2,
    beside: Vec2,
}

impl Disc {
    /// A body at `offset` with these two velocities, its own and the one that it wanted; the sum of both radii; and the
    /// velocity that the agent wants.
    pub(crate) fn new(offset: Vec2, [velocity, wanted]: [Vec2; 2], reach: f32, own_wanted: Vec2) -> Disc {
        let towards = offset.normalize_or_zero();
        let turn = towards.perp();
        let beside = if towards.perp_dot(wanted - own_wanted) < 0.01 { turn } else { -turn };
        Disc { offset, velocity, gap: offset.length_squared() - reach * reach, towards, beside }
    }
}

/// A wall as an agent sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    from: Vec2,
    along: Vec2,
    /// Whether the agent's middle lies on it.
    is_touched: bool,
}

impl Wall {
    /// A wall between two ends from the agent's middle, the ground to the left.
    pub(crate) fn new([from, to]: [Vec2; 2]) -> Wall {
        let is_touched = nearest_on(from, to, Vec2::ZERO).length_squared() < 1e-4;
        Wall { from, along: to - from, is_touched }
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

/// Directions of a ring, rings, and how often the pattern is refined.
fn pattern(quality: SamplingQuality) -> (usize, usize, u32) {
    match quality {
        SamplingQuality::Low => (5, 2, 1),
        SamplingQuality::Medium => (5, 2, 2),
        SamplingQuality::Good => (7, 2, 3),
        SamplingQuality::High => (7, 3, 3),
    }
}

/// Unit vectors of rings of five and of seven, the first straight ahead.
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
    let mut radius = mover.max_speed * (1.0 - BIAS);
    let mut best = mover.wanted * BIAS;
    for _ in 0..depth {
        let centre = best;
        let mut least = f32::INFINITY;
        let mut take = |velocity: Vec2| {
            if velocity.length_squared() <= (mover.max_speed * 1.001) * (mover.max_speed * 1.001) {
                let found = penalty(velocity, mover, obstacles, least);
                if found < least {
                    (least, best) = (found, velocity);
                }
            }
        };
        take(centre);
        for number in (1..=rings).rev() {
            let length = radius * number as f32 / rings as f32;
            ring.iter().for_each(|direction| take(centre + ahead.rotate(*direction) * length));
        }
        radius *= 0.5;
    }
    best
}

/// The penalty of a velocity, or anything from `limit` on if it is not below that.
fn penalty(velocity: Vec2, mover: &Mover, obstacles: &Obstacles<'_>, limit: f32) -> f32 {
    let per_speed = 1.0 / mover.max_speed;
    let apart = WANTED * per_speed * velocity.distance(mover.wanted)
        + CURRENT * per_speed * velocity.distance(mover.velocity);
    // An impact earlier than this makes the penalty reach the limit, whatever else comes.
    let worth = limit - apart;
    let earliest = (IMPACT / worth - 0.1) * HORIZON;
    if worth <= 0.0 || earliest >= HORIZON {
        return limit;
    }
    let (mut impact, mut side, mut sides) = (HORIZON, 0.0, 0u32);
    for disc in obstacles.discs {
        let relative = velocity * 2.0 - mover.velocity - disc.velocity;
        side += passing_side(disc, relative);
        sides += 1;
        if let Some(hit) = first_touch(disc, relative) {
            if hit < earliest {
                return limit;
            }
            impact = impact.min(hit);
        }
    }
    for wall in obstacles.walls {
        if let Some(hit) = wall_touch(wall, velocity) {
            if hit < earliest {
                return limit;
            }
            impact = impact.min(hit);
        }
    }
    let side = if sides > 0 { side / sides as f32 } else { 0.0 };
    apart + SIDE * side + IMPACT / (0.1 + impact / HORIZON)
}

/// How much a velocity passes a disc on the wrong side: 0 to 1.
fn passing_side(disc: &Disc, relative: Vec2) -> f32 {
    (disc.towards.dot(relative) * 0.5 + 0.5).min(disc.beside.dot(relative) * 2.0).clamp(0.0, 1.0)
}

/// When a body that moves by `relative` first touches a disc; bodies that overlap touch early, but not at once.
fn first_touch(disc: &Disc, relative: Vec2) -> Option<f32> {
    let a = relative.length_squared();
    if a < 1e-8 {
        return None;
    }
    let b = relative.dot(disc.offset);
    let discriminant = b * b - a * disc.gap;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    let (enter, leave) = ((b - root) / a, (b + root) / a);
    if enter < 0.0 && leave > 0.0 {
        return Some(-enter * 0.5);
    }
    (enter >= 0.0).then_some(enter)
}

/// When a point that moves by `velocity` meets a wall.
fn wall_touch(wall: &Wall, velocity: Vec2) -> Option<f32> {
    let Wall { from, along, is_touched } = *wall;
    if is_touched {
        // On the wall: only what leads through it counts.
        return (along.perp_dot(velocity) < 0.0).then_some(0.0);
    }
    let across = velocity.perp_dot(along);
    if across.abs() < 1e-6 {
        return None;
    }
    let (t, s) = (from.perp_dot(along) / across, from.perp_dot(velocity) / across);
    // Walls are given more time, so that passing close by them is no impact.
    (t >= 0.0 && (0.0..=1.0).contains(&s)).then_some(t * 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let disc = Disc::new(Vec2::X, [Vec2::ZERO; 2], 0.6, wanted);
        let wall = Wall::new([Vec2::new(0.5, -5.0), Vec2::new(0.5, 5.0)]);
        let find = |discs: &[Disc], walls: &[Wall]| {
            best_velocity(&mover(wanted), &Obstacles { discs, walls }, SamplingQuality::High)
        };
        let passed = find(&[disc], &[]);
        assert!(passed.y.abs() > 0.3, "{passed}");
        assert!(find(&[], &[wall]).x < 1.2);
    }

    #[test]
    fn touches_are_when_the_outlines_meet() {
        let disc = Disc::new(Vec2::new(3.0, 0.0), [Vec2::ZERO; 2], 1.0, Vec2::ZERO);
        assert_eq!(first_touch(&disc, Vec2::new(2.0, 0.0)), Some(1.0));
        assert_eq!(first_touch(&disc, Vec2::new(-2.0, 0.0)), None);
        assert_eq!(first_touch(&disc, Vec2::new(0.0, 2.0)), None);
    }
}
