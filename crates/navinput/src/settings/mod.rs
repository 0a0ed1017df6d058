//! Bake settings from TOML. All problems of a file are found in a single pass, each with its line.
//!
//! Units: metres, square metres, degrees, as in [`recast::Settings`]. Ranges are checked by
//! [`Settings::validate`]; [`SettingsFile::place_of`] finds the line of a field that it refuses.

mod agents;
mod areas;
mod default;
mod hierarchy;
#[cfg(test)]
mod hierarchy_tests;
mod input;
#[cfg(test)]
mod input_tests;
mod keys;
mod links;
#[cfg(test)]
mod links_tests;
mod map;
#[cfg(test)]
mod map_tests;
#[cfg(test)]
mod message_tests;
mod names;
mod off_mesh;
mod read_agents;
mod reader;
mod suggest;
#[cfg(test)]
mod tests;
mod value;
mod volumes;

pub use agents::AgentSettings;
pub use areas::hex_colour;
pub use default::default_toml;
pub use hierarchy::{ClassInput, HierarchyInput};
pub use read_agents::is_agent_name;

pub use input::{HiddenNodes, INPUT_FILTERS, INPUT_SETTINGS, InputSettings, TileSize, UpAxis, Winding};

use crate::error::{InputError, TextPosition};
use crate::flat::MapSettings;
use crate::pattern::AreaMapping;
use crate::tables::{Places, Reader, place_of};
use recast::{AreaDefinition, Settings};
use std::collections::BTreeSet;
use std::ops::Range;

/// Settings and the place of each in its file.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsFile {
    /// The settings of the bake; settings missing in the file have their defaults.
    pub settings: Settings,
    /// The areas of materials, groups, objects and nodes of a level, in the order of the file.
    pub mappings: Vec<AreaMapping>,
    /// Settings for reading level files, selecting the parts to bake, and cutting the level into tiles.
    pub input: InputSettings,
    /// Placement of maps of polygons in the world.
    pub map: MapSettings,
    /// The hierarchy of clusters, if the file has the table `[hierarchy]`.
    pub hierarchy: Option<HierarchyInput>,
    /// Agents of `[[agent]]`; empty if the file has `[agent]` or neither. The first one is also the agent of
    /// `settings`.
    pub agents: Vec<AgentSettings>,
    places: Places,
}

impl SettingsFile {
    /// The cell size if none is given: the smallest that one of the file's agents needs.
    pub fn derived_cell_size(&self) -> f64 {
        let sizes = self.agents.iter().map(|agent| agent.apply(&self.settings).derived_cell_size());
        sizes.min_by(f64::total_cmp).unwrap_or_else(|| self.settings.derived_cell_size())
    }

    /// The place of a field's value, by its name in [`recast::FieldError`]; `None` if the file does not give
    /// it.
    pub fn place_of(&self, field: &str) -> Option<TextPosition> {
        self.entry(field).map(|(place, _)| *place)
    }

    /// The bytes of the file that hold the value of a field.
    pub fn span_of(&self, field: &str) -> Option<Range<usize>> {
        self.entry(field).map(|(_, span)| span.clone())
    }

    /// The field itself, or the table that contains it: `area[1].name` may be missing although `area[1]`
    /// exists.
    fn entry(&self, field: &str) -> Option<&(TextPosition, Range<usize>)> {
        let find = |field: &str| place_of(&self.places, field);
        // The agent of the settings is the first of several.
        find(field).or_else(|| find(&format!("agent[0].{}", field.strip_prefix("agent.")?)))
    }
}

/// A settings file while it is being read.
struct SettingsReader<'a> {
    reader: Reader<'a>,
    file: SettingsFile,
    areas: Vec<AreaDefinition>,
    /// For each agent, true if all its keys were read.
    valid_agents: Vec<bool>,
    /// Numbers of the map's layers so far.
    layer_numbers: BTreeSet<i32>,
}

/// Reads settings from a TOML file. A cell size that is not given derives from the agent.
///
/// ```
/// let file = navinput::read_settings("cell_size = 0.2\n[agent]\nradius = 0.4\n")?;
/// assert_eq!((file.settings.cell_size, file.settings.agent_radius), (0.2, 0.4));
/// let error = navinput::read_settings("cellsize = 0.2").unwrap_err();
/// assert!(error.to_string().contains("the nearest key is `cell_size`"));
/// # Ok::<(), navinput::InputError>(())
/// ```
///
/// # Errors [`InputError::Settings`] with every problem of the file: syntax, unknown keys with the nearest
/// known one, values of the wrong type, impossible volumes and connections. If there are such problems,
/// values out of range are listed too.
pub fn read_settings(text: &str) -> Result<SettingsFile, InputError> {
    let mut file = read_settings_over(text, &Settings::default())?;
    if file.place_of("cell_size").is_none() {
        file.settings.cell_size = file.derived_cell_size();
    }
    Ok(file)
}

/// Reads settings from a TOML file that builds on others: settings that it does not give come from `base`.
/// Areas of the base are kept unless the file has one with the same id; the file's volumes and connections
/// follow those of the base.
///
/// ```
/// let base = recast::Settings { cell_size: 0.5, ..recast::Settings::default() };
/// let file = navinput::read_settings_over("cell_height = 0.1", &base)?;
/// assert_eq!((file.settings.cell_size, file.settings.cell_height), (0.5, 0.1));
/// # Ok::<(), navinput::InputError>(())
/// ```
///
/// # Errors
/// The same as for [`read_settings`].
pub fn read_settings_over(text: &str, base: &Settings) -> Result<SettingsFile, InputError> {
    reader::read(text, base)
}
