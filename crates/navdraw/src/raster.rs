//! A page as a PNG file.

use crate::colour::Colour;
use crate::error::DrawError;
use crate::font::{self, Step};
use crate::layout::Page;
use crate::scene::{Geometry, Path, Shape, Stroke, Style, Text};
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Rect, StrokeDash, Transform};

const MIN_WIDTH: u32 = 64;
const MAX_WIDTH: u32 = 16_384;
/// Maximum number of times that shapes may cover the picture, by the sum of their boxes. Painting time is
/// proportional to that sum. A tower of 400 storeys covers the picture 400 times.
const COVER_LIMIT: u32 = 1_024;

/// The file, `width` pixels wide.
pub(crate) fn write(page: &Page, width: u32) -> Result<Vec<u8>, DrawError> {
    write_around(page, width, std::iter::empty())
}

/// The file. Shapes in page units are painted in batches above the ground, which is the page's first group.
pub(crate) fn write_around(
    page: &Page,
    width: u32,
    mut middle: impl Iterator<Item = Vec<Shape>>,
) -> Result<Vec<u8>, DrawError> {
    if !(MIN_WIDTH..=MAX_WIDTH).contains(&width) {
        return Err(DrawError::Width { width, min: MIN_WIDTH, max: MAX_WIDTH });
    }
    let scale = f64::from(width) / page.width;
    let height = (page.height * scale).ceil() as u32;
    let pixmap = Pixmap::new(width, height).ok_or(DrawError::Memory { width, height })?;
    let mut canvas = Canvas { pixmap, scale, covered: 0.0 };
    canvas.pixmap.fill(tiny_skia::Color::WHITE);
    let (ground, rest) = page.groups.split_at(page.groups.len().min(1));
    ground.iter().flat_map(|group| &group.shapes).try_for_each(|shape| canvas.draw(shape))?;
    middle.try_for_each(|batch| batch.iter().try_for_each(|shape| canvas.draw(shape)))?;
    rest.iter().flat_map(|group| &group.shapes).try_for_each(|shape| canvas.draw(shape))?;
    encode(&canvas.pixmap)
}

/// The pixels as RGB: the page covers everything, so nothing is transparent.
fn encode(pixmap: &Pixmap) -> Result<Vec<u8>, DrawError> {
    let rgb: Vec<u8> = pixmap.data().as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(bytes)
}

struct Canvas {
    pixmap: Pixmap,
    /// Pixels per page unit.
    scale: f64,
    /// The sum of the boxes of all filled shapes, pixels.
    covered: f64,
}

impl Canvas {
    fn draw(&mut self, shape: &Shape) -> Result<(), DrawError> {
        self.cover(&shape.geometry)?;
        match &shape.geometry {
            Geometry::Paths(paths) => self.draw_path(self.path(paths), &shape.style),
            Geometry::Rectangles(rectangles) => self.draw_rectangles(rectangles, &shape.style),
            Geometry::Circles { centres, radius } => {
                let mut builder = PathBuilder::new();
                for centre in centres {
                    let [x, y] = self.pixel(*centre);
                    builder.push_circle(x, y, (radius * self.scale) as f32);
                }
                // Circles may overlap: each is filled whole, not by the even-odd rule.
                let path = builder.finish();
                self.fill(path.as_ref(), &shape.style, FillRule::Winding);
                self.stroke(path.as_ref(), &shape.style);
            }
            Geometry::Text(text) => self.draw_text(text, &shape.style),
        }
        Ok(())
    }

    /// Adds the area that a shape covers. Returns an error if the sum exceeds the limit.
    fn cover(&mut self, geometry: &Geometry) -> Result<(), DrawError> {
        let [width, height] = [self.pixmap.width(), self.pixmap.height()].map(f64::from);
        let page = [width, height];
        // The part of the box around some points that is on the page.
        let area = |points: &mut dyn Iterator<Item = [f64; 2]>| {
            let empty = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
            let [low, high] = points.fold(empty, |[low, high], point| {
                let at = |axis: usize| (point[axis] * self.scale).clamp(0.0, page[axis]);
                [[0, 1].map(|axis| low[axis].min(at(axis))), [0, 1].map(|axis| high[axis].max(at(axis)))]
            });
            (high[0] - low[0]).max(0.0) * (high[1] - low[1]).max(0.0)
        };
        self.covered += match geometry {
            Geometry::Paths(paths) => {
                paths.iter().map(|path| area(&mut path.points.iter().copied())).sum::<f64>()
            }
            Geometry::Rectangles(rectangles) => rectangles
                .iter()
                .map(|[x0, y0, x1, y1]| area(&mut [[*x0, *y0], [*x1, *y1]].into_iter()))
                .sum(),
            Geometry::Circles { centres, radius } => {
                let corners = |[x, y]: [f64; 2]| [[x - radius, y - radius], [x + radius, y + radius]];
                centres.iter().map(|&centre| area(&mut corners(centre).into_iter())).sum()
            }
            Geometry::Text(_) => 0.0,
        };
        let is_too_much = self.covered > f64::from(COVER_LIMIT) * width * height;
        if is_too_much { Err(DrawError::Cover { limit: COVER_LIMIT }) } else { Ok(()) }
    }

    fn pixel(&self, [x, y]: [f64; 2]) -> [f32; 2] {
        [(x * self.scale) as f32, (y * self.scale) as f32]
    }

    fn path(&self, paths: &[Path]) -> Option<tiny_skia::Path> {
        let mut builder = PathBuilder::new();
        for path in paths {
            for (index, &point) in path.points.iter().enumerate() {
                let [x, y] = self.pixel(point);
                if index == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
            }
            if path.closed {
                builder.close();
            }
        }
        builder.finish()
    }

    fn draw_path(&mut self, path: Option<tiny_skia::Path>, style: &Style) {
        self.fill(path.as_ref(), style, FillRule::EvenOdd);
        self.stroke(path.as_ref(), style);
    }

    fn fill(&mut self, path: Option<&tiny_skia::Path>, style: &Style, rule: FillRule) {
        let (Some(path), Some(colour)) = (path, style.fill) else { return };
        let paint = paint(colour, style.cover, !style.crisp);
        self.pixmap.fill_path(path, &paint, rule, Transform::identity(), None);
    }

    fn stroke(&mut self, path: Option<&tiny_skia::Path>, style: &Style) {
        let (Some(path), Some(stroke)) = (path, style.stroke) else { return };
        self.stroke_with(path, &stroke, !style.crisp);
    }

    fn stroke_with(&mut self, path: &tiny_skia::Path, stroke: &Stroke, smooth: bool) {
        let dash = stroke.dash.and_then(|dash| {
            StrokeDash::new(dash.iter().map(|length| (length * self.scale) as f32).collect(), 0.0)
        });
        let line_cap = if dash.is_some() { LineCap::Butt } else { LineCap::Round };
        let width = (stroke.width * self.scale) as f32;
        let pen = tiny_skia::Stroke { width, line_cap, line_join: LineJoin::Round, dash, miter_limit: 4.0 };
        let paint = paint(stroke.colour, 1.0, smooth);
        self.pixmap.stroke_path(path, &paint, &pen, Transform::identity(), None);
    }

    /// Edges of filled rectangles are rounded to whole pixels, so that neighbours meet without a seam.
    fn draw_rectangles(&mut self, rectangles: &[[f64; 4]], style: &Style) {
        for rectangle in rectangles {
            let [x0, y0, x1, y1] = rectangle.map(|v| (v * self.scale).round() as f32);
            let Some(rect) = Rect::from_ltrb(x0, y0, x1, y1) else { continue };
            if let Some(colour) = style.fill {
                let paint = paint(colour, style.cover, false);
                self.pixmap.fill_rect(rect, &paint, Transform::identity(), None);
            }
            self.stroke(Some(&PathBuilder::from_rect(rect)), style);
        }
    }

    fn draw_text(&mut self, text: &Text, style: &Style) {
        let width = font::width(&text.text) * text.size;
        let left = text.left(width);
        let place = |p: [f64; 2]| self.pixel([left + p[0] * text.size, text.at[1] + p[1] * text.size]);
        let mut builder = PathBuilder::new();
        for step in font::strokes(&text.text) {
            match step {
                Step::Move(to) => {
                    let [x, y] = place(to);
                    builder.move_to(x, y);
                }
                Step::Line(to) => {
                    let [x, y] = place(to);
                    builder.line_to(x, y);
                }
                Step::Curve(control, to) => {
                    let ([cx, cy], [x, y]) = (place(control), place(to));
                    builder.quad_to(cx, cy, x, y);
                }
            }
        }
        let Some(path) = builder.finish() else { return };
        let weight = font::weight(text.bold) * text.size;
        if let Some(casing) = style.stroke {
            let width = weight + casing.width;
            self.stroke_with(&path, &Stroke { width, ..casing }, true);
        }
        if let Some(colour) = style.fill {
            self.stroke_with(&path, &Stroke::new(colour, weight), true);
        }
    }
}

fn paint(colour: Colour, cover: f64, smooth: bool) -> Paint<'static> {
    let [r, g, b] = colour.0;
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (cover.clamp(0.0, 1.0) * 255.0).round() as u8);
    paint.anti_alias = smooth;
    paint
}

#[cfg(test)]
mod tests {
    use crate::scene::{Picture, Window};
    use crate::{Colour, DrawError};

    #[test]
    fn widths_have_limits() {
        let picture = Picture::new("t", Window { min: [0.0; 2], max: [4.0, 2.0] });
        assert!(matches!(crate::to_png(&picture, 10), Err(DrawError::Width { width: 10, .. })));
        assert!(matches!(crate::to_png(&picture, 1 << 20), Err(DrawError::Width { .. })));
        assert!(crate::to_png(&picture, 64).is_ok());
    }

    #[test]
    fn shapes_cover_the_picture_so_often_and_no_more() {
        let window = Window { min: [0.0; 2], max: [4.0, 2.0] };
        let drawn = |count: usize| {
            let mut picture = Picture::new("t", window);
            let cell = || crate::scene::Shape::cells(vec![[0.0, 0.0, 4.0, 2.0]], Colour::hex(0x123456));
            picture.push_layer("cells", (0..count).map(|_| cell()).collect());
            crate::to_png(&picture, 64)
        };
        assert!(drawn(1_000).is_ok());
        assert!(matches!(drawn(2_000), Err(DrawError::Cover { limit: 1_024 })));
    }

    #[test]
    fn a_rectangle_has_its_colour() {
        let mut picture = Picture::new("t", Window { min: [0.0; 2], max: [4.0, 2.0] });
        let colour = Colour::hex(0x123456);
        picture.push_layer("cells", vec![crate::scene::Shape::cells(vec![[0.0, 0.0, 4.0, 2.0]], colour)]);
        let bytes = crate::to_png(&picture, 800).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!(info.width, 800);
        let middle = (info.height / 2 * info.width + info.width / 2) as usize * 3;
        assert_eq!(pixels[middle..middle + 3], colour.0);
    }
}
