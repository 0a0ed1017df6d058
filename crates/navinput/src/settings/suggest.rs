//! The known key nearest to an unknown one.

use super::keys::{all_keys, path_of};
use crate::likeness::{LONGEST, most_alike};

/// The path of the key nearest to `name` in `table`: `agent.radius`. Keys of the same table win ties.
pub(super) fn nearest(table: &str, name: &str) -> Option<String> {
    if name.len() > LONGEST {
        return None;
    }
    let given = path_of(table, name);
    let likeness = |(key_table, key): (&str, &str)| {
        let path = path_of(key_table, key);
        let whole = strsim::normalized_damerau_levenshtein(&given, &path);
        let alone = strsim::normalized_damerau_levenshtein(name, key);
        // The right name in the wrong table is nearly as good as the right name.
        (whole.max(if key_table == table { alone } else { alone * 0.95 }), path)
    };
    most_alike(all_keys().map(likeness))
}
