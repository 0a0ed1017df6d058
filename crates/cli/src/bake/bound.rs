//! `memory_bound`, whatever is baked: what its files alone take is refused before they are read, and a guard ends what turns
//! out to take more than any estimate knew.

use crate::failure::Failure;
use crate::memory::{self, readable};
use crate::memory_bound::watch;
use std::collections::BTreeSet;
use std::path::Path;

/// From here on, the bake of `files`, called `name` in errors, holds at most `bound` bytes, or ends; the remedies say how
/// reading and baking would take less.
pub(super) fn keep(
    bound: u64,
    name: &str,
    files: &[&Path],
    [for_reading, for_baking]: [&str; 2],
) -> Result<(), Failure> {
    let length = |path: &&Path| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    // A level may be named twice, as it was given and as it was found.
    let text: u64 = files.iter().collect::<BTreeSet<_>>().into_iter().map(length).sum();
    // Files larger than the machine's memory are refused as such.
    if text > bound && text <= memory::installed() {
        let (bound, text) = (readable(bound), readable(text));
        return Err(Failure::call(format!(
            "{name}: memory_bound is {bound}, which cannot hold the files: they alone are {text}"
        ))
        .help(format!("allow more memory with --memory, or {for_reading}")));
    }
    let failure =
        Failure::call(format!("{name}: the bake takes more than memory_bound, which is {}", readable(bound)))
            .help(format!("nothing was changed; allow more memory with --memory, or {for_baking}"));
    watch(bound, failure)
}
