//! A picture in the page, with marks, links and titles laid over it.

use super::markup::Html;
use crate::base64;
use navdraw::{Picture, escape};

/// Width of a picture that is an image, pixels.
pub(crate) const IMAGE_WIDTH: u32 = 1600;

/// A picture as an SVG element with `overlay`, more SVG in the picture's own units, on top. `image` replaces
/// its shapes.
pub(crate) fn embed(html: &mut Html, picture: &Picture, image: Option<&[u8]>, label: &str, overlay: &Html) {
    let label = escape(label);
    let markup = match image {
        None => {
            let svg = navdraw::to_svg(picture);
            // Its own title would appear wherever the pointer rests.
            let svg = svg.replacen("<title></title>\n", "", 1);
            svg.replacen("<svg ", &format!("<svg aria-label=\"{label}\" "), 1)
        }
        Some(png) => {
            let [width, height] = navdraw::size(picture);
            let data = base64::encode(png);
            format!(
                "<svg aria-label=\"{label}\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
                 height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<image width=\"{width}\" \
                 height=\"{height}\" href=\"data:image/png;base64,{data}\"/>\n</svg>\n"
            )
        }
    };
    let body = markup.trim_end().strip_suffix("</svg>").unwrap_or(&markup);
    html.element("figure", &[], |html| {
        html.raw(body).raw("<g class=\"overlay\">").raw(overlay.as_str()).raw("</g></svg>");
    });
}

/// A picture that is drawn as shapes, or as an image if it has more than `most` of them.
pub(crate) fn embed_either(html: &mut Html, picture: &Picture, many: bool, label: &str, overlay: &Html) {
    if !many {
        return embed(html, picture, None, label, overlay);
    }
    match navdraw::to_png(picture, IMAGE_WIDTH) {
        Ok(png) => embed(html, picture, Some(&png), label, overlay),
        Err(error) => {
            html.leaf("p", &[("class", "note")], &format!("There is no picture here: {error}."));
        }
    }
}

/// A position on a picture as an attribute.
pub(crate) fn units(value: f64) -> String {
    super::figures::fixed(value, 2)
}
