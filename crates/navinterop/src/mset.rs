//! A tile set as RecastDemo saves it: magic `MSET`, version 1.
//!
//! | part | bytes |
//! |---|---|
//! | magic, version, number of tiles | 12 |
//! | parameters: origin, tile width and height, most tiles, most polygons per tile | 28 |
//! | for each tile: reference, length of its data | 8; with 64-bit references 16, or 12 without padding |
//! | and its data | its length |

use crate::bytes::{Reader, Writer, magic_order};
use crate::detour::{self, DetourTile};
use crate::encoding::{ByteOrder, Encoding, RefWidth};
use crate::error::{FormatError, refuse};
use navmath::LimitError;

/// First number of a set.
pub const MAGIC: u32 = u32::from_be_bytes(*b"MSET");
/// The version that is read and written.
pub const VERSION: i32 = 1;

const HEADER: usize = 40;

/// The parameters of `dtNavMesh::init`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NavMeshParams {
    /// World position of the corner of tile (0, 0), metres.
    pub origin: [f32; 3],
    /// Extent of a tile along x, metres.
    pub tile_width: f32,
    /// Extent of a tile along z, metres.
    pub tile_height: f32,
    /// Most tiles at a time.
    pub max_tiles: u32,
    /// Most polygons of a tile.
    pub max_polygons: u32,
}

/// A tile of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct SetTile {
    /// The tile's reference, which it keeps when the set is loaded.
    pub tile_ref: u64,
    /// The tile.
    pub tile: DetourTile,
}

/// A tile set.
#[derive(Clone, Debug, PartialEq)]
pub struct TileSet {
    /// Encoding of its numbers.
    pub encoding: Encoding,
    /// The placement of tiles, and their largest number.
    pub params: NavMeshParams,
    /// The tiles, in the order of the file.
    pub tiles: Vec<SetTile>,
}

/// The byte order of a set; `None` if the bytes are not a set.
pub fn order(bytes: &[u8]) -> Option<ByteOrder> {
    magic_order(bytes, MAGIC)
}

/// Reads a set. The position of the first tile's data determines the width of references.
///
/// Errors: another magic number or version, lengths that do not fit, bytes left over, and the errors of
/// [`detour::read`].
pub fn read(bytes: &[u8]) -> Result<TileSet, FormatError> {
    let Some(order) = order(bytes) else {
        let found = format!("{:?}", &bytes[..bytes.len().min(4)]);
        return refuse("magic number of a tile set", 0, "MSET in either byte order", found);
    };
    let mut reader = Reader::new(bytes, 0, order);
    reader.number::<u32>("magic number of a tile set")?;
    let version: i32 = reader.number("version of a tile set")?;
    if version != VERSION {
        let found = format!("version {version}");
        return refuse("version of a tile set", 4, format!("version {VERSION}"), found);
    }
    let count = reader.count("number of tiles")?;
    let params = read_params(&mut reader)?;
    let head = TileHead::of(bytes, order, count)?;
    let encoding = Encoding { order, width: head.width() };
    // Grows with the tiles present, not with the count.
    let mut tiles = Vec::new();
    for index in 0..count {
        tiles.push(read_tile(&mut reader, head, encoding, index)?);
    }
    let end = reader.offset();
    if end != bytes.len() as u64 {
        let found = format!("{} bytes more", bytes.len() as u64 - end);
        return refuse("end of the tile set", end, format!("nothing after {count} tiles"), found);
    }
    Ok(TileSet { encoding, params, tiles })
}

/// The head before a tile's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TileHead {
    /// Reference and length, 4 bytes each.
    Narrow,
    /// A reference of 8 bytes and the length, padded to 16.
    Wide,
    /// A reference of 8 bytes and the length, not padded.
    WideUnpadded,
}

impl TileHead {
    /// Determines the head from the position at which the first tile starts.
    fn of(bytes: &[u8], order: ByteOrder, count: u32) -> Result<TileHead, FormatError> {
        if count == 0 {
            return Ok(TileHead::Narrow);
        }
        let starts_behind = |head: &TileHead| {
            bytes.get(HEADER + head.length()..).is_some_and(|data| detour::order(data) == Some(order))
        };
        let heads = [TileHead::Narrow, TileHead::Wide, TileHead::WideUnpadded];
        heads.into_iter().find(starts_behind).map_or_else(
            || {
                let found = format!("none of them, in {} bytes", bytes.len());
                refuse(
                    "first tile",
                    HEADER as u64,
                    "a tile 8, 12 or 16 bytes on, of the set's byte order",
                    found,
                )
            },
            Ok,
        )
    }

    fn length(self) -> usize {
        match self {
            TileHead::Narrow => 8,
            TileHead::Wide => 16,
            TileHead::WideUnpadded => 12,
        }
    }

    fn width(self) -> RefWidth {
        if self == TileHead::Narrow { RefWidth::Bits32 } else { RefWidth::Bits64 }
    }
}

fn read_tile(
    reader: &mut Reader<'_>,
    head: TileHead,
    encoding: Encoding,
    index: u32,
) -> Result<SetTile, FormatError> {
    let what = format!("tile {index} of the set");
    let start = reader.offset();
    let tile_ref = match head {
        TileHead::Narrow => u64::from(reader.number::<u32>(&what)?),
        _ => reader.number(&what)?,
    };
    let length = reader.count(&what)?;
    if head == TileHead::Wide {
        reader.take(&what, 4)?;
    }
    if tile_ref == 0 || length == 0 {
        let found = format!("reference {tile_ref} and {length} bytes");
        return refuse(what, start, "a reference and a length other than 0", found);
    }
    let offset = reader.offset();
    let (tile, found) = detour::read_at(reader.take(&what, length as usize)?, offset)?;
    // A tile without links fits either width.
    if found.order != encoding.order || (found.width != encoding.width && tile.max_links > 0) {
        return refuse(what, offset, format!("{encoding:?}, as the set"), format!("{found:?}"));
    }
    Ok(SetTile { tile_ref, tile })
}

pub(crate) fn read_params(reader: &mut Reader<'_>) -> Result<NavMeshParams, FormatError> {
    Ok(NavMeshParams {
        origin: reader.f32s("origin of the tiles")?,
        tile_width: reader.f32("width of a tile")?,
        tile_height: reader.f32("height of a tile")?,
        // Some servers store 2^31 here, which would be negative as a signed number.
        max_tiles: reader.number("most tiles")?,
        max_polygons: reader.number("most polygons of a tile")?,
    })
}

pub(crate) fn write_params(out: &mut Writer, params: &NavMeshParams) {
    out.f32s(&params.origin);
    out.f32s(&[params.tile_width, params.tile_height]);
    out.u32s(&[params.max_tiles, params.max_polygons]);
}

/// The bytes of a set. Errors: the same as for [`detour::write`], and more than 2^31 - 1 tiles.
pub fn write(set: &TileSet) -> Result<Vec<u8>, LimitError> {
    navmath::limit::check("tiles of a set", set.tiles.len() as u64, i32::MAX as u64, "write several sets")?;
    let mut out = Writer::new(set.encoding.order);
    out.u32s(&[MAGIC]);
    // Below 2^31, as just checked.
    out.i32s(&[VERSION, set.tiles.len() as i32]);
    write_params(&mut out, &set.params);
    for SetTile { tile_ref, tile } in &set.tiles {
        let data = detour::write(tile, set.encoding)?;
        let length = data.len() as u32;
        match set.encoding.width {
            RefWidth::Bits32 => {
                let narrow = u32::try_from(*tile_ref).map_err(|_| LimitError {
                    what: "a tile's reference",
                    value: *tile_ref,
                    limit: u32::MAX.into(),
                    remedy: "write 64-bit references",
                })?;
                out.u32s(&[narrow, length]);
            }
            RefWidth::Bits64 => {
                out.u64(*tile_ref);
                out.u32s(&[length, 0]);
            }
        }
        out.u8s(&data);
    }
    Ok(out.bytes)
}
