//! Ear clipping: triangulates a polygon, which may touch itself, by cutting off corner after corner.
//! Cost: O(corners log corners) if few edges are near each diagonal, as in outlines of cells.
//! Source: J. O'Rourke, Computational Geometry in C (1998), the shortest diagonal first, as in M. Mononen's
//! Recast (RecastMesh.cpp, triangulate).
//!
//! Ears wait in a queue, the shortest first; outdated entries are skipped when they come out. A corner that
//! cannot be cut because of an edge waits for that edge: as long as the edge exists, the corner need not be
//! tested again.

mod queues;

use super::box_tree::bounds;
use super::ring::Ring;
use navmath::predicates::{
    Point, area2, between, cross_properly, distance_squared, in_cone, in_cone_loose, intersect,
};
use queues::{FirstOf, WaitingCorners};

/// A polygon whose ears are cut off one by one.
#[derive(Default)]
pub(crate) struct Ears {
    ring: Ring,
    /// For each corner, the squared length of the diagonal past it if the diagonal runs inside and the corner
    /// can be cut off; otherwise [`NO_EAR`].
    ears: Vec<i64>,
    /// Ears by that length, then by number.
    shortest: FirstOf<(i64, u32)>,
    /// True if loose ears are refused.
    strict: bool,
    /// True if a spike with sides of different lengths was cut off: the neighbour of the longer side meets
    /// two edges there.
    uneven: bool,
    /// True if there was no ear at least once. The following fields are kept only then.
    stuck: bool,
    /// Corners that wait for an edge: corners to be cut off or, if loose ears are taken, corners before such
    /// an ear.
    waiting: WaitingCorners,
    /// Corners before loose ears, by their length.
    loose: FirstOf<(i64, u32)>,
    /// Corners before spikes.
    spikes: FirstOf<u32>,
}

/// Longer than every diagonal.
const NO_EAR: i64 = i64::MAX;

/// Returns triangles as indices of corners, and true if they cover the whole polygon, with no corner in the
/// middle of an edge that two of them share.
///
/// Cuts ears as the reference does: if a polygon that touches itself has no proper ear left, takes looser
/// ones. These may overlap, or cover nothing and leave corners on edges, so that neighbouring triangles do
/// not share an edge. In that case all is done again with stricter rules: no edge reaches into an ear, and no
/// corner is on its new edge. Spikes, where the outline runs out and back and covers nothing, are then cut
/// off too. If this fails, the result is the triangles of the first attempt that have the right winding.
pub(crate) fn triangulate(outline: &[Point]) -> (Vec<[u32; 3]>, bool) {
    let mut triangles = Vec::with_capacity(outline.len().saturating_sub(2));
    let complete = Ears::default().triangulate(outline, &mut triangles);
    (triangles, complete)
}

/// Returns true if a triangle has the right winding and covers some ground.
fn is_sound(outline: &[Point], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|corner| outline[corner as usize]);
    area2(a, b, c) < 0
}

/// Returns true if two corners of a triangle are at one place.
fn is_even_spike(outline: &[Point], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|corner| outline[corner as usize]);
    a == b || b == c || c == a
}

/// Returns true if a triangle has the wrong winding.
pub(crate) fn is_turned(outline: &[Point], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|corner| outline[corner as usize]);
    area2(a, b, c) > 0
}

impl Ears {
    /// Triangulates like [`triangulate`] with reused memory: appends the triangles, and returns true if they
    /// cover the polygon.
    pub(crate) fn triangulate(&mut self, outline: &[Point], triangles: &mut Vec<[u32; 3]>) -> bool {
        let first = triangles.len();
        let complete = self.cut_all(outline, false, triangles);
        if complete && triangles[first..].iter().all(|triangle| is_sound(outline, triangle)) {
            return true;
        }
        let second = triangles.len();
        let complete = self.cut_all(outline, true, triangles);
        if complete {
            triangles.drain(first..second);
        } else {
            triangles.truncate(second);
            let first_attempt = triangles.split_off(first);
            triangles.extend(first_attempt.into_iter().filter(|triangle| !is_turned(outline, triangle)));
        }
        complete && !self.uneven
    }

    /// Cuts ears and appends them until one triangle is left, or no ear. Returns true if one triangle is
    /// left.
    fn cut_all(&mut self, outline: &[Point], strict: bool, triangles: &mut Vec<[u32; 3]>) -> bool {
        self.start(outline, strict);
        while self.ring.len() > 3 {
            if let Some(ear) = self.shortest() {
                triangles.push(self.cut(ear));
                continue;
            }
            if !self.stuck {
                self.stuck = true;
                self.waiting.wake_all(outline.len() as u32);
                self.spikes.extend(0..outline.len() as u32);
            }
            if self.strict {
                // The edge that blocked an ear may be gone.
                while let Some(corner) = self.waiting.awake() {
                    self.find_ear(corner);
                }
                if let Some(ear) = self.shortest() {
                    triangles.push(self.cut(ear));
                    continue;
                }
                let Some(tip) = self.spike() else { return false };
                let spike = self.cut(tip);
                self.uneven |= !is_even_spike(outline, &spike);
            } else {
                let Some(ear) = self.shortest_loose() else { return false };
                triangles.push(self.cut(ear));
            }
        }
        let [a, b] = [self.ring.first(), self.ring.next(self.ring.first())];
        let last = [a, b, self.ring.next(b)];
        if self.strict && is_turned(outline, &last) {
            return false;
        }
        self.uneven |= !is_sound(outline, &last) && !is_even_spike(outline, &last);
        triangles.push(last);
        true
    }

    fn start(&mut self, outline: &[Point], strict: bool) {
        self.ring.start(outline);
        self.ears.clear();
        self.ears.resize(outline.len(), NO_EAR);
        self.shortest.clear();
        self.loose.clear();
        self.spikes.clear();
        self.waiting.start(outline.len());
        (self.strict, self.stuck, self.uneven) = (strict, false, false);
        for corner in 0..outline.len() as u32 {
            self.find_ear(corner);
        }
    }

    /// Finds out whether a corner can be cut off.
    fn find_ear(&mut self, corner: u32) {
        if !self.ring.is_left(corner) {
            return;
        }
        let (before, after) = (self.ring.previous(corner), self.ring.next(corner));
        let can_cut = if self.strict {
            self.is_untouched(before, corner, after)
        } else {
            self.is_diagonal(before, after)
        };
        let ear = if can_cut { distance_squared(self.ring.at(before), self.ring.at(after)) } else { NO_EAR };
        self.ears[corner as usize] = ear;
        if can_cut {
            self.shortest.push((ear, corner));
        }
    }

    /// Returns true if a corner makes a triangle that no edge reaches into, and no corner is on its new edge.
    /// If only an edge blocks the corner, the corner waits for it.
    fn is_untouched(&mut self, before: u32, corner: u32, after: u32) -> bool {
        let triangle = [before, corner, after].map(|corner| self.ring.at(corner));
        let [a, b, c] = triangle;
        if area2(a, b, c) >= 0 {
            return false;
        }
        let on_new_edge = |corner: Point| corner != a && corner != c && between(a, c, corner);
        let reaches_in = |edge: u32, p: Point, q: Point| {
            let own = edge == before || edge == corner;
            let beside =
                [(a, b), (b, c), (c, a)].into_iter().any(|(a, b)| area2(a, b, p) >= 0 && area2(a, b, q) >= 0);
            let sides = triangle.map(|corner| area2(p, q, corner));
            let past = p != q && (sides.iter().all(|&side| side <= 0) || sides.iter().all(|&side| side >= 0));
            !own && (on_new_edge(p) || on_new_edge(q) || !(beside || past))
        };
        let blocking = self.ring.find_edge(&bounds(triangle), reaches_in);
        if let Some(edge) = blocking {
            self.waiting.wait(corner, edge);
        }
        blocking.is_none()
    }

    /// The ear with the shortest diagonal. Of equals, the first one, except that the polygon's first corner
    /// comes last, after the corner before it.
    fn shortest(&mut self) -> Option<u32> {
        let first = self.ring.first();
        let best @ (length, corner) = self.next_ear()?;
        if corner != first {
            return Some(corner);
        }
        let other = self.next_ear_after(best);
        match other {
            Some((same, other)) if same == length => {
                self.shortest.push(best);
                Some(other)
            }
            Some(other) => {
                self.shortest.push(other);
                Some(corner)
            }
            None => Some(corner),
        }
    }

    /// Takes the first ear out of the queue.
    fn next_ear(&mut self) -> Option<(i64, u32)> {
        let Ears { ring, ears, shortest, .. } = self;
        shortest.pop_if(|&(length, corner)| ring.is_left(corner) && ears[corner as usize] == length)
    }

    /// Takes the first ear other than this one.
    fn next_ear_after(&mut self, ear: (i64, u32)) -> Option<(i64, u32)> {
        loop {
            let next = self.next_ear()?;
            if next != ear {
                return Some(next);
            }
        }
    }

    /// The shortest ear by looser rules than those of [`Ears::shortest`]. Its length is measured one corner
    /// too far, as in the reference, so that both recover in the same way.
    fn shortest_loose(&mut self) -> Option<u32> {
        while let Some(before) = self.waiting.awake() {
            if let Some(length) = self.loose_length(before) {
                self.loose.push((length, before));
            }
        }
        while let Some((length, before)) = self.loose.pop_if(|_| true) {
            if self.loose_length(before) != Some(length) {
                continue;
            }
            let ear = self.ring.next(before);
            match self.blocking(before, self.ring.next(ear), cross_properly) {
                None => return Some(ear),
                Some(edge) => self.waiting.wait(before, edge),
            }
        }
        None
    }

    /// The length of the loose ear after a corner, unless the corners there leave no room for it.
    fn loose_length(&self, before: u32) -> Option<i64> {
        if !self.ring.is_left(before) {
            return None;
        }
        let ring = &self.ring;
        let next = ring.next(before);
        let far = ring.next(next);
        let inside =
            in_cone_loose(ring.at(ring.previous(before)), ring.at(before), ring.at(next), ring.at(far));
        inside.then(|| distance_squared(ring.at(before), ring.at(ring.next(far))))
    }

    /// The first corner where the outline turns back on itself. Cutting it off changes no area.
    fn spike(&mut self) -> Option<u32> {
        let ring = &self.ring;
        let is_spike = |&before: &u32| {
            if !ring.is_left(before) {
                return false;
            }
            let tip = ring.next(before);
            let [a, tip, b] = [before, tip, ring.next(tip)].map(|corner| ring.at(corner));
            let back = |axis: usize| {
                (i64::from(a[axis]) - i64::from(tip[axis])) * (i64::from(b[axis]) - i64::from(tip[axis]))
            };
            area2(a, tip, b) == 0 && back(0) + back(1) >= 0
        };
        self.spikes.pop_if(is_spike).map(|before| ring.next(before))
    }

    /// Cuts off a corner.
    fn cut(&mut self, ear: u32) -> [u32; 3] {
        let (before, after) = (self.ring.previous(ear), self.ring.next(ear));
        self.ring.remove(ear);
        if self.stuck || self.strict {
            self.waiting.wake(before);
            self.waiting.wake(ear);
        }
        if self.stuck {
            self.look_around(before, after);
        }
        // The last three corners need no more updates.
        if self.ring.len() > 3 {
            self.find_ear(before);
            self.find_ear(after);
        }
        [before, ear, after]
    }

    /// Notes the corners whose loose ears and spikes a cut between these two may have changed.
    fn look_around(&mut self, before: u32, after: u32) {
        let second = self.ring.previous(before);
        let third = self.ring.previous(second);
        if self.strict {
            self.spikes.extend([after, before, second]);
        } else {
            for corner in [after, before, second, third] {
                self.waiting.wake_one(corner);
            }
        }
    }

    /// Returns true if the segment between two corners runs inside the polygon and touches no edge.
    fn is_diagonal(&self, a: u32, b: u32) -> bool {
        let ring = &self.ring;
        in_cone(ring.at(ring.previous(a)), ring.at(a), ring.at(ring.next(a)), ring.at(b))
            && self.blocking(a, b, intersect).is_none()
    }

    /// An edge that the segment between two corners meets, except edges that share an end with it.
    #[inline]
    fn blocking(&self, a: u32, b: u32, meets: impl Fn(Point, Point, Point, Point) -> bool) -> Option<u32> {
        let (from, to) = (self.ring.at(a), self.ring.at(b));
        // Compares both coordinates at once.
        let [first, second] = [from, to].map(bytemuck::cast::<Point, u64>);
        let is_end = |point: Point| {
            let point = bytemuck::cast::<Point, u64>(point);
            (first == point) | (second == point)
        };
        self.ring.find_edge_on([from, to], |_, p, q| !(is_end(p) | is_end(q)) && meets(from, to, p, q))
    }
}

#[cfg(test)]
mod tests;
