//! Axis-aligned boxes: `Box3` over f32 metres, `IBox3` over lattice or fixed-point integers.

use glam::Vec3;

/// An axis-aligned box over floats; `min <= max` on every axis unless it is empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Box3 {
    /// Smallest corner.
    pub min: Vec3,
    /// Largest corner.
    pub max: Vec3,
}

impl Box3 {
    /// The empty box. Growing it by a point gives the box of that point.
    pub const EMPTY: Box3 = Box3 { min: Vec3::splat(f32::INFINITY), max: Vec3::splat(f32::NEG_INFINITY) };

    /// The smallest box around all `points`; [`Box3::EMPTY`] without points.
    #[inline]
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Box3 {
        points.into_iter().fold(Box3::EMPTY, Box3::grown)
    }

    /// This box, grown to contain `point`.
    #[must_use]
    #[inline]
    pub fn grown(self, point: Vec3) -> Box3 {
        Box3 { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Returns true if the two closed boxes share at least one point.
    #[inline]
    pub fn overlaps(&self, other: &Box3) -> bool {
        self.min.cmple(other.max).all() && self.max.cmpge(other.min).all()
    }

    /// Returns true if the box contains no point.
    #[inline]
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }
}

/// An axis-aligned box over integers, both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IBox3 {
    /// Smallest corner.
    pub min: [i32; 3],
    /// Largest corner.
    pub max: [i32; 3],
}

impl IBox3 {
    /// The empty box.
    pub const EMPTY: IBox3 = IBox3 { min: [i32::MAX; 3], max: [i32::MIN; 3] };

    /// The smallest box around all `points`; [`IBox3::EMPTY`] without points.
    #[inline]
    pub fn around(points: impl IntoIterator<Item = [i32; 3]>) -> IBox3 {
        points.into_iter().fold(IBox3::EMPTY, IBox3::grown)
    }

    /// This box, grown to contain `point`.
    #[must_use]
    #[inline]
    pub fn grown(mut self, point: [i32; 3]) -> IBox3 {
        let [x, y, z] = point;
        let (min, max) = (&mut self.min, &mut self.max);
        *min = [min[0].min(x), min[1].min(y), min[2].min(z)];
        *max = [max[0].max(x), max[1].max(y), max[2].max(z)];
        self
    }

    /// The smallest box that contains both.
    #[must_use]
    #[inline]
    pub fn union(self, other: IBox3) -> IBox3 {
        self.grown(other.min).grown(other.max)
    }

    /// Returns true if the two closed boxes share at least one point.
    #[inline]
    pub fn overlaps(&self, other: &IBox3) -> bool {
        (0..3).all(|axis| self.min[axis] <= other.max[axis] && self.max[axis] >= other.min[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_grow_and_touch() {
        let a = Box3::around([Vec3::ZERO, Vec3::new(1.0, 2.0, -1.0)]);
        assert_eq!((a.min, a.max), (Vec3::new(0.0, 0.0, -1.0), Vec3::new(1.0, 2.0, 0.0)));
        let touching = Box3::around([Vec3::new(1.0, 0.0, 0.0), Vec3::new(3.0, 1.0, 0.0)]);
        assert!(a.overlaps(&touching));
        assert!(!a.overlaps(&Box3::EMPTY) && Box3::EMPTY.is_empty());
    }

    #[test]
    fn integer_boxes_unite() {
        let a = IBox3::around([[0, 0, 0], [4, 1, 2]]);
        let b = IBox3::around([[5, 0, 0], [6, 1, 2]]);
        assert!(!a.overlaps(&b));
        assert_eq!(a.union(b), IBox3 { min: [0, 0, 0], max: [6, 1, 2] });
    }
}
