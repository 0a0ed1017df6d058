//! The largest islands, and the areas of the ground.

use super::figures::{count, counted, percent, place, square_metres};
use super::level_map::Map;
use super::markup::Html;
use super::page::Page;
use navdraw::overview::Island;

/// Smaller islands are summed up.
const LISTED: usize = 12;

pub(crate) fn write(html: &mut Html, page: &Page<'_>, map: &Map) {
    html.section("islands", "Islands", |html| {
        if page.islands_kept.is_empty() {
            html.paragraph("No islands: nothing is walkable.");
        } else {
            table(html, page, map);
        }
        let settings = page.settings();
        let least = recast::settings::find("regions.min_area")
            .and_then(|setting| Some(setting.words(setting.value(settings)?)))
            .unwrap_or_default();
        match page.report.islands.dropped {
            0 => html.paragraph("No island was dropped as too small."),
            dropped => {
                let were = if dropped == 1 { "was" } else { "were" };
                let dropped = counted(dropped, "island");
                html.paragraph(&format!("{dropped} {were} dropped: smaller than regions.min_area, {least}."))
            }
        };
    });
    areas(html, page, map);
}

fn table(html: &mut Html, page: &Page<'_>, map: &Map) {
    // The islands of the picture are those of the bake only if no tile was missing. The simplified outlines
    // make them a little larger or smaller; picture and table give the same area.
    let drawn: &[Island] = map.as_ref().map_or(&[], |drawn| {
        if drawn.missing == 0 && drawn.islands.len() == page.islands_kept.len() {
            drawn.islands.as_slice()
        } else {
            &[]
        }
    });
    let kept: Vec<f64> = match drawn {
        [] => page.islands_kept.to_vec(),
        drawn => drawn.iter().map(|island| island.extent.area_m2).collect(),
    };
    let total: f64 = kept.iter().sum();
    let head = ["#No.", "#Area", "#Share", "#Polygons", "A place on it (x, y, z in metres)"];
    html.table(&head, |rows| {
        for (index, &area) in kept.iter().enumerate().take(LISTED) {
            let island = drawn.get(index);
            let mut number = Html::default();
            if let Some(island) = island {
                let colour = format!("background:{}", island.colour.css());
                number.leaf("span", &[("class", "swatch"), ("style", &colour)], "");
            }
            number.text(&(index + 1).to_string());
            let known = |text: Option<String>| text.unwrap_or_else(|| "\u{2013}".to_owned());
            let texts = [
                square_metres(area),
                format!("{:.1} %", percent(area, total)),
                known(island.map(|island| count(island.extent.polygons))),
                known(island.map(|island| place(island.place))),
            ];
            let [area, share, polygons, place] = texts.map(|text| Html::of_text(&text));
            rows.row("", &[number, area, share, polygons, place]);
        }
    });
    if let Some(rest @ 1..) = kept.len().checked_sub(LISTED) {
        let area: f64 = kept[LISTED..].iter().sum();
        html.paragraph(&format!("And {} more, {} in total.", count(rest), square_metres(area)));
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
        html.table(&["Name", "#Id", "#Cost per metre", "#Area", "#Share", "#Polygons"], |rows| {
            for (&id, extent) in &drawn.areas {
                let area = page.settings().area(recast::AreaId(id));
                rows.texts(&[
                    &area.name,
                    &id.to_string(),
                    &area.cost.to_string(),
                    &square_metres(extent.area_m2),
                    &format!("{:.1} %", percent(extent.area_m2, total)),
                    &count(extent.polygons),
                ]);
            }
        });
    });
}
