//! Ear clipping: triangulating a polygon, which may touch itself, by cutting off corner after corner.
//! Cost: O(corners²), more where the polygon touches itself.
//! Source: J. O'Rourke, Computational Geometry in C (1998), the shortest diagonal first, as in M. Mononen's Recast
//! (RecastMesh.cpp, triangulate).

use navmath::predicates::{
    Point, area2, cross_properly, distance_squared, in_cone, in_cone_loose, intersect,
};

/// A polygon that loses its ears one by one.
#[derive(Default)]
pub(crate) struct Ears {
    /// Corners that are left.
    corners: Vec<Corner>,
    /// Whether loose ears are refused.
    strict: bool,
}

/// A corner of a polygon that loses its ears.
#[derive(Clone, Copy)]
struct Corner {
    /// The squared length of the diagonal past it, if it runs inside so that the corner can be cut off; [`NO_EAR`] if
    /// it does not.
    ear: i64,
    point: Point,
    /// Index in the outline.
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
    let mut triangles = Vec::with_capacity(outline.len().saturating_sub(2));
    let complete = Ears::default().triangulate(outline, &mut triangles);
    (triangles, complete)
}

/// Whether a triangle is wound the wrong way round.
pub(crate) fn is_turned(outline: &[Point], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|corner| outline[corner as usize]);
    area2(a, b, c) > 0
}

impl Ears {
    /// Triangulates like [`triangulate`] with reused memory: appends the triangles, and returns whether they cover the
    /// polygon.
    pub(crate) fn triangulate(&mut self, outline: &[Point], triangles: &mut Vec<[u32; 3]>) -> bool {
        let first = triangles.len();
        let complete = self.cut_all(outline, false, triangles);
        if complete && !triangles[first..].iter().any(|triangle| is_turned(outline, triangle)) {
            return true;
        }
        let second = triangles.len();
        let complete = self.cut_all(outline, true, triangles);
        // The second attempt is taken if it is complete, else the first.
        triangles.drain(if complete { first..second } else { second..triangles.len() });
        complete
    }

    /// Cuts ears and appends them until one triangle is left, or there is no ear. Returns whether it came to the end.
    fn cut_all(&mut self, outline: &[Point], strict: bool, triangles: &mut Vec<[u32; 3]>) -> bool {
        self.corners.clear();
        let corners = (0u32..).zip(outline);
        self.corners.extend(corners.map(|(index, &point)| Corner { ear: NO_EAR, point, index }));
        self.strict = strict;
        self.find_ears();
        while self.corners.len() > 3 {
            if let Some(before) = self.shortest() {
                triangles.push(self.cut(before));
            } else if self.strict {
                // The corner that blocked an ear may have been cut off since.
                self.find_ears();
                if self.shortest().is_some() {
                    continue;
                }
                let Some(before) = self.spike() else { return false };
                self.cut(before);
            } else {
                let Some(before) = self.shortest_loose() else { return false };
                triangles.push(self.cut(before));
            }
        }
        let last = [self.corners[0].index, self.corners[1].index, self.corners[2].index];
        if self.strict && is_turned(outline, &last) {
            return false;
        }
        triangles.push(last);
        true
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

    /// The shortest ear by looser rules than [`Ears::shortest`]. Its length is taken one corner too far, as in the
    /// reference, so that both recover alike.
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

    /// Whether a segment is a diagonal like in [`Ears::is_diagonal`], or runs along edges.
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
        // Both coordinates at once.
        let [first, second] = [from, to].map(bytemuck::cast::<Point, u64>);
        let is_end = |point: Point| {
            let point = bytemuck::cast::<Point, u64>(point);
            (first == point) | (second == point)
        };
        let mut from_end = is_end(p);
        for corner in &self.corners {
            let q = corner.point;
            let to_end = is_end(q);
            // An edge whose box is apart cannot meet the segment. All four tests at once, as each is unpredictable.
            let apart = (p[0].max(q[0]) < low[0])
                | (p[0].min(q[0]) > high[0])
                | (p[1].max(q[1]) < low[1])
                | (p[1].min(q[1]) > high[1]);
            if !(apart | from_end | to_end) && meets(from, to, p, q) {
                return false;
            }
            (p, from_end) = (q, to_end);
        }
        true
    }
}
