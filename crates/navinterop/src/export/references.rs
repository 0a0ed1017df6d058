//! References to tiles, as assigned by a mesh that loads the set.

use crate::encoding::RefWidth;
use navmath::LimitError;

/// Bits of a 32-bit reference that tile and polygon share.
pub const SHARED_BITS: u32 = 22;
/// Bits of a 64-bit reference for the tile.
pub const TILE_BITS_64: u32 = 28;
/// Bits of a 64-bit reference for the polygon.
pub const POLYGON_BITS_64: u32 = 20;

/// The layout of a reference: polygon in the lowest bits, then tile, then a number that increases when a
/// tile's slot is reused.
pub(super) struct ReferenceBits {
    tile: u32,
    polygon: u32,
    pub(super) max_tiles: u32,
    pub(super) max_polygons: u32,
}

/// Most polygons per tile that references have bits for, with this many tiles.
pub(super) fn polygons_left(tiles: usize, width: RefWidth) -> usize {
    let tile = (tiles as u64).next_power_of_two().trailing_zeros();
    match width {
        RefWidth::Bits64 => 1 << POLYGON_BITS_64,
        RefWidth::Bits32 => 1 << SHARED_BITS.saturating_sub(tile),
    }
}

impl ReferenceBits {
    /// The numbers of tiles and of polygons per tile become powers of two. With 32 bits, polygons get all
    /// bits that tiles leave. With 64 bits both have fixed widths, but the library still reserves memory for
    /// all tiles that the set allows.
    pub(super) fn new(tiles: usize, polygons: usize, width: RefWidth) -> Result<ReferenceBits, LimitError> {
        let bits = |count: usize| (count as u64).next_power_of_two().trailing_zeros();
        let (tile, polygon) = (bits(tiles), bits(polygons));
        if width == RefWidth::Bits64 {
            let remedy = "write several sets";
            navmath::limit::check("tiles of a set", tiles as u64, 1 << TILE_BITS_64, remedy)?;
            // A tile's polygons are fewer than 2^17.
            let (max_tiles, max_polygons) = (1 << tile, 1 << polygon);
            return Ok(ReferenceBits {
                tile: TILE_BITS_64,
                polygon: POLYGON_BITS_64,
                max_tiles,
                max_polygons,
            });
        }
        let remedy = "write 64-bit references, or bake in other tiles";
        let what = "bits of a reference for tile and polygon";
        navmath::limit::check(what, (tile + polygon).into(), SHARED_BITS.into(), remedy)?;
        let polygon = SHARED_BITS - tile;
        Ok(ReferenceBits { tile, polygon, max_tiles: 1 << tile, max_polygons: 1 << polygon })
    }

    /// The first reference of the tile at this index.
    pub(super) fn tile_ref(&self, index: usize) -> u64 {
        1 << (self.tile + self.polygon) | (index as u64) << self.polygon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_cut_as_the_demo_does() {
        // 128 tiles take 7 bits, which leaves 15.
        let bits = ReferenceBits::new(128, 100, RefWidth::Bits32).unwrap();
        assert_eq!((bits.tile, bits.polygon), (7, 15));
        assert_eq!((bits.tile_ref(0), bits.tile_ref(1)), (0x40_0000, 0x40_8000));
        let solo = ReferenceBits::new(1, 4_000, RefWidth::Bits32).unwrap();
        assert_eq!((solo.tile, solo.tile_ref(0)), (0, 0x40_0000));
        let error = ReferenceBits::new(65_536, 65, RefWidth::Bits32).err().unwrap();
        assert_eq!((error.value, error.limit), (23, 22));
        let wide = ReferenceBits::new(65_536, 65, RefWidth::Bits64).unwrap();
        assert_eq!((wide.tile_ref(3), wide.max_tiles, wide.max_polygons), (1 << 48 | 3 << 20, 65_536, 128));
    }
}
