//! Levels and settings from bytes. Nothing here opens a file or prints: callers pass what they read, and put
//! the name of the file in front of the errors they get back.
//!
//! - [`obj`]: a level from a Wavefront OBJ file.
//! - [`settings`]: bake settings from TOML, and the commented settings file that `navtile init` writes.
//! - [`error`]: what can be wrong with either, with line and column.

#![forbid(unsafe_code)]

pub mod error;
pub mod obj;
pub mod settings;

pub use error::{InputError, ObjProblem, Place, SettingProblem};
pub use obj::{Ignored, Labels, ObjLevel, read_obj};
pub use settings::{SettingsFile, default_toml, read_settings};
