//! `[[area]]`: kinds of surfaces, and the materials, groups, objects and nodes of a level that have them.

use super::keys::{AREA, AREA_KEYS};
use super::reader::{SettingsReader, TomlValue, integer, number, shown};
use crate::label::escaped;
use crate::pattern::{AreaMapping, NameKind};
use recast::{AreaDefinition, AreaId};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The name of unwalkable ground in volumes.
pub(super) const NO_AREA: &str = "none";

impl SettingsReader<'_> {
    pub(super) fn take_area(&mut self, path: &str, entries: &DeTable<'_>, span: Range<usize>) {
        let mut area = AreaDefinition::new(AreaId::NULL, "");
        let mut patterns = Vec::new();
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
                "priority" => match whole.and_then(|priority| i32::try_from(priority).ok()) {
                    Some(priority) => area.priority = priority,
                    None => self.wrong_type(&path, value, "a whole number"),
                },
                "colour" => match value.get_ref().as_str().and_then(hex_colour) {
                    Some(colour) => area.colour = Some(colour),
                    None => self.wrong_type(&path, value, "a colour such as \"#3f7fc9\""),
                },
                "materials" => patterns.extend(self.names(NameKind::Material, &path, value)),
                "groups" => patterns.extend(self.names(NameKind::Group, &path, value)),
                "objects" => patterns.extend(self.names(NameKind::Object, &path, value)),
                "nodes" => patterns.extend(self.names(NameKind::Node, &path, value)),
                _ => self.unknown(AREA, name, key.span()),
            }
            self.remember(path, value.span());
        }
        self.require(path, (entries, &span), &AREA_KEYS[..2], "area");
        self.check_name(path, &area, span);
        self.mappings.extend(patterns.into_iter().map(|names| AreaMapping { area: area.id, names }));
        self.areas.push(area);
    }

    /// Notes a name that already has a meaning.
    fn check_name(&mut self, path: &str, area: &AreaDefinition, span: Range<usize>) {
        let ground = AreaDefinition::ground();
        let taken = if area.name == ground.name && area.id != ground.id && area.id.is_walkable() {
            format!("\"ground\", which is the name of area {}", ground.id.0)
        } else if area.name == NO_AREA {
            "\"none\", which stands for unwalkable ground".to_owned()
        } else {
            return;
        };
        self.note(span, format!("`{path}.name` is {taken}"), Some("give the area another name".to_owned()));
    }

    /// Areas that the file does not mention stay unchanged, after its own.
    pub(super) fn inherit_areas(&mut self) {
        let inherited = std::mem::take(&mut self.settings.areas);
        for area in inherited.into_iter().chain([AreaDefinition::ground()]) {
            if self.areas.iter().all(|known| known.id != area.id) {
                self.areas.push(area);
            }
        }
        for area in &self.areas {
            self.area_ids.entry(area.name.clone()).or_insert(area.id);
        }
    }

    /// The area that a volume or connection names, or gives the id of; 0 and "none" mean no area.
    pub(super) fn area_of(&mut self, path: &str, value: &TomlValue<'_>) -> Option<AreaId> {
        match value.get_ref() {
            DeValue::String(name) if name.as_ref() == NO_AREA => Some(AreaId::NULL),
            DeValue::String(name) => {
                let id = self.area_ids.get(name.as_ref()).copied();
                if id.is_none() {
                    let names = self.areas.iter().map(|area| area.name.as_str());
                    let remedy = match self.nearest_name(name, names.clone()) {
                        Some(near) => format!("did you mean \"{}\"?", escaped(near)),
                        None => format!("areas are: {}", some_of(names)),
                    };
                    let what = format!("`{path}` is \"{}\", expected the name of an area", shown(name));
                    self.note(value.span(), what, Some(remedy));
                }
                id
            }
            other => {
                let id = integer(other).and_then(|id| u8::try_from(id).ok());
                if id.is_none() {
                    let expected = "the name of an area, \"none\", or an id of 0 (none) to 255";
                    self.wrong_type(path, value, expected);
                }
                id.map(AreaId)
            }
        }
    }
}

/// Red, green and blue of `#rrggbb`.
pub fn hex_colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok().filter(|_| !digits.contains('+'));
    Some([part(0)?, part(2)?, part(4)?])
}

/// The first of some names, for a message.
fn some_of<'n>(names: impl Iterator<Item = &'n str> + Clone) -> String {
    const LISTED: usize = 16;
    let listed: Vec<_> = names.clone().take(LISTED).map(escaped).collect();
    match names.skip(LISTED).count() {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}
