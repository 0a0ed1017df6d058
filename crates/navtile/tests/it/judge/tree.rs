//! Rules of the BV tree. Nodes and leaves are in depth-first order, so one walk proves that each is reached
//! exactly once, that children come after parents, and that a query's stack is bounded. Corners that do not
//! exist are skipped.

use super::{Verdict, refuse};
use crate::common::parts::Parts;
use navmath::IBox3;
use navtile::layout::{BV_EMPTY, BV_LEAF, BvNode, Header, Polygon};
use navtile::limits::BV_DEPTH_LIMIT;

/// A box in the units of the nodes.
type Quantised = ([u16; 3], [u16; 3]);

pub(super) fn check(tile: &Parts) -> Verdict {
    if let Some(axis) = (0..3).find(|axis| !fits_16_bits(&tile.header, *axis)) {
        let (extent, shift) = (extent(&tile.header, axis), tile.header.bv_shift[axis]);
        let expected = format!("a shift that brings an extent of {extent} to 16 bits on axis {axis}");
        return refuse("bv-shift", expected, format!("{shift}"));
    }
    let mut walk = Walk { tile, nodes: 0, leaves: 0 };
    if !tile.nodes.is_empty() {
        walk.nodes = 1;
        walk.node(0, ([0; 3], [u16::MAX; 3]), 1)?;
    }
    let expected = (tile.nodes.len(), tile.polygons.len());
    if (walk.nodes, walk.leaves) != expected {
        let expected = format!("all {} nodes and {} polygons reached", expected.0, expected.1);
        return refuse("bv-order", expected, format!("{} and {}", walk.nodes, walk.leaves));
    }
    Ok(())
}

fn extent(header: &Header, axis: usize) -> i64 {
    i64::from(header.bounds_max[axis]) - i64::from(header.bounds_min[axis])
}

/// Returns true if the shift reduces the bounds to 16 bits.
fn fits_16_bits(header: &Header, axis: usize) -> bool {
    header.bv_shift[axis] <= 31 && extent(header, axis) >> header.bv_shift[axis] <= i64::from(u16::MAX)
}

struct Walk<'a> {
    tile: &'a Parts,
    /// Nodes visited so far: the index that the next one must have.
    nodes: usize,
    /// Polygons visited so far.
    leaves: usize,
}

impl Walk<'_> {
    /// Recursion is bounded by [`BV_DEPTH_LIMIT`].
    fn node(&mut self, index: usize, around: Quantised, depth: usize) -> Verdict {
        if depth > BV_DEPTH_LIMIT {
            return refuse(
                "bv-depth",
                format!("at most {BV_DEPTH_LIMIT} levels"),
                format!("more at node {index}"),
            );
        }
        let node = &self.tile.nodes[index];
        let used = node.children.iter().take_while(|child| **child != BV_EMPTY).count();
        let least = if self.tile.polygons.len() == 1 { 1 } else { 2 };
        if used < least || (used..4).any(|slot| !is_empty_slot(node, slot)) {
            let expected = format!("{least} to 4 children in node {index}, then empty slots");
            return refuse("bv-slots", expected, format!("{:x?}", node.children));
        }
        for slot in 0..used {
            let inner = slot_box(node, slot);
            if !(0..3).all(|axis| around.0[axis] <= inner.0[axis] && inner.1[axis] <= around.1[axis]) {
                let expected = format!("slot {slot} of node {index} within {around:?}");
                return refuse("bv-bounds", expected, format!("{inner:?}"));
            }
        }
        for slot in 0..used {
            let inner = slot_box(node, slot);
            if (0..3).any(|axis| inner.0[axis] > inner.1[axis]) {
                let expected = format!("slot {slot} of node {index} within {around:?}");
                return refuse("bv-bounds", expected, format!("{inner:?}"));
            }
            self.child(index, node.children[slot], slot_box(node, slot), depth)?;
        }
        Ok(())
    }

    fn child(&mut self, parent: usize, child: u32, inner: Quantised, depth: usize) -> Verdict {
        let (leaf, target) = (child & BV_LEAF != 0, (child & !BV_LEAF) as usize);
        let (next, count) =
            if leaf { (self.leaves, self.tile.polygons.len()) } else { (self.nodes, self.tile.nodes.len()) };
        if target != next || target >= count {
            let expected = format!("children in depth-first order, so {next} of {count}, in node {parent}");
            return refuse("bv-order", expected, format!("{child:#x}"));
        }
        if !leaf {
            self.nodes += 1;
            return self.node(target, inner, depth + 1);
        }
        self.leaves += 1;
        let polygon = self.quantised(&self.tile.polygons[target]);
        if !contains(&inner, &polygon) {
            let expected = format!("bounds of polygon {target} around {polygon:?}");
            return refuse("bv-bounds", expected, format!("{inner:?}"));
        }
        Ok(())
    }

    /// Bounds of a polygon's corners and detail vertices, in the units of the nodes.
    fn quantised(&self, polygon: &Polygon) -> Quantised {
        let vertices = &self.tile.vertices;
        let mut bounds = IBox3::EMPTY;
        for edge in &self.tile.edges[polygon.edges()] {
            bounds = vertices.get(edge.vertex as usize).map_or(bounds, |&vertex| bounds.grown(vertex));
        }
        let first = polygon.first_detail_vertex as usize;
        for &vertex in &vertices[first..first + usize::from(polygon.detail_vertex_count)] {
            bounds = bounds.grown(vertex);
        }
        let header = &self.tile.header;
        quantise(bounds, header.bounds_min, header.bv_shift)
    }
}

/// Converts a box to the nodes' units. The box must be within bounds that start at `least` and that `shift`
/// reduces to 16 bits.
fn quantise(bounds: IBox3, least: [i32; 3], shift: [u8; 4]) -> Quantised {
    let (mut min, mut max) = ([0; 3], [0; 3]);
    for axis in 0..3 {
        let scale = |value: i32| ((i64::from(value) - i64::from(least[axis])) >> shift[axis]) as u16;
        (min[axis], max[axis]) = (scale(bounds.min[axis]), scale(bounds.max[axis]));
    }
    (min, max)
}

fn slot_box(node: &BvNode, slot: usize) -> Quantised {
    let ([x, y, z], [end_x, end_y, end_z]) = (&node.min, &node.max);
    ([x[slot], y[slot], z[slot]], [end_x[slot], end_y[slot], end_z[slot]])
}

fn is_empty_slot(node: &BvNode, slot: usize) -> bool {
    node.children[slot] == BV_EMPTY && slot_box(node, slot) == ([u16::MAX; 3], [0; 3])
}

fn contains(outer: &Quantised, inner: &Quantised) -> bool {
    let mut inside = true;
    for axis in 0..3 {
        inside &= outer.0[axis] <= inner.0[axis];
        inside &= inner.0[axis] <= inner.1[axis];
        inside &= inner.1[axis] <= outer.1[axis];
    }
    inside
}
