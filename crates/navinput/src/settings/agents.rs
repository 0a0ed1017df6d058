//! `[[agent]]`: several agents, each with a bake of its own.

use super::keys::{AGENT, AGENT_KEYS};
use super::reader::{Reader, Value, number, shown};
use recast::{AreaDefinition, Settings};
use std::ops::Range;
use toml::de::DeTable;

/// An agent of a settings file.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSettings {
    /// Letters, digits, `-` and `_`; no two alike.
    pub name: String,
    /// Radius, metres, >= 0.
    pub radius: f64,
    /// Height, metres, > 0.
    pub height: f64,
    /// Highest step it climbs, metres, >= 0 and below its height.
    pub climb: f64,
    /// Steepest slope it walks, degrees, 0..90.
    pub slope: f64,
    /// Smallest island of regions kept for it, m². `None`: that of the settings.
    pub region_min_area: Option<f64>,
}

impl AgentSettings {
    /// The settings of this agent's bake.
    pub fn apply(&self, settings: &Settings) -> Settings {
        Settings {
            agent_radius: self.radius,
            agent_height: self.height,
            agent_climb: self.climb,
            agent_slope: self.slope,
            region_min_area: self.region_min_area.or(settings.region_min_area),
            ..settings.clone()
        }
    }
}

/// An agent while its file is read.
pub(super) struct ReadAgent {
    pub(super) agent: AgentSettings,
    /// `agent[1]`.
    path: String,
    /// Whether all its keys were read.
    sound: bool,
    span: Range<usize>,
}

impl Reader<'_> {
    pub(super) fn take_agent(&mut self, path: &str, entries: &DeTable<'_>, span: Range<usize>) {
        let problems = self.problem_count();
        let base = &self.settings;
        let mut agent = AgentSettings {
            name: String::new(),
            radius: base.agent_radius,
            height: base.agent_height,
            climb: base.agent_climb,
            slope: base.agent_slope,
            region_min_area: None,
        };
        for (key, value) in entries.iter() {
            let name = key.get_ref().as_ref();
            let path = format!("{path}.{name}");
            let mut minimum = 0.0;
            let target = match name {
                "name" => {
                    self.take_agent_name(&path, value, &mut agent.name);
                    self.remember(path, value.span());
                    continue;
                }
                "radius" => &mut agent.radius,
                "height" => &mut agent.height,
                "climb" => &mut agent.climb,
                "slope" => &mut agent.slope,
                "region_min_area" => &mut minimum,
                _ => {
                    self.unknown(AGENT, name, key.span());
                    continue;
                }
            };
            match number(value.get_ref()) {
                Some(number) => *target = number,
                None => self.wrong_type(&path, value, "a number"),
            }
            if name == AGENT_KEYS[5] {
                agent.region_min_area = Some(minimum);
            }
            self.remember(path, value.span());
        }
        if !entries.contains_key("name") {
            let what = format!("`{path}` has no `name`, which every agent must have");
            let remedy = "name it, or write a single `[agent]` without a name".to_owned();
            self.note(span.clone(), what, Some(remedy));
        }
        let sound = self.problem_count() == problems;
        self.agents.push(ReadAgent { agent, path: path.to_owned(), sound, span });
    }

    fn take_agent_name(&mut self, path: &str, value: &Value<'_>, target: &mut String) {
        const LONGEST: usize = 64;
        let expected = "a name of 1 to 64 letters (a to z), digits, `-` or `_`";
        let Some(name) = value.get_ref().as_str() else {
            return self.wrong_type(path, value, expected);
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > LONGEST || !name.chars().all(plain) {
            let what = format!("`{path}` is \"{}\", expected {expected}", shown(name).escape_debug());
            return self.note(value.span(), what, None);
        }
        if let Some(other) = self.agents.iter().find(|other| other.agent.name == name) {
            let what = format!("`{path}` is \"{name}\", which is the name of `{}`", other.path);
            return self.note(value.span(), what, Some("give the agent another name".to_owned()));
        }
        *target = name.to_owned();
    }

    /// Gives the settings the first agent, and checks what is in range and what is not for each.
    pub(super) fn finish_agents(&mut self) {
        let agents = std::mem::take(&mut self.agents);
        // Only what agents are checked against.
        let bare = Settings {
            areas: vec![AreaDefinition::ground()],
            volumes: Vec::new(),
            off_mesh_connections: Vec::new(),
            ..self.settings.clone()
        };
        for ReadAgent { agent, path, span, .. } in agents.iter().filter(|agent| agent.sound) {
            for error in agent.apply(&bare).validate().err().unwrap_or_default() {
                let own = match error.field.strip_prefix("agent.") {
                    Some(rest) => rest,
                    None if error.field == "regions.min_area" && agent.region_min_area.is_some() => {
                        AGENT_KEYS[5]
                    }
                    None => continue,
                };
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
