//! Reads a settings file: tables of single values, which the tables of settings describe, and lists of
//! tables, which have schemas of their own.

use super::agents::AGENT;
use super::areas::AREA;
use super::hierarchy::HIERARCHY;
use super::input::{INPUT_FILTERS, INPUT_SETTINGS, InputSettings};
use super::keys::{TABLES, path_of};
use super::links::LINKS;
use super::map::{LAYER, MAP};
use super::off_mesh::OFF_MESH;
use super::read_agents::AGENTS;
use super::suggest::nearest;
use super::value::setting_value;
use super::volumes::VOLUME;
use super::{SettingsFile, SettingsReader};
use crate::error::InputError;
use crate::flat::MapSettings;
use crate::tables::{Places, Reader, TomlValue, shown};
use navmath::sort::SharedSort;
use recast::Settings;
use recast::settings::{Kind, Value, find};
use std::collections::BTreeSet;
use std::ops::Range;
use toml::de::DeTable;

/// Reads a file; settings that it does not give come from `base`.
pub(super) fn read(text: &str, base: &Settings) -> Result<SettingsFile, InputError> {
    let (document, reader) = Reader::parse(text);
    let file = SettingsFile {
        settings: base.clone(),
        mappings: Vec::new(),
        input: InputSettings::default(),
        map: MapSettings::default(),
        hierarchy: None,
        agents: Vec::new(),
        places: Places::new(),
    };
    let (areas, valid_agents, layer_numbers) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut reader = SettingsReader { reader, file, areas, valid_agents, layer_numbers };
    reader.take_document(document.get_ref());
    let SettingsReader { mut reader, mut file, .. } = reader;
    file.mappings.shared_sort_by_key(|mapping| mapping.names.place);
    file.places = std::mem::take(&mut reader.places);
    if !reader.problems.is_empty() {
        note_out_of_range(&file, &mut reader);
    }
    reader.finish(file)
}

/// Notes values out of range, so that a file with several problems can be corrected in one go. Skips lines
/// that already have a problem, and values that are out of range only because of another field, because that
/// field may be the wrong one.
fn note_out_of_range(file: &SettingsFile, reader: &mut Reader<'_>) {
    reader.close_lines();
    let errors = file.settings.validate().err().unwrap_or_default();
    for error in errors.iter().filter(|error| error.field != "agent.climb" || file.settings.agent_climb < 0.0)
    {
        if let Some((_, span)) = file.entry(&error.field) {
            let what = format!("`{}` is {}, expected {}", error.field, error.found, error.expected);
            reader.note(span.clone(), what, None);
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
        self.file.settings.areas = std::mem::take(&mut self.areas);
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
        if name == HIERARCHY.name {
            return self.take_hierarchy(&table);
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
            if given.is_some_and(|given| !(setting.set)(&mut self.file.settings, given)) {
                field.wrong("a smaller number").unwrap_or(())
            }
        } else if let Some(setting) = INPUT_SETTINGS.iter().find(|setting| setting.path == path) {
            // No later step checks it.
            let given = match setting.kind {
                Kind::Number { min, max } => field.number((min, max), setting.unit.name()).map(Value::Number),
                _ => setting_value(setting, field),
            };
            given.map(|given| (setting.set)(&mut self.file.input, given)).unwrap_or_default();
        } else if let Some((_, by, is_included)) =
            INPUT_FILTERS.iter().find(|(key, ..)| table == "input" && *key == name)
        {
            let patterns =
                if *is_included { &mut self.file.input.include } else { &mut self.file.input.exclude };
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
