//! Warnings and notes of a bake, on standard error.

use crate::report;
use navbake::Warning;
use std::collections::BTreeMap;

/// The kind of warnings about the level's files, which are known before the bake.
pub(crate) const LEVEL: &str = "level";

/// Warnings about the level's files.
pub(crate) fn of_level(texts: &[String]) -> Vec<Warning> {
    texts.iter().map(|text| Warning::plain(LEVEL, text.clone())).collect()
}

/// Writes warnings to standard error, grouped by kind, and only the first few of many; notes if `with_notes`.
pub(crate) fn warn<'a>(warnings: impl IntoIterator<Item = &'a Warning>, with_notes: bool) {
    const SHOWN: usize = 5;
    // Shard files come from other machines, and may give each warning a kind of its own.
    let mut kinds: BTreeMap<&str, (usize, Vec<&Warning>)> = BTreeMap::new();
    for (index, warning) in warnings.into_iter().enumerate() {
        kinds.entry(&warning.kind).or_insert_with(|| (index, Vec::new())).1.push(warning);
    }
    let mut kinds: Vec<_> = kinds.into_values().collect();
    kinds.retain(|(_, of_kind)| with_notes || of_kind.iter().any(|warning| !warning.is_note));
    kinds.sort_unstable_by_key(|(first, _)| *first);
    for (_, of_kind) in kinds {
        let write = |is_note: bool, text: &str| match is_note {
            true => report::note(&format!("note: {text}")),
            false => report::warn(text),
        };
        of_kind.iter().take(SHOWN).for_each(|warning| write(warning.is_note, &warning.line()));
        if of_kind.len() > SHOWN {
            let more = of_kind.len() - SHOWN;
            let text = format!("and {more} more of this kind; --json and --report list them all");
            write(of_kind[0].is_note, &text);
        }
    }
}
