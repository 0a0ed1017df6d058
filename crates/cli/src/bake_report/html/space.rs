//! The mesh in 3D: a page of its own, in a frame of this one. It is loaded when it is opened.

use super::markup::Html;
use super::page::Page;

/// Loads the frame when it is seen for the first time.
const OPEN: &str = "document.querySelector('#space details').addEventListener('toggle',event=>{\
                    const frame=event.target.querySelector('iframe');\
                    frame.srcdoc=frame.dataset.page},{once:true})";

pub(crate) fn write(html: &mut Html, page: &Page<'_>) {
    html.section("space", "3D view", |html| {
        let Some(view) = page.view else {
            let text = format!(
                "This mesh is too large for this page. For a page of its own, run: navtile view {}",
                page.output()
            );
            html.leaf("p", &[("class", "note")], &text);
            return;
        };
        html.element("details", &[], |html| {
            html.leaf(
                "summary",
                &[],
                "Open the 3D view: rotate it, show storeys and islands, fly to warnings, find paths",
            );
            let attributes = [
                ("title", "The mesh in 3D"),
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
