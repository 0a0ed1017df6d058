//! The surroundings of the map: title, frame, ticks, scale bar, legend.

use super::{Frame, text_width};
use crate::colour::Colour;
use crate::number::{fixed, round_step};
use crate::scene::{
    Anchor, Geometry, LegendEntry, Path, Picture, Point, Ramp, Shape, Stroke, Style, Swatch, Text, View,
};

const TITLE_SIZE: f64 = 30.0;
const SUBTITLE_SIZE: f64 = 18.0;
const LEGEND_SIZE: f64 = 17.0;
const TICK_SIZE: f64 = 14.0;
const ROW: f64 = 34.0;
const SCALE_BAR_SPACE: f64 = 290.0;

/// Smallest and largest x of a text without an offset.
pub(super) fn extent(text: &Text) -> (f64, f64) {
    let width = text_width(&text.text, text.size);
    let left = text.left(width);
    (left, left + width)
}

fn text(at: Point, words: &str, size: f64, colour: Colour, anchor: Anchor) -> Shape {
    let text = Text { at, offset: [0.0; 2], text: words.to_owned(), size, bold: false, anchor };
    Shape { geometry: Geometry::Text(text), style: Style::fill(colour) }
}

/// A text shrunk until it fits.
fn fitting(at: Point, words: &str, size: f64, colour: Colour, anchor: Anchor, room: f64) -> Shape {
    let size = size * (room / text_width(words, size).max(1.0)).min(1.0);
    text(at, words, size, colour, anchor)
}

fn rectangle(min: Point, max: Point, style: Style) -> Shape {
    Shape { geometry: Geometry::Rectangles(vec![[min[0], min[1], max[0], max[1]]]), style }
}

/// The map's ground, with faint lines at round metres.
pub(super) fn ground(frame: &Frame, picture: &Picture) -> Vec<Shape> {
    let mut shapes = vec![rectangle(frame.min, frame.max, Style::fill(Colour::MAP))];
    if picture.note.is_none() {
        let across = frame.ticks(0).0.into_iter().map(|x| {
            let at = frame.place([x, frame.window.min[1]])[0];
            [[at, frame.min[1]], [at, frame.max[1]]]
        });
        let down = frame.ticks(1).0.into_iter().map(|v| {
            let at = frame.place([frame.window.min[0], v])[1];
            [[frame.min[0], at], [frame.max[0], at]]
        });
        shapes.push(Shape::segments(across.chain(down), Stroke::new(Colour::GRID_LINE, 1.2)));
    }
    shapes
}

/// Four strips of page around the frame. They hide the parts of shapes beyond it.
pub(super) fn margins(frame: &Frame, page: Point) -> Vec<Shape> {
    let strips = vec![
        [0.0, 0.0, page[0], frame.min[1]],
        [0.0, frame.max[1], page[0], page[1]],
        [0.0, frame.min[1], frame.min[0], frame.max[1]],
        [frame.max[0], frame.min[1], page[0], frame.max[1]],
    ];
    vec![Shape { geometry: Geometry::Rectangles(strips), style: Style::fill(Colour::PAGE) }]
}

/// The frame, its ticks and the coordinates of two corners; or the note of an empty picture.
pub(super) fn frame(frame: &Frame, picture: &Picture) -> Vec<Shape> {
    let outline = Style::line(Stroke::new(Colour::FRAME, 1.4));
    let mut shapes = vec![rectangle(frame.min, frame.max, outline)];
    if let Some(note) = &picture.note {
        let middle = [(frame.min[0] + frame.max[0]) * 0.5, (frame.min[1] + frame.max[1]) * 0.5 + 8.0];
        let room = frame.max[0] - frame.min[0] - 60.0;
        shapes.push(fitting(middle, note, 24.0, Colour::FAINT_INK, Anchor::Middle, room));
        return shapes;
    }
    let label = |at: Point, words: &str, anchor| text(at, words, TICK_SIZE, Colour::FAINT_INK, anchor);
    let second = if frame.upwards { "y" } else { "z" };
    let corner = |x: f64, v: f64, end: &str| format!("x {}, {second} {}{end}", fixed(x, 2), fixed(v, 2));
    let (min, max) = (frame.window.min, frame.window.max);
    let [upper, lower] = if frame.upwards { [max[1], min[1]] } else { [min[1], max[1]] };
    shapes.push(label([frame.min[0], frame.min[1] - 9.0], &corner(min[0], upper, " m"), Anchor::Start));
    let last = corner(max[0], lower, " m");
    let last_start = frame.max[0] - text_width(&last, TICK_SIZE);
    shapes.push(label([frame.max[0], frame.max[1] + 24.0], &last, Anchor::End));
    let (ticks, decimals) = frame.ticks(0);
    for x in ticks {
        let at = frame.place([x, min[1]])[0];
        let words = fixed(x, decimals);
        if at + text_width(&words, TICK_SIZE) * 0.5 + 24.0 < last_start {
            shapes.push(label([at, frame.max[1] + 24.0], &words, Anchor::Middle));
        }
    }
    let (ticks, decimals) = frame.ticks(1);
    for v in ticks {
        let at = frame.place([min[0], v])[1];
        shapes.push(label([frame.min[0] - 10.0, at + 5.0], &fixed(v, decimals), Anchor::End));
    }
    shapes
}

/// Title and subtitle.
pub(super) fn title(frame: &Frame, picture: &Picture) -> Vec<Shape> {
    let room = frame.max[0] - frame.min[0];
    let mut title =
        fitting([frame.min[0], 70.0], &picture.title, TITLE_SIZE, Colour::INK, Anchor::Start, room);
    if let Geometry::Text(text) = &mut title.geometry {
        text.bold = true;
    }
    let at = [frame.min[0], if picture.title.is_empty() { 68.0 } else { 102.0 }];
    let subtitle = fitting(at, &picture.subtitle, SUBTITLE_SIZE, Colour::FAINT_INK, Anchor::Start, room);
    [(title, &picture.title), (subtitle, &picture.subtitle)]
        .into_iter()
        .filter(|(_, words)| !words.is_empty())
        .map(|(shape, _)| shape)
        .collect()
}

/// Scale bar and legend below the map, and the lower end of the page.
pub(super) fn footer(frame: &Frame, picture: &Picture) -> (Vec<Shape>, f64) {
    let top = frame.max[1] + 44.0;
    let mut shapes = Vec::new();
    let mut left = frame.min[0];
    if picture.note.is_none() {
        shapes.extend(scale_bar(frame, [left, top]));
        left += SCALE_BAR_SPACE;
    }
    let (mut x, mut y) = (left, top);
    let mut place = |width: f64| {
        if x + width > frame.max[0] && x > left {
            (x, y) = (left, y + ROW);
        }
        let at = [x, y];
        x += width + 30.0;
        at
    };
    if let Some(ramp) = &picture.ramp {
        let at = place(ramp_width(ramp));
        shapes.extend(draw_ramp(ramp, at));
    }
    for entry in &picture.legend {
        let at = place(38.0 + text_width(&entry.text, LEGEND_SIZE) * 1.03);
        shapes.extend(legend_entry(entry, at));
    }
    (shapes, y + ROW + 30.0)
}

fn scale_bar(frame: &Frame, [x, y]: Point) -> Vec<Shape> {
    let Some((metres, decimals)) = round_step(220.0 / frame.scale[0]) else {
        return Vec::new();
    };
    let end = x + metres * frame.scale[0];
    let (middle, bar) = ((x + end) * 0.5, [y + 8.0, y + 15.0]);
    let words = if metres >= 1000.0 {
        format!("{} km", fixed(metres / 1000.0, 0))
    } else {
        format!("{} m", fixed(metres, decimals))
    };
    let outline = Stroke::new(Colour::INK, 1.4);
    let mut shapes = vec![
        rectangle([x, bar[0]], [end, bar[1]], Style::fill(Colour::WHITE).outlined(outline)),
        rectangle([x, bar[0]], [middle, bar[1]], Style::fill(Colour::INK)),
        text([end + 12.0, y + 18.0], &words, LEGEND_SIZE, Colour::INK, Anchor::Start),
    ];
    if let View::Slice { stretch } = picture_view(frame)
        && stretch > 1.0
    {
        let words = format!("heights \u{d7} {}", fixed(stretch, 1));
        shapes.push(text([x, y + 40.0], &words, TICK_SIZE, Colour::FAINT_INK, Anchor::Start));
    }
    shapes
}

fn picture_view(frame: &Frame) -> View {
    if frame.upwards { View::Slice { stretch: frame.scale[1] / frame.scale[0] } } else { View::Above }
}

const RAMP_LENGTH: f64 = 200.0;

fn ramp_width(ramp: &Ramp) -> f64 {
    let words = [&ramp.title, &ramp.low, &ramp.high].map(|words| text_width(words, LEGEND_SIZE));
    words.iter().sum::<f64>() + RAMP_LENGTH + 3.0 * 10.0
}

fn draw_ramp(ramp: &Ramp, [x, y]: Point) -> Vec<Shape> {
    let baseline = y + 18.0;
    let mut shapes = vec![text([x, baseline], &ramp.title, LEGEND_SIZE, Colour::INK, Anchor::Start)];
    let low = x + text_width(&ramp.title, LEGEND_SIZE) + 12.0;
    shapes.push(text([low, baseline], &ramp.low, LEGEND_SIZE, Colour::FAINT_INK, Anchor::Start));
    let start = low + text_width(&ramp.low, LEGEND_SIZE) + 10.0;
    let step = RAMP_LENGTH / ramp.colours.len().max(1) as f64;
    for (index, &colour) in ramp.colours.iter().enumerate() {
        let left = start + step * index as f64;
        let style = Style { crisp: true, ..Style::fill(colour) };
        shapes.push(rectangle([left, y + 3.0], [left + step, y + 20.0], style));
    }
    let outline = Style::line(Stroke::new(Colour::FRAME, 1.0));
    shapes.push(rectangle([start, y + 3.0], [start + RAMP_LENGTH, y + 20.0], outline));
    let at = [start + RAMP_LENGTH + 10.0, baseline];
    shapes.push(text(at, &ramp.high, LEGEND_SIZE, Colour::FAINT_INK, Anchor::Start));
    shapes
}

fn legend_entry(entry: &LegendEntry, [x, y]: Point) -> Vec<Shape> {
    let (min, max) = ([x, y + 3.0], [x + 26.0, y + 20.0]);
    let middle = y + 11.5;
    let boxed = |colour: Colour| {
        let outline = Stroke::new(colour.mix(Colour::INK, 0.35), 1.0);
        rectangle(min, max, Style::fill(colour).outlined(outline))
    };
    let mut shapes = match entry.swatch {
        Swatch::Box(colour) => vec![boxed(colour)],
        Swatch::Hatched(colour) => {
            let lines = (0..3).map(|i| f64::from(i) * 8.0).map(|at| Path {
                points: vec![[x + at + 1.0, max[1]], [x + at + 9.0, min[1]]],
                closed: false,
            });
            let style = Style::line(Stroke::new(colour.mix(Colour::INK, 0.45), 1.2));
            vec![boxed(colour), Shape { geometry: Geometry::Paths(lines.collect()), style }]
        }
        Swatch::Line(stroke) => vec![Shape::segments([[[x, middle], [x + 27.0, middle]]], stroke)],
        Swatch::Dot(colour) => {
            let style = Style::fill(Colour::WHITE).outlined(Stroke::new(colour, 1.8));
            vec![Shape::dots(vec![[x + 14.0, middle]], 5.0, style)]
        }
    };
    shapes.push(text([x + 36.0, y + 18.0], &entry.text, LEGEND_SIZE, Colour::INK, Anchor::Start));
    shapes
}
