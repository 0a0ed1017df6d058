//! The differences from the previous bake: a map of tiles, and lists.

use super::figures::{count, counted};
use super::markup::Html;
use super::page::{Changes, Page, tile_name};
use super::picture;
use super::tile_maps::MOST_TILES;
use navdraw::Colour;
use navdraw::tile_map::{TileKind, tile_kinds};
use navtile::TileCoord;

/// More tiles than this are not listed one by one.
const LISTED: usize = 300;

pub(super) fn write(html: &mut Html, page: &Page<'_>) {
    let Some(changes) = page.changes else { return };
    html.section("changes", "Since the previous bake", |html| {
        let Changes { rebuilt, added, removed, taken_over } = changes;
        let changed = rebuilt.len() + added.len() + removed.len();
        if changed == 0 {
            let all = counted(taken_over.len(), "tile");
            html.paragraph(&format!("Nothing: {all} reused."));
            return;
        }
        html.paragraph(&format!(
            "{} baked again, {} added, {} removed, {} reused.",
            counted(rebuilt.len(), "tile"),
            count(added.len()),
            count(removed.len()),
            count(taken_over.len())
        ));
        if page.tile_cells() > 0 {
            map(html, page, changes);
        }
        for (label, coords) in [("Baked again", rebuilt), ("Added", added), ("Removed", removed)] {
            list(html, label, coords);
        }
    });
}

fn map(html: &mut Html, page: &Page<'_>, changes: &Changes) {
    let kind = |label: &str, colour: u32, hatched: bool, coords: &[TileCoord]| TileKind {
        label: format!("{label}, {}", count(coords.len())),
        colour: Colour::hex(colour),
        hatched,
        places: coords.iter().map(|&coord| page.tile_place(coord)).collect(),
    };
    let kinds = [
        kind("reused", 0xd5dadd, true, &changes.taken_over),
        kind("baked again", 0xe0a030, false, &changes.rebuilt),
        kind("added", 0x2f7fd0, false, &changes.added),
        kind("removed", 0xc9553d, false, &changes.removed),
    ];
    let tiles: usize = kinds.iter().map(|kind| kind.places.len()).sum();
    let drawn = tile_kinds(&kinds);
    let label = "Tiles by what became of them";
    picture::embed_either(html, &drawn, tiles > MOST_TILES, label, &Html::default());
}

fn list(html: &mut Html, label: &str, coords: &[TileCoord]) {
    if coords.is_empty() {
        return;
    }
    html.element("details", &[], |html| {
        html.leaf("summary", &[], &format!("{label}: {}", counted(coords.len(), "tile")));
        let names: Vec<String> =
            coords.iter().take(LISTED).map(|&coord| format!("({})", tile_name(coord))).collect();
        let more = match coords.len().checked_sub(LISTED) {
            Some(more @ 1..) => format!(" and {} more", count(more)),
            _ => String::new(),
        };
        html.paragraph(&format!("{}{more}", names.join(" ")));
    });
}
