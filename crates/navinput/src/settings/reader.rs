//! Walks a parsed TOML document: takes what is known, notes what is not.

use super::SettingsFile;
use super::keys::{AREA, AREA_KEYS, KEYS, Key, Kind, TABLES};
use super::suggest::{nearest, nearest_name};
use crate::error::{Place, SettingProblem};
use recast::{AreaDefinition, AreaId, Partition, Settings};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

type Value<'a> = Spanned<DeValue<'a>>;

struct Reader<'a> {
    text: &'a str,
    settings: Settings,
    areas: Vec<AreaDefinition>,
    places: BTreeMap<String, (Place, Range<usize>)>,
    problems: Vec<SettingProblem>,
}

pub(super) fn read(text: &str) -> Result<SettingsFile, Vec<SettingProblem>> {
    let (document, syntax) = DeTable::parse_recoverable(text);
    let mut reader = Reader {
        text,
        settings: Settings::default(),
        areas: Vec::new(),
        places: BTreeMap::new(),
        problems: Vec::new(),
    };
    for error in &syntax {
        let span = error.span().unwrap_or(0..0);
        reader.note(span, error.message().trim_end().replace('\n', ", "), None);
    }
    let broken_lines: Vec<u64> = reader.problems.iter().map(|problem| problem.place.line).collect();
    reader.take_document(document.get_ref());
    let mut problems = reader.problems;
    // Where the text itself is broken, what was made of it says nothing.
    let mut index = 0;
    problems.retain(|problem| {
        index += 1;
        index <= syntax.len() || !broken_lines.contains(&problem.place.line)
    });
    if problems.is_empty() {
        return Ok(SettingsFile { settings: reader.settings, places: reader.places });
    }
    problems.sort_by_key(|problem| problem.place);
    Err(problems)
}

impl Reader<'_> {
    fn note(&mut self, span: Range<usize>, what: String, remedy: Option<String>) {
        let place = Place::of_offset(self.text.as_bytes(), span.start, 1);
        self.problems.push(SettingProblem { place, span, what, remedy });
    }

    fn wrong_type(&mut self, path: &str, value: &Value<'_>, expected: &str) {
        let found = shown(&self.text[value.span()]);
        let kind = value.get_ref().type_str();
        self.note(value.span(), format!("`{path}` is {found} ({kind}), expected {expected}"), None);
    }

    fn unknown(&mut self, table: &str, name: &str, span: Range<usize>) {
        let path = if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") };
        let remedy = match nearest(table, name) {
            Some(near) => format!("the nearest key is `{near}`"),
            None => "`navtile init` writes a file with every key".to_owned(),
        };
        self.note(span, format!("unknown key `{}`", shown(&path)), Some(remedy));
    }

    fn remember(&mut self, path: String, span: Range<usize>) {
        let place = Place::of_offset(self.text.as_bytes(), span.start, 1);
        self.places.insert(path, (place, span));
    }

    fn take_document(&mut self, document: &DeTable<'_>) {
        for (key, value) in document.iter() {
            let name = key.get_ref().as_ref();
            if let Some(table) = TABLES.iter().find(|table| **table == name) {
                match value.get_ref() {
                    DeValue::Table(entries) => self.take_table(table, entries),
                    _ => self.wrong_type(name, value, &format!("a table: `[{name}]`")),
                }
            } else if name == AREA {
                self.take_areas(value);
            } else {
                self.take_key("", name, key.span(), value);
            }
        }
        if self.settings_lack_ground() {
            self.areas.push(AreaDefinition::ground());
        }
        self.settings.areas = std::mem::take(&mut self.areas);
    }

    fn take_table(&mut self, table: &str, entries: &DeTable<'_>) {
        for (key, value) in entries.iter() {
            self.take_key(table, key.get_ref(), key.span(), value);
        }
    }

    fn take_key(&mut self, table: &str, name: &str, span: Range<usize>, value: &Value<'_>) {
        let Some(key) = KEYS.iter().find(|key| key.table == table && key.name == name) else {
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

    fn take_areas(&mut self, value: &Value<'_>) {
        let DeValue::Array(areas) = value.get_ref() else {
            return self.wrong_type(AREA, value, "a list of tables: `[[area]]`");
        };
        for (index, area) in areas.iter().enumerate() {
            let path = format!("{AREA}[{index}]");
            match area.get_ref() {
                DeValue::Table(entries) => {
                    self.remember(path.clone(), area.span());
                    self.take_area(&path, entries, area.span());
                }
                _ => self.wrong_type(&path, area, "a table: `[[area]]`"),
            }
        }
    }

    fn take_area(&mut self, path: &str, entries: &DeTable<'_>, span: Range<usize>) {
        let mut area = AreaDefinition { id: AreaId::NULL, name: String::new(), flags: 1, cost: 1.0 };
        for (key, value) in entries.iter() {
            let name = key.get_ref().as_ref();
            let path = format!("{path}.{name}");
            let whole = integer(value.get_ref());
            match name {
                "id" => match whole.and_then(|id| u8::try_from(id).ok()) {
                    Some(id) => area.id = AreaId(id),
                    None => self.wrong_type(&path, value, "a whole number of 1 to 255"),
                },
                "name" => match value.get_ref().as_str() {
                    Some(name) => area.name = name.to_owned(),
                    None => self.wrong_type(&path, value, "a string"),
                },
                "flags" => match whole.and_then(|flags| u32::try_from(flags).ok()) {
                    Some(flags) => area.flags = flags,
                    None => self.wrong_type(&path, value, "a whole number of 32 bits, such as 0x01"),
                },
                "cost" => match number(value.get_ref()) {
                    Some(cost) => area.cost = cost as f32,
                    None => self.wrong_type(&path, value, "a number"),
                },
                _ => self.unknown(AREA, name, key.span()),
            }
            self.remember(path, value.span());
        }
        for key in &AREA_KEYS[..2] {
            if !entries.contains_key(*key) {
                let what = format!("`{path}` has no `{key}`, which every area must have");
                self.note(span.clone(), what, None);
            }
        }
        let ground = AreaDefinition::ground();
        if area.name == ground.name && area.id != ground.id && area.id.is_walkable() {
            let what = format!("`{path}.name` is \"ground\", which is the name of area {}", ground.id.0);
            self.note(span, what, Some("give the area another name".to_owned()));
        }
        self.areas.push(area);
    }

    /// Plain ground is always there; a file that does not speak of it gets it behind its own areas.
    fn settings_lack_ground(&self) -> bool {
        !self.areas.iter().any(|area| area.id == AreaId::GROUND)
    }
}

fn integer(value: &DeValue<'_>) -> Option<i64> {
    let whole: &DeInteger<'_> = value.as_integer()?;
    i64::from_str_radix(whole.as_str(), whole.radix()).ok()
}

/// An integer or a float; a float too large for a double is none.
fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => {
            let number: f64 = float.as_str().parse().ok()?;
            (number.is_finite() || !float.as_str().contains(|c: char| c.is_ascii_digit())).then_some(number)
        }
        _ => integer(value).map(|whole| whole as f64),
    }
}

fn corners(value: &DeValue<'_>) -> Option<[[f64; 3]; 2]> {
    let corner = |value: &Value<'_>| -> Option<[f64; 3]> {
        let numbers: Option<Vec<f64>> =
            value.get_ref().as_array()?.iter().map(|entry| number(entry.get_ref())).collect();
        numbers?.try_into().ok()
    };
    let both: Option<Vec<[f64; 3]>> = value.as_array()?.iter().map(corner).collect();
    both?.try_into().ok()
}

/// A piece of the file for a message: one line, and short.
fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        line
    } else {
        line.chars().take(LONGEST).chain("..".chars()).collect()
    }
}
