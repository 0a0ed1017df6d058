//! Bake settings from TOML. Every problem of a file is found in one reading, each with its line.
//!
//! Units: metres, square metres, degrees, as in [`recast::Settings`]. Ranges are checked by
//! [`Settings::validate`]; [`SettingsFile::place_of`] tells where a field it complains of stands.

mod agents;
mod areas;
mod default;
mod input;
#[cfg(test)]
mod input_tests;
mod keys;
mod map;
#[cfg(test)]
mod map_tests;
mod off_mesh;
mod reader;
pub(crate) mod suggest;
#[cfg(test)]
mod tests;
mod volumes;

pub use agents::AgentSettings;
pub use default::default_toml;
pub use input::{InputSettings, TileSize};

use crate::area_map::AreaMapping;
use crate::error::{InputError, Place};
use crate::flat::MapSettings;
use recast::Settings;
use std::collections::BTreeMap;
use std::ops::Range;

/// Settings and where each stands in its file.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsFile {
    /// The settings; what the file does not give has its default.
    pub settings: Settings,
    /// Which materials, groups, objects and nodes of a level have which area, in the order of the file.
    pub mappings: Vec<AreaMapping>,
    /// How level files are turned, and what of them is baked.
    pub input: InputSettings,
    /// How maps of polygons lie in the world.
    pub map: MapSettings,
    /// Agents of `[[agent]]`; empty if the file has `[agent]` or none. The first is that of the settings too.
    pub agents: Vec<AgentSettings>,
    /// How wide tiles are, if the file says so.
    pub tile_size: Option<TileSize>,
    /// Keep only what can be reached from here, metres, if the file says so.
    pub reachable_from: Option<[f64; 3]>,
    places: BTreeMap<String, (Place, Range<usize>)>,
}

impl SettingsFile {
    /// Where the value of a field stands, by the name that [`recast::FieldError`] has for it; `None` if the file
    /// does not give it.
    pub fn place_of(&self, field: &str) -> Option<Place> {
        self.entry(field).map(|(place, _)| *place)
    }

    /// The bytes of the file that hold the value of a field.
    pub fn span_of(&self, field: &str) -> Option<Range<usize>> {
        self.entry(field).map(|(_, span)| span.clone())
    }

    /// The field itself, or what it stands in: `area[1].name` may be missing where `area[1]` is not.
    fn entry(&self, field: &str) -> Option<&(Place, Range<usize>)> {
        let find =
            |field: &str| self.places.get(field).or_else(|| self.places.get(field.rsplit_once('.')?.0));
        // What the settings call the agent is the first of several.
        find(field).or_else(|| find(&format!("agent[0].{}", field.strip_prefix("agent.")?)))
    }
}

/// Reads settings from a TOML file.
///
/// # Errors
/// [`InputError::Settings`] with every problem of the file: syntax, unknown keys with the nearest known one,
/// values of the wrong type, volumes and connections that cannot be. If there are any, values out of range too.
pub fn read_settings(text: &str) -> Result<SettingsFile, InputError> {
    read_settings_over(text, &Settings::default())
}

/// As [`read_settings`]; what the file does not give is as in `base`. Areas of the base stay unless the file has
/// one of the same id; the file's volumes and connections come behind those of the base.
pub fn read_settings_over(text: &str, base: &Settings) -> Result<SettingsFile, InputError> {
    reader::read(text, base).map_err(InputError::Settings)
}
