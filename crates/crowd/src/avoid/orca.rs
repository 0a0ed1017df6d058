//! The half-planes of velocities that optimal reciprocal collision avoidance allows an agent: one for each
//! neighbour and one for each wall nearby.
//!
//! Source: J. van den Berg, S. J. Guy, M. Lin, D. Manocha, Reciprocal n-Body Collision Avoidance (2011).
//! Differences: the share of the avoiding that each side does follows from their weights. Walls constrain
//! only the centre, because the mesh already keeps the radius from walls; of the possible bounds, the bound
//! with the most room for the preferred velocity is used.

use super::half_planes::HalfPlane;
use super::walls::AT_WALL;
use glam::Vec2;

/// Another body as an agent sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Other {
    /// Offset of its middle from the agent's, metres.
    pub(crate) offset: Vec2,
    pub(crate) velocity: Vec2,
    /// The sum of both radii.
    pub(crate) reach: f32,
    /// Share of the avoiding that the agent does: 0 to 1.
    pub(crate) share: f32,
}

/// The half-plane that keeps an agent with this velocity clear of another body for `horizon` seconds.
/// Overlapping bodies separate within `step` seconds.
pub(crate) fn against(velocity: Vec2, other: &Other, horizon: f32, step: f32) -> HalfPlane {
    let relative = velocity - other.velocity;
    let apart = other.offset.length_squared();
    let touching = apart <= other.reach * other.reach;
    let inverse = 1.0 / if touching { step } else { horizon };
    // Relative to the middle of the disc of velocities that collide at the horizon.
    let beside = relative - other.offset * inverse;
    let before = beside.dot(other.offset);
    let (change, outward) = if touching
        || before < 0.0 && before * before > other.reach * other.reach * beside.length_squared()
    {
        // The disc is nearer than the tangents.
        let length = beside.length();
        let outward = if length > 0.0 { beside / length } else { side_of(other.offset) };
        (outward * (other.reach * inverse - length), outward)
    } else {
        // One of the two tangents from the origin to the disc is nearer.
        let leg = (apart - other.reach * other.reach).sqrt();
        let (p, reach) = (other.offset, other.reach);
        let (along, outward) = if p.perp_dot(beside) > 0.0 {
            let along = Vec2::new(p.x * leg - p.y * reach, p.x * reach + p.y * leg) / apart;
            (along, along.perp())
        } else {
            let along = Vec2::new(p.x * leg + p.y * reach, p.y * leg - p.x * reach) / apart;
            (along, -along.perp())
        };
        (along * relative.dot(along) - relative, outward)
    };
    HalfPlane::towards(velocity + change * other.share, outward)
}

/// A unit vector away from a body with the same velocity; any direction if both are at the same point.
fn side_of(offset: Vec2) -> Vec2 {
    let away = (-offset).normalize_or_zero();
    if away == Vec2::ZERO { Vec2::X } else { away }
}

/// The half-plane that keeps the middle of an agent from crossing a wall for `horizon` seconds. The ground is
/// to the left of the wall, and the wall's ends are relative to the agent's middle. `None` if the agent is on
/// the other side of the wall, or at its end.
///
/// Velocities that lead through the wall are beyond its line, and between the directions of its ends. Each of
/// these three bounds avoids the wall. The function takes the bound with the most room for the preferred
/// velocity, so that a wall that the agent passes has no effect.
pub(crate) fn against_wall(wanted: Vec2, [from, to]: [Vec2; 2], horizon: f32) -> Option<HalfPlane> {
    let along = (to - from).normalize_or_zero();
    let distance = along.perp_dot(-from);
    if along == Vec2::ZERO
        || distance < -AT_WALL
        || from.abs().max_element() < AT_WALL
        || to.abs().max_element() < AT_WALL
    {
        return None;
    }
    let inward = along.perp();
    let before = HalfPlane::towards(-inward * (distance.max(0.0) / horizon), inward);
    let right_of = HalfPlane::towards(Vec2::ZERO, -from.normalize().perp());
    let left_of = HalfPlane::towards(Vec2::ZERO, to.normalize().perp());
    let room = |plane: &HalfPlane| -plane.excess(wanted);
    // The first of equal bounds.
    let best = |a: HalfPlane, b: HalfPlane| if room(&b) > room(&a) { b } else { a };
    Some(best(best(before, right_of), left_of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::half_planes::nearest_allowed;
    use proptest::prelude::*;

    fn vector(range: f32) -> impl Strategy<Value = Vec2> {
        (-range..range, -range..range).prop_map(|(x, y)| Vec2::new(x, y))
    }

    /// The smallest distance of two middles that move straight for some seconds.
    fn closest(offset: Vec2, relative: Vec2, seconds: f32) -> f32 {
        let t = offset.dot(relative) / relative.length_squared().max(1e-12);
        (offset - relative * t.clamp(0.0, seconds)).length()
    }

    proptest! {
        #[test]
        fn two_that_both_do_their_half_stay_clear(
            offset in vector(6.0), a in vector(2.0), b in vector(2.0), reach in 0.2..1.5f32,
        ) {
            prop_assume!(offset.length() > reach * 1.01);
            let seen = |offset, velocity| Other { offset, velocity, reach, share: 0.5 };
            let solve = |own: Vec2, other: &Other| {
                nearest_allowed(&[against(own, other, 2.0, 0.1)], 0, 10.0, own, &mut Vec::new())
            };
            let new_a = solve(a, &seen(offset, b));
            let new_b = solve(b, &seen(-offset, a));
            prop_assert!(closest(offset, new_a - new_b, 2.0) >= reach - 0.01);
        }

        #[test]
        fn bodies_that_overlap_part_within_the_step(offset in vector(0.9), a in vector(2.0), b in vector(2.0)) {
            let other = Other { offset, velocity: b, reach: 1.5, share: 1.0 };
            let plane = against(a, &other, 2.0, 0.1);
            let new = nearest_allowed(&[plane], 0, 100.0, a, &mut Vec::new());
            prop_assert!((offset - (new - b) * 0.1).length() >= 1.49);
        }

        #[test]
        fn walls_are_not_crossed(from in vector(3.0), to in vector(3.0), wanted in vector(3.0), v in vector(9.0)) {
            let along = to - from;
            prop_assume!(along.length() > 0.1 && along.normalize().perp_dot(-from) > 0.01);
            let plane = against_wall(wanted, [from, to], 0.5).unwrap();
            let end = nearest_allowed(&[plane], 1, 100.0, v, &mut Vec::new()) * 0.5;
            let cross = end.perp_dot(along);
            if cross.abs() > 1e-3 {
                let (t, s) = (from.perp_dot(along) / cross, from.perp_dot(end) / cross);
                prop_assert!(!(t > 0.0 && t < 0.99 && s > 0.01 && s < 0.99), "{t} {s}");
            }
        }
    }

    #[test]
    fn a_wall_that_is_passed_by_does_not_count() {
        // Along its line, past its end, and away from it.
        let wall = [Vec2::new(1.0, 0.0), Vec2::new(3.0, 0.0)];
        for wanted in [Vec2::new(4.0, 0.0), Vec2::new(1.0, -4.0), Vec2::new(-1.0, 3.0)] {
            for distance in [0.0, 0.2] {
                let ends = wall.map(|end| end - Vec2::new(0.0, distance));
                let plane = against_wall(wanted, ends, 0.5);
                let planes: Vec<_> = plane.into_iter().collect();
                let new = nearest_allowed(&planes, 1, 9.0, wanted, &mut Vec::new());
                assert!(new.distance(wanted) < 1e-5, "{wanted} {distance}: {new}");
            }
        }
    }

    #[test]
    fn a_wall_ahead_leaves_what_reaches_it_at_the_horizon() {
        // The ground is to the left of the wall: x below 1.
        let wall = [Vec2::new(1.0, -5.0), Vec2::new(1.0, 5.0)];
        let plane = against_wall(Vec2::new(4.0, 1.0), wall, 0.5).unwrap();
        let new = nearest_allowed(&[plane], 1, 9.0, Vec2::new(4.0, 1.0), &mut Vec::new());
        assert!((new - Vec2::new(2.0, 1.0)).length() < 1e-5);
    }
}
