//! Targets about files that are changed.

use super::QUERIES;
use crate::file_support::history;
use crate::memory::bounded;
use crate::script::Dice;

/// A history of a file: edits, tiles packed and not, disks that fail, crashes that lose, tear and reorder writes, and
/// compactions. Whatever happens, the file holds what a plain model of it does, before or after an edit.
pub fn store_edits(data: &[u8]) {
    bounded(QUERIES, || history::play(&mut Dice::new(data)));
}
