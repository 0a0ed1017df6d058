//! `[[links]]`: profiles of links that the bake generates.

use super::SettingsReader;
use crate::tables::{Key, Named, Put, Schema, Table};
use recast::{LinkKind, LinkProfile};

/// Profiles of generated links: a list of tables.
pub(super) static LINKS: Schema<LinkProfile> = Schema {
    synonyms: &[("bidirectional", "both_ways"), ("type", "kind")],
    ..Named("links").keys(&[
        // The kind is read first, because it sets the defaults.
        Key::required("kind", |links, f| f.choice(&kinds()).map(LinkProfile::new).put(links)),
        Key::required("height", |links, f| {
            let expected = match links.kind {
                LinkKind::Jump => "two numbers of metres: [down, up]",
                LinkKind::Drop | LinkKind::Climb | LinkKind::Ladder => LEAST_AND_MOST,
            };
            f.any_numbers(expected).put(&mut links.height);
        }),
        Key::new("distance", |links, f| links.distance = f.any_numbers(LEAST_AND_MOST)),
        Key::new("surface", |links, f| links.surface = f.area()),
        Key::new("arc", |links, f| f.any_number().put(&mut links.arc)),
        Key::new("speed", |links, f| links.speed = f.any_number()),
        Key::new("gravity", |links, f| f.any_number().put(&mut links.gravity)),
        Key::new("both_ways", |links, f| f.switch().put(&mut links.both_ways)),
        Key::new("area", |links, f| f.area().put(&mut links.area)),
        Key::new("flags", |links, f| links.flags = f.flags()),
        Key::new("worth", |links, f| f.any_number().put(&mut links.worth)),
        Key::new("spacing", |links, f| f.any_number().put(&mut links.spacing)),
    ])
};

const LEAST_AND_MOST: &str = "two numbers of metres: [least, most]";

fn kinds() -> [(&'static str, LinkKind); 4] {
    LinkKind::ALL.map(|kind| (kind.name(), kind))
}

impl SettingsReader<'_> {
    pub(super) fn take_links(&mut self, table: &Table<'_>) {
        let mut profile = LinkProfile::new(LinkKind::Drop);
        let is_sound = self.reader.read(&LINKS, table, &mut profile);
        let kind = LinkKind::ALL.into_iter().find(|kind| table.text("kind") == Some(kind.name()));
        // The other kinds are not identified by the width of a gap, and have no surface.
        match kind {
            Some(LinkKind::Jump) => self.reader.require(table, "distance", ""),
            Some(LinkKind::Ladder) => self.reader.require(table, "surface", ""),
            _ => {}
        }
        self.check_arc(table);
        // Ranges are checked with all settings later; the place of a profile follows the order of the file.
        if is_sound || kind.is_some() {
            self.file.settings.links.push(profile);
        }
    }

    /// Checks that the arc is given by its height or by a speed, but not by both.
    fn check_arc(&mut self, table: &Table<'_>) {
        let path = &table.path;
        if table.has("speed") && table.has("arc") {
            let what = format!(
                "and `{path}.arc` are both given, but only one may set the arc; leave one of them out"
            );
            self.reader.refuse(&format!("{path}.speed"), &what);
        }
        if table.has("gravity") && !table.has("speed") {
            let what = format!(
                "is given without `{path}.speed`, which it requires; give a speed of take-off, or leave it out"
            );
            self.reader.refuse(&format!("{path}.gravity"), &what);
        }
    }
}
