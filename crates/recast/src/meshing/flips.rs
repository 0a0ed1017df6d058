//! Makes the triangles of a region Delaunay by flipping edges: convex polygons merged from them are fewer,
//! and more compact, than from ears alone.
//! Source: C. Lawson, Software for C1 surface interpolation (1977). Each flip lowers the triangles lifted to
//! a paraboloid, so this ends; few triangles are far from Delaunay, and after [`MOST_FLIPS`] the others stay.

use super::shared_edges::SharedEdges;
use navmath::predicates::{Point, area2, in_circle};

/// No triangle, or several.
const NONE: u32 = u32::MAX;

/// Greatest number of flips per triangle. Ears that were cut the shortest first need less than one.
const MOST_FLIPS: usize = 16;

/// Scratch memory.
#[derive(Default)]
pub(crate) struct Flips {
    shared: SharedEdges,
    /// The triangle beyond each edge, from corner i to corner i + 1.
    beyond: Vec<[u32; 3]>,
    open: Vec<u32>,
}

impl Flips {
    /// Flips edges that two triangles share until no corner is in the circle of the other triangle. All other
    /// edges stay.
    pub(crate) fn make_delaunay(&mut self, triangles: &mut [[u32; 3]], plan: impl Fn(u32) -> Point) {
        if triangles.len() < 2 {
            return;
        }
        self.find_neighbours(triangles);
        self.open.clear();
        self.open.extend((0..triangles.len() as u32).rev());
        let mut left = MOST_FLIPS * triangles.len();
        while left > 0
            && let Some(triangle) = self.open.pop()
        {
            #[cfg(test)]
            super::steps::step();
            if let Some(other) = (0..3).find_map(|edge| self.flip_if_needed(triangles, triangle, edge, &plan))
            {
                self.open.extend([other, triangle]);
                left -= 1;
            }
        }
    }

    fn find_neighbours(&mut self, triangles: &[[u32; 3]]) {
        let Flips { shared, beyond, .. } = self;
        beyond.clear();
        beyond.resize(triangles.len(), [NONE; 3]);
        let beyond = beyond.as_flattened_mut();
        let edges = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        shared.for_each(edges, |edges| {
            if let [one, other] = *edges {
                let [one, other] = [one, other].map(|edge| edge as u32);
                beyond[one as usize] = other / 3;
                beyond[other as usize] = one / 3;
            }
        });
    }

    /// Flips an edge of a triangle if the far corner beyond it is in the triangle's circle. Returns the other
    /// triangle after a flip.
    fn flip_if_needed(
        &mut self,
        triangles: &mut [[u32; 3]],
        triangle: u32,
        edge: usize,
        plan: impl Fn(u32) -> Point,
    ) -> Option<u32> {
        let turned = |list: [u32; 3], first: usize| [0, 1, 2].map(|step| list[(first + step) % 3]);
        let [a, b, apex] = turned(triangles[triangle as usize], edge);
        let [other, right, left] = turned(self.beyond[triangle as usize], edge);
        let corners = *triangles.get(other as usize)?;
        let back = (0..3).find(|&back| [corners[back], corners[(back + 1) % 3]] == [b, a])?;
        let far = corners[(back + 2) % 3];
        let [at_a, at_b, at_apex, at_far] = [a, b, apex, far].map(plan);
        let is_turned = area2(at_a, at_b, at_apex) > 0 || area2(at_b, at_a, at_far) > 0;
        let is_convex = area2(at_a, at_far, at_apex) < 0 && area2(at_far, at_b, at_apex) < 0;
        if is_turned || !is_convex || !in_circle(at_a, at_b, at_apex, at_far) {
            return None;
        }
        let [_, beyond_a, beyond_b] = turned(self.beyond[other as usize], back);
        triangles[triangle as usize] = [a, far, apex];
        triangles[other as usize] = [far, b, apex];
        self.beyond[triangle as usize] = [beyond_a, other, left];
        self.beyond[other as usize] = [beyond_b, right, triangle];
        for (neighbour, old, new) in [(beyond_a, other, triangle), (right, triangle, other)] {
            if let Some(beyond) = self.beyond.get_mut(neighbour as usize) {
                beyond.iter_mut().filter(|beyond| **beyond == old).for_each(|beyond| *beyond = new);
            }
        }
        Some(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshing::ear_clipping::triangulate;
    use proptest::prelude::*;

    proptest! {
        // A mountain: one corner in each column, over a straight base.
        #[test]
        fn flips_make_triangles_delaunay(heights in prop::collection::vec(1..60i32, 3..60)) {
            let width = heights.len() as i32;
            let mut outline = vec![[-1, 0], [width, 0]];
            outline.extend((0..width).rev().map(|x| [x, -heights[x as usize]]));
            let (mut triangles, complete) = triangulate(&outline);
            let plan = |corner: u32| outline[corner as usize];
            let area = |triangles: &[[u32; 3]]| -> i64 {
                triangles.iter().map(|&[a, b, c]| area2(plan(a), plan(b), plan(c))).sum()
            };
            let before = area(&triangles);
            Flips::default().make_delaunay(&mut triangles, plan);
            prop_assert!(complete);
            prop_assert_eq!(area(&triangles), before);
            prop_assert!(triangles.iter().all(|&[a, b, c]| area2(plan(a), plan(b), plan(c)) < 0));
            let edges = |[a, b, c]: [u32; 3]| [[a, b, c], [b, c, a], [c, a, b]];
            for [a, b, apex] in triangles.iter().flat_map(|&triangle| edges(triangle)) {
                for [from, to, far] in triangles.iter().flat_map(|&triangle| edges(triangle)) {
                    let shared = [from, to] == [b, a];
                    prop_assert!(!shared || !in_circle(plan(a), plan(b), plan(apex), plan(far)));
                }
            }
        }
    }
}
