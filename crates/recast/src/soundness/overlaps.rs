//! Splits regions that overlap themselves: floods ignore storeys, so on a spiral stair a region can come
//! around above its own start. No outline could be drawn around it.

use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, RegionId};
use std::collections::VecDeque;

/// Splits every region with two spans in one column into pieces without such columns; returns the number of
/// regions. `overlapping` is true for these regions. Pieces grow breadth first from the first span without a
/// piece, and take no second span of a column.
pub(crate) fn split_overlaps(
    field: &CompactField<Eroded>,
    overlapping: &[bool],
    labels: &mut [RegionId],
    count: u32,
) -> u32 {
    if !overlapping.contains(&true) {
        return count;
    }
    let column_of = columns(field);
    // The last piece that took a span of each column: pieces grow one after the other.
    let mut taken_by = vec![RegionId::NONE; field.grid.columns()];
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
        taken_by[column_of[seed] as usize] = piece;
        queue.push_back(seed);
        while let Some(span) = queue.pop_front() {
            for beside in Direction::ALL.into_iter().filter_map(|direction| field.neighbour(span, direction))
            {
                let open = labels[beside] == region && piece_of[beside].is_none();
                let column = column_of[beside] as usize;
                if open && taken_by[column] != piece {
                    piece_of[beside] = piece;
                    taken_by[column] = piece;
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

/// The column of each span.
fn columns(field: &CompactField<Eroded>) -> Vec<u32> {
    let mut column_of = Vec::with_capacity(field.len());
    for column in 0..field.grid.columns() {
        column_of.resize(field.offsets.first(column + 1), column as u32);
    }
    column_of
}
