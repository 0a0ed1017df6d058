//! The names of triangles, as text and as JSON.

use navinput::TriangleNames;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// An object for each, with the names that it has.
pub(super) fn json_of(found: BTreeSet<TriangleNames>) -> Value {
    let object = |names: TriangleNames| {
        let TriangleNames { object, group, node, material } = names;
        json!({ "object": object, "group": group, "node": node, "material": material })
    };
    found.into_iter().map(object).collect()
}

/// The end of a line that gives names.
pub(super) fn ending(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("; {}", names.join(" and ")) }
}
