//! `memory_bound` for every bake: a level whose files alone take more is refused before it is read, and a
//! guard ends a bake that exceeds all estimates.

use crate::failure::Failure;
use crate::memory::{self, readable};
use crate::memory_bound::watch;
use std::collections::BTreeSet;
use std::path::Path;

/// Limits the memory of the bake of `files` to `bound` bytes from here on; errors call the level `name`. The
/// remedies are ways to read and bake with less memory.
pub(crate) fn keep(
    bound: u64,
    name: &str,
    files: &[&Path],
    [for_reading, for_baking]: [&str; 2],
) -> Result<(), Failure> {
    let length = |path: &&Path| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    // A level may be listed twice, as given and as found.
    let text: u64 = files.iter().collect::<BTreeSet<_>>().into_iter().map(length).sum();
    // Files larger than the machine's memory are refused for that reason.
    if text > bound && text <= memory::installed() {
        let (bound, text) = (readable(bound), readable(text));
        return Err(Failure::call(format!(
            "{name}: memory_bound is {bound}, which cannot hold the files: they alone take {text}"
        ))
        .help(format!("allow more memory with --memory, or {for_reading}")));
    }
    let failure =
        Failure::call(format!("{name}: the bake takes more than memory_bound, which is {}", readable(bound)))
            .help(format!("nothing was changed; allow more memory with --memory, or {for_baking}"));
    watch(bound, failure)
}
