//! The content of a picture: layers of shapes in world metres, and the texts around them.

use crate::colour::Colour;

/// A point in the plane of the picture, metres: x to the right, then z downwards, or height upwards.
pub type Point = [f64; 2];

/// A picture: layers of shapes, from the bottom one to the top one, and the texts around them.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Its title, one line.
    pub title: String,
    /// Facts below the title; may be empty.
    pub subtitle: String,
    /// Its two axes.
    pub view: View,
    /// The part of the plane that is shown; shapes are clipped to it.
    pub window: Window,
    /// Its layers, from bottom to top.
    pub layers: Vec<Layer>,
    /// The meaning of its colours.
    pub legend: Vec<LegendEntry>,
    /// The meaning of the height ramp, or of another measure.
    pub ramp: Option<Ramp>,
    /// Message in the middle of a picture without shapes.
    pub note: Option<String>,
}

/// The two axes of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// From above: x to the right, z downwards.
    Above,
    /// A slice: x to the right, heights upwards, drawn `stretch` times as high as they are.
    Slice {
        /// At least 1.
        stretch: f64,
    },
}

/// A rectangle of the plane, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Smallest corner.
    pub min: Point,
    /// Largest corner.
    pub max: Point,
}

impl Window {
    /// The smallest window around the points. Points that are not finite do not count. `None` without points.
    pub fn around(points: impl IntoIterator<Item = Point>) -> Option<Window> {
        points.into_iter().filter(|point| point.iter().all(|v| v.is_finite())).fold(None, |window, point| {
            let window = window.unwrap_or(Window { min: point, max: point });
            Some(Window {
                min: std::array::from_fn(|i| window.min[i].min(point[i])),
                max: std::array::from_fn(|i| window.max[i].max(point[i])),
            })
        })
    }

    /// Returns true if the two windows have a point in common.
    pub(crate) fn meets(&self, other: &Window) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// Wider by a share of its larger side, so that nothing touches the frame.
    pub fn padded(self, share: f64) -> Window {
        let margin = (self.max[0] - self.min[0]).max(self.max[1] - self.min[1]) * share;
        Window { min: self.min.map(|v| v - margin), max: self.max.map(|v| v + margin) }
    }
}

/// Shapes that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// A short name: the class of its group in an SVG file.
    pub name: &'static str,
    /// Shapes, from bottom to top.
    pub shapes: Vec<Shape>,
}

/// One or many figures drawn in one style.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Its geometry.
    pub geometry: Geometry,
    /// Its style.
    pub style: Style,
}

/// Geometry of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// Lines through points; filled together by the even-odd rule, so that holes are holes.
    Paths(Vec<Path>),
    /// Rectangles along the axes: smaller x, smaller second coordinate, larger x, larger second coordinate.
    Rectangles(Vec<[f64; 4]>),
    /// Circles of one radius, which is in page units and does not depend on the scale.
    Circles {
        /// Their centres.
        centres: Vec<Point>,
        /// Their radius, page units.
        radius: f64,
    },
    /// A label.
    Text(Text),
}

/// Lines through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The points.
    pub points: Vec<Point>,
    /// True if the last point is joined to the first.
    pub closed: bool,
}

/// A label. Sizes and offsets are page units and do not depend on the scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The point it belongs to.
    pub at: Point,
    /// Offset of the text's anchor from that point, page units: right, down.
    pub offset: Point,
    /// The text.
    pub text: String,
    /// Size of an em, page units.
    pub size: f64,
    /// True for thicker strokes.
    pub bold: bool,
    /// Position of the anchor in the text.
    pub anchor: Anchor,
}

/// The end of a text that is its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins here.
    Start,
    /// The text is centred here.
    Middle,
    /// The text ends here.
    End,
}

/// The style of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Style {
    /// Colour of the inside, or of a text.
    pub fill: Option<Colour>,
    /// Opacity of the fill: 0 to 1.
    pub cover: f64,
    /// The outline; for a text, a casing below it.
    pub stroke: Option<Stroke>,
    /// True if edges are drawn without smoothing, so that cells meet without a seam.
    pub crisp: bool,
}

/// A line's colour, width and dashes; widths are page units and do not depend on the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// Its width, page units.
    pub width: f64,
    /// Lengths of a dash and of the gap after it, page units.
    pub dash: Option<[f64; 2]>,
}

/// A line of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// The symbol in front of it.
    pub swatch: Swatch,
    /// Its meaning.
    pub text: String,
}

/// The symbol of a legend entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swatch {
    /// A filled box.
    Box(Colour),
    /// A filled box with slanted lines over it.
    Hatched(Colour),
    /// A line.
    Line(Stroke),
    /// A white dot with a rim.
    Dot(Colour),
}

/// The meaning of a run of colours: from a smallest to a largest value.
#[derive(Clone, Debug, PartialEq)]
pub struct Ramp {
    /// The measure.
    pub title: String,
    /// Colours from the smallest value to the largest, evenly spaced.
    pub colours: Vec<Colour>,
    /// The smallest value, as text.
    pub low: String,
    /// The largest value, as text.
    pub high: String,
}

impl Picture {
    /// A picture seen from above, of `window`.
    pub fn new(title: impl Into<String>, window: Window) -> Picture {
        Picture {
            title: title.into(),
            subtitle: String::new(),
            view: View::Above,
            window,
            layers: Vec::new(),
            legend: Vec::new(),
            ramp: None,
            note: None,
        }
    }

    /// A picture without shapes, with a message that gives the reason.
    pub fn empty(title: impl Into<String>, note: impl Into<String>) -> Picture {
        let mut picture = Picture::new(title, Window { min: [0.0; 2], max: [16.0, 7.0] });
        picture.note = Some(note.into());
        picture
    }

    /// Adds shapes as the top layer. Adds nothing if there are no shapes.
    pub fn push_layer(&mut self, name: &'static str, shapes: Vec<Shape>) {
        if !shapes.is_empty() {
            self.layers.push(Layer { name, shapes });
        }
    }

    /// Adds a line to the legend.
    pub fn push_legend(&mut self, swatch: Swatch, text: impl Into<String>) {
        self.legend.push(LegendEntry { swatch, text: text.into() });
    }
}

impl Text {
    /// Start of a text with this width.
    pub(crate) fn left(&self, width: f64) -> f64 {
        match self.anchor {
            Anchor::Start => self.at[0],
            Anchor::Middle => self.at[0] - width * 0.5,
            Anchor::End => self.at[0] - width,
        }
    }
}

impl Shape {
    /// Closed paths, filled.
    pub fn filled(outlines: Vec<Vec<Point>>, style: Style) -> Shape {
        let paths = outlines.into_iter().map(|points| Path { points, closed: true }).collect();
        Shape { geometry: Geometry::Paths(paths), style }
    }

    /// Separate lines.
    pub fn segments(segments: impl IntoIterator<Item = [Point; 2]>, stroke: Stroke) -> Shape {
        let paths = segments.into_iter().map(|ends| Path { points: ends.to_vec(), closed: false }).collect();
        Shape { geometry: Geometry::Paths(paths), style: Style::line(stroke) }
    }

    /// One line through points.
    pub fn polyline(points: Vec<Point>, stroke: Stroke) -> Shape {
        Shape { geometry: Geometry::Paths(vec![Path { points, closed: false }]), style: Style::line(stroke) }
    }

    /// Dots of one size.
    pub fn dots(centres: Vec<Point>, radius: f64, style: Style) -> Shape {
        Shape { geometry: Geometry::Circles { centres, radius }, style }
    }

    /// Cells: rectangles that meet without a seam.
    pub fn cells(rectangles: Vec<[f64; 4]>, colour: Colour) -> Shape {
        Shape {
            geometry: Geometry::Rectangles(rectangles),
            style: Style { crisp: true, ..Style::fill(colour) },
        }
    }
}

impl Style {
    /// Filled, without an outline.
    pub fn fill(colour: Colour) -> Style {
        Style { fill: Some(colour), cover: 1.0, stroke: None, crisp: false }
    }

    /// Drawn as a line.
    pub fn line(stroke: Stroke) -> Style {
        Style { fill: None, cover: 1.0, stroke: Some(stroke), crisp: false }
    }

    /// Adds an outline.
    pub fn outlined(self, stroke: Stroke) -> Style {
        Style { stroke: Some(stroke), ..self }
    }
}

impl Stroke {
    /// A plain line.
    pub const fn new(colour: Colour, width: f64) -> Stroke {
        Stroke { colour, width, dash: None }
    }

    /// Adds dashes.
    pub const fn dashed(self, dash: f64, gap: f64) -> Stroke {
        Stroke { dash: Some([dash, gap]), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_hold_what_is_finite() {
        assert_eq!(Window::around([]), None);
        let window = Window::around([[1.0, 2.0], [f64::NAN, 9.0], [-1.0, 4.0]]).unwrap();
        assert_eq!(window, Window { min: [-1.0, 2.0], max: [1.0, 4.0] });
        assert_eq!(window.padded(0.5), Window { min: [-2.0, 1.0], max: [2.0, 5.0] });
    }
}
