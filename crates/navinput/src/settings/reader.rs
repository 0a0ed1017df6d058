//! Reads a settings file: tables of single values, which the tables of settings describe, and lists of tables,
//! which have forms of their own.

use super::SettingsFile;
use super::agents::ReadAgent;
use super::areas::AREA;
use super::input::{INPUT_FILTERS, INPUT_SETTINGS, InputSettings};
use super::keys::{AGENT, TABLES, path_of};
use super::links::LINKS;
use super::map::{LAYER, MAP};
use super::off_mesh::OFF_MESH;
use super::read_agents::AGENTS;
use super::suggest::nearest;
use super::volumes::VOLUME;
use crate::error::SettingProblem;
use crate::flat::MapSettings;
use crate::pattern::AreaMapping;
use crate::tables::{Field, POSITIVE, Reader, TomlValue, quoted, range_in_words, shown};
use navmath::sort::SharedSort;
use recast::settings::{Kind, Setting, Value, find};
use recast::{AreaDefinition, Settings};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::de::DeTable;

pub(super) struct SettingsReader<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) settings: Settings,
    pub(super) areas: Vec<AreaDefinition>,
    pub(super) mappings: Vec<AreaMapping>,
    pub(super) input: InputSettings,
    pub(super) map: MapSettings,
    pub(super) agents: Vec<ReadAgent>,
    /// Index of each agent by its name.
    pub(super) agent_names: BTreeMap<String, usize>,
    /// Numbers of the map's layers so far.
    pub(super) layer_numbers: BTreeSet<i32>,
}

/// Reads a file; settings that it does not give come from `base`.
pub(super) fn read(text: &str, base: &Settings) -> Result<SettingsFile, Vec<SettingProblem>> {
    let (document, reader) = Reader::parse(text);
    let mut reader = SettingsReader {
        reader,
        settings: base.clone(),
        areas: Vec::new(),
        mappings: Vec::new(),
        input: InputSettings::default(),
        map: MapSettings::default(),
        agents: Vec::new(),
        agent_names: BTreeMap::new(),
        layer_numbers: BTreeSet::new(),
    };
    reader.take_document(document.get_ref());
    reader.mappings.shared_sort_by_key(|mapping| mapping.names.place);
    let Reader { places, mut problems, .. } = reader.reader;
    let file = SettingsFile {
        settings: reader.settings,
        mappings: reader.mappings,
        input: reader.input,
        map: reader.map,
        agents: reader.agents.into_iter().map(|read| read.agent).collect(),
        places,
    };
    if problems.is_empty() {
        return Ok(file);
    }
    add_out_of_range(&file, &mut problems);
    problems.shared_sort_by_key(|problem| problem.place);
    Err(problems)
}

/// Adds values out of range, so that a file with several problems can be corrected in one go. Skips lines
/// that already have a problem, and values that are out of range only because of another field, because that
/// field may be the wrong one.
fn add_out_of_range(file: &SettingsFile, problems: &mut Vec<SettingProblem>) {
    let errors = file.settings.validate().err().unwrap_or_default();
    let broken_lines: BTreeSet<u64> =
        problems.iter().filter_map(|problem| problem.place).map(|place| place.line).collect();
    for error in errors.iter().filter(|error| error.field != "agent.climb" || file.settings.agent_climb < 0.0)
    {
        let Some((place, span)) = file.entry(&error.field) else { continue };
        if !broken_lines.contains(&place.line) {
            problems.push(SettingProblem {
                place: Some(*place),
                span: Some(span.clone()),
                what: format!("`{}` is {}, expected {}", error.field, error.found, error.expected),
                remedy: None,
            });
        }
    }
}

impl SettingsReader<'_> {
    fn take_document(&mut self, document: &DeTable<'_>) {
        // Areas first: volumes and connections refer to them by name, from anywhere in the file.
        if let Some(value) = document.get(AREA.name) {
            let tables = self.reader.tables(AREA.name, value);
            tables.iter().for_each(|table| self.take_area(table));
        }
        self.inherit_areas();
        for (key, value) in document.iter().filter(|(key, _)| key.get_ref() != AREA.name) {
            let name = key.get_ref().as_ref();
            let is_list = value.get_ref().as_array().is_some();
            let take = match name {
                AGENT if is_list => SettingsReader::take_agent,
                _ if name == VOLUME.name => SettingsReader::take_volume,
                _ if name == OFF_MESH.name => SettingsReader::take_off_mesh,
                _ if name == LINKS.name => SettingsReader::take_links,
                _ if name == LAYER.name => SettingsReader::take_layer,
                _ => {
                    self.take_single(name, key.span(), value);
                    continue;
                }
            };
            let tables = self.reader.tables(name, value);
            tables.iter().for_each(|table| take(self, table));
        }
        self.settings.areas = std::mem::take(&mut self.areas);
        self.finish_agents();
    }

    /// Reads a table of single values, or a value outside of tables.
    fn take_single(&mut self, name: &str, span: Range<usize>, value: &TomlValue<'_>) {
        if !TABLES.contains(&name) {
            return self.take_key("", name, span, value);
        }
        let Some(table) = self.reader.table(name, value) else { return };
        if name == MAP.name {
            return self.take_map(&table);
        }
        for (key, value) in table.entries.iter() {
            self.take_key(name, key.get_ref(), key.span(), value);
        }
    }

    fn take_key(&mut self, table: &str, name: &str, span: Range<usize>, value: &TomlValue<'_>) {
        let path = path_of(table, name);
        let field = &mut self.reader.field(&path, value);
        if let Some(setting) = find(&path) {
            let given = setting_value(setting, field);
            if given.is_some_and(|given| !(setting.set)(&mut self.settings, given)) {
                field.wrong("a smaller number").unwrap_or(())
            }
        } else if let Some(setting) = INPUT_SETTINGS.iter().find(|setting| setting.path == path) {
            if let Some(given) = in_range(setting, field) {
                (setting.set)(&mut self.input, given);
            }
        } else if let Some((_, by, is_included)) =
            INPUT_FILTERS.iter().find(|(key, ..)| table == "input" && *key == name)
        {
            let patterns = if *is_included { &mut self.input.include } else { &mut self.input.exclude };
            field.patterns(*by, patterns);
        } else {
            let (what, remedy) = if table == AGENT && AGENTS.names().any(|key| key == name) {
                let what = format!("`{path}` is a key of an agent among several: `[[{AGENT}]]`");
                (what, format!("write `[[{AGENT}]]`, or take the key out"))
            } else {
                let near = if self.reader.gives_hints() { nearest(table, name) } else { None };
                let remedy = near.map(|near| format!("the nearest key is `{near}`"));
                (format!("unknown key `{}`", shown(&path)), remedy.unwrap_or_else(|| EVERY_KEY.to_owned()))
            };
            return self.reader.note(span, what, Some(remedy));
        }
        self.reader.remember(path, value.span());
    }
}

/// The remedy if no key is similar.
const EVERY_KEY: &str = "`navtile init` writes a file with every key";

/// The value of a setting. Ranges are left to [`Settings::validate`].
pub(super) fn setting_value<S>(setting: &Setting<S>, f: &mut Field<'_, '_>) -> Option<Value> {
    let choices = |names: &[(&'static str, &str)]| -> Vec<(&str, Value)> {
        names.iter().map(|(name, _)| (*name, Value::Choice(name))).collect()
    };
    match setting.kind {
        Kind::Number { .. } => f.any_number().map(Value::Number),
        Kind::Whole { .. } => f.integer("a whole number, not negative").map(Value::Whole),
        Kind::Switch => f.switch().map(Value::Switch),
        Kind::Choice(names) => f.choice(&choices(names)),
        Kind::ChoiceOrNumber(names) => {
            let names = choices(names);
            let expected = quoted(names.iter().map(|(name, _)| *name), ", ");
            let expected = format!("{expected} or {}", range_in_words(POSITIVE, ""));
            match f.value.get_ref().as_str() {
                Some(given) => f.named(given, &names, &expected),
                None => f.number_or(POSITIVE, &expected).map(Value::Number),
            }
        }
        Kind::Point => f.point().map(Value::Point),
        Kind::Box => f
            .array("two corners: [[x, y, z], [x, y, z]]", |corner| {
                corner.any_numbers("three numbers: [x, y, z]")
            })
            .map(Value::Box),
    }
}

/// The value of a setting that no later step checks.
fn in_range<S>(setting: &Setting<S>, f: &mut Field<'_, '_>) -> Option<Value> {
    let given = setting_value(setting, f)?;
    let (false, Value::Number(found)) = (setting.allows(given), given) else { return Some(given) };
    f.refuse(&format!("is {found}, expected {}", setting.range().unwrap_or_default()), None)
}
