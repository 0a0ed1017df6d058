//! The tile blob and the `.navtile` file, which the bake writes and the runtime reads.
//!
//! - [`layout`]: the bytes of a tile, section by section, with their sizes asserted at compile time.
//! - [`limits`]: the limits of a tile, so that queries are bounded and arithmetic is exact.
//! - [`connection`]: off-mesh connections in world units, before a tile stores them as links.
//! - [`content`]: a tile before it is bytes; [`TileContent::write`] turns it into a blob.
//! - [`convex`]: the exact test for convexity that writer and verifier share.
//! - [`area`]: [`AreaId`], the kind of a surface, and what each id means.
//! - [`border`]: portals as lines on a tile's border.
//! - [`bytes`]: [`SharedBytes`], the bytes of a file. Its tiles are read from them in place.
//! - [`tile`]: [`Tile`], a verified blob. A `Tile` is the proof that every query on it is safe.
//! - [`verify`]: the rules of a tile, each with its own error.
//! - [`mod@file`]: the `.navtile` file: head, metadata, directory, tiles.
//! - [`meta`]: the frozen metadata of a file.
//! - [`graph`]: islands over tiles without their polygons; a file stores it so that a later bake can prune
//!   again.
//! - [`islands`]: connected polygons, within tiles and across seams.
//! - [`off_mesh`]: snapping of off-mesh links to the ground; [`off_mesh_edge`]: the same for links between
//!   edges.
//! - [`seam`]: matching portals across a seam.
//! - [`seam_check`]: checks that tiles fit together.
//!
//! Byte for byte: docs/format.md.

#![forbid(unsafe_code)]

pub mod area;
pub mod border;
pub mod bytes;
mod checksum;
pub mod connection;
pub mod content;
pub mod convex;
#[cfg(feature = "file")]
pub mod file;
#[cfg(feature = "file")]
pub mod graph;
pub mod islands;
pub mod layout;
pub mod limits;
mod link_arc;
pub mod link_kind;
#[cfg(feature = "file")]
pub mod meta;
pub mod off_mesh;
pub mod off_mesh_edge;
mod reread;
pub mod seam;
pub mod seam_check;
pub mod tile;
pub mod verify;
mod write;

pub use area::{AreaDefinition, AreaId};
pub use bytes::SharedBytes;
pub use checksum::tile_checksum;
pub use connection::OffMeshConnection;
pub use content::{
    DetailTriangleContent, EdgeContent, PolygonContent, TileContent, WriteDiagnostic, WriteError,
};
#[cfg(feature = "file")]
pub use file::{
    Edit, FileError, FileWriter, NavFile, NavStore, Packing, Storage, StoreError, TileRecord, WriteFileError,
    write_file, write_records,
};
#[cfg(feature = "file")]
pub use graph::IslandGraph;
pub use link_kind::LinkKind;
#[cfg(feature = "file")]
pub use meta::{AgentMeta, AreaMeta, Meta, SettingsMeta};
pub use tile::{Tile, TileCoord};
pub use verify::TileError;
pub use write::{BuildError, Built, TileWriter};

// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
