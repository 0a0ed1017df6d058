//! Maps of the time and polygons of each tile, and the slowest tiles.

use super::figures::{count, counted, duration, fixed};
use super::markup::Html;
use super::page::{Page, PageTile, tile_name};
use super::picture::{self, units};
use navdraw::Picture;
use navdraw::tile_map::{Measure, TileValue, heat_map};
use navtile::TileCoord;
use std::collections::BTreeMap;
use std::time::Duration;

/// With more tiles than this a map is an image, and has no titles.
pub(crate) const MOST_TILES: usize = 5_000;
/// Number of the slowest tiles that are listed.
const SLOWEST: usize = 10;

/// One square of the map: a tile, or several above each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Square {
    elapsed: Option<Duration>,
    polygons: usize,
    triangles: usize,
    bytes: u64,
    layers: usize,
}

pub(crate) fn write(html: &mut Html, page: &Page<'_>) {
    html.section("tiles", "Tiles", |html| {
        if page.tile_cells() == 0 || page.tiles.is_empty() {
            html.paragraph(if page.tiles.is_empty() {
                "There are no tiles: nothing is walkable."
            } else {
                "The level was baked as one tile."
            });
            return;
        }
        let side = f64::from(page.tile_cells()) * page.settings().cell_size;
        html.paragraph(&format!(
            "{} of {} cells on a side, {} m.",
            counted(page.tiles.len(), "tile"),
            count(page.tile_cells() as usize),
            fixed(side, 3)
        ));
        let squares = squares(page.tiles);
        time_map(html, page, &squares);
        polygon_map(html, page, &squares);
        slowest(html, page);
    });
}

fn squares(tiles: &[PageTile]) -> BTreeMap<TileCoord, Square> {
    let mut squares: BTreeMap<TileCoord, Square> = BTreeMap::new();
    for tile in tiles {
        let square = squares.entry(TileCoord { layer: 0, ..tile.coord }).or_default();
        square.elapsed = match (square.elapsed, tile.elapsed) {
            (Some(before), Some(more)) => Some(before + more),
            (before, more) => before.or(more),
        };
        square.polygons += tile.polygons;
        square.triangles += tile.triangles;
        square.bytes += tile.bytes;
        square.layers += 1;
    }
    squares
}

fn time_map(html: &mut Html, page: &Page<'_>, squares: &BTreeMap<TileCoord, Square>) {
    html.leaf("h3", &[], "Time per tile");
    let most = squares.values().filter_map(|square| square.elapsed).max();
    let Some(most) = most else {
        html.paragraph("No tile was baked: all were reused from the previous bake.");
        return;
    };
    let measure = Measure {
        title: "time per tile".to_owned(),
        low: "0 ms".to_owned(),
        high: duration(most),
        hatched: "reused from the previous bake".to_owned(),
    };
    let value = |square: &Square| square.elapsed.map(|elapsed| elapsed.as_secs_f64());
    map(html, page, squares, &measure, value, "Time to bake each tile");
}

fn polygon_map(html: &mut Html, page: &Page<'_>, squares: &BTreeMap<TileCoord, Square>) {
    html.leaf("h3", &[], "Polygons per tile");
    let most = squares.values().map(|square| square.polygons).max().unwrap_or(0);
    let measure = Measure {
        title: "polygons per tile".to_owned(),
        low: "0".to_owned(),
        high: count(most),
        hatched: String::new(),
    };
    map(html, page, squares, &measure, |square| Some(square.polygons as f64), "Polygons of each tile");
}

fn map(
    html: &mut Html,
    page: &Page<'_>,
    squares: &BTreeMap<TileCoord, Square>,
    measure: &Measure,
    value: impl Fn(&Square) -> Option<f64>,
    label: &str,
) {
    let tiles: Vec<TileValue> = squares
        .iter()
        .map(|(&coord, square)| TileValue { place: page.tile_place(coord), value: value(square) })
        .collect();
    let picture = heat_map(&tiles, measure);
    let many = tiles.len() > MOST_TILES;
    let mut overlay = Html::default();
    if !many {
        for (&coord, square) in squares {
            title(&mut overlay, &picture, page.tile_place(coord), &words(coord, square));
        }
    }
    picture::embed_either(html, &picture, many, label, &overlay);
}

/// An invisible rectangle that shows a text if the pointer rests on it.
fn title(overlay: &mut Html, picture: &Picture, [x0, z0, x1, z1]: [f64; 4], words: &str) {
    let (Some([left, top]), Some([right, bottom])) =
        (navdraw::locate(picture, [x0, z0]), navdraw::locate(picture, [x1, z1]))
    else {
        return;
    };
    let [x, y, width, height] = [left, top, right - left, bottom - top].map(units);
    let at = [("x", &*x), ("y", &y), ("width", &width), ("height", &height), ("fill-opacity", "0")];
    overlay.element("rect", &at, |overlay| {
        overlay.leaf("title", &[], words);
    });
}

fn words(coord: TileCoord, square: &Square) -> String {
    let time = square.elapsed.map_or_else(|| "reused".to_owned(), duration);
    let layers = if square.layers > 1 { format!(", {} layers", square.layers) } else { String::new() };
    format!(
        "tile {}{layers}: {time}, {}, {}, {}",
        tile_name(coord),
        counted(square.polygons, "polygon"),
        counted(square.triangles, "triangle"),
        crate::memory::readable(square.bytes)
    )
}

/// The slowest tiles, if there are enough to choose from.
fn slowest(html: &mut Html, page: &Page<'_>) {
    let mut baked: Vec<(Duration, &PageTile)> =
        page.tiles.iter().filter_map(|tile| Some((tile.elapsed?, tile))).collect();
    baked.sort_by(|(a, tile), (b, other)| b.cmp(a).then(tile.coord.cmp(&other.coord)));
    if baked.len() < 2 {
        return;
    }
    html.leaf("h3", &[], "Slowest tiles");
    html.table(&["Tile", "Centre (x, z in metres)", "#Time", "#Polygons", "#Triangles", "#Size"], |rows| {
        for (elapsed, tile) in baked.iter().take(SLOWEST) {
            let [x0, z0, x1, z1] = page.tile_place(tile.coord);
            rows.texts(&[
                &tile_name(tile.coord),
                &[x0 + x1, z0 + z1].map(|sum| fixed(sum / 2.0, 2)).join(", "),
                &duration(*elapsed),
                &count(tile.polygons),
                &count(tile.triangles),
                &crate::memory::readable(tile.bytes),
            ]);
        }
    });
}
