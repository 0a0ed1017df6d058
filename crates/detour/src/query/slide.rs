//! A short move over the surface that slides along walls: what a moving body does every frame.
//!
//! Polygons are looked through in breadth, over openings that come near the way: within a circle around its
//! middle that holds both ends. If one of them lies under the goal the move ends there, else at the point of
//! their walls that is nearest to the goal; walls are looked at only then. Cost: linear in the outlines of the
//! polygons looked through, of which there are at most as many as the query has nodes.
//! Semantics: those of M. Mononen's Detour (`moveAlongSurface`), with four differences. It looks through as many
//! polygons as there are nodes, not 48; an edge at a seam is wall where nothing lies beyond, even if a part of it
//! is open; the end has the height of the surface, not of the straight line; and running out is told.

use super::Query;
use super::find_path::Place;
use super::nodes::{NO_NODE, Node};
use super::rules::{Asked, Plain, Rules};
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::geometry::{flat, lerp, nearest_on_segment};
use crate::mesh::{Located, NavMesh};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::FIXED_ONE;
use std::ops::ControlFlow;

/// How a move ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlideEnd {
    /// At its goal.
    #[default]
    Goal,
    /// At a wall.
    Wall,
    /// As far as the query's nodes reach: a shorter move, or a query with more of them, may lead farther.
    OutOfNodes,
}

/// Where a move leads. Reuse one, and its memory is reused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slide {
    /// How it ends.
    pub end: SlideEnd,
    /// Where it ends: on the surface of the last polygon.
    pub point: Vec3,
    /// The polygons it leads through, the start's first; each has a link to the next.
    pub polygons: Vec<PolyRef>,
}

/// The best end so far.
#[derive(Clone, Copy)]
struct Best {
    /// Its distance to the goal, squared.
    away: f64,
    /// The wall it lies at, and where along it.
    wall: [Vec3; 2],
    t: f64,
    node: u32,
}

impl Query {
    /// Moves from `start` towards `goal`, of which x and z matter, sliding along walls, and puts the end into
    /// `slide`. The start's polygon need not pass the filter.
    ///
    /// Walls are not obeyed where the goal can be walked to within the circle: a move that is longer than a wall
    /// is may lead round its end. Take [`Query::raycast`] where that matters.
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
            // As nearly always: nothing is to be searched for.
            slide.end = SlideEnd::Goal;
            slide.point = goal.with_y(first.surface_height(goal));
            slide.polygons.clear();
            slide.polygons.push(start.polygon);
            return Ok(());
        }
        match Plain::of(filter) {
            Some(plain) => self.slide_by(mesh, [start.point, goal], first, &plain, slide),
            None => self.slide_by(mesh, [start.point, goal], first, &Asked(filter), slide),
        }
    }

    /// As [`Query::slide`], from beside its goal.
    fn slide_by(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Vec3; 2],
        first: Located<'_>,
        rules: &impl Rules,
        slide: &mut Slide,
    ) -> Result<(), QueryError> {
        let (from, to) = (flat(start), flat(goal));
        // What rounding may have moved the ends by: the resolution of the mesh.
        let slack = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(FIXED_ONE));
        let middle = lerp(start, goal, 0.5);
        let reach = from.distance_squared(to).sqrt() / 2.0 + slack;
        self.nodes.clear();
        self.nodes.insert(Node::reached(first.reference, Vec3::ZERO, NO_NODE, 0.0));
        let mut full = false;
        let (mut next, mut located) = (0, first);
        // Nodes are numbered as they are found, so they are their own queue.
        let over_goal = loop {
            full |= !self.find_openings(mesh, &located, next, (middle, reach), rules);
            next += 1;
            if next as usize >= self.nodes.len() {
                break None;
            }
            located = located.linked(mesh, self.nodes.get(next).polygon)?;
            if located.is_over(goal) {
                break Some(next);
            }
        };
        slide.end = match over_goal {
            Some(_) => SlideEnd::Goal,
            None if full => SlideEnd::OutOfNodes,
            None => SlideEnd::Wall,
        };
        let best = match over_goal {
            Some(node) => Some(Best { away: 0.0, wall: [goal; 2], t: 1.0, node }),
            None => self.nearest_wall(mesh, &first, goal, rules)?,
        };
        // No wall at all: the start lies beside its polygon, or the nodes ran out among openings.
        let (point, last) = match best {
            Some(Best { wall: [a, b], t, node, .. }) => (lerp(a, b, t), node),
            None => (first.kept_inside(start), 0),
        };
        let height = mesh.locate(self.nodes.get(last).polygon)?.surface_height(point);
        slide.point = point.with_y(height);
        self.trace_back(last, &mut slide.polygons);
        Ok(())
    }
    /// Adds the polygons beyond the openings of a node's polygon that meet a circle; false if there was no room.
    #[inline(always)]
    fn find_openings(
        &mut self,
        mesh: &NavMesh,
        located: &Located<'_>,
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
                && let Err(vacancy) = nodes.find_on(beyond, 0)
            {
                let node = Node::reached(beyond, Vec3::ZERO, number, 0.0);
                has_room &= nodes.insert_at(vacancy, node).is_some();
            }
        };
        let flow = located.visit_outline(mesh, rules, outline, |segment| {
            if let Some(beyond) = segment.beyond
                && !came_from.is(beyond)
            {
                find(beyond, segment.from, segment.to);
            }
            ControlFlow::Continue(())
        });
        debug_assert!(flow.is_continue());
        has_room
    }

    /// The wall nearest to a point, of all polygons that were found; the first of equals.
    fn nearest_wall(
        &mut self,
        mesh: &NavMesh,
        first: &Located<'_>,
        to: Vec3,
        rules: &impl Rules,
    ) -> Result<Option<Best>, QueryError> {
        let Query { nodes, outline, .. } = self;
        let mut best: Option<Best> = None;
        for node in 0..nodes.len() as u32 {
            let located = first.linked(mesh, nodes.get(node).polygon)?;
            let flow = located.visit_outline(mesh, rules, outline, |segment| {
                if segment.beyond.is_none() {
                    let (t, away) = nearest_on_segment(segment.from, segment.to, to);
                    if best.is_none_or(|known| away < known.away) {
                        best = Some(Best { away, wall: [segment.from, segment.to], t, node });
                    }
                }
                ControlFlow::Continue(())
            });
            debug_assert!(flow.is_continue());
        }
        Ok(best)
    }
}
