//! One reader for the TOML files of the program: settings, obstacles, chunks, scenarios of crowds.
//!
//! A [`Schema`] describes a kind of tables. It has a row for each key, with the values that the key takes,
//! their unit and range, and the setter of the value. A [`Reader`] collects all problems of a file in a
//! single pass.
//!
//! ```
//! use navinput::tables::{Key, Named, Put, Reader, Schema};
//!
//! #[derive(Default)]
//! struct Lamp { watts: f64, name: Option<String> }
//! static LAMP: Schema<Lamp> = Named("lamp").keys(&[
//!     Key::required("watts", |lamp, f| f.number((0.0, 500.0), " W").put(&mut lamp.watts)),
//!     Key::new("name", |lamp, f| lamp.name = f.text("a name")),
//! ]);
//!
//! let (document, mut reader) = Reader::parse("[[lamp]]\nwatts = 40\n[[lamp]]\nwats = 4\n");
//! for table in reader.list(&LAMP, document.get_ref(), "a list of lamps") {
//!     reader.read(&LAMP, &table, &mut Lamp::default());
//! }
//! let problems = reader.finish(()).unwrap_err().to_string();
//! assert!(problems.contains("line 3, column 1: `lamp[1]` has no `watts`, which it must have"));
//! assert!(problems.contains("line 4, column 1: unknown key `lamp.wats`; the nearest key is `lamp.watts`"));
//! ```

mod areas;
mod field;

pub(crate) use areas::{AreaNames, NO_AREA};
pub use field::{FINITE, Field, POSITIVE, Put};
pub(crate) use field::{quoted, range_in_words, shown};

use crate::error::{InputError, Lines, SettingProblem, TextPosition};
use crate::likeness::nearest_name;
use navmath::sort::SharedSort;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value of the file, and its position.
pub type TomlValue<'a> = Spanned<DeValue<'a>>;

/// The places of a file's values by their paths, such as `area[1].name`.
pub(crate) type Places = BTreeMap<String, (TextPosition, Range<usize>)>;

/// A key of a table that a `T` is read from.
pub struct Key<T> {
    name: &'static str,
    /// The remedy if the key is missing, which may be empty; `None` for a key that may be missing.
    need: Option<&'static str>,
    take: fn(&mut T, &mut Field<'_, '_>),
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
pub struct Schema<T: 'static> {
    /// Its name in messages; empty for a whole file.
    pub name: &'static str,
    /// The keys of every such table. They are read in this order.
    pub keys: &'static [Key<T>],
    /// The key whose value is the name of a variant; empty if there are no variants.
    pub selector: &'static str,
    /// The variants.
    pub variants: &'static [Variant<T>],
    /// Names that other programs use, if they are too different to be found by likeness, and the keys.
    pub synonyms: &'static [(&'static str, &'static str)],
}

/// The name of a kind of tables.
pub struct Named(pub &'static str);

impl Named {
    /// Tables with this name and these keys.
    pub const fn keys<T>(self, keys: &'static [Key<T>]) -> Schema<T> {
        Schema { name: self.0, keys, selector: "", variants: &[], synonyms: &[] }
    }
}

impl<T> Schema<T> {
    /// The names of all keys. A key of several variants is repeated.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        let own = self.variants.iter().flat_map(|(_, keys)| keys.iter());
        let selector = Some(self.selector).filter(|key| !key.is_empty());
        selector.into_iter().chain(self.keys.iter().chain(own).map(|key| key.name))
    }

    /// The remedy for an unknown key: the key that has another name here, the nearest key, or all keys.
    fn remedy(&self, name: &str, is_listed: bool) -> String {
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

/// After this many problems, no alternative names are suggested.
pub(crate) const HINTS: usize = 100;

/// A file that is being read: its problems so far, and the places of its values.
pub struct Reader<'a> {
    text: &'a str,
    lines: Lines,
    /// Lines whose further problems are not noted.
    closed_lines: BTreeSet<u64>,
    pub(crate) places: Places,
    pub(crate) problems: Vec<SettingProblem>,
    /// The areas that the file may name.
    pub(crate) areas: AreaNames,
}

/// A table of the file.
pub struct Table<'t> {
    /// Its name in messages: `area[1]`.
    pub path: String,
    /// Its keys and values.
    pub entries: &'t DeTable<'t>,
    pub(crate) span: Range<usize>,
}

impl Table<'_> {
    /// Returns true if the table has a key.
    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// The text of a key.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.entries.get(key)?.get_ref().as_str()
    }
}

impl<'a> Reader<'a> {
    /// Parses as much of a file as possible, and notes its syntax errors.
    pub fn parse(text: &'a str) -> (Spanned<DeTable<'a>>, Reader<'a>) {
        let (document, syntax) = DeTable::parse_recoverable(text);
        let mut reader = Reader {
            text,
            lines: Lines::of(text.as_bytes()),
            closed_lines: BTreeSet::new(),
            places: Places::new(),
            problems: Vec::new(),
            areas: AreaNames::default(),
        };
        for error in &syntax {
            let what = error.message().trim_end().replace('\n', ", ");
            reader.note(error.span().unwrap_or(0..0), what, None);
        }
        reader.close_lines();
        (document, reader)
    }

    /// The result of a file without problems.
    ///
    /// # Errors
    /// [`InputError::Settings`] with all problems, in the order of their places.
    pub fn finish<T>(mut self, result: T) -> Result<T, InputError> {
        if self.problems.is_empty() {
            return Ok(result);
        }
        self.problems.shared_sort_by_key(|problem| problem.place);
        Err(InputError::Settings(self.problems))
    }

    /// Notes no further problems of lines that have one: after a syntax error, they are meaningless.
    pub(crate) fn close_lines(&mut self) {
        self.closed_lines.extend(self.problems.iter().filter_map(|problem| Some(problem.place?.line)));
    }

    /// Notes a problem of a part of the file.
    pub(crate) fn note(&mut self, span: Range<usize>, what: String, remedy: Option<String>) {
        let place = self.lines.place(span.start);
        if !self.closed_lines.contains(&place.line) {
            self.problems.push(SettingProblem { place: Some(place), span: Some(span), what, remedy });
        }
    }

    /// The index of the first table of a list with each name. The others are noted.
    pub fn first_named<'n>(
        &mut self,
        list: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> BTreeMap<&'n str, usize> {
        let mut first = BTreeMap::new();
        for (index, name) in names.enumerate().filter(|(_, name)| !name.is_empty()) {
            let other = *first.entry(name).or_insert(index);
            if other < index {
                let other = format!("which is the name of `{list}[{other}]`; give it another name");
                self.refuse(&format!("{list}[{index}].name"), &format!("is \"{}\", {other}", shown(name)));
            }
        }
        first
    }

    /// Returns true if the file gives a field, even if its value is wrong.
    pub fn has(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }

    /// Notes a problem at a field or, if the file does not give it, at the table that contains it.
    pub(crate) fn note_at(&mut self, path: &str, what: String) {
        let span = place_of(&self.places, path).map_or(0..0, |(_, span)| span.clone());
        self.note(span, what, None);
    }

    /// Notes a problem of a field.
    pub fn refuse(&mut self, path: &str, what: &str) {
        self.note_at(path, format!("`{path}` {what}"));
    }

    /// Returns true if another problem is still worth a suggestion: each comparison of names costs the
    /// product of their lengths.
    pub(crate) fn gives_hints(&self) -> bool {
        self.problems.len() < HINTS
    }

    /// The nearest of a few names.
    fn near<'n>(&self, given: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
        if self.gives_hints() { nearest_name(given, names) } else { None }
    }

    pub(crate) fn remember(&mut self, path: String, span: Range<usize>) {
        let place = self.lines.place(span.start);
        self.places.insert(path, (place, span));
    }

    /// A field of the file, for its value to be read.
    pub(crate) fn field<'r>(&'r mut self, path: &'r str, value: &'r TomlValue<'r>) -> Field<'r, 'a> {
        Field { reader: self, path, value }
    }

    /// The tables of a file that is a list of a single kind of tables; `what` is the file in messages.
    pub fn list<'t, T>(
        &mut self,
        schema: &Schema<T>,
        document: &'t DeTable<'t>,
        what: &str,
    ) -> Vec<Table<'t>> {
        let name = schema.name;
        for (key, _) in document.iter().filter(|(key, _)| key.get_ref() != name) {
            let unknown = format!("unknown key `{}`", shown(key.get_ref()));
            self.note(key.span(), unknown, Some(format!("{what} has only tables `[[{name}]]`")));
        }
        document.get(name).map_or_else(Vec::new, |value| self.tables(name, value))
    }

    /// The tables of a list such as `[[area]]`.
    pub(crate) fn tables<'t>(&mut self, name: &str, value: &'t TomlValue<'t>) -> Vec<Table<'t>> {
        let Some(list) = value.get_ref().as_array() else {
            self.field(name, value).wrong(&format!("a list of tables: `[[{name}]]`")).unwrap_or(());
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let (path, span) = (format!("{name}[{index}]"), value.span());
            if let Some(entries) = value.get_ref().as_table() {
                self.remember(path.clone(), span.clone());
                tables.push(Table { path, entries, span });
            } else {
                self.field(&path, value).wrong(&format!("a table: `[[{name}]]`")).unwrap_or(())
            }
        }
        tables
    }

    /// The table of a field such as `[map]`.
    pub(crate) fn table<'t>(&mut self, path: &str, value: &'t TomlValue<'t>) -> Option<Table<'t>> {
        match value.get_ref().as_table() {
            Some(entries) => Some(Table { path: path.to_owned(), entries, span: value.span() }),
            None if path.contains(['[', '.']) => self.field(path, value).wrong("a table"),
            None => self.field(path, value).wrong(&format!("a table: `[{path}]`")),
        }
    }

    /// Reads the keys of a whole file.
    pub fn read_file<T>(&mut self, schema: &Schema<T>, document: &DeTable<'_>, target: &mut T) -> bool {
        let table = Table { path: String::new(), entries: document, span: 0..0 };
        self.read(schema, &table, target)
    }

    /// Reads the keys of a table. Returns true if it has no problem.
    pub fn read<T>(&mut self, schema: &Schema<T>, table: &Table<'_>, target: &mut T) -> bool {
        let problems = self.problems.len();
        let variant = self.variant(schema, table);
        for key in schema.keys.iter().chain(variant.map_or(&[][..], |(_, keys)| keys)) {
            match (table.entries.get(key.name), key.need) {
                (Some(value), _) => {
                    let path = format!("{}{}", prefix(&table.path), key.name);
                    (key.take)(target, &mut self.field(&path, value));
                    self.remember(path, value.span());
                }
                (None, Some(remedy)) => self.require(table, key.name, remedy),
                (None, None) => {}
            }
        }
        for (key, _) in table.entries.iter() {
            self.check_key(schema, variant, table, key.get_ref(), key.span());
        }
        self.problems.len() == problems
    }

    /// The variant that a table selects.
    fn variant<T>(&mut self, schema: &Schema<T>, table: &Table<'_>) -> Option<&'static Variant<T>> {
        if schema.variants.is_empty() {
            return None;
        }
        self.require(table, schema.selector, "");
        let names: Vec<_> = schema.variants.iter().map(|variant| (variant.0, variant)).collect();
        let value = table.entries.get(schema.selector)?;
        self.field(&format!("{}.{}", table.path, schema.selector), value).choice(&names)
    }

    /// Notes the lack of a key that a table must have; `remedy` may be empty.
    pub(crate) fn require(&mut self, table: &Table<'_>, key: &str, remedy: &str) {
        if table.has(key) {
            return;
        }
        let what = format!("`{}` has no `{key}`, which it must have", table.path);
        self.note(table.span.clone(), what, Some(remedy.to_owned()).filter(|remedy| !remedy.is_empty()));
    }

    /// Notes a key that no table of the schema has, or only another variant.
    fn check_key<T>(
        &mut self,
        schema: &Schema<T>,
        variant: Option<&Variant<T>>,
        table: &Table<'_>,
        name: &str,
        span: Range<usize>,
    ) {
        let has = |keys: &[Key<T>]| keys.iter().any(|key| key.name == name);
        if has(schema.keys) || variant.is_some_and(|(_, keys)| has(keys)) {
            return;
        }
        if schema.names().all(|known| known != name) {
            let what = format!("unknown key `{}{}`", prefix(schema.name), shown(name));
            let remedy = self.gives_hints().then(|| schema.remedy(name, table.path.ends_with(']')));
            self.note(span, what, remedy);
        } else if let Some((kind, keys)) = variant.filter(|_| schema.selector != name) {
            let keys: Vec<&str> = keys.iter().map(|key| key.name).collect();
            let what =
                format!("`{}.{name}` is no key of a {kind}, which has {}", table.path, keys.join(", "));
            self.note(span, what, None);
        }
    }
}

/// The place of a field, or of the table that contains it: `area[1].name` may be missing although `area[1]`
/// exists.
pub(crate) fn place_of<'p>(places: &'p Places, path: &str) -> Option<&'p (TextPosition, Range<usize>)> {
    std::iter::successors(Some(path), |path| path.rsplit_once('.').map(|(table, _)| table))
        .find_map(|path| places.get(path))
}

/// The part of a path before a key.
fn prefix(table: &str) -> String {
    if table.is_empty() { String::new() } else { format!("{table}.") }
}
