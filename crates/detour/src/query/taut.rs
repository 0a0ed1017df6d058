//! The search of `find_path` where a metre costs the same everywhere: A* over polygons in which every way is judged by
//! the string pulled through it.
//!
//! A label is a way into a polygon over one opening. It keeps the funnel of that way: the strings from the start to
//! both ends of the opening. From a label to the next the funnel takes in one more opening, so what a label
//! estimates is exact as far as the way is known: the string through its openings and on to the goal. A polygon keeps
//! a label more where the new one leads to an end of its opening on a shorter string than all it has, up to
//! [`MOST_LABELS`]. So ways round both sides of an obstacle live side by side, until one of them is the longer one to
//! everything; a search with one way to a polygon has to choose when it knows least.
//!
//! Lengths are as seen from above, off-mesh links count the distance of their ends. Against the shortest paths of
//! [`Query::shortest_path`]: docs/paths.md. It is no proof: strings to the ends of an opening may both be longer, and
//! one to its middle shorter.
//!
//! Cost: O(n log n) in the labels, of which there are at most as many as the query has nodes; in practice as many as
//! a search with one way to a polygon touches polygons, since exact estimates leave less to look at.
//! Source: D. Demyen, M. Buro, Efficient triangulation-based pathfinding (AAAI 2006; TA*), where a triangle is
//! searched again for every corridor; what is dropped, and funnels that share their points, are our own. Funnels: see
//! `funnel.rs`.

use super::find_path::{Place, Search};
use super::nodes::{NO_NODE, NodePool, OfPolygon, Origin};
use super::rules::{Asked, Plain, Rules};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::flat;
use crate::mesh::{Located, Way};
use crate::poly_ref::PolyRef;
use glam::{DVec2, Vec3};
use std::num::NonZeroU32;

/// Most labels of a polygon.
const MOST_LABELS: usize = 8;
/// What the sum of a string's lengths may be off by, as a part of it.
const ROUNDING: f64 = 1.0 + 1e-12;

/// A point that strings lead to: the start, an end of an opening, an end of an off-mesh link.
#[derive(Clone, Copy, Debug)]
struct Knot {
    at: DVec2,
    /// Where the knot is that it comes from, and the way from there.
    origin: DVec2,
    along: DVec2,
    /// Length of the string from the start.
    length: f64,
    /// The knot that it comes from.
    before: u32,
}

/// The strings to both ends of an opening, and where they part.
#[derive(Clone, Copy, Debug)]
struct Strings {
    left: u32,
    apex: u32,
    right: u32,
}

/// A way into a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) polygon: PolyRef,
    strings: Strings,
    /// The label it comes from, or [`NO_NODE`].
    pub(super) parent: u32,
    /// The next label of the polygon, or [`NO_NODE`].
    another: u32,
    /// Length of the shortest string on this way to the goal.
    total: f64,
    /// Where an off-mesh link is entered; of a polygon the height only matters there.
    pub(super) point: Vec3,
}

/// A label that is settled.
struct Settled<'a> {
    number: u32,
    strings: Strings,
    total: f64,
    point: Vec3,
    located: Located<'a>,
}

impl OfPolygon for Label {
    #[inline]
    fn polygon(&self) -> PolyRef {
        self.polygon
    }
}

/// What the search works on.
#[derive(Debug)]
pub(super) struct TautScratch {
    pub(super) labels: NodePool<Label>,
    knots: Vec<Knot>,
}

impl TautScratch {
    pub(super) fn new(max_nodes: NonZeroU32) -> TautScratch {
        TautScratch { labels: NodePool::new(max_nodes), knots: Vec::new() }
    }

    #[inline]
    fn tie(&mut self, at: DVec2, length: f64, before: u32) -> u32 {
        let number = self.knots.len() as u32;
        // The first comes from itself.
        let origin = self.knots.get(before as usize).map_or(at, |before| before.at);
        self.knots.push(Knot { at, origin, along: at - origin, length, before });
        number
    }

    #[inline]
    fn knot(&self, knot: u32) -> &Knot {
        &self.knots[knot as usize]
    }

    /// The last knot of one side that the string to `p` bends round; `None` if it passes the side by. `sense` is 1 for
    /// the left, -1 for the right.
    #[inline(always)]
    fn bend(&self, from: u32, apex: u32, p: DVec2, sense: f64) -> Option<u32> {
        let mut knot = from;
        while knot != apex {
            let Knot { origin, along, before, .. } = *self.knot(knot);
            if along.perp_dot(p - origin) * sense < 0.0 {
                return Some(knot);
            }
            knot = before;
        }
        None
    }

    #[inline]
    fn length_over(&self, knot: u32, p: DVec2) -> f64 {
        let knot = self.knot(knot);
        knot.length + knot.at.distance_squared(p).sqrt()
    }

    /// Length of the string to a point beyond the opening.
    #[inline(always)]
    fn length_to(&self, strings: &Strings, p: DVec2) -> f64 {
        let left = self.bend(strings.left, strings.apex, p, 1.0);
        let right = self.bend(strings.right, strings.apex, p, -1.0);
        match (left, right) {
            (None, None) => self.length_over(strings.apex, p),
            (Some(knot), None) | (None, Some(knot)) => self.length_over(knot, p),
            // Behind the start of the strings: round either side.
            (Some(left), Some(right)) => self.length_over(left, p).min(self.length_over(right, p)),
        }
    }

    /// The strings through one more opening.
    #[inline(always)]
    fn through(&mut self, mut strings: Strings, left: DVec2, right: DVec2) -> Strings {
        if self.knot(strings.left).at != left {
            let knot = match self.bend(strings.left, strings.apex, left, 1.0) {
                Some(knot) => knot,
                None => {
                    strings.apex = self.bend(strings.right, strings.apex, left, -1.0).unwrap_or(strings.apex);
                    strings.apex
                }
            };
            strings.left = self.tie(left, self.length_over(knot, left), knot);
        }
        if self.knot(strings.right).at != right {
            let knot = match self.bend(strings.right, strings.apex, right, -1.0) {
                Some(knot) => knot,
                None => {
                    strings.apex = self.bend(strings.left, strings.apex, right, 1.0).unwrap_or(strings.apex);
                    strings.apex
                }
            };
            strings.right = self.tie(right, self.length_over(knot, right), knot);
        }
        strings
    }

    /// The strings from a label to an end of an off-mesh link: where it is entered, or where it is left.
    #[cold]
    #[inline(never)]
    fn link_end(&mut self, from: &Settled<'_>, end: Vec3) -> Strings {
        let (at, apex) = (flat(end), from.strings.apex);
        let knot = if from.located.is_off_mesh() {
            let over = from.point.as_dvec3().distance_squared(end.as_dvec3()).sqrt();
            self.tie(at, self.knot(apex).length + over, apex)
        } else {
            let strings = self.through(from.strings, at, at);
            if self.knot(strings.left).length < self.knot(strings.right).length {
                strings.left
            } else {
                strings.right
            }
        };
        Strings { left: knot, apex: knot, right: knot }
    }

    /// How near a way comes to a point: that of the opening it enters its polygon over, squared, as seen from above.
    fn distance_squared(&self, label: &Label, p: DVec2) -> f64 {
        let [a, b] = [label.strings.left, label.strings.right].map(|knot| self.knot(knot).at);
        let along = b - a;
        let whole = along.length_squared();
        let t = if whole > 0.0 { ((p - a).dot(along) / whole).clamp(0.0, 1.0) } else { 0.0 };
        (a + along * t).distance_squared(p)
    }

    /// The label that comes nearest to a point, and of equally near ones the shortest way; the first of equals.
    pub(super) fn nearest(&self, p: Vec3) -> u32 {
        let (mut nearest, mut best) = (0, (f64::INFINITY, f64::INFINITY));
        for number in 0..self.labels.len() as u32 {
            let label = self.labels.get(number);
            let rank = (self.distance_squared(label, flat(p)), label.total);
            if rank < best {
                (nearest, best) = (number, rank);
            }
        }
        nearest
    }

    /// Length of the way of a label to a point.
    pub(super) fn length(&self, label: u32, p: Vec3) -> f64 {
        self.length_to(&self.labels.get(label).strings, flat(p))
    }

    /// Whether one of a polygon's labels leads to both ends of an opening on strings as short.
    #[inline(never)]
    fn is_dominated(&self, first: u32, strings: &Strings) -> Dominated {
        let [left, right] = [strings.left, strings.right].map(|knot| *self.knot(knot));
        let (mut number, mut last, mut count) = (first, first, 0);
        while number != NO_NODE {
            let known = self.labels.get(number);
            if self.length_to(&known.strings, left.at) <= left.length * ROUNDING
                && self.length_to(&known.strings, right.at) <= right.length * ROUNDING
            {
                return Dominated::Yes;
            }
            (last, number, count) = (number, known.another, count + 1);
        }
        if count >= MOST_LABELS { Dominated::Yes } else { Dominated::No { last } }
    }
}

/// A goal before an opening is as far from all of it as its mirror image beyond.
#[inline]
fn beyond(left: DVec2, right: DVec2, goal: DVec2) -> DVec2 {
    let (along, away) = (left - right, goal - right);
    let side = along.perp_dot(away);
    // An end of an off-mesh link has no sides.
    if side >= 0.0 { goal } else { goal - along.perp() * (2.0 * side / along.length_squared()) }
}

/// Whether a label is worth keeping.
enum Dominated {
    Yes,
    No {
        /// The polygon's last label.
        last: u32,
    },
}

impl<C: CostModel> Search<'_, C> {
    /// Puts the start on the open list.
    pub(super) fn begin_taut(&mut self, start: Place) {
        self.query.open.clear();
        let scratch = &mut self.query.taut;
        scratch.labels.clear();
        scratch.knots.clear();
        let at = scratch.tie(flat(start.point), 0.0, 0);
        let strings = Strings { left: at, apex: at, right: at };
        let total = scratch.length_over(at, flat(self.state.goal.point));
        let Place { polygon, point } = start;
        let label = Label { polygon, strings, parent: NO_NODE, another: NO_NODE, total, point };
        if let Some(first) = scratch.labels.insert(label) {
            self.query.open.push(first, total, total);
        }
    }

    /// Settles up to so many labels; true once one is the goal's or nothing is left to settle.
    pub(super) fn advance_taut(&mut self, steps: u32) -> Result<bool, QueryError> {
        match Plain::of(self.filter) {
            Some(plain) => self.advance_taut_by(&plain, steps),
            None => self.advance_taut_by(&Asked(self.filter), steps),
        }
    }

    #[inline(never)]
    fn advance_taut_by<R: Rules>(&mut self, rules: &R, steps: u32) -> Result<bool, QueryError> {
        for _ in 0..steps {
            let Some(number) = self.query.open.pop() else {
                if !self.should_look_at_dead_ends() {
                    return Ok(true);
                }
                self.begin_taut(self.state.start);
                continue;
            };
            let Label { polygon, strings, parent, total, point, .. } = *self.query.taut.labels.get(number);
            if polygon == self.state.goal.polygon {
                self.state.reached = Some(number);
                return Ok(true);
            }
            let located = self.mesh.locate_node(polygon)?;
            let from = Settled { number, strings, total, point, located };
            // The way back is never shorter.
            let came_from = self.query.taut.labels.came_from(parent);
            for way in located.ways() {
                if !came_from.is(way.to) {
                    self.extend::<R, false>(rules, &from, way);
                }
            }
            if located.is_off_mesh() || located.has_links_in_tile() {
                self.extend_over_links(rules, &from, came_from);
            }
        }
        Ok(false)
    }

    /// Looks at the ways onto off-mesh links, or off one: apart, as there are few.
    #[cold]
    #[inline(never)]
    fn extend_over_links<R: Rules>(&mut self, rules: &R, from: &Settled<'_>, came_from: Origin) {
        let mesh = self.mesh;
        from.located.each_way_by_link(mesh, |way| {
            if !came_from.is(way.to) {
                self.extend::<R, true>(rules, from, way);
            }
        });
    }

    /// Looks at one way from a settled label on.
    #[inline(always)]
    fn extend<R: Rules, const BY_LINK: bool>(&mut self, rules: &R, from: &Settled<'_>, way: &Way) {
        if rules.enter(self.mesh, &from.located, way.to).is_none() {
            return;
        }
        if way.is_to_dead_end && self.leaves_out(way.to) {
            return;
        }
        let goal = self.state.goal;
        let scratch = &mut self.query.taut;
        let tied = scratch.knots.len();
        let strings = if BY_LINK {
            scratch.link_end(from, way.left)
        } else {
            scratch.through(from.strings, flat(way.left), flat(way.right))
        };
        let first = scratch.labels.find_first(way.to);
        let last = match first.ok().map(|first| scratch.is_dominated(first, &strings)) {
            None => None,
            Some(Dominated::No { last }) => Some(last),
            Some(Dominated::Yes) => return scratch.knots.truncate(tied),
        };
        // Rounding aside, a way on is no shorter than the way.
        let aim = beyond(flat(way.left), flat(way.right), flat(goal.point));
        let total = scratch.length_to(&strings, aim).max(from.total);
        if total >= self.state.bound {
            return scratch.knots.truncate(tied);
        }
        let (polygon, point) = (way.to, way.left);
        let on = Label { polygon, strings, parent: from.number, another: NO_NODE, total, point };
        let added = match first {
            Err(vacancy) => scratch.labels.insert_at(vacancy, on),
            Ok(_) => scratch.labels.insert_another(on),
        };
        let Some(added) = added else {
            self.state.full = true;
            return;
        };
        if let Some(last) = last {
            scratch.labels.get_mut(last).another = added;
        }
        if way.to == goal.polygon {
            self.state.bound = total;
        }
        let remaining = (total - scratch.knot(strings.apex).length).max(0.0);
        self.query.open.push(added, total, remaining);
    }
}
