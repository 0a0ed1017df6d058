//! Named values, and rows of them.

use crate::error::CacheError;
use serde::{Deserialize, Serialize};

/// A value of a kind. The order of the kinds is part of the format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum StoredValue {
    Number(f64),
    Whole(u64),
    Switch(bool),
    Text(String),
    Numbers(Vec<f64>),
}

/// Values with their names.
pub(super) type StoredRow = Vec<(String, StoredValue)>;

/// All settings: values by the path of their setting, and rows by the name of their list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredSettings {
    pub(super) values: StoredRow,
    pub(super) lists: Vec<(String, Vec<StoredRow>)>,
}

impl StoredValue {
    /// The kind in words, for errors.
    fn kind(&self) -> &'static str {
        match self {
            StoredValue::Number(_) => "a number",
            StoredValue::Whole(_) => "a whole number",
            StoredValue::Switch(_) => "a switch",
            StoredValue::Text(_) => "a text",
            StoredValue::Numbers(_) => "a list of numbers",
        }
    }
}

/// A type that a field of a row may have.
pub(super) trait Stored: Sized {
    /// Returns `None` for a value of another kind, or outside the type's range.
    fn load(value: &StoredValue) -> Option<Self>;
    fn store(self) -> StoredValue;
}

/// Types that values of one kind hold, and smaller whole numbers.
macro_rules! stored {
    ($($type:ty: $kind:ident),*; $($whole:ty),*) => {
        $(impl Stored for $type {
            fn load(value: &StoredValue) -> Option<$type> {
                if let StoredValue::$kind(value) = value { Some(value.clone()) } else { None }
            }
            fn store(self) -> StoredValue {
                StoredValue::$kind(self)
            }
        })*
        $(impl Stored for $whole {
            fn load(value: &StoredValue) -> Option<$whole> {
                u64::load(value)?.try_into().ok()
            }
            fn store(self) -> StoredValue {
                u64::from(self).store()
            }
        })*
    };
}

stored!(f64: Number, u64: Whole, bool: Switch, String: Text, Vec<f64>: Numbers; u32, u8);

impl<const N: usize> Stored for [f64; N] {
    fn load(value: &StoredValue) -> Option<[f64; N]> {
        if let StoredValue::Numbers(numbers) = value { numbers.as_slice().try_into().ok() } else { None }
    }
    fn store(self) -> StoredValue {
        StoredValue::Numbers(self.to_vec())
    }
}

/// A row that is read, with its place for errors.
pub(super) struct Fields<'a> {
    pub(super) list: &'a str,
    pub(super) index: usize,
    pub(super) row: &'a StoredRow,
}

impl Fields<'_> {
    /// The field of a name; `None` if the row does not have it.
    ///
    /// # Errors
    /// The field is of another kind.
    pub(super) fn get<T: Stored>(&self, name: &str) -> Result<Option<T>, CacheError> {
        let Some((_, value)) = self.row.iter().find(|(known, _)| known == name) else { return Ok(None) };
        T::load(value).map(Some).ok_or_else(|| self.wrong(name, value.kind()))
    }

    /// The field of a name.
    ///
    /// # Errors
    /// There is none, or it is of another kind.
    pub(super) fn need<T: Stored>(&self, name: &str) -> Result<T, CacheError> {
        self.get(name)?.ok_or_else(|| self.wrong(name, "no value"))
    }

    /// A field that has this instead of what its reader understands.
    pub(super) fn wrong(&self, name: &str, found: &str) -> CacheError {
        let found = format!("{found} in {}[{}].{name}", self.list, self.index);
        CacheError::Settings { expected: "a value of the field's kind and range", found }
    }
}
