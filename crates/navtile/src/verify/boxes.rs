//! Boxes of the BV tree: in the units of its nodes, in SIMD lanes, and as regions of positions.

use crate::layout::{BvNode, Header};
use navmath::IBox3;

/// A box in the units of the nodes.
pub(crate) type Quantised = ([u16; 3], [u16; 3]);

/// A node and its slot that leads to a polygon.
pub(super) type Leaf<'a> = (&'a BvNode, usize);

/// The positions whose units are within a box of the tree.
pub(super) struct Region([Interval; 3]);

/// The numbers from `least` up to, but not including, `least + length`.
#[derive(Clone, Copy)]
struct Interval {
    least: i64,
    length: u64,
}

impl Region {
    /// All positions.
    pub(super) const ALL: Region = Region([Interval { least: i64::MIN, length: u64::MAX }; 3]);

    /// The region of a leaf. Its box must not be reversed.
    #[inline(always)]
    pub(super) fn of(header: &Header, (node, slot): Leaf<'_>) -> Region {
        Region([0, 1, 2].map(|axis| {
            let (min, max) = (u64::from(node.min[axis][slot]), u64::from(node.max[axis][slot]));
            let least = i64::from(header.bounds_min[axis]) + (min << header.bv_shift[axis]) as i64;
            Interval { least, length: (max - min + 1) << header.bv_shift[axis] }
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

/// Twelve numbers, in the order of a node's corners: all slots of the first axis, then the other axes.
pub(super) type Lanes = [u16; 12];

/// A box that must contain all slots of a node, with each number repeated for the four slots.
pub(super) struct Around {
    pub(super) min: Lanes,
    pub(super) max: Lanes,
}

impl Around {
    pub(super) const ALL: Around = Around { min: [0; 12], max: [u16::MAX; 12] };

    /// The box of a slot.
    pub(super) fn slot(node: &BvNode, slot: usize) -> Around {
        let spread = |corner: &[[u16; 4]; 3]| bytemuck::cast(corner.map(|axis| [axis[slot]; 4]));
        Around { min: spread(&node.min), max: spread(&node.max) }
    }

    /// Returns true if the first `used` slots of a node have boxes within this one, and all others the empty
    /// box. It has no early exit and is a separate function, so that it vectorises.
    #[inline(never)]
    pub(super) fn covers(&self, node: &BvNode, used: usize) -> bool {
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

/// All bits set in the lanes of unused slots, by the number of used slots.
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

/// Converts a box to the nodes' units. The box must be within bounds that start at `least` and that `shift`
/// reduces to 16 bits.
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
pub(super) fn slot_box(node: &BvNode, slot: usize) -> Quantised {
    (node.min.map(|axis| axis[slot]), node.max.map(|axis| axis[slot]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: [u16; 2] = [u16::MAX, 0];

    /// Returns true if a box, equal on all axes, covers a node. The node's used slots have the same extents
    /// as the box and the others are empty, except for one slot on one axis.
    fn covers_with(
        [low, high]: [u16; 2],
        used: usize,
        (axis, slot): (usize, usize),
        sides: [u16; 2],
    ) -> bool {
        let filled = |value: u16, free: u16| [0, 1, 2, 3].map(|at| if at < used { value } else { free });
        let (min, max) = ([filled(low, EMPTY[0]); 3], [filled(high, EMPTY[1]); 3]);
        let mut node = BvNode { min, max, children: [0; 4] };
        [node.min[axis][slot], node.max[axis][slot]] = sides;
        Around { min: [low; 12], max: [high; 12] }.covers(&node, used)
    }

    #[test]
    fn a_box_covers_what_lies_within_it_and_slots_without_use_are_empty() {
        let sides = (0..=6).flat_map(|min| (0..=6).map(move |max| [min, max]));
        let sides: Vec<_> = sides.chain([EMPTY, [u16::MAX, 1], [u16::MAX - 1, 0]]).collect();
        let lanes: Vec<_> = (0..3).flat_map(|axis| (0..4).map(move |slot| (axis, slot))).collect();
        for around in [[2, 4], [0, 0]] {
            for (used, &lane) in (0..=4).flat_map(|used| lanes.iter().map(move |lane| (used, lane))) {
                for &[min, max] in &sides {
                    let within = min >= around[0] && max <= around[1];
                    let expected = if lane.1 < used { within } else { [min, max] == EMPTY };
                    let found = covers_with(around, used, lane, [min, max]);
                    assert_eq!(found, expected, "{used} used in {around:?}, {min} to {max} in {lane:?}");
                }
            }
        }
    }
}
