//! Bodies that are not agents.

use super::plan::DiscCourse;
use crowd::MovingDisc;
use detour::{NavMesh, Vec3};

/// Position of a disc. It moves from place to place, and from the last place to the first.
pub(super) fn disc_at(disc: &DiscCourse, time: f64, mesh: &NavMesh) -> MovingDisc {
    let places: Vec<Vec3> = disc.course.iter().map(|point| mesh.from_world(*point)).collect();
    let legs = || places.iter().zip(places.iter().cycle().skip(1));
    let whole: f32 = legs().map(|(a, b)| a.distance(*b)).sum();
    let mut rest = if whole > 0.0 { (f64::from(disc.speed) * time % f64::from(whole)) as f32 } else { 0.0 };
    let (mut position, mut velocity) = (places.first().copied().unwrap_or_default(), Vec3::ZERO);
    for (a, b) in legs() {
        let length = a.distance(*b);
        if rest < length {
            velocity = (*b - *a) / length * disc.speed;
            position = a.lerp(*b, rest / length);
            break;
        }
        rest -= length;
    }
    MovingDisc { position, velocity, radius: disc.radius, height: disc.height, layers: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_goes_round() {
        let course = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 3.0]];
        let mut disc = DiscCourse { radius: 1.0, height: 2.0, speed: 2.0, course };
        let mesh = NavMesh::default();
        let at = |disc: &DiscCourse, time: f64| disc_at(disc, time, &mesh).position.to_array();
        assert_eq!(at(&disc, 1.0), [2.0, 0.0, 0.0]);
        assert_eq!(at(&disc, 3.0), [4.0, 0.0, 2.0]);
        assert_eq!(at(&disc, 6.0 + 1.0), [2.0, 0.0, 0.0]);
        assert_eq!(disc_at(&disc, 1.0, &mesh).velocity, Vec3::X * 2.0);
        disc.course.truncate(1);
        assert_eq!((at(&disc, 5.0), disc_at(&disc, 5.0, &mesh).velocity), ([0.0; 3], Vec3::ZERO));
    }
}
