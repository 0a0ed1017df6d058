//! The keys of a settings file that are not in the table of settings: those of tables and lists of tables.

use super::input::{INPUT_FILTERS, INPUT_SETTINGS};
use recast::settings::SETTINGS;

/// Tables that hold single values.
pub(super) const TABLES: [&str; 5] = [AGENT, "regions", "contours", "detail", "input"];
/// The agent: a table of single values, or a list of tables.
pub(super) const AGENT: &str = "agent";
/// Keys that exist only if there are several agents; the first is required.
pub(super) const AGENT_KEYS: [&str; 2] = ["name", "region_min_area"];
/// Areas: a list of tables.
pub(super) const AREA: &str = "area";
/// Keys of an area; the first two are required, the last four select parts of the level.
pub(super) const AREA_KEYS: [&str; 10] =
    ["id", "name", "flags", "cost", "priority", "colour", "materials", "groups", "objects", "nodes"];
/// Volumes that mark areas: a list of tables.
pub(super) const VOLUME: &str = "volume";
/// Keys that every volume has.
pub(super) const VOLUME_KEYS: [&str; 2] = ["shape", "area"];
/// Shapes of volumes and the additional keys of each shape.
pub(super) const SHAPE_KEYS: [(&str, &[&str]); 5] = [
    ("box", &["min", "max"]),
    ("rotated_box", &["centre", "half_extents", "yaw"]),
    ("prism", &["outline", "bottom", "top", "offset"]),
    ("cylinder", &["base", "radius", "height"]),
    ("capsule", &["a", "b", "radius"]),
];
/// Off-mesh connections: a list of tables.
pub(super) const OFF_MESH: &str = "off_mesh";
/// Keys of an off-mesh connection; the first three are required.
pub(super) const OFF_MESH_KEYS: [&str; 8] =
    ["start", "end", "radius", "along", "both_ways", "area", "flags", "user_id"];
/// Profiles of generated links: a list of tables.
pub(super) const LINKS: &str = "links";
/// Keys of a profile. The first two are required, the third also for a jump, the fourth for a ladder.
pub(super) const LINKS_KEYS: [&str; 12] = [
    "kind",
    "height",
    "distance",
    "surface",
    "arc",
    "speed",
    "gravity",
    "both_ways",
    "area",
    "flags",
    "worth",
    "spacing",
];
/// Placement of maps of polygons in the world: a table.
pub(super) const MAP: &str = "map";
/// Its keys.
pub(super) const MAP_KEYS: [&str; 4] = ["x", "y", "height", "spacing"];
/// Layers of maps: a list of tables.
pub(super) const LAYER: &str = "layer";
/// Keys of a layer; all are required.
pub(super) const LAYER_KEYS: [&str; 2] = ["number", "height"];

/// Lists of tables. Several agents also are a list, but they have the keys of a table of single values.
pub(super) const LISTS: [&str; 5] = [AREA, VOLUME, OFF_MESH, LINKS, LAYER];

/// Every key, with the table that contains it; empty for the top of the file. Includes the names of tables.
pub(super) fn all_keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    let single = SETTINGS.iter().map(|setting| setting.table_and_key());
    let input = INPUT_SETTINGS.iter().map(|setting| setting.table_and_key());
    let filters = INPUT_FILTERS.iter().map(|(key, ..)| ("input", *key));
    let lists: [(&str, &[&str]); 7] = [
        (AGENT, &AGENT_KEYS),
        (AREA, &AREA_KEYS),
        (VOLUME, &VOLUME_KEYS),
        (OFF_MESH, &OFF_MESH_KEYS),
        (LINKS, &LINKS_KEYS),
        (MAP, &MAP_KEYS),
        (LAYER, &LAYER_KEYS),
    ];
    let shapes = SHAPE_KEYS.map(|(_, keys)| (VOLUME, keys));
    let listed =
        lists.into_iter().chain(shapes).flat_map(|(table, keys)| keys.iter().map(move |key| (table, *key)));
    let tables = TABLES.into_iter().chain(LISTS).chain([MAP]).map(|table| ("", table));
    single.chain(input).chain(filters).chain(listed).chain(tables)
}

/// The name that messages use: `agent.radius`.
pub(super) fn path_of(table: &str, key: &str) -> String {
    if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") }
}
