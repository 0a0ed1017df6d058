//! Documents with tables that programs write, each table between two marks.

use std::fmt::Write;

/// Puts lines into a document, between its marks.
///
/// # Errors
/// The marks, if the document does not have both.
pub fn put(text: &str, mark: &str, lines: &[String]) -> Result<String, [String; 2]> {
    let [from, to] = [format!("<!-- {mark} -->"), format!("<!-- /{mark} -->")];
    let parts = text.split_once(&from).and_then(|(before, rest)| Some((before, rest.split_once(&to)?.1)));
    let Some((before, after)) = parts else { return Err([from, to]) };
    let mut out = format!("{before}{from}\n\n");
    for line in lines {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{line}");
    }
    Ok(format!("{out}\n{to}{after}"))
}
