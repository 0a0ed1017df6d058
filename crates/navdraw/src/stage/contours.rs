//! Stages 11 to 13: contours as traced, simplified, and with their holes joined.

use super::{StageOptions, grid_picture, push_border};
use crate::cells::placement;
use crate::colour::{self, Colour};
use crate::number::counted;
use crate::scene::{Geometry, Path, Picture, Point, Shape, Stroke, Style, Swatch};
use recast::data::{Contour, ContourSet, Grid, RawContours, SimplifiedContours};
use std::collections::{BTreeMap, BTreeSet};

const RAW: &str = "11 \u{b7} Traced contours";
const SIMPLIFIED: &str = "12 \u{b7} Simplified contours";
const JOINED: &str = "13 \u{b7} Contours with their holes joined";
const BRIDGE: Stroke = Stroke::new(Colour::LOST, 3.0).dashed(8.0, 5.0);

/// An outline of any of the three stages.
struct Outline {
    region: u32,
    points: Vec<[i32; 3]>,
}

/// Outlines as they were traced, one corner a cell edge.
pub fn raw_contours(contours: &RawContours, options: &StageOptions) -> Picture {
    let outlines = contours.contours.iter().map(|contour| Outline {
        region: contour.region.index() as u32,
        points: contour.vertices.iter().map(|vertex| vertex.position).collect(),
    });
    draw(RAW, &contours.grid, outlines.collect(), false, options)
}

/// Simplified outlines and holes, with their corners.
pub fn simplified_contours(contours: &SimplifiedContours, options: &StageOptions) -> Picture {
    draw(SIMPLIFIED, &contours.grid, outlines(&contours.contours), true, options)
}

/// Contours after their holes were joined. The bridges, which a contour walks in both directions, are dashed.
pub fn contours(contours: &ContourSet, options: &StageOptions) -> Picture {
    let outlines = outlines(&contours.contours);
    let place = placement(&contours.grid, options.lattice_zero);
    let bridges: Vec<[Point; 2]> = outlines
        .iter()
        .flat_map(|outline| bridges(&outline.points))
        .map(|ends| ends.map(|end| plan(place(end))))
        .collect();
    let mut picture = draw(JOINED, &contours.grid, outlines, true, options);
    if !bridges.is_empty() {
        picture.push_layer("bridges", vec![Shape::segments(bridges, BRIDGE)]);
        picture.push_legend(Swatch::Line(BRIDGE), "bridge to a hole");
    }
    picture
}

fn outlines(contours: &[Contour]) -> Vec<Outline> {
    contours
        .iter()
        .filter(|contour| !contour.vertices.is_empty())
        .map(|contour| Outline {
            region: contour.region.index() as u32,
            points: contour.vertices.iter().map(|vertex| vertex.position).collect(),
        })
        .collect()
}

/// Edges that a contour walks in both directions.
fn bridges(points: &[[i32; 3]]) -> Vec<[[i32; 3]; 2]> {
    let edges: BTreeSet<[[i32; 3]; 2]> =
        points.iter().zip(points.iter().cycle().skip(1)).map(|(&a, &b)| [a, b]).collect();
    edges.iter().filter(|&&[a, b]| a < b && edges.contains(&[b, a])).copied().collect()
}

fn plan([x, _, z]: [f64; 3]) -> Point {
    [x, z]
}

fn draw(stage: &str, grid: &Grid, outlines: Vec<Outline>, corners: bool, options: &StageOptions) -> Picture {
    if outlines.is_empty() {
        return Picture::empty(options.title(stage), "Nothing to draw: there are no contours.");
    }
    let mut picture = grid_picture(grid, stage, options);
    let place = placement(grid, options.lattice_zero);
    let mut by_region: BTreeMap<u32, Vec<Path>> = BTreeMap::new();
    let (mut dots, mut count) = (Vec::new(), 0);
    for outline in &outlines {
        let points: Vec<Point> = outline.points.iter().map(|&point| plan(place(point))).collect();
        count += points.len();
        if corners {
            dots.extend_from_slice(&points);
        }
        by_region.entry(outline.region).or_default().push(Path { points, closed: true });
    }
    // One shape a region: by the even-odd rule its holes stay open.
    let (mut fills, mut lines) = (Vec::new(), Vec::new());
    for (region, paths) in by_region {
        let colour = colour::region(region);
        let geometry = Geometry::Paths(paths);
        fills.push(Shape { geometry: geometry.clone(), style: Style { cover: 0.45, ..Style::fill(colour) } });
        let stroke = Stroke::new(colour.mix(Colour::INK, 0.45), 2.2);
        lines.push(Shape { geometry, style: Style::line(stroke) });
    }
    picture.push_layer("regions", fills);
    picture.push_layer("contours", lines);
    if corners {
        let radius = if dots.len() > 2000 { 2.2 } else { 3.6 };
        let style = Style::fill(Colour::WHITE).outlined(Stroke::new(Colour::INK, radius * 0.4));
        picture.push_layer("corners", vec![Shape::dots(dots, radius, style)]);
        picture.push_legend(Swatch::Dot(Colour::INK), "corner");
    }
    picture.subtitle = format!("{} \u{b7} {}", counted(outlines.len(), "contour"), counted(count, "corner"));
    push_border(&mut picture, grid, options);
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bridges_are_walked_both_ways() {
        let p = |x, z| [x, 0, z];
        let ring = [p(0, 0), p(0, 9), p(9, 9), p(9, 0)];
        assert!(bridges(&ring).is_empty());
        let joined = [p(0, 0), p(3, 3), p(6, 3), p(6, 6), p(3, 3), p(0, 0), p(0, 9), p(9, 9), p(9, 0)];
        assert_eq!(bridges(&joined), [[p(0, 0), p(3, 3)]]);
    }
}
