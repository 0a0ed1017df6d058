//! Ear clipping: triangulating a polygon, which may touch itself, by cutting off corner after corner.
//! Cost: O(corners log corners) where few edges are near each diagonal, as in outlines of cells.
//! Source: J. O'Rourke, Computational Geometry in C (1998), the shortest diagonal first, as in M. Mononen's Recast
//! (RecastMesh.cpp, triangulate).
//!
//! Ears wait in a queue, the shortest first; an entry that is no longer true is skipped when it comes out. A corner that
//! an edge keeps from being cut waits for that edge: as long as it is there, nobody needs to look at the corner again.

mod queues;

use super::box_tree::bounds;
use super::ring::Ring;
use navmath::predicates::{
    Point, area2, between, cross_properly, distance_squared, in_cone, in_cone_loose, intersect,
};
use queues::{FirstOf, WaitingCorners};

/// A polygon that loses its ears one by one.
#[derive(Default)]
pub(crate) struct Ears {
    ring: Ring,
    /// For each corner the squared length of the diagonal past it, if it runs inside so that the corner can be cut off;
    /// [`NO_EAR`] if it does not.
    ears: Vec<i64>,
    /// Ears by that length, then by number.
    shortest: FirstOf<(i64, u32)>,
    /// Whether loose ears are refused.
    strict: bool,
    /// Whether a spike was cut off whose sides differ in length: what is beside the longer one meets two edges there.
    uneven: bool,
    /// Whether there was no ear at least once. Only then the following are kept.
    stuck: bool,
    /// Corners that wait for an edge: to be cut off, or where loose ears are taken, those before one.
    waiting: WaitingCorners,
    /// Corners before loose ears, by their length.
    loose: FirstOf<(i64, u32)>,
    /// Corners before spikes.
    spikes: FirstOf<u32>,
}

/// Longer than every diagonal.
const NO_EAR: i64 = i64::MAX;

/// Triangles as indices of corners, and whether they cover the whole polygon, with no corner in the middle of an edge that
/// two of them have in common.
///
/// Cuts ears as the reference does: where a polygon that touches itself leaves no proper ear, looser ones are
/// taken. Those may overlap, or cover nothing and leave corners on edges, so that triangles side by side have no edge in
/// common; then all is done again with ears that no edge reaches into and on whose new edge no corner is, and with spikes,
/// where the outline runs out and back and covers nothing, cut off. If that does not come to an end, what the first attempt
/// wound the right way round is left.
pub(crate) fn triangulate(outline: &[Point]) -> (Vec<[u32; 3]>, bool) {
    let mut triangles = Vec::with_capacity(outline.len().saturating_sub(2));
    let complete = Ears::default().triangulate(outline, &mut triangles);
    (triangles, complete)
}

/// Whether a triangle is wound the right way round and covers some ground.
fn is_sound(outline: &[Point], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|corner| outline[corner as usize]);
    area2(a, b, c) < 0
}

/// Whether two corners of a triangle are at one place.
fn is_even_spike(outline: &[Point], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|corner| outline[corner as usize]);
    a == b || b == c || c == a
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

    /// Cuts ears and appends them until one triangle is left, or there is no ear. Returns whether it came to the end.
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

    /// Whether a corner makes a triangle that no edge reaches into, and no corner lies on its new edge. If only an edge is
    /// in the way, the corner waits for it.
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

    /// The ear with the shortest diagonal. Of equals the first, but the polygon's first corner comes last, as the one
    /// before it does.
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

    /// The shortest ear by looser rules than [`Ears::shortest`]. Its length is taken one corner too far, as in the
    /// reference, so that both recover alike.
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
        // Of three corners that are left nobody asks.
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

    /// Whether the segment between two corners runs inside the polygon and touches no edge.
    fn is_diagonal(&self, a: u32, b: u32) -> bool {
        let ring = &self.ring;
        in_cone(ring.at(ring.previous(a)), ring.at(a), ring.at(ring.next(a)), ring.at(b))
            && self.blocking(a, b, intersect).is_none()
    }

    /// An edge that the segment between two corners meets, other than those that end where it ends.
    #[inline]
    fn blocking(&self, a: u32, b: u32, meets: impl Fn(Point, Point, Point, Point) -> bool) -> Option<u32> {
        let (from, to) = (self.ring.at(a), self.ring.at(b));
        // Both coordinates at once.
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
