//! The page of `--report`: a bake for level designers, as one self-contained HTML file, without network or
//! other files. Only the 3D view has scripts, within a frame that cannot access the rest. The same data gives
//! the same bytes.

mod changes;
mod figures;
mod headline;
mod islands;
mod level_map;
mod markup;
mod page;
mod picture;
mod settings;
mod space;
mod stages;
mod tile_maps;
mod warnings;

pub(crate) use page::{Changes, Page, PageTile};
pub(crate) use warnings::LISTED;

use crate::failure::Failure;
use crate::files::{FileList, Target, is_standard};
use markup::Html;
use std::path::Path;

/// The target of the page: an HTML file.
pub(crate) fn target(path: &Path, files: &mut FileList) -> Result<Target, Failure> {
    let name = path.display();
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    if !is_standard(path) && !matches!(extension.as_deref(), Some("html" | "htm")) {
        return Err(Failure::call(format!("{name}: is not an .html file"))
            .help("give the report a name that ends in .html"));
    }
    files.target(path).map_err(|failure| failure.help("give another name with --report"))
}

/// The page loads nothing from outside. Only the frame has scripts, with the policy of its page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
                      script-src 'unsafe-inline' 'wasm-unsafe-eval'";

/// The page as HTML.
pub(crate) fn write(page: &Page<'_>) -> String {
    let map = level_map::draw(page);
    let mut html = Html::default();
    html.raw("<!DOCTYPE html>\n").element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| {
            html.void("meta", &[("charset", "utf-8")]);
            html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", POLICY)]);
            html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
            html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
            html.leaf("title", &[], &format!("{}: bake report", page.title()));
            html.element("style", &[], |html| {
                html.raw(include_str!("style.css"));
            });
        });
        html.raw("\n").element("body", &[], |html| {
            headline::write(html, page);
            html.raw("\n").element("main", &[], |html| {
                level_map::write(html, page, &map);
                space::write(html, page);
                warnings::write(html, page);
                islands::write(html, page, &map);
                changes::write(html, page);
                tile_maps::write(html, page);
                stages::write(html, page);
                settings::write(html, page);
            });
        });
    });
    html.raw("\n");
    html.finish()
}

#[cfg(test)]
mod tests;
