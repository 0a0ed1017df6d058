//! Lists of names: the parts of a level to bake, and their areas.

use super::reader::{SettingsReader, TomlValue};
use crate::pattern::{NameKind, NamePattern};

impl SettingsReader<'_> {
    /// Reads the patterns of `include_materials` and similar keys; returns true if they have no problem.
    pub(super) fn take_filter(
        &mut self,
        (_, by, include): (&str, NameKind, bool),
        path: &str,
        value: &TomlValue<'_>,
    ) -> bool {
        let problems = self.problem_count();
        let patterns = self.names(by, path, value);
        let target = if include { &mut self.input.include } else { &mut self.input.exclude };
        target.extend(patterns);
        self.problem_count() == problems
    }

    /// A list of names with wildcards.
    pub(super) fn names(&mut self, by: NameKind, path: &str, value: &TomlValue<'_>) -> Vec<NamePattern> {
        let mut patterns = Vec::new();
        let Some(names) = value.get_ref().as_array() else {
            self.wrong_type(path, value, "a list of names: [\"mud\", \"wet*\"]");
            return patterns;
        };
        for (index, name) in names.iter().enumerate() {
            let field = format!("{path}[{index}]");
            match name.get_ref().as_str() {
                Some("") => self.note(name.span(), format!("`{field}` is empty, expected a name"), None),
                Some(pattern) => {
                    let span = name.span();
                    let place = Some(self.place(span.start));
                    patterns.push(NamePattern {
                        by,
                        pattern: pattern.to_owned(),
                        field,
                        place,
                        span: Some(span),
                    });
                }
                None => self.wrong_type(&field, name, "a name: a string"),
            }
        }
        patterns
    }
}
