//! The search: nodes in the order of the least length that a path through them can have.

use super::nodes::{GroundCorner, NONE, PlanePortal, Root, RootPlace, Sight, SightNode, SightScratch, Turn};
use super::plane::{
    Plane, Point, ROUNDING, ahead, beyond, crossing, distance, is_on, least_over, leftness, met,
};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::{lerp, nearest_on_segment};
use crate::mesh::{NavMesh, Poly};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::cmp::Reverse;

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The search ended at this node, which is the goal.
    Found(u32),
    /// Everything was searched.
    Exhausted,
    /// Every remaining path may be longer than a path that was left out for lack of nodes.
    OutOfNodes,
}

/// A running search.
pub(super) struct SightSearch<'a, C> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a C,
    pub(super) plane: Plane,
    pub(super) scratch: &'a mut SightScratch,
    pub(super) goal: Place,
    /// The goal in the plane.
    pub(super) target: Point,
    pub(super) max_nodes: usize,
    /// The smallest estimate among nodes for which there was no room.
    pub(super) left_out: f64,
}

impl<'a, C: CostModel> SightSearch<'a, C> {
    pub(super) fn new(
        mesh: &'a NavMesh,
        filter: &'a C,
        scratch: &'a mut SightScratch,
        ends: [Place; 2],
        max_nodes: u32,
    ) -> Result<SightSearch<'a, C>, QueryError> {
        scratch.clear();
        let [start, goal] = ends;
        let plane = Plane::new(mesh, start.point);
        let (first, last) = (mesh.locate(start.polygon)?, mesh.locate(goal.polygon)?);
        let target = plane.point_in(&last, goal.point);
        let point = plane.point_in(&first, start.point);
        scratch.roots.push(Root { point, at: start.point, length: 0.0, place: RootPlace::Any });
        let max_nodes = max_nodes as usize;
        let left_out = f64::INFINITY;
        let mut search = SightSearch { mesh, filter, plane, scratch, goal, target, max_nodes, left_out };
        search.push(0, NONE, start.polygon, Sight::Start);
        Ok(search)
    }

    /// Takes nodes until one is the goal.
    pub(super) fn run(&mut self) -> Result<Outcome, QueryError> {
        while let Some((Reverse(estimate), number)) = self.scratch.open.pop() {
            if f64::from_bits(estimate) > self.left_out {
                break;
            }
            let node = self.scratch.nodes[number as usize];
            if self.is_beaten(&node) {
                continue;
            }
            match node.sight {
                Sight::Goal => return Ok(Outcome::Found(number)),
                Sight::Start => self.look_around(number, &node)?,
                Sight::Cone { portal, left, right } => {
                    self.see_through(number, &node, &portal, [left, right])?;
                }
                Sight::Fan { turn, ray, reached } => self.see_around(number, &node, turn, ray, reached)?,
            }
        }
        Ok(if self.left_out < f64::INFINITY { Outcome::OutOfNodes } else { Outcome::Exhausted })
    }

    /// Returns true if a shorter path to the node's root was found since.
    fn is_beaten(&self, node: &SightNode) -> bool {
        let mut root = &self.scratch.roots[node.root as usize];
        while let RootPlace::Moved(passage) = root.place {
            root = &self.scratch.roots[self.scratch.edge_passages[passage as usize].from_root as usize];
        }
        let best = match root.place {
            RootPlace::Any | RootPlace::Moved(_) => None,
            RootPlace::Corner(corner) => self.scratch.best.get(&corner),
            RootPlace::LinkEnd(passage) => {
                self.scratch.link_ends.get(&self.scratch.passages[passage as usize].exit)
            }
        };
        best.is_some_and(|best| root.length > best * (1.0 + ROUNDING))
    }

    pub(super) fn push(&mut self, root: u32, parent: u32, polygon: PolyRef, sight: Sight) {
        let Root { point, length, .. } = self.scratch.roots[root as usize];
        let rest = match sight {
            Sight::Cone { portal: PlanePortal { left: b, right: a, .. }, left, right } => {
                let seen = [right, left].map(|bound| crossing(point, bound, a, b));
                least_over(point, a, b, seen, self.target)
            }
            Sight::Start | Sight::Fan { .. } | Sight::Goal => distance(point, self.target),
        };
        let estimate = length + rest;
        let node = self.scratch.nodes.len();
        if node >= self.max_nodes {
            self.left_out = self.left_out.min(estimate);
            return;
        }
        self.scratch.nodes.push(SightNode { root, parent, polygon, sight });
        self.scratch.open.push((Reverse(estimate.to_bits()), node as u32));
    }

    /// The end of a path that does not reach the goal: the place nearest to the goal in space, of those seen
    /// in each polygon, and its node. The first one wins a tie.
    pub(super) fn nearest(&self, start: Place) -> Result<(u32, Vec3), QueryError> {
        let goal = self.goal.point;
        let away = |p: Vec3| p.as_dvec3().distance_squared(goal.as_dvec3());
        let at_start = self.mesh.locate(start.polygon)?.closest(goal).point;
        let mut nearest = (away(at_start), 0, at_start);
        for (number, node) in self.scratch.nodes.iter().enumerate() {
            if self.is_beaten(node) {
                continue;
            }
            let at = match node.sight {
                Sight::Cone { portal, left, right } => self.nearest_in_sight(node, &portal, [left, right])?,
                Sight::Start => self.mesh.locate(node.polygon)?.closest(goal).point,
                Sight::Fan { turn, ray, .. } => {
                    let at = self.mesh.locate(node.polygon)?.closest(goal).point;
                    let root = self.scratch.roots[node.root as usize].point;
                    if turn.side_of(root, ray, self.plane.point(at)) < 0 {
                        continue;
                    }
                    at
                }
                Sight::Goal => continue,
            };
            let away = away(at);
            if away < nearest.0 {
                nearest = (away, number as u32, at);
            }
        }
        Ok((nearest.1, nearest.2))
    }

    /// A polygon's point nearest to the goal if it is visible through a portal, otherwise the nearest visible
    /// point of the portal.
    fn nearest_in_sight(
        &self,
        node: &SightNode,
        portal: &PlanePortal,
        [left, right]: [Point; 2],
    ) -> Result<Vec3, QueryError> {
        let (root, goal) = (self.scratch.roots[node.root as usize].point, self.goal.point);
        let closest = self.mesh.locate(node.polygon)?.closest(goal).point;
        let p = self.plane.point(closest);
        // The far edge of a link may have ground on both sides.
        let is_beyond = leftness(portal.right, portal.left, p) <= 0;
        if is_beyond && leftness(root, left, p) <= 0 && leftness(root, right, p) >= 0 {
            return Ok(closest);
        }
        let PlanePortal { left_at: b, right_at: a, .. } = *portal;
        let seen = [right, left].map(|bound| crossing(root, bound, portal.right, portal.left));
        let (t, _) = nearest_on_segment(a, b, goal);
        Ok(lerp(a, b, t.clamp(seen[0].min(seen[1]), seen[1].max(seen[0]))))
    }

    /// The portals of a polygon that lead away from a root, or that it sees edge-on. Return the list to the
    /// scratch memory with [`SightSearch::put_back`].
    fn portals_of(&mut self, poly: &Poly<'_>, root: Point) -> Vec<PlanePortal> {
        let mut portals = std::mem::take(&mut self.scratch.portals);
        portals.clear();
        let facing = |left, right| leftness(root, right, left) >= 0;
        self.plane.portals(self.mesh, poly, self.filter, facing, |portal| portals.push(portal));
        portals
    }

    fn put_back(&mut self, portals: Vec<PlanePortal>) {
        self.scratch.portals = portals;
    }

    /// Looks all around from the start or a link's end: at its polygon, and at the polygons beyond the
    /// portals that contain it.
    fn look_around(&mut self, number: u32, node: &SightNode) -> Result<(), QueryError> {
        if !self.scratch.starts.insert((node.polygon, node.root)) {
            return Ok(());
        }
        if node.polygon == self.goal.polygon {
            self.push(node.root, number, node.polygon, Sight::Goal);
        }
        let root = self.scratch.roots[node.root as usize].point;
        let poly = self.mesh.locate(node.polygon)?;
        self.take_links(number, &poly, |_| true, |[right, left]| Some([left, right]))?;
        let portals = self.portals_of(&poly, root);
        for portal in &portals {
            let PlanePortal { to, left, right, .. } = *portal;
            if leftness(root, right, left) > 0 {
                self.push(node.root, number, to, Sight::Cone { portal: *portal, left, right });
            } else if is_on(root, left, right) {
                if !self.scratch.starts.contains(&(to, node.root)) {
                    self.push(node.root, number, to, Sight::Start);
                }
            } else {
                self.go_along(number, portal, |_| true);
            }
        }
        self.put_back(portals);
        Ok(())
    }

    /// Continues from a root's view through a portal: over the polygon beyond and out of it again, or around
    /// an end of the portal.
    fn see_through(
        &mut self,
        number: u32,
        node: &SightNode,
        through: &PlanePortal,
        [left, right]: [Point; 2],
    ) -> Result<(), QueryError> {
        let root = self.scratch.roots[node.root as usize].point;
        let is_over_link = self.is_over_link(node);
        // The far edge of a link may have ground on both sides.
        let is_beyond = |p: Point| !is_over_link || leftness(through.right, through.left, p) <= 0;
        let seen = |p: Point| leftness(root, left, p) <= 0 && leftness(root, right, p) >= 0 && is_beyond(p);
        if node.polygon == self.goal.polygon && seen(self.target) {
            self.push(node.root, number, node.polygon, Sight::Goal);
        }
        let poly = self.mesh.locate(node.polygon)?;
        let within = |[a, b]: [Point; 2]| {
            // If a portal crosses the edge that the root looks through, only the part beyond counts.
            let [a, b] = match [is_beyond(a), is_beyond(b)] {
                [true, true] => [a, b],
                [false, false] => return None,
                [false, true] => [met([a, b], [through.right, through.left]), b],
                [true, false] => [a, met([a, b], [through.right, through.left])],
            };
            let left = if leftness(root, left, b) > 0 { left } else { b };
            let right = if leftness(root, right, a) < 0 { right } else { a };
            Some([left, right])
        };
        self.take_links(number, &poly, seen, within)?;
        let portals = self.portals_of(&poly, root);
        for portal in &portals {
            let (a, b) = (portal.right, portal.left);
            if leftness(root, a, b) == 0 {
                self.go_along(number, portal, seen);
                continue;
            }
            if let Some([left, right]) = within([a, b])
                && leftness(root, right, left) > 0
            {
                self.push(node.root, number, portal.to, Sight::Cone { portal: *portal, left, right });
            }
        }
        self.put_back(portals);
        if is_over_link {
            // Paths that bend at an end of the edge take the link there.
            return Ok(());
        }
        let before = self.scratch.nodes[node.parent as usize].polygon;
        if left == through.left {
            self.turn_at(number, Turn::Left, left, through.left_at, [before, node.polygon]);
        }
        if right == through.right {
            self.turn_at(number, Turn::Right, right, through.right_at, [before, node.polygon]);
        }
        if before.slot() != node.polygon.slot() {
            self.fold_back(number, node, through, before, seen)?;
        }
        Ok(())
    }

    /// Floors above one another may share a part of a portal at a seam. A path from one to the other comes
    /// back over the line that it crossed, visible or not: it bends at an end of the part.
    fn fold_back(
        &mut self,
        number: u32,
        node: &SightNode,
        through: &PlanePortal,
        before: PolyRef,
        seen: impl Fn(Point) -> bool,
    ) -> Result<(), QueryError> {
        let (a, b) = (through.right, through.left);
        let mut portals = std::mem::take(&mut self.scratch.portals);
        portals.clear();
        let poly = self.mesh.locate(node.polygon)?;
        // As seen from here the line runs in the opposite direction.
        let shared = |left, right| {
            let on_line = leftness(a, b, left) == 0 && leftness(a, b, right) == 0;
            on_line && ahead(a, b, right) > 0 && ahead(b, a, left) > 0
        };
        self.plane.portals(self.mesh, &poly, self.filter, shared, |portal| {
            if portal.to != before {
                portals.push(portal);
            }
        });
        for PlanePortal { to, left, right, left_at, right_at } in portals.iter().copied() {
            let ends = [(left, left_at), (right, right_at), (b, through.left_at), (a, through.right_at)];
            for (end, at) in ends {
                if seen(end) && is_on(end, a, b) && is_on(end, left, right) {
                    self.bend(number, Turn::Left, end, at, to, None);
                    self.bend(number, Turn::Right, end, at, to, None);
                }
            }
        }
        self.put_back(portals);
        Ok(())
    }

    /// Goes along a portal that the root sees edge-on to its nearer end, and around that into the polygon
    /// beyond.
    fn go_along(&mut self, number: u32, portal: &PlanePortal, seen: impl Fn(Point) -> bool) {
        let PlanePortal { to, left, right, left_at, right_at } = *portal;
        let root = self.scratch.root_of(number).point;
        let (turn, end, at) = if distance(root, left) < distance(root, right) {
            (Turn::Left, left, left_at)
        } else {
            (Turn::Right, right, right_at)
        };
        if seen(end) {
            let before = self.scratch.nodes[number as usize].polygon;
            self.turn_at(number, turn, end, at, [before, to]);
        }
    }

    /// Bends around an end of the portal between two polygons, into the second polygon, if the ground ends
    /// there.
    fn turn_at(&mut self, number: u32, turn: Turn, end: Point, at: Vec3, [before, after]: [PolyRef; 2]) {
        let key = match turn {
            Turn::Left => (after, before, end),
            Turn::Right => (before, after, end),
        };
        let corner = match self.scratch.corners.get(&key) {
            Some(known) => *known,
            None => {
                let found = self.plane.ground_ends(self.mesh, self.filter, [before, after], turn, end);
                self.scratch.corners.insert(key, found);
                found
            }
        };
        if let Some(corner) = corner {
            self.bend(number, turn, end, at, after, corner);
        }
    }

    /// Bends at a visible point of a polygon, unless a shorter path to that corner is known.
    fn bend(
        &mut self,
        number: u32,
        turn: Turn,
        end: Point,
        at: Vec3,
        polygon: PolyRef,
        corner: Option<GroundCorner>,
    ) {
        let parent = *self.scratch.root_of(number);
        if parent.point == end {
            return;
        }
        let length = parent.length + distance(parent.point, end);
        if let Some(corner) = corner {
            let best = self.scratch.best.entry(corner).or_insert(f64::INFINITY);
            if length > *best * (1.0 + ROUNDING) {
                return;
            }
            *best = best.min(length);
        }
        let root = self.scratch.roots.len() as u32;
        // Only if there is room for the node.
        if self.scratch.nodes.len() < self.max_nodes {
            let place = corner.map_or(RootPlace::Any, RootPlace::Corner);
            self.scratch.roots.push(Root { point: end, at, length, place });
            let ray = beyond(parent.point, end);
            self.push(root, number, polygon, Sight::Fan { turn, ray, reached: false });
        } else {
            self.left_out = self.left_out.min(length + distance(end, self.target));
        }
    }

    /// Continues from a corner: over the polygons about it, on the side of the ray to which the path turns,
    /// by half a turn at most.
    fn see_around(
        &mut self,
        number: u32,
        node: &SightNode,
        turn: Turn,
        ray: Point,
        reached: bool,
    ) -> Result<(), QueryError> {
        let Root { point: root, place, .. } = self.scratch.roots[node.root as usize];
        if !self.scratch.fans.insert((node.polygon, root, ray, turn)) {
            return Ok(());
        }
        // Positive on the side to which the path turns.
        let aside = |p: Point| turn.side_of(root, ray, p);
        let seen = |p: Point| aside(p) > 0 || (aside(p) == 0 && ahead(root, ray, p) > 0);
        // Straight back too: along the other side of a wall without thickness, or on another floor.
        if node.polygon == self.goal.polygon && aside(self.target) >= 0 {
            self.push(node.root, number, node.polygon, Sight::Goal);
        }
        let poly = self.mesh.locate(node.polygon)?;
        let within = |[right, left]: [Point; 2]| {
            let (near, far) = match turn {
                Turn::Left => (right, left),
                Turn::Right => (left, right),
            };
            let bounds = match (aside(near), aside(far)) {
                (of_near, 1..) => [if of_near >= 0 { near } else { ray }, far],
                (1.., of_far) => [near, if of_far == 0 { far } else { beyond(ray, root) }],
                _ => return None,
            };
            Some(match turn {
                Turn::Left => [bounds[1], bounds[0]],
                Turn::Right => bounds,
            })
        };
        self.take_links(number, &poly, |entry| aside(entry) >= 0, within)?;
        let portals = self.portals_of(&poly, root);
        for portal in &portals {
            let PlanePortal { to, left, right, .. } = *portal;
            let (near, far) = match turn {
                Turn::Left => (right, left),
                Turn::Right => (left, right),
            };
            if is_on(root, near, far) {
                // The next polygon about the corner. Before the ray, the portal is seen and leads there as
                // well. But if floors above one another share it, the corner may not belong to the polygon
                // beyond.
                let before_ray = !reached && place == RootPlace::Any && aside(near) < 0;
                if near != root && (seen(near) || before_ray) {
                    let reached = !before_ray;
                    self.push(node.root, number, to, Sight::Fan { turn, ray, reached });
                }
                continue;
            }
            if leftness(root, right, left) == 0 {
                self.go_along(number, portal, seen);
                continue;
            }
            let Some([left, right]) = within([right, left]) else { continue };
            self.push(node.root, number, to, Sight::Cone { portal: *portal, left, right });
        }
        self.put_back(portals);
        Ok(())
    }
}
