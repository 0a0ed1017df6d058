//! Writes HTML: elements are closed, text and attributes are escaped.

use navdraw::escape;
use std::fmt::Write;

/// A document being written.
#[derive(Debug, Default)]
pub(crate) struct Html {
    out: String,
}

impl Html {
    /// Text alone.
    pub(crate) fn of_text(text: &str) -> Html {
        Html { out: escape(text) }
    }

    /// An element with the content that `inside` writes.
    pub(crate) fn element(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        inside: impl FnOnce(&mut Html),
    ) -> &mut Html {
        self.open(name, attributes, ">");
        inside(self);
        // Writing to a String cannot fail.
        let _ = write!(self.out, "</{name}>");
        self
    }

    /// An element that holds text only.
    pub(crate) fn leaf(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) -> &mut Html {
        self.element(name, attributes, |html| {
            html.text(text);
        })
    }

    /// An empty element, closed as in XML.
    pub(crate) fn void(&mut self, name: &str, attributes: &[(&str, &str)]) -> &mut Html {
        self.open(name, attributes, "/>");
        self
    }

    /// Text.
    pub(crate) fn text(&mut self, text: &str) -> &mut Html {
        self.out.push_str(&escape(text));
        self
    }

    /// Well-formed markup: a picture, the style sheet.
    pub(crate) fn raw(&mut self, markup: &str) -> &mut Html {
        self.out.push_str(markup);
        self
    }

    /// A section with a heading, and an id to link to.
    pub(crate) fn section(&mut self, id: &str, heading: &str, inside: impl FnOnce(&mut Html)) -> &mut Html {
        self.raw("\n").element("section", &[("id", id)], |html| {
            html.leaf("h2", &[], heading);
            inside(html);
        })
    }

    /// A paragraph.
    pub(crate) fn paragraph(&mut self, text: &str) -> &mut Html {
        self.leaf("p", &[], text)
    }

    /// A table: its head, then rows. A column whose head begins with `#` holds numbers and is aligned right.
    pub(crate) fn table(&mut self, head: &[&str], rows: impl FnOnce(&mut Rows<'_>)) -> &mut Html {
        self.element("div", &[("class", "table")], |html| {
            html.element("table", &[], |html| {
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        for title in head {
                            let attributes = [&[("scope", "col")], class(title)].concat();
                            html.leaf("th", &attributes, title.trim_start_matches('#'));
                        }
                    });
                });
                html.element("tbody", &[], |html| rows(&mut Rows { html, head }));
            });
        })
    }

    /// The document so far.
    pub(crate) fn as_str(&self) -> &str {
        &self.out
    }

    /// The document.
    pub(crate) fn finish(self) -> String {
        self.out
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)], end: &str) {
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in attributes {
            let _ = write!(self.out, " {key}=\"{}\"", escape(value));
        }
        self.out.push_str(end);
    }
}

fn class(title: &str) -> &'static [(&'static str, &'static str)] {
    if title.starts_with('#') { &[("class", "number")] } else { &[] }
}

/// The rows of a table being written.
pub(crate) struct Rows<'a> {
    html: &'a mut Html,
    head: &'a [&'a str],
}

impl Rows<'_> {
    /// A row of texts.
    pub(crate) fn texts(&mut self, cells: &[&str]) {
        self.row("", &cells.iter().map(|cell| Html::of_text(cell)).collect::<Vec<_>>());
    }

    /// A row of cells, with an id to link to unless that is empty.
    pub(crate) fn row(&mut self, id: &str, cells: &[Html]) {
        let attributes: &[(&str, &str)] = if id.is_empty() { &[] } else { &[("id", id)] };
        let head = self.head;
        self.html.raw("\n").element("tr", attributes, |html| {
            for (column, cell) in cells.iter().enumerate() {
                html.element("td", class(head.get(column).unwrap_or(&"")), |html| {
                    html.raw(cell.as_str());
                });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_close() {
        let mut html = Html::default();
        html.element("p", &[("title", "a\"b")], |html| {
            html.text("x<y").void("br", &[]).leaf("b", &[], "");
        });
        assert_eq!(html.finish(), "<p title=\"a&quot;b\">x&lt;y<br/><b></b></p>");
    }

    #[test]
    fn numbers_stand_to_the_right() {
        let mut html = Html::default();
        html.table(&["name", "#count"], |rows| rows.texts(&["a", "1"]));
        let text = html.finish();
        assert!(
            text.contains("<th scope=\"col\">name</th><th scope=\"col\" class=\"number\">count</th>"),
            "{text}"
        );
        assert!(text.contains("<td>a</td><td class=\"number\">1</td>"), "{text}");
    }
}
