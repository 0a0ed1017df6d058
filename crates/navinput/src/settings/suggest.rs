//! The remedy for an unknown key: a synonym, the nearest key, or the list of keys.

use super::keys::{LISTS, all_keys, path_of};
use crate::likeness::{LONGEST, most_alike};

/// Names that other programs use for keys of these tables, if they are too different to be found by likeness:
/// the table, the name, the key.
const SYNONYMS: [(&str, &str, &str); 7] = [
    ("off_mesh", "from", "start"),
    ("off_mesh", "to", "end"),
    ("off_mesh", "bidirectional", "both_ways"),
    ("links", "bidirectional", "both_ways"),
    ("links", "type", "kind"),
    ("volume", "type", "shape"),
    ("volume", "kind", "shape"),
];

/// The remedy if no key is similar.
pub(super) const EVERY_KEY: &str = "`navtile init` writes a file with every key";

/// The remedy for an unknown key of a table.
pub(super) fn remedy(table: &str, name: &str) -> String {
    if let Some((.., key)) = SYNONYMS.iter().find(|(of, other, _)| (*of, *other) == (table, name)) {
        return format!("the key is `{}`", path_of(table, key));
    }
    match nearest(table, name) {
        Some(near) => format!("the nearest key is `{near}`"),
        None if LISTS.contains(&table) => {
            let own = all_keys().filter(|(of, _)| *of == table);
            let mut keys: Vec<&str> = Vec::new();
            own.for_each(|(_, key)| {
                if !keys.contains(&key) {
                    keys.push(key)
                }
            });
            format!("`[[{table}]]` has the keys {}", keys.join(", "))
        }
        None => EVERY_KEY.to_owned(),
    }
}

/// The path of the key nearest to `name` in `table`: `agent.radius`. Keys of the same table win ties.
///
/// An entry of a list has only the keys of its list: the same name elsewhere means something else.
pub(super) fn nearest(table: &str, name: &str) -> Option<String> {
    if name.len() > LONGEST {
        return None;
    }
    let likeness = |(key_table, key): (&str, &str)| {
        let path = path_of(key_table, key);
        let alone = strsim::normalized_damerau_levenshtein(name, key);
        // The right name in the wrong table is nearly as good as a full match.
        let likeness = match () {
            () if key_table == table => alone,
            () if LISTS.contains(&table) || (LISTS.contains(&key_table) && name != key) => 0.0,
            // The table may be part of the name: `agent_radius`.
            () if table.is_empty() => strsim::normalized_damerau_levenshtein(name, &path).max(alone * 0.95),
            () => alone * 0.95,
        };
        (likeness, path)
    };
    most_alike(all_keys().map(likeness))
}
