//! The largest islands, and the areas the ground is of.

use super::Page;
use super::figures::{count, counted, percent, place, square_metres};
use super::level_map::Map;
use super::markup::Html;
use navdraw::overview::Island;

/// Smaller islands are summed up.
const LISTED: usize = 12;

pub(super) fn write(html: &mut Html, page: &Page<'_>, map: &Map) {
    html.section("islands", "Islands", |html| {
        let kept = page.islands.kept;
        if kept.is_empty() {
            html.paragraph("None: there is nowhere to walk.");
        } else {
            table(html, page, map);
        }
        let least = page.config.settings.region_min_area.unwrap_or_else(|| {
            let cell = page.config.settings.cell_size;
            f64::from(page.config.region_min_cells) * cell * cell
        });
        let least = format!("smaller than regions.min_area, {}", square_metres(least));
        match page.islands.dropped {
            Some(0) => html.paragraph("No island was dropped as too small."),
            Some(dropped) => {
                let were = if dropped == 1 { "was" } else { "were" };
                html.paragraph(&format!("{} {were} dropped: {least}.", counted(dropped, "island")))
            }
            None => html.paragraph(&format!("Islands {least}, were dropped and not counted.")),
        };
    });
    areas(html, page, map);
}

fn table(html: &mut Html, page: &Page<'_>, map: &Map) {
    let kept = page.islands.kept;
    let total: f64 = kept.iter().sum();
    // Only if every tile was there are the islands of the picture those of the bake.
    let drawn: &[Island] = map.as_ref().map_or(&[], |drawn| {
        if drawn.missing == 0 && drawn.islands.len() == kept.len() { drawn.islands.as_slice() } else { &[] }
    });
    let head = ["#No.", "#Area", "#Share", "#Polygons", "A place on it (x, y, z in metres)"];
    html.table(&head, |rows| {
        for (index, &area) in kept.iter().enumerate().take(LISTED) {
            let island = drawn.get(index);
            rows.row("", head.len(), |html, column| match (column, island) {
                (0, Some(island)) => {
                    let colour = format!("background:{}", island.colour.css());
                    html.leaf("span", &[("class", "swatch"), ("style", &colour)], "");
                    html.text(&(index + 1).to_string());
                }
                (0, None) => {
                    html.text(&(index + 1).to_string());
                }
                (1, _) => {
                    html.text(&square_metres(area));
                }
                (2, _) => {
                    html.text(&format!("{:.1} %", percent(area, total)));
                }
                (3, Some(island)) => {
                    html.text(&count(island.extent.polygons));
                }
                (_, Some(island)) => {
                    html.text(&place(island.place));
                }
                (_, None) => {
                    html.text("\u{2013}");
                }
            });
        }
    });
    if let Some(rest @ 1..) = kept.len().checked_sub(LISTED) {
        let area: f64 = kept[LISTED..].iter().sum();
        html.paragraph(&format!("And {} more, {} together.", count(rest), square_metres(area)));
    }
}

/// The areas that occur in the mesh, by id.
fn areas(html: &mut Html, page: &Page<'_>, map: &Map) {
    let Ok(drawn) = map else { return };
    if drawn.areas.is_empty() {
        return;
    }
    let total: f64 = drawn.areas.values().map(|extent| extent.area_m2).sum();
    html.section("areas", "Areas", |html| {
        html.table(&["Name", "#Id", "#Cost of a metre", "#Area", "#Share", "#Polygons"], |rows| {
            for (&id, extent) in &drawn.areas {
                let known = page.areas.iter().find(|(other, _)| *other == id);
                let name = known.map_or_else(|| format!("area {id}"), |(_, name)| name.clone());
                rows.texts(&[
                    &name,
                    &id.to_string(),
                    &page.config.settings.area(recast::AreaId(id)).cost.to_string(),
                    &square_metres(extent.area_m2),
                    &format!("{:.1} %", percent(extent.area_m2, total)),
                    &count(extent.polygons),
                ]);
            }
        });
    });
}
