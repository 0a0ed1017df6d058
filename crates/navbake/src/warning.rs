//! Warnings and notes of a bake.

use crate::sentences::change_words;
use navexplain::explain_empty;
use navtile::TileCoord;
use recast::{Diagnostic, PreparedLevel, SETTINGS, Scratch, Silent};
use serde::Serialize;

/// A warning or a note about a level or a tile.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Warning {
    /// Name of its kind.
    pub kind: String,
    /// True if this is a note, which needs no action.
    pub is_note: bool,
    /// One sentence.
    pub message: String,
    /// Position, world metres.
    pub place: Option<[f64; 3]>,
    /// The tile that it refers to: x, z and layer.
    pub tile: Option<[i32; 3]>,
}

impl Warning {
    /// The warning as one line.
    pub fn line(&self) -> String {
        match self.place {
            Some([x, y, z]) => format!("{}, at {x:.2}, {y:.2}, {z:.2}", self.message),
            None => self.message.clone(),
        }
    }

    /// A diagnostic of a tile, or of the whole level.
    pub fn of(diagnostic: &Diagnostic, tile: Option<TileCoord>) -> Warning {
        let Diagnostic { kind, place, message } = diagnostic.clone();
        let tile = tile.map(|TileCoord { x, z, layer }| [x, z, layer]);
        Warning { kind: kind.name().to_owned(), is_note: kind.is_note(), message, place, tile }
    }

    /// A warning about the whole level.
    pub fn plain(kind: &str, message: String) -> Warning {
        Warning { kind: kind.to_owned(), is_note: false, message, place: None, tile: None }
    }

    /// A warning that the mesh has no polygon, with the reason. There is no reason if the level is not in
    /// memory, or is too large for a bake in one piece.
    pub fn empty_mesh(level: &PreparedLevel) -> Warning {
        let ground = || explain_empty(level, &Silent, &mut Scratch::new()).ok().flatten();
        let Some(ground) = (level.triangle_count() > 0).then(ground).flatten() else {
            let what = "the mesh is empty: no surface is flat, high, wide and large enough for this agent";
            return Warning::plain("empty_mesh", what.to_owned());
        };
        let changes: Vec<String> = ground.remedy.iter().map(change_words).collect();
        let remedy = match changes.as_slice() {
            [] => String::new(),
            changes => format!("; with {} there is a mesh", changes.join(" and ")),
        };
        Warning::plain("empty_mesh", format!("the mesh is empty: {ground}{remedy}"))
    }

    /// The warnings about a level before its bake: settings that the cells round so far that the mesh is for
    /// another agent, and triangles that are ignored.
    pub fn of_level(level: &PreparedLevel) -> Vec<Warning> {
        let texts = SETTINGS.iter().filter_map(|setting| setting.rounding_warning(&level.config.settings));
        let rounded = texts.map(|text| Warning::plain("rounded_setting", text));
        rounded.chain(level.diagnostics.iter().map(|diagnostic| Warning::of(diagnostic, None))).collect()
    }
}
