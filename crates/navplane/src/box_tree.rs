//! A packed R-tree: finds the boxes that something touches. Built by sorting into strips.
//!
//! Cost: O(n log n) to build; a query visits boxes whose parents it touches.
//! Source: S. Leutenegger, M. Lopez, J. Edgington, STR: a simple and efficient algorithm for R-tree packing
//! (1997).

use crate::grid::Point;

/// Children of a node.
const WIDTH: usize = 8;

/// A box: smallest and largest corner, both included.
pub(crate) type Bounds = [Point; 2];

/// The box around some points. Without points it is an empty box, which overlaps nothing.
pub(crate) fn bounds(points: impl IntoIterator<Item = Point>) -> Bounds {
    let empty = [[i32::MAX; 2], [i32::MIN; 2]];
    points.into_iter().fold(empty, |[low, high], point| {
        [[0, 1].map(|axis| low[axis].min(point[axis])), [0, 1].map(|axis| high[axis].max(point[axis]))]
    })
}

/// The box, grown by a spacing on all sides.
pub(crate) fn grown([low, high]: &Bounds) -> Bounds {
    [low.map(|value| value.saturating_sub(1)), high.map(|value| value.saturating_add(1))]
}

/// Returns true if two boxes share a position.
pub(crate) fn overlap(a: &Bounds, b: &Bounds) -> bool {
    (0..2).all(|axis| a[0][axis] <= b[1][axis] && b[0][axis] <= a[1][axis])
}

/// The tree.
pub(crate) struct BoxTree {
    /// Items in the order of the leaves.
    items: Vec<u32>,
    /// Boxes of the items, then of their parents, up to the root.
    levels: Vec<Vec<Bounds>>,
}

impl BoxTree {
    /// The tree of these boxes; there must be fewer than 2^32.
    pub(crate) fn new(boxes: &[Bounds]) -> BoxTree {
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
        BoxTree { items, levels }
    }

    /// Calls `found` with every item if `touches` returns true for its box and for all parents' boxes.
    pub(crate) fn visit(&self, touches: impl Fn(&Bounds) -> bool, mut found: impl FnMut(u32)) {
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

/// The box around some boxes.
fn union(boxes: &[Bounds]) -> Bounds {
    bounds(boxes.iter().flatten().copied())
}
