//! The 3D view in a bake's page: that of `navtile view`, with the level and the warnings.

use super::html::LISTED;
use super::report::BakeReport;
use crate::failure::Failure;
use crate::files;
use crate::view::{ViewPage, ViewWarning};
use std::path::Path;

/// A file with more bytes than this gets no view, because the page contains all of it.
const MOST_BYTES: u64 = 8 << 20;
/// A level of more triangles than this is not in the view.
const MOST_TRIANGLES: usize = 200_000;

/// The page for a file that was just written; `None` if it is too large.
pub(crate) fn page(path: &Path, report: &BakeReport<'_>) -> Result<Option<String>, Failure> {
    if report.bytes > MOST_BYTES {
        return Ok(None);
    }
    let file = files::read(path)?;
    let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let warnings: Vec<ViewWarning<'_>> = (1..)
        .zip(report.warnings().take(LISTED))
        .map(|(number, warning)| ViewWarning { number, text: &warning.message, at: warning.place })
        .collect();
    // A level that is not held has no triangles here.
    let level = (1..=MOST_TRIANGLES).contains(&report.prepared.triangle_count()).then_some(report.prepared);
    Ok(Some(ViewPage { title: &title, file: &file, level, warnings: &warnings }.html()))
}
