//! Lists of tables from TOML, `[[piece]]` or `[[chunk]]`. They are read entry by entry, and all problems of a
//! file are noted in a single pass.

use crate::error::{InputError, Lines, SettingProblem};
use crate::likeness::nearest_name;
use crate::settings::{TomlValue, number, numbers, shown};
use navmath::sort::SharedSort;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// After this many problems, no alternative names are suggested.
pub(crate) const HINTS: usize = 100;

/// A file that is being read, and its problems so far.
pub(crate) struct Notes<'a> {
    text: &'a str,
    lines: Lines,
    pub(crate) problems: Vec<SettingProblem>,
}

/// A table of the file, its name in messages, and its position.
pub(crate) struct Entries<'t> {
    pub(crate) path: String,
    pub(crate) table: &'t DeTable<'t>,
    pub(crate) span: Range<usize>,
}

impl<'t> Entries<'t> {
    pub(crate) fn get(&self, key: &str) -> Option<&'t TomlValue<'t>> {
        self.table.get(key)
    }
}

impl<'a> Notes<'a> {
    /// Parses as much of a file as possible; syntax errors are noted.
    pub(crate) fn parse(text: &'a str) -> (Spanned<DeTable<'a>>, Notes<'a>) {
        let (document, syntax) = DeTable::parse_recoverable(text);
        let mut notes = Notes { text, lines: Lines::of(text.as_bytes()), problems: Vec::new() };
        for error in syntax {
            notes.note(error.span().unwrap_or(0..0), error.message().to_owned(), None);
        }
        (document, notes)
    }

    /// The result, if nothing was noted.
    pub(crate) fn finish<T>(mut self, result: T) -> Result<T, InputError> {
        if self.problems.is_empty() {
            return Ok(result);
        }
        self.problems.shared_sort_by_key(|problem| problem.place);
        Err(InputError::Settings(self.problems))
    }

    pub(crate) fn note(&mut self, span: Range<usize>, what: String, remedy: Option<String>) {
        let place = Some(self.lines.place(span.start));
        self.problems.push(SettingProblem { place, span: Some(span), what, remedy });
    }

    pub(crate) fn wrong(&mut self, path: &str, value: &TomlValue<'_>, expected: &str) {
        let found = shown(&self.text[value.span()]);
        let kind = value.get_ref().type_str();
        self.note(value.span(), format!("`{path}` is {found} ({kind}), expected {expected}"), None);
    }

    /// The remedy for an unknown name: the nearest known one.
    pub(crate) fn near<'n>(&self, given: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
        let near = if self.problems.len() < HINTS { nearest_name(given, names) } else { None };
        near.map(|near| format!("did you mean `{near}`?"))
    }

    /// The tables of a file that is a list of a single kind of tables, `list` in messages.
    pub(crate) fn tables<'t>(
        &mut self,
        document: &'t DeTable<'t>,
        kind: &str,
        list: &str,
    ) -> Vec<Entries<'t>> {
        let mut tables = Vec::new();
        for (key, value) in document.iter() {
            if key.get_ref().as_ref() != kind {
                let what = format!("unknown key `{}`", shown(key.get_ref()));
                self.note(key.span(), what, Some(format!("{list} has only tables `[[{kind}]]`")));
                continue;
            }
            let Some(entries) = value.get_ref().as_array() else {
                self.wrong(kind, value, &format!("a list of tables: `[[{kind}]]`"));
                continue;
            };
            for (index, entry) in entries.iter().enumerate() {
                let path = format!("{kind}[{index}]");
                match entry.get_ref() {
                    DeValue::Table(table) => tables.push(Entries { path, table, span: entry.span() }),
                    _ => self.wrong(&path, entry, &format!("a table: `[[{kind}]]`")),
                }
            }
        }
        tables
    }

    /// A number that is required.
    pub(crate) fn number(&mut self, entries: &Entries<'_>, key: &str) -> Option<f64> {
        let Some(value) = entries.get(key) else {
            self.note(
                entries.span.clone(),
                format!("`{}` has no `{key}`, which it must have", entries.path),
                None,
            );
            return None;
        };
        let found = number(value.get_ref()).filter(|number| number.is_finite());
        if found.is_none() {
            self.wrong(&format!("{}.{key}", entries.path), value, "a finite number");
        }
        found
    }

    /// A point, or a row of `N` numbers.
    pub(crate) fn point<const N: usize>(&mut self, path: &str, value: &TomlValue<'_>) -> Option<[f64; N]> {
        let found = numbers(value.get_ref()).filter(|point| point.iter().all(|value| value.is_finite()));
        if found.is_none() {
            let expected = match N {
                3 => "three finite numbers: [x, y, z]".to_owned(),
                _ => format!("{N} finite numbers"),
            };
            self.wrong(path, value, &expected);
        }
        found
    }

    /// A list of `N` points.
    pub(crate) fn points<const M: usize, const N: usize>(
        &mut self,
        path: &str,
        value: &TomlValue<'_>,
        expected: &str,
    ) -> Option<[[f64; M]; N]> {
        let list = value.get_ref().as_array().filter(|list| list.len() == N);
        let Some(list) = list else {
            self.wrong(path, value, expected);
            return None;
        };
        let points: Vec<Option<[f64; M]>> = (0..)
            .zip(list.iter())
            .map(|(index, point)| self.point(&format!("{path}[{index}]"), point))
            .collect();
        points.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()
    }
}
