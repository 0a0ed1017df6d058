//! The known key nearest to an unknown one.

use super::keys::{
    AGENT, AGENT_KEYS, AREA, AREA_KEYS, KEYS, LAYER, LAYER_KEYS, MAP, MAP_KEYS, OFF_MESH, OFF_MESH_KEYS,
    SHAPE_KEYS, TABLES, VOLUME, VOLUME_KEYS,
};

/// Less alike than this, and a guess would mislead.
const LEAST_LIKENESS: f64 = 0.6;

/// The key nearest to `name` in `table`, by its path (`agent.radius`). Keys of the same table win ties.
pub(super) fn nearest(table: &str, name: &str) -> Option<String> {
    let given = if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") };
    let single = KEYS.iter().map(|key| (key.table, key.name, key.path()));
    let shapes = SHAPE_KEYS.iter().flat_map(|(_, keys)| keys.iter());
    let listed = AREA_KEYS
        .iter()
        .map(|&key| (AREA, key))
        .chain([AGENT_KEYS[0], AGENT_KEYS[5]].map(|key| (AGENT, key)))
        .chain(VOLUME_KEYS.iter().chain(shapes).map(|&key| (VOLUME, key)))
        .chain(OFF_MESH_KEYS.iter().map(|&key| (OFF_MESH, key)))
        .chain(MAP_KEYS.iter().map(|&key| (MAP, key)))
        .chain(LAYER_KEYS.iter().map(|&key| (LAYER, key)))
        .map(|(table, key)| (table, key, format!("{table}.{key}")));
    let tables = TABLES
        .iter()
        .chain([&AREA, &VOLUME, &OFF_MESH, &MAP, &LAYER])
        .map(|&table| ("", table, table.to_owned()));
    let likeness = |(key_table, key_name, path): &(&str, &str, String)| {
        let whole = strsim::normalized_damerau_levenshtein(&given, path);
        let alone = strsim::normalized_damerau_levenshtein(name, key_name);
        // The right name in the wrong table is nearly as good as the right name.
        whole.max(if *key_table == table { alone } else { alone * 0.95 })
    };
    single
        .chain(listed)
        .chain(tables)
        .map(|key| (likeness(&key), key.2))
        .filter(|(likeness, _)| *likeness >= LEAST_LIKENESS)
        // The first of equals, so that the answer does not depend on anything but this list.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, path)| path)
}

/// The name nearest to `given` out of a few.
pub(crate) fn nearest_name<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names
        .map(|name| (strsim::normalized_damerau_levenshtein(given, name), name))
        .filter(|(likeness, _)| *likeness >= LEAST_LIKENESS)
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, name)| name)
}
