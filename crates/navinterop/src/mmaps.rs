//! Maps of game servers that keep Detour tiles in files of their own: `.mmap`, the parameters of a map, 28
//! bytes without a magic number; and `.mmtile`, a tile after a header of 20 bytes.
//!
//! | offset | header of a tile |
//! |---|---|
//! | 0 | magic `MMAP` |
//! | 4 | version of Detour's tiles |
//! | 8 | version of the server's maps |
//! | 12 | bytes of the tile |
//! | 16 | whether the map has liquids, one byte; then padding |

use crate::bytes::{Reader, Writer, magic_order};
use crate::detour::{self, DetourTile};
use crate::encoding::{ByteOrder, Encoding};
use crate::error::{FormatError, refuse};
use crate::mset::{self, NavMeshParams};
use navmath::LimitError;

/// First number of a tile.
pub const MAGIC: u32 = u32::from_be_bytes(*b"MMAP");
/// Length of a map's parameters.
pub const PARAMS_LENGTH: usize = 28;

const HEADER: usize = 20;

/// A tile of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapTile {
    /// Encoding of its numbers.
    pub encoding: Encoding,
    /// Version of the server's maps.
    pub map_version: u32,
    /// True if the map has liquids.
    pub uses_liquids: bool,
    /// The tile.
    pub tile: DetourTile,
}

/// The byte order of a map's tile; `None` if the bytes are not a tile.
pub fn order(bytes: &[u8]) -> Option<ByteOrder> {
    magic_order(bytes, MAGIC)
}

/// Reads a `.mmtile`. Errors: another magic number, lengths that do not fit, and the errors of
/// [`detour::read`].
pub fn read_tile(bytes: &[u8]) -> Result<MapTile, FormatError> {
    let Some(order) = order(bytes) else {
        let found = format!("{:?}", &bytes[..bytes.len().min(4)]);
        return refuse("magic number of a map's tile", 0, "MMAP in either byte order", found);
    };
    let mut reader = Reader::new(bytes, 0, order);
    reader.number::<u32>("magic number of a map's tile")?;
    let version: i32 = reader.number("version of the tile")?;
    if version != detour::VERSION {
        let expected = format!("version {}", detour::VERSION);
        return refuse("version of the tile", 4, expected, format!("version {version}"));
    }
    let map_version = reader.number("version of the map")?;
    let length = reader.count("length of the tile")?;
    let uses_liquids = reader.number::<u8>("whether the map has liquids")? != 0;
    reader.take("padding", 3)?;
    let left = bytes.len() - HEADER;
    if length as usize != left {
        return refuse("length of the tile", 12, format!("{left} bytes, as follow"), length);
    }
    let (tile, encoding) = detour::read_at(&bytes[HEADER..], HEADER as u64)?;
    if encoding.order != order {
        let found = format!("{:?}", encoding.order);
        return refuse("byte order of the tile", HEADER as u64, format!("{order:?}, as the header"), found);
    }
    Ok(MapTile { encoding, map_version, uses_liquids, tile })
}

/// The bytes of a `.mmtile`. Errors: the same as for [`detour::write`].
///
/// ```
/// use navinterop::mmaps::{self, MapTile};
/// use navinterop::{Encoding, RefWidth, export};
/// # use recast::{Level, PreparedLevel, Scratch, Settings, Silent, bake_solo};
/// # let floor = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 0.0, 10.0], [0.0, 0.0, 10.0]],
/// #     triangles: vec![[0, 2, 1], [0, 3, 2]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&floor, &Settings::default())?;
/// # let tile = bake_solo(&level, &Silent, &mut Scratch::new())?.tile;
/// let exported = export(&[tile], RefWidth::Bits64)?.set;
/// let params: Vec<u8> = mmaps::write_params(&exported.params, exported.encoding.order); // 000.mmap
/// for set_tile in exported.tiles {
///     let tile = set_tile.tile;
///     let map_tile = MapTile { encoding: exported.encoding, map_version: 16, uses_liquids: false, tile };
///     let file: Vec<u8> = mmaps::write_tile(&map_tile)?; // 0003248.mmtile
///     assert_eq!(mmaps::read_tile(&file)?, map_tile);
/// }
/// # assert_eq!(params.len(), mmaps::PARAMS_LENGTH);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_tile(map_tile: &MapTile) -> Result<Vec<u8>, LimitError> {
    let data = detour::write(&map_tile.tile, map_tile.encoding)?;
    let mut out = Writer::new(map_tile.encoding.order);
    // Below 2^31, by the limit of a tile.
    out.u32s(&[MAGIC, detour::VERSION as u32, map_tile.map_version, data.len() as u32]);
    out.u8s(&[u8::from(map_tile.uses_liquids), 0, 0, 0]);
    out.u8s(&data);
    Ok(out.bytes)
}

/// Reads a `.mmap`. The file does not state the byte order. The reader takes the order in which tiles are
/// between a centimetre and a thousand kilometres wide; if both fit, the order with fewer tiles.
///
/// Errors: another length, numbers that are not finite.
pub fn read_params(bytes: &[u8]) -> Result<NavMeshParams, FormatError> {
    if bytes.len() != PARAMS_LENGTH {
        let expected = format!("{PARAMS_LENGTH} bytes");
        return refuse("length of a map's parameters", 0, expected, format!("{} bytes", bytes.len()));
    }
    let read = |order| mset::read_params(&mut Reader::new(bytes, 0, order));
    let odd = |params: &NavMeshParams| {
        let plausible = |metres: f32| (0.01..=1e6).contains(&metres);
        (!(plausible(params.tile_width) && plausible(params.tile_height)), params.max_tiles)
    };
    match (read(ByteOrder::Little), read(ByteOrder::Big)) {
        (Ok(little), Ok(big)) => Ok(if odd(&big) < odd(&little) { big } else { little }),
        (Err(_), Ok(big)) => Ok(big),
        (little, _) => little,
    }
}

/// The bytes of a `.mmap`.
pub fn write_params(params: &NavMeshParams, order: ByteOrder) -> Vec<u8> {
    let mut out = Writer::new(order);
    mset::write_params(&mut out, params);
    out.bytes
}
