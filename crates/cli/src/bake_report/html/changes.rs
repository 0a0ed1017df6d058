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

pub(crate) fn write(html: &mut Html, page: &Page<'_>) {
    let Some(changes) = page.changes else { return };
    html.section("changes", "Since the previous bake", |html| {
        let Changes { changed, added, removed, unchanged } = changes;
        if changed.len() + added.len() + removed.len() == 0 {
            let all = counted(unchanged.len(), "tile");
            html.paragraph(&format!("Nothing has changed in {all}."));
            return;
        }
        html.paragraph(&format!(
            "{} changed, {} added, {} removed, {} unchanged.",
            counted(changed.len(), "tile"),
            count(added.len()),
            count(removed.len()),
            count(unchanged.len())
        ));
        if page.tile_cells() > 0 {
            map(html, page, changes);
        }
        for (label, coords) in [("Changed", changed), ("Added", added), ("Removed", removed)] {
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
        kind("unchanged", 0xd5dadd, true, &changes.unchanged),
        kind("changed", 0xe0a030, false, &changes.changed),
        kind("added", 0x2f7fd0, false, &changes.added),
        kind("removed", 0xc9553d, false, &changes.removed),
    ];
    let tiles: usize = kinds.iter().map(|kind| kind.places.len()).sum();
    let drawn = tile_kinds(&kinds);
    let label = "Tiles that changed since the previous bake";
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
