//! Finds the velocity nearest to a preferred velocity that satisfies half-planes and a speed limit: linear
//! programs in two and three dimensions that add the half-planes one at a time.
//!
//! Cost: linear in the number of half-planes if few of them matter, at worst quadratic, or cubic if no
//! velocity is allowed. Everything is processed in the order of the list, so that the same list gives the
//! same bits.
//! Source: M. de Berg et al., Computational Geometry, chapter 4; J. van den Berg, S. J. Guy, M. Lin, D.
//! Manocha, Reciprocal n-Body Collision Avoidance (2011), section 5.3 for the case that no velocity is
//! allowed.

use glam::Vec2;

/// Lines closer to parallel than this count as parallel.
const PARALLEL: f32 = 1e-4;

/// The velocities on one side of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HalfPlane {
    /// A point of the line.
    pub(crate) point: Vec2,
    /// Unit vector along the line; allowed velocities are to its left.
    pub(crate) along: Vec2,
}

impl HalfPlane {
    /// The half-plane on the side of the line that `normal`, a unit vector, points to.
    pub(crate) fn towards(point: Vec2, normal: Vec2) -> HalfPlane {
        HalfPlane { point, along: Vec2::new(normal.y, -normal.x) }
    }

    /// Distance of a velocity from the line; negative on the allowed side.
    #[inline]
    pub(crate) fn excess(&self, velocity: Vec2) -> f32 {
        self.along.perp_dot(self.point - velocity)
    }
}

/// The goal of a program, within the disc of velocities below the speed limit.
#[derive(Clone, Copy)]
enum Aim {
    /// As near as possible to a velocity.
    Near(Vec2),
    /// As far as possible in a direction, a unit vector.
    Along(Vec2),
}

/// The best point on the line of half-plane `last` that the earlier half-planes allow; `None` if no point is
/// allowed.
fn best_on_line(planes: &[HalfPlane], last: usize, speed: f32, aim: Aim) -> Option<Vec2> {
    let line = planes[last];
    let middle = line.point.dot(line.along);
    let discriminant = middle * middle + speed * speed - line.point.length_squared();
    if discriminant < 0.0 || !discriminant.is_finite() {
        return None; // The whole line is too fast, or out of range.
    }
    let half = discriminant.sqrt();
    let (mut low, mut high) = (-middle - half, -middle + half);
    for other in &planes[..last] {
        let crossing = line.along.perp_dot(other.along);
        let beyond = other.along.perp_dot(line.point - other.point);
        if crossing.abs() <= PARALLEL {
            if beyond < 0.0 {
                return None;
            }
            continue;
        }
        let t = beyond / crossing;
        if crossing >= 0.0 {
            high = high.min(t);
        } else {
            low = low.max(t);
        }
        if low > high {
            return None;
        }
    }
    let t = match aim {
        Aim::Near(wanted) => line.along.dot(wanted - line.point).max(low).min(high),
        Aim::Along(direction) if direction.dot(line.along) > 0.0 => high,
        Aim::Along(_) => low,
    };
    Some(line.point + line.along * t)
}

/// The best allowed velocity. If no velocity is allowed, the index of the first half-plane that excludes the
/// rest, and the best velocity before it.
fn best(planes: &[HalfPlane], speed: f32, aim: Aim) -> Result<Vec2, (usize, Vec2)> {
    let mut velocity = match aim {
        Aim::Near(wanted) => wanted.clamp_length_max(speed),
        Aim::Along(direction) => direction * speed,
    };
    for (index, plane) in planes.iter().enumerate() {
        if plane.excess(velocity) > 0.0 {
            velocity = best_on_line(planes, index, speed, aim).ok_or((index, velocity))?;
        }
    }
    Ok(velocity)
}

/// The velocity nearest to `wanted` and not faster than `speed` that all half-planes allow. If no velocity is
/// allowed, the first `fixed` half-planes hold, and the others are violated as little as possible, all by at
/// most the same speed. `scratch` is scratch memory.
pub(crate) fn nearest_allowed(
    planes: &[HalfPlane],
    fixed: usize,
    speed: f32,
    wanted: Vec2,
    scratch: &mut Vec<HalfPlane>,
) -> Vec2 {
    match best(planes, speed, Aim::Near(wanted)) {
        Ok(velocity) => velocity,
        Err((from, velocity)) => {
            least_broken(planes, fixed, from, speed, velocity, scratch).clamp_length_max(speed)
        }
    }
}

/// The velocity with the least violation of the half-planes from `fixed` on. `velocity` is the best velocity
/// before `from`.
fn least_broken(
    planes: &[HalfPlane],
    fixed: usize,
    from: usize,
    speed: f32,
    mut velocity: Vec2,
    scratch: &mut Vec<HalfPlane>,
) -> Vec2 {
    let mut worst = 0.0;
    for (index, plane) in planes.iter().enumerate().skip(from) {
        if plane.excess(velocity) <= worst {
            continue;
        }
        // The region in which this plane is violated most, as half-planes between it and each earlier plane.
        scratch.clear();
        scratch.extend_from_slice(&planes[..fixed.min(index)]);
        for other in planes.iter().take(index).skip(fixed) {
            let crossing = plane.along.perp_dot(other.along);
            let point = if crossing.abs() <= PARALLEL {
                if plane.along.dot(other.along) > 0.0 {
                    continue;
                }
                (plane.point + other.point) * 0.5
            } else {
                plane.point + plane.along * (other.along.perp_dot(plane.point - other.point) / crossing)
            };
            let along = (other.along - plane.along).normalize_or_zero();
            if along != Vec2::ZERO {
                // The point of the line nearest to zero velocity. Far crossings would cost precision.
                let outward = along.perp();
                scratch.push(HalfPlane { point: outward * outward.dot(point), along });
            }
        }
        // This fails only by rounding, and then the present velocity is as good.
        if let Ok(found) = best(scratch, speed, Aim::Along(plane.along.perp())) {
            velocity = found;
        }
        worst = plane.excess(velocity);
    }
    velocity
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plane((x, y, turn): (f32, f32, f32)) -> HalfPlane {
        HalfPlane { point: Vec2::new(x, y), along: Vec2::from_angle(turn) }
    }

    /// The velocities of a fine grid over the disc.
    fn raster(speed: f32) -> impl Iterator<Item = Vec2> {
        let steps = -60..=60;
        let along = steps.clone().flat_map(move |x| steps.clone().map(move |y| (x, y)));
        along
            .map(move |(x, y)| Vec2::new(x as f32, y as f32) * (speed / 60.0))
            .filter(move |v| v.length() <= speed)
    }

    #[test]
    fn without_half_planes_the_wanted_velocity_is_kept_to_the_speed() {
        let found = nearest_allowed(&[], 0, 2.0, Vec2::new(6.0, 8.0), &mut Vec::new());
        assert!((found - Vec2::new(1.2, 1.6)).length() < 1e-6);
    }

    #[test]
    fn a_half_plane_to_its_left() {
        let wall = HalfPlane::towards(Vec2::new(-0.5, 0.0), Vec2::X);
        assert_eq!(wall.excess(Vec2::ZERO), -0.5);
        let found = nearest_allowed(&[wall], 1, 2.0, Vec2::new(-2.0, 0.0), &mut Vec::new());
        assert!((found - Vec2::new(-0.5, 0.0)).length() < 1e-6);
    }

    proptest! {
        #[test]
        fn no_allowed_velocity_is_nearer(
            list in prop::collection::vec((-1.0..1.0f32, -1.0..1.0f32, 0.0..6.0f32), 0..8),
            x in -3.0..3.0f32,
            y in -3.0..3.0f32,
        ) {
            let planes: Vec<_> = list.into_iter().map(plane).collect();
            let wanted = Vec2::new(x, y);
            if let Ok(found) = best(&planes, 2.0, Aim::Near(wanted)) {
                prop_assert!(found.length() <= 2.0 + 1e-4);
                prop_assert!(planes.iter().all(|plane| plane.excess(found) <= 1e-3));
                let is_allowed = |v: &Vec2| planes.iter().all(|plane| plane.excess(*v) <= 0.0);
                for other in raster(2.0).filter(is_allowed) {
                    prop_assert!(found.distance(wanted) <= other.distance(wanted) + 1e-3);
                }
            } else {
                // Rounding decides about velocities that only touch a line.
                let is_well_allowed = |v: &Vec2| planes.iter().all(|plane| plane.excess(*v) <= -1e-3);
                prop_assert!(!raster(2.0).any(|v| is_well_allowed(&v)));
            }
        }

        #[test]
        fn no_velocity_breaks_less_where_all_is_forbidden(
            list in prop::collection::vec((-1.0..1.0f32, -1.0..1.0f32, 0.0..6.0f32), 3..8),
            fixed in 0..2usize,
        ) {
            let planes: Vec<_> = list.into_iter().map(plane).collect();
            prop_assume!(best(&planes, 2.0, Aim::Near(Vec2::ZERO)).is_err());
            let keeps = |v: Vec2| planes[..fixed].iter().all(|plane| plane.excess(v) <= 0.0);
            prop_assume!(best(&planes[..fixed], 2.0, Aim::Near(Vec2::ZERO)).is_ok());
            let found = nearest_allowed(&planes, fixed, 2.0, Vec2::ZERO, &mut Vec::new());
            let broken = |v: Vec2| planes[fixed..].iter().map(|plane| plane.excess(v)).fold(0.0, f32::max);
            prop_assert!(found.length() <= 2.0 + 1e-4);
            for other in raster(2.0).filter(|v| keeps(*v)) {
                prop_assert!(broken(found) <= broken(other) + 0.02, "{found} {other}");
            }
        }
    }
}
