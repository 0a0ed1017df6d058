//! Joining monotone regions into layers: neighbours of one area join as long as nothing comes to lie above
//! itself.

use super::{Params, find_stacks};
use crate::area::AreaId;
use crate::data::alike::alike;
use crate::data::compact::state::Eroded;
use crate::data::neighbours::Differences;
use crate::data::{CompactField, Direction, RegionId};
use crate::stage::row_sweep::renumber;
use std::collections::VecDeque;
use std::ops::Range;

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
    let mut barred = vec![0; pieces.len()];
    for root in 1..pieces.len() {
        if pieces[root].layer == 0 {
            layer += 1;
            grow_layer(&mut pieces, root, layer, &mut barred);
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
    let finally: Vec<RegionId> = pieces.iter().map(|piece| renumbered[piece.layer as usize]).collect();
    renumber(labels, &finally);
    kept
}

/// Sizes, neighbours and overlaps of all pieces.
fn survey(field: &CompactField<Eroded>, labels: &[RegionId], count: u32) -> Vec<Piece> {
    let mut pieces = vec![Piece::default(); count as usize + 1];
    let mut edges = Edges { labels, met: [(RegionId::NONE, RegionId::NONE); 4], found: Vec::new() };
    for (spans, differences) in field.neighbours.stretches(0..field.len()) {
        let mut start = spans.start;
        while start < spans.end {
            let label = labels[start];
            let end = start + alike(&labels[start..spans.end]);
            if label.is_inner() {
                let piece = &mut pieces[label.index()];
                // Not more than there are spans.
                piece.spans += (end - start) as u32;
                piece.area = field.area[start];
                edges.add(start..end, differences, piece);
            }
            start = end;
        }
    }
    for (lower, upper) in find_stacks(field, labels) {
        pieces[lower.index()].stacked.push(upper.index() as u32);
        pieces[upper.index()].stacked.push(lower.index() as u32);
    }
    pieces
}

/// Looks what lies around pieces.
struct Edges<'a> {
    labels: &'a [RegionId],
    /// By direction, which piece was last seen beside which.
    met: [(RegionId, RegionId); 4],
    /// Pieces beside the spans at hand: by span, then by direction.
    found: Vec<(usize, Direction, u32)>,
}

impl Edges<'_> {
    /// Adds what lies beside spans of one piece whose neighbours all lie at these distances. Other pieces are met in
    /// the order of spans and directions: layers grow in it.
    fn add(&mut self, spans: Range<usize>, differences: &Differences, piece: &mut Piece) {
        let own = self.labels[spans.start];
        if spans.len() == 1
            && differences.lead_or_stay(spans.start).map(|beside| self.labels[beside]) == [own; 4]
        {
            return;
        }
        for direction in Direction::ALL {
            let Some(first) = differences.lead(spans.start, direction) else { continue };
            // Where spans are each other's neighbours, only one has another piece beside it.
            let edge = if differences.leads_to_last(direction) {
                0..1
            } else if differences.leads_to_next(direction) {
                spans.len() - 1..spans.len()
            } else {
                0..spans.len()
            };
            let beside = &self.labels[first + edge.start..first + edge.end];
            // Without a way out in between, so that many are compared at once.
            if beside.iter().fold(true, |alike, &other| alike & (other == own)) {
                continue;
            }
            for (&other, at) in beside.iter().zip(edge) {
                if other != own && self.met[direction as usize] != (own, other) {
                    self.met[direction as usize] = (own, other);
                    piece.at_border |= other.is_border();
                    if other.is_inner() {
                        self.found.push((at, direction, other.index() as u32));
                    }
                }
            }
        }
        if self.found.len() > 1 {
            self.found.sort_unstable();
        }
        self.found.drain(..).for_each(|(_, _, other)| add_unique(&mut piece.neighbours, other));
    }
}

/// Gathers, breadth first from `root`, all pieces that can join its layer; `root` keeps the sums. `barred` is, for each
/// piece, the last layer that it lies above or below of.
fn grow_layer(pieces: &mut [Piece], root: usize, layer: u32, barred: &mut [u32]) {
    pieces[root].layer = layer;
    let mut queue = VecDeque::from([root]);
    pieces[root].stacked.iter().for_each(|&other| barred[other as usize] = layer);
    while let Some(at) = queue.pop_front() {
        for index in 0..pieces[at].neighbours.len() {
            let next = pieces[at].neighbours[index] as usize;
            let joins =
                pieces[next].layer == 0 && pieces[next].area == pieces[at].area && barred[next] != layer;
            if !joins {
                continue;
            }
            queue.push_back(next);
            pieces[next].layer = layer;
            pieces[next].stacked.iter().for_each(|&other| barred[other as usize] = layer);
            pieces[root].spans += std::mem::take(&mut pieces[next].spans);
            pieces[root].at_border |= pieces[next].at_border;
        }
    }
}

#[cfg(test)]
mod tests;
