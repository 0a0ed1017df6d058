//! The differences between two files, as JSON and as text.

use super::tiles::{COUNTED, OnlyTile, TileChange};
use crate::inspect::{place, tile_name};
use navdraw::number::{counted, square_metres};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;

/// More tiles of one kind than this are summed up, unless all are requested.
const SHOWN: usize = 20;

/// The answer, as one JSON object. Metres, square metres; pairs are before and after.
#[derive(Serialize)]
pub(super) struct DiffReport {
    pub(super) same: bool,
    pub(super) metadata: Vec<Field>,
    pub(super) unchanged: usize,
    pub(super) only_before: Vec<OnlyTile>,
    pub(super) only_after: Vec<OnlyTile>,
    pub(super) changed: Vec<TileChange>,
}

/// A field of the metadata; null if a file does not have it.
#[derive(Serialize)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
}

impl DiffReport {
    /// A comparison that has not looked at the tiles.
    pub(super) fn new(metadata: Vec<Field>) -> DiffReport {
        let (only_before, only_after, changed) = (Vec::new(), Vec::new(), Vec::new());
        DiffReport { same: false, metadata, unchanged: 0, only_before, only_after, changed }
    }

    /// Adds the result that follows from all differences.
    pub(super) fn concluded(self) -> DiffReport {
        let same = self.metadata.is_empty()
            && self.only_before.is_empty()
            && self.only_after.is_empty()
            && self.changed.is_empty();
        DiffReport { same, ..self }
    }

    /// The answer for people; `names` are those of the files.
    pub(super) fn text(&self, names: &[String; 2], all: bool) -> String {
        let mut text = String::new();
        let shown = if all { usize::MAX } else { SHOWN };
        self.write_text(&mut text, names, shown).expect("writing to a String cannot fail");
        text
    }

    fn write_text(&self, text: &mut String, [before, after]: &[String; 2], shown: usize) -> std::fmt::Result {
        if self.same {
            let tiles = counted(self.unchanged, "tile");
            return writeln!(text, "{before} and {after} have the same content: metadata and {tiles}");
        }
        writeln!(text, "{before} and {after} differ")?;
        for field in &self.metadata {
            let [a, b] =
                [&field.before, &field.after].map(|v| v.as_ref().map_or("none".into(), Value::to_string));
            writeln!(text, "metadata   {}: {a}, then {b}", field.name)?;
        }
        writeln!(
            text,
            "tiles      {} only before, {} only after, {} changed, {} unchanged",
            self.only_before.len(),
            self.only_after.len(),
            self.changed.len(),
            self.unchanged
        )?;
        for (sign, tiles) in [('-', &self.only_before), ('+', &self.only_after)] {
            for OnlyTile { tile, polygons, area_m2 } in tiles.iter().take(shown) {
                let name = tile_name(*tile);
                writeln!(
                    text,
                    "{sign} {name}: {}, {}",
                    counted(*polygons, "polygon"),
                    square_metres(*area_m2)
                )?;
            }
            more(text, sign, tiles.len(), shown)?;
        }
        for change in self.changed.iter().take(shown) {
            writeln!(text, "~ {}", change.text())?;
        }
        more(text, '~', self.changed.len(), shown)
    }
}

/// Writes the number of those that were left out.
fn more(text: &mut String, sign: char, found: usize, shown: usize) -> std::fmt::Result {
    match found.saturating_sub(shown) {
        0 => Ok(()),
        left => writeln!(text, "{sign} {left} more; --tiles lists them"),
    }
}

impl TileChange {
    fn text(&self) -> String {
        let mut parts = Vec::new();
        for (name, _) in COUNTED {
            let [before, after] = self.counts[name];
            if before != after {
                let name = name.replace("off_mesh", "off-mesh").replace('_', " ");
                parts.push(format!("{before} to {after} {name}"));
            }
        }
        let [before, after] = self.area_m2;
        if before != after {
            parts.push(format!("{} to {}", square_metres(before), square_metres(after)));
        }
        if let Some(most) = self.largest_move.filter(|most| *most > 0.0) {
            parts.push(format!("vertices moved up to {most:.3} m"));
        }
        if let Some([min, max]) = self.bounds {
            parts.push(format!("from {} to {}", place(min), place(max)));
        }
        parts.push(format!("differs in {}", self.differs.join(", ")));
        format!("{}: {}", tile_name(self.tile), parts.join("; "))
    }
}
