//! Points of interest: agents near them are simulated in full, others coarsely.

use crate::error::{CrowdError, check_position, check_range};
use crate::stored::{Reader, Stored};
use detour::Vec3;

/// The largest radius, metres.
const LARGEST: f32 = 1e6;

/// Points of interest, and the radius around them in which agents are simulated in full. Without points, all
/// are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interest {
    points: Vec<Vec3>,
    radius: f32,
}

impl Interest {
    pub(crate) fn set(&mut self, points: &[Vec3], radius: f32) -> Result<(), CrowdError> {
        points.iter().try_for_each(|point| check_position("a point of interest", *point))?;
        check_range("the radius of interest", radius, 0.0..=LARGEST, " m")?;
        self.points.clear();
        self.points.extend_from_slice(points);
        self.radius = radius;
        Ok(())
    }

    /// Returns true if a position is far from all points.
    pub(crate) fn is_far(&self, position: Vec3) -> bool {
        let reach = self.radius * self.radius;
        !self.points.is_empty() && self.points.iter().all(|point| point.distance_squared(position) > reach)
    }
}

impl Stored for Interest {
    fn write(&self, out: &mut Vec<u8>) {
        (self.points.clone(), self.radius).write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let (points, radius): (Vec<Vec3>, f32) = Stored::read(from)?;
        let mut interest = Interest::default();
        interest.set(&points, radius)?;
        Ok(interest)
    }
}
