//! The one global voxel lattice: an origin in f64, a cell size for x and z, a cell height for y.
//!
//! Tiles, borders and voxels are integer positions on it, so that neighbours agree to the bit and precision
//! does not decrease with the distance from the origin. Positions that leave the bake are fixed-point: 1/256
//! of a cell, relative to a tile's base cell.

use crate::predicates::COORD_LIMIT;
use std::error::Error;
use std::fmt;

/// Bits of fraction in a fixed-point position.
pub const FIXED_SHIFT: u32 = 8;
/// One cell in fixed-point units.
pub const FIXED_ONE: i32 = 1 << FIXED_SHIFT;

/// The global voxel lattice. Right-handed, Y up, metres.
///
/// ```
/// use navmath::{FIXED_ONE, Lattice};
///
/// let lattice = Lattice::new([100.0, 0.0, -20.0], 0.5, 0.25)?;
/// // Two cells from the cell (8, 0, 4), and half a cell up.
/// let fixed = [2 * FIXED_ONE, FIXED_ONE / 2, 0];
/// let world = lattice.fixed_to_world(fixed, [8, 0, 4]);
/// assert_eq!(world, [105.0, 0.125, -18.0]);
/// assert_eq!(lattice.world_to_fixed(world, [8, 0, 4]), Some(fixed));
/// # Ok::<(), navmath::LatticeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// World position of the lattice's zero, metres.
    pub origin: [f64; 3],
    /// Width of a cell in x and z, metres; positive and finite.
    pub cell_size: f64,
    /// Height of a cell, metres; positive and finite.
    pub cell_height: f64,
}

/// The reason why a lattice is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum LatticeError {
    /// A cell measure is zero, negative, NaN or infinite.
    CellMeasure {
        /// `cell size` or `cell height`.
        name: &'static str,
        /// The value given.
        value: f64,
    },
    /// The origin is NaN or infinite.
    Origin([f64; 3]),
}

impl fmt::Display for LatticeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LatticeError::CellMeasure { name, value } => {
                write!(f, "{name} is {value}: it must be a positive, finite number of metres")
            }
            LatticeError::Origin(origin) => write!(f, "lattice origin {origin:?} is not finite"),
        }
    }
}

impl Error for LatticeError {}

impl Lattice {
    /// Makes a lattice, refusing measures that are not positive and finite.
    pub fn new(origin: [f64; 3], cell_size: f64, cell_height: f64) -> Result<Lattice, LatticeError> {
        for (name, value) in [("cell size", cell_size), ("cell height", cell_height)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(LatticeError::CellMeasure { name, value });
            }
        }
        if !origin.iter().all(|v| v.is_finite()) {
            return Err(LatticeError::Origin(origin));
        }
        Ok(Lattice { origin, cell_size, cell_height })
    }

    /// Metres along each axis for one cell.
    #[inline]
    pub fn cell(&self) -> [f64; 3] {
        [self.cell_size, self.cell_height, self.cell_size]
    }

    /// A world position as metres from the lattice's origin: subtracted in f64, rounded once.
    #[inline]
    pub fn to_local(&self, world: [f64; 3]) -> [f32; 3] {
        std::array::from_fn(|axis| (world[axis] - self.origin[axis]) as f32)
    }

    /// The world position of a fixed-point position relative to `base_cell`.
    #[inline]
    pub fn fixed_to_world(&self, fixed: [i32; 3], base_cell: [i64; 3]) -> [f64; 3] {
        let cell = self.cell();
        std::array::from_fn(|axis| {
            // As an integer it is exact up to 2^53 of 1/256 cells. One multiplication and one addition round
            // it.
            let global = base_cell[axis] * i64::from(FIXED_ONE) + i64::from(fixed[axis]);
            self.origin[axis] + global as f64 * (cell[axis] / f64::from(FIXED_ONE))
        })
    }

    /// The fixed-point position, relative to `base_cell`, nearest to a world position; `None` if it is not
    /// finite, or beyond [`COORD_LIMIT`], up to which predicates are exact.
    #[inline]
    pub fn world_to_fixed(&self, world: [f64; 3], base_cell: [i64; 3]) -> Option<[i32; 3]> {
        let cell = self.cell();
        let mut fixed = [0; 3];
        for axis in 0..3 {
            let cells = (world[axis] - self.origin[axis]) / cell[axis] - base_cell[axis] as f64;
            let value = (cells * f64::from(FIXED_ONE)).round();
            // Written so that NaN is refused.
            if !(-f64::from(COORD_LIMIT)..=f64::from(COORD_LIMIT)).contains(&value) {
                return None;
            }
            fixed[axis] = value as i32;
        }
        Some(fixed)
    }
}

/// Rounds a quotient within 1e-4 of an integer to that integer, so that 0.3 / 0.1 is 3 before ceil or floor.
pub fn snap_quotient(quotient: f64) -> f64 {
    let nearest = quotient.round();
    if (quotient - nearest).abs() <= 1e-4 { nearest } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bad_measures_are_refused() {
        assert!(Lattice::new([0.0; 3], 0.0, 0.2).is_err());
        assert!(Lattice::new([0.0; 3], 0.3, f64::NAN).is_err());
        assert!(Lattice::new([f64::INFINITY, 0.0, 0.0], 0.3, 0.2).is_err());
    }

    #[test]
    fn positions_beyond_exact_predicates_have_no_fixed_point() {
        let lattice = Lattice::new([0.0; 3], 1.0, 1.0).unwrap();
        let at = |fixed: f64| lattice.world_to_fixed([fixed / f64::from(FIXED_ONE), 0.0, 0.0], [0; 3]);
        let limit = f64::from(COORD_LIMIT);
        assert_eq!((at(limit), at(-limit)), (Some([COORD_LIMIT, 0, 0]), Some([-COORD_LIMIT, 0, 0])));
        // The smallest i32 has no absolute value.
        for beyond in [limit + 1.0, -limit - 1.0, f64::from(i32::MIN), f64::from(i32::MAX), 1e300, f64::NAN] {
            assert_eq!(at(beyond), None, "{beyond}");
        }
    }

    #[test]
    fn quotients_snap() {
        assert_eq!(snap_quotient(0.3 / 0.1), 3.0);
        assert_eq!(snap_quotient(4.5), 4.5);
    }

    proptest! {
        #[test]
        fn fixed_points_survive_the_world(x in -1_000_000i32..1_000_000, y in -1_000i32..1_000, base in -1_000_000i64..1_000_000) {
            let lattice = Lattice::new([1234.5, -7.25, 1e6], 0.3, 0.2).unwrap();
            let cell = [base, 3, -base];
            let world = lattice.fixed_to_world([x, y, -x], cell);
            prop_assert_eq!(lattice.world_to_fixed(world, cell), Some([x, y, -x]));
        }
    }
}
