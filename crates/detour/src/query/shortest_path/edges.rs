//! Off-mesh links between edges: through the visible part of an edge, a root sees the ground beyond the link.
//!
//! All crossings are parallel, so a path through the edge continues as if the root, and the bounds of its
//! view, were moved by the vector of the link. The edge may be anywhere in its polygon, and so may the edge
//! beyond. So a path may also turn back there, reflected as light is by a mirror; it then continues as if the
//! root were mirrored too.
//!
//! ```text
//!      root ●                            ● root, moved            The path to g is straight
//!            ╲ ╲                          ╲ ╲                     from the moved root,
//!      ════════════ edge   ── link ──>  ════════════ edge         that to h from the
//!                                       h ╱ ╱   g ╲               mirrored one.
//!                                        ● root, moved and mirrored
//! ```
//!
//! A root on the edge's line does not see the edge. It takes the link at the nearest point, just as every
//! root takes it at both ends, for paths that bend there. Moved roots are exact; mirrored roots are rounded
//! to the plane's units.

use super::nodes::{EdgePassage, PlanePortal, Root, RootPlace, Sight, SightNode};
use super::off_mesh::{LINKS_COUNT_MORE, link_length};
use super::plane::{Point, crossing, distance, is_on, leftness, met, mirrored};
use super::search::SightSearch;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::{LinkCrossing, LinkEdges, Poly};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;

impl<C: CostModel> SightSearch<'_, C> {
    /// Takes a link between edges through the part that a node's root sees; see [`SightSearch::take_links`].
    #[cold]
    pub(super) fn take_edge(
        &mut self,
        number: u32,
        poly: &Poly<'_>,
        (link, over): (PolyRef, &LinkCrossing),
        (seen, within): (&impl Fn(Point) -> bool, &impl Fn([Point; 2]) -> Option<[Point; 2]>),
    ) -> Result<(), QueryError> {
        if self.leads_over(number, over.end.polygon) {
            return Ok(());
        }
        let edges = LinkEdges::new(over);
        let ends = edges.entry.map(|end| self.plane.point_in(poly, end));
        let point_link = |share: f64| {
            let (start, end) = (edges.entry_at(share), edges.exit_at(share));
            (link, [Place { point: start, ..over.start }, Place { point: end, ..over.end }])
        };
        for (share, end) in [0.0, 1.0].into_iter().zip(ends) {
            if seen(end) {
                self.take_link(number, point_link(share), end)?;
            }
        }
        if let Some(meeting) = self.meeting(number, ends) {
            let share = distance(ends[0], meeting) / distance(ends[0], ends[1]);
            self.take_link(number, point_link(share), meeting)?;
        }
        let root = self.scratch.root_of(number).point;
        let [right, left] = match leftness(root, ends[0], ends[1]) {
            0 if is_on(root, ends[0], ends[1]) && seen(root) => {
                let share = distance(ends[0], root) / distance(ends[0], ends[1]);
                return self.take_link(number, point_link(share), root);
            }
            0 => return Ok(()),
            1.. => ends,
            _ => [ends[1], ends[0]],
        };
        if let Some(bounds) = within([right, left]).filter(|[left, right]| leftness(root, *right, *left) > 0)
        {
            self.go_through(number, (link, over, edges), ends, bounds);
        }
        Ok(())
    }

    /// The visible point where an edge crosses the far edge of the link that a node looks through. A path may
    /// take one link after the other there, and bend.
    fn meeting(&self, number: u32, ends: [Point; 2]) -> Option<Point> {
        let node = self.scratch.nodes.get(number as usize).filter(|node| self.is_over_link(node))?;
        let Sight::Cone { portal, left, right } = node.sight else { return None };
        let sides = ends.map(|end| leftness(portal.right, portal.left, end).signum());
        let at = met(ends, [portal.right, portal.left]);
        let root = self.scratch.root_of(number).point;
        let is_seen = leftness(root, left, at) <= 0 && leftness(root, right, at) >= 0;
        (sides[0] * sides[1] < 0 && is_seen).then_some(at)
    }

    /// Returns true if the path to a node leads over a polygon. The polygon is convex, so the path through it
    /// is at most as long.
    fn leads_over(&self, number: u32, polygon: PolyRef) -> bool {
        let mut at = Some(number);
        while let Some(node) = at.and_then(|at| self.scratch.nodes.get(at as usize)) {
            if node.polygon == polygon {
                return true;
            }
            at = Some(node.parent);
        }
        false
    }

    /// Sees through an edge of a link, whose ends are in the order of `edges`, between two bounds.
    fn go_through(
        &mut self,
        number: u32,
        (link, over, edges): (PolyRef, &LinkCrossing, LinkEdges),
        ends: [Point; 2],
        bounds: [Point; 2],
    ) {
        let (from_root, base) = (self.scratch.nodes[number as usize].root, *self.scratch.root_of(number));
        let [from, to] = [over.start.point, over.end.point].map(|point| self.plane.point(point));
        let by = [to[0] - from[0], to[1] - from[1]];
        let moved = |p: Point| [p[0] + by[0], p[1] + by[1]];
        let counts = self.plane.units(link_length(over.start.point, over.end.point)).max(distance(from, to));
        let length = base.length + counts * (1.0 + LINKS_COUNT_MORE);
        let is_left_second = leftness(base.point, ends[0], ends[1]) > 0;
        let passage = self.scratch.edge_passages.len() as u32;
        self.scratch.edge_passages.push(EdgePassage { link, edges, ends, by, from_root });
        let [left_at, right_at] = if is_left_second { [edges.exit[1], edges.exit[0]] } else { edges.exit };
        let [left, right] = if is_left_second { [ends[1], ends[0]] } else { ends };
        let straight =
            PlanePortal { to: over.end.polygon, left: moved(left), right: moved(right), left_at, right_at };
        let back = PlanePortal {
            left: straight.right,
            right: straight.left,
            left_at: right_at,
            right_at: left_at,
            ..straight
        };
        // Ends of the edge are their own mirror images.
        let mirror = |p: Point| if ends.contains(&p) { moved(p) } else { moved(mirrored(p, ends)) };
        let ways = [
            (straight, moved(base.point), bounds.map(moved)),
            (back, mirror(base.point), [mirror(bounds[1]), mirror(bounds[0])]),
        ];
        for (portal, point, [left, right]) in ways {
            if leftness(point, right, left) <= 0 {
                continue;
            }
            if self.scratch.nodes.len() >= self.max_nodes {
                self.left_out = self.left_out.min(length);
                continue;
            }
            let root = self.scratch.roots.len() as u32;
            let place = RootPlace::Moved(passage);
            self.scratch.roots.push(Root { point, at: base.at, length, place });
            self.push(root, number, portal.to, Sight::Cone { portal, left, right });
        }
    }

    /// Returns true if a node looks through the far edge of a link.
    pub(super) fn is_over_link(&self, node: &SightNode) -> bool {
        let parent = self.scratch.nodes.get(node.parent as usize);
        matches!(self.scratch.roots[node.root as usize].place, RootPlace::Moved(_))
            && matches!(node.sight, Sight::Cone { .. })
            && parent.is_some_and(|parent| parent.root != node.root)
    }

    /// The crossing of a link by the path through its far edge to a point beyond: the entry, the entry in the
    /// plane, and the exit.
    pub(super) fn crossing_of(
        &self,
        root: &Root,
        passage: &EdgePassage,
        before: Point,
    ) -> (Vec3, Point, Vec3) {
        let EdgePassage { edges, ends: [a, b], by, .. } = *passage;
        let [far_a, far_b] = [a, b].map(|end| [end[0] + by[0], end[1] + by[1]]);
        let share = crossing(root.point, before, far_a, far_b);
        let point = [0, 1].map(|axis| a[axis] + ((b[axis] - a[axis]) as f64 * share).round() as i64);
        (edges.entry_at(share), point, edges.exit_at(share))
    }
}
