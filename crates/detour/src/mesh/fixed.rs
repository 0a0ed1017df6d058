//! Fixed-point coordinates of the lattice, and how they become metres from the anchor.

use glam::Vec3;
use navmath::{FIXED_ONE, Lattice};
use navtile::Tile;

/// A box in global fixed-point units, 1/256 cell from the lattice's zero. Both corners are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FixedBox {
    pub(crate) min: [i64; 3],
    pub(crate) max: [i64; 3],
}

impl FixedBox {
    pub(crate) fn overlaps(&self, other: &FixedBox) -> bool {
        (0..3).all(|axis| self.min[axis] <= other.max[axis] && self.max[axis] >= other.min[axis])
    }

    pub(crate) fn union(&self, other: &FixedBox) -> FixedBox {
        FixedBox {
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
        }
    }
}

/// Turns the fixed-point positions of a tile into metres from the anchor, rounding once: a position that
/// several tiles share gets the same bits from each.
pub(crate) struct ToMetres {
    anchor: [f64; 3],
    origin: [f64; 3],
    base: [f64; 3],
    step: [f64; 3],
}

impl ToMetres {
    /// For positions relative to `base_cell`.
    pub(crate) fn new(lattice: &Lattice, anchor: [f64; 3], base_cell: [i64; 3]) -> ToMetres {
        let base = base_cell.map(|cell| (cell * i64::from(FIXED_ONE)) as f64);
        let step = lattice.cell().map(|cell| cell / f64::from(FIXED_ONE));
        ToMetres { anchor, origin: lattice.origin, base, step }
    }

    /// Converts a position, which may be between fixed-point steps.
    #[inline]
    pub(crate) fn position(&self, fixed: [f64; 3]) -> Vec3 {
        let position: [f32; 3] = std::array::from_fn(|axis| {
            let world = self.origin[axis] + (self.base[axis] + fixed[axis]) * self.step[axis];
            (world - self.anchor[axis]) as f32
        });
        Vec3::from_array(position)
    }

    /// Converts a vector.
    pub(crate) fn vector(&self, fixed: [f64; 3]) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|axis| (fixed[axis] * self.step[axis]) as f32))
    }

    /// Converts a vertex.
    #[inline]
    pub(crate) fn vertex(&self, vertex: [i32; 3]) -> Vec3 {
        self.position(vertex.map(f64::from))
    }

    /// The corners of the box around the vertices of a tile. Rounding is monotone, so no vertex is outside.
    pub(crate) fn bounds(&self, tile: &Tile) -> [Vec3; 2] {
        let header = tile.header();
        [self.vertex(header.bounds_min), self.vertex(header.bounds_max)]
    }
}
