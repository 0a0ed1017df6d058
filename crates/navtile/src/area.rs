//! Areas: the kind of a surface as an id, and the name, flags and cost of each id.

use bytemuck::{Pod, Zeroable};

/// The kind of a surface, an id of 1..=255; 0 is no walkable surface at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct AreaId(pub u8);

impl AreaId {
    /// Not walkable.
    pub const NULL: AreaId = AreaId(0);
    /// Plain walkable ground, the area of every triangle that names no other area.
    pub const GROUND: AreaId = AreaId(63);

    /// Returns true if agents can walk on surfaces of this area.
    #[inline]
    pub fn is_walkable(self) -> bool {
        self != AreaId::NULL
    }
}

/// The flags of plain ground, and of areas without a definition.
pub const GROUND_FLAGS: u32 = 1;

/// The meaning of an area id.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct AreaDefinition {
    /// 1..=255.
    pub id: AreaId,
    /// Name, unique, not empty.
    pub name: String,
    /// Flags that polygons of this area carry.
    pub flags: u32,
    /// Cost per metre, finite and at least 0.001.
    pub cost: f32,
    /// Decides between surfaces that are within one climb of each other: the area with the highest priority
    /// counts. At equal priority ground gives way, then the area with the lower id. Files do not store it,
    /// because the bake has already applied it.
    pub priority: i32,
    /// Red, green and blue in pictures; `None` for the colour that follows from name and id.
    pub colour: Option<[u8; 3]>,
}

impl AreaDefinition {
    /// An area that differs from ground only in its id and name.
    pub fn new(id: AreaId, name: impl Into<String>) -> AreaDefinition {
        AreaDefinition { id, name: name.into(), ..AreaDefinition::ground() }
    }

    /// Plain ground: area 63, flag 1, cost 1.
    pub fn ground() -> AreaDefinition {
        AreaDefinition {
            id: AreaId::GROUND,
            name: "ground".to_owned(),
            flags: GROUND_FLAGS,
            cost: 1.0,
            priority: 0,
            colour: None,
        }
    }
}
