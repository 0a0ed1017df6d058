//! The search: nodes in the order of the least length that a path through them can have.

use super::nodes::{Corner, NONE, Node, Opening, Root, RootPlace, Sight, SightScratch, Turn, Waiting};
use super::plane::{Plane, Point, ROUNDING, ahead, beyond, crossing, distance, is_on, least_over, leftness};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::{lerp, nearest_on_segment};
use crate::mesh::{Link, Located, NavMesh};
use crate::poly_ref::PolyRef;
use crate::query::find_path::Place;
use glam::Vec3;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// At this node, which is the goal.
    Found(u32),
    /// Everything was looked at.
    Exhausted,
    /// Every path that is left may be longer than one that was left out for want of nodes.
    OutOfNodes,
}

/// A running search.
pub(super) struct Search<'a, C> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a C,
    pub(super) plane: Plane,
    pub(super) scratch: &'a mut SightScratch,
    pub(super) goal: Place,
    /// The goal in the plane.
    pub(super) target: Point,
    pub(super) max_nodes: usize,
    /// The least estimate of a node that there was no room for.
    pub(super) left_out: f64,
}

impl<'a, C: CostModel> Search<'a, C> {
    pub(super) fn new(
        mesh: &'a NavMesh,
        filter: &'a C,
        scratch: &'a mut SightScratch,
        ends: [Place; 2],
        max_nodes: u32,
    ) -> Result<Search<'a, C>, QueryError> {
        scratch.clear();
        let [start, goal] = ends;
        let plane = Plane::new(mesh, start.point);
        let (first, last) = (mesh.locate(start.polygon)?, mesh.locate(goal.polygon)?);
        let target = plane.point_in(&last, goal.point);
        let point = plane.point_in(&first, start.point);
        scratch.roots.push(Root { point, at: start.point, length: 0.0, place: RootPlace::Any });
        let max_nodes = max_nodes as usize;
        let left_out = f64::INFINITY;
        let mut search = Search { mesh, filter, plane, scratch, goal, target, max_nodes, left_out };
        search.push(0, NONE, start.polygon, Sight::Start);
        Ok(search)
    }

    /// Takes nodes until the goal is one.
    pub(super) fn run(&mut self) -> Result<Outcome, QueryError> {
        while let Some(Waiting { estimate, node: number }) = self.scratch.open.pop() {
            if estimate > self.left_out {
                break;
            }
            let node = self.scratch.nodes[number as usize];
            if self.is_beaten(&node) {
                continue;
            }
            match node.sight {
                Sight::Goal => return Ok(Outcome::Found(number)),
                Sight::Start => self.look_about(number, &node)?,
                Sight::Cone { opening, left, right } => {
                    self.see_through(number, &node, &opening, [left, right])?;
                }
                Sight::Fan { turn, ray, reached } => self.see_round(number, &node, turn, ray, reached)?,
            }
        }
        Ok(if self.left_out < f64::INFINITY { Outcome::OutOfNodes } else { Outcome::Exhausted })
    }

    /// Whether a shorter path to the node's root was found since.
    fn is_beaten(&self, node: &Node) -> bool {
        let root = &self.scratch.roots[node.root as usize];
        let best = match root.place {
            RootPlace::Any => None,
            RootPlace::Corner(corner) => self.scratch.best.get(&corner),
            RootPlace::Landing(jump) => self.scratch.feet.get(&self.scratch.jumps[jump as usize].landing),
        };
        best.is_some_and(|best| root.length > best * (1.0 + ROUNDING))
    }

    pub(super) fn push(&mut self, root: u32, parent: u32, polygon: PolyRef, sight: Sight) {
        let Root { point, length, .. } = self.scratch.roots[root as usize];
        let rest = match sight {
            Sight::Cone { opening: Opening { left: b, right: a, .. }, left, right } => {
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
        self.scratch.nodes.push(Node { root, parent, polygon, sight });
        self.scratch.open.push(Waiting { estimate, node: node as u32 });
    }

    /// Where a path that does not reach the goal ends: of the places seen in each polygon the nearest to the
    /// goal in space, and its node; the first of equals.
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
                Sight::Cone { opening, left, right } => {
                    self.nearest_in_sight(node, &opening, [left, right])?
                }
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

    /// A polygon's point nearest to the goal if it is in sight through an opening; else the nearest that is
    /// seen of the opening.
    fn nearest_in_sight(
        &self,
        node: &Node,
        opening: &Opening,
        [left, right]: [Point; 2],
    ) -> Result<Vec3, QueryError> {
        let (root, goal) = (self.scratch.roots[node.root as usize].point, self.goal.point);
        let closest = self.mesh.locate(node.polygon)?.closest(goal).point;
        let p = self.plane.point(closest);
        if leftness(root, left, p) <= 0 && leftness(root, right, p) >= 0 {
            return Ok(closest);
        }
        let Link { left: b, right: a, .. } = opening.link;
        let seen = [right, left].map(|bound| crossing(root, bound, opening.right, opening.left));
        let (t, _) = nearest_on_segment(a, b, goal);
        Ok(lerp(a, b, t.clamp(seen[0].min(seen[1]), seen[1].max(seen[0]))))
    }

    /// The openings of a polygon that lead away from a root, or that it sees edge-on; give them back with
    /// [`Search::put_back`].
    fn openings_of(&mut self, located: &Located<'_>, root: Point) -> Vec<Opening> {
        let mut openings = std::mem::take(&mut self.scratch.openings);
        openings.clear();
        let facing = |left, right| leftness(root, right, left) >= 0;
        self.plane.openings(self.mesh, located, self.filter, facing, |opening| openings.push(opening));
        openings
    }

    fn put_back(&mut self, openings: Vec<Opening>) {
        self.scratch.openings = openings;
    }

    /// All that the start or a landing sees of its polygon, and the polygons beyond the openings that it stands in.
    fn look_about(&mut self, number: u32, node: &Node) -> Result<(), QueryError> {
        if !self.scratch.starts.insert((node.polygon, node.root)) {
            return Ok(());
        }
        if node.polygon == self.goal.polygon {
            self.push(node.root, number, node.polygon, Sight::Goal);
        }
        let root = self.scratch.roots[node.root as usize].point;
        let located = self.mesh.locate(node.polygon)?;
        self.take_links(number, &located, |_| true)?;
        let openings = self.openings_of(&located, root);
        for opening in &openings {
            let Opening { link, left, right } = opening;
            if leftness(root, *right, *left) > 0 {
                let sight = Sight::Cone { opening: *opening, left: *left, right: *right };
                self.push(node.root, number, link.to, sight);
            } else if is_on(root, *left, *right) {
                if !self.scratch.starts.contains(&(link.to, node.root)) {
                    self.push(node.root, number, link.to, Sight::Start);
                }
            } else {
                self.go_along(number, link, *left, *right, |_| true);
            }
        }
        self.put_back(openings);
        Ok(())
    }

    /// Goes on from what a root sees through an opening: over the polygon beyond and out of it again, or
    /// round an end of the opening.
    fn see_through(
        &mut self,
        number: u32,
        node: &Node,
        through: &Opening,
        [left, right]: [Point; 2],
    ) -> Result<(), QueryError> {
        let root = self.scratch.roots[node.root as usize].point;
        let seen = |p: Point| leftness(root, left, p) <= 0 && leftness(root, right, p) >= 0;
        if node.polygon == self.goal.polygon && seen(self.target) {
            self.push(node.root, number, node.polygon, Sight::Goal);
        }
        let located = self.mesh.locate(node.polygon)?;
        self.take_links(number, &located, seen)?;
        let openings = self.openings_of(&located, root);
        for opening in &openings {
            let (a, b) = (opening.right, opening.left);
            if leftness(root, a, b) == 0 {
                self.go_along(number, &opening.link, b, a, seen);
                continue;
            }
            let left = if leftness(root, left, b) > 0 { left } else { b };
            let right = if leftness(root, right, a) < 0 { right } else { a };
            if leftness(root, right, left) > 0 {
                let sight = Sight::Cone { opening: *opening, left, right };
                self.push(node.root, number, opening.link.to, sight);
            }
        }
        self.put_back(openings);
        let before = self.scratch.nodes[node.parent as usize].polygon;
        if left == through.left {
            self.turn_at(number, Turn::Left, left, through.link.left, [before, node.polygon]);
        }
        if right == through.right {
            self.turn_at(number, Turn::Right, right, through.link.right, [before, node.polygon]);
        }
        if before.slot() != node.polygon.slot() {
            self.fold_back(number, node, through, before, seen)?;
        }
        Ok(())
    }

    /// Floors above one another may share a part of an opening at a seam. Whoever goes from one to the other
    /// comes back over the line that was crossed, in sight or not: the path is bent at an end of the part.
    fn fold_back(
        &mut self,
        number: u32,
        node: &Node,
        through: &Opening,
        before: PolyRef,
        seen: impl Fn(Point) -> bool,
    ) -> Result<(), QueryError> {
        let (a, b) = (through.right, through.left);
        let mut openings = std::mem::take(&mut self.scratch.openings);
        openings.clear();
        let located = self.mesh.locate(node.polygon)?;
        // Seen from here the line runs the other way.
        let shared = |left, right| {
            let on_line = leftness(a, b, left) == 0 && leftness(a, b, right) == 0;
            on_line && ahead(a, b, right) > 0 && ahead(b, a, left) > 0
        };
        self.plane.openings(self.mesh, &located, self.filter, shared, |opening| {
            if opening.link.to != before {
                openings.push(opening);
            }
        });
        for Opening { link, left, right } in &openings {
            let ends =
                [(*left, link.left), (*right, link.right), (b, through.link.left), (a, through.link.right)];
            for (end, at) in ends {
                if seen(end) && is_on(end, a, b) && is_on(end, *left, *right) {
                    self.bend(number, Turn::Left, end, at, link.to, None);
                    self.bend(number, Turn::Right, end, at, link.to, None);
                }
            }
        }
        self.put_back(openings);
        Ok(())
    }

    /// Goes along an opening that the root sees edge-on, to its nearer end, and round that into the polygon
    /// beyond.
    fn go_along(
        &mut self,
        number: u32,
        link: &Link,
        left: Point,
        right: Point,
        seen: impl Fn(Point) -> bool,
    ) {
        let root = self.scratch.root_of(number).point;
        let (turn, end, at) = if distance(root, left) < distance(root, right) {
            (Turn::Left, left, link.left)
        } else {
            (Turn::Right, right, link.right)
        };
        if seen(end) {
            let before = self.scratch.nodes[number as usize].polygon;
            self.turn_at(number, turn, end, at, [before, link.to]);
        }
    }

    /// Bends round an end of the opening between two polygons, into the second, if the ground ends there.
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

    /// Bends at a point of a polygon that is in sight, unless a shorter path to that corner is known.
    fn bend(
        &mut self,
        number: u32,
        turn: Turn,
        end: Point,
        at: Vec3,
        polygon: PolyRef,
        corner: Option<Corner>,
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
        // Only for a node there is room for.
        if self.scratch.nodes.len() < self.max_nodes {
            let place = corner.map_or(RootPlace::Any, RootPlace::Corner);
            self.scratch.roots.push(Root { point: end, at, length, place });
            let ray = beyond(parent.point, end);
            self.push(root, number, polygon, Sight::Fan { turn, ray, reached: false });
        } else {
            self.left_out = self.left_out.min(length + distance(end, self.target));
        }
    }

    /// Goes on from a corner: over the polygons about it, on the side of the ray that the path turns to, by
    /// half a turn at most.
    fn see_round(
        &mut self,
        number: u32,
        node: &Node,
        turn: Turn,
        ray: Point,
        reached: bool,
    ) -> Result<(), QueryError> {
        let Root { point: root, place, .. } = self.scratch.roots[node.root as usize];
        if !self.scratch.fans.insert((node.polygon, root, ray, turn)) {
            return Ok(());
        }
        // Positive on the side that the path turns to.
        let aside = |p: Point| turn.side_of(root, ray, p);
        let seen = |p: Point| aside(p) > 0 || (aside(p) == 0 && ahead(root, ray, p) > 0);
        // Straight back too: along the other side of a wall without thickness, or on another floor.
        if node.polygon == self.goal.polygon && aside(self.target) >= 0 {
            self.push(node.root, number, node.polygon, Sight::Goal);
        }
        let located = self.mesh.locate(node.polygon)?;
        self.take_links(number, &located, |foot| aside(foot) >= 0)?;
        let openings = self.openings_of(&located, root);
        for opening in &openings {
            let Opening { link, left, right } = opening;
            let (near, far) = match turn {
                Turn::Left => (*right, *left),
                Turn::Right => (*left, *right),
            };
            if is_on(root, near, far) {
                // The next polygon about the corner. Before the ray, the opening is seen and leads there as
                // well; but where floors above one another share it, the corner may be none of what lies
                // beyond.
                let before_ray = !reached && place == RootPlace::Any && aside(near) < 0;
                if near != root && (seen(near) || before_ray) {
                    let reached = !before_ray;
                    self.push(node.root, number, link.to, Sight::Fan { turn, ray, reached });
                }
                continue;
            }
            if leftness(root, *right, *left) == 0 {
                self.go_along(number, link, *left, *right, seen);
                continue;
            }
            let bounds = match (aside(near), aside(far)) {
                (of_near, 1..) => [if of_near >= 0 { near } else { ray }, far],
                (1.., of_far) => [near, if of_far == 0 { far } else { beyond(ray, root) }],
                _ => continue,
            };
            let [left, right] = match turn {
                Turn::Left => [bounds[1], bounds[0]],
                Turn::Right => bounds,
            };
            self.push(node.root, number, link.to, Sight::Cone { opening: *opening, left, right });
        }
        self.put_back(openings);
        Ok(())
    }
}
