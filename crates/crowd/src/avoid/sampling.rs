//! The velocity with the least penalty among some that are tried, on rings around the wanted one that get finer.
//!
//! Cost: velocities tried times obstacles.
//! Source: M. Mononen, Detour (`dtObstacleAvoidanceQuery`, adaptive sampling), after J. van den Berg, M. Lin, D. Manocha,
//! Reciprocal Velocity Obstacles (2008). Different: the first pattern is turned by the direction alone, without sines
//! worked out for each agent.

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

/// Another body as an agent sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    /// Its middle from the agent's.
    pub(crate) offset: Vec2,
    pub(crate) velocity: Vec2,
    /// The velocity that it wanted.
    pub(crate) wanted: Vec2,
    /// The sum of both radii.
    pub(crate) reach: f32,
}

/// Everything that an agent must keep clear of.
#[derive(Debug)]
pub(crate) struct Obstacles<'a> {
    pub(crate) discs: &'a [Disc],
    /// Ends of walls from the agent's middle, the ground to the left.
    pub(crate) walls: &'a [[Vec2; 2]],
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
    // The impact at which the rest of the penalty reaches the limit.
    let worth = limit - apart;
    if worth <= 0.0 {
        return limit;
    }
    let (mut impact, mut side, mut sides) = (HORIZON, 0.0, 0u32);
    for disc in obstacles.discs {
        let relative = velocity * 2.0 - mover.velocity - disc.velocity;
        side += passing_side(disc, mover.wanted, relative);
        sides += 1;
        if let Some(hit) = first_touch(disc, relative) {
            impact = impact.min(hit);
        }
    }
    for wall in obstacles.walls {
        if let Some(hit) = wall_touch(*wall, velocity) {
            impact = impact.min(hit);
        }
    }
    let side = if sides > 0 { side / sides as f32 } else { 0.0 };
    apart + SIDE * side + IMPACT / (0.1 + impact / HORIZON)
}

/// How much a velocity passes a disc on the wrong side: 0 to 1.
fn passing_side(disc: &Disc, wanted: Vec2, relative: Vec2) -> f32 {
    let towards = disc.offset.normalize_or_zero();
    let turn = towards.perp();
    let beside = if towards.perp_dot(disc.wanted - wanted) < 0.01 { turn } else { -turn };
    (towards.dot(relative) * 0.5 + 0.5).min(beside.dot(relative) * 2.0).clamp(0.0, 1.0)
}

/// When a body that moves by `relative` first touches a disc; bodies that overlap touch early, but not at once.
fn first_touch(disc: &Disc, relative: Vec2) -> Option<f32> {
    let a = relative.length_squared();
    if a < 1e-8 {
        return None;
    }
    let b = relative.dot(disc.offset);
    let c = disc.offset.length_squared() - disc.reach * disc.reach;
    let discriminant = b * b - a * c;
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
fn wall_touch([from, to]: [Vec2; 2], velocity: Vec2) -> Option<f32> {
    let along = to - from;
    let nearest = crate::avoid::walls::nearest_on(from, to, Vec2::ZERO);
    if nearest.length_squared() < 1e-4 {
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
        let disc = Disc { offset: Vec2::X, velocity: Vec2::ZERO, wanted: Vec2::ZERO, reach: 0.6 };
        let wall = [Vec2::new(0.5, -5.0), Vec2::new(0.5, 5.0)];
        let wanted = Vec2::new(2.0, 0.0);
        let find = |discs: &[Disc], walls: &[[Vec2; 2]]| {
            best_velocity(&mover(wanted), &Obstacles { discs, walls }, SamplingQuality::High)
        };
        let passed = find(&[disc], &[]);
        assert!(passed.y.abs() > 0.3, "{passed}");
        assert!(find(&[], &[wall]).x < 1.2);
    }

    #[test]
    fn touches_are_when_the_outlines_meet() {
        let disc = Disc { offset: Vec2::new(3.0, 0.0), velocity: Vec2::ZERO, wanted: Vec2::ZERO, reach: 1.0 };
        assert_eq!(first_touch(&disc, Vec2::new(2.0, 0.0)), Some(1.0));
        assert_eq!(first_touch(&disc, Vec2::new(-2.0, 0.0)), None);
        assert_eq!(first_touch(&disc, Vec2::new(0.0, 2.0)), None);
    }
}
