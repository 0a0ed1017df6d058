//! Compares the triangles with those of the plain rules, which examine all corners and all edges each time.

use super::*;
use crate::meshing::box_tree::overlap;
use proptest::prelude::*;

/// The remaining corners of a polygon, with the lengths of their ears.
struct Plain {
    outline: Vec<Point>,
    left: Vec<(usize, Option<i64>)>,
    strict: bool,
}

impl Plain {
    fn at(&self, place: usize) -> Point {
        self.outline[self.left[place % self.left.len()].0]
    }

    fn before(&self, place: usize) -> usize {
        (place + self.left.len() - 1) % self.left.len()
    }

    fn find_ear(&mut self, place: usize) {
        let place = place % self.left.len();
        let [before, after] = [self.before(place), place + 1];
        let can_cut =
            if self.strict { self.is_untouched(place) } else { self.is_diagonal(before, after, false) };
        self.left[place].1 = can_cut.then(|| distance_squared(self.at(before), self.at(after)));
    }

    fn is_diagonal(&self, a: usize, b: usize, loose: bool) -> bool {
        let (from, to) = (self.at(a), self.at(b));
        let cone = if loose { in_cone_loose } else { in_cone };
        let meets = if loose { cross_properly } else { intersect };
        cone(self.at(self.before(a)), from, self.at(a + 1), to)
            && (0..self.left.len()).all(|edge| {
                let (p, q) = (self.at(edge), self.at(edge + 1));
                // An edge of zero length meets more than it should.
                let apart = !overlap(&bounds([p, q]), &bounds([from, to]));
                apart || [p, q].iter().any(|end| [from, to].contains(end)) || !meets(from, to, p, q)
            })
    }

    fn is_untouched(&self, place: usize) -> bool {
        let before = self.before(place);
        let triangle = [self.at(before), self.at(place), self.at(place + 1)];
        let [a, b, c] = triangle;
        let clear = |edge: usize| {
            let (p, q) = (self.at(edge), self.at(edge + 1));
            let beside =
                [(a, b), (b, c), (c, a)].into_iter().any(|(a, b)| area2(a, b, p) >= 0 && area2(a, b, q) >= 0);
            let sides = triangle.map(|corner| area2(p, q, corner));
            let past = p != q && (sides.iter().all(|&side| side <= 0) || sides.iter().all(|&side| side >= 0));
            let on_new_edge = |corner: Point| corner != a && corner != c && between(a, c, corner);
            (beside || past) && !on_new_edge(p) && !on_new_edge(q)
        };
        area2(a, b, c) < 0 && (0..self.left.len()).filter(|&edge| edge != before && edge != place).all(clear)
    }

    fn shortest(&self) -> Option<usize> {
        let count = self.left.len();
        let ears = (1..=count).filter_map(|place| Some((self.left[place % count].1?, place)));
        ears.min().map(|(_, place)| place - 1)
    }

    fn shortest_loose(&self) -> Option<usize> {
        let ears = (0..self.left.len()).filter(|&before| self.is_diagonal(before, before + 2, true));
        ears.min_by_key(|&before| (distance_squared(self.at(before), self.at(before + 3)), before))
    }

    fn spike(&self) -> Option<usize> {
        (0..self.left.len()).find(|&before| {
            let [a, tip, b] = [before, before + 1, before + 2].map(|place| self.at(place));
            let back = |axis: usize| i64::from(a[axis] - tip[axis]) * i64::from(b[axis] - tip[axis]);
            area2(a, tip, b) == 0 && back(0) + back(1) >= 0
        })
    }

    fn cut(&mut self, before: usize) -> [u32; 3] {
        let ear = (before + 1) % self.left.len();
        let triangle = [before, ear, ear + 1].map(|place| self.left[place % self.left.len()].0 as u32);
        self.left.remove(ear);
        self.find_ear(self.before(ear % self.left.len()));
        self.find_ear(ear);
        triangle
    }

    fn cut_all(outline: &[Point], strict: bool) -> Option<Vec<[u32; 3]>> {
        let left = (0..outline.len()).map(|corner| (corner, None)).collect();
        let mut plain = Plain { outline: outline.to_vec(), left, strict };
        let mut triangles = Vec::new();
        (0..outline.len()).for_each(|place| plain.find_ear(place));
        while plain.left.len() > 3 {
            if let Some(before) = plain.shortest() {
                triangles.push(plain.cut(before));
            } else if strict {
                (0..plain.left.len()).for_each(|place| plain.find_ear(place));
                if plain.shortest().is_none() {
                    let before = plain.spike()?;
                    plain.cut(before);
                }
            } else {
                let before = plain.shortest_loose()?;
                triangles.push(plain.cut(before));
            }
        }
        let last = [0, 1, 2].map(|place| plain.left[place].0 as u32);
        triangles.push(last);
        (!strict || !is_turned(outline, &last)).then_some(triangles)
    }
}

/// Checks both methods to cut a polygon.
fn same_as_plain(outline: &[Point]) -> Result<(), TestCaseError> {
    for strict in [false, true] {
        let mut triangles = Vec::new();
        let complete = Ears::default().cut_all(outline, strict, &mut triangles);
        prop_assert_eq!(complete.then_some(triangles), Plain::cut_all(outline, strict), "strict: {}", strict);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    // With so few places, corners coincide, edges run back, and outlines become knots.
    #[test]
    fn knots_are_cut_like_by_the_plain_rules(
        outline in prop::collection::vec(prop::array::uniform2(0..9i32), 3..60)
    ) {
        same_as_plain(&outline)?;
    }

    // A comb with holes of zero width: long enough for several blocks.
    #[test]
    fn long_outlines_are_cut_like_by_the_plain_rules(
        upper in prop::collection::vec((2..9i32, 0..3i32), 30..90), turn in 0..90usize, depth in 10..40i32
    ) {
        let mut outline = Vec::new();
        for (x, &(top, spike)) in (0i32..).zip(&upper) {
            outline.push([2 * x, -top]);
            if spike == 0 {
                outline.extend([[2 * x, depth / 2], [2 * x, -top]]);
            }
        }
        outline.extend((0..upper.len() as i32).rev().map(|x| [2 * x, depth - x % 3]));
        let turn = turn % outline.len();
        outline.rotate_left(turn);
        same_as_plain(&outline)?;
        outline.reverse();
        same_as_plain(&outline)?;
    }
}
