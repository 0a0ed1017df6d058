//! The level from above: islands in their colours, warnings as numbers that lead to the list.

use super::Page;
use super::figures::{count, counted, place};
use super::markup::Html;
use super::picture::{self, IMAGE_WIDTH, units};
use super::warnings::{self, LISTED};
use navdraw::overview::Limits;
use navdraw::{Overview, Picture, overview};

/// With more polygons than this the level is an image: a polygon takes 275 bytes of page, and a browser
/// takes long over as many shapes.
pub(super) const MOST_SHAPES: usize = 10_000;
/// More dropped islands than this are not marked.
const MOST_CROSSES: usize = 2_000;

/// The level drawn, or why it is not.
pub(super) type Map = Result<Overview, String>;

pub(super) fn draw(page: &Page<'_>) -> Map {
    let limits = Limits { most_shapes: MOST_SHAPES, width: IMAGE_WIDTH };
    overview(page.tiles.len(), page.meshes, &limits).map_err(|error| error.to_string())
}

pub(super) fn write(html: &mut Html, page: &Page<'_>, map: &Map) {
    html.section("map", "The level", |html| {
        let drawn = match map {
            Ok(drawn) => drawn,
            Err(error) => {
                html.leaf("p", &[("class", "note")], &format!("There is no picture here: {error}."));
                return;
            }
        };
        let mut overlay = Html::default();
        let crosses = mark_dropped(&mut overlay, page, &drawn.picture);
        let numbers = mark_warnings(&mut overlay, page, &drawn.picture);
        let image = drawn.image.as_deref();
        picture::embed(html, &drawn.picture, image, "The walkable surface from above", &overlay);
        html.paragraph(&explanation(drawn, numbers, crosses));
        if drawn.missing > 0 {
            let missing = counted(drawn.missing, "tile");
            html.leaf("p", &[("class", "note")], &format!("{missing} could not be read and are not drawn."));
        }
    });
}

fn explanation(drawn: &Overview, numbers: usize, crosses: usize) -> String {
    let mut text =
        "Each island has a colour; agents cannot walk from one to another, save over off-mesh links."
            .to_owned();
    if numbers > 0 {
        text.push_str(" Numbers are warnings and lead to the list below.");
    }
    if crosses > 0 {
        text.push_str(" Crosses are islands that were dropped because they are too small.");
    }
    if drawn.image.is_some() {
        let most = count(MOST_SHAPES);
        text.push_str(&format!(" With more than {most} polygons the level is drawn as an image."));
    }
    text
}

/// Crosses where islands were dropped; how many.
fn mark_dropped(overlay: &mut Html, page: &Page<'_>, picture: &Picture) -> usize {
    let mut marked = 0;
    for &dropped in page.islands.dropped_places.iter().take(MOST_CROSSES) {
        let Some([x, y]) = picture.locate([dropped[0], dropped[2]]) else { continue };
        let (x, y) = (units(x), units(y));
        let data = format!("M{x} {y}m-5 -5l10 10m0 -10l-10 10");
        overlay.element("g", &[("class", "cross"), ("stroke-linecap", "round")], |overlay| {
            overlay.leaf("title", &[], &format!("An island dropped as too small, at {}", place(dropped)));
            let casing = [("stroke", "#ffffff"), ("stroke-width", "6")];
            let ink = [("stroke", "#3b4a54"), ("stroke-width", "2.6")];
            for [colour, width] in [casing, ink] {
                overlay.void("path", &[("d", &data), ("fill", "none"), colour, width]);
            }
        });
        marked += 1;
    }
    marked
}

/// The numbers of warnings that have a place; how many. The first ones are drawn last, on top.
fn mark_warnings(overlay: &mut Html, page: &Page<'_>, picture: &Picture) -> usize {
    let mut marked = 0;
    for (index, warning) in page.warnings.iter().enumerate().take(LISTED).rev() {
        let Some([x, y]) = warning.place.and_then(|[x, _, z]| picture.locate([x, z])) else { continue };
        let number = (index + 1).to_string();
        let link = format!("#{}", warnings::id(index));
        let (centre, baseline) = (units(x), units(y + 5.0));
        overlay.element("a", &[("class", "mark"), ("href", &link)], |overlay| {
            overlay.leaf("title", &[], &format!("{number}: {}", warning.message));
            overlay.void(
                "circle",
                &[
                    ("cx", centre.as_str()),
                    ("cy", &units(y)),
                    ("r", if number.len() > 2 { "16" } else { "13" }),
                    ("fill", "#c2255c"),
                    ("stroke", "#ffffff"),
                    ("stroke-width", "2.5"),
                ],
            );
            overlay.leaf(
                "text",
                &[
                    ("x", centre.as_str()),
                    ("y", &baseline),
                    ("text-anchor", "middle"),
                    ("font-size", "14"),
                    ("font-weight", "600"),
                    ("fill", "#ffffff"),
                ],
                &number,
            );
        });
        marked += 1;
    }
    marked
}
