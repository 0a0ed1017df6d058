//! Navigation meshes of Detour: its tiles, sets of them as RecastDemo saves them, the layers of its tile
//! cache, and the mmaps of game servers.
//!
//! - [`detour`]: a single tile (magic `DNAV`, version 7).
//! - [`mset`]: a tile set (magic `MSET`, version 1).
//! - [`tset`]: the layers of a tile cache (magic `TSET`, version 1).
//! - [`mmaps`]: a map's parameters (`.mmap`) and its tiles (`.mmtile`).
//! - [`mod@import`]: from Detour's formats to tiles of navtile.
//! - [`mod@export`]: from tiles of navtile to Detour's formats.
//!
//! Both widths of references and both byte orders are read and written. Input is checked as it is read: every
//! length and every index. Memory is allocated only in proportion to the length of the input. Docs/interop.md
//! lists the data that is kept, rounded, repaired and refused.

#![forbid(unsafe_code)]

mod bytes;
pub mod detour;
mod encoding;
mod error;
pub mod export;
mod foreign;
pub mod import;
pub mod mmaps;
pub mod mset;
pub mod tset;

pub use detour::AREA_ZERO;
pub use encoding::{ByteOrder, Encoding, RefWidth};
pub use error::FormatError;
pub use export::{Exported, export};
pub use foreign::{Foreign, read};
pub use import::{Imported, import, import_files};

// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
