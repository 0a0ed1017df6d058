//! Stage 14, first half: ContourSet -> Triangulation.
//! Units: cells. Cost: O(corners²) a contour, more where contours touch themselves. Figure:
//! docs/figures/14-poly-mesh.svg.
//! Source: ear clipping after J. O'Rourke, Computational Geometry in C (1998), the shortest diagonal first, as in
//! M. Mononen's Recast (RecastMesh.cpp, triangulate). Deviations: what was not covered cleanly is known, so that
//! it can be mended.

use crate::data::{ContourSet, RegionId};
use navmath::predicates::{
    Point, area2, cross_properly, distance_squared, in_cone, in_cone_loose, intersect,
};

/// Triangles of all contours.
#[derive(Clone, Debug, PartialEq)]
pub struct Triangulation {
    /// For each contour its triangles, as indices of its corners.
    pub triangles: Vec<Vec<[u32; 3]>>,
    /// Contours that their triangles do not cover exactly once, by index and region.
    pub faults: Vec<(usize, RegionId)>,
}

/// Triangulates every contour.
pub fn run(contours: &ContourSet) -> Triangulation {
    let mut result =
        Triangulation { triangles: Vec::with_capacity(contours.contours.len()), faults: Vec::new() };
    let (mut outline, mut ears): (Vec<Point>, Ears) = Default::default();
    for (index, contour) in contours.contours.iter().enumerate() {
        outline.clear();
        outline.extend(contour.vertices.iter().map(|vertex| [vertex.position[0], vertex.position[2]]));
        if outline.len() < 3 {
            result.triangles.push(Vec::new());
            continue;
        }
        let (triangles, complete) = ears.triangulate(&outline);
        if !complete || !is_exact_cover(&outline, &triangles) {
            result.faults.push((index, contour.region));
        }
        result.triangles.push(triangles);
    }
    result
}

/// Whether a complete triangulation covers each place inside the outline once and none outside. The triangles'
/// boundaries add up to the outline, so they do if none is turned over and the outline winds around no place
/// twice, which without crossings it cannot.
fn is_exact_cover(outline: &[Point], triangles: &[[u32; 3]]) -> bool {
    !triangles.iter().any(|triangle| is_turned(outline, triangle)) && !crosses_itself(outline)
}

fn crosses_itself(outline: &[Point]) -> bool {
    let end = |edge: usize| outline[if edge + 1 < outline.len() { edge + 1 } else { 0 }];
    (0..outline.len()).any(|edge| {
        let (a, b) = (outline[edge], end(edge));
        let (low, high) = ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]);
        (0..edge).any(|other| {
            let (c, d) = (outline[other], end(other));
            let near = (c[0].min(d[0]) < high[0])
                & (c[0].max(d[0]) > low[0])
                & (c[1].min(d[1]) < high[1])
                & (c[1].max(d[1]) > low[1]);
            near && cross_properly(a, b, c, d)
        })
    })
}

/// A polygon that loses its ears one by one.
#[derive(Default)]
struct Ears {
    /// Corners that are left.
    corners: Vec<Corner>,
    /// Which ears will do.
    strict: bool,
}

/// A corner of a polygon that loses its ears.
#[derive(Clone, Copy)]
struct Corner {
    /// The squared length of the diagonal past it, if it runs inside so that the corner can be cut off; [`NO_EAR`] if
    /// it does not.
    ear: i64,
    point: Point,
    /// Its index in the outline.
    index: u32,
}

/// Longer than every diagonal.
const NO_EAR: i64 = i64::MAX;

/// Triangles as indices of corners, and whether they cover the whole polygon.
///
/// Cuts ears as the reference does: where a polygon that touches itself leaves no proper ear, looser ones are
/// taken. Those may overlap; then all is done again with ears that no edge reaches into, and with spikes, where
/// the outline runs out and back and covers nothing, cut off.
pub(crate) fn triangulate(outline: &[Point]) -> (Vec<[u32; 3]>, bool) {
    Ears::default().triangulate(outline)
}

/// Whether a triangle is wound the wrong way round.
fn is_turned(outline: &[Point], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|corner| outline[corner as usize]);
    area2(a, b, c) > 0
}

impl Ears {
    /// As [`triangulate`], with memory that is kept.
    fn triangulate(&mut self, outline: &[Point]) -> (Vec<[u32; 3]>, bool) {
        let (triangles, complete) = self.cut_all(outline, false);
        if complete && !triangles.iter().any(|triangle| is_turned(outline, triangle)) {
            return (triangles, true);
        }
        let (strict, complete) = self.cut_all(outline, true);
        if complete { (strict, true) } else { (triangles, false) }
    }

    /// Cuts ears until one triangle is left, or there is no ear.
    fn cut_all(&mut self, outline: &[Point], strict: bool) -> (Vec<[u32; 3]>, bool) {
        self.corners.clear();
        let corners = (0u32..).zip(outline);
        self.corners.extend(corners.map(|(index, &point)| Corner { ear: NO_EAR, point, index }));
        self.strict = strict;
        let mut triangles = Vec::with_capacity(self.corners.len().saturating_sub(2));
        self.find_ears();
        while self.corners.len() > 3 {
            if let Some(before) = self.shortest() {
                triangles.push(self.cut(before));
            } else if self.strict {
                // What blocked an ear may have been cut off since.
                self.find_ears();
                if self.shortest().is_some() {
                    continue;
                }
                let Some(before) = self.spike() else { return (triangles, false) };
                self.cut(before);
            } else {
                let Some(before) = self.shortest_loose() else { return (triangles, false) };
                triangles.push(self.cut(before));
            }
        }
        let last = [self.corners[0].index, self.corners[1].index, self.corners[2].index];
        if self.strict && is_turned(outline, &last) {
            return (triangles, false);
        }
        triangles.push(last);
        (triangles, true)
    }

    fn find_ears(&mut self) {
        for corner in 0..self.corners.len() {
            self.find_ear(corner);
        }
    }

    /// Finds out whether a corner can be cut off.
    fn find_ear(&mut self, corner: usize) {
        let can_cut = self.can_cut(corner);
        let (before, after) = (self.at(self.previous(corner)), self.at(self.next(corner)));
        self.corners[corner].ear = if can_cut { distance_squared(before, after) } else { NO_EAR };
    }

    /// Whether a corner can be cut off.
    fn can_cut(&self, corner: usize) -> bool {
        let (before, after) = (self.previous(corner), self.next(corner));
        if self.strict { self.is_untouched(before, corner, after) } else { self.is_diagonal(before, after) }
    }

    /// Whether a corner makes a triangle that no edge reaches into.
    fn is_untouched(&self, before: usize, corner: usize, after: usize) -> bool {
        let triangle = [self.at(before), self.at(corner), self.at(after)];
        let [a, b, c] = triangle;
        let clear = |edge: usize| {
            let (p, q) = (self.at(edge), self.at(self.next(edge)));
            let beside =
                [(a, b), (b, c), (c, a)].into_iter().any(|(a, b)| area2(a, b, p) >= 0 && area2(a, b, q) >= 0);
            let sides = triangle.map(|corner| area2(p, q, corner));
            beside || (p != q && (sides.iter().all(|&side| side <= 0) || sides.iter().all(|&side| side >= 0)))
        };
        area2(a, b, c) < 0
            && (0..self.corners.len()).filter(|&edge| edge != before && edge != corner).all(clear)
    }

    fn next(&self, corner: usize) -> usize {
        if corner + 1 < self.corners.len() { corner + 1 } else { 0 }
    }

    fn previous(&self, corner: usize) -> usize {
        if corner > 0 { corner - 1 } else { self.corners.len() - 1 }
    }

    fn at(&self, corner: usize) -> Point {
        self.corners[corner].point
    }

    /// The corner before the ear with the shortest diagonal; the first of equals.
    fn shortest(&self) -> Option<usize> {
        // The first corner comes last, as the one before it does.
        let (first, others) = self.corners.split_first()?;
        let (mut best, mut before) = (NO_EAR, None);
        for (at, corner) in others.iter().enumerate() {
            if corner.ear < best {
                (best, before) = (corner.ear, Some(at));
            }
        }
        if first.ear < best { Some(others.len()) } else { before }
    }

    /// As [`Ears::shortest`] among looser ears. Its length is taken one corner too far, as in the reference, so
    /// that both recover alike.
    fn shortest_loose(&self) -> Option<usize> {
        let far = |before: usize| self.next(self.next(before));
        let candidates =
            (0..self.corners.len()).filter(|&before| self.is_loose_diagonal(before, far(before)));
        candidates.min_by_key(|&before| {
            (distance_squared(self.at(before), self.at(self.next(far(before)))), before)
        })
    }

    /// The corner before one where the outline turns back on itself. Cutting it off changes no area.
    fn spike(&self) -> Option<usize> {
        (0..self.corners.len()).find(|&before| {
            let (a, tip) = (self.at(before), self.at(self.next(before)));
            let b = self.at(self.next(self.next(before)));
            let back = |axis: usize| {
                (i64::from(a[axis]) - i64::from(tip[axis])) * (i64::from(b[axis]) - i64::from(tip[axis]))
            };
            area2(a, tip, b) == 0 && back(0) + back(1) >= 0
        })
    }

    /// Cuts off the ear after corner `before`.
    fn cut(&mut self, before: usize) -> [u32; 3] {
        let ear = self.next(before);
        let triangle = [before, ear, self.next(ear)].map(|corner| self.corners[corner].index);
        self.corners.remove(ear);
        let after = if ear < self.corners.len() { ear } else { 0 };
        let before = self.previous(after);
        // Of three corners that are left nobody asks.
        if self.corners.len() > 3 {
            self.find_ear(before);
            self.find_ear(after);
        }
        triangle
    }

    /// Whether the segment between two corners runs inside the polygon and touches no edge.
    fn is_diagonal(&self, a: usize, b: usize) -> bool {
        let (previous, next) = (self.at(self.previous(a)), self.at(self.next(a)));
        in_cone(previous, self.at(a), next, self.at(b)) && self.is_clear(a, b, intersect)
    }

    /// As [`Ears::is_diagonal`], but the segment may run along edges.
    fn is_loose_diagonal(&self, a: usize, b: usize) -> bool {
        let (previous, next) = (self.at(self.previous(a)), self.at(self.next(a)));
        in_cone_loose(previous, self.at(a), next, self.at(b)) && self.is_clear(a, b, cross_properly)
    }

    /// Whether the segment between two corners meets no edge but those that end where it ends.
    fn is_clear(&self, a: usize, b: usize, meets: impl Fn(Point, Point, Point, Point) -> bool) -> bool {
        let (from, to) = (self.at(a), self.at(b));
        let (low, high) =
            ([from[0].min(to[0]), from[1].min(to[1])], [from[0].max(to[0]), from[1].max(to[1])]);
        let Some(last) = self.corners.last() else { return true };
        let mut p = last.point;
        let mut edge = self.corners.len() - 1;
        for (end, corner) in self.corners.iter().enumerate() {
            let q = corner.point;
            // What lies beside the segment cannot meet it.
            let apart = (p[0].max(q[0]) < low[0])
                | (p[0].min(q[0]) > high[0])
                | (p[1].max(q[1]) < low[1])
                | (p[1].min(q[1]) > high[1]);
            let shares_end = || {
                [a, b].contains(&edge)
                    || [a, b].contains(&end)
                    || from == p
                    || to == p
                    || from == q
                    || to == q
            };
            if !apart && !shares_end() && meets(from, to, p, q) {
                return false;
            }
            (p, edge) = (q, end);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmath::predicates::{area2, polygon_area2};
    use proptest::prelude::*;

    fn covers(outline: &[Point]) -> bool {
        let (triangles, complete) = triangulate(outline);
        let sum: i128 = triangles
            .iter()
            .map(|t| {
                i128::from(area2(outline[t[0] as usize], outline[t[1] as usize], outline[t[2] as usize]))
            })
            .sum();
        complete && triangles.len() == outline.len() - 2 && sum == polygon_area2(outline.iter().copied())
    }

    #[test]
    fn convex_and_concave_outlines_are_covered() {
        assert!(covers(&[[0, 0], [0, 4], [4, 4], [4, 0]]));
        assert!(covers(&[[0, 0], [0, 4], [2, 1], [4, 4], [4, 0]]));
    }

    #[test]
    fn a_bridge_to_a_hole_is_walked_both_ways() {
        let outline = [[0, 0], [0, 9], [9, 9], [9, 0], [0, 0], [3, 3], [6, 3], [6, 6], [3, 6], [3, 3]];
        assert!(covers(&outline));
    }

    #[test]
    fn spikes_do_not_get_in_the_way() {
        // Two spikes into the ground that leave no proper ear.
        let outline = [
            [5, 8],
            [4, 8],
            [5, 8],
            [5, 6],
            [3, 6],
            [3, 9],
            [17, 9],
            [17, 7],
            [7, 7],
            [11, 7],
            [11, 4],
            [6, 4],
            [6, 8],
        ];
        let (triangles, complete) = triangulate(&outline);
        assert!(complete && is_exact_cover(&outline, &triangles));
        let area = |t: &[u32; 3]| polygon_area2(t.map(|corner| outline[corner as usize]));
        assert_eq!(triangles.iter().map(area).sum::<i128>(), polygon_area2(outline));
    }

    #[test]
    fn a_knot_ends_and_says_so() {
        let (_, complete) = triangulate(&[[0, 0], [4, 4], [0, 4], [4, 0], [8, 2], [2, 9]]);
        assert!(!complete);
    }

    proptest! {
        // Outlines with one point a column above and one below: simple whatever the heights.
        #[test]
        fn combs_are_covered(upper in prop::collection::vec(1..30i32, 2..20), lower in prop::collection::vec(-30..-1i32, 20)) {
            let count = upper.len() as i32;
            let mut outline: Vec<Point> = (0..count).map(|x| [x, upper[x as usize]]).collect();
            outline.extend((0..count).rev().map(|x| [x, lower[x as usize]]));
            prop_assert!(polygon_area2(outline.iter().copied()) < 0);
            prop_assert!(covers(&outline));
        }
    }
}
