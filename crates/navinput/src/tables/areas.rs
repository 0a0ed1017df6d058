//! Areas by their names.

use super::{Field, shown};
use crate::label::escaped;
use recast::AreaId;
use std::collections::BTreeMap;

/// The name of unwalkable ground.
pub(crate) const NO_AREA: &str = "none";

/// The areas that a file may name, in the order in which messages list them.
#[derive(Default)]
pub(crate) struct AreaNames {
    names: Vec<String>,
    /// The first area with a name counts.
    ids: BTreeMap<String, AreaId>,
}

impl AreaNames {
    pub(crate) fn add(&mut self, name: &str, id: AreaId) {
        self.names.push(name.to_owned());
        self.ids.entry(name.to_owned()).or_insert(id);
    }
}

impl Field<'_, '_> {
    /// The area that the value names, or gives the id of; 0 and "none" mean no area.
    pub(crate) fn area(&mut self) -> Option<AreaId> {
        if self.value.get_ref().is_str() {
            return self.named_area();
        }
        self.integer("the name of an area, \"none\", or an id of 0 (none) to 255").map(AreaId)
    }

    /// The area that the value names; "none" means no area.
    pub(crate) fn named_area(&mut self) -> Option<AreaId> {
        match self.value.get_ref().as_str() {
            Some(name) => self.area_called(name),
            None => self.wrong("the name of an area"),
        }
    }

    /// The area with a name, which the value gives, or has as a key; "none" means no area.
    pub(crate) fn area_called(&mut self, name: &str) -> Option<AreaId> {
        let areas = &self.reader.areas;
        if name == NO_AREA {
            return Some(AreaId::NULL);
        } else if let Some(id) = areas.ids.get(name) {
            return Some(*id);
        }
        let names = areas.names.iter().map(String::as_str);
        let remedy = match self.reader.near(name, names.clone()) {
            Some(near) => format!("did you mean \"{}\"?", escaped(near)),
            None => format!("areas are: {}", some_of(names)),
        };
        self.refuse(&format!("is \"{}\", expected the name of an area", shown(name)), Some(remedy))
    }
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
