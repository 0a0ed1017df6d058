//! Rows of keys.

use super::{Field, prefix};
use crate::likeness::nearest_name;

/// A key of a table that a `T` is read from.
pub struct Key<T> {
    pub(super) name: &'static str,
    /// The remedy if the key is missing, which may be empty; `None` for a key that may be missing.
    pub(super) need: Option<&'static str>,
    pub(super) take: fn(&mut T, &mut Field<'_, '_>),
}

impl<T> Key<T> {
    /// A key that may be missing; `take` reads its value and sets it.
    pub const fn new(name: &'static str, take: fn(&mut T, &mut Field<'_, '_>)) -> Key<T> {
        Key { name, need: None, take }
    }

    /// A key that the table must have.
    pub const fn required(name: &'static str, take: fn(&mut T, &mut Field<'_, '_>)) -> Key<T> {
        Key { name, need: Some(""), take }
    }

    /// A key that the table must have, with a remedy if it is missing.
    pub(crate) const fn required_or(
        name: &'static str,
        remedy: &'static str,
        take: fn(&mut T, &mut Field<'_, '_>),
    ) -> Key<T> {
        Key { name, need: Some(remedy), take }
    }
}

/// The name of a variant, and the keys that only it has.
pub type Variant<T> = (&'static str, &'static [Key<T>]);

/// A kind of tables.
pub struct Form<T: 'static> {
    /// Its name in messages; empty for a whole file.
    pub name: &'static str,
    /// The keys of every such table. They are read in this order.
    pub keys: &'static [Key<T>],
    /// The key that selects a variant, and the variants.
    pub variants: Option<(&'static str, &'static [Variant<T>])>,
    /// Names that other programs use, if they are too different to be found by likeness, and the keys.
    pub synonyms: &'static [(&'static str, &'static str)],
}

impl<T> Form<T> {
    /// A table with these keys.
    pub const fn new(name: &'static str, keys: &'static [Key<T>]) -> Form<T> {
        Form { name, keys, variants: None, synonyms: &[] }
    }

    pub(super) fn selects_by(&self) -> Option<&'static str> {
        self.variants.map(|(key, _)| key)
    }

    /// The names of all keys. A key of several variants is repeated.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        let variants = self.variants.map_or(&[][..], |(_, variants)| variants);
        let own = variants.iter().flat_map(|(_, keys)| keys.iter());
        self.selects_by().into_iter().chain(self.keys.iter().chain(own).map(|key| key.name))
    }

    /// The remedy for an unknown key: the key that has another name here, the nearest key, or the list of keys.
    pub(super) fn remedy(&self, name: &str, is_listed: bool) -> String {
        let table = self.name;
        if let Some((_, key)) = self.synonyms.iter().find(|(other, _)| *other == name) {
            return format!("the key is `{}{key}`", prefix(table));
        }
        if let Some(near) = nearest_name(name, self.names()) {
            return format!("the nearest key is `{}{near}`", prefix(table));
        }
        let mut keys: Vec<&str> = Vec::new();
        self.names().for_each(|key| {
            if !keys.contains(&key) {
                keys.push(key)
            }
        });
        let whole = match (table, is_listed) {
            ("", _) => "the file".to_owned(),
            (_, true) => format!("`[[{table}]]`"),
            (_, false) => format!("`{table}`"),
        };
        format!("{whole} has the keys {}", keys.join(", "))
    }
}
