//! From a picture to a page: the map in its frame, and the texts around it. Both backends draw the same page.
//!
//! Units: page units, 1,600 across a full page, y downwards.

mod furniture;
pub(crate) mod locate;

use crate::font;
use crate::number::round_step;
use crate::scene::{Geometry, Path, Picture, Point, Shape, Text, View, Window};

/// A page: what the backends draw, in page units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) title: String,
    pub(crate) groups: Vec<Group>,
}

/// Shapes of one layer; positions are page units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) shapes: Vec<Shape>,
}

const LEFT: f64 = 92.0;
const RIGHT: f64 = 48.0;
const MAX_MAP: [f64; 2] = [1600.0 - LEFT - RIGHT, 1160.0];
const MIN_MAP: [f64; 2] = [820.0, 300.0];
/// Positions farther out than this are clipped, because backends work in f32.
const FARTHEST: f64 = 100_000.0;

/// The frame of the map on the page, and the window it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Frame {
    /// Its corners on the page.
    min: Point,
    max: Point,
    /// The part of the world that it shows: more than the scene's window if that is too narrow for a page.
    window: Window,
    /// Page units per metre, along both axes.
    scale: Point,
    /// True if the second axis points upwards.
    upwards: bool,
}

impl Frame {
    fn new(picture: &Picture, top: f64) -> Frame {
        let (stretch, upwards) = match picture.view {
            View::Above => (1.0, false),
            View::Slice { stretch } => (stretch.clamp(1.0, 1000.0), true),
        };
        let window = sound_window(picture.window);
        let size = [window.max[0] - window.min[0], (window.max[1] - window.min[1]) * stretch];
        let fit = (MAX_MAP[0] / size[0].max(1e-6)).min(MAX_MAP[1] / size[1].max(1e-6));
        let scale = [fit, fit * stretch];
        let shown: Point = std::array::from_fn(|i| (size[i] * fit).max(MIN_MAP[i]));
        let middle: Point = std::array::from_fn(|i| (window.min[i] + window.max[i]) * 0.5);
        let half: Point = std::array::from_fn(|i| shown[i] / scale[i] * 0.5);
        Frame {
            min: [LEFT, top],
            max: [LEFT + shown[0], top + shown[1]],
            window: Window {
                min: std::array::from_fn(|i| middle[i] - half[i]),
                max: std::array::from_fn(|i| middle[i] + half[i]),
            },
            scale,
            upwards,
        }
    }

    /// Position of a point of the plane on the page.
    fn place(&self, point: Point) -> Point {
        let x = self.min[0] + (point[0] - self.window.min[0]) * self.scale[0];
        let down = if self.upwards { self.window.max[1] - point[1] } else { point[1] - self.window.min[1] };
        [x, self.min[1] + down * self.scale[1]].map(|v| v.clamp(-FARTHEST, FARTHEST))
    }

    fn place_all(&self, points: &[Point]) -> Vec<Point> {
        points.iter().filter(|point| is_finite(point)).map(|&point| self.place(point)).collect()
    }

    /// A shape on the page. Parts that are not finite are left out; `None` if no part remains.
    fn shape(&self, shape: &Shape) -> Option<Shape> {
        let geometry = match &shape.geometry {
            Geometry::Paths(paths) => {
                let sound = |path: &&Path| path.points.len() > 1 && path.points.iter().all(is_finite);
                let paths: Vec<Path> = paths
                    .iter()
                    .filter(sound)
                    .map(|path| Path { points: self.place_all(&path.points), closed: path.closed })
                    .collect();
                (!paths.is_empty()).then_some(Geometry::Paths(paths))?
            }
            Geometry::Rectangles(rectangles) => {
                let placed = rectangles.iter().filter(|r| r.iter().all(|v| v.is_finite())).map(|r| {
                    let (a, b) = (self.place([r[0], r[1]]), self.place([r[2], r[3]]));
                    [a[0].min(b[0]), a[1].min(b[1]), a[0].max(b[0]), a[1].max(b[1])]
                });
                let placed: Vec<[f64; 4]> = placed.collect();
                (!placed.is_empty()).then_some(Geometry::Rectangles(placed))?
            }
            Geometry::Circles { centres, radius } => {
                let centres = self.place_all(centres);
                (!centres.is_empty()).then_some(Geometry::Circles { centres, radius: *radius })?
            }
            Geometry::Text(text) => Geometry::Text(self.text(text)?),
        };
        Some(Shape { geometry, style: shape.style })
    }

    /// A label on the page, moved so that it stays within the frame.
    fn text(&self, text: &Text) -> Option<Text> {
        if !is_finite(&text.at) {
            return None;
        }
        let [x, y] = self.place(text.at);
        let at = [x + text.offset[0], y + text.offset[1]];
        let mut placed = Text { at, offset: [0.0; 2], ..text.clone() };
        let (left, right) = furniture::extent(&placed);
        let shift = (self.min[0] + 8.0 - left).max(0.0) - (right - self.max[0] + 8.0).max(0.0);
        placed.at[0] += shift;
        placed.at[1] = placed.at[1].clamp(self.min[1] + text.size + 4.0, self.max[1] - 8.0);
        Some(placed)
    }

    /// Round positions along an axis with their labels' decimals.
    fn ticks(&self, axis: usize) -> (Vec<f64>, u32) {
        let Some((step, decimals)) = round_step(200.0 / self.scale[axis]) else {
            return (Vec::new(), 0);
        };
        let first = (self.window.min[axis] / step).ceil();
        let ticks = (0..200)
            .map(|i| (first + f64::from(i)) * step)
            .take_while(|&value| value <= self.window.max[axis])
            .collect();
        (ticks, decimals)
    }
}

fn is_finite(point: &Point) -> bool {
    point.iter().all(|v| v.is_finite())
}

/// The window itself if it is valid; else a square metre at the origin.
fn sound_window(window: Window) -> Window {
    let finite = is_finite(&window.min) && is_finite(&window.max);
    let ordered = window.min[0] <= window.max[0] && window.min[1] <= window.max[1];
    let extent = (window.max[0] - window.min[0]).max(window.max[1] - window.min[1]);
    if finite && ordered && extent > 0.0 && extent < 1e9 {
        window
    } else {
        Window { min: [0.0; 2], max: [1.0; 2] }
    }
}

/// The frame of a picture's map, below its title.
fn frame_of(picture: &Picture) -> Frame {
    let lines = [&picture.title, &picture.subtitle].into_iter().filter(|line| !line.is_empty()).count();
    Frame::new(picture, [46.0, 116.0, 152.0][lines])
}

/// Lays a picture out.
pub(crate) fn page(picture: &Picture) -> Page {
    let frame = frame_of(picture);
    let width = frame.max[0] + RIGHT;
    let mut groups = vec![Group { name: "map", shapes: furniture::ground(&frame, picture) }];
    for layer in &picture.layers {
        let shapes: Vec<Shape> = layer.shapes.iter().filter_map(|shape| frame.shape(shape)).collect();
        if !shapes.is_empty() {
            groups.push(Group { name: layer.name, shapes });
        }
    }
    let (footer, height) = furniture::footer(&frame, picture);
    groups.push(Group { name: "margin", shapes: furniture::margins(&frame, [width, height]) });
    groups.push(Group { name: "frame", shapes: furniture::frame(&frame, picture) });
    groups.push(Group { name: "title", shapes: furniture::title(&frame, picture) });
    groups.push(Group { name: "legend", shapes: footer });
    groups.retain(|group| !group.shapes.is_empty());
    Page { width: width.ceil(), height: height.ceil(), title: picture.title.clone(), groups }
}

/// Width to reserve for a text, page units. Viewers show an SVG in different fonts, and the widest common
/// ones are this much wider than ours.
fn text_width(text: &str, size: f64) -> f64 {
    const WIDEST_FONT: f64 = 1.15;
    font::width(text) * size * WIDEST_FONT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(max: Point) -> Window {
        Window { min: [0.0; 2], max }
    }

    #[test]
    fn the_aspect_is_kept() {
        for max in [[10.0, 1.0], [3.0, 300.0], [7.0, 7.0], [1e-3, 2e-3]] {
            let frame = Frame::new(&Picture::new("t", window(max)), 100.0);
            assert_eq!(frame.scale[0], frame.scale[1]);
            let [a, b] = [frame.place([0.0; 2]), frame.place(max)];
            assert!(a[0] >= frame.min[0] - 1e-6 && b[0] <= frame.max[0] + 1e-6, "{max:?}: {a:?} {b:?}");
            assert!(a[1] >= frame.min[1] - 1e-6 && b[1] <= frame.max[1] + 1e-6, "{max:?}: {a:?} {b:?}");
        }
    }

    #[test]
    fn slices_point_upwards() {
        let mut picture = Picture::new("t", window([10.0, 2.0]));
        picture.view = View::Slice { stretch: 2.0 };
        let frame = Frame::new(&picture, 0.0);
        let (low, high) = (frame.place([0.0, 0.0])[1], frame.place([0.0, 1.0])[1]);
        assert!((low - high - 2.0 * frame.scale[0]).abs() < 1e-9);
    }

    #[test]
    fn windows_that_are_none_do_no_harm() {
        for bad in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
            let page = page(&Picture::new("t", window([bad, bad])));
            assert!(page.width.is_finite() && page.height.is_finite());
        }
    }
}
