//! Rules of the BV tree. Nodes and leaves stand in depth-first order, so one walk proves that each is reached
//! exactly once, that children come after parents, and that a query's stack is bounded.

use super::{Verdict, refuse};
use crate::layout::{BV_EMPTY, BV_LEAF, BvNode, Polygon};
use crate::limits::BV_DEPTH_LIMIT;
use crate::tile::View;
use navmath::IBox3;

/// A box in the units of the nodes.
pub(super) type Quantised = ([u16; 3], [u16; 3]);

pub(super) fn check(tile: &View<'_>) -> Verdict {
    for axis in 0..3 {
        let extent = i64::from(tile.header.bounds_max[axis]) - i64::from(tile.header.bounds_min[axis]);
        let shift = tile.header.bv_shift[axis];
        if shift > 31 || extent >> shift > i64::from(u16::MAX) {
            let expected =
                format_args!("a shift that brings an extent of {extent} to 16 bits on axis {axis}");
            return refuse("bv-shift", expected, shift);
        }
    }
    let mut walk = Walk { tile, nodes: 0, leaves: 0 };
    if !tile.bv_nodes.is_empty() {
        walk.nodes = 1;
        walk.node(0, ([0; 3], [u16::MAX; 3]), 1)?;
    }
    let (nodes, polygons) = (tile.bv_nodes.len(), tile.polygons.len());
    if (walk.nodes, walk.leaves) != (nodes, polygons) {
        let expected = format_args!("all {nodes} nodes and {polygons} polygons reached");
        return refuse("bv-order", expected, format_args!("{} and {}", walk.nodes, walk.leaves));
    }
    Ok(())
}

struct Walk<'a> {
    tile: &'a View<'a>,
    /// Nodes met so far: the index the next one must have.
    nodes: usize,
    /// Polygons met so far.
    leaves: usize,
}

impl Walk<'_> {
    /// Recursion is bounded by [`BV_DEPTH_LIMIT`].
    fn node(&mut self, index: usize, around: Quantised, depth: usize) -> Verdict {
        if depth > BV_DEPTH_LIMIT {
            let expected = format_args!("at most {BV_DEPTH_LIMIT} levels");
            return refuse("bv-depth", expected, format_args!("more at node {index}"));
        }
        let node = &self.tile.bv_nodes[index];
        let used = node.children.iter().take_while(|child| **child != BV_EMPTY).count();
        let least = if self.tile.polygons.len() == 1 { 1 } else { 2 };
        if used < least || (used..4).any(|slot| !is_empty_slot(node, slot)) {
            let expected = format_args!("{least} to 4 children in node {index}, then empty slots");
            return refuse("bv-slots", expected, format_args!("{:x?}", node.children));
        }
        for slot in 0..used {
            let inner = slot_box(node, slot);
            if !contains(&around, &inner) {
                let expected = format_args!("slot {slot} of node {index} within {around:?}");
                return refuse("bv-bounds", expected, format_args!("{inner:?}"));
            }
            self.child(index, node.children[slot], inner, depth)?;
        }
        Ok(())
    }

    fn child(&mut self, parent: usize, child: u32, inner: Quantised, depth: usize) -> Verdict {
        let (is_leaf, target) = (child & BV_LEAF != 0, (child & !BV_LEAF) as usize);
        let (next, count) = match is_leaf {
            true => (&mut self.leaves, self.tile.polygons.len()),
            false => (&mut self.nodes, self.tile.bv_nodes.len()),
        };
        if target != *next || target >= count {
            let expected =
                format_args!("children in depth-first order, so {next} of {count}, in node {parent}");
            return refuse("bv-order", expected, format_args!("{child:#x}"));
        }
        *next += 1;
        if !is_leaf {
            return self.node(target, inner, depth + 1);
        }
        let polygon = self.bounds(&self.tile.polygons[target]);
        if !contains(&inner, &polygon) {
            let expected = format_args!("bounds of polygon {target} around {polygon:?}");
            return refuse("bv-bounds", expected, format_args!("{inner:?}"));
        }
        Ok(())
    }

    /// Bounds of a polygon's corners and detail vertices, in the units of the nodes.
    fn bounds(&self, polygon: &Polygon) -> Quantised {
        let View { header, vertices, edges, .. } = *self.tile;
        let corners = edges[polygon.edges()].iter().map(|edge| vertices[edge.vertex as usize]);
        let bounds = corners.fold(IBox3::EMPTY, IBox3::grown);
        let bounds = vertices[polygon.detail_vertices()].iter().copied().fold(bounds, IBox3::grown);
        quantise(bounds, header.bounds_min, header.bv_shift)
    }
}

/// Shifts a box into the nodes' units. The box must lie within bounds that start at `least` and that `shift`
/// brings to 16 bits.
#[inline]
pub(crate) fn quantise(bounds: IBox3, least: [i32; 3], shift: [u8; 4]) -> Quantised {
    let (mut min, mut max) = ([0; 3], [0; 3]);
    for axis in 0..3 {
        let scale = |value: i32| ((i64::from(value) - i64::from(least[axis])) >> shift[axis]) as u16;
        (min[axis], max[axis]) = (scale(bounds.min[axis]), scale(bounds.max[axis]));
    }
    (min, max)
}

#[inline]
fn slot_box(node: &BvNode, slot: usize) -> Quantised {
    (node.min.map(|axis| axis[slot]), node.max.map(|axis| axis[slot]))
}

#[inline]
fn is_empty_slot(node: &BvNode, slot: usize) -> bool {
    node.children[slot] == BV_EMPTY && slot_box(node, slot) == ([u16::MAX; 3], [0; 3])
}

#[inline]
fn contains(outer: &Quantised, inner: &Quantised) -> bool {
    let mut inside = true;
    for axis in 0..3 {
        inside &= outer.0[axis] <= inner.0[axis];
        inside &= inner.0[axis] <= inner.1[axis];
        inside &= inner.1[axis] <= outer.1[axis];
    }
    inside
}
