//! A tree over boxes in a given order, which finds the boxes that a query touches. Boxes may change.
//! Cost: O(n) to build, O(log n) to change one box; a query visits boxes whose parents it touches.
//! Source: A. Guttman, R-trees (1984), without the search for an order: here, neighbours in a list are near
//! each other.
//!
//! ```text
//!                [ ... ]               the last level: one box around everything
//!        [ ... ]        [ ... ]        each box surrounds up to WIDTH boxes of the level before
//!     [ ][ ]..[ ]    [ ][ ]..[ ]       the first level: the boxes given
//! ```

use navmath::predicates::{Point, area2};

/// Number of boxes under one parent.
const WIDTH: usize = 8;

/// A box: smallest and largest corner, both included.
pub(crate) type PlanBox = [Point; 2];

/// The box of no points, which nothing overlaps.
pub(crate) const EMPTY: PlanBox = [[i32::MAX; 2], [i32::MIN; 2]];

/// The smallest box around some points.
#[inline]
pub(crate) fn bounds(points: impl IntoIterator<Item = Point>) -> PlanBox {
    points
        .into_iter()
        .fold(EMPTY, |[low, high], [x, z]| [[low[0].min(x), low[1].min(z)], [high[0].max(x), high[1].max(z)]])
}

/// Returns true if two boxes have a point in common.
#[inline]
pub(crate) fn overlap(a: &PlanBox, b: &PlanBox) -> bool {
    (a[0][0] <= b[1][0]) & (b[0][0] <= a[1][0]) & (a[0][1] <= b[1][1]) & (b[0][1] <= a[1][1])
}

/// Returns true if the line through two different points meets a box that has any points.
fn line_meets(a: Point, b: Point, [low, high]: &PlanBox) -> bool {
    let sides = [*low, [high[0], low[1]], *high, [low[0], high[1]]].map(|corner| area2(a, b, corner));
    sides.iter().any(|&side| side <= 0) && sides.iter().any(|&side| side >= 0)
}

/// A box of the tree: its level and its number there.
pub(crate) type TreePlace = (usize, usize);

/// The tree.
#[derive(Default)]
pub(crate) struct BoxTree {
    /// The boxes of all levels, one level after the other.
    boxes: Vec<PlanBox>,
    /// Start of each level, and the end of the last one.
    starts: Vec<usize>,
}

impl BoxTree {
    /// Rebuilds the tree over these boxes.
    pub(crate) fn build(&mut self, boxes: impl IntoIterator<Item = PlanBox>) {
        self.boxes.clear();
        self.boxes.extend(boxes);
        self.starts.clear();
        self.starts.push(0);
        let mut start = 0;
        while self.boxes.len() - start > 1 {
            let end = self.boxes.len();
            self.starts.push(end);
            for first in (start..end).step_by(WIDTH) {
                self.boxes.push(union(&self.boxes[first..end.min(first + WIDTH)]));
            }
            start = end;
        }
        self.starts.push(self.boxes.len());
    }

    /// Changes a box.
    pub(crate) fn set(&mut self, number: usize, to: PlanBox) {
        self.boxes[number] = to;
        let mut number = number;
        for level in 0..self.starts.len() - 2 {
            let children = self.children((level + 1, number / WIDTH));
            let start = self.starts[level];
            let around = union(&self.boxes[start + children.start..start + children.end]);
            number /= WIDTH;
            self.boxes[self.starts[level + 1] + number] = around;
        }
    }

    pub(crate) fn bounds(&self, (level, number): TreePlace) -> &PlanBox {
        #[cfg(test)]
        super::steps::step();
        &self.boxes[self.starts[level] + number]
    }

    /// The box around all others; `None` if the tree is empty.
    pub(crate) fn root(&self) -> Option<TreePlace> {
        (!self.boxes.is_empty()).then_some((self.starts.len().saturating_sub(2), 0))
    }

    /// The children of a box above the first level: their numbers in the level below.
    pub(crate) fn children(&self, (level, number): TreePlace) -> std::ops::Range<usize> {
        let count = self.starts[level] - self.starts[level - 1];
        number * WIDTH..count.min((number + 1) * WIDTH)
    }

    /// The first result of `look` over the given boxes that overlap the query, in their order.
    pub(crate) fn find<T>(&self, query: &PlanBox, mut look: impl FnMut(usize) -> Option<T>) -> Option<T> {
        self.find_under(self.root()?, &|bounds| overlap(bounds, query), &mut look)
    }

    /// The first result of `look` over the given boxes that a segment meets, in their order.
    pub(crate) fn find_on<T>(
        &self,
        [a, b]: [Point; 2],
        mut look: impl FnMut(usize) -> Option<T>,
    ) -> Option<T> {
        let query = bounds([a, b]);
        let touches = |bounds: &PlanBox| overlap(bounds, &query) && (a == b || line_meets(a, b, bounds));
        self.find_under(self.root()?, &touches, &mut look)
    }

    /// Recurses as deep as the tree is high: at most 11 levels.
    fn find_under<T>(
        &self,
        place: TreePlace,
        touches: &impl Fn(&PlanBox) -> bool,
        look: &mut impl FnMut(usize) -> Option<T>,
    ) -> Option<T> {
        let (level, number) = place;
        if !touches(self.bounds(place)) {
            return None;
        }
        if level == 0 {
            return look(number);
        }
        self.children(place).find_map(|child| self.find_under((level - 1, child), touches, look))
    }
}

/// The box around some boxes; empty boxes change nothing.
fn union(boxes: &[PlanBox]) -> PlanBox {
    boxes.iter().fold(EMPTY, |[low, high], [other_low, other_high]| {
        [
            [0, 1].map(|axis| low[axis].min(other_low[axis])),
            [0, 1].map(|axis| high[axis].max(other_high[axis])),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn boxes() -> impl Strategy<Value = Vec<PlanBox>> {
        let a_box = (-50..50i32, -50..50i32, 0..9i32, 0..9i32);
        prop::collection::vec(a_box.prop_map(|(x, z, w, d)| [[x, z], [x + w, z + d]]), 0..200)
    }

    fn found(tree: &BoxTree, query: &PlanBox) -> Vec<usize> {
        let mut found = Vec::new();
        let none: Option<()> = tree.find(query, |number| {
            found.push(number);
            None
        });
        assert_eq!(none, None);
        found
    }

    proptest! {
        #[test]
        fn all_that_overlap_are_found_in_their_order(
            mut boxes in boxes(), changes in boxes(), query in boxes()
        ) {
            let mut tree = BoxTree::default();
            tree.build(boxes.iter().copied());
            for (number, to) in changes.into_iter().enumerate().take(boxes.len()) {
                boxes[number] = if number % 3 == 0 { EMPTY } else { to };
                tree.set(number, boxes[number]);
            }
            for query in &query {
                let expected: Vec<usize> =
                    (0..boxes.len()).filter(|&number| overlap(&boxes[number], query)).collect();
                prop_assert_eq!(found(&tree, query), expected);
            }
        }
    }
}
