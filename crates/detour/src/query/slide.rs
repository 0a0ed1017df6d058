//! A short move over the surface that slides along walls, as a moving body does every frame.
//!
//! Polygons are searched breadth first, through portals that come near the line: within a circle around its
//! middle that contains both ends. If one of the polygons is under the goal, the move ends there, otherwise
//! at the point of their walls that is nearest to the goal. Walls are looked at only then. Cost: linear in
//! the outlines of the polygons searched, bounded by the query's nodes.
//! Semantics: those of M. Mononen's Detour (`moveAlongSurface`), with four differences. It is bounded by the
//! query's nodes, not by 48 polygons; an edge at a seam is a wall where there is nothing beyond it, even if
//! another part of it is open; the end has the height of the surface, not of the straight line; and running
//! out of nodes is reported.

use super::Query;
use super::nodes::{NO_NODE, Node};
use super::rules::{FilterRules, Rules, UniformRules};
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::geometry::{flat, lerp, nearest_on_segment};
use crate::mesh::{NavMesh, Poly};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::FIXED_ONE;

/// The outcome of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlideEnd {
    /// At its goal.
    #[default]
    Goal,
    /// At a wall.
    Wall,
    /// The query's nodes ran out: a shorter move, or a query with more nodes, may get farther.
    OutOfNodes,
}

/// The result of a move. Reuse one to reuse its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slide {
    /// The outcome of the move.
    pub end: SlideEnd,
    /// End of the move, on the surface of the last polygon.
    pub point: Vec3,
    /// The polygons that it passes through, the start's first; each has a link to the next.
    pub polygons: Vec<PolyRef>,
}

/// The wall nearest to the goal so far.
#[derive(Clone, Copy)]
struct NearestWall {
    /// Its squared distance to the goal.
    away: f64,
    /// Its ends, and the position of the nearest point between them.
    wall: [Vec3; 2],
    t: f64,
    node: u32,
}

impl Query {
    /// Moves from `start` towards `goal`, sliding along walls, and writes the end to `slide`. Only x and z of
    /// `goal` matter. The start's polygon need not pass the filter.
    ///
    /// Walls do not stop the move if there is a path to the goal within the circle around the line: a move
    /// longer than a wall may lead around its end. Use [`Query::raycast`] where that matters.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// use detour::{Filter, Place, Query, Slide, Vec3};
    ///
    /// let (mut query, filter, mut slide) = (Query::new(), Filter::default(), Slide::default());
    /// let box_size = Vec3::new(1.0, 2.0, 1.0);
    /// let mut place = query.nearest(&mesh, Vec3::new(2.0, 0.0, 2.0), box_size, &filter)?.place();
    /// let velocity = Vec3::new(-4.0, 0.0, 0.0);
    /// for _ in 0..60 {
    ///     query.slide(&mesh, place, place.point + velocity / 60.0, &filter, &mut slide)?;
    ///     place = Place { polygon: slide.polygons[slide.polygons.len() - 1], point: slide.point };
    /// }
    /// assert!(mesh.height(place.polygon, place.point)?.is_some()); // still on the ground
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slide(
        &mut self,
        mesh: &NavMesh,
        start: Place,
        goal: Vec3,
        filter: &impl CostModel,
        slide: &mut Slide,
    ) -> Result<(), QueryError> {
        check_position("start", start.point)?;
        check_position("goal", goal)?;
        let first = mesh.locate(start.polygon)?;
        if first.is_over(goal) {
            // The usual case: nothing to search for.
            slide.end = SlideEnd::Goal;
            slide.point = goal.with_y(first.surface_height(goal));
            slide.polygons.clear();
            slide.polygons.push(start.polygon);
            return Ok(());
        }
        match UniformRules::of(mesh, filter) {
            Some(rules) => self.slide_by(mesh, [start.point, goal], first, &rules, slide),
            None => self.slide_by(mesh, [start.point, goal], first, &FilterRules(filter), slide),
        }
    }

    /// [`Query::slide`] to a goal that is not over the first polygon.
    fn slide_by(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Vec3; 2],
        first: Poly<'_>,
        rules: &impl Rules,
        slide: &mut Slide,
    ) -> Result<(), QueryError> {
        let (from, to) = (flat(start), flat(goal));
        // Rounding may have moved the ends by up to the resolution of the mesh.
        let slack = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(FIXED_ONE));
        let middle = lerp(start, goal, 0.5);
        let reach = from.distance(to) / 2.0 + slack;
        self.nodes.clear();
        self.nodes.insert(Node::reached(first.reference, Vec3::ZERO, NO_NODE, 0.0));
        let mut full = false;
        let (mut next, mut poly) = (0, first);
        // Nodes are numbered as they are found, so they are their own queue.
        let under_goal = loop {
            full |= !self.find_neighbours(mesh, &poly, next, (middle, reach), rules);
            next += 1;
            if next as usize >= self.nodes.len() {
                break None;
            }
            poly = poly.follow(mesh, self.nodes.get(next).polygon)?;
            if poly.is_over(goal) {
                break Some(next);
            }
        };
        slide.end = match under_goal {
            Some(_) => SlideEnd::Goal,
            None if full => SlideEnd::OutOfNodes,
            None => SlideEnd::Wall,
        };
        let best = match under_goal {
            Some(node) => Some(NearestWall { away: 0.0, wall: [goal; 2], t: 1.0, node }),
            None => self.nearest_wall(mesh, &first, goal, rules)?,
        };
        // No wall at all: the start is outside its polygon, or the nodes ran out among portals.
        let (point, last) = match best {
            Some(NearestWall { wall: [a, b], t, node, .. }) => (lerp(a, b, t), node),
            None => (first.kept_inside(start), 0),
        };
        let height = mesh.locate(self.nodes.get(last).polygon)?.surface_height(point);
        slide.point = point.with_y(height);
        self.nodes.trace_back(last, &mut slide.polygons);
        Ok(())
    }

    /// Adds the polygons beyond the portals of a node's polygon that meet a circle. Returns false if there
    /// was no room.
    #[inline(always)]
    fn find_neighbours(
        &mut self,
        mesh: &NavMesh,
        poly: &Poly<'_>,
        number: u32,
        (middle, reach): (Vec3, f64),
        rules: &impl Rules,
    ) -> bool {
        let Query { nodes, outline, .. } = self;
        let mut has_room = true;
        let came_from = nodes.came_from(nodes.get(number).parent);
        let mut find = |beyond: PolyRef, from: Vec3, to: Vec3| {
            let (_, away) = nearest_on_segment(from, to, middle);
            if away <= reach * reach
                && let Err(vacancy) = nodes.find_first(beyond)
            {
                let node = Node::reached(beyond, Vec3::ZERO, number, 0.0);
                has_room &= nodes.insert_at(vacancy, node).is_some();
            }
        };
        poly.visit_outline(mesh, rules, outline, |segment| {
            if let Some(beyond) = segment.beyond
                && !came_from.is(beyond)
            {
                find(beyond, segment.from, segment.to);
            }
        });
        has_room
    }

    /// The wall nearest to a point, of all polygons that were found. The first one wins a tie.
    fn nearest_wall(
        &mut self,
        mesh: &NavMesh,
        first: &Poly<'_>,
        to: Vec3,
        rules: &impl Rules,
    ) -> Result<Option<NearestWall>, QueryError> {
        let Query { nodes, outline, .. } = self;
        let mut best: Option<NearestWall> = None;
        for node in 0..nodes.len() as u32 {
            let poly = first.follow(mesh, nodes.get(node).polygon)?;
            poly.visit_outline(mesh, rules, outline, |segment| {
                if segment.beyond.is_none() {
                    let (t, away) = nearest_on_segment(segment.from, segment.to, to);
                    if best.is_none_or(|known| away < known.away) {
                        best = Some(NearestWall { away, wall: [segment.from, segment.to], t, node });
                    }
                }
            });
        }
        Ok(best)
    }
}
