//! Warnings, with their places.

use super::figures::{count, counted, place};
use super::markup::Html;
use super::page::{Page, tile_name};
use std::collections::BTreeMap;

/// More warnings than this are counted, not listed.
pub(super) const LISTED: usize = 500;

/// With more warnings than this, the number of each kind is listed.
const FEW: usize = 8;

/// The id of a warning's row.
pub(super) fn id(index: usize) -> String {
    format!("warning-{}", index + 1)
}

pub(super) fn write(html: &mut Html, page: &Page<'_>) {
    html.section("warnings", "Warnings", |html| {
        if page.report.warnings.is_empty() {
            html.paragraph("None: nothing had to be corrected or dropped.");
            return;
        }
        kinds(html, page);
        html.table(&["#No.", "Warning", "Kind", "Place (x, y, z in metres)", "Tile"], |rows| {
            for (index, warning) in page.report.warnings.iter().enumerate().take(LISTED) {
                let cells = [
                    (index + 1).to_string(),
                    warning.message.clone(),
                    kind(warning.kind),
                    warning.place.map_or_else(|| "\u{2013}".to_owned(), place),
                    warning.tile.map_or_else(|| "\u{2013}".to_owned(), tile_name),
                ];
                rows.row(&id(index), &cells.map(|cell| Html::of_text(&cell)));
            }
        });
        if let Some(more @ 1..) = page.report.warnings.len().checked_sub(LISTED) {
            let text = format!("{} more are not listed and not on the map.", count(more));
            html.leaf("p", &[("class", "note")], &text);
        }
    });
}

fn kind(name: &str) -> String {
    name.replace('_', " ")
}

/// The number of each kind, if there are many warnings.
fn kinds(html: &mut Html, page: &Page<'_>) {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in page.report.warnings {
        *kinds.entry(warning.kind).or_default() += 1;
    }
    if kinds.len() > 1 && page.report.warnings.len() > FEW {
        let words: Vec<String> =
            kinds.into_iter().map(|(name, number)| format!("{} {}", count(number), kind(name))).collect();
        html.paragraph(&format!("{}: {}.", counted(page.report.warnings.len(), "warning"), words.join(", ")));
    }
}
