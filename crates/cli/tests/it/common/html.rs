//! A strict reader of pages: a page that it accepts is valid HTML and XML, and self-contained.

use std::collections::BTreeSet;

/// Asserts that tags close in pairs, attributes are quoted, known and unique, text holds no stray markup,
/// links have a target, and that nothing is loaded or run except the frame of the view, which is isolated
/// from the page.
pub(crate) fn assert_sound(page: &str) {
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("a page says what it is");
    let (mut open, mut ids, mut links) = (Vec::<String>::new(), BTreeSet::new(), Vec::new());
    while let Some(start) = rest.find('<') {
        assert_text(&rest[..start]);
        let end = tag_end(&rest[start..]);
        let tag = &rest[start + 1..start + end];
        rest = &rest[start + end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "</{name}> closes something else");
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = parse(tag);
        assert!(!["link", "object", "img"].contains(&name.as_str()), "<{name}>");
        let has = |key: &str, value: &str| attributes.iter().any(|(k, v)| k == key && v == value);
        assert!(name != "iframe" || has("sandbox", "allow-scripts"), "a frame that reaches the page");
        let opens = "document.querySelector('#space details').addEventListener('toggle',";
        assert!(name != "script" || (attributes.is_empty() && rest.starts_with(opens)), "a script");
        let mut keys = BTreeSet::new();
        for (key, value) in attributes {
            assert!(keys.insert(key.clone()), "<{name}> has {key} twice");
            assert!(!key.starts_with("on") && key != "src", "<{name} {key}> runs or loads something");
            assert_text(&value);
            match key.as_str() {
                "id" => assert!(ids.insert(value.clone()), "two have the id {value}"),
                "href" if name == "image" => assert!(value.starts_with("data:image/png;base64,"), "{value}"),
                "href" => links.push(value.strip_prefix('#').expect("links stay on the page").to_owned()),
                "data-page" if name == "iframe" => {}
                "xmlns" => assert_eq!(value, "http://www.w3.org/2000/svg"),
                _ => assert!(!value.contains("://") && !value.contains("url("), "{key}=\"{value}\""),
            }
        }
        if !empty {
            open.push(name);
        }
    }
    assert_text(rest);
    assert_eq!(open, Vec::<String>::new(), "not everything is closed");
    for link in links {
        assert!(ids.contains(&link), "nothing has the id {link}");
    }
}

/// Position of the end of a tag that starts at the beginning; `>` within quotes does not count.
fn tag_end(text: &str) -> usize {
    let mut quoted = false;
    for (index, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '>' if !quoted => return index,
            '<' if index > 0 => panic!("a tag within a tag: {}", &text[..index]),
            _ => {}
        }
    }
    panic!("a tag without an end")
}

/// The name and the attributes of a tag.
fn parse(tag: &str) -> (String, Vec<(String, String)>) {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()), "<{tag}>");
    let mut attributes = Vec::new();
    while !rest.trim().is_empty() {
        let (key, after) = rest.trim_start().split_once("=\"").unwrap_or_else(|| panic!("<{tag}>"));
        let (value, after) = after.split_once('"').unwrap_or_else(|| panic!("<{tag}>"));
        let sound = |c: char| c.is_ascii_alphabetic() || c == '-' || c.is_ascii_digit();
        assert!(!key.is_empty() && key.chars().all(sound), "<{tag}>");
        attributes.push((key.to_owned(), value.to_owned()));
        assert!(after.is_empty() || after.starts_with([' ', '\n']), "<{tag}>");
        rest = after;
    }
    (name.to_owned(), attributes)
}

/// Every `&` begins one of the allowed references.
fn assert_text(text: &str) {
    for part in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|known| part.starts_with(known));
        assert!(known, "a stray & before {part:.20}");
    }
    let bad = text.chars().find(|&c| c.is_control() && c != '\n');
    assert_eq!(bad, None, "a control character");
}

/// The text of the elements that begin with `start`.
pub(crate) fn texts(page: &str, start: &str) -> Vec<String> {
    let name = start.trim_start_matches('<').split([' ', '>']).next().expect("a name");
    let inside = |part: &str| {
        let (_, body) = part.split_once('>').expect("a tag ends");
        let (body, _) = body.split_once(&format!("</{name}>")).expect("an element ends");
        body.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text)).collect()
    };
    page.split(start).skip(1).map(inside).collect()
}
