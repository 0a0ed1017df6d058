//! The level from above: islands in their colours, warnings as numbers that link to the list.

use super::figures::{count, counted};
use super::markup::Html;
use super::page::Page;
use super::picture::{self, IMAGE_WIDTH, units};
use super::warnings::{self, LISTED};
use navdraw::overview::Limits;
use navdraw::{Overview, Picture, overview};

/// With more polygons than this the level is an image: a polygon takes 275 bytes of the page, and browsers
/// are slow with more shapes.
pub(crate) const MOST_SHAPES: usize = 10_000;

/// The drawing of the level, or the reason why there is none.
pub(crate) type Map = Result<Overview, String>;

pub(crate) fn draw(page: &Page<'_>) -> Map {
    let limits = Limits { most_shapes: MOST_SHAPES, width: IMAGE_WIDTH };
    overview(page.tiles.len(), page.meshes, &limits).map_err(|error| error.to_string())
}

pub(crate) fn write(html: &mut Html, page: &Page<'_>, map: &Map) {
    html.section("map", "The level", |html| {
        let drawn = match map {
            Ok(drawn) => drawn,
            Err(error) => {
                html.leaf("p", &[("class", "note")], &format!("There is no picture here: {error}."));
                return;
            }
        };
        let mut overlay = Html::default();
        let numbers = mark_warnings(&mut overlay, page, &drawn.picture);
        let image = drawn.image.as_deref();
        picture::embed(html, &drawn.picture, image, "The walkable surface from above", &overlay);
        html.paragraph(&explanation(drawn, numbers));
        if drawn.missing > 0 {
            let missing = counted(drawn.missing, "tile");
            html.leaf("p", &[("class", "note")], &format!("{missing} could not be read and are not drawn."));
        }
    });
}

fn explanation(drawn: &Overview, numbers: usize) -> String {
    let mut text =
        "Each island has its own colour; agents cannot walk from one to another, except over off-mesh links."
            .to_owned();
    if numbers > 0 {
        text.push_str(" Numbers are warnings and link to the list below.");
    }
    if drawn.image.is_some() {
        let most = count(MOST_SHAPES);
        text.push_str(&format!(" With more than {most} polygons the level is drawn as an image."));
    }
    text
}

/// Marks the warnings that have a place by their numbers; returns their number. The first ones are drawn
/// last, on top.
fn mark_warnings(overlay: &mut Html, page: &Page<'_>, picture: &Picture) -> usize {
    let mut marked = 0;
    for (index, warning) in
        page.report.warnings().enumerate().take(LISTED).collect::<Vec<_>>().into_iter().rev()
    {
        let Some([x, y]) = warning.place.and_then(|[x, _, z]| navdraw::locate(picture, [x, z])) else {
            continue;
        };
        let number = (index + 1).to_string();
        let link = format!("#{}", warnings::id(index));
        let (centre, baseline) = (units(x), units(y + 5.0));
        overlay.element("a", &[("class", "mark"), ("href", &link)], |overlay| {
            overlay.leaf("title", &[], &format!("{number}: {}", warning.message));
            let radius = if number.len() > 2 { 16 } else { 13 };
            let outline = "fill=\"#c2255c\" stroke=\"#ffffff\" stroke-width=\"2.5\"";
            let font = "text-anchor=\"middle\" font-size=\"14\" font-weight=\"600\" fill=\"#ffffff\"";
            overlay.raw(&format!(
                "<circle cx=\"{centre}\" cy=\"{}\" r=\"{radius}\" {outline}/>\
                 <text x=\"{centre}\" y=\"{baseline}\" {font}>{number}</text>",
                units(y)
            ));
        });
        marked += 1;
    }
    marked
}
