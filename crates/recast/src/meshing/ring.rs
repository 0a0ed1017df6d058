//! The corners of a polygon in a ring: corners can be removed, and the edges in a box can be found.
//! Cost: O(log corners) to remove one; a query examines the blocks of edges whose boxes it touches.
//!
//! Consecutive edges are near each other, so blocks of them have small boxes. A small polygon is one block.

use super::box_tree::{BoxTree, PlanBox, bounds};
use navmath::predicates::Point;
use std::cmp::Ordering;

/// Corners in a block: one for each bit of a mask.
const BLOCK: usize = u32::BITS as usize;

/// The polygon.
#[derive(Default)]
pub(crate) struct Ring {
    /// All corners, including removed ones.
    corners: Vec<RingCorner>,
    /// The box around the edge that starts at each corner.
    boxes: Vec<EdgeBox>,
    /// For each block, a mask of the remaining corners.
    left: Vec<u32>,
    /// The box around the edges of each block.
    tree: BoxTree,
    /// The lowest remaining corner.
    first: u32,
    len: usize,
}

#[derive(Clone, Copy)]
struct RingCorner {
    point: Point,
    previous: u32,
    next: u32,
}

/// A box with its largest corner negated, so that four comparisons of one kind, which are one instruction,
/// decide if two boxes touch.
type EdgeBox = [i32; 4];

/// The box around an edge.
#[inline]
fn edge_box(a: Point, b: Point) -> EdgeBox {
    [a[0].min(b[0]), a[1].min(b[1]), -a[0].max(b[0]), -a[1].max(b[1])]
}

/// Upper limits for a box that touches this one.
#[inline]
fn limits([low, high]: &PlanBox) -> EdgeBox {
    [high[0], high[1], -low[0], -low[1]]
}

impl Ring {
    /// Replaces the polygon.
    pub(crate) fn start(&mut self, outline: &[Point]) {
        let count = outline.len() as u32;
        self.corners.clear();
        self.corners.extend((0..count).zip(outline).map(|(at, &point)| RingCorner {
            point,
            previous: if at > 0 { at - 1 } else { count - 1 },
            next: if at + 1 < count { at + 1 } else { 0 },
        }));
        let ends = outline.iter().skip(1).chain(outline.first());
        self.boxes.clear();
        self.boxes.extend(outline.iter().zip(ends).map(|(&from, &to)| edge_box(from, to)));
        self.left.clear();
        self.left.extend(outline.chunks(BLOCK).map(|block| u32::MAX >> (BLOCK - block.len())));
        (self.first, self.len) = (0, outline.len());
        let Ring { boxes, left, tree, .. } = self;
        tree.build((0..left.len()).map(|block| block_bounds(boxes, left, block)));
    }

    /// Number of remaining corners.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The lowest remaining corner.
    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    #[inline]
    pub(crate) fn is_left(&self, corner: u32) -> bool {
        self.left[corner as usize / BLOCK] >> (corner as usize % BLOCK) & 1 == 1
    }

    #[inline]
    pub(crate) fn at(&self, corner: u32) -> Point {
        self.corners[corner as usize].point
    }

    #[inline]
    pub(crate) fn next(&self, corner: u32) -> u32 {
        self.corners[corner as usize].next
    }

    #[inline]
    pub(crate) fn previous(&self, corner: u32) -> u32 {
        self.corners[corner as usize].previous
    }

    /// Removes a corner; the edge from the corner before it then leads to the corner after it.
    pub(crate) fn remove(&mut self, corner: u32) {
        let RingCorner { previous, next, .. } = self.corners[corner as usize];
        self.corners[previous as usize].next = next;
        self.corners[next as usize].previous = previous;
        self.boxes[previous as usize] = edge_box(self.at(previous), self.at(next));
        self.left[corner as usize / BLOCK] &= !(1 << (corner as usize % BLOCK));
        self.len -= 1;
        if corner == self.first {
            self.first = next;
        }
        let [own, before] = [corner, previous].map(|corner| corner as usize / BLOCK);
        // Within one block, the block's box already contains the new edge.
        if own != before {
            for block in [own, before] {
                self.tree.set(block, block_bounds(&self.boxes, &self.left, block));
            }
        }
    }

    /// The first edge whose box touches the query, and for which `is_wanted` returns true. The corner where
    /// an edge starts identifies it.
    #[inline]
    pub(crate) fn find_edge(
        &self,
        query: &PlanBox,
        mut is_wanted: impl FnMut(u32, Point, Point) -> bool,
    ) -> Option<u32> {
        let limits = limits(query);
        if self.left.len() == 1 {
            return self.find_in_block(0, self.left[0], &limits, &mut is_wanted);
        }
        self.tree.find(query, |block| self.find_in_block(block, self.left[block], &limits, &mut is_wanted))
    }

    /// Like [`Ring::find_edge`]; the query is the segment between two points.
    #[inline]
    pub(crate) fn find_edge_on(
        &self,
        segment: [Point; 2],
        mut is_wanted: impl FnMut(u32, Point, Point) -> bool,
    ) -> Option<u32> {
        let limits = limits(&bounds(segment));
        if self.left.len() == 1 {
            return self.find_in_block(0, self.left[0], &limits, &mut is_wanted);
        }
        self.tree
            .find_on(segment, |block| self.find_in_block(block, self.left[block], &limits, &mut is_wanted))
    }

    /// Like [`Ring::find_edge_on`] for the edge that starts at a corner, among the edges before it.
    #[inline]
    pub(crate) fn find_edge_before(
        &self,
        corner: u32,
        mut is_wanted: impl FnMut(u32, Point, Point) -> bool,
    ) -> Option<u32> {
        let segment = [self.at(corner), self.at(self.next(corner))];
        let limits = limits(&bounds(segment));
        let (last, bit) = (corner as usize / BLOCK, corner as usize % BLOCK);
        let before = self.left[last] & ((1 << bit) - 1);
        if last == 0 {
            return self.find_in_block(0, before, &limits, &mut is_wanted);
        }
        self.tree.find_on(segment, |block| {
            let left = match block.cmp(&last) {
                Ordering::Less => self.left[block],
                Ordering::Equal => before,
                Ordering::Greater => return None,
            };
            self.find_in_block(block, left, &limits, &mut is_wanted)
        })
    }

    #[inline]
    fn find_in_block(
        &self,
        block: usize,
        mut left: u32,
        limits: &EdgeBox,
        is_wanted: &mut impl FnMut(u32, Point, Point) -> bool,
    ) -> Option<u32> {
        let first = block * BLOCK;
        let boxes = &self.boxes[first..];
        while left != 0 {
            #[cfg(test)]
            super::steps::step();
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            if touches(&boxes[bit], limits) {
                let edge = (first + bit) as u32;
                if is_wanted(edge, self.at(edge), self.at(self.next(edge))) {
                    return Some(edge);
                }
            }
        }
        None
    }
}

/// Returns true if a box is within the limits of another on all sides.
#[inline]
fn touches(edge: &EdgeBox, limits: &EdgeBox) -> bool {
    (0..4).fold(true, |all, side| all & (edge[side] <= limits[side]))
}

/// The box around the edges of a block.
fn block_bounds(boxes: &[EdgeBox], left: &[u32], block: usize) -> PlanBox {
    let boxes = &boxes[block * BLOCK..];
    let (mut around, mut left) = ([i32::MAX; 4], left[block]);
    while left != 0 {
        let edge = boxes[left.trailing_zeros() as usize];
        around = std::array::from_fn(|side| around[side].min(edge[side]));
        left &= left - 1;
    }
    let [x, z, negated_x, negated_z] = around;
    [[x, z], [-negated_x, -negated_z]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshing::box_tree::overlap;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn edges_in_a_box_are_found_while_corners_go(
            outline in prop::collection::vec((-99..99i32, -99..99i32), 4..150),
            gone in prop::collection::vec(0..150usize, 0..140),
            [x, z] in prop::array::uniform2(-99..99i32)
        ) {
            let outline: Vec<Point> = outline.into_iter().map(Point::from).collect();
            let mut ring = Ring::default();
            ring.start(&outline);
            let mut kept: Vec<u32> = (0..outline.len() as u32).collect();
            for at in gone.into_iter().take(outline.len() - 3) {
                let corner = kept.remove(at % kept.len());
                ring.remove(corner);
                prop_assert!(!ring.is_left(corner));
            }
            prop_assert_eq!((ring.len(), ring.first()), (kept.len(), kept[0]));
            let query = [[x, z], [x + 20, z + 20]];
            let meets = |from, to| overlap(&bounds([from, to]), &query);
            let expected = (0..kept.len()).filter(|&at| {
                let next = kept[(at + 1) % kept.len()];
                assert_eq!((ring.next(kept[at]), ring.previous(next)), (next, kept[at]));
                meets(outline[kept[at] as usize], outline[next as usize])
            });
            let mut found = Vec::new();
            let none = ring.find_edge(&query, |edge, from, to| {
                if meets(from, to) {
                    found.push(edge);
                }
                false
            });
            prop_assert_eq!(none, None);
            prop_assert_eq!(found, expected.map(|at| kept[at]).collect::<Vec<_>>());
        }
    }
}
