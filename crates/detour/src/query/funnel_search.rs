//! The funnel search, which `find_path` uses if a metre costs the same everywhere. It is A* over polygons in
//! which every path is judged by the string pulled through it.
//!
//! A label is a path into a polygon through one portal. It keeps the funnel of that path: the strings from
//! the start to both ends of the portal. From a label to the next the funnel takes in one more portal, so the
//! estimate is exact for the path so far: the length of the string through its portals and on to the goal. A
//! polygon keeps a further label if that reaches an end of its portal on a shorter string than any of its
//! other labels, up to [`MOST_LABELS`]. So paths around both sides of an obstacle stay alive until one of
//! them is longer to every point. A search with one path per polygon has to choose when it knows least.
//!
//! Lengths are as seen from above; off-mesh links count the distance of their ends. docs/paths.md compares
//! them with the shortest paths of [`Query::shortest_path`](super::Query::shortest_path). A link between
//! edges is entered where a straight line from the last corner to the goal would enter it, and counts from
//! there. There is no proof of optimality: a label's strings to both ends of a portal may be longer than
//! another label's, while its string to the middle is shorter.
//!
//! Cost: O(n log n) in the labels, bounded by the query's nodes; in practice about the number of polygons
//! that a search with one path per polygon touches, since exact estimates leave less to search.
//! Source: D. Demyen, M. Buro, Efficient triangulation-based pathfinding (AAAI 2006; TA*), where a triangle
//! is searched again for every corridor; the choice of labels to drop, and funnels that share their points,
//! are our own. Funnels: see `funnel.rs`.

use super::find_path::{Search, Settled};
use super::nodes::{NO_NODE, NodePool, PoolNode};
use super::over_link::over_link;
use super::rules::Rules;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::flat;
use crate::mesh::{NavMesh, Poly, Portal};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::{DVec2, Vec3};
use std::num::NonZeroU32;

/// A polygon has at most this many labels.
const MOST_LABELS: usize = 8;
/// Relative error allowed for sums of lengths.
const ROUNDING: f64 = 1.0 + 1e-12;

/// A point of funnels: the start, an end of a portal, an end of an off-mesh link. Points form a tree: each is
/// linked to the point before it on the string from the start.
#[derive(Clone, Copy, Debug)]
struct StringPoint {
    at: DVec2,
    /// The point before it, and the vector from there.
    origin: DVec2,
    along: DVec2,
    /// Length of the string from the start.
    length: f64,
    /// Number of the point before it.
    before: u32,
}

/// The strings to both ends of a portal, and the point where they diverge.
#[derive(Clone, Copy, Debug)]
struct LabelFunnel {
    left: u32,
    apex: u32,
    right: u32,
}

/// A path into a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) polygon: PolyRef,
    funnel: LabelFunnel,
    /// The label that it comes from, or [`NO_NODE`].
    parent: u32,
    /// The next label of the polygon, or [`NO_NODE`].
    another: u32,
    /// Length of the shortest string on this path to the goal.
    total: f64,
    /// The entry of an off-mesh link, whose length is measured in space.
    pub(super) point: Vec3,
}

/// A label that is settled.
pub(super) struct SettledLabel<'a> {
    number: u32,
    funnel: LabelFunnel,
    total: f64,
    point: Vec3,
    poly: Poly<'a>,
}

impl PoolNode for Label {
    #[inline]
    fn polygon(&self) -> PolyRef {
        self.polygon
    }

    #[inline]
    fn parent(&self) -> u32 {
        self.parent
    }
}

/// The memory of a funnel search.
#[derive(Debug)]
pub(super) struct FunnelSearch {
    pub(super) labels: NodePool<Label>,
    points: Vec<StringPoint>,
}

impl FunnelSearch {
    pub(super) fn new(max_nodes: NonZeroU32) -> FunnelSearch {
        FunnelSearch { labels: NodePool::new(max_nodes), points: Vec::new() }
    }

    /// Adds a point to the string that ends at `before`.
    #[inline]
    fn extend(&mut self, at: DVec2, length: f64, before: u32) -> u32 {
        let number = self.points.len() as u32;
        // The first point comes from itself.
        let origin = self.points.get(before as usize).map_or(at, |before| before.at);
        self.points.push(StringPoint { at, origin, along: at - origin, length, before });
        number
    }

    #[inline]
    fn point(&self, point: u32) -> &StringPoint {
        &self.points[point as usize]
    }

    /// The last point of one side of a funnel that the string to `p` bends around; `None` if the string
    /// passes that side. `sense` is 1 for the left, -1 for the right.
    #[inline(always)]
    fn bend(&self, from: u32, apex: u32, p: DVec2, sense: f64) -> Option<u32> {
        let mut point = from;
        while point != apex {
            let StringPoint { origin, along, before, .. } = *self.point(point);
            if along.perp_dot(p - origin) * sense < 0.0 {
                return Some(point);
            }
            point = before;
        }
        None
    }

    #[inline]
    fn length_over(&self, point: u32, p: DVec2) -> f64 {
        let point = self.point(point);
        point.length + point.at.distance(p)
    }

    /// The last point that the string to a point beyond the funnel's portal bends around; the apex if it is
    /// straight.
    #[inline(always)]
    fn last_bend(&self, funnel: &LabelFunnel, p: DVec2) -> u32 {
        let left = self.bend(funnel.left, funnel.apex, p, 1.0);
        let right = self.bend(funnel.right, funnel.apex, p, -1.0);
        match (left, right) {
            (None, None) => funnel.apex,
            (Some(point), None) | (None, Some(point)) => point,
            // Behind the apex, the string may go around either side.
            (Some(left), Some(right)) if self.length_over(right, p) < self.length_over(left, p) => right,
            (Some(left), Some(_)) => left,
        }
    }

    /// Length of the string to a point beyond the funnel's portal.
    #[inline(always)]
    fn length_to(&self, funnel: &LabelFunnel, p: DVec2) -> f64 {
        self.length_over(self.last_bend(funnel, p), p)
    }

    /// The funnel through one more portal.
    #[inline(always)]
    fn through(&mut self, LabelFunnel { left, apex, right }: LabelFunnel, ends: [DVec2; 2]) -> LabelFunnel {
        let (left, apex) = self.narrowed(left, apex, right, ends[0], 1.0);
        let (right, apex) = self.narrowed(right, apex, left, ends[1], -1.0);
        LabelFunnel { left, apex, right }
    }

    /// The end of one side of a funnel at an end of the next portal, and the new apex. `sense` is as in
    /// [`FunnelSearch::bend`].
    #[inline(always)]
    fn narrowed(&mut self, end: u32, apex: u32, opposite: u32, to: DVec2, sense: f64) -> (u32, u32) {
        if self.point(end).at == to {
            return (end, apex);
        }
        let (before, apex) = match self.bend(end, apex, to, sense) {
            Some(before) => (before, apex),
            None => [self.bend(opposite, apex, to, -sense).unwrap_or(apex); 2].into(),
        };
        (self.extend(to, self.length_over(before, to), before), apex)
    }

    /// The point where a label enters an off-mesh link, or leaves it.
    #[cold]
    #[inline(never)]
    fn link_end(&self, mesh: &NavMesh, from: &SettledLabel<'_>, portal: &Portal, goal: Vec3) -> Vec3 {
        if portal.left == portal.right || from.poly.is_off_mesh() {
            return over_link(mesh, &from.poly, portal, [from.point, goal]);
        }
        // The string to the edge may bend elsewhere than at the apex, depending on where it leads.
        let seen_from = |point: u32| {
            let [x, z] = self.point(point).at.to_array();
            over_link(mesh, &from.poly, portal, [Vec3::new(x as f32, 0.0, z as f32), goal])
        };
        let first = seen_from(from.funnel.apex);
        seen_from(self.last_bend(&from.funnel, flat(first)))
    }

    /// The funnel from a label to the entry or the exit of an off-mesh link.
    #[cold]
    #[inline(never)]
    fn funnel_to_link_end(&mut self, from: &SettledLabel<'_>, end: Vec3) -> LabelFunnel {
        let (at, apex) = (flat(end), from.funnel.apex);
        let point = if from.poly.is_off_mesh() {
            let over = from.point.as_dvec3().distance(end.as_dvec3());
            self.extend(at, self.point(apex).length + over, apex)
        } else {
            let LabelFunnel { left, right, .. } = self.through(from.funnel, [at; 2]);
            if self.point(left).length < self.point(right).length { left } else { right }
        };
        LabelFunnel { left: point, apex: point, right: point }
    }

    /// Squared distance, as seen from above, of a point from the portal through which a label enters its
    /// polygon.
    fn distance_squared(&self, label: &Label, p: DVec2) -> f64 {
        let [a, b] = [label.funnel.left, label.funnel.right].map(|point| self.point(point).at);
        let along = b - a;
        let whole = along.length_squared();
        let t = if whole > 0.0 { ((p - a).dot(along) / whole).clamp(0.0, 1.0) } else { 0.0 };
        (a + along * t).distance_squared(p)
    }

    /// The label that comes nearest to a point. Among equally near labels the shortest path wins, then the
    /// first label.
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

    /// Length of the path of a label to a point.
    pub(super) fn length(&self, label: u32, p: Vec3) -> f64 {
        self.length_to(&self.labels.get(label).funnel, flat(p))
    }

    /// The last label of a polygon, after which a new label is added. `None` if the new label is not worth
    /// keeping: another label leads to both ends of its portal on strings of at most the same length.
    #[inline(never)]
    fn last_unless_dominated(&self, first: u32, funnel: &LabelFunnel) -> Option<u32> {
        let [left, right] = [funnel.left, funnel.right].map(|point| *self.point(point));
        let (mut number, mut last, mut count) = (first, first, 0);
        while number != NO_NODE {
            let known = self.labels.get(number);
            if self.length_to(&known.funnel, left.at) <= left.length * ROUNDING
                && self.length_to(&known.funnel, right.at) <= right.length * ROUNDING
            {
                return None;
            }
            (last, number, count) = (number, known.another, count + 1);
        }
        (count < MOST_LABELS).then_some(last)
    }
}

/// A goal on the near side of a portal is as far from each of the portal's points as its mirror image on the
/// far side.
#[inline]
fn mirrored_beyond(left: DVec2, right: DVec2, goal: DVec2) -> DVec2 {
    let (along, away) = (left - right, goal - right);
    let side = along.perp_dot(away);
    // A portal of one point has no sides.
    if side >= 0.0 { goal } else { goal - along.perp() * (2.0 * side / along.length_squared()) }
}

impl<C: CostModel> Search<'_, C> {
    /// Puts the start on the open list.
    pub(super) fn put_start_label(&mut self) {
        let Place { polygon, point } = self.state.start;
        let search = &mut self.query.funnel_search;
        search.labels.clear();
        search.points.clear();
        let at = search.extend(flat(point), 0.0, 0);
        let funnel = LabelFunnel { left: at, apex: at, right: at };
        let total = search.length_over(at, flat(self.state.goal.point));
        let label = Label { polygon, funnel, parent: NO_NODE, another: NO_NODE, total, point };
        if let Some(first) = search.labels.insert(label) {
            self.query.open.push(first, total, total);
        }
    }

    /// Settles up to `left` labels, which it counts down.
    #[inline(never)]
    pub(super) fn settle_labels(
        &mut self,
        rules: &impl Rules,
        left: &mut u32,
    ) -> Result<Settled, QueryError> {
        while *left > 0 {
            let Some(number) = self.query.open.pop() else { return Ok(Settled::All) };
            *left -= 1;
            let Label { polygon, funnel, total, point, parent, .. } =
                *self.query.funnel_search.labels.get(number);
            if polygon == self.state.goal.polygon {
                return Ok(Settled::Goal(number));
            }
            let poly = self.mesh.locate_node(polygon)?;
            let from = SettledLabel { number, funnel, total, point, poly };
            // The path back is never shorter.
            let came_from = self.query.funnel_search.labels.came_from(parent);
            for portal in poly.portals() {
                if !came_from.is(portal.to) {
                    self.relax_label(rules, &from, portal, false);
                }
            }
            if poly.is_off_mesh() || poly.has_off_mesh_in_tile() {
                self.relax_links(rules, &from);
            }
        }
        Ok(Settled::Steps)
    }

    /// Looks at the off-mesh links of a settled label. It is a separate function because links are few.
    #[cold]
    #[inline(never)]
    fn relax_links(&mut self, rules: &impl Rules, from: &SettledLabel<'_>) {
        from.poly.visit_off_mesh_portals(self.mesh, |portal| self.relax_label(rules, from, portal, true));
    }

    /// Looks at one portal of a settled label. `is_off_mesh` is true if the portal leads onto an off-mesh
    /// link or off it.
    #[inline(always)]
    fn relax_label(
        &mut self,
        rules: &impl Rules,
        from: &SettledLabel<'_>,
        portal: &Portal,
        is_off_mesh: bool,
    ) {
        let search = self;
        if rules.enter(search.mesh, &from.poly, portal.to).is_none() || search.state.leaves_out(portal) {
            return;
        }
        let goal = search.state.goal;
        let memory = &mut search.query.funnel_search;
        let points = memory.points.len();
        let mut ends = [portal.left, portal.right];
        if is_off_mesh {
            ends = [memory.link_end(search.mesh, from, portal, goal.point); 2];
        }
        let [left, right] = ends.map(flat);
        let funnel = match is_off_mesh {
            true => memory.funnel_to_link_end(from, ends[0]),
            false => memory.through(from.funnel, [left, right]),
        };
        let first = memory.labels.find_first(portal.to);
        let last = match first {
            Ok(first) => match memory.last_unless_dominated(first, &funnel) {
                None => return memory.points.truncate(points),
                last => last,
            },
            Err(_) => None,
        };
        // Rounding aside, a longer prefix never makes a path shorter.
        let total = memory.length_to(&funnel, mirrored_beyond(left, right, flat(goal.point))).max(from.total);
        if total >= search.state.bound {
            return memory.points.truncate(points);
        }
        let polygon = portal.to;
        let label = Label { polygon, funnel, parent: from.number, another: NO_NODE, total, point: ends[0] };
        let added = match first {
            Err(vacancy) => memory.labels.insert_at(vacancy, label),
            Ok(_) => memory.labels.insert_another(label),
        };
        let Some(added) = added else {
            search.state.full = true;
            return;
        };
        if let Some(last) = last {
            memory.labels.get_mut(last).another = added;
        }
        if polygon == goal.polygon {
            search.state.bound = total;
        }
        let remaining = (total - memory.point(funnel.apex).length).max(0.0);
        search.query.open.push(added, total, remaining);
    }
}
