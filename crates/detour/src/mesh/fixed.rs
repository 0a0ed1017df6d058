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

/// Turns positions relative to an anchor into fixed-point units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToFixed {
    /// Units per metre, and the units at the anchor.
    scale: [f64; 3],
    zero: [f64; 3],
}

/// More than the rounding of positions in units, as far out as tiles can be.
const ROUNDING: f64 = 1.0 / 64.0;

impl ToFixed {
    pub(crate) fn new(lattice: &Lattice, anchor: [f64; 3]) -> ToFixed {
        let scale = lattice.cell().map(|cell| f64::from(FIXED_ONE) / cell);
        let zero = std::array::from_fn(|axis| (anchor[axis] - lattice.origin[axis]) * scale[axis]);
        ToFixed { scale, zero }
    }

    /// A box of whole units around a box of positions. Positions off the map saturate.
    #[inline]
    pub(crate) fn around(&self, min: Vec3, max: Vec3) -> FixedBox {
        let (min, max) = (min.to_array(), max.to_array());
        let units = |at: f32, axis: usize| f64::from(at) * self.scale[axis] + self.zero[axis];
        FixedBox {
            min: std::array::from_fn(|axis| floor(units(min[axis], axis) - ROUNDING)),
            max: std::array::from_fn(|axis| ceil(units(max[axis], axis) + ROUNDING)),
        }
    }
}

/// The largest integer that is at most `value`; saturates. `f64::floor` is a function call on processors of
/// the base instruction set.
#[inline]
pub(crate) fn floor(value: f64) -> i64 {
    let towards_zero = value as i64;
    towards_zero.saturating_sub(i64::from(towards_zero as f64 > value))
}

/// The smallest integer that is at least `value`; saturates.
#[inline]
fn ceil(value: f64) -> i64 {
    let towards_zero = value as i64;
    towards_zero.saturating_add(i64::from((towards_zero as f64) < value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_down_and_up() {
        for value in [0.0, 0.5, -0.5, 2.0, -2.0, 2.25, -2.75, 1e15 + 0.5, -1e15 - 0.5] {
            assert_eq!((floor(value), ceil(value)), (value.floor() as i64, value.ceil() as i64), "{value}");
        }
        for (value, saturated) in [(1e30, i64::MAX), (-1e30, i64::MIN)] {
            assert_eq!((floor(value), ceil(value)), (saturated, saturated));
        }
    }
}
