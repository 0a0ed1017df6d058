//! The corners of a polygon in a ring that they can be taken out of, which finds the edges in a box.
//! Cost: O(log corners) to take one out; a query looks at blocks of edges whose boxes it touches.
//!
//! Edges that follow each other are near each other, so blocks of them in their order have small boxes. A small polygon
//! is one block.

use super::box_tree::{BoxTree, PlanBox, bounds};
use navmath::predicates::Point;

/// Corners in a block: one for each bit of a mask.
const BLOCK: usize = u32::BITS as usize;

/// The polygon.
#[derive(Default)]
pub(crate) struct Ring {
    /// All corners, those taken out included.
    corners: Vec<RingCorner>,
    /// For each block the corners that are left, as a mask.
    left: Vec<u32>,
    /// The box around the edges of each block.
    tree: BoxTree,
    /// The lowest corner that is left.
    first: u32,
    len: usize,
}

#[derive(Clone, Copy)]
struct RingCorner {
    point: Point,
    previous: u32,
    next: u32,
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
        self.left.clear();
        self.left.extend(outline.chunks(BLOCK).map(|block| u32::MAX >> (BLOCK - block.len())));
        (self.first, self.len) = (0, outline.len());
        let Ring { corners, left, tree, .. } = self;
        tree.build((0..left.len()).map(|block| block_bounds(corners, left, block)));
    }

    /// How many corners are left.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The lowest corner that is left.
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

    /// Takes a corner out; the edge from the corner before then leads to the one after.
    pub(crate) fn remove(&mut self, corner: u32) {
        let RingCorner { previous, next, .. } = self.corners[corner as usize];
        self.corners[previous as usize].next = next;
        self.corners[next as usize].previous = previous;
        self.left[corner as usize / BLOCK] &= !(1 << (corner as usize % BLOCK));
        self.len -= 1;
        if corner == self.first {
            self.first = next;
        }
        let [own, before] = [corner, previous].map(|corner| corner as usize / BLOCK);
        // Within a block the new edge lies in the box that is there.
        if own != before {
            for block in [own, before] {
                self.tree.set(block, block_bounds(&self.corners, &self.left, block));
            }
        }
    }

    /// The first edge whose block touches the box, and for which `is_wanted` returns true; an edge is known by the corner
    /// it starts at.
    #[inline]
    pub(crate) fn find_edge(
        &self,
        query: &PlanBox,
        mut is_wanted: impl FnMut(u32, Point, Point) -> bool,
    ) -> Option<u32> {
        if self.left.len() == 1 {
            return self.find_in_block(0, &mut is_wanted);
        }
        self.tree.find(query, |block| self.find_in_block(block, &mut is_wanted))
    }

    /// Like [`Ring::find_edge`], where a block touches the segment between two points.
    #[inline]
    pub(crate) fn find_edge_on(
        &self,
        segment: [Point; 2],
        mut is_wanted: impl FnMut(u32, Point, Point) -> bool,
    ) -> Option<u32> {
        if self.left.len() == 1 {
            return self.find_in_block(0, &mut is_wanted);
        }
        self.tree.find_on(segment, |block| self.find_in_block(block, &mut is_wanted))
    }

    #[inline]
    fn find_in_block(
        &self,
        block: usize,
        is_wanted: &mut impl FnMut(u32, Point, Point) -> bool,
    ) -> Option<u32> {
        let left = self.left[block];
        if left == 0 {
            return None;
        }
        let mut edge = block as u32 * u32::BITS + left.trailing_zeros();
        let mut from = self.at(edge);
        for _ in 0..left.count_ones() {
            #[cfg(test)]
            super::steps::step();
            let next = self.next(edge);
            let to = self.at(next);
            if is_wanted(edge, from, to) {
                return Some(edge);
            }
            (edge, from) = (next, to);
        }
        None
    }
}

/// The box around the edges of a block.
fn block_bounds(corners: &[RingCorner], left: &[u32], block: usize) -> PlanBox {
    let first = block * BLOCK;
    let own = (0..BLOCK).filter(|bit| left[block] >> bit & 1 == 1).map(|bit| corners[first + bit]);
    bounds(own.flat_map(|corner| [corner.point, corners[corner.next as usize].point]))
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
