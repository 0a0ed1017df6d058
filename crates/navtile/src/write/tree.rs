//! The four-wide BV tree: cut across the axis of the widest spread, twice a node. Every tie is broken by the
//! polygons' canonical order, so the tree depends on their set only.
//!
//! Cost: O(n log² n). One cache line a node, about n / 3 nodes.

use super::detail::Details;
use super::draft::Drafts;
use super::twins::Pieces;
use crate::layout::{BV_EMPTY, BV_LEAF, BvNode, Header};
use crate::limits::POLYGON_LIMIT;
use crate::verify::bv::quantise;
use navmath::IBox3;

/// The tree over some pieces.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<BvNode>,
    /// The pieces in the order of the leaves.
    pub(super) leaves: Vec<u32>,
    // What follows is used over and over.
    bounds: Vec<IBox3>,
    keys: Vec<u64>,
}

impl Tree {
    /// Builds the tree over pieces, given in canonical order, in place of what was here, and fills in the header's
    /// bounds and shifts. Every detail vertex is in use.
    pub(super) fn build(
        &mut self,
        order: &[u32],
        drafts: &Drafts,
        pieces: &Pieces,
        details: &Details,
        header: &mut Header,
    ) {
        let Tree { nodes, leaves, bounds, keys } = self;
        nodes.clear();
        leaves.clear();
        bounds.clear();
        bounds.extend(order.iter().map(|&index| {
            let piece = &pieces.list[index as usize];
            let corners = pieces.edges(piece).iter().map(|edge| drafts.positions()[edge.vertex as usize]);
            let own = details.vertices[piece.detail_vertices.clone()].iter().copied();
            IBox3::around(corners.chain(own))
        }));
        if bounds.is_empty() {
            return;
        }
        let all = bounds.iter().fold(IBox3::EMPTY, |sum, other| sum.union(*other));
        header.bounds_min = all.min;
        header.bounds_max = all.max;
        for axis in 0..3 {
            let extent = i64::from(all.max[axis]) - i64::from(all.min[axis]);
            header.bv_shift[axis] =
                (0..32).find(|shift| extent >> shift <= i64::from(u16::MAX)).unwrap_or(31);
        }
        // Ranks in canonical order at first; at most 2^20, as checked.
        leaves.extend(0..bounds.len() as u32);
        Builder { bounds, header, nodes, leaves: 0, keys }.node(leaves);
        leaves.iter_mut().for_each(|leaf| *leaf = order[*leaf as usize]);
    }
}

struct Builder<'a> {
    /// Of each polygon, by its rank in canonical order.
    bounds: &'a [IBox3],
    header: &'a Header,
    nodes: &'a mut Vec<BvNode>,
    leaves: u32,
    /// Used over and over.
    keys: &'a mut Vec<u64>,
}

impl Builder<'_> {
    /// Adds the node over `items`, given by rank, and those below it, in depth-first order; puts items into the order
    /// of leaves, and gives the node's index and its bounds.
    fn node(&mut self, items: &mut [u32]) -> (u32, IBox3) {
        let index = self.nodes.len();
        self.nodes.push(BvNode { min: [[u16::MAX; 4]; 3], max: [[0; 4]; 3], children: [BV_EMPTY; 4] });
        let mut around = IBox3::EMPTY;
        for (slot, part) in self.quarters(items).into_iter().filter(|part| !part.is_empty()).enumerate() {
            let (child, bounds) = if let [item] = part {
                self.leaves += 1;
                (BV_LEAF | (self.leaves - 1), self.bounds[*item as usize])
            } else {
                self.node(part)
            };
            around = around.union(bounds);
            let (min, max) = quantise(bounds, self.header.bounds_min, self.header.bv_shift);
            let node = &mut self.nodes[index];
            node.children[slot] = child;
            for axis in 0..3 {
                node.min[axis][slot] = min[axis];
                node.max[axis][slot] = max[axis];
            }
        }
        // Fewer nodes than polygons, of which there are at most 2^20.
        (index as u32, around)
    }

    /// Cuts items into up to four parts for the slots of a node: all but the last hold the largest power of four
    /// that is less than the number of items, so that all nodes are full but those along one path, and no four-wide
    /// tree has fewer levels.
    fn quarters<'a>(&mut self, items: &'a mut [u32]) -> [&'a mut [u32]; 4] {
        let mut part = 1;
        while part * 4 < items.len() {
            part *= 4;
        }
        let (left, right) = self.cut(items, part);
        let ((a, b), (c, d)) = (self.cut(left, part), self.cut(right, part));
        [a, b, c, d]
    }

    /// Cuts items in two by place, the first half a multiple of `part`; what fits one part is left whole.
    fn cut<'a>(&mut self, items: &'a mut [u32], part: usize) -> (&'a mut [u32], &'a mut [u32]) {
        let parts = items.len().div_ceil(part);
        let first = (part * parts.div_ceil(2)).min(items.len());
        if parts > 1 {
            self.arrange(items, first);
        }
        items.split_at_mut(first)
    }

    /// Moves to the front the `first` items whose centres come first along the axis on which centres spread most;
    /// of equals, those of lower rank.
    fn arrange(&mut self, items: &mut [u32], first: usize) {
        let mut centres = [(i64::MAX, i64::MIN); 3];
        for &item in &*items {
            for (axis, (least, most)) in centres.iter_mut().enumerate() {
                let centre = centre(&self.bounds[item as usize], axis);
                (*least, *most) = ((*least).min(centre), (*most).max(centre));
            }
        }
        // The first of equals: x before y before z.
        let axis = (0..3).min_by_key(|&axis| centres[axis].0 - centres[axis].1).unwrap_or(0);
        // Ranks are below 2^20, and what centres are apart below 2^33.
        self.keys.clear();
        self.keys.extend(items.iter().map(|&item| {
            let along = centre(&self.bounds[item as usize], axis) - centres[axis].0;
            along.cast_unsigned() << RANK_BITS | u64::from(item)
        }));
        if first < items.len() {
            self.keys.select_nth_unstable(first);
        }
        for (item, key) in items.iter_mut().zip(&*self.keys) {
            *item = (key & ((1 << RANK_BITS) - 1)) as u32;
        }
    }
}

const RANK_BITS: u32 = POLYGON_LIMIT.ilog2();

/// Twice the centre of a box.
#[inline]
fn centre(bounds: &IBox3, axis: usize) -> i64 {
    i64::from(bounds.min[axis]) + i64::from(bounds.max[axis])
}
