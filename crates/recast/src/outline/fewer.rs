//! Outlines with fewer corners: without loops, and with bays and steps cut off on the ground's side.
//!
//! ```text
//!    wall       b              At the corner `b` of a bay the outline turns to the ground. Without `b` the
//!          ___/ \___           outline leads straight from `a` to `c`. A step around a corner of a wall is
//!            a   c             an edge between two corners where the outline turns to the wall, `d` and
//!    wall   |                  `e`. Without that edge, the edges beside the step meet at `t`.
//!           | d
//!    ______/                   Both take ground away and add none, so no place is too near to a wall.
//!         e  t
//! ```
//!
//! The smallest bay or step is cut off first. Only shallow ones are cut off, and only where the agent has as
//! much room again on the other side: an outline there may move as far.

use super::arcs::SPARE;
use super::curves::{Moved, SAME};
use super::vector::{Plan, add, cross, dot, length, quarter, scale, sub, unit};

/// The greatest depth of what is cut off, as a share of the radius.
const DEPTH: f64 = 0.25;
/// Steps longer than this share of the radius, or than an edge next to them, are cut off only as far as
/// chords are outside of arcs: chords around a right angle are longer.
const SHORT: f64 = 0.6;
/// The longest loop that is left out, as a multiple of the radius: longer ones have ground inside.
const LOOP: f64 = 2.0;

/// A corner of the outline, or one of its ends, in the list that parts are cut off from.
#[derive(Clone, Copy)]
struct Knot {
    place: Plan,
    /// Its number in the list of corners.
    number: usize,
    /// The last of the first corners that it replaces; a corner of its own if it replaces none.
    last: usize,
    /// True for a corner that may go; false for an end, and where no triangle explains the corner.
    free: bool,
    /// True if triangles give the edges on both sides of it.
    exact: bool,
}

/// A bay or a step at a corner: its area, and for a step the place that replaces the corner and the next one.
#[derive(Clone, Copy)]
struct Part {
    area: f64,
    meeting: Option<Plan>,
}

/// An outline that loses bays and steps.
struct Outline<'a, F: Fn(Plan, usize) -> f64> {
    nodes: Vec<Knot>,
    /// The places of the first corners.
    first: Vec<Plan>,
    is_ring: bool,
    radius: f64,
    /// The distance from a place to the walls near a traced corner.
    clearance: &'a F,
}

/// Leaves out short loops, where the lines of several walls meet. `ends` are the places before the first and
/// after the last corner; a ring is without them.
pub(super) fn drop_loops(corners: &mut Vec<Moved>, ends: Option<[Plan; 2]>, radius: f64) {
    // The start of an edge. The first one starts at an end, or at the first corner of a ring.
    let place = |corners: &[Moved], at: usize| match (ends, at) {
        (Some(ends), 0) => ends[0],
        (Some(ends), at) => corners.get(at - 1).map_or(ends[1], |corner| corner.place),
        (None, at) => corners[at % corners.len()].place,
    };
    let extra = usize::from(ends.is_some());
    let mut one = 0;
    let whole = if ends.is_none() { way_along(corners) } else { f64::INFINITY };
    let longest = (LOOP * radius).min(0.5 * whole);
    while one + 2 < corners.len() + extra {
        let edges = corners.len() + extra;
        let edge = |at: usize| [place(corners, at), place(corners, at + 1)];
        let mut way = 0.0;
        // The last edge of a ring ends where the first one starts.
        let last = if ends.is_none() && one == 0 { edges - 1 } else { edges };
        let crossing = (one + 2..last).find_map(|other| {
            let [from, to] = edge(other - 1);
            way += length(sub(to, from));
            (way <= longest).then(|| crossing(edge(one), edge(other)))?.map(|place| (other, place))
        });
        let Some((other, place)) = crossing else {
            one += 1;
            continue;
        };
        // The corners between the two edges.
        let [first, last] = [one, other].map(|edge| edge + 1 - extra);
        let exact = corners[first..last].iter().all(|corner| corner.exact);
        corners[first] = Moved { place, exact, ..corners[first] };
        corners.drain(first + 1..last);
    }
}

/// The length of an outline all around.
fn way_along(corners: &[Moved]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(one, two)| length(sub(two.place, one.place))).sum()
}

/// The place where two edges cross.
fn crossing([a, b]: [Plan; 2], [c, d]: [Plan; 2]) -> Option<Plan> {
    let (one, two, apart) = (sub(b, a), sub(d, c), sub(c, a));
    let sine = cross(one, two);
    let (along, other) = (cross(apart, two) / sine, cross(apart, one) / sine);
    let inside = |share: f64| share > 0.0 && share < 1.0;
    (inside(along) && inside(other)).then(|| add(a, scale(one, along)))
}

/// Cuts off shallow bays and short steps. `ends` as for [`drop_loops`]. `clearance` is the distance from a
/// place to the walls near a traced corner.
pub(super) fn cut(
    corners: &mut Vec<Moved>,
    ends: Option<[Plan; 2]>,
    radius: f64,
    clearance: &impl Fn(Plan, usize) -> f64,
) {
    let inside = corners.iter().enumerate().map(|(number, corner)| (corner.place, number, corner.exact));
    let end = |at: usize| ends.map(|ends| (ends[at], usize::MAX, true));
    let all = end(0).into_iter().chain(inside).chain(end(1));
    let nodes: Vec<Knot> = all
        .enumerate()
        .map(|(last, (place, number, exact))| Knot {
            place,
            number,
            last,
            free: exact && number != usize::MAX,
            exact,
        })
        .collect();
    let first = nodes.iter().map(|node| node.place).collect();
    let mut outline = Outline { nodes, first, is_ring: ends.is_none(), radius, clearance };
    outline.cut_all(corners);
    let kept = outline.nodes.iter().filter(|node| node.number != usize::MAX);
    *corners = kept.map(|node| Moved { place: node.place, ..corners[node.number] }).collect();
}

impl<F: Fn(Plan, usize) -> f64> Outline<'_, F> {
    /// Cuts off one part after the other, the smallest first.
    fn cut_all(&mut self, corners: &[Moved]) {
        let mut cuts: Vec<Option<Part>> =
            (0..self.nodes.len()).map(|index| self.cut_at(index, corners)).collect();
        while self.nodes.len() > 3 {
            let best = cuts.iter().enumerate().filter_map(|(index, cut)| Some((index, (*cut)?)));
            let Some((index, cut)) = best.min_by(|(_, one), (_, two)| one.area.total_cmp(&two.area)) else {
                break;
            };
            let mut gone = index;
            if let Some(place) = cut.meeting {
                gone = (index + 1) % self.nodes.len();
                let last = self.nodes[gone].last;
                self.nodes[index] = Knot { place, last, ..self.nodes[index] };
            }
            self.nodes.remove(gone);
            cuts.remove(gone);
            // A bay or a step depends on two corners to either side.
            let count = self.nodes.len();
            for step in count - 3..count + 3 {
                let near = (index + step) % count;
                cuts[near] = self.cut_at(near, corners);
            }
        }
    }

    /// The node some steps after another one.
    fn node(&self, index: usize, step: usize) -> Option<&Knot> {
        let at = index + step;
        if self.is_ring { self.nodes.get(at % self.nodes.len()) } else { self.nodes.get(at) }
    }

    /// The bay or the step that can be cut off at a corner.
    fn cut_at(&self, index: usize, corners: &[Moved]) -> Option<Part> {
        let count = self.nodes.len();
        let before = if self.is_ring { (index + count - 1) % count } else { index.checked_sub(1)? };
        let at = |step: usize| self.node(before, step);
        let [a, b, c] = [at(0)?, at(1)?, at(2)?];
        let corner = corners.get(b.number)?.corner;
        if cross(sub(b.place, a.place), sub(c.place, b.place)) <= 0.0 {
            return self.bay([a, b, c], corner);
        }
        self.step([a, b, c, at(3)?], corner)
    }

    /// The bay at the corner `b`, without the ground between it and an edge from `a` to `c`.
    fn bay(&self, [a, b, c]: [&Knot; 3], corner: usize) -> Option<Part> {
        let along = unit(sub(c.place, a.place))?;
        let length = length(sub(c.place, a.place));
        let count = self.first.len();
        let gone = (1..count).map(|step| (a.last + step) % count);
        // A node that replaces others is no first corner itself.
        let gone = gone.take_while(|&at| at != c.last).map(|at| self.first[at]).chain([b.place]);
        let is_shallow = |place: Plan| {
            let from = sub(place, a.place);
            let foot = add(a.place, scale(along, dot(from, along).clamp(0.0, length)));
            let depth = cross(along, from);
            depth >= -SAME
                && self::length(sub(place, foot)) <= DEPTH * self.radius
                && self.has_room(foot, along, corner)
        };
        let area = 0.5 * cross(sub(b.place, a.place), sub(c.place, b.place)).abs();
        (b.free && gone.into_iter().all(is_shallow)).then_some(Part { area, meeting: None })
    }

    /// The step from `b` to `c`, if the edges next to it meet near the wall.
    fn step(&self, [a, b, c, d]: [&Knot; 4], corner: usize) -> Option<Part> {
        let all_exact = [a, b, c, d].iter().all(|node| node.exact);
        let [one, along, two] = [[a, b], [b, c], [c, d]].map(|[from, to]| sub(to.place, from.place));
        if !all_exact || !b.free || !c.free || cross(along, two) <= 0.0 || cross(one, two) <= 0.0 {
            return None;
        }
        let share = cross(along, two) / cross(one, two);
        let place = add(b.place, scale(one, share));
        let is_short = length(along) <= (SHORT * self.radius).min(length(one)).min(length(two));
        let limit = if is_short { DEPTH } else { SPARE };
        let twice_area = cross(along, sub(b.place, place));
        let is_near = twice_area <= limit * self.radius * length(along)
            && (self.clearance)(place, corner) <= (1.0 + limit) * self.radius;
        (is_near && self.has_room(place, unit(along)?, corner))
            .then_some(Part { area: 0.5 * twice_area, meeting: Some(place) })
    }

    /// Returns true if the agent has room at a place of an edge in this direction, and as much again on the
    /// side of the ground as may be cut off.
    fn has_room(&self, place: Plan, along: Plan, corner: usize) -> bool {
        let inwards = scale(quarter(along), -DEPTH * self.radius);
        [place, add(place, inwards)]
            .into_iter()
            .all(|place| (self.clearance)(place, corner) >= self.radius - 2.0 * SAME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RADIUS: f64 = 2.0;

    fn corners(places: &[Plan]) -> Vec<Moved> {
        places.iter().enumerate().map(|(corner, &place)| Moved { place, corner, exact: true }).collect()
    }

    /// The distance of a place from an outline, negative if it is not on the ground's side: to the
    /// right of the nearest edge that is not seen from its end.
    fn depth(outline: &[Plan], place: Plan) -> f64 {
        let sided = outline.array_windows::<2>().map(|&[a, b]| {
            let (along, from) = (sub(b, a), sub(place, a));
            let share = (dot(from, along) / dot(along, along)).clamp(0.0, 1.0);
            let apart = length(sub(from, scale(along, share)));
            // Of edges that meet in the nearest place, the one seen at the greater angle.
            (apart, -(cross(along, from) / length(along)).abs(), cross(along, from) < 0.0)
        });
        let best = sided.min_by(|one, two| {
            let is_same = (one.0 - two.0).abs() < 1e-9;
            if is_same { one.1.total_cmp(&two.1) } else { one.0.total_cmp(&two.0) }
        });
        best.map_or(0.0, |(apart, _, inside)| if inside { apart } else { -apart })
    }

    /// The places that are left of an outline from its first place to its last, all of it at the radius from
    /// walls. The corners, counted from 0 after the first place, that are not exact are given.
    fn cut_open(outline: &[Plan], plain: &[usize]) -> Vec<Plan> {
        let [first, inside @ .., last] = outline else { panic!("an outline has two ends") };
        let mut moved = corners(inside);
        plain.iter().for_each(|&corner| moved[corner].exact = false);
        cut(&mut moved, Some([*first, *last]), RADIUS, &|place, _| RADIUS + depth(outline, place));
        moved.into_iter().map(|corner| corner.place).collect()
    }

    #[test]
    fn shallow_bays_go_and_deep_ones_stay() {
        let bay = |depth: f64| [[0.0, 0.0], [5.0, 0.0], [5.5, depth], [6.0, 0.0], [11.0, 0.0]];
        let left = cut_open(&bay(DEPTH * RADIUS - 0.01), &[]);
        assert!(left.iter().all(|&[_, z]| z == 0.0), "{left:?}");
        assert_eq!(cut_open(&bay(DEPTH * RADIUS + 0.01), &[]).len(), 3);
        // No triangle explains the corner in the bay: it has errors of its own.
        assert_eq!(cut_open(&bay(0.3), &[1]).len(), 3);
    }

    #[test]
    fn short_steps_become_one_corner() {
        // The outline turns to the wall twice by 30 degrees.
        let (sin, cos) = (0.5, 0.75f64.sqrt());
        let step = |length: f64| {
            let [d, e] = [[5.0, 0.0], [5.0 + length * cos, length * sin]];
            [[0.0, 0.0], d, e, [e[0] + 2.5, e[1] + 5.0 * cos]]
        };
        let left = cut_open(&step(1.0), &[]);
        // Both edges continue by half a step over the cosine of 30 degrees.
        assert!(left.len() == 1 && length(sub(left[0], [5.0 + 0.5 / cos, 0.0])) < 1e-9, "{left:?}");
        // 0.24 of the radius is as long as a step of 1.66 goes beyond it, but that is no short one.
        assert_eq!(cut_open(&step(1.66), &[]).len(), 2);
        assert_eq!(cut_open(&step(1.0), &[0]).len(), 2);
    }

    #[test]
    fn nothing_is_cut_off_in_narrow_places() {
        let outline = [[0.0, 0.0], [5.0, 0.0], [5.5, 0.3], [6.0, 0.0], [11.0, 0.0]];
        for (width, left) in [(2.0 * DEPTH * RADIUS, 1), (0.9 * DEPTH * RADIUS, 3)] {
            let mut moved = corners(&outline[1..4]);
            // A straight wall on the other side leaves a strip of this width.
            let clearance = |place: Plan, _: usize| RADIUS + depth(&outline, place).min(width + place[1]);
            cut(&mut moved, Some([outline[0], outline[4]]), RADIUS, &clearance);
            assert_eq!(moved.len(), left, "width {width}");
        }
    }

    #[test]
    fn outlines_move_only_to_the_ground_and_only_so_far() {
        let mut random = navscenes::random::SplitMix64::new(7);
        let mut part = || random.unit();
        let (mut before, mut after) = (0, 0);
        for _ in 0..300 {
            let mut outline = vec![[0.0, 0.0]];
            for _ in 0..12 {
                let [x, z] = outline[outline.len() - 1];
                outline.push([x + 0.2 + 2.0 * part(), 0.5 * z + 1.2 * (part() - 0.5)]);
            }
            let left = cut_open(&outline, &[]);
            (before, after) = (before + outline.len() - 2, after + left.len());
            let ends = [outline[0], outline[12]];
            let moved: Vec<Plan> =
                std::iter::once(ends[0]).chain(left).chain(std::iter::once(ends[1])).collect();
            for [a, b] in moved.array_windows::<2>() {
                for step in 0..=20 {
                    let share = f64::from(step) / 20.0;
                    let deep = depth(&outline, add(*a, scale(sub(*b, *a), share)));
                    assert!((-0.02..=DEPTH * RADIUS + 0.02).contains(&deep), "{outline:?}: {deep}");
                }
            }
        }
        assert!(5 * after < 4 * before, "{after} corners of {before}");
    }

    #[test]
    fn short_loops_go() {
        let outline = [[5.0, 0.0], [6.0, 1.0], [6.5, 0.5], [5.5, -0.5], [11.0, -0.5]];
        let mut open = corners(&outline);
        drop_loops(&mut open, Some([[0.0, 0.0], [12.0, 0.0]]), RADIUS);
        assert!(open.iter().map(|corner| corner.place).eq(outline), "nothing crosses");
        let outline = [[5.0, 0.0], [6.0, 0.5], [6.0, -0.5], [5.0, 0.5], [11.0, 0.5]];
        let mut open = corners(&outline);
        open[2].exact = false;
        drop_loops(&mut open, Some([[0.0, 0.0], [12.0, 0.5]]), RADIUS);
        assert_eq!(open.len(), 4);
        assert!(length(sub(open[1].place, [16.0 / 3.0, 1.0 / 6.0])) < 1e-9 && !open[1].exact);
        let mut long = corners(&outline.map(|place| scale(place, 5.0)));
        drop_loops(&mut long, Some([[0.0, 0.0], [60.0, 2.5]]), RADIUS);
        assert_eq!(long.len(), 5);
        // All around, the shorter part is the loop.
        let square = [[0.0, 0.0], [0.0, 9.0], [9.2, 9.0], [9.5, 9.0], [9.0, 9.5], [9.0, 0.0]];
        let mut ring = corners(&square);
        drop_loops(&mut ring, None, RADIUS);
        assert_eq!(ring.len(), 4);
        assert!(length(sub(ring[2].place, [9.0, 9.0])) < 1e-9);
    }
}
