//! Segments, and their distances from points, from each other and from lines along an axis.

use super::vector::{Plan, add, cross, dot, length, quarter, scale, sub, unit};

/// A part of a segment. Places on it are computed from the whole segment, so that two tiles that see
/// different parts of it find the same places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LineSegment {
    pub(super) a: Plan,
    pub(super) b: Plan,
    /// The part, as shares of the whole length.
    pub(super) range: [f64; 2],
}

/// The part of a segment that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contact {
    /// Its first end.
    A,
    /// Its second end.
    B,
    /// A point between them; the other point is to the left of the segment, seen with z upwards.
    Left,
    /// A point between them; the other point is to the right.
    Right,
}

impl Contact {
    pub(super) fn is_end(self) -> bool {
        matches!(self, Contact::A | Contact::B)
    }
}

/// The point of a segment that is nearest to another point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) place: Plan,
    /// The share of the whole length before it.
    pub(super) share: f64,
    pub(super) squared: f64,
    pub(super) contact: Contact,
}

/// A segment prepared for the distances of many places.
pub(super) struct Ruler {
    a: Plan,
    /// The direction of the segment, of length 1.
    along: Plan,
    /// The ends of the part, as lengths from `a`.
    range: [f64; 2],
}

impl Ruler {
    pub(super) fn new(segment: &LineSegment) -> Ruler {
        let whole = sub(segment.b, segment.a);
        let length = length(whole);
        let along = unit(whole).unwrap_or([1.0, 0.0]);
        Ruler { a: segment.a, along, range: segment.range.map(|share| share * length) }
    }

    /// The shortest way from a place to the segment.
    #[inline]
    pub(super) fn way(&self, place: Plan) -> Plan {
        let from = sub(place, self.a);
        let along = dot(from, self.along).clamp(self.range[0], self.range[1]);
        sub(scale(self.along, along), from)
    }
}

impl LineSegment {
    pub(super) fn new(a: Plan, b: Plan) -> LineSegment {
        LineSegment { a, b, range: [0.0, 1.0] }
    }

    /// Returns true if another part of the same segment starts in this one.
    pub(super) fn overlaps(&self, other: &LineSegment) -> bool {
        self.a == other.a && self.b == other.b && (self.range[0]..=self.range[1]).contains(&other.range[0])
    }

    /// The ends of the part.
    pub(super) fn ends(&self) -> [Plan; 2] {
        self.range.map(|share| self.at(share))
    }

    /// The place at a share of the whole length. The ends of the whole segment are exact.
    pub(super) fn at(&self, share: f64) -> Plan {
        match share {
            share if share <= 0.0 => self.a,
            share if share >= 1.0 => self.b,
            share => add(self.a, scale(sub(self.b, self.a), share)),
        }
    }

    /// The point nearest to `place`.
    pub(super) fn nearest(&self, place: Plan) -> Nearest {
        let (along, from) = (sub(self.b, self.a), sub(place, self.a));
        let whole = dot(along, along);
        let share = if whole > 0.0 { dot(from, along) / whole } else { 0.0 };
        let (nearest, contact) = if share < self.range[0] || whole == 0.0 {
            (self.at(self.range[0]), Contact::A)
        } else if share > self.range[1] {
            (self.at(self.range[1]), Contact::B)
        } else {
            let side = if cross(along, from) > 0.0 { Contact::Left } else { Contact::Right };
            (add(self.a, scale(along, share)), side)
        };
        let apart = sub(place, nearest);
        Nearest {
            place: nearest,
            share: share.clamp(self.range[0], self.range[1]),
            squared: dot(apart, apart),
            contact,
        }
    }

    /// The direction to the left of the segment.
    pub(super) fn normal(&self) -> Option<Plan> {
        unit(quarter(sub(self.b, self.a)))
    }

    /// The places on a line along one axis that are nearer than the radius: from one coordinate on that axis
    /// to another. `across` is the line's coordinate on the other axis.
    pub(super) fn shadow(&self, axis: usize, across: f64, radius: f64) -> Option<[f64; 2]> {
        let mut shadow: Option<[f64; 2]> = None;
        let mut widen = |[low, high]: [f64; 2]| {
            let known = shadow.unwrap_or([low, high]);
            shadow = Some([known[0].min(low), known[1].max(high)]);
        };
        for end in self.ends() {
            let half = radius * radius - (across - end[1 - axis]) * (across - end[1 - axis]);
            if half > 0.0 {
                let half = half.sqrt();
                widen([end[axis] - half, end[axis] + half]);
            }
        }
        // The two sides of the strip around the segment.
        if let Some(normal) = self.normal() {
            for side in [-radius, radius] {
                let [a, b] = [self.a, self.b].map(|end| add(end, scale(normal, side)));
                let share = (across - a[1 - axis]) / (b[1 - axis] - a[1 - axis]);
                if self.range[0] <= share && share <= self.range[1] {
                    let place = a[axis] + (b[axis] - a[axis]) * share;
                    widen([place, place]);
                }
            }
        }
        shadow.filter(|[low, high]| low < high)
    }

    /// The nearest points of two segments; `None` if they cross.
    pub(super) fn bridge(&self, other: &LineSegment) -> Option<[Plan; 2]> {
        let ([a, b], [c, d]) = (self.ends(), other.ends());
        let is_cut = |[from, to]: [Plan; 2], [one, two]: [Plan; 2]| {
            let along = sub(to, from);
            cross(along, sub(one, from)) * cross(along, sub(two, from)) < 0.0
        };
        if is_cut([a, b], [c, d]) && is_cut([c, d], [a, b]) {
            return None;
        }
        let mut least = (f64::INFINITY, [a; 2]);
        for end in [a, b] {
            let nearest = other.nearest(end);
            if nearest.squared < least.0 {
                least = (nearest.squared, [end, nearest.place]);
            }
        }
        for end in [c, d] {
            let nearest = self.nearest(end);
            if nearest.squared < least.0 {
                least = (nearest.squared, [nearest.place, end]);
            }
        }
        Some(least.1)
    }

    /// The place of the segment whose coordinate on one axis is `at`.
    pub(super) fn crossing_at(&self, axis: usize, at: f64) -> Option<Plan> {
        let share = (at - self.a[axis]) / (self.b[axis] - self.a[axis]);
        (self.range[0]..=self.range[1]).contains(&share).then(|| {
            let mut place = self.at(share);
            place[axis] = at;
            place
        })
    }

    /// The shares of the length within a rectangle.
    pub(super) fn within(&self, low: Plan, high: Plan) -> Option<[f64; 2]> {
        let mut range = self.range;
        for axis in [0, 1] {
            let (a, b) = (self.a[axis], self.b[axis]);
            if a.max(b) < low[axis] || a.min(b) > high[axis] {
                return None;
            }
            if a == b {
                continue;
            }
            let (one, two) = ((low[axis] - a) / (b - a), (high[axis] - a) / (b - a));
            range = [range[0].max(one.min(two)), range[1].min(one.max(two))];
        }
        (range[0] <= range[1]).then_some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: usize = 512;
    const CLOSE: f64 = 0.01;

    fn segments() -> Vec<LineSegment> {
        let segment = |a, b, range| LineSegment { a, b, range };
        vec![
            segment([0.0, 0.0], [4.0, 0.0], [0.0, 1.0]),
            segment([1.0, -2.0], [1.0, 3.0], [0.25, 0.75]),
            segment([-1.0, -1.0], [2.0, 3.0], [0.0, 0.5]),
            segment([2.5, 1.0], [-0.5, 2.0], [0.125, 1.0]),
            segment([0.5, 0.75], [0.5, 0.75], [0.0, 1.0]),
        ]
    }

    fn places() -> impl Iterator<Item = Plan> {
        (0..81).map(|index| [f64::from(index % 9) * 0.83 - 3.0, f64::from(index / 9) * 0.79 - 3.0])
    }

    fn samples(segment: &LineSegment) -> impl Iterator<Item = Plan> {
        let [from, to] = segment.range;
        (0..=SAMPLES).map(move |index| segment.at(from + (to - from) * index as f64 / SAMPLES as f64))
    }

    fn distance(segment: &LineSegment, place: Plan) -> f64 {
        samples(segment).map(|sample| length(sub(sample, place))).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn nearest_points_are_those_of_samples() {
        for segment in segments() {
            let ruler = Ruler::new(&segment);
            for place in places() {
                let nearest = segment.nearest(place);
                let expected = distance(&segment, place);
                assert!((nearest.squared.sqrt() - expected).abs() < CLOSE, "{segment:?} {place:?}");
                assert!((length(ruler.way(place)) - expected).abs() < CLOSE, "{segment:?} {place:?}");
                assert!((length(sub(nearest.place, place)) - expected).abs() < CLOSE);
                assert!(length(sub(segment.at(nearest.share), nearest.place)) < CLOSE);
            }
        }
    }

    #[test]
    fn shadows_hold_the_places_nearer_than_the_radius() {
        for segment in segments() {
            for (axis, radius) in [(0, 0.6), (1, 0.6), (0, 2.0), (1, 2.0)] {
                for across in (0..13).map(|step| f64::from(step) * 0.61 - 4.0) {
                    let shadow = segment.shadow(axis, across, radius);
                    for along in (0..101).map(|step| f64::from(step) * 0.1 - 5.0) {
                        let mut place = [along; 2];
                        place[1 - axis] = across;
                        let apart = distance(&segment, place) - radius;
                        let is_inside = shadow.is_some_and(|[low, high]| low < along && along < high);
                        assert!(apart.abs() < CLOSE || is_inside == (apart < 0.0), "{segment:?} {place:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn bridges_are_the_shortest_ways() {
        for (one, two) in [(0, 3), (1, 4), (2, 4), (3, 4), (0, 4)] {
            let (one, two) = (segments()[one], segments()[two]);
            let expected =
                samples(&one).map(|place| two.nearest(place).squared.sqrt()).fold(f64::INFINITY, f64::min);
            let [from, to] = one.bridge(&two).expect("segments that do not cross");
            assert!((length(sub(from, to)) - expected).abs() < CLOSE, "{one:?} {two:?}");
            assert!(one.nearest(from).squared < CLOSE && two.nearest(to).squared < CLOSE);
        }
    }

    #[test]
    fn rectangles_cut_segments() {
        for segment in segments() {
            for low in places() {
                let high = add(low, [0.9, 1.3]);
                let is_inside =
                    |place: &Plan| (0..2).all(|axis| low[axis] <= place[axis] && place[axis] <= high[axis]);
                let inside: Vec<Plan> = samples(&segment).filter(is_inside).collect();
                let cut = segment.within(low, high);
                // A cut shorter than the distance of two samples may hold none.
                let is_short =
                    |[from, to]: [f64; 2]| length(sub(segment.at(from), segment.at(to))) < 2.0 * CLOSE;
                match (cut, inside.first(), inside.last()) {
                    (Some([from, to]), Some(first), Some(last)) => {
                        assert!(length(sub(segment.at(from), *first)) < 2.0 * CLOSE, "{segment:?} {low:?}");
                        assert!(length(sub(segment.at(to), *last)) < 2.0 * CLOSE, "{segment:?} {low:?}");
                    }
                    (cut, first, _) => {
                        assert!(first.is_none() && cut.is_none_or(is_short), "{segment:?} {low:?}")
                    }
                }
            }
        }
    }
}
