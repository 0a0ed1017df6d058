//! Warnings and notes, with their places.

use super::figures::{count, counted, place};
use super::markup::Html;
use super::page::{Page, tile_name};
use navbake::Warning;
use navtile::TileCoord;
use std::collections::BTreeMap;

/// Of more warnings than this, only the number is given.
pub(crate) const LISTED: usize = 500;

/// With more warnings than this, the number of each kind is listed.
const FEW: usize = 8;

/// The id of a warning's row.
pub(crate) fn id(index: usize) -> String {
    format!("warning-{}", index + 1)
}

pub(crate) fn write(html: &mut Html, page: &Page<'_>) {
    let [warnings, notes]: [Vec<&Warning>; 2] =
        [page.report.warnings().collect(), page.report.notes().collect()];
    html.section("warnings", "Warnings", |html| {
        if warnings.is_empty() {
            html.paragraph("None.");
        } else {
            kinds(html, &warnings);
            table(html, &warnings, "warnings", id);
        }
        if !notes.is_empty() {
            html.leaf("h3", &[], "Notes");
            html.paragraph("Notes on difficult places in the bake. No action is needed.");
            table(html, &notes, "notes", |_| String::new());
        }
    });
}

/// The first of them one by one.
fn table(html: &mut Html, warnings: &[&Warning], what: &str, id: impl Fn(usize) -> String) {
    html.table(&["#No.", "Message", "Kind", "Place (x, y, z in metres)", "Tile"], |rows| {
        for (index, warning) in warnings.iter().enumerate().take(LISTED) {
            let cells = [
                (index + 1).to_string(),
                warning.message.clone(),
                kind(&warning.kind),
                warning.place.map_or_else(|| "\u{2013}".to_owned(), place),
                warning.tile.map_or_else(
                    || "\u{2013}".to_owned(),
                    |[x, z, layer]| tile_name(TileCoord { x, z, layer }),
                ),
            ];
            rows.row(&id(index), &cells.map(|cell| Html::of_text(&cell)));
        }
    });
    if let Some(more @ 1..) = warnings.len().checked_sub(LISTED) {
        let text = format!("{} more {what} are not listed here.", count(more));
        html.leaf("p", &[("class", "note")], &text);
    }
}

fn kind(name: &str) -> String {
    name.replace('_', " ")
}

/// The number of each kind, if there are many warnings.
fn kinds(html: &mut Html, warnings: &[&Warning]) {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in warnings {
        *kinds.entry(warning.kind.as_str()).or_default() += 1;
    }
    if kinds.len() > 1 && warnings.len() > FEW {
        let words: Vec<String> =
            kinds.into_iter().map(|(name, number)| format!("{} {}", count(number), kind(name))).collect();
        html.paragraph(&format!("{}: {}.", counted(warnings.len(), "warning"), words.join(", ")));
    }
}
