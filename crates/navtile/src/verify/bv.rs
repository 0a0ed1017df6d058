//! Rules of the BV tree. Nodes and leaves are in depth-first order, so one walk proves that each is reached
//! exactly once, that children come after parents, and that a query's stack is bounded. The walk visits all
//! polygons in order, and checks the rest of each polygon at its leaf.

use super::boxes::{Around, slot_box};
use super::{Verdict, refuse, surfaces};
use crate::layout::{BV_EMPTY, BV_LEAF, BvNode};
use crate::limits::BV_DEPTH_LIMIT;
use crate::tile::View;

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
        walk.node(0, &Around::ALL, 1)?;
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
    /// Nodes visited so far: the index that the next one must have.
    nodes: usize,
    /// Polygons visited so far.
    leaves: usize,
}

impl Walk<'_> {
    /// Recursion is bounded by [`BV_DEPTH_LIMIT`].
    fn node(&mut self, index: usize, around: &Around, depth: usize) -> Verdict {
        if depth > BV_DEPTH_LIMIT {
            let expected = format_args!("at most {BV_DEPTH_LIMIT} levels");
            return refuse("bv-depth", expected, format_args!("more at node {index}"));
        }
        let node = &self.tile.bv_nodes[index];
        let used = node.children.iter().filter(|child| **child != BV_EMPTY).count();
        let in_front = node.children.array_windows().all(|[a, b]| *a != BV_EMPTY || *b == BV_EMPTY);
        let least = if self.tile.polygons.len() == 1 { 1 } else { 2 };
        if used < least || !in_front || !around.covers(node, used) {
            return refuse_slots(node, index, least, around);
        }
        for (slot, &child) in node.children[..used].iter().enumerate() {
            if (0..3).any(|axis| node.min[axis][slot] > node.max[axis][slot]) {
                return refuse_slot(index, node, slot, around);
            }
            let target = (child & !BV_LEAF) as usize;
            let (next, count) = match child & BV_LEAF {
                0 => (&mut self.nodes, self.tile.bv_nodes.len()),
                _ => (&mut self.leaves, self.tile.polygons.len()),
            };
            if target != *next || target >= count {
                let expected =
                    format_args!("children in depth-first order, so {next} of {count}, in node {index}");
                return refuse("bv-order", expected, format_args!("{child:#x}"));
            }
            *next += 1;
            match child & BV_LEAF {
                0 => self.node(target, &Around::slot(node, slot), depth + 1)?,
                _ => surfaces::check(self.tile, target, Some((node, slot)))?,
            }
        }
        Ok(())
    }
}

/// Makes the error for the slots of a node.
#[cold]
fn refuse_slots(node: &BvNode, index: usize, least: usize, around: &Around) -> Verdict {
    let used = node.children.iter().take_while(|child| **child != BV_EMPTY).count();
    if used < least || (used..4).any(|slot| !is_empty_slot(node, slot)) {
        let expected = format_args!("{least} to 4 children in node {index}, then empty slots");
        return refuse("bv-slots", expected, format_args!("{:x?}", node.children));
    }
    let is_within = |slot: &usize| {
        let (min, max) = slot_box(node, *slot);
        (0..3).all(|axis| around.min[4 * axis] <= min[axis] && max[axis] <= around.max[4 * axis])
    };
    let slot = (0..used).find(|slot| !is_within(slot)).unwrap_or(0);
    refuse_slot(index, node, slot, around)
}

/// Makes the error for a slot's box that is reversed, or reaches out of the node's box.
#[cold]
fn refuse_slot(index: usize, node: &BvNode, slot: usize, around: &Around) -> Verdict {
    let around = ([0, 4, 8].map(|lane| around.min[lane]), [0, 4, 8].map(|lane| around.max[lane]));
    let expected = format_args!("slot {slot} of node {index} within {around:?}");
    refuse("bv-bounds", expected, format_args!("{:?}", slot_box(node, slot)))
}

#[inline]
fn is_empty_slot(node: &BvNode, slot: usize) -> bool {
    node.children[slot] == BV_EMPTY && slot_box(node, slot) == ([u16::MAX; 3], [0; 3])
}
