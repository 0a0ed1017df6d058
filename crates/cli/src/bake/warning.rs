//! Warnings and notes of a bake.

use crate::report;
use navtile::TileCoord;
use recast::Diagnostic;

/// A warning or a note about a level or a tile.
#[derive(Clone, Debug)]
pub(super) struct Warning {
    /// Name of its kind.
    pub(super) kind: &'static str,
    /// Whether it is a note: nothing has to be done about it.
    pub(super) is_note: bool,
    /// One sentence.
    pub(super) message: String,
    /// Where, world metres.
    pub(super) place: Option<[f64; 3]>,
    pub(super) tile: Option<TileCoord>,
}

impl Warning {
    /// As one line.
    pub(super) fn line(&self) -> String {
        match self.place {
            Some([x, y, z]) => format!("{}, at {x:.2}, {y:.2}, {z:.2}", self.message),
            None => self.message.clone(),
        }
    }

    pub(super) fn of(diagnostic: &Diagnostic, tile: Option<TileCoord>) -> Warning {
        let Diagnostic { kind, place, message } = diagnostic.clone();
        Warning { kind: kind.name(), is_note: kind.is_note(), message, place, tile }
    }

    pub(super) fn plain(kind: &'static str, message: String) -> Warning {
        Warning { kind, is_note: false, message, place: None, tile: None }
    }
}

/// Writes warnings to standard error, those of one kind together, and of many only the first few; notes if `with_notes`.
pub(super) fn warn(warnings: &[Warning], with_notes: bool) {
    const SHOWN: usize = 5;
    let mut kinds: Vec<&str> = Vec::new();
    for warning in warnings.iter().filter(|warning| with_notes || !warning.is_note) {
        if !kinds.contains(&warning.kind) {
            kinds.push(warning.kind);
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
