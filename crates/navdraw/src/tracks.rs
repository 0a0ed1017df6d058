//! Where many have walked: their ways as thin lines, and how crowded it was as cells.

use crate::colour::Colour;
use crate::scene::{Picture, Point, Shape, Stroke, Style, Swatch, Window};
use std::collections::BTreeMap;

/// Cells along the larger side of the map.
const CELLS: f64 = 160.0;
/// How much of the mesh the cells cover.
const COVER: f64 = 0.75;

/// The ways of many over a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracks {
    /// The places of each in the order of time, at equal times; world metres.
    pub ways: Vec<Vec<[f64; 3]>>,
}

const WAY: Stroke = Stroke::new(Colour::FAINT_INK, 0.7);

/// Draws the cells below the ways, and a dot where each way ends.
pub(crate) fn draw(picture: &mut Picture, tracks: &Tracks, window: Window) {
    let side = (window.max[0] - window.min[0]).max(window.max[1] - window.min[1]) / CELLS;
    let mut visits: BTreeMap<[i64; 2], u32> = BTreeMap::new();
    for [x, _, z] in tracks.ways.iter().flatten() {
        *visits.entry([x, z].map(|v| (v / side).floor() as i64)).or_default() += 1;
    }
    let most = visits.values().copied().max().unwrap_or(0);
    // By the root, so that the few cells where many stand leave the others their differences.
    let shade = |count: u32| ((f64::from(count) / f64::from(most)).sqrt() * 8.0).round() as u32;
    let mut by_shade: BTreeMap<u32, Vec<[f64; 4]>> = BTreeMap::new();
    for (&[x, z], &count) in &visits {
        let [x, z] = [x, z].map(|v| v as f64 * side);
        by_shade.entry(shade(count)).or_default().push([x, z, x + side, z + side]);
    }
    let cells = by_shade.into_iter().map(|(shade, rectangles)| {
        let mut shape = Shape::cells(rectangles, density(f64::from(shade) / 8.0));
        shape.style.cover = COVER;
        shape
    });
    picture.push_layer("density", cells.collect());
    let flat = |way: &Vec<[f64; 3]>| way.iter().map(|[x, _, z]| [*x, *z]).collect::<Vec<Point>>();
    let lines = tracks.ways.iter().map(|way| Shape::polyline(flat(way), WAY)).collect();
    picture.push_layer("ways", lines);
    let ends = tracks.ways.iter().filter_map(|way| way.last()).map(|[x, _, z]| [*x, *z]).collect();
    let dots = Shape::dots(ends, 2.5, Style::fill(Colour::INK));
    picture.push_layer("ends", vec![dots]);
    picture.push_legend(Swatch::Line(WAY), "ways");
    picture.push_legend(Swatch::Box(density(0.0)), "crossed once");
    picture.push_legend(Swatch::Box(density(1.0)), "where they were longest");
}

/// From next to nothing to where they were longest.
fn density(share: f64) -> Colour {
    Colour::WHITE.mix(Colour::LOST, 0.1 + 0.9 * share)
}
