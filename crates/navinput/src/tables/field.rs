//! Values of a file: numbers, texts, choices, points, and lists and tables of them.

use super::{Reader, Schema, TomlValue};
use crate::error::TextPosition;
use crate::label::escaped;
use std::collections::BTreeMap;
use toml::de::DeValue;

/// All finite numbers.
pub const FINITE: (f64, f64) = (f64::MIN, f64::MAX);
/// All finite numbers greater than 0.
pub const POSITIVE: (f64, f64) = (f64::MIN_POSITIVE, f64::MAX);

/// A value of the file that is being read. Each reader of a value notes a problem if it returns `None`.
pub struct Field<'r, 'a> {
    pub(crate) reader: &'r mut Reader<'a>,
    /// Its name in messages: `area[1].cost`.
    pub(crate) path: &'r str,
    pub(crate) value: &'r TomlValue<'r>,
}

/// Puts a value that was read into its place.
pub trait Put<T> {
    /// Sets `place`, unless the value could not be read.
    fn put(self, place: &mut T);
}

impl<T> Put<T> for Option<T> {
    fn put(self, place: &mut T) {
        if let Some(value) = self {
            *place = value;
        }
    }
}

impl<'r, 'a> Field<'r, 'a> {
    /// Notes that the value is of another type, or out of range.
    pub fn wrong<V>(&mut self, expected: &str) -> Option<V> {
        let found = shown(&self.reader.text[self.value.span()]);
        let kind = self.value.get_ref().type_str();
        self.refuse(&format!("is {found} ({kind}), expected {expected}"), None)
    }

    /// Notes a problem of the value.
    pub fn refuse<V>(&mut self, what: &str, remedy: Option<String>) -> Option<V> {
        self.reader.note(self.value.span(), format!("`{}` {what}", self.path), remedy);
        None
    }

    /// The position of the value.
    pub(crate) fn place(&self) -> TextPosition {
        self.reader.lines.place(self.value.span().start)
    }

    fn or_wrong<V>(&mut self, found: Option<V>, expected: &str) -> Option<V> {
        found.or_else(|| self.wrong(expected))
    }

    /// A number, also an infinite one and NaN.
    pub(crate) fn any_number(&mut self) -> Option<f64> {
        self.or_wrong(number(self.value.get_ref()), "a number")
    }

    /// A number in a range.
    pub fn number(&mut self, range: (f64, f64), unit: &str) -> Option<f64> {
        self.number_or(range, &range_in_words(range, unit))
    }

    /// A number in a range, or whatever else is expected.
    pub(crate) fn number_or(&mut self, (least, most): (f64, f64), expected: &str) -> Option<f64> {
        let found = number(self.value.get_ref()).filter(|number| (least..=most).contains(number));
        self.or_wrong(found, expected)
    }

    /// A number in a range, in single precision.
    pub fn single(&mut self, range: (f64, f64), unit: &str) -> Option<f32> {
        self.number(range, unit).map(|number| number as f32)
    }

    /// A whole number that fits a type.
    pub fn integer<I: TryFrom<i128>>(&mut self, expected: &str) -> Option<I> {
        let found = integer(self.value.get_ref()).and_then(|number| I::try_from(number).ok());
        self.or_wrong(found, expected)
    }

    /// A whole number in a range.
    pub fn whole<I: TryFrom<i128>>(&mut self, (least, most): (i128, i128)) -> Option<I> {
        let number = integer(self.value.get_ref()).filter(|number| (least..=most).contains(number));
        match number.and_then(|number| I::try_from(number).ok()) {
            None => self.wrong(&format!("a whole number between {least} and {most}")),
            found => found,
        }
    }

    /// 32 flags.
    pub fn flags(&mut self) -> Option<u32> {
        self.integer("a whole number of 32 bits, such as 0x01")
    }

    /// A switch.
    pub fn switch(&mut self) -> Option<bool> {
        self.or_wrong(self.value.get_ref().as_bool(), "true or false")
    }

    /// A text.
    pub fn text(&mut self, expected: &str) -> Option<String> {
        self.parse(expected, |text| Some(text.to_owned()))
    }

    /// A value that is written as a text.
    pub fn parse<V>(&mut self, expected: &str, parse: impl FnOnce(&str) -> Option<V>) -> Option<V> {
        let Some(text) = self.value.get_ref().as_str() else { return self.wrong(expected) };
        parse(text).or_else(|| self.refuse(&format!("is \"{}\", expected {expected}", shown(text)), None))
    }

    /// One of several names.
    pub fn choice<V: Clone>(&mut self, names: &[(&str, V)]) -> Option<V> {
        let expected = quoted(names.iter().map(|(name, _)| *name), " or ");
        match self.value.get_ref().as_str() {
            Some(given) => self.named(given, names, &expected),
            None => self.wrong(&expected),
        }
    }

    /// The value of a name; an unknown name is noted with the nearest known one.
    pub(crate) fn named<V: Clone>(&mut self, given: &str, names: &[(&str, V)], expected: &str) -> Option<V> {
        if let Some((_, known)) = names.iter().find(|(name, _)| *name == given) {
            return Some(known.clone());
        }
        let near = self.reader.near(given, names.iter().map(|(name, _)| *name));
        let remedy = near.map(|near| format!("did you mean \"{near}\"?"));
        self.refuse(&format!("is \"{}\", expected {expected}", shown(given)), remedy)
    }

    /// `N` numbers, also infinite ones and NaN.
    pub(crate) fn any_numbers<const N: usize>(&mut self, expected: &str) -> Option<[f64; N]> {
        self.or_wrong(numbers(self.value.get_ref()), expected)
    }

    /// `N` numbers, each between `-limit` and `limit`.
    pub fn numbers<const N: usize>(&mut self, limit: f64, expected: &str) -> Option<[f64; N]> {
        let are_near = |numbers: &[f64; N]| numbers.iter().all(|number| number.abs() <= limit);
        self.or_wrong(numbers(self.value.get_ref()).filter(are_near), expected)
    }

    /// A point.
    pub fn point(&mut self) -> Option<[f64; 3]> {
        self.numbers(f64::MAX, "three finite numbers: [x, y, z]")
    }

    /// A list of values.
    pub fn each<V>(
        &mut self,
        expected: &str,
        mut read: impl FnMut(&mut Field<'_, 'a>) -> Option<V>,
    ) -> Option<Vec<V>> {
        let Some(list) = self.value.get_ref().as_array() else { return self.wrong(expected) };
        let mut values = Vec::with_capacity(list.len());
        for (index, value) in list.iter().enumerate() {
            values.extend(read(&mut self.reader.field(&format!("{}[{index}]", self.path), value)));
        }
        (values.len() == list.len()).then_some(values)
    }

    /// A list of `N` values.
    pub fn array<V, const N: usize>(
        &mut self,
        expected: &str,
        read: impl FnMut(&mut Field<'_, 'a>) -> Option<V>,
    ) -> Option<[V; N]> {
        match self.value.get_ref().as_array() {
            Some(list) if list.len() == N => self.each(expected, read)?.try_into().ok(),
            _ => self.wrong(expected),
        }
    }

    /// Values by names that the file is free to choose.
    pub fn map<V>(
        &mut self,
        mut read: impl FnMut(&mut Field<'_, 'a>) -> Option<V>,
    ) -> Option<BTreeMap<String, V>> {
        let table = self.reader.table(self.path, self.value)?;
        let mut values = BTreeMap::new();
        for (key, value) in table.entries.iter() {
            let path = format!("{}.{}", table.path, escaped(key.get_ref()));
            values.extend(
                read(&mut self.reader.field(&path, value)).map(|value| (key.get_ref().to_string(), value)),
            );
            self.reader.remember(path, value.span());
        }
        Some(values)
    }

    /// Returns true if the value is a table.
    pub fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    /// Reads a table.
    pub fn table<T>(&mut self, schema: &Schema<T>, target: &mut T) {
        if let Some(table) = self.reader.table(self.path, self.value) {
            self.reader.read(schema, &table, target);
        }
    }

    /// Reads a table that must have exactly one of the schema's keys.
    pub fn one_of<T>(&mut self, schema: &Schema<Option<T>>) -> Option<T> {
        let table = self.reader.table(self.path, self.value)?;
        let mut found = None;
        self.reader.read(schema, &table, &mut found);
        if table.entries.len() == 1 {
            return found;
        }
        let keys: Vec<&str> = schema.names().collect();
        let what = format!("has {} keys, expected exactly one of {}", table.entries.len(), keys.join(", "));
        self.refuse(&what, None)
    }

    /// Reads a list of tables. Tables with problems are part of the list.
    pub fn list<T>(&mut self, schema: &Schema<T>, new: fn() -> T) -> Vec<T> {
        let mut list = Vec::new();
        for table in self.reader.tables(self.path, self.value) {
            let mut entry = new();
            self.reader.read(schema, &table, &mut entry);
            list.push(entry);
        }
        list
    }
}

/// A range for a message.
pub(crate) fn range_in_words((least, most): (f64, f64), unit: &str) -> String {
    let (of, comma) = if unit.is_empty() { ("", "") } else { (" of", ",") };
    match (least, most) {
        FINITE => format!("a finite number{of}{unit}"),
        POSITIVE => format!("a finite number{of}{unit}{comma} greater than 0"),
        _ => format!("between {} and {}{unit}", short(least), short(most)),
    }
}

/// A bound of a range: large and small ones as powers of ten.
fn short(bound: f64) -> String {
    match bound.abs() {
        0.001..1e6 | 0.0 | f64::INFINITY => bound.to_string(),
        _ => format!("{bound:e}"),
    }
}

/// Names in quotes; `last` comes before the final one.
pub(crate) fn quoted<'n>(names: impl Iterator<Item = &'n str>, last: &str) -> String {
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    match names.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(", ")),
        None => String::new(),
    }
}

fn integer(value: &DeValue<'_>) -> Option<i128> {
    let whole = value.as_integer()?;
    i128::from_str_radix(whole.as_str(), whole.radix()).ok()
}

/// An integer or a float; `None` for a float that is too large for a double.
fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => {
            let number: f64 = float.as_str().parse().ok()?;
            (number.is_finite() || !float.as_str().contains(|c: char| c.is_ascii_digit())).then_some(number)
        }
        _ => integer(value).and_then(|whole| i64::try_from(whole).ok()).map(|whole| whole as f64),
    }
}

/// A list of `N` numbers.
pub(crate) fn numbers<const N: usize>(value: &DeValue<'_>) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(|entry| number(entry.get_ref())).collect();
    numbers?.try_into().ok()
}

/// A part of the file for a message: one line, and short.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    // Built word by word, so that a long value costs no more than the part that is shown.
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.chars().count() > LONGEST {
            break;
        }
        let gap = if line.is_empty() { "" } else { " " };
        line.push_str(gap);
        line.extend(word.chars().take(LONGEST + 1));
    }
    let line = escaped(&line).into_owned();
    if line.chars().count() <= LONGEST {
        line
    } else {
        line.chars().take(LONGEST).chain("..".chars()).collect()
    }
}
