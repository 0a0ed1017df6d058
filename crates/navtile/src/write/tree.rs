//! The four-wide BV tree: items are cut across the axis of the widest spread, twice per node. The polygons'
//! canonical order breaks every tie, so the tree depends only on their set.
//!
//! Cost: O(n log² n). One cache line per node, about n / 3 nodes.

use super::detail::Details;
use super::draft::Drafts;
use super::twins::ConvexPolygons;
use crate::layout::{BV_EMPTY, BV_LEAF, BvNode, Header};
use crate::verify::boxes::quantise;
use navmath::IBox3;

/// The tree over some pieces.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<BvNode>,
    /// The pieces in the order of the leaves.
    pub(super) leaves: Vec<u32>,
    /// The bounds of each piece, by its rank in canonical order.
    bounds: Vec<IBox3>,
}

impl Tree {
    /// Builds the tree over pieces, given in canonical order, and replaces the earlier tree. Fills in the
    /// header's bounds and shifts. Every detail vertex must be in use.
    pub(super) fn build(
        &mut self,
        order: &[u32],
        drafts: &Drafts,
        pieces: &ConvexPolygons,
        details: &Details,
        header: &mut Header,
    ) {
        let Tree { nodes, leaves, bounds } = self;
        nodes.clear();
        leaves.clear();
        bounds.clear();
        let mut all = IBox3::EMPTY;
        bounds.extend(order.iter().map(|&index| {
            let piece = &pieces.list[index as usize];
            let mut around = if piece.is_whole {
                drafts.list[piece.draft].bounds
            } else {
                IBox3::around(pieces.edges(piece).iter().map(|edge| drafts.positions()[edge.vertex as usize]))
            };
            for vertex in &details.vertices[piece.detail_vertices.clone()] {
                around = around.grown(*vertex);
            }
            all = all.union(around);
            around
        }));
        if bounds.is_empty() {
            return;
        }
        header.bounds_min = all.min;
        header.bounds_max = all.max;
        for axis in 0..3 {
            let extent = i64::from(all.max[axis]) - i64::from(all.min[axis]);
            // The smallest shift that reduces it to 16 bits; it has at most 32.
            header.bv_shift[axis] = (64 - extent.leading_zeros()).saturating_sub(u16::BITS) as u8;
        }
        nodes.reserve(bounds.len().div_ceil(2));
        // Ranks in canonical order at first; at most 2^20, as checked.
        leaves.extend(0..bounds.len() as u32);
        Builder { bounds, header, nodes, leaves: 0 }.node(leaves);
        leaves.iter_mut().for_each(|leaf| *leaf = order[*leaf as usize]);
    }
}

struct Builder<'a> {
    /// The bounds of each polygon, by its rank in canonical order.
    bounds: &'a [IBox3],
    header: &'a Header,
    nodes: &'a mut Vec<BvNode>,
    leaves: u32,
}

impl Builder<'_> {
    /// Adds the node over `items`, given by rank, and the nodes below it, in depth-first order. Puts items
    /// into the order of leaves, and returns the node's index.
    fn node(&mut self, items: &mut [u32]) -> usize {
        let index = self.nodes.len();
        self.nodes.push(BvNode { min: [[u16::MAX; 4]; 3], max: [[0; 4]; 3], children: [BV_EMPTY; 4] });
        let mut slot = 0;
        for part in self.quarters(items) {
            let (child, (min, max)) = match part {
                [] => continue,
                [item] => {
                    self.leaves += 1;
                    let bounds = self.bounds[*item as usize];
                    let around = quantise(bounds, self.header.bounds_min, self.header.bv_shift);
                    (BV_LEAF | (self.leaves - 1), around)
                }
                _ => {
                    let below = self.node(part);
                    // Fewer nodes than polygons, and there are at most 2^20 polygons.
                    (below as u32, around(&self.nodes[below]))
                }
            };
            let node = &mut self.nodes[index];
            node.children[slot] = child;
            for axis in 0..3 {
                node.min[axis][slot] = min[axis];
                node.max[axis][slot] = max[axis];
            }
            slot += 1;
        }
        index
    }

    /// Cuts items into up to four parts for the slots of a node: all but the last hold the largest power of
    /// four that is less than the number of items, so that all nodes are full except those along one path,
    /// and no four-wide tree has fewer levels.
    fn quarters<'a>(&self, items: &'a mut [u32]) -> [&'a mut [u32]; 4] {
        // The exponent is that of the last index, rounded down to an even number.
        let part = 1 << (items.len().saturating_sub(1).max(1).ilog2() & !1);
        let (left, right) = self.cut(items, part);
        let ((a, b), (c, d)) = (self.cut(left, part), self.cut(right, part));
        [a, b, c, d]
    }

    /// Cuts items in two by position, the first half with the same number of parts as the other or one more.
    /// Items that fit one part stay together.
    fn cut<'a>(&self, items: &'a mut [u32], part: usize) -> (&'a mut [u32], &'a mut [u32]) {
        if items.len() <= part {
            return (items, &mut []);
        }
        // A power of two.
        let parts = ((items.len() - 1) >> part.trailing_zeros()) + 1;
        let first = part * parts.div_ceil(2);
        self.arrange(items, first);
        items.split_at_mut(first)
    }

    /// Moves to the front the `first` items whose centres come first along the axis on which centres spread
    /// most; of equal ones, those of lower rank.
    fn arrange(&self, items: &mut [u32], first: usize) {
        let (mut least, mut most) = ([i64::MAX; 3], [i64::MIN; 3]);
        for &item in &*items {
            for axis in 0..3 {
                let centre = centre(&self.bounds[item as usize], axis);
                least[axis] = least[axis].min(centre);
                most[axis] = most[axis].max(centre);
            }
        }
        // The first of equal spreads: x before y before z.
        let spread = |axis: usize| most[axis] - least[axis];
        let axis = if spread(1) > spread(0) { 1 } else { 0 };
        let axis = if spread(2) > spread(axis) { 2 } else { axis };
        items.select_nth_unstable_by_key(first, |&item| (centre(&self.bounds[item as usize], axis), item));
    }
}

/// The box around the children of a node, in the units of nodes. Empty slots add nothing to it.
#[inline]
fn around(node: &BvNode) -> ([u16; 3], [u16; 3]) {
    let least = node.min.map(|[a, b, c, d]| a.min(b).min(c.min(d)));
    let most = node.max.map(|[a, b, c, d]| a.max(b).max(c.max(d)));
    (least, most)
}

/// Twice the centre of a box.
#[inline]
fn centre(bounds: &IBox3, axis: usize) -> i64 {
    i64::from(bounds.min[axis]) + i64::from(bounds.max[axis])
}
