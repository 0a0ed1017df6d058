//! One reader for the TOML files of the program: settings, pieces, chunks, scenarios of crowds.
//!
//! A [`Form`] describes a kind of tables: a row for each key, with the values that the key takes, their unit
//! and range, and the setter of the value. A [`Reader`] collects all problems of a file in a single pass.
//!
//! ```
//! use navinput::tables::{Form, Key, Put, Reader};
//!
//! #[derive(Default)]
//! struct Lamp { watts: f64, name: Option<String> }
//! static LAMP: Form<Lamp> = Form::new("lamp", &[
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
mod form;

pub(crate) use areas::AreaNames;
pub use field::{FINITE, Field, POSITIVE, Put};
pub(crate) use field::{quoted, range_in_words, shown};
pub use form::{Form, Key, Variant};

use crate::error::{InputError, Lines, Place, SettingProblem};
use crate::likeness::nearest_name;
use navmath::sort::SharedSort;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value of the file, and its position.
pub type TomlValue<'a> = Spanned<DeValue<'a>>;

/// The places of a file's values by their paths, such as `area[1].name`.
pub(crate) type Places = BTreeMap<String, (Place, Range<usize>)>;

/// After this many problems, no alternative names are suggested.
pub(crate) const HINTS: usize = 100;

/// A file that is being read: its problems so far, and the places of its values.
pub struct Reader<'a> {
    text: &'a str,
    lines: Lines,
    /// Lines with syntax errors. All other problems on them are meaningless.
    broken_lines: BTreeSet<u64>,
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
            broken_lines: BTreeSet::new(),
            places: Places::new(),
            problems: Vec::new(),
            areas: AreaNames::default(),
        };
        for error in &syntax {
            let what = error.message().trim_end().replace('\n', ", ");
            reader.note(error.span().unwrap_or(0..0), what, None);
        }
        reader.broken_lines =
            reader.problems.iter().filter_map(|problem| problem.place).map(|place| place.line).collect();
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

    /// Notes a problem of a part of the file.
    pub(crate) fn note(&mut self, span: Range<usize>, what: String, remedy: Option<String>) {
        let place = self.lines.place(span.start);
        if !self.broken_lines.contains(&place.line) {
            self.problems.push(SettingProblem { place: Some(place), span: Some(span), what, remedy });
        }
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

    /// Returns true if another problem is still worth a suggestion: each comparison of names costs the product
    /// of their lengths.
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
    pub fn list<'t, T>(&mut self, form: &Form<T>, document: &'t DeTable<'t>, what: &str) -> Vec<Table<'t>> {
        let name = form.name;
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
    pub fn read_file<T>(&mut self, form: &Form<T>, document: &DeTable<'_>, target: &mut T) -> bool {
        let table = Table { path: String::new(), entries: document, span: 0..0 };
        self.read(form, &table, target)
    }

    /// Reads the keys of a table. Returns true if it has no problem.
    pub fn read<T>(&mut self, form: &Form<T>, table: &Table<'_>, target: &mut T) -> bool {
        let problems = self.problems.len();
        let variant = form.variants.and_then(|(key, list)| {
            let Some(value) = table.entries.get(key) else {
                self.missing(table, key, "");
                return None;
            };
            let names: Vec<_> = list.iter().map(|variant| (variant.0, variant)).collect();
            self.field(&format!("{}.{key}", table.path), value).choice(&names)
        });
        for key in form.keys.iter().chain(variant.map_or(&[][..], |(_, keys)| keys)) {
            match (table.entries.get(key.name), key.need) {
                (Some(value), _) => {
                    let path = format!("{}{}", prefix(&table.path), key.name);
                    (key.take)(target, &mut self.field(&path, value));
                    self.remember(path, value.span());
                }
                (None, Some(remedy)) => self.missing(table, key.name, remedy),
                (None, None) => {}
            }
        }
        for (key, _) in table.entries.iter() {
            self.check_key(form, variant, table, key.get_ref(), key.span());
        }
        self.problems.len() == problems
    }

    /// Notes a key that a table must have.
    pub(crate) fn missing(&mut self, table: &Table<'_>, key: &str, remedy: &str) {
        let what = format!("`{}` has no `{key}`, which it must have", table.path);
        self.note(table.span.clone(), what, Some(remedy.to_owned()).filter(|remedy| !remedy.is_empty()));
    }

    /// Notes a key that no table of the form has, or only another variant.
    fn check_key<T>(
        &mut self,
        form: &Form<T>,
        variant: Option<&Variant<T>>,
        table: &Table<'_>,
        name: &str,
        span: Range<usize>,
    ) {
        let has = |keys: &[Key<T>]| keys.iter().any(|key| key.name == name);
        if has(form.keys) || variant.is_some_and(|(_, keys)| has(keys)) {
            return;
        }
        if form.names().all(|known| known != name) {
            let what = format!("unknown key `{}{}`", prefix(form.name), shown(name));
            let remedy = self.gives_hints().then(|| form.remedy(name, table.path.ends_with(']')));
            self.note(span, what, remedy);
        } else if let Some((kind, keys)) = variant.filter(|_| form.selects_by() != Some(name)) {
            let keys: Vec<&str> = keys.iter().map(|key| key.name).collect();
            let what =
                format!("`{}.{name}` is no key of a {kind}, which has {}", table.path, keys.join(", "));
            self.note(span, what, None);
        }
    }
}

/// The place of a field, or of the table that contains it: `area[1].name` may be missing although `area[1]`
/// exists.
pub(crate) fn place_of<'p>(places: &'p Places, path: &str) -> Option<&'p (Place, Range<usize>)> {
    std::iter::successors(Some(path), |path| path.rsplit_once('.').map(|(table, _)| table))
        .find_map(|path| places.get(path))
}

/// The part of a path before a key.
fn prefix(table: &str) -> String {
    if table.is_empty() { String::new() } else { format!("{table}.") }
}
