//! Targets about files that are changed.

use super::QUERIES;
use crate::file_support::history;
use crate::memory::bounded;
use crate::script::Dice;

/// A history of a file: edits, packed and unpacked tiles, disks that fail, crashes that lose, tear and
/// reorder writes, and compactions. After each of them, the file holds the content of a plain model, before
/// or after an edit.
pub fn store_edits(data: &[u8]) {
    bounded(QUERIES, || history::play(&mut Dice::new(data)));
}
