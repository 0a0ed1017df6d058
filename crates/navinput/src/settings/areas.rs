//! `[[area]]`: kinds of surfaces, and the materials, groups, objects and nodes of a level that have them.

use super::SettingsReader;
use crate::pattern::{AreaMapping, NameKind, NamePattern};
use crate::tables::{Key, NO_AREA, Named, Put, Schema, Table};
use recast::{AreaDefinition, AreaId};

/// An area, and the names of the parts of a level that have it.
type ReadArea = (AreaDefinition, Vec<NamePattern>);

/// Areas: a list of tables.
pub(super) static AREA: Schema<ReadArea> = Named("area").keys(&[
    Key::required("id", |(area, _), f| f.integer("a whole number of 1 to 255").map(AreaId).put(&mut area.id)),
    Key::required("name", |(area, _), f| f.text("a string").put(&mut area.name)),
    Key::new("flags", |(area, _), f| f.flags().put(&mut area.flags)),
    Key::new("cost", |(area, _), f| f.any_number().map(|cost| cost as f32).put(&mut area.cost)),
    Key::new("priority", |(area, _), f| f.integer("a whole number").put(&mut area.priority)),
    Key::new("colour", |(area, _), f| area.colour = f.parse("a colour such as \"#3f7fc9\"", hex_colour)),
    Key::new("materials", |(_, names), f| f.patterns(NameKind::Material, names)),
    Key::new("groups", |(_, names), f| f.patterns(NameKind::Group, names)),
    Key::new("objects", |(_, names), f| f.patterns(NameKind::Object, names)),
    Key::new("nodes", |(_, names), f| f.patterns(NameKind::Node, names)),
]);

impl SettingsReader<'_> {
    pub(super) fn take_area(&mut self, table: &Table<'_>) {
        let mut read = (AreaDefinition::new(AreaId::NULL, ""), Vec::new());
        self.reader.read(&AREA, table, &mut read);
        let (area, patterns) = read;
        self.check_name(&table.path, &area);
        self.file.mappings.extend(patterns.into_iter().map(|names| AreaMapping { area: area.id, names }));
        self.areas.push(area);
    }

    /// Notes a name that already has a meaning.
    fn check_name(&mut self, path: &str, area: &AreaDefinition) {
        let ground = AreaDefinition::ground();
        let taken = if area.name == ground.name && area.id != ground.id && area.id.is_walkable() {
            format!("\"ground\", which is the name of area {}", ground.id.0)
        } else if area.name == NO_AREA {
            "\"none\", which stands for unwalkable ground".to_owned()
        } else {
            return;
        };
        self.reader.refuse(&format!("{path}.name"), &format!("is {taken}; give the area another name"));
    }

    /// Areas that the file does not mention stay unchanged, after its own.
    pub(super) fn inherit_areas(&mut self) {
        let inherited = std::mem::take(&mut self.file.settings.areas);
        for area in inherited.into_iter().chain([AreaDefinition::ground()]) {
            if self.areas.iter().all(|known| known.id != area.id) {
                self.areas.push(area);
            }
        }
        for area in &self.areas {
            self.reader.areas.add(&area.name, area.id);
        }
    }
}

/// Red, green and blue of `#rrggbb`.
pub fn hex_colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok().filter(|_| !digits.contains('+'));
    Some([part(0)?, part(2)?, part(4)?])
}
