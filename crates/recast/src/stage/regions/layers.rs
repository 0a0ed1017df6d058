//! Joining monotone regions into layers: neighbours of one area join as long as nothing comes to lie above
//! itself.

use super::Params;
use crate::area::AreaId;
use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, RegionId};
use std::collections::VecDeque;

#[derive(Clone, Default)]
struct Piece {
    spans: u32,
    area: AreaId,
    /// The layer it joined; 0 for none yet, or dropped.
    layer: u32,
    at_border: bool,
    neighbours: Vec<u32>,
    /// Pieces above or below it somewhere.
    stacked: Vec<u32>,
}

fn add_unique(list: &mut Vec<u32>, value: u32) {
    if !list.contains(&value) {
        list.push(value);
    }
}

/// Joins the `count` pieces in `labels` into layers, drops small ones, renumbers; returns their number.
pub(super) fn join_layers(
    field: &CompactField<Eroded>,
    labels: &mut [RegionId],
    count: u32,
    params: &Params,
) -> u32 {
    let mut pieces = survey(field, labels, count);
    let mut layer = 0;
    for root in 1..pieces.len() {
        if pieces[root].layer == 0 {
            layer += 1;
            grow_layer(&mut pieces, root, layer);
        }
    }
    let mut dropped = vec![false; layer as usize + 1];
    for piece in &pieces {
        if piece.spans > 0 && piece.spans < params.min_cells && !piece.at_border {
            dropped[piece.layer as usize] = true;
        }
    }
    let mut renumbered = vec![RegionId::NONE; layer as usize + 1];
    let mut kept = 0;
    for piece in pieces.iter().skip(1) {
        let slot = piece.layer as usize;
        if !dropped[slot] && renumbered[slot].is_none() {
            kept += 1;
            renumbered[slot] = RegionId::inner(kept);
        }
    }
    for label in labels.iter_mut().filter(|label| label.is_inner()) {
        *label = renumbered[pieces[label.index()].layer as usize];
    }
    kept
}

/// Sizes, neighbours and overlaps of all pieces.
fn survey(field: &CompactField<Eroded>, labels: &[RegionId], count: u32) -> Vec<Piece> {
    let mut pieces = vec![Piece::default(); count as usize + 1];
    let mut stacked: Vec<u32> = Vec::new();
    for column in 0..field.grid.columns() {
        stacked.clear();
        for span in field.column(column).filter(|&span| labels[span].is_inner()) {
            let piece = &mut pieces[labels[span].index()];
            piece.spans += 1;
            piece.area = field.area[span];
            stacked.push(labels[span].index() as u32);
            for direction in Direction::ALL {
                let Some(beside) = field.neighbour(span, direction) else { continue };
                let other = labels[beside];
                if other.is_inner() && other != labels[span] {
                    add_unique(&mut piece.neighbours, other.index() as u32);
                }
                piece.at_border |= other.is_border();
            }
        }
        for (index, &lower) in stacked.iter().enumerate() {
            for &upper in stacked[index + 1..].iter().filter(|&&upper| upper != lower) {
                add_unique(&mut pieces[lower as usize].stacked, upper);
                add_unique(&mut pieces[upper as usize].stacked, lower);
            }
        }
    }
    pieces
}

/// Gathers, breadth first from `root`, all pieces that can join its layer; `root` keeps the sums.
fn grow_layer(pieces: &mut [Piece], root: usize, layer: u32) {
    pieces[root].layer = layer;
    let mut queue = VecDeque::from([root]);
    while let Some(at) = queue.pop_front() {
        for index in 0..pieces[at].neighbours.len() {
            let next = pieces[at].neighbours[index] as usize;
            let joins = pieces[next].layer == 0
                && pieces[next].area == pieces[at].area
                && !pieces[root].stacked.contains(&(next as u32));
            if !joins {
                continue;
            }
            queue.push_back(next);
            pieces[next].layer = layer;
            for stacked in pieces[next].stacked.clone() {
                add_unique(&mut pieces[root].stacked, stacked);
            }
            pieces[root].spans += std::mem::take(&mut pieces[next].spans);
            pieces[root].at_border |= pieces[next].at_border;
        }
    }
}
