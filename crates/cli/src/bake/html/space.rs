//! The mesh in 3D: a page of its own, in a frame of this one. It is loaded when it is opened.

use super::markup::Html;
use super::page::Page;

/// Loads the frame when it is seen for the first time.
const OPEN: &str = "document.querySelector('#space details').addEventListener('toggle',event=>{\
                    const frame=event.target.querySelector('iframe');\
                    frame.srcdoc=frame.dataset.page},{once:true})";

pub(super) fn write(html: &mut Html, page: &Page<'_>) {
    html.section("space", "In three dimensions", |html| {
        let Some(view) = page.view else {
            let text = format!(
                "This mesh is too large to be held here. For a page of its own: navtile view {}",
                page.output()
            );
            html.leaf("p", &[("class", "note")], &text);
            return;
        };
        html.element("details", &[], |html| {
            html.leaf(
                "summary",
                &[],
                "Open the view: turn it, see storeys and islands, fly to warnings, ask for paths",
            );
            let attributes = [
                ("title", "The mesh in three dimensions"),
                ("class", "space"),
                ("sandbox", "allow-scripts"),
                ("data-page", view),
            ];
            html.element("iframe", &attributes, |_| {});
        });
        html.element("script", &[], |html| {
            html.raw(OPEN);
        });
    });
}
