//! Walks a parsed TOML document: takes what is known, notes what is not.

use super::SettingsFile;
use super::agents::ReadAgent;
use super::input::{InputSettings, TileSize};
use super::keys::{AGENT, AGENT_KEYS, AREA, KEYS, Key, Kind, LAYER, MAP, OFF_MESH, TABLES, VOLUME};
use super::suggest::{nearest, nearest_name};
use crate::area_map::AreaMapping;
use crate::error::{Place, SettingProblem};
use crate::flat::MapSettings;
use recast::{AreaDefinition, Partition, Settings};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

pub(super) type Value<'a> = Spanned<DeValue<'a>>;

pub(super) struct Reader<'a> {
    text: &'a str,
    pub(super) settings: Settings,
    pub(super) areas: Vec<AreaDefinition>,
    pub(super) mappings: Vec<AreaMapping>,
    pub(super) input: InputSettings,
    pub(super) map: MapSettings,
    pub(super) agents: Vec<ReadAgent>,
    pub(super) tile_size: Option<TileSize>,
    pub(super) reachable_from: Option<[f64; 3]>,
    places: BTreeMap<String, (Place, Range<usize>)>,
    problems: Vec<SettingProblem>,
}

/// Reads a file; what it does not give is as in `base`.
pub(super) fn read(text: &str, base: &Settings) -> Result<SettingsFile, Vec<SettingProblem>> {
    let (document, syntax) = DeTable::parse_recoverable(text);
    let mut reader = Reader {
        text,
        settings: base.clone(),
        areas: Vec::new(),
        mappings: Vec::new(),
        input: InputSettings::default(),
        map: MapSettings::default(),
        agents: Vec::new(),
        tile_size: None,
        reachable_from: None,
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
    // Where the text itself is broken, what was made of it says nothing.
    let mut index = 0;
    problems.retain(|problem| {
        index += 1;
        index <= syntax.len() || problem.place.is_none_or(|place| !broken_lines.contains(&place.line))
    });
    reader.mappings.sort_by_key(|mapping| mapping.names.place);
    let file = SettingsFile {
        settings: reader.settings,
        mappings: reader.mappings,
        input: reader.input,
        map: reader.map,
        agents: reader.agents.into_iter().map(|read| read.agent).collect(),
        tile_size: reader.tile_size,
        reachable_from: reader.reachable_from,
        places: reader.places,
    };
    if problems.is_empty() {
        return Ok(file);
    }
    add_out_of_range(&file, &mut problems);
    problems.sort_by_key(|problem| problem.place);
    Err(problems)
}

/// Adds what is out of range, so that a file with several problems is mended in one go. Lines that have a problem
/// already are left alone, and so is what only another field puts out of range: that one may be the broken one.
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

/// The lines that problems stand in.
fn lines(problems: &[SettingProblem]) -> Vec<u64> {
    problems.iter().filter_map(|problem| problem.place).map(|place| place.line).collect()
}

impl Reader<'_> {
    pub(super) fn text(&self) -> &str {
        self.text
    }

    pub(super) fn problem_count(&self) -> usize {
        self.problems.len()
    }

    pub(super) fn note(&mut self, span: Range<usize>, what: String, remedy: Option<String>) {
        let place = Some(Place::of_offset(self.text.as_bytes(), span.start, 1));
        self.problems.push(SettingProblem { place, span: Some(span), what, remedy });
    }

    pub(super) fn wrong_type(&mut self, path: &str, value: &Value<'_>, expected: &str) {
        let found = shown(&self.text[value.span()]);
        let kind = value.get_ref().type_str();
        self.note(value.span(), format!("`{path}` is {found} ({kind}), expected {expected}"), None);
    }

    pub(super) fn unknown(&mut self, table: &str, name: &str, span: Range<usize>) {
        let path = if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") };
        let remedy = match nearest(table, name) {
            Some(near) => format!("the nearest key is `{near}`"),
            None => "`navtile init` writes a file with every key".to_owned(),
        };
        self.note(span, format!("unknown key `{}`", shown(&path)), Some(remedy));
    }

    pub(super) fn remember(&mut self, path: String, span: Range<usize>) {
        let place = Place::of_offset(self.text.as_bytes(), span.start, 1);
        self.places.insert(path, (place, span));
    }

    /// The bytes that hold the value of a field that was read.
    pub(super) fn span_of(&self, field: &str) -> Option<Range<usize>> {
        self.places.get(field).map(|(_, span)| span.clone())
    }

    fn take_document(&mut self, document: &DeTable<'_>) {
        // Areas first: volumes and connections speak of them by name, wherever they stand.
        let (areas, others): (Vec<_>, Vec<_>) =
            document.iter().partition(|(key, _)| key.get_ref().as_ref() == AREA);
        for (_, value) in areas {
            self.take_list(AREA, value, Reader::take_area);
        }
        self.inherit_areas();
        for (key, value) in others {
            let name = key.get_ref().as_ref();
            if let Some(table) = TABLES.iter().find(|table| **table == name) {
                match value.get_ref() {
                    DeValue::Table(entries) => self.take_table(table, entries),
                    DeValue::Array(_) if name == AGENT => self.take_list(AGENT, value, Reader::take_agent),
                    _ => self.wrong_type(name, value, &format!("a table: `[{name}]`")),
                }
            } else if name == VOLUME {
                self.take_list(VOLUME, value, Reader::take_volume);
            } else if name == OFF_MESH {
                self.take_list(OFF_MESH, value, Reader::take_off_mesh);
            } else if name == MAP {
                self.take_map(value);
            } else if name == LAYER {
                self.take_list(LAYER, value, Reader::take_layer);
            } else {
                self.take_key("", name, key.span(), value);
            }
        }
        self.settings.areas = std::mem::take(&mut self.areas);
        self.finish_agents();
    }

    /// Takes each table of a list such as `[[area]]`; `take` gets its path, its entries and where it stands.
    fn take_list(
        &mut self,
        name: &str,
        value: &Value<'_>,
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

    fn take_key(&mut self, table: &str, name: &str, span: Range<usize>, value: &Value<'_>) {
        let Some(key) = KEYS.iter().find(|key| key.table == table && key.name == name) else {
            if table == AGENT && AGENT_KEYS.contains(&name) {
                let what = format!("`{AGENT}.{name}` is a key of an agent among several: `[[{AGENT}]]`");
                return self.note(span, what, Some(format!("write `[[{AGENT}]]`, or take the key out")));
            }
            return self.unknown(table, name, span);
        };
        let path = key.path();
        let taken = self.take_value(key, &path, value);
        if taken {
            self.remember(path, value.span());
        }
    }

    fn take_value(&mut self, key: &Key, path: &str, value: &Value<'_>) -> bool {
        match &key.kind {
            Kind::Number(set) => match number(value.get_ref()) {
                Some(number) => set(&mut self.settings, number),
                None => {
                    self.wrong_type(path, value, "a number");
                    return false;
                }
            },
            Kind::Count(set) => match integer(value.get_ref()).and_then(|v| u32::try_from(v).ok()) {
                Some(count) => set(&mut self.settings, count),
                None => {
                    self.wrong_type(path, value, "a whole number, not negative");
                    return false;
                }
            },
            Kind::Bytes(set) => match integer(value.get_ref()).and_then(|v| u64::try_from(v).ok()) {
                Some(bytes) => set(&mut self.settings, bytes),
                None => {
                    self.wrong_type(path, value, "a whole number of bytes");
                    return false;
                }
            },
            Kind::Switch(set) => match value.get_ref().as_bool() {
                Some(on) => set(&mut self.settings, on),
                None => {
                    self.wrong_type(path, value, "true or false");
                    return false;
                }
            },
            Kind::Partition => return self.take_partition(path, value),
            Kind::TileSize => return self.take_tile_size(path, value),
            Kind::ReachableFrom => return self.take_reachable_from(path, value),
            Kind::Up => return self.take_up(path, value),
            Kind::Scale => return self.take_scale(path, value),
            Kind::Filter(by) => return self.take_filter(key, *by, path, value),
            Kind::Bounds => match corners(value.get_ref()) {
                Some(bounds) => self.settings.bounds = Some(bounds),
                None => {
                    self.wrong_type(path, value, "two corners: [[x, y, z], [x, y, z]]");
                    return false;
                }
            },
        }
        true
    }

    fn take_partition(&mut self, path: &str, value: &Value<'_>) -> bool {
        let expected = "\"watershed\", \"monotone\" or \"layers\"";
        let Some(given) = value.get_ref().as_str() else {
            self.wrong_type(path, value, expected);
            return false;
        };
        if let Some((_, partition)) = Partition::NAMES.iter().find(|(name, _)| *name == given) {
            self.settings.partition = *partition;
            return true;
        }
        let near = nearest_name(given, Partition::NAMES.iter().map(|(name, _)| *name));
        let what = format!("`{path}` is \"{}\", expected {expected}", shown(given));
        self.note(value.span(), what, near.map(|near| format!("did you mean \"{near}\"?")));
        false
    }
}

pub(super) fn integer(value: &DeValue<'_>) -> Option<i64> {
    let whole: &DeInteger<'_> = value.as_integer()?;
    i64::from_str_radix(whole.as_str(), whole.radix()).ok()
}

/// An integer or a float; a float too large for a double is none.
pub(super) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => {
            let number: f64 = float.as_str().parse().ok()?;
            (number.is_finite() || !float.as_str().contains(|c: char| c.is_ascii_digit())).then_some(number)
        }
        _ => integer(value).map(|whole| whole as f64),
    }
}

fn corners(value: &DeValue<'_>) -> Option<[[f64; 3]; 2]> {
    let both: Option<Vec<[f64; 3]>> = value.as_array()?.iter().map(|v| numbers(v.get_ref())).collect();
    both?.try_into().ok()
}

/// A list of `N` numbers.
pub(super) fn numbers<const N: usize>(value: &DeValue<'_>) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(|entry| number(entry.get_ref())).collect();
    numbers?.try_into().ok()
}

/// A piece of the file for a message: one line, and short.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        line
    } else {
        line.chars().take(LONGEST).chain("..".chars()).collect()
    }
}
