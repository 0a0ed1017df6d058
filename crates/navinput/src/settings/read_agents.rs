//! Reads `[[agent]]`.

use super::agents::{AgentSettings, OWN_REGIONS, ReadAgent};
use super::keys::{AGENT, AGENT_KEYS};
use super::reader::{SettingsReader, TomlValue, shown};
use recast::settings::{SETTINGS, find};
use recast::{AreaDefinition, Settings};
use std::ops::Range;
use toml::de::DeTable;

impl SettingsReader<'_> {
    pub(super) fn take_agent(&mut self, path: &str, entries: &DeTable<'_>, span: Range<usize>) {
        let problems = self.problem_count();
        let mut agent = AgentSettings { name: String::new(), values: Vec::new() };
        for setting in SETTINGS.iter().filter(|setting| setting.table_and_key().0 == AGENT) {
            agent.values.extend((setting.get)(&self.settings).map(|value| (setting.path, value)));
        }
        for (key, value) in entries.iter() {
            let name = key.get_ref().as_ref();
            let path = format!("{path}.{name}");
            if name == AGENT_KEYS[0] {
                self.take_agent_name(&path, value, &mut agent.name);
            } else if let Some(setting) =
                find(&if name == AGENT_KEYS[1] { OWN_REGIONS.to_owned() } else { format!("{AGENT}.{name}") })
            {
                agent.values.retain(|(known, _)| *known != setting.path);
                agent.values.extend(self.value(setting, &path, value).map(|given| (setting.path, given)));
            } else {
                self.unknown(AGENT, name, key.span());
                continue;
            }
            self.remember(path, value.span());
        }
        if !entries.contains_key(AGENT_KEYS[0]) {
            let what = format!("`{path}` has no `name`, which every agent must have");
            let remedy = "name it, or write a single `[agent]` without a name".to_owned();
            self.note(span.clone(), what, Some(remedy));
        }
        let valid = self.problem_count() == problems;
        self.agents.push(ReadAgent { agent, path: path.to_owned(), valid, span });
    }

    fn take_agent_name(&mut self, path: &str, value: &TomlValue<'_>, target: &mut String) {
        let expected = "a name of 1 to 64 letters (a to z), digits, `-` or `_`";
        let Some(name) = value.get_ref().as_str() else {
            return self.wrong_type(path, value, expected);
        };
        if !is_agent_name(name) {
            let what = format!("`{path}` is \"{}\", expected {expected}", shown(name));
            return self.note(value.span(), what, None);
        }
        if let Some(&other) = self.agent_names.get(name) {
            let what = format!("`{path}` is \"{name}\", which is the name of `{}`", self.agents[other].path);
            return self.note(value.span(), what, Some("give the agent another name".to_owned()));
        }
        self.agent_names.insert(name.to_owned(), self.agents.len());
        *target = name.to_owned();
    }

    /// Applies the first agent to the settings, and checks the ranges of each agent's own settings.
    pub(super) fn finish_agents(&mut self) {
        let agents = std::mem::take(&mut self.agents);
        // Agents do not affect areas, volumes and connections.
        let bare = Settings {
            areas: vec![AreaDefinition::ground()],
            volumes: Vec::new(),
            off_mesh_connections: Vec::new(),
            ..self.settings.clone()
        };
        for ReadAgent { agent, path, span, .. } in agents.iter().filter(|agent| agent.valid) {
            for error in agent.apply(&bare).validate().err().unwrap_or_default() {
                if !agent.values.iter().any(|(own, _)| *own == error.field) {
                    continue;
                }
                let own = error.field.strip_prefix("agent.").unwrap_or(AGENT_KEYS[1]);
                let field = format!("{path}.{own}");
                let what = format!("`{field}` is {}, expected {}", error.found, error.expected);
                let span = self.span_of(&field).unwrap_or_else(|| span.clone());
                self.note(span, what, None);
            }
        }
        if let Some(first) = agents.first() {
            let region_min_area = self.settings.region_min_area;
            self.settings = Settings { region_min_area, ..first.agent.apply(&self.settings) };
        }
        self.agents = agents;
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
