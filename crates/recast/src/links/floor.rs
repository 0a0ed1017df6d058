//! A floor of the ground that links are found on, and those beside it.
//! Units: cells from the lattice's zero.

/// No floor beside this one.
pub(super) const NO_FLOOR: u32 = u32::MAX;

/// A step to a floor of another tile, by its height, which is at most [`crate::input::MAX_GRID_HEIGHT`]; also the height of such a step. Floors of
/// a tile have lower numbers.
#[inline]
pub(super) fn over_seam(height_or_step: u32) -> u32 {
    NO_FLOOR - 1 - height_or_step
}

/// Whether a step leads to another tile, or nowhere.
#[inline]
pub(super) fn is_over_seam(step: u32) -> bool {
    step > i32::MAX.cast_unsigned()
}

/// A floor that an agent can stand on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GroundFloor {
    /// Lattice column.
    pub(super) at: [i32; 2],
    pub(super) height: i32,
    /// Its island: within the tile, or the number of that island in the level's list.
    pub(super) island: u32,
    /// By [`crate::data::Direction`]: the number of the floor that can be stepped to, in the tile or in the level, or [`NO_FLOOR`]. In a tile by itself, one
    /// over a seam is known by its height, as [`over_seam`] has it.
    pub(super) beside: [u32; 4],
}

impl GroundFloor {
    /// Whether the ground ends on a side of the floor that a direction leads over.
    #[inline]
    pub(super) fn ends_towards(&self, direction: [i32; 2]) -> bool {
        self.ends() & sides_of(direction) != 0
    }

    /// On which sides the ground ends: bit 0 for smaller x, then larger z, larger x and smaller z.
    #[inline]
    pub(super) fn ends(&self) -> u32 {
        (0..).zip(self.beside).fold(0, |sides, (side, beside)| sides | u32::from(beside == NO_FLOOR) << side)
    }
}

/// The sides that a direction leads over, as [`GroundFloor::ends`] has them.
pub(super) fn sides_of([dx, dz]: [i32; 2]) -> u32 {
    u32::from(dx < 0) | u32::from(dz > 0) << 1 | u32::from(dx > 0) << 2 | u32::from(dz < 0) << 3
}
