//! A page as an SVG document. Numbers have at most two decimals; the same page gives the same bytes.

use crate::layout::Page;
use crate::number::fixed;
use crate::scene::{Anchor, Geometry, Path, Shape, Stroke, Style, Text};
use std::fmt::Write;

const FONTS: &str = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif";

/// The document.
pub(crate) fn write(page: &Page) -> String {
    let (width, height) = (fixed(page.width, 2), fixed(page.height, 2));
    let mut out = String::new();
    line(
        &mut out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\">"
        ),
    );
    line(&mut out, format_args!("<title>{}</title>", escape(&page.title)));
    line(&mut out, format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"));
    for group in &page.groups {
        line(&mut out, format_args!("<g class=\"{}\">", group.name));
        group.shapes.iter().for_each(|shape| write_shape(&mut out, shape));
        line(&mut out, format_args!("</g>"));
    }
    line(&mut out, format_args!("</svg>"));
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    append(out, text);
    out.push('\n');
}

fn append(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string cannot fail");
}

fn write_shape(out: &mut String, shape: &Shape) {
    let style = style_attributes(&shape.style);
    match &shape.geometry {
        Geometry::Paths(paths) => {
            line(out, format_args!("<path d=\"{}\"{style}/>", path_data(paths)));
        }
        Geometry::Rectangles(rectangles) => write_rectangles(out, rectangles, &style),
        Geometry::Circles { centres, radius } => {
            let radius = fixed(*radius, 2);
            line(out, format_args!("<g{style}>"));
            for [x, y] in centres {
                let (x, y) = (fixed(*x, 2), fixed(*y, 2));
                line(out, format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"));
            }
            line(out, format_args!("</g>"));
        }
        Geometry::Text(text) => write_text(out, text, &shape.style),
    }
}

/// One path for all rectangles of a style. Corners are rounded, not sizes, so that neighbours meet.
fn write_rectangles(out: &mut String, rectangles: &[[f64; 4]], style: &str) {
    let mut data = String::new();
    for rectangle in rectangles {
        let [x0, y0, x1, y1] = rectangle.map(|v| (v * 100.0).round() / 100.0);
        let (x, y) = (fixed(x0, 2), fixed(y0, 2));
        append(&mut data, format_args!("M{x} {y}H{}V{}H{x}Z", fixed(x1, 2), fixed(y1, 2)));
    }
    line(out, format_args!("<path d=\"{data}\"{style}/>"));
}

fn path_data(paths: &[Path]) -> String {
    let mut data = String::new();
    for path in paths {
        for (index, [x, y]) in path.points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            append(&mut data, format_args!("{command}{} {}", fixed(*x, 2), fixed(*y, 2)));
        }
        if path.closed {
            data.push('Z');
        }
    }
    data
}

fn style_attributes(style: &Style) -> String {
    let mut out = String::new();
    match style.fill {
        Some(colour) => append(&mut out, format_args!(" fill=\"{}\" fill-rule=\"evenodd\"", colour.css())),
        None => out.push_str(" fill=\"none\""),
    }
    if style.fill.is_some() && style.cover < 1.0 {
        append(&mut out, format_args!(" fill-opacity=\"{}\"", fixed(style.cover.max(0.0), 2)));
    }
    if let Some(stroke) = style.stroke {
        out.push_str(&stroke_attributes(&stroke));
    }
    if style.crisp {
        out.push_str(" shape-rendering=\"crispEdges\"");
    }
    out
}

fn stroke_attributes(stroke: &Stroke) -> String {
    let (colour, width) = (stroke.colour.css(), fixed(stroke.width, 2));
    let mut out = format!(" stroke=\"{colour}\" stroke-width=\"{width}\"");
    if let Some([dash, gap]) = stroke.dash {
        let (dash, gap) = (fixed(dash, 2), fixed(gap, 2));
        append(&mut out, format_args!(" stroke-dasharray=\"{dash} {gap}\" stroke-linecap=\"butt\""));
    }
    out
}

fn write_text(out: &mut String, text: &Text, style: &Style) {
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let weight = if text.bold { " font-weight=\"600\"" } else { "" };
    let fill = style.fill.map_or_else(|| "none".to_owned(), |colour| colour.css());
    let casing = style
        .stroke
        .map(|stroke| format!("{} paint-order=\"stroke\"", stroke_attributes(&stroke)))
        .unwrap_or_default();
    let ([x, y], size) = (text.at.map(|v| fixed(v, 2)), fixed(text.size, 2));
    line(
        out,
        format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{anchor}{weight}{casing}>{}</text>",
            escape(&text.text)
        ),
    );
}

/// Text for XML or HTML, and for attributes in double quotes. Special characters are escaped, and invalid
/// ones are left out. Characters that change the direction of text are left out, too: with them, a name could
/// make a line read as another.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fdd0}'..='\u{fdef}' => {}
            c if c.is_control() || u32::from(c) & 0xfffe == 0xfffe => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escape("a<b> & \"c\"\u{7}\n"), "a&lt;b&gt; &amp; &quot;c&quot; ");
        assert_eq!(escape("<b>&\"'\n\u{0}\u{202e}\u{ffff}\u{e9}"), "&lt;b&gt;&amp;&quot;' \u{e9}");
    }

    #[test]
    fn rectangles_share_their_edges() {
        let mut out = String::new();
        write_rectangles(&mut out, &[[0.0, 0.0, 0.333_33, 1.0], [0.333_33, 0.0, 0.666_66, 1.0]], "");
        assert_eq!(out, "<path d=\"M0 0H0.33V1H0ZM0.33 0H0.67V1H0.33Z\"/>\n");
    }
}
