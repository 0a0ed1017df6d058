//! Tiles of this crate to tiles of Detour.
//!
//! What Detour has no room for is an error that names the tile, the place and the limit: more than 65,535 vertices
//! or 32,767 polygons a tile, areas above 63 (but [`AREA_ZERO`], which becomes 0 again), flags of more than 16 bits,
//! detail meshes whose corners and vertices do not fit a byte, off-mesh links that end farther than in a
//! neighbouring tile. Polygons of more than six corners are split, with their detail meshes.
//!
//! Positions become f32 world metres, rounded once; how far that moves them is measured and told.

mod connection;
mod detail;
mod grid;
mod pieces;
mod split;
mod tile;
mod tree;

use super::mset::{NavMeshParams, SetTile, TileSet};
use super::{AREA_ZERO, Encoding, RefWidth};
use crate::tile::{Tile, TileCoord};
use grid::Grid;
use navmath::LimitError;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// Bits of a 32-bit reference that tile and polygon share.
pub const SHARED_BITS: u32 = 22;
/// Bits of a 64-bit reference for the tile.
pub const TILE_BITS_64: u32 = 28;
/// Bits of a 64-bit reference for the polygon.
pub const POLYGON_BITS_64: u32 = 20;
/// Largest area.
pub const AREA_LIMIT: u8 = 63;
/// Most polygons of a tile: neighbours are told by 15 bits, one of their values means none.
pub const POLYGON_LIMIT: usize = 0x7fff;
/// Most vertices of a tile.
pub const VERTEX_LIMIT: usize = 0xffff;

/// What an export gives.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The set, little-endian, tiles in canonical order. A tile of it can be written by itself.
    pub set: TileSet,
    /// What had to be changed on the way.
    pub diagnostics: Vec<ExportDiagnostic>,
    /// How far the position that moved most along each axis was moved, metres.
    pub largest_error: [f64; 3],
}

/// Something that had to be changed, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportDiagnostic {
    /// The tile.
    pub coord: TileCoord,
    /// World position, metres.
    pub at: [f64; 3],
    /// What was done.
    pub change: Change,
}

/// What was changed. Polygons are numbered as in the tile that was exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A polygon of more than six corners was split.
    Split {
        /// The polygon.
        polygon: u32,
        /// What it became.
        pieces: usize,
    },
    /// Polygons and off-mesh links without flags got flag 1: Detour would let nobody pass.
    Flagged {
        /// How many.
        count: usize,
    },
    /// A tile without polygons was left out.
    Empty,
}

impl fmt::Display for ExportDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileCoord { x, z, layer } = self.coord;
        write!(f, "tile ({x}, {z}, {layer}): ")?;
        match self.change {
            Change::Split { polygon, pieces } => {
                write!(f, "polygon {polygon} has more than six corners: it was split into {pieces}")?;
            }
            Change::Flagged { count } => {
                write!(f, "{count} polygons and links have no flags: they got flag 1")?
            }
            Change::Empty => write!(f, "it has no polygons and was left out")?,
        }
        let [x, y, z] = self.at;
        write!(f, ", at {x:.2}, {y:.2}, {z:.2}")
    }
}

/// What Detour has no room for.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ExportError {
    /// There are no polygons.
    #[error("there are no polygons to export: bake the level first")]
    Nothing,
    /// A number does not fit.
    #[error("tile ({}, {}, {}), at {:.2}, {:.2}, {:.2}: {source}", coord.x, coord.z, coord.layer, at[0], at[1], at[2])]
    Limit {
        /// Which tile.
        coord: TileCoord,
        /// World position, metres.
        at: [f64; 3],
        /// The limit.
        source: LimitError,
    },
    /// Tiles that make no regular grid.
    #[error("tile ({}, {}, {}): {what}: expected {expected}, found {found}: {remedy}", coord.x, coord.z, coord.layer)]
    Grid {
        /// Which tile.
        coord: TileCoord,
        /// What of it.
        what: &'static str,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
        /// What the user can do.
        remedy: &'static str,
    },
    /// The whole set does not fit references.
    #[error(transparent)]
    Set(LimitError),
}

/// Exports tiles of one lattice as a set.
///
/// Errors: no polygons; tiles that make no regular grid; what Detour has no room for; positions so far from zero
/// that f32 would move them by more than a quarter of a cell.
pub fn export(tiles: &[Tile], width: RefWidth) -> Result<Exported, ExportError> {
    let mut order: Vec<&Tile> = tiles.iter().collect();
    order.sort_by_key(|tile| tile.coord());
    let grid = Grid::of(&order)?;
    let mut arrivals: BTreeMap<[i32; 3], u32> = BTreeMap::new();
    for link in order.iter().flat_map(|tile| tile.off_mesh_links()) {
        *arrivals.entry(link.end_tile).or_default() += 1;
    }
    let mut notes = tile::Notes::default();
    let mut exported = Vec::new();
    for tile in order {
        let coord = tile.coord();
        if tile.polygons().is_empty() {
            notes.note(tile, [0; 3], Change::Empty);
            continue;
        }
        let arriving = arrivals.get(&[coord.x, coord.z, coord.layer]).copied().unwrap_or(0);
        exported.push(tile::export(tile, arriving, &mut notes)?);
    }
    let most = exported.iter().map(|tile| tile.polygons.len()).max().ok_or(ExportError::Nothing)?;
    let bits = ReferenceBits::new(exported.len(), most, width).map_err(ExportError::Set)?;
    let params = NavMeshParams {
        origin: grid.origin.map(|value| value as f32),
        tile_width: grid.size[0] as f32,
        tile_height: grid.size[1] as f32,
        max_tiles: bits.max_tiles,
        max_polygons: bits.max_polygons,
    };
    let tiles = exported.into_iter().enumerate();
    let tiles = tiles.map(|(index, tile)| SetTile { tile_ref: bits.tile_ref(index), tile }).collect();
    Ok(Exported {
        set: TileSet { encoding: Encoding { width, ..Encoding::default() }, params, tiles },
        diagnostics: notes.diagnostics,
        largest_error: notes.largest_error,
    })
}

/// How a reference is cut up: polygon in the lowest bits, then tile, then a number that grows when a tile's place
/// is used again.
struct ReferenceBits {
    tile: u32,
    polygon: u32,
    max_tiles: u32,
    max_polygons: u32,
}

impl ReferenceBits {
    /// Numbers of tiles and of polygons a tile become powers of two. With 32 bits, polygons get all that tiles leave;
    /// with 64 bits both have fixed places, but the library still sets aside memory for as many tiles as are told.
    fn new(tiles: usize, polygons: usize, width: RefWidth) -> Result<ReferenceBits, LimitError> {
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

    /// The first reference to the tile at this index.
    fn tile_ref(&self, index: usize) -> u64 {
        1 << (self.tile + self.polygon) | (index as u64) << self.polygon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_cut_as_the_demo_does() {
        // 128 tiles: 7 bits, which leaves 15.
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
