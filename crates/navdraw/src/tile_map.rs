//! Maps of tiles: a measure as colours, or kinds of tiles.

use crate::colour::{self, Colour};
use crate::scene::{Geometry, Path, Picture, Point, Ramp, Shape, Stroke, Style, Swatch, Window};
use std::collections::BTreeMap;

/// A tile of a heat map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileValue {
    /// Its rectangle, metres: smaller x, smaller z, larger x, larger z.
    pub place: [f64; 4],
    /// The measure, at least 0; tiles without one are hatched.
    pub value: Option<f64>,
}

/// The measure of a heat map, and its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The measure: `time per tile`.
    pub title: String,
    /// Label of the low end of the scale, which is 0.
    pub low: String,
    /// Label of the high end, which is the largest value.
    pub high: String,
    /// The meaning of tiles without a value.
    pub hatched: String,
}

/// Tiles of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct TileKind {
    /// Their meaning.
    pub label: String,
    /// Their colour.
    pub colour: Colour,
    /// True if slanted lines are drawn over them.
    pub hatched: bool,
    /// Their rectangles, metres: smaller x, smaller z, larger x, larger z.
    pub places: Vec<[f64; 4]>,
}

/// Tiles without a value.
const IDLE: Colour = Colour::hex(0xd5dadd);

/// A map of tiles, coloured by a measure from 0 (dark) to the largest value (pale).
pub fn heat_map(tiles: &[TileValue], measure: &Measure) -> Picture {
    let most = tiles.iter().filter_map(|tile| tile.value).fold(0.0, f64::max);
    let mut by_colour: BTreeMap<Colour, Vec<[f64; 4]>> = BTreeMap::new();
    for tile in tiles {
        if let Some(value) = tile.value {
            let share = if most > 0.0 { value / most } else { 0.0 };
            by_colour.entry(colour::ramp(share)).or_default().push(tile.place);
        }
    }
    let idle: Vec<[f64; 4]> =
        tiles.iter().filter(|tile| tile.value.is_none()).map(|tile| tile.place).collect();
    let places: Vec<[f64; 4]> = tiles.iter().map(|tile| tile.place).collect();
    let Some((mut picture, line)) = ground(&places) else {
        return Picture::empty("", "Nothing to draw: there are no tiles.");
    };
    let cells = by_colour.into_iter().map(|(colour, places)| cells(places, colour, line));
    picture.push_layer("tiles", cells.collect());
    if !idle.is_empty() {
        picture.push_legend(Swatch::Hatched(IDLE), measure.hatched.as_str());
        picture.push_layer("hatched", hatched(idle, IDLE, line));
    }
    let steps = (0..colour::RAMP_STEPS).map(|i| f64::from(i) / f64::from(colour::RAMP_STEPS - 1));
    picture.ramp = Some(Ramp {
        title: measure.title.clone(),
        colours: steps.map(colour::ramp).collect(),
        low: measure.low.clone(),
        high: measure.high.clone(),
    });
    picture
}

/// A map of tiles of several kinds; kinds without tiles are left out.
pub fn tile_kinds(kinds: &[TileKind]) -> Picture {
    let places: Vec<[f64; 4]> = kinds.iter().flat_map(|kind| kind.places.iter().copied()).collect();
    let Some((mut picture, line)) = ground(&places) else {
        return Picture::empty("", "Nothing to draw: there are no tiles.");
    };
    for kind in kinds.iter().filter(|kind| !kind.places.is_empty()) {
        if kind.hatched {
            picture.push_legend(Swatch::Hatched(kind.colour), kind.label.as_str());
            picture.push_layer("hatched", hatched(kind.places.clone(), kind.colour, line));
        } else {
            picture.push_legend(Swatch::Box(kind.colour), kind.label.as_str());
            picture.push_layer("tiles", vec![cells(kind.places.clone(), kind.colour, line)]);
        }
    }
    picture
}

/// An empty picture around the tiles, and the line between them if they are large enough.
fn ground(places: &[[f64; 4]]) -> Option<(Picture, Option<Stroke>)> {
    let corners = places.iter().flat_map(|&[x0, z0, x1, z1]| [[x0, z0], [x1, z1]]);
    let window = Window::around(corners)?.padded(0.03);
    let extent = (window.max[0] - window.min[0]).max(window.max[1] - window.min[1]);
    let side = places.first().map_or(0.0, |place| place[2] - place[0]);
    let line = (side / extent.max(1e-9) * 1400.0 > 8.0).then_some(Stroke::new(Colour::MAP, 1.8));
    Some((Picture::new("", window), line))
}

fn cells(places: Vec<[f64; 4]>, colour: Colour, line: Option<Stroke>) -> Shape {
    let style = Style { crisp: true, stroke: line, ..Style::fill(colour) };
    Shape { geometry: Geometry::Rectangles(places), style }
}

/// Cells with slanted lines: three each, or one if there are many.
fn hatched(places: Vec<[f64; 4]>, colour: Colour, line: Option<Stroke>) -> Vec<Shape> {
    const MANY: usize = 400;
    let offsets: &[f64] = if places.len() > MANY { &[1.0] } else { &[0.5, 1.0, 1.5] };
    let slanted = |place: &[f64; 4], offset: f64| {
        let [x0, z0, x1, z1] = *place;
        let at = |u: f64, v: f64| -> Point { [x0 + (x1 - x0) * u, z0 + (z1 - z0) * v] };
        // The line on which the shares of both sides add up to `offset`.
        let (low, high) = ((offset - 1.0).max(0.0), offset.min(1.0));
        Path { points: vec![at(low, offset - low), at(high, offset - high)], closed: false }
    };
    let paths =
        places.iter().flat_map(|place| offsets.iter().map(move |&offset| slanted(place, offset))).collect();
    let stroke = Stroke::new(colour.mix(Colour::INK, 0.4), 1.0);
    vec![cells(places, colour, line), Shape { geometry: Geometry::Paths(paths), style: Style::line(stroke) }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure() -> Measure {
        let [title, low, high, hatched] = ["time", "0 ms", "9 ms", "not baked"].map(str::to_owned);
        Measure { title, low, high, hatched }
    }

    #[test]
    fn colours_follow_values() {
        let tile = |x: f64, value| TileValue { place: [x, 0.0, x + 1.0, 1.0], value };
        let tiles = [tile(0.0, Some(0.0)), tile(1.0, Some(9.0)), tile(2.0, None), tile(3.0, Some(9.0))];
        let picture = heat_map(&tiles, &measure());
        let fills = |name: &str| {
            let layer = picture.layers.iter().find(|layer| layer.name == name).unwrap();
            layer.shapes.iter().filter_map(|shape| shape.style.fill).collect::<Vec<_>>()
        };
        let mut expected = vec![colour::ramp(0.0), colour::ramp(1.0)];
        expected.sort();
        assert_eq!(fills("tiles"), expected);
        assert_eq!(fills("hatched"), [IDLE]);
        assert_eq!(picture.legend.len(), 1);
        assert!(heat_map(&[tile(0.0, Some(0.0))], &measure()).legend.is_empty());
        assert!(heat_map(&[], &measure()).note.is_some());
    }

    #[test]
    fn slanted_lines_stay_in_their_tile() {
        let shapes = hatched(vec![[2.0, 4.0, 4.0, 8.0]], IDLE, None);
        let Geometry::Paths(paths) = &shapes[1].geometry else { panic!("lines are paths") };
        assert_eq!(paths.len(), 3);
        for [x, z] in paths.iter().flat_map(|path| &path.points) {
            assert!((2.0..=4.0).contains(x) && (4.0..=8.0).contains(z), "{x} {z}");
        }
    }

    #[test]
    fn kinds_without_tiles_are_left_out() {
        let kind = |label: &str, places| TileKind {
            label: label.to_owned(),
            colour: Colour::GROUND,
            hatched: false,
            places,
        };
        let picture = tile_kinds(&[kind("new", vec![[0.0, 0.0, 1.0, 1.0]]), kind("gone", Vec::new())]);
        assert_eq!(picture.legend.len(), 1);
        assert_eq!(picture.legend[0].text, "new");
        assert!(tile_kinds(&[kind("gone", Vec::new())]).note.is_some());
    }
}
