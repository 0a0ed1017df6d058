//! The tables of a settings file, and all its keys.

use super::agents::AGENT;
use super::areas::AREA;
use super::hierarchy::HIERARCHY;
use super::input::{INPUT_FILTERS, INPUT_SETTINGS};
use super::links::LINKS;
use super::map::{LAYER, MAP};
use super::off_mesh::OFF_MESH;
use super::read_agents::AGENTS;
use super::volumes::VOLUME;
use crate::tables::Schema;
use recast::settings::SETTINGS;

/// Tables that hold single values.
pub(super) const TABLES: [&str; 7] = [AGENT, "regions", "contours", "detail", "input", "map", "hierarchy"];
/// Lists of tables. Several agents also are a list, but they have the keys of a table of single values.
pub(super) const LISTS: [&str; 5] = ["area", "volume", "off_mesh", "links", "layer"];

/// Every key, with the table that contains it; empty for the top of the file. Includes the names of tables.
pub(super) fn all_keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    fn of<T>(schema: &'static Schema<T>) -> impl Iterator<Item = (&'static str, &'static str)> {
        schema.names().map(|key| (schema.name, key)).chain([("", schema.name)])
    }
    let single = SETTINGS.iter().map(|setting| setting.table_and_key());
    let input = INPUT_SETTINGS.iter().map(|setting| setting.table_and_key());
    let filters = INPUT_FILTERS.iter().map(|(key, ..)| ("input", *key));
    let tables = TABLES.into_iter().map(|table| ("", table));
    let lists = of(&AREA).chain(of(&VOLUME)).chain(of(&OFF_MESH)).chain(of(&LINKS)).chain(of(&LAYER));
    let nested = of(&MAP).chain(of(&HIERARCHY));
    single.chain(input).chain(filters).chain(tables).chain(of(&AGENTS)).chain(nested).chain(lists)
}

/// The name that messages use: `agent.radius`.
pub(super) fn path_of(table: &str, key: &str) -> String {
    if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") }
}
