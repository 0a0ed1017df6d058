//! Levels and settings from bytes. Nothing here opens a file or prints: callers pass what they read, and put
//! the name of the file in front of the errors they get back.
//!
//! - [`obj`]: a level from a Wavefront OBJ file.
//! - [`gltf`]: a level from a glTF 2.0 file, JSON or GLB.
//! - [`source`]: the common form of both: meshes and where each stands; and parts for the bake, made from it.
//! - [`gset`]: a level's geometry set as the RecastDemo program saves it.
//! - [`flat`]: maps of polygons, from GeoJSON or lists of corners.
//! - [`area_map`]: which triangles have which area, by the names of their materials, groups and objects.
//! - [`pattern`]: patterns of such names, and of nodes.
//! - [`settings`]: bake settings from TOML, and the commented settings file that `navtile init` writes.
//! - [`error`]: what can be wrong with either, with line and column.

#![forbid(unsafe_code)]

pub mod area_map;
pub mod error;
pub mod flat;
pub mod gltf;
pub mod gset;
mod likeness;
pub mod obj;
pub mod pattern;
pub mod settings;
pub mod source;

pub use crate::gltf::{GltfError, GltfProblem, read_gltf};
pub use area_map::{AreaMapping, LevelNames, map_areas};
pub use error::{InputError, ObjProblem, Place, SettingProblem};
pub use flat::{
    Direction, FlatError, FlatLayer, FlatLevel, FlatPlace, MapSettings, read_corners, read_geojson,
};
pub use gset::{Gset, read_gset};
pub use obj::{Ignored, Labels, ObjLevel, read_obj};
pub use pattern::{NameKind, NamePattern};
pub use settings::{
    AgentSettings, INPUT_SETTINGS, InputSettings, SettingsFile, TileSize, default_toml, read_settings,
    read_settings_over,
};
pub use source::{SourceLevel, SourceMesh, SourcePlacement, UpAxis, into_parts};

// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
