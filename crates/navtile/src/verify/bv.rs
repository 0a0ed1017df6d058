//! Rules of the BV tree. Nodes and leaves stand in depth-first order, so one walk proves that each is reached
//! exactly once, that children come after parents, and that a query's stack is bounded. The walk meets all polygons in
//! their order; the rest of each is checked at its leaf.

use super::{Verdict, refuse, surfaces};
use crate::layout::{BV_EMPTY, BV_LEAF, BvNode, Header};
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
    /// Nodes met so far: the index the next one must have.
    nodes: usize,
    /// Polygons met so far.
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
            let inner = slot_box(node, slot);
            if is_reversed(&inner) {
                return refuse_slot(index, slot, around, &inner);
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
                0 => self.node(target, &Around::new(inner), depth + 1)?,
                _ => surfaces::check(self.tile, target, Some(inner))?,
            }
        }
        Ok(())
    }
}

/// Twelve numbers, as the corners in a node: of all slots on the first axis, then the other axes.
type Lanes = [u16; 12];

/// A box that must contain all slots of a node, each of its numbers four times.
struct Around {
    min: Lanes,
    max: Lanes,
}

impl Around {
    const ALL: Around = Around { min: [0; 12], max: [u16::MAX; 12] };

    fn new((min, max): Quantised) -> Around {
        let spread = |numbers: [u16; 3]| bytemuck::cast(numbers.map(|number| [number; 4]));
        Around { min: spread(min), max: spread(max) }
    }

    /// Whether the first `used` slots of a node have boxes within this one, and all others the empty box. No early exit
    /// and a function of its own, so that it vectorises.
    #[inline(never)]
    fn covers(&self, node: &BvNode, used: usize) -> bool {
        let (min, max): (&Lanes, &Lanes) = (bytemuck::cast_ref(&node.min), bytemuck::cast_ref(&node.max));
        let free = &FREE[used];
        let mut flaws = 0;
        for lane in 0..12 {
            flaws |= self.min[lane].saturating_sub(min[lane])
                | max[lane].saturating_sub(self.max[lane])
                | ((!min[lane] | max[lane]) & free[lane]);
        }
        flaws == 0
    }
}

/// All bits of the lanes of unused slots, by the number of used ones.
const FREE: [Lanes; 5] = {
    let mut free = [[0; 12]; 5];
    let mut at = 0;
    while at < 5 * 12 {
        if at % 4 >= at / 12 {
            free[at / 12][at % 12] = u16::MAX;
        }
        at += 1;
    }
    free
};

/// Words what is wrong with the slots of a node.
#[cold]
fn refuse_slots(node: &BvNode, index: usize, least: usize, around: &Around) -> Verdict {
    let used = node.children.iter().take_while(|child| **child != BV_EMPTY).count();
    if used < least || (used..4).any(|slot| !is_empty_slot(node, slot)) {
        let expected = format_args!("{least} to 4 children in node {index}, then empty slots");
        return refuse("bv-slots", expected, format_args!("{:x?}", node.children));
    }
    let is_within = |(min, max): &Quantised| {
        (0..3).all(|axis| around.min[4 * axis] <= min[axis] && max[axis] <= around.max[4 * axis])
    };
    let slot = (0..used).find(|slot| !is_within(&slot_box(node, *slot))).unwrap_or(0);
    refuse_slot(index, slot, around, &slot_box(node, slot))
}

/// Words that the box of a slot is reversed, or reaches out of the node's.
#[cold]
fn refuse_slot(index: usize, slot: usize, around: &Around, inner: &Quantised) -> Verdict {
    let around = ([0, 4, 8].map(|lane| around.min[lane]), [0, 4, 8].map(|lane| around.max[lane]));
    let expected = format_args!("slot {slot} of node {index} within {around:?}");
    refuse("bv-bounds", expected, format_args!("{inner:?}"))
}

/// Words that a polygon reaches out of the box of its leaf.
#[cold]
pub(super) fn refuse_bounds(tile: &View<'_>, index: usize, leaf: Option<Quantised>) -> Verdict {
    let View { header, vertices, edges, .. } = *tile;
    let polygon = &tile.polygons[index];
    let corners = edges[polygon.edges()].iter().map(|edge| vertices[edge.vertex as usize]);
    let bounds = IBox3::around(corners.chain(vertices[polygon.detail_vertices()].iter().copied()));
    let bounds = quantise(bounds, header.bounds_min, header.bv_shift);
    let expected = format_args!("bounds of polygon {index} around {bounds:?}");
    refuse("bv-bounds", expected, format_args!("{:?}", leaf.unwrap_or_default()))
}

/// The positions whose units lie within a box of the tree.
pub(super) struct Region([Interval; 3]);

/// The numbers from `least` on, less than `length` further.
#[derive(Clone, Copy)]
struct Interval {
    least: i64,
    length: u64,
}

impl Region {
    /// All positions.
    pub(super) const ALL: Region = Region([Interval { least: i64::MIN, length: u64::MAX }; 3]);

    /// The region of a box that is not reversed.
    #[inline(always)]
    pub(super) fn of(header: &Header, (min, max): Quantised) -> Region {
        Region([0, 1, 2].map(|axis| {
            let unit = 1u64 << header.bv_shift[axis];
            let units = u64::from(max[axis] - min[axis]) + 1;
            let least = i64::from(header.bounds_min[axis]) + (u64::from(min[axis]) * unit) as i64;
            Interval { least, length: units * unit }
        }))
    }

    #[inline(always)]
    pub(super) fn contains(&self, position: &[i32; 3]) -> bool {
        let [x, y, z] = self.0;
        // Positions before the start wrap around to large numbers.
        let within =
            |value: i32, from: Interval| (i64::from(value).wrapping_sub(from.least) as u64) < from.length;
        within(position[0], x) && within(position[1], y) && within(position[2], z)
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
fn is_reversed((min, max): &Quantised) -> bool {
    (min[0] > max[0]) | (min[1] > max[1]) | (min[2] > max[2])
}
