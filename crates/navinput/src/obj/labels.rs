//! Names of triangles: materials, groups, objects.

use std::collections::HashMap;
use std::fmt::Write;

/// A table of names and, for each triangle, the index of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// Names by first appearance. Entry 0 is the empty name, for triangles without a name. Bytes that are not
    /// UTF-8 are written `\xE9`.
    pub names: Vec<String>,
    /// For each triangle, an index of `names`.
    pub ids: Vec<u32>,
}

impl Labels {
    /// The name of a triangle; empty if it has none.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn name_of(&self, triangle: usize) -> &str {
        &self.names[self.ids[triangle] as usize]
    }

    /// The names without the empty one.
    pub(crate) fn given(&self) -> impl Iterator<Item = &str> {
        self.names.iter().skip(1).map(String::as_str)
    }
}

/// Builds [`Labels`], run by run.
pub(crate) struct LabelBuilder {
    labels: Labels,
    known: HashMap<String, u32>,
    current: u32,
}

impl LabelBuilder {
    pub(crate) fn new() -> LabelBuilder {
        LabelBuilder {
            labels: Labels { names: vec![String::new()], ids: Vec::new() },
            known: HashMap::from([(String::new(), 0)]),
            current: 0,
        }
    }

    /// Sets the name of the triangles that follow.
    pub(crate) fn set(&mut self, name: String) {
        let next = self.labels.names.len() as u32;
        self.current = *self.known.entry(name).or_insert_with_key(|name| {
            self.labels.names.push(name.clone());
            next
        });
    }

    pub(crate) fn add_triangles(&mut self, count: usize) {
        self.labels.ids.extend(std::iter::repeat_n(self.current, count));
    }

    /// Takes the labels of the triangles added since the last call, with the names set since then and the
    /// name that was current at its start. The last name stays current. Returning all names each time would
    /// take quadratic time and memory.
    pub(crate) fn take(&mut self) -> Labels {
        let mut next = LabelBuilder::new();
        next.set(self.labels.names[self.current as usize].clone());
        std::mem::replace(self, next).labels
    }

    pub(crate) fn finish(self) -> Labels {
        self.labels
    }
}

/// Text unchanged, other bytes as `\xE9`: names that differ stay different, and can be typed.
pub(crate) fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(text, "\\x{byte:02X}").expect("writing to a String cannot fail");
        }
    }
    text
}
