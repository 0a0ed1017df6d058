//! Walks a parsed TOML document: reads known keys, and notes unknown ones.

use super::SettingsFile;
use super::agents::ReadAgent;
use super::input::{INPUT_FILTERS, INPUT_SETTINGS, InputSettings};
use super::keys::{AGENT, AGENT_KEYS, AREA, LAYER, LINKS, MAP, OFF_MESH, TABLES, VOLUME, path_of};
use super::suggest::{EVERY_KEY, remedy};
use crate::error::{Lines, Place, SettingProblem};
use crate::flat::MapSettings;
use crate::label::escaped;
use crate::likeness::nearest_name;
use crate::pattern::AreaMapping;
use navmath::sort::SharedSort;
use recast::settings::{Kind, Setting, Value, find};
use recast::{AreaDefinition, AreaId, Settings};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// A value of the file, and its position.
pub(crate) type TomlValue<'a> = Spanned<DeValue<'a>>;

pub(super) struct SettingsReader<'a> {
    text: &'a str,
    lines: Lines,
    pub(super) settings: Settings,
    pub(super) areas: Vec<AreaDefinition>,
    /// The area of each name; the first area with the name counts.
    pub(super) area_ids: BTreeMap<String, AreaId>,
    pub(super) mappings: Vec<AreaMapping>,
    pub(super) input: InputSettings,
    pub(super) map: MapSettings,
    pub(super) agents: Vec<ReadAgent>,
    /// Index of each agent by its name.
    pub(super) agent_names: BTreeMap<String, usize>,
    /// Numbers of the map's layers so far.
    pub(super) layer_numbers: BTreeSet<i32>,
    places: BTreeMap<String, (Place, Range<usize>)>,
    problems: Vec<SettingProblem>,
}

/// Reads a file; settings that it does not give come from `base`.
pub(super) fn read(text: &str, base: &Settings) -> Result<SettingsFile, Vec<SettingProblem>> {
    let (document, syntax) = DeTable::parse_recoverable(text);
    let mut reader = SettingsReader {
        text,
        lines: Lines::of(text.as_bytes()),
        settings: base.clone(),
        areas: Vec::new(),
        area_ids: BTreeMap::new(),
        mappings: Vec::new(),
        input: InputSettings::default(),
        map: MapSettings::default(),
        agents: Vec::new(),
        agent_names: BTreeMap::new(),
        layer_numbers: BTreeSet::new(),
        places: BTreeMap::new(),
        problems: Vec::new(),
    };
    for error in &syntax {
        let span = error.span().unwrap_or(0..0);
        reader.note(span, error.message().trim_end().replace('\n', ", "), None);
    }
    let broken_lines = lines(&reader.problems);
    reader.take_document(document.get_ref());
    let mut problems = reader.problems;
    // Problems found on lines with syntax errors are meaningless.
    let mut index = 0;
    problems.retain(|problem| {
        index += 1;
        index <= syntax.len() || problem.place.is_none_or(|place| !broken_lines.contains(&place.line))
    });
    reader.mappings.shared_sort_by_key(|mapping| mapping.names.place);
    let file = SettingsFile {
        settings: reader.settings,
        mappings: reader.mappings,
        input: reader.input,
        map: reader.map,
        agents: reader.agents.into_iter().map(|read| read.agent).collect(),
        places: reader.places,
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
    let broken_lines = lines(problems);
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

/// The lines of all problems.
fn lines(problems: &[SettingProblem]) -> BTreeSet<u64> {
    problems.iter().filter_map(|problem| problem.place).map(|place| place.line).collect()
}

impl SettingsReader<'_> {
    /// The place of a byte of the file.
    pub(super) fn place(&self, offset: usize) -> Place {
        self.lines.place(offset)
    }

    /// The nearest of a few names, unless the file has more problems than are worth hints: each comparison
    /// costs the product of two lengths.
    pub(super) fn nearest_name<'n>(
        &self,
        given: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Option<&'n str> {
        if self.gives_hints() { nearest_name(given, names) } else { None }
    }

    /// Returns true if the next problem still gets a suggested name.
    fn gives_hints(&self) -> bool {
        const HINTS: usize = 100;
        self.problems.len() < HINTS
    }

    pub(super) fn problem_count(&self) -> usize {
        self.problems.len()
    }

    pub(super) fn note(&mut self, span: Range<usize>, what: String, remedy: Option<String>) {
        let place = Some(self.place(span.start));
        self.problems.push(SettingProblem { place, span: Some(span), what, remedy });
    }

    pub(super) fn wrong_type(&mut self, path: &str, value: &TomlValue<'_>, expected: &str) {
        let found = shown(&self.text[value.span()]);
        let kind = value.get_ref().type_str();
        self.note(value.span(), format!("`{path}` is {found} ({kind}), expected {expected}"), None);
    }

    pub(super) fn unknown(&mut self, table: &str, name: &str, span: Range<usize>) {
        let path = path_of(table, name);
        let remedy = if self.gives_hints() { remedy(table, name) } else { EVERY_KEY.to_owned() };
        self.note(span, format!("unknown key `{}`", shown(&path)), Some(remedy));
    }

    pub(super) fn remember(&mut self, path: String, span: Range<usize>) {
        let place = self.place(span.start);
        self.places.insert(path, (place, span));
    }

    /// The bytes that hold the value of a field that was read.
    pub(super) fn span_of(&self, field: &str) -> Option<Range<usize>> {
        self.places.get(field).map(|(_, span)| span.clone())
    }

    fn take_document(&mut self, document: &DeTable<'_>) {
        // Areas first: volumes and connections refer to them by name, from anywhere in the file.
        let (areas, others): (Vec<_>, Vec<_>) =
            document.iter().partition(|(key, _)| key.get_ref().as_ref() == AREA);
        for (_, value) in areas {
            self.take_list(AREA, value, SettingsReader::take_area);
        }
        self.inherit_areas();
        for (key, value) in others {
            let name = key.get_ref().as_ref();
            if let Some(table) = TABLES.iter().find(|table| **table == name) {
                match value.get_ref() {
                    DeValue::Table(entries) => self.take_table(table, entries),
                    DeValue::Array(_) if name == AGENT => {
                        self.take_list(AGENT, value, SettingsReader::take_agent)
                    }
                    _ => self.wrong_type(name, value, &format!("a table: `[{name}]`")),
                }
            } else if name == VOLUME {
                self.take_list(VOLUME, value, SettingsReader::take_volume);
            } else if name == OFF_MESH {
                self.take_list(OFF_MESH, value, SettingsReader::take_off_mesh);
            } else if name == LINKS {
                self.take_list(LINKS, value, SettingsReader::take_links);
            } else if name == MAP {
                self.take_map(value);
            } else if name == LAYER {
                self.take_list(LAYER, value, SettingsReader::take_layer);
            } else {
                self.take_key("", name, key.span(), value);
            }
        }
        self.settings.areas = std::mem::take(&mut self.areas);
        self.finish_agents();
    }

    /// Reads each table of a list such as `[[area]]`; `take` gets its path, its entries and its position.
    fn take_list(
        &mut self,
        name: &str,
        value: &TomlValue<'_>,
        take: impl Fn(&mut Self, &str, &DeTable<'_>, Range<usize>),
    ) {
        let DeValue::Array(list) = value.get_ref() else {
            return self.wrong_type(name, value, &format!("a list of tables: `[[{name}]]`"));
        };
        for (index, entry) in list.iter().enumerate() {
            let path = format!("{name}[{index}]");
            match entry.get_ref() {
                DeValue::Table(entries) => {
                    self.remember(path.clone(), entry.span());
                    take(self, &path, entries, entry.span());
                }
                _ => self.wrong_type(&path, entry, &format!("a table: `[[{name}]]`")),
            }
        }
    }

    fn take_table(&mut self, table: &str, entries: &DeTable<'_>) {
        for (key, value) in entries.iter() {
            self.take_key(table, key.get_ref(), key.span(), value);
        }
    }

    fn take_key(&mut self, table: &str, name: &str, span: Range<usize>, value: &TomlValue<'_>) {
        let path = path_of(table, name);
        let taken = if let Some(setting) = find(&path) {
            match self.value(setting, &path, value) {
                Some(given) if (setting.set)(&mut self.settings, given) => true,
                Some(_) => return self.wrong_type(&path, value, "a smaller number"),
                None => false,
            }
        } else if let Some(setting) = INPUT_SETTINGS.iter().find(|setting| setting.path == path) {
            self.input_value(setting, &path, value).is_some_and(|given| (setting.set)(&mut self.input, given))
        } else if let Some(filter) = INPUT_FILTERS.iter().find(|(key, ..)| table == "input" && *key == name) {
            self.take_filter(*filter, &path, value)
        } else if table == AGENT && AGENT_KEYS.contains(&name) {
            let what = format!("`{AGENT}.{name}` is a key of an agent among several: `[[{AGENT}]]`");
            return self.note(span, what, Some(format!("write `[[{AGENT}]]`, or take the key out")));
        } else {
            return self.unknown(table, name, span);
        };
        if taken {
            self.remember(path, value.span());
        }
    }

    /// The value of a setting; ranges are left to [`Settings::validate`]. `None` if it has another type,
    /// which is noted.
    pub(super) fn value<S>(
        &mut self,
        setting: &Setting<S>,
        path: &str,
        value: &TomlValue<'_>,
    ) -> Option<Value> {
        let given = value.get_ref();
        let choice = |names: &[(&'static str, &str)]| {
            let given = given.as_str()?;
            names.iter().find(|(name, _)| *name == given).map(|(name, _)| Value::Choice(name))
        };
        let (read, expected) = match setting.kind {
            Kind::Number { .. } => (number(given).map(Value::Number), "a number".to_owned()),
            Kind::Whole { .. } => (whole(given).map(Value::Whole), "a whole number, not negative".to_owned()),
            Kind::Switch => (given.as_bool().map(Value::Switch), "true or false".to_owned()),
            Kind::Choice(names) => (choice(names), quoted(names, " or ")),
            Kind::ChoiceOrNumber(names) => {
                let number = number(given).map(Value::Number).filter(|value| setting.allows(*value));
                let expected = format!("{} or a finite number greater than 0", quoted(names, ", "));
                (choice(names).or(number), expected)
            }
            Kind::Point => {
                let read = numbers(given).map(Value::Point).filter(|value| setting.allows(*value));
                (read, "three finite numbers: [x, y, z]".to_owned())
            }
            Kind::Box => {
                let both: Option<Vec<[f64; 3]>> =
                    given.as_array().and_then(|list| list.iter().map(|v| numbers(v.get_ref())).collect());
                let read = both.and_then(|both| both.try_into().ok()).map(Value::Box);
                (read, "two corners: [[x, y, z], [x, y, z]]".to_owned())
            }
        };
        if read.is_none() {
            self.wrong_value(setting.kind, path, value, &expected);
        }
        read
    }

    /// Like [`SettingsReader::value`], but for a setting that no later step checks: its range is checked
    /// here.
    fn input_value<S>(&mut self, setting: &Setting<S>, path: &str, value: &TomlValue<'_>) -> Option<Value> {
        let given = self.value(setting, path, value)?;
        let (false, Value::Number(found)) = (setting.allows(given), given) else { return Some(given) };
        let what = format!("`{path}` is {found}, expected {}", setting.range().unwrap_or_default());
        self.note(value.span(), what, None);
        None
    }

    /// Notes a value of another type, or an unknown name.
    fn wrong_value(&mut self, kind: Kind, path: &str, value: &TomlValue<'_>, expected: &str) {
        match (kind, value.get_ref().as_str()) {
            (Kind::Choice(names) | Kind::ChoiceOrNumber(names), Some(given)) => {
                self.unknown_name(path, value.span(), given, names.iter().map(|(name, _)| *name), expected);
            }
            _ => self.wrong_type(path, value, expected),
        }
    }

    /// One of several names; a problem is noted for anything else.
    pub(super) fn one_of<T: Copy>(
        &mut self,
        path: &str,
        value: &TomlValue<'_>,
        names: &[(&str, T)],
        expected: &str,
    ) -> Option<T> {
        let Some(given) = value.get_ref().as_str() else {
            self.wrong_type(path, value, expected);
            return None;
        };
        let known = names.iter().find(|(name, _)| *name == given);
        if known.is_none() {
            self.unknown_name(path, value.span(), given, names.iter().map(|(name, _)| *name), expected);
        }
        known.map(|(_, known)| *known)
    }

    /// Notes the keys that a table lacks, of those that every `what` must have.
    pub(super) fn require(
        &mut self,
        path: &str,
        (entries, span): (&DeTable<'_>, &Range<usize>),
        keys: &[&str],
        what: &str,
    ) {
        for key in keys.iter().filter(|key| !entries.contains_key(**key)) {
            self.note(span.clone(), format!("`{path}` has no `{key}`, which every {what} must have"), None);
        }
    }

    /// Notes a name that is not among a few known ones, with the nearest of them.
    pub(super) fn unknown_name<'n>(
        &mut self,
        path: &str,
        span: Range<usize>,
        given: &str,
        names: impl Iterator<Item = &'n str>,
        expected: &str,
    ) {
        let near = self.nearest_name(given, names);
        let what = format!("`{path}` is \"{}\", expected {expected}", shown(given));
        self.note(span, what, near.map(|near| format!("did you mean \"{near}\"?")));
    }
}

/// Names in quotes; `last` comes before the final one.
fn quoted(names: &[(&str, &str)], last: &str) -> String {
    let names: Vec<String> = names.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    match names.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(", ")),
        None => String::new(),
    }
}

/// A whole number that is not negative.
fn whole(value: &DeValue<'_>) -> Option<u64> {
    integer(value).and_then(|value| u64::try_from(value).ok())
}

pub(super) fn integer(value: &DeValue<'_>) -> Option<i64> {
    let whole: &DeInteger<'_> = value.as_integer()?;
    i64::from_str_radix(whole.as_str(), whole.radix()).ok()
}

/// An integer or a float; `None` for a float that is too large for a double.
pub(crate) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => {
            let number: f64 = float.as_str().parse().ok()?;
            (number.is_finite() || !float.as_str().contains(|c: char| c.is_ascii_digit())).then_some(number)
        }
        _ => integer(value).map(|whole| whole as f64),
    }
}

/// A list of `N` numbers.
pub(crate) fn numbers<const N: usize>(value: &DeValue<'_>) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(|entry| number(entry.get_ref())).collect();
    numbers?.try_into().ok()
}

/// A part of the file for a message: one line, and short.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    // Built word by word, so that a long value costs no more than the part that is shown.
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.chars().count() > LONGEST {
            break;
        }
        let gap = if line.is_empty() { "" } else { " " };
        line.push_str(gap);
        line.extend(word.chars().take(LONGEST + 1));
    }
    let line = escaped(&line).into_owned();
    if line.chars().count() <= LONGEST {
        line
    } else {
        line.chars().take(LONGEST).chain("..".chars()).collect()
    }
}
