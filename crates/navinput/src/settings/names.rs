//! Lists of names: the parts of a level to bake, and their areas.

use crate::pattern::{NameKind, NamePattern};
use crate::tables::Field;

impl Field<'_, '_> {
    /// A list of names with wildcards.
    pub(super) fn patterns(&mut self, by: NameKind, patterns: &mut Vec<NamePattern>) {
        let read = self.each("a list of names: [\"mud\", \"wet*\"]", |name| {
            let pattern = name.text("a name: a string")?;
            if pattern.is_empty() {
                return name.refuse("is empty, expected a name", None);
            }
            let (field, place, span) = (name.path.to_owned(), name.place(), name.value.span());
            Some(NamePattern { by, pattern, field, place: Some(place), span: Some(span) })
        });
        patterns.extend(read.into_iter().flatten());
    }
}
