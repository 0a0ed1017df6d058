//! Area ids: kinds of surfaces. Costs and flags are given per area; see [`crate::settings::AreaDefinition`].

use bytemuck::{Pod, Zeroable};

/// The kind of a surface, an id of 1..=255; 0 is no walkable surface at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct AreaId(pub u8);

impl AreaId {
    /// Not walkable.
    pub const NULL: AreaId = AreaId(0);
    /// Plain walkable ground, the area of every triangle that names no other.
    pub const GROUND: AreaId = AreaId(63);

    /// Whether anything can walk here.
    #[inline]
    pub fn is_walkable(self) -> bool {
        self != AreaId::NULL
    }
}
