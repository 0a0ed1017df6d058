//! Warnings and notes of a bake, on standard error.

use crate::report;
use navbake::Warning;

/// The kind of warnings about the level's files, which are known before the bake.
pub(super) const LEVEL: &str = "level";

/// Warnings about the level's files.
pub(super) fn of_level(texts: &[String]) -> Vec<Warning> {
    texts.iter().map(|text| Warning::plain(LEVEL, text.clone())).collect()
}

/// Writes warnings to standard error, those of one kind together, and of many only the first few; notes if `with_notes`.
pub(super) fn warn(warnings: &[Warning], with_notes: bool) {
    const SHOWN: usize = 5;
    let mut kinds: Vec<&str> = Vec::new();
    for warning in warnings.iter().filter(|warning| with_notes || !warning.is_note) {
        if !kinds.contains(&warning.kind.as_str()) {
            kinds.push(&warning.kind);
        }
    }
    for kind in kinds {
        let of_kind: Vec<&Warning> = warnings.iter().filter(|warning| warning.kind == kind).collect();
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
