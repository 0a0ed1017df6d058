//! Levels and settings from bytes. This crate opens no files and prints nothing: callers pass the bytes they
//! read, and put the name of the file in front of the errors they get back.
//!
//! - [`obj`]: a level from a Wavefront OBJ file.
//! - [`gltf`]: a level from a glTF 2.0 file, JSON or GLB.
//! - [`source`]: the common form of both: meshes and their placements; and parts for the bake, made from it.
//! - [`gset`]: a level's geometry set as the RecastDemo program saves it.
//! - [`format`](mod@format): detects which of these formats a file has.
//! - [`flat`]: maps of polygons, from GeoJSON or lists of corners.
//! - [`pattern`]: patterns of the names of materials, groups, objects and nodes, and their areas.
//! - [`settings`]: bake settings from TOML, and the commented settings file that `navtile init` writes.
//! - [`obstacles`]: obstacles of changing levels, from TOML.
//! - [`chunks`]: levels in chunks, from TOML.
//! - [`tables`]: the reader of all these TOML files, for tables of other crates too.
//! - [`error`]: errors of all readers, with line and column.

#![forbid(unsafe_code)]

pub mod chunks;
pub mod error;
pub mod flat;
pub mod format;
pub mod gltf;
pub mod gset;
mod label;
mod likeness;
pub mod obj;
mod obj_stream;
pub mod obstacles;
pub mod pattern;
pub mod settings;
pub mod source;
pub mod tables;

pub use crate::gltf::{GltfError, GltfProblem, read_gltf};
pub use chunks::{Chunk, chunks_toml, read_chunks, unknown_materials};
pub use error::{InputError, ObjProblem, SettingProblem, TextPosition};
pub use flat::{
    Degrees, Direction, FlatError, FlatLayer, FlatLevel, FlatPlace, MapSettings, read_corners, read_geojson,
};
pub use gset::{Gset, read_gset};
pub use label::{escaped, escaped_lines};
pub use obj::{FaceList, Ignored, Labels, ObjLevel, read_obj};
pub use obj_stream::{ObjStream, StreamError};
pub use obstacles::{ObstacleMesh, read_obstacles};
pub use pattern::{AreaMapping, NameKind, NamePattern};
pub use settings::{
    AgentSettings, ClassInput, HiddenNodes, HierarchyInput, INPUT_FILTERS, INPUT_SETTINGS, InputSettings,
    SettingsFile, TileSize, UpAxis, Winding, default_toml, hex_colour, is_agent_name, read_settings,
    read_settings_over,
};
pub use source::{
    LevelSums, NameCheck, SourceLevel, SourceMesh, SourcePlacement, TriangleNames, into_meshes,
    into_meshes_of_chunk,
};

// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
