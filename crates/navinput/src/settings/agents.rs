//! `[[agent]]`: several agents, each with a bake of its own.

use recast::Settings;
use recast::settings::{Value, find};

/// The agent: a table of single values, or a list of tables.
pub(super) const AGENT: &str = "agent";
/// The setting that each of several agents may override, as `region_min_area`.
pub(super) const OWN_REGIONS: &str = "regions.min_area";

/// An agent of a settings file.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSettings {
    /// Letters, digits, `-` and `_`; unique.
    pub name: String,
    /// Its own settings, by their paths: all of `agent.`, and `regions.min_area` if it has one.
    pub values: Vec<(&'static str, Value)>,
}

impl AgentSettings {
    /// The settings of this agent's bake.
    pub fn apply(&self, settings: &Settings) -> Settings {
        let mut own = settings.clone();
        for (path, value) in &self.values {
            if let Some(setting) = find(path) {
                (setting.set)(&mut own, *value);
            }
        }
        own
    }
}
