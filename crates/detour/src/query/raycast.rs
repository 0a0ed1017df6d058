//! A straight walk over the surface, seen from above, until a wall.
//!
//! Every corner is to the left or to the right of the ray, and the two polygons at an edge agree on its
//! corners to the bit; so the ray leaves each polygon over the one edge that leads from a right corner to a
//! left one, and enters the next over the same edge. No epsilon is needed, and no ray slips through a crack
//! between polygons. Corners exactly on the ray all count as right, or all as left, as if the ray were moved
//! aside by an infinitely small distance. If a wall stops a ray on one side, the ray continues along the
//! other, so that it may touch corners, as paths do. If its polygon is not on that side, the ray turns about
//! the corner to the polygon that is.
//!
//! Cost: linear in the edges of the polygons crossed, bounded by the query's nodes.
//! Semantics: those of M. Mononen's Detour (`raycast`). The list of polygons grows as needed; Detour's ends
//! with the caller's buffer. Detour also takes the polygon before the start, for cost functions that look at
//! it; a [`Step`](crate::Step) has no such polygon.

use super::Query;
use super::rules::{FilterRules, Rules, UniformRules};
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::geometry::{flat, inward_normal, lerp, nearest_on_segment, side};
use crate::mesh::{EdgeKind, NavMesh, Poly, Portal, Vertex};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::{DVec2, Vec3};

/// The ray turns through at most this many polygons about a corner.
const MOST_ABOUT_A_CORNER: usize = 64;

/// The reason why a ray ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RayEnd {
    /// It reached its goal.
    #[default]
    Goal,
    /// It met a wall, or a polygon that the filter excludes.
    Wall {
        /// The edge of the last polygon that it met.
        edge: u8,
        /// Horizontal unit vector away from the wall, into the polygon.
        normal: Vec3,
    },
    /// The number of polygons crossed has reached the query's limit.
    OutOfNodes,
}

/// The result of a raycast. Reuse one to reuse its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ray {
    /// The reason why it ends.
    pub end: RayEnd,
    /// The free part of the line to the goal, 0 to 1; 1 if the goal was reached.
    pub fraction: f64,
    /// End of the ray: on the surface at the goal, or on the edge that it met.
    pub point: Vec3,
    /// The polygons that it crossed, the start's first; each has a link to the next.
    pub polygons: Vec<PolyRef>,
    /// The cost of the walk by the filter; infinite if a move was impossible.
    pub cost: f64,
}

impl Ray {
    /// Returns true if the goal was reached.
    pub fn is_clear(&self) -> bool {
        self.end == RayEnd::Goal
    }
}

impl Query {
    /// Walks from `start` straight towards `goal` and writes the result to `ray`. Only x and z of `goal`
    /// matter.
    ///
    /// The start's polygon need not pass the filter. The start should be on its polygon; if it is outside,
    /// the ray begins at the nearest edge.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// use detour::{Filter, Query, Ray, Vec3};
    ///
    /// let (mut query, filter, mut ray) = (Query::new(), Filter::default(), Ray::default());
    /// let (near, box_size) = (Vec3::new(2.0, 0.0, 2.0), Vec3::new(1.0, 2.0, 1.0));
    /// let start = query.nearest(&mesh, near, box_size, &filter)?.place();
    /// query.raycast(&mesh, start, Vec3::new(-100.0, 0.0, 2.0), &filter, &mut ray)?;
    /// assert!(!ray.is_clear()); // a wall stops it
    /// assert!(ray.point.x > -1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn raycast(
        &self,
        mesh: &NavMesh,
        start: Place,
        goal: Vec3,
        filter: &impl CostModel,
        ray: &mut Ray,
    ) -> Result<(), QueryError> {
        check_position("start", start.point)?;
        check_position("goal", goal)?;
        match UniformRules::of(mesh, filter) {
            Some(rules) => self.raycast_by(mesh, start, goal, &rules, ray),
            None => self.raycast_by(mesh, start, goal, &FilterRules(filter), ray),
        }
    }

    fn raycast_by(
        &self,
        mesh: &NavMesh,
        start: Place,
        goal: Vec3,
        rules: &impl Rules,
        ray: &mut Ray,
    ) -> Result<(), QueryError> {
        let poly = mesh.locate(start.polygon)?;
        let Ray { polygons, .. } = std::mem::take(ray);
        *ray = Ray { polygons, ..Ray::default() };
        ray.polygons.clear();
        ray.polygons.push(start.polygon);
        let max_polygons = self.max_nodes().get() as usize;
        let mut walk = Walk {
            mesh,
            rules,
            line: Line::new(start.point, goal),
            poly,
            key: rules.key(&poly),
            at: start.point,
            switched_at: -1.0,
            max_polygons,
            ray,
        };
        // The side for corners on the ray is open until the ray has left a polygon.
        let mut is_open = true;
        walk.ray.end = loop {
            let exit = walk.poly.exit(&walk.line);
            if std::mem::take(&mut is_open) && exit.is_none() {
                walk.line = walk.line.switched();
                continue;
            }
            if let Some(end) = walk.advance(exit) {
                break end;
            }
            if walk.ray.polygons.len() >= max_polygons {
                walk.ray.point = walk.at;
                break RayEnd::OutOfNodes;
            }
            walk.ray.polygons.push(walk.poly.reference);
        };
        Ok(())
    }
}

/// The ray as a line that divides the plane.
#[derive(Clone, Copy)]
struct Line {
    from: Vec3,
    to: Vec3,
    /// Both as seen from above.
    flat_from: DVec2,
    flat_to: DVec2,
    along: DVec2,
    /// The smallest value of [`Line::side_of`] that counts as right: zero, or the smallest number above it.
    least_right: f64,
}

impl Line {
    fn new(from: Vec3, to: Vec3) -> Line {
        let (flat_from, flat_to) = (flat(from), flat(to));
        let along = flat_to - flat_from;
        Line { from, to, flat_from, flat_to, along, least_right: 0.0 }
    }

    /// The line with corners on it counted to the other side.
    fn switched(self) -> Line {
        Line { least_right: if self.least_right > 0.0 { 0.0 } else { f64::from_bits(1) }, ..self }
    }

    /// [`side`] of a point: negative to the left of the line.
    #[inline]
    fn side_of(&self, p: Vec3) -> f64 {
        let p = flat(p);
        self.along.perp_dot((p - self.flat_from) + (p - self.flat_to)) * 0.5
    }

    /// Returns true if that value counts as right.
    #[inline]
    fn takes_as_right(&self, side: f64) -> bool {
        side >= self.least_right
    }

    /// Returns true if the line crosses segment `ab` out of the polygon on the left of the segment.
    fn leaves_by(&self, a: Vec3, b: Vec3) -> bool {
        self.takes_as_right(self.side_of(a)) && !self.takes_as_right(self.side_of(b))
    }
}

/// Returns true if a point of an edge is in a portal of that edge.
fn holds(right: Vec3, left: Vec3, p: Vec3) -> bool {
    let (right, left, p) = (flat(right), flat(left), flat(p));
    (p - right).dot(left - right) >= 0.0 && (p - left).dot(right - left) >= 0.0
}

/// An edge where a ray may leave a polygon.
#[derive(Clone, Copy)]
struct ExitEdge {
    number: u8,
    edge: Vertex,
    a: Vec3,
    b: Vec3,
    /// [`Line::side_of`] for its ends.
    of_a: f64,
    of_b: f64,
}

impl<'a> Poly<'a> {
    #[inline]
    fn exits(&self, line: &Line) -> impl Iterator<Item = ExitEdge> + use<'a> {
        let (surface, line) = (&self.tile.surface, *line);
        surface.edges(self.index()).enumerate().map(move |(number, (edge, a, b))| {
            let (of_a, of_b) = (line.side_of(a), line.side_of(b));
            ExitEdge { number: number as u8, edge, a, b, of_a, of_b }
        })
    }

    /// The first edge where the line leaves the polygon.
    #[inline(always)]
    fn exit(&self, line: &Line) -> Option<ExitEdge> {
        let mut edges = self.tile.surface.edges(self.index()).enumerate();
        let (mut number, (mut edge, mut a, mut b)) = edges.next()?;
        // The end of an edge is the start of the next.
        let mut of_a = line.side_of(a);
        let mut a_is_right = line.takes_as_right(of_a);
        loop {
            let of_b = line.side_of(b);
            let b_is_right = line.takes_as_right(of_b);
            if a_is_right && !b_is_right {
                return Some(ExitEdge { number: number as u8, edge, a, b, of_a, of_b });
            }
            (of_a, a_is_right) = (of_b, b_is_right);
            (number, (edge, a, b)) = edges.next()?;
        }
    }

    /// The edge with this number.
    #[inline(always)]
    fn exit_over(&self, number: usize, line: &Line) -> Option<ExitEdge> {
        let (edge, a, b) = self.tile.surface.edges(self.index()).nth(number)?;
        Some(ExitEdge { number: number as u8, edge, a, b, of_a: line.side_of(a), of_b: line.side_of(b) })
    }

    /// Returns true if the line passes through a corner of the polygon.
    fn has_corner_on(&self, line: &Line) -> bool {
        self.tile.surface.edges(self.index()).any(|(_, a, _)| line.side_of(a) == 0.0)
    }

    /// Returns true if a ray that passes a corner of the polygon, or a point of its outline, continues in the
    /// polygon.
    fn is_ahead(&self, line: &Line, corner: Vec3) -> bool {
        self.exit(line).is_some_and(|exit| side(exit.a, exit.b, corner) < 0.0)
    }

    /// For a ray that starts outside the polygon: of the edges with the goal beyond them, the one nearest to
    /// the start.
    #[cold]
    fn nearest_exit(&self, line: &Line) -> Option<usize> {
        let beyond = self.exits(line).filter(|exit| side(exit.a, exit.b, line.to) > 0.0);
        let away = |exit: &ExitEdge| nearest_on_segment(exit.a, exit.b, line.from).1;
        beyond.min_by(|x, y| away(x).total_cmp(&away(y))).map(|exit| usize::from(exit.number))
    }
}

/// A raycast in progress.
struct Walk<'a, 'r, R: Rules> {
    mesh: &'a NavMesh,
    rules: &'r R,
    line: Line,
    /// The current polygon.
    poly: Poly<'a>,
    key: R::Key,
    /// The point where the ray entered it.
    at: Vec3,
    /// The fraction of the last change of side. Each change must come later than the change before.
    switched_at: f64,
    max_polygons: usize,
    ray: &'r mut Ray,
}

impl<'a, R: Rules> Walk<'a, '_, R> {
    /// Enters the next polygon over the edge through which the line leaves this one, or returns the reason
    /// why it cannot.
    #[inline(always)]
    fn advance(&mut self, exit: Option<ExitEdge>) -> Option<RayEnd> {
        let Line { from, to, .. } = self.line;
        let exit = match exit {
            Some(exit) => Some(exit),
            None => {
                let number = self.poly.nearest_exit(&self.line);
                number.and_then(|number| self.poly.exit_over(number, &self.line))
            }
        };
        let outside = exit.map_or(0.0, |exit| side(exit.a, exit.b, to));
        let Some(exit) = exit.filter(|_| outside > 0.0) else {
            let point = to.with_y(self.poly.surface_height(to));
            self.step_to(point, None);
            self.ray.fraction = 1.0;
            return Some(RayEnd::Goal);
        };
        let of_from = side(exit.a, exit.b, from);
        let inside = if of_from < 0.0 { of_from } else { 0.0 };
        // At most 1, as rounding keeps the order. It never falls.
        let fraction = (inside / (inside - outside)).abs();
        let fraction = if fraction > self.ray.fraction { fraction } else { self.ray.fraction };
        self.ray.fraction = fraction;
        let is_past = of_from > 0.0 || !self.crosses(&exit);
        if let Some((next, key)) = self.neighbour_over(&exit, is_past) {
            self.enter(&exit, is_past, next, key);
            return None;
        }
        if fraction > self.switched_at && self.switch(fraction, exit) {
            return None;
        }
        let point = self.crossing(&exit, is_past);
        self.step_to(point, None);
        Some(RayEnd::Wall { edge: exit.number, normal: inward_normal(exit.a, exit.b) })
    }

    #[inline(always)]
    fn crosses(&self, exit: &ExitEdge) -> bool {
        self.line.takes_as_right(exit.of_a) && !self.line.takes_as_right(exit.of_b)
    }

    /// Returns true if the ray does not cross an edge, as it started beyond it or passes by.
    fn is_past(&self, exit: &ExitEdge) -> bool {
        !self.crosses(exit) || side(exit.a, exit.b, self.line.from) > 0.0
    }

    /// The point where the ray crosses an edge. `is_past` is the result of [`Walk::is_past`].
    #[inline(always)]
    fn crossing(&self, exit: &ExitEdge, is_past: bool) -> Vec3 {
        let ExitEdge { of_a, of_b, .. } = *exit;
        if of_a == of_b || is_past {
            // The edge runs along the ray, which touches it from here on; or the start is outside the
            // polygon.
            return lerp(exit.a, exit.b, nearest_on_segment(exit.a, exit.b, self.at).0);
        }
        lerp(exit.a, exit.b, (of_a / (of_a - of_b)).clamp(0.0, 1.0))
    }

    /// The polygon beyond an edge where the ray crosses it, if it may be entered.
    #[inline(always)]
    fn neighbour_over(&self, exit: &ExitEdge, is_past: bool) -> Option<(Poly<'a>, R::Key)> {
        let next = match exit.edge.edge_kind() {
            EdgeKind::Wall => return None,
            EdgeKind::Internal(polygon) => self.poly.sibling(self.poly.reference.with_index(polygon)),
            EdgeKind::Seam { portal, side } => {
                return self.neighbour_across_seam(*exit, portal, side, is_past);
            }
        };
        self.rules.enter(self.mesh, &self.poly, next.reference).map(|key| (next, key))
    }

    #[inline(never)]
    fn neighbour_across_seam(
        &self,
        exit: ExitEdge,
        portal: u32,
        side: u8,
        is_past: bool,
    ) -> Option<(Poly<'a>, R::Key)> {
        // A ray that starts outside the polygon leaves it at the nearest point, not where its line crosses.
        let nearest = if is_past {
            lerp(exit.a, exit.b, nearest_on_segment(exit.a, exit.b, self.at).0)
        } else {
            self.at
        };
        for link in self.poly.seam_links(portal, side) {
            let crossed = if is_past {
                holds(link.right, link.left, nearest)
            } else {
                self.line.leaves_by(link.right, link.left)
            };
            if crossed
                && let Some(key) = self.rules.enter(self.mesh, &self.poly, link.to)
                && let Ok(next) = self.poly.follow(self.mesh, link.to)
            {
                return Some((next, key));
            }
        }
        None
    }

    #[inline(always)]
    fn enter(&mut self, exit: &ExitEdge, is_past: bool, next: Poly<'a>, key: R::Key) {
        let point = self.crossing(exit, is_past);
        self.step_to(point, Some(key));
        (self.poly, self.key) = (next, key);
    }

    #[inline(always)]
    fn step_to(&mut self, to: Vec3, next: Option<R::Key>) {
        self.ray.cost += f64::from(self.rules.cost(self.at, to, self.key, next));
        (self.at, self.ray.point) = (to, to);
    }

    /// Moves a ray that touches a corner of the wall to the other side of the line, and continues there.
    #[inline(never)]
    fn switch(&mut self, fraction: f64, wall: ExitEdge) -> bool {
        // Both sides of the line are the same, except where it meets a corner.
        if !self.poly.has_corner_on(&self.line) {
            return false;
        }
        let other = self.line.switched();
        let before = std::mem::replace(&mut self.line, other);
        let over_corner = self.poly.exit(&other).filter(|exit| side(exit.a, exit.b, other.to) > 0.0);
        if let Some(exit) = over_corner {
            let is_past = self.is_past(&exit);
            if let Some((next, key)) = self.neighbour_over(&exit, is_past) {
                self.switched_at = fraction;
                self.enter(&exit, is_past, next, key);
                return true;
            }
        }
        // The polygon is next to the ray: tries its edges that run along the ray.
        let came_from = self.ray.polygons.iter().rev().nth(1).copied();
        for exit in self.poly.exits(&other).filter(|exit| exit.of_a == 0.0 && exit.of_b == 0.0) {
            let next = self.neighbour_along(&exit).filter(|next| Some(next.reference) != came_from);
            if let Some(next) = next {
                self.switched_at = fraction;
                self.enter(&exit, self.is_past(&exit), next, self.rules.key(&next));
                return true;
            }
        }
        if self.turn_about_corner(&wall) {
            self.switched_at = fraction;
            return true;
        }
        self.line = before;
        false
    }

    /// If a wall starts or ends exactly on the line, turns about that corner, over the edges that end there,
    /// to the polygon in which the ray continues. The polygons between are added to the ray, except polygons
    /// where it only turned back.
    fn turn_about_corner(&mut self, wall: &ExitEdge) -> bool {
        let Some(corner) =
            [wall.a, wall.b].into_iter().find(|end| side(self.line.from, self.line.to, *end) == 0.0)
        else {
            return false;
        };
        let base = self.ray.polygons.len();
        let (mut poly, mut before, mut first) = (self.poly, None, None);
        for _ in 0..MOST_ABOUT_A_CORNER {
            let Some(next) = self.next_about(&poly, corner, before) else { break };
            before = Some(poly.reference);
            poly = next;
            first.get_or_insert(next);
            if poly.is_ahead(&self.line, corner) {
                let polygons = &mut self.ray.polygons;
                let (mut kept, mut back) = (base, base);
                while kept >= 2 && polygons.get(back) == Some(&polygons[kept - 2]) {
                    (kept, back) = (kept - 1, back + 1);
                }
                if polygons.len() - (back - kept) >= self.max_polygons {
                    break;
                }
                polygons.drain(kept..back);
                self.step_to(corner, first.map(|first| self.rules.key(&first)));
                (self.poly, self.key) = (poly, self.rules.key(&poly));
                return true;
            }
            self.ray.polygons.push(poly.reference);
        }
        self.ray.polygons.truncate(base);
        false
    }

    /// The next polygon about a corner, other than the polygon before.
    fn next_about(&self, poly: &Poly<'a>, corner: Vec3, before: Option<PolyRef>) -> Option<Poly<'a>> {
        let ends_there = |portal: &&Portal| {
            let is_at_corner = flat(portal.left) == flat(corner) || flat(portal.right) == flat(corner);
            is_at_corner && Some(portal.to) != before
        };
        poly.portals().iter().filter(ends_there).find_map(|portal| self.beyond(poly, portal))
    }

    /// The polygon across an edge along the ray, at the end that the ray reaches last, where the wall is.
    fn neighbour_along(&self, exit: &ExitEdge) -> Option<Poly<'a>> {
        let ahead = |p: Vec3| nearest_on_segment(self.line.from, self.line.to, p).0;
        let last = if ahead(exit.b) > ahead(exit.a) { exit.b } else { exit.a };
        let is_there =
            |portal: &&Portal| portal.edge == exit.number && (portal.left == last || portal.right == last);
        self.poly.portals().iter().filter(is_there).find_map(|portal| self.beyond(&self.poly, portal))
    }

    /// The polygon beyond a portal, if it may be entered.
    fn beyond(&self, poly: &Poly<'a>, portal: &Portal) -> Option<Poly<'a>> {
        self.rules.enter(self.mesh, poly, portal.to)?;
        poly.follow(self.mesh, portal.to).ok()
    }
}
