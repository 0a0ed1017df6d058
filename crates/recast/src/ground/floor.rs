//! A floor of the ground that links are found on, and its neighbours.
//! Units: cells from the lattice's zero.

/// Steps along x and z, by `Direction`.
pub const OFFSETS: [[i32; 2]; 4] = [[-1, 0], [0, 1], [1, 0], [0, -1]];

/// There is no floor on this side.
pub const NO_FLOOR: u32 = u32::MAX;

/// Encodes a step to a floor of another tile by the floor's height, which is at most
/// [`crate::input::MAX_GRID_HEIGHT`]; also decodes such a step to its height. Floors of a tile have lower
/// numbers.
#[inline]
pub fn over_seam(height_or_step: u32) -> u32 {
    NO_FLOOR - 1 - height_or_step
}

/// Returns true if a step leads to another tile, or nowhere.
#[inline]
pub fn is_over_seam(step: u32) -> bool {
    step > i32::MAX.cast_unsigned()
}

/// A floor of the ground that links are found on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundFloor {
    /// Lattice column.
    pub at: [i32; 2],
    /// Its height, cells.
    pub height: i32,
    /// Its island: the number within the tile, or the index in the level's list of islands.
    pub island: u32,
    /// Neighbours by [`crate::data::Direction`]: the number of the floor that a step leads to, in the tile or
    /// in the level, or [`NO_FLOOR`]. While a tile is by itself, a step over a seam is stored as
    /// [`over_seam`] encodes it.
    pub beside: [u32; 4],
}

impl GroundFloor {
    /// Returns true if the ground ends on a side of the floor that a direction leads over.
    #[inline]
    pub fn ends_towards(&self, direction: [i32; 2]) -> bool {
        self.ends() & sides_of(direction) != 0
    }

    /// The sides on which the ground ends: bit 0 for smaller x, then larger z, larger x and smaller z.
    #[inline]
    pub fn ends(&self) -> u32 {
        (0..).zip(self.beside).fold(0, |sides, (side, beside)| sides | u32::from(beside == NO_FLOOR) << side)
    }
}

/// The sides that a direction leads over, encoded as in [`GroundFloor::ends`].
pub fn sides_of([dx, dz]: [i32; 2]) -> u32 {
    u32::from(dx < 0) | u32::from(dz > 0) << 1 | u32::from(dx > 0) << 2 | u32::from(dz < 0) << 3
}
