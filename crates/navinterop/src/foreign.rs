//! Files of any of the formats, recognised by their first bytes.

use crate::detour::{self, DetourTile};
use crate::error::FormatError;
use crate::mmaps::{self, MapTile};
use crate::mset::{self, NavMeshParams, TileSet};
use crate::tset::{self, LayerSet};

/// A file of any format that can be read, recognised by its first bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Foreign {
    /// A tile set, `MSET`.
    Set(TileSet),
    /// The layers of a tile cache, `TSET`.
    Layers(LayerSet),
    /// A tile, `DNAV`.
    Tile(Box<DetourTile>),
    /// A tile of a map, `.mmtile`.
    MapTile(Box<MapTile>),
    /// A map's parameters, `.mmap`: 28 bytes without a magic number.
    MapParams(NavMeshParams),
}

/// Reads any of the formats. Errors: bytes in none of the formats, and the errors of each format's reader.
///
/// ```
/// let error = navinterop::read(b"an OBJ file, perhaps").unwrap_err();
/// assert_eq!((error.what.as_str(), error.offset), ("magic number", 0));
/// ```
pub fn read(bytes: &[u8]) -> Result<Foreign, FormatError> {
    if mset::order(bytes).is_some() {
        return mset::read(bytes).map(Foreign::Set);
    }
    if tset::order(bytes).is_some() {
        return tset::read(bytes).map(Foreign::Layers);
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
        expected: "MSET (a tile set), TSET (a tile cache), DNAV (a tile), MMAP (a .mmtile), or the 28 bytes of a .mmap"
            .into(),
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
