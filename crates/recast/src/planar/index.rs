//! A packed tree of boxes: which of many boxes does something touch. Built by sorting into strips.
//!
//! Cost: O(n log n) to build; a query visits boxes whose parents it touches.
//! Source: S. Leutenegger, M. Lopez, J. Edgington, STR: a simple and efficient algorithm for R-tree packing (1997).

use super::grid::Point;

/// Children of a node.
const WIDTH: usize = 8;

/// A box: smallest and largest corner, both included.
pub(super) type Bounds = [Point; 2];

/// The box of two points.
pub(super) fn bounds(a: Point, b: Point) -> Bounds {
    [[a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]]
}

/// Whether two boxes share a position.
pub(super) fn overlap(a: &Bounds, b: &Bounds) -> bool {
    (0..2).all(|axis| a[0][axis] <= b[1][axis] && b[0][axis] <= a[1][axis])
}

/// The tree.
pub(super) struct Index {
    /// Items in the order of the leaves.
    items: Vec<u32>,
    /// Boxes of the items, then of their parents, up to the root.
    levels: Vec<Vec<Bounds>>,
}

impl Index {
    /// The tree of these boxes; there are fewer than 2^32.
    pub(super) fn new(boxes: &[Bounds]) -> Index {
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        let middle = |item: &u32, axis: usize| {
            let bounds = &boxes[*item as usize];
            i64::from(bounds[0][axis]) + i64::from(bounds[1][axis])
        };
        items.sort_unstable_by_key(|item| (middle(item, 0), *item));
        let strips = boxes.len().div_ceil(WIDTH).isqrt().max(1);
        let strip = boxes.len().div_ceil(strips).next_multiple_of(WIDTH).max(WIDTH);
        for part in items.chunks_mut(strip) {
            part.sort_unstable_by_key(|item| (middle(item, 1), *item));
        }
        let mut levels = vec![items.iter().map(|&item| boxes[item as usize]).collect::<Vec<_>>()];
        while let Some(last) = levels.last().filter(|last| last.len() > 1) {
            let parents = last.chunks(WIDTH).map(union).collect();
            levels.push(parents);
        }
        Index { items, levels }
    }

    /// Calls `found` with every item whose box, and whose parents' boxes, `touches` says yes to.
    pub(super) fn visit(&self, touches: impl Fn(&Bounds) -> bool, mut found: impl FnMut(u32)) {
        let mut open = vec![(self.levels.len() - 1, 0usize)];
        while let Some((level, at)) = open.pop() {
            let Some(bounds) = self.levels[level].get(at) else { continue };
            if !touches(bounds) {
                continue;
            }
            if level == 0 {
                found(self.items[at]);
            } else {
                open.extend((at * WIDTH..(at + 1) * WIDTH).rev().map(|child| (level - 1, child)));
            }
        }
    }
}

/// The box around some.
fn union(boxes: &[Bounds]) -> Bounds {
    let mut all = boxes[0];
    for [low, high] in &boxes[1..] {
        for axis in 0..2 {
            all[0][axis] = all[0][axis].min(low[axis]);
            all[1][axis] = all[1][axis].max(high[axis]);
        }
    }
    all
}
