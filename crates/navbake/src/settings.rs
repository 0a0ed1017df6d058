//! The settings of a bake: the settings of a geometry set, overridden by those of a settings file.

use crate::error::BakeError;
use navinput::{Gset, InputError, InputSettings, SettingsFile, TileSize};
use recast::Settings;

/// Checked settings.
pub(crate) struct GatheredSettings {
    /// The agents to bake for, with names if they have any; at least one.
    pub(crate) agents: Vec<(Option<String>, Settings)>,
    pub(crate) input: InputSettings,
    pub(crate) tile_size: TileSize,
    pub(crate) file: Option<SettingsFile>,
}

/// Combines the settings. If no cell size is given, it is derived from the agents.
pub(crate) fn gather(text: Option<&str>, set: Option<&Gset>) -> Result<GatheredSettings, BakeError> {
    let base = set.map_or_else(Settings::default, |set| set.settings.clone());
    let file = text.map(|text| read(text, &base)).transpose()?;
    let mut settings = file.as_ref().map_or(base, |file| file.settings.clone());
    let is_given = |field: &str| file.as_ref().is_some_and(|file| file.place_of(field).is_some());
    if set.is_none() && !is_given("cell_size") {
        settings.cell_size = match &file {
            Some(file) => file.derived_cell_size(),
            None => settings.derived_cell_size(),
        };
    }
    settings.validate().map_err(|errors| BakeError::of_fields(&errors, file.as_ref()))?;
    let input = file.as_ref().map_or_else(InputSettings::default, |file| file.input.clone());
    let of_set = set.and_then(|set| set.tile_cells).map(|cells| TileSize::Metres(cells * settings.cell_size));
    let tile_size = input.tile_size.or(of_set).unwrap_or(TileSize::Auto);
    let agents = agents(&settings, file.as_ref())?;
    Ok(GatheredSettings { agents, input, tile_size, file })
}

fn read(text: &str, base: &Settings) -> Result<SettingsFile, BakeError> {
    navinput::read_settings_over(text, base).map_err(|error| match error {
        InputError::Settings(problems) => BakeError::of_text("the settings are wrong", &problems)
            .help("`navtile init -` shows every key with its unit, limits and default"),
        other => BakeError::new(format!("the settings: {other}")),
    })
}

/// All agents of the settings file, each with its settings. Without agents in the file, one unnamed agent
/// with the general settings.
fn agents(
    settings: &Settings,
    file: Option<&SettingsFile>,
) -> Result<Vec<(Option<String>, Settings)>, BakeError> {
    let agents = file.map_or(&[][..], |file| &file.agents);
    if agents.is_empty() {
        return Ok(vec![(None, settings.clone())]);
    }
    let own = |(index, agent): (usize, &navinput::AgentSettings)| {
        let own = agent.apply(settings);
        own.validate().map_err(|mut errors| {
            for error in &mut errors {
                if let Some(key) = error.field.strip_prefix("agent.") {
                    error.field = format!("agent[{index}].{key}");
                }
            }
            BakeError::of_fields(&errors, file)
        })?;
        Ok((Some(agent.name.clone()), own))
    };
    agents.iter().enumerate().map(own).collect()
}
