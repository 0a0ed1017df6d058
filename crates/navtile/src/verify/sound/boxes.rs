//! Boxes of the BV tree: those of a node within that of its parent, and positions within that of a leaf.

use crate::layout::BvNode;
use crate::verify::bv::slot_box;

/// Twelve numbers as the least or largest corners in a node: those of all slots on the first axis, then the others.
type Lanes = [u16; 12];

/// A box that contains those of all slots of a node, each number once for each of them.
pub(super) struct Around {
    min: Lanes,
    max: Lanes,
}

impl Around {
    pub(super) const ALL: Around = Around { min: [0; 12], max: [u16::MAX; 12] };

    /// The box of a slot.
    #[inline]
    pub(super) fn slot(node: &BvNode, slot: usize) -> Around {
        let (min, max) = slot_box(node, slot);
        let spread = |numbers: [u16; 3]| bytemuck::cast(numbers.map(|number| [number; 4]));
        Around { min: spread(min), max: spread(max) }
    }

    /// Whether a node has boxes within this one in its first slots, as many as are used, and the largest number, then
    /// zero in all others. Boxes that are turned round are not refused here: no polygon is within one.
    #[inline(never)]
    pub(super) fn covers(&self, node: &BvNode, used: usize) -> bool {
        let (min, max): (&Lanes, &Lanes) = (bytemuck::cast_ref(&node.min), bytemuck::cast_ref(&node.max));
        let free = &FREE[used];
        // All lanes at once, which the compiler makes of it.
        let mut flaws = 0;
        for lane in 0..12 {
            flaws |= self.min[lane].saturating_sub(min[lane])
                | max[lane].saturating_sub(self.max[lane])
                | ((!min[lane] | max[lane]) & free[lane]);
        }
        flaws == 0
    }
}

/// All bits of the slots that are not used, by how many are.
const FREE: [Lanes; 5] = {
    let mut free = [[0; 12]; 5];
    let mut at = 0;
    while at < 5 * 12 {
        let (used, slot) = (at / 12, at % 4);
        if slot >= used {
            free[used][at % 12] = u16::MAX;
        }
        at += 1;
    }
    free
};

/// The positions that have the units of a box of the BV tree.
#[derive(Clone, Copy)]
pub(super) struct Region {
    pub(super) x: Stretch,
    pub(super) y: Stretch,
    pub(super) z: Stretch,
}

/// The numbers from `least` on, less than `reach` further.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    least: i64,
    reach: u64,
}

impl Stretch {
    /// Those from unit `min` on, until the end of unit `max`.
    #[inline(always)]
    pub(super) fn of(start: i64, unit: u64, min: u16, max: u16) -> Option<Stretch> {
        let count = u64::from(max.checked_sub(min)?) + 1;
        Some(Stretch { least: start + (u64::from(min) * unit) as i64, reach: count * unit })
    }

    #[inline(always)]
    pub(super) fn contains(self, value: i32) -> bool {
        // What lies before the start wraps around.
        ((i64::from(value) - self.least) as u64) < self.reach
    }
}

impl Region {
    #[inline(always)]
    pub(super) fn contains(&self, &[x, y, z]: &[i32; 3]) -> bool {
        self.x.contains(x) && self.y.contains(y) && self.z.contains(z)
    }
}
