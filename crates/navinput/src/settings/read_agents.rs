//! Reads `[[agent]]`.

use super::SettingsReader;
use super::agents::{AGENT, AgentSettings, OWN_REGIONS};
use super::value::setting_value;
use crate::tables::{Field, Key, Named, Put, Schema, Table};
use recast::settings::{SETTINGS, find};
use recast::{AreaDefinition, Settings};

/// The key of an agent's smallest island.
const REGION_MIN_AREA: &str = "region_min_area";

/// Several agents: a list of tables.
pub(super) static AGENTS: Schema<AgentSettings> = Named(AGENT).keys(&[
    Key::required_or("name", "name it, or write a single `[agent]` without a name", |agent, f| {
        let expected = "a name of 1 to 64 letters (a to z), digits, `-` or `_`";
        f.parse(expected, |name| is_agent_name(name).then(|| name.to_owned())).put(&mut agent.name);
    }),
    Key::new("radius", take_own),
    Key::new("height", take_own),
    Key::new("climb", take_own),
    Key::new("slope", take_own),
    Key::new(REGION_MIN_AREA, take_own),
]);

/// A setting of its own.
fn take_own(agent: &mut AgentSettings, f: &mut Field<'_, '_>) {
    let key = f.path.rsplit('.').next().unwrap_or_default();
    let path = if key == REGION_MIN_AREA { OWN_REGIONS.to_owned() } else { format!("{AGENT}.{key}") };
    let Some(setting) = find(&path) else { return };
    agent.values.retain(|(known, _)| *known != setting.path);
    agent.values.extend(setting_value(setting, f).map(|given| (setting.path, given)));
}

impl SettingsReader<'_> {
    pub(super) fn take_agent(&mut self, table: &Table<'_>) {
        let mut agent = AgentSettings { name: String::new(), values: Vec::new() };
        for setting in SETTINGS.iter().filter(|setting| setting.table_and_key().0 == AGENT) {
            agent.values.extend((setting.get)(&self.file.settings).map(|value| (setting.path, value)));
        }
        let is_valid = self.reader.read(&AGENTS, table, &mut agent);
        self.file.agents.push(agent);
        self.valid_agents.push(is_valid);
    }

    /// Applies the first agent to the settings, and checks the ranges of each agent's own settings.
    pub(super) fn finish_agents(&mut self) {
        self.reader.first_named(AGENT, self.file.agents.iter().map(|agent| &*agent.name));
        // Agents do not affect areas, volumes and connections.
        let bare = Settings {
            areas: vec![AreaDefinition::ground()],
            volumes: Vec::new(),
            off_mesh_connections: Vec::new(),
            ..self.file.settings.clone()
        };
        let agents = self.file.agents.iter().enumerate();
        for (index, agent) in agents.filter(|(index, _)| self.valid_agents[*index]) {
            for error in agent.apply(&bare).validate().err().unwrap_or_default() {
                if agent.values.iter().any(|(own, _)| *own == error.field) {
                    let own = error.field.strip_prefix("agent.").unwrap_or(REGION_MIN_AREA);
                    let what = format!("is {}, expected {}", error.found, error.expected);
                    self.reader.refuse(&format!("{AGENT}[{index}].{own}"), &what);
                }
            }
        }
        if let Some(first) = self.file.agents.first() {
            let region_min_area = self.file.settings.region_min_area;
            self.file.settings = Settings { region_min_area, ..first.apply(&self.file.settings) };
        }
    }
}

/// Returns true if an agent may have this name: 1 to 64 letters, digits, `-` or `_`, so that files can be
/// named after it.
///
/// ```
/// assert!(navinput::is_agent_name("big-cat_2"));
/// assert!(!navinput::is_agent_name("../cat") && !navinput::is_agent_name(""));
/// ```
pub fn is_agent_name(name: &str) -> bool {
    const LONGEST: usize = 64;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=LONGEST).contains(&name.len()) && name.chars().all(is_plain)
}
