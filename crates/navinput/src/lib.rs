//! Levels and settings from bytes. Nothing here opens a file or prints: callers pass what they read, and put
//! the name of the file in front of the errors they get back.
//!
//! - [`obj`]: a level from a Wavefront OBJ file.
//! - [`gset`]: a level's geometry set as the RecastDemo program saves it.
//! - [`area_map`]: which triangles have which area, by the names of their materials, groups and objects.
//! - [`settings`]: bake settings from TOML, and the commented settings file that `navtile init` writes.
//! - [`error`]: what can be wrong with either, with line and column.

#![forbid(unsafe_code)]

pub mod area_map;
pub mod error;
pub mod gset;
pub mod obj;
pub mod settings;

pub use area_map::{AreaMapping, LevelNames, NameKind, map_areas};
pub use error::{InputError, ObjProblem, Place, SettingProblem};
pub use gset::{Gset, read_gset};
pub use obj::{Ignored, Labels, ObjLevel, read_obj};
pub use settings::{SettingsFile, default_toml, read_settings, read_settings_over};
