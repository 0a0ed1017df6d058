//! The four-wide BV tree: cut across the axis of the widest spread, twice a node. Every tie is broken by the
//! polygons' canonical order, so the tree depends on their set only.
//!
//! Cost: O(n log² n). One cache line a node, about n / 3 nodes.

use super::draft::Piece;
use crate::layout::{BV_EMPTY, BV_LEAF, BvNode, Header};
use crate::verify::bv::quantise;
use navmath::IBox3;

/// A polygon as the tree sees it.
#[derive(Clone, Copy)]
struct Item {
    bounds: IBox3,
    /// Its place in canonical order.
    rank: usize,
}

/// Puts pieces, given in canonical order, into the order of the tree's leaves, and fills in the header's
/// bounds and shifts. Every detail vertex is in use.
pub(super) fn order(pieces: &mut Vec<Piece>, header: &mut Header) -> Vec<BvNode> {
    let mut items: Vec<Item> =
        pieces.iter().enumerate().map(|(rank, piece)| Item { bounds: piece_bounds(piece), rank }).collect();
    if items.is_empty() {
        return Vec::new();
    }
    let all = items.iter().fold(IBox3::EMPTY, |sum, item| sum.union(item.bounds));
    header.bounds_min = all.min;
    header.bounds_max = all.max;
    for axis in 0..3 {
        let extent = i64::from(all.max[axis]) - i64::from(all.min[axis]);
        header.bv_shift[axis] = (0..32).find(|shift| extent >> shift <= i64::from(u16::MAX)).unwrap_or(31);
    }
    let mut builder = Builder { header: *header, nodes: Vec::new(), leaves: 0 };
    builder.node(&mut items);
    let mut taken: Vec<Option<Piece>> = pieces.drain(..).map(Some).collect();
    pieces.extend(items.iter().filter_map(|item| taken[item.rank].take()));
    builder.nodes
}

/// Bounds of corners and detail vertices.
fn piece_bounds(piece: &Piece) -> IBox3 {
    let corners = piece.edges.iter().map(|edge| edge.corner);
    IBox3::around(corners.chain(piece.detail_vertices.iter().copied()))
}

struct Builder {
    header: Header,
    nodes: Vec<BvNode>,
    leaves: u32,
}

impl Builder {
    /// Adds the node over `items`, and those below it, in depth-first order.
    fn node(&mut self, items: &mut [Item]) -> u32 {
        let index = self.nodes.len();
        self.nodes.push(BvNode { min: [[u16::MAX; 4]; 3], max: [[0; 4]; 3], children: [BV_EMPTY; 4] });
        for (slot, part) in quarters(items).into_iter().filter(|part| !part.is_empty()).enumerate() {
            let bounds = part.iter().fold(IBox3::EMPTY, |sum, item| sum.union(item.bounds));
            let child = if part.len() == 1 {
                self.leaves += 1;
                BV_LEAF | (self.leaves - 1)
            } else {
                self.node(part)
            };
            let (min, max) = quantise(bounds, self.header.bounds_min, self.header.bv_shift);
            let node = &mut self.nodes[index];
            node.children[slot] = child;
            for axis in 0..3 {
                node.min[axis][slot] = min[axis];
                node.max[axis][slot] = max[axis];
            }
        }
        // Fewer nodes than polygons, of which there are at most 2^20.
        index as u32
    }
}

/// Cuts items into up to four parts for the slots of a node: all but the last hold the largest power of four
/// that is less than the number of items, so that all nodes are full but those along one path, and no four-wide
/// tree has fewer levels.
fn quarters(items: &mut [Item]) -> [&mut [Item]; 4] {
    let mut part = 1;
    while part * 4 < items.len() {
        part *= 4;
    }
    let (left, right) = cut(items, part);
    let ((a, b), (c, d)) = (cut(left, part), cut(right, part));
    [a, b, c, d]
}

/// Cuts items in two by place, the first half a multiple of `part`; what fits one part is left whole.
fn cut(items: &mut [Item], part: usize) -> (&mut [Item], &mut [Item]) {
    let parts = items.len().div_ceil(part);
    if parts > 1 {
        arrange(items);
    }
    items.split_at_mut((part * parts.div_ceil(2)).min(items.len()))
}

/// Sorts by the centre along the axis on which centres spread most, then by rank.
fn arrange(items: &mut [Item]) {
    let centre =
        |item: &Item, axis: usize| i64::from(item.bounds.min[axis]) + i64::from(item.bounds.max[axis]);
    let spread = |axis: usize| {
        let centres = || items.iter().map(|item| centre(item, axis));
        centres().max().unwrap_or(0) - centres().min().unwrap_or(0)
    };
    // The first of equals: x before y before z.
    let axis = (0..3).min_by_key(|&axis| std::cmp::Reverse(spread(axis))).unwrap_or(0);
    items.sort_unstable_by_key(|item| (centre(item, axis), item.rank));
}
