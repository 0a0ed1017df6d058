//! Triangles as a set: a digest that does not depend on their order, nor on how the sum was split.

use navmath::{Digest, Hasher, Lattice};
use navtile::area::AreaId;

/// A sum over triangles, which gives the digest of a level. Parts of a level can be summed separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriangleSum {
    /// Number of triangles.
    pub count: u64,
    /// The sum of their hashes.
    pub sum: u128,
}

impl TriangleSum {
    /// The sum over one triangle, metres from the lattice's zero.
    pub fn of_triangle(corners: [[f32; 3]; 3], area: AreaId) -> TriangleSum {
        TriangleSum::of(&row_of(corners, area))
    }

    pub(crate) fn of(row: &[u32; 10]) -> TriangleSum {
        TriangleSum { count: 1, sum: u128::from_le_bytes(Hasher::of_u32s(row).0) }
    }

    /// The sum over both. It does not depend on their order.
    #[must_use]
    pub fn and(self, other: TriangleSum) -> TriangleSum {
        TriangleSum { count: self.count + other.count, sum: self.sum.wrapping_add(other.sum) }
    }

    /// The digest of a level of these triangles ([`crate::PreparedLevel::geometry_digest`]).
    pub fn digest(&self, lattice: &Lattice) -> Digest {
        Hasher::new()
            .write_f64s(&lattice.origin)
            .write_u64s(&[self.count])
            .write_u8s(&self.sum.to_le_bytes())
            .finish()
    }
}

/// A triangle as numbers that do not depend on its position in the level's lists: its corners, the smallest
/// first, by their bits, and its area.
pub(crate) fn row_of(corners: [[f32; 3]; 3], area: AreaId) -> [u32; 10] {
    let corners = canonical_corners(corners);
    let mut row = [0; 10];
    for (slot, value) in row.iter_mut().zip(corners.iter().flatten()) {
        *slot = value.to_bits();
    }
    row[9] = u32::from(area.0);
    row
}

/// A triangle with its smallest corner first, so that results do not depend on how the level numbers its
/// corners. The winding is kept.
#[inline]
pub fn canonical_corners(corners: [[f32; 3]; 3]) -> [[f32; 3]; 3] {
    let [a, b, c] = corners;
    let less = |p: &[f32; 3], q: &[f32; 3]| navmath::order::cmp_points(p, q).is_lt();
    if less(&b, &a) {
        if less(&c, &b) { [c, a, b] } else { [b, c, a] }
    } else if less(&c, &a) {
        [c, a, b]
    } else {
        corners
    }
}
