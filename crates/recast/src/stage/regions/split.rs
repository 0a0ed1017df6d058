//! Splitting regions that lie above themselves: floods know nothing of storeys, so on a spiral stair a region can
//! come round on top of its own start. No outline could be drawn around it.

use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, RegionId};
use std::collections::VecDeque;
use std::ops::Range;

/// Cuts every region that holds two spans of one column into pieces that do not; returns the number of regions.
/// `stacked` are the columns with several spans.
/// Pieces grow breadth first from the first span that has none, and take no second span of a column.
pub(super) fn split_overlaps(
    field: &CompactField<Eroded>,
    stacked: &[Range<u32>],
    labels: &mut [RegionId],
    count: u32,
) -> u32 {
    let overlapping = find_overlaps(stacked, labels, count);
    if !overlapping.contains(&true) {
        return count;
    }
    let column_of = columns(field);
    let mut piece_of: Vec<RegionId> = vec![RegionId::NONE; labels.len()];
    let mut first_piece = vec![true; count as usize + 1];
    let mut pieces = count;
    let mut queue = VecDeque::new();
    for seed in 0..labels.len() {
        let region = labels[seed];
        if !overlapping[region.index()] || !piece_of[seed].is_none() {
            continue;
        }
        // The first piece keeps the region's number.
        let piece = if std::mem::take(&mut first_piece[region.index()]) {
            region
        } else {
            pieces += 1;
            RegionId::inner(pieces)
        };
        piece_of[seed] = piece;
        queue.push_back(seed);
        while let Some(span) = queue.pop_front() {
            for direction in Direction::ALL {
                let Some(beside) = field.neighbour(span, direction) else { continue };
                let open = labels[beside] == region && piece_of[beside].is_none();
                let mut column = field.column(column_of[beside] as usize);
                if open && column.all(|other| piece_of[other] != piece) {
                    piece_of[beside] = piece;
                    queue.push_back(beside);
                }
            }
        }
    }
    for (label, piece) in labels.iter_mut().zip(piece_of) {
        if !piece.is_none() {
            *label = piece;
        }
    }
    pieces
}

/// By region, whether it holds two spans of a column; never for what is no region.
fn find_overlaps(stacked: &[Range<u32>], labels: &[RegionId], count: u32) -> Vec<bool> {
    let mut overlapping = vec![false; count as usize + 1];
    for column in stacked {
        let column = &labels[column.start as usize..column.end as usize];
        for (lower, &label) in column.iter().enumerate().filter(|(_, label)| label.is_inner()) {
            overlapping[label.index()] |= column[lower + 1..].contains(&label);
        }
    }
    overlapping
}

/// The column of each span.
fn columns(field: &CompactField<Eroded>) -> Vec<u32> {
    let mut column_of = Vec::with_capacity(field.len());
    for column in 0..field.grid.columns() {
        column_of.resize(field.offsets.first(column + 1), column as u32);
    }
    column_of
}
