//! References to polygons and off-mesh links at run time: salt 20 bits, slot 24 bits, polygon 20 bits.

use navmath::LimitError;
use navmath::limit::check;
use std::fmt;
use std::num::NonZeroU64;

const POLYGON_BITS: u32 = 20;
const SLOT_BITS: u32 = 24;
const SALT_BITS: u32 = 20;

/// A reference to one polygon of one tile, valid as long as that tile stays in the mesh. `Option<PolyRef>`
/// has the same size.
///
/// It may also name an off-mesh link that starts in the tile: links are numbered after the tile's polygons,
/// and [`NavMesh::is_off_mesh`](crate::NavMesh::is_off_mesh) distinguishes them. Paths and links of the graph
/// use both. Functions that need a surface accept polygons only; their documentation says so.
///
/// The salt distinguishes a tile from earlier tiles in its slot, so that a reference that has outlived its
/// tile is detected. Salts start at 1 and wrap around after 1,048,575 changes of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PolyRef(NonZeroU64);

impl PolyRef {
    /// Largest salt.
    pub const MAX_SALT: u32 = (1 << SALT_BITS) - 1;
    /// Largest slot: a mesh holds up to 16,777,216 tiles.
    pub const MAX_SLOT: u32 = (1 << SLOT_BITS) - 1;
    /// Largest polygon index: a tile holds up to 1,048,576 polygons and off-mesh links.
    pub const MAX_POLYGON: u32 = (1 << POLYGON_BITS) - 1;

    /// The smallest reference.
    pub(crate) const FIRST: PolyRef = PolyRef(NonZeroU64::MIN);
    /// The largest reference.
    pub(crate) const LAST: PolyRef = PolyRef(NonZeroU64::MAX);

    /// Packs the three parts. Refuses a part that is too large, and a salt of 0.
    pub fn new(salt: u32, slot: u32, polygon: u32) -> Result<PolyRef, LimitError> {
        let remedy = "load fewer or smaller tiles";
        for (what, value, limit) in [
            ("salt of a polygon reference", salt, Self::MAX_SALT),
            ("tile slot of a polygon reference", slot, Self::MAX_SLOT),
            ("polygon index of a polygon reference", polygon, Self::MAX_POLYGON),
        ] {
            check(what, value.into(), limit.into(), remedy)?;
        }
        Self::from_bits(Self::pack(salt, slot, polygon)).ok_or(LimitError {
            what: "salt of a polygon reference",
            value: 0,
            limit: u64::from(Self::MAX_SALT),
            remedy: "salts start at 1",
        })
    }

    /// Packs parts that the mesh checked when the tile was added.
    #[inline]
    pub(crate) fn from_checked(salt: u32, slot: u32, polygon: u32) -> PolyRef {
        debug_assert!(salt != 0 && slot <= Self::MAX_SLOT && polygon <= Self::MAX_POLYGON);
        PolyRef(NonZeroU64::new(Self::pack(salt, slot, polygon)).expect("salts start at 1"))
    }

    /// A reference to the polygon or off-mesh link of the same tile with this index.
    #[inline]
    pub(crate) fn with_index(self, polygon: u32) -> PolyRef {
        debug_assert!(polygon <= Self::MAX_POLYGON);
        let bits = self.0.get() & !u64::from(Self::MAX_POLYGON) | u64::from(polygon);
        PolyRef(NonZeroU64::new(bits).expect("salts start at 1"))
    }

    #[inline]
    fn pack(salt: u32, slot: u32, polygon: u32) -> u64 {
        u64::from(salt) << (SLOT_BITS + POLYGON_BITS) | u64::from(slot) << POLYGON_BITS | u64::from(polygon)
    }

    /// The reference with these bits; `None` if its salt would be 0.
    #[inline]
    pub fn from_bits(bits: u64) -> Option<PolyRef> {
        if bits >> (SLOT_BITS + POLYGON_BITS) == 0 {
            return None;
        }
        NonZeroU64::new(bits).map(PolyRef)
    }

    /// The bits, for [`PolyRef::from_bits`].
    #[inline]
    pub fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// The salt: the number of the tile among all tiles that were in the slot.
    #[inline]
    pub fn salt(self) -> u32 {
        (self.0.get() >> (SLOT_BITS + POLYGON_BITS)) as u32
    }

    /// The slot of the tile.
    #[inline]
    pub fn slot(self) -> u32 {
        (self.0.get() >> POLYGON_BITS) as u32 & Self::MAX_SLOT
    }

    /// Returns true if both belong to the same tile.
    #[inline]
    pub(crate) fn is_of_tile_of(self, other: PolyRef) -> bool {
        self.0.get() >> POLYGON_BITS == other.0.get() >> POLYGON_BITS
    }

    /// The polygon's index in its tile; for an off-mesh link its own number plus the number of polygons.
    #[inline]
    pub fn polygon(self) -> u32 {
        self.0.get() as u32 & Self::MAX_POLYGON
    }
}

impl fmt::Display for PolyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}#{}", self.slot(), self.polygon(), self.salt())
    }
}

impl fmt::Debug for PolyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PolyRef({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_survive_packing_at_their_limits() {
        for (salt, slot, polygon) in
            [(1, 0, 0), (7, 8, 9), (PolyRef::MAX_SALT, PolyRef::MAX_SLOT, PolyRef::MAX_POLYGON)]
        {
            let reference = PolyRef::new(salt, slot, polygon).unwrap();
            assert_eq!((reference.salt(), reference.slot(), reference.polygon()), (salt, slot, polygon));
            assert_eq!(PolyRef::from_bits(reference.to_bits()), Some(reference));
        }
        assert_eq!(PolyRef::new(7, 8, 9).unwrap().to_string(), "8/9#7");
        assert_eq!(size_of::<Option<PolyRef>>(), 8);
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        assert!(PolyRef::new(0, 1, 1).is_err());
        assert!(PolyRef::new(PolyRef::MAX_SALT + 1, 0, 0).is_err());
        assert!(PolyRef::new(1, PolyRef::MAX_SLOT + 1, 0).is_err());
        assert!(PolyRef::new(1, 0, PolyRef::MAX_POLYGON + 1).is_err());
        assert_eq!(PolyRef::from_bits(5), None);
    }
}
