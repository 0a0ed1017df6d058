//! The names of triangles, as JSON.

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
