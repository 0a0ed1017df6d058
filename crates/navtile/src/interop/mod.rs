//! Files of other navigation libraries: tiles of Detour, sets of them as RecastDemo saves them, and the maps of
//! game servers that use Detour.
//!
//! - [`detour`]: a single tile (magic `DNAV`, version 7).
//! - [`mset`]: a tile set (magic `MSET`, version 1).
//! - [`mmaps`]: a map's parameters (`.mmap`) and its tiles (`.mmtile`).
//! - [`import`]: from there to tiles of this crate.
//! - [`export`]: from tiles of this crate to there.
//!
//! Both widths of references and both byte orders are read and written. What is read is checked first: every
//! length and index is, and nothing is allocated that the input's own length does not justify.
//! What is kept, rounded, repaired and refused: docs/interop.md.

mod bytes;
pub mod detour;
pub mod export;
pub mod import;
pub mod mmaps;
pub mod mset;

use thiserror::Error;

/// Detour's area 0, which is walkable there, has this number here, where 0 means not walkable.
pub const AREA_ZERO: u8 = 64;

/// Order of the bytes of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrder {
    /// Smallest byte first.
    #[default]
    Little,
    /// Largest byte first.
    Big,
}

impl ByteOrder {
    /// The other one.
    #[must_use]
    pub fn swapped(self) -> ByteOrder {
        match self {
            ByteOrder::Little => ByteOrder::Big,
            ByteOrder::Big => ByteOrder::Little,
        }
    }
}

/// Width of the references a library was compiled with. It decides the space that a tile keeps for links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefWidth {
    /// 32 bits: 22 of them for tile and polygon.
    #[default]
    Bits32,
    /// 64 bits (`DT_POLYREF64`).
    Bits64,
}

/// How the numbers of a file are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Order of the bytes of a number.
    pub order: ByteOrder,
    /// Width of references.
    pub width: RefWidth,
}

/// Bytes that are not what they should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {offset}: {what}: expected {expected}, found {found}: {remedy}")]
pub struct FormatError {
    /// What was read, in words.
    pub what: String,
    /// Where it stands, bytes from the start of the file.
    pub offset: u64,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// What the user can do.
    pub remedy: &'static str,
}

/// Any of the files that can be read, told apart by their first bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Foreign {
    /// A tile set, `MSET`.
    Set(mset::TileSet),
    /// A tile, `DNAV`.
    Tile(Box<detour::DetourTile>),
    /// A tile of a map, `.mmtile`.
    MapTile(Box<mmaps::MapTile>),
    /// A map's parameters, `.mmap`: 28 bytes without a magic number.
    MapParams(mset::NavMeshParams),
}

/// Reads any of the formats. Errors: bytes of none of them, and as the reader of each.
pub fn read(bytes: &[u8]) -> Result<Foreign, FormatError> {
    if mset::order(bytes).is_some() {
        return mset::read(bytes).map(Foreign::Set);
    }
    if mmaps::order(bytes).is_some() {
        return mmaps::read_tile(bytes).map(|tile| Foreign::MapTile(Box::new(tile)));
    }
    if detour::order(bytes).is_some() {
        return detour::read(bytes).map(|(tile, _)| Foreign::Tile(Box::new(tile)));
    }
    if bytes.len() == mmaps::PARAMS_LENGTH {
        return mmaps::read_params(bytes).map(Foreign::MapParams);
    }
    let start = &bytes[..bytes.len().min(4)];
    Err(FormatError {
        what: "magic number".into(),
        offset: 0,
        expected: "MSET (a tile set), DNAV (a tile), MMAP (a .mmtile), or the 28 bytes of a .mmap".into(),
        found: format!("{start:?} and {} bytes in all", bytes.len()),
        remedy: "give a file that Detour's tools wrote",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_refused_by_their_first_bytes() {
        for bytes in [&b""[..], b"NAV", b"NAVFILE\0 and more", &[0; 27], &[0; 29]] {
            let error = read(bytes).unwrap_err();
            assert_eq!((error.offset, error.what.as_str()), (0, "magic number"));
        }
    }
}
