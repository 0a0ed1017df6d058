//! The remedy for an unknown key of a table of single values: the nearest key of any table.

use super::keys::{LISTS, all_keys, path_of};
use crate::likeness::{LONGEST, most_alike};

/// The path of the key nearest to `name` in `table`: `agent.radius`. Keys of the same table win ties.
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
            // A similar name in a list means something else.
            () if LISTS.contains(&key_table) && name != key => 0.0,
            // The table may be part of the name: `agent_radius`.
            () if table.is_empty() => strsim::normalized_damerau_levenshtein(name, &path).max(alone * 0.95),
            () => alone * 0.95,
        };
        (likeness, path)
    };
    most_alike(all_keys().map(likeness))
}
