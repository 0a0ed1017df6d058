//! A path on a map: a thick line with a casing, dots at its corners, marks at its ends.

use crate::colour::Colour;
use crate::number::{counted, fixed};
use crate::scene::{Anchor, Geometry, Picture, Point, Shape, Stroke, Style, Swatch, Text, Window};

const LABEL_SIZE: f64 = 18.0;

/// A path and the marks at its ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathMark {
    /// Its corners from start to end, world metres.
    pub points: Vec<[f64; 3]>,
    /// The label of its start; may be empty.
    pub start_label: String,
    /// The label of its end; may be empty.
    pub end_label: String,
    /// The goal, if the path ends short of it.
    pub target: Option<[f64; 3]>,
}

/// Draws a path on top of a picture of `window` and explains it in the legend. Draws nothing if there are no
/// points.
pub(crate) fn draw(picture: &mut Picture, mark: &PathMark, window: Window) {
    let points: Vec<Point> = mark.points.iter().map(|&[x, _, z]| [x, z]).collect();
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return };
    let line = Stroke::new(Colour::PATH, 5.0);
    let mut shapes = Vec::new();
    let target = mark.target.map(|[x, _, z]| [x, z]);
    if let Some(target) = target {
        let missing = Stroke::new(Colour::PATH, 2.5).dashed(7.0, 7.0);
        shapes.push(Shape::segments([[last, target]], Stroke::new(Colour::WHITE, 5.0)));
        shapes.push(Shape::segments([[last, target]], missing));
    }
    if points.len() > 1 {
        shapes.push(Shape::polyline(points.clone(), Stroke::new(Colour::WHITE, 10.0)));
        shapes.push(Shape::polyline(points.clone(), line));
    }
    if points.len() > 2 {
        let corners = points[1..points.len() - 1].to_vec();
        let style = Style::fill(Colour::WHITE).outlined(Stroke::new(Colour::PATH, 2.2));
        shapes.push(Shape::dots(corners, 4.4, style));
    }
    let ring = Stroke::new(Colour::WHITE, 3.0);
    shapes.push(Shape::dots(vec![last], 10.0, Style::fill(Colour::PATH).outlined(ring)));
    shapes.push(Shape::dots(vec![first], 10.0, Style::fill(Colour::START).outlined(ring)));
    if let Some(target) = target {
        let hollow = Style::fill(Colour::WHITE).outlined(Stroke::new(Colour::PATH, 3.0));
        shapes.push(Shape::dots(vec![target], 8.0, hollow));
    }
    // The label of the end goes below if it would overlap the label of the start.
    let extent = (window.max[0] - window.min[0]).max(window.max[1] - window.min[1]);
    let close = (0..2).all(|i| (first[i] - last[i]).abs() < extent * 0.07);
    let below = close || last[1] > first[1];
    shapes.extend(label(first, &mark.start_label, Colour::START, !below));
    shapes.extend(label(last, &mark.end_label, Colour::PATH, below));
    picture.push_layer("path", shapes);
    let corners = counted(points.len().saturating_sub(2), "corner");
    let ends_short = if target.is_some() { ", ends short of its target" } else { "" };
    let words = format!("path {} m, {corners}{ends_short}", fixed(length(&mark.points), 2));
    picture.push_legend(Swatch::Line(line), words);
}

/// Length in space, metres.
fn length(points: &[[f64; 3]]) -> f64 {
    let step = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f64>().sqrt();
    points.windows(2).map(|pair| step(pair[0], pair[1])).sum()
}

fn label(at: Point, words: &str, colour: Colour, below: bool) -> Option<Shape> {
    let offset = [0.0, if below { 31.0 } else { -18.0 }];
    let text =
        Text { at, offset, text: words.to_owned(), size: LABEL_SIZE, bold: true, anchor: Anchor::Middle };
    let style = Style::fill(colour.mix(Colour::INK, 0.3)).outlined(Stroke::new(Colour::WHITE, 5.0));
    (!words.is_empty()).then_some(Shape { geometry: Geometry::Text(text), style })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_measured_in_space() {
        assert_eq!(length(&[[0.0; 3], [3.0, 0.0, 4.0], [3.0, 12.0, 9.0]]), 18.0);
        assert_eq!(length(&[]), 0.0);
    }
}
