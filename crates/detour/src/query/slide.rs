//! A short move over the surface that slides along walls: what a moving body does every frame.
//!
//! Polygons are looked through in breadth, over openings that come near the way: within a circle around its
//! middle that holds both ends. If one of them lies under the goal the move ends there, else at the point of
//! their walls that is nearest to the goal. Cost: linear in the outlines of the polygons looked through, of which
//! there are at most as many as the query has nodes.
//! Semantics: those of M. Mononen's Detour (`moveAlongSurface`), with four differences. It looks through as many
//! polygons as there are nodes, not 48; an edge at a seam is wall where nothing lies beyond, even if a part of it
//! is open; the end has the height of the surface, not of the straight line; and running out is told.

use super::Query;
use super::find_path::Place;
use super::nodes::{NO_NODE, Node};
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::geometry::{flat, lerp, nearest_on_segment};
use crate::mesh::NavMesh;
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
        let (from, to) = (flat(start.point), flat(goal));
        // What rounding may have moved the ends by: the resolution of the mesh.
        let slack = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(FIXED_ONE));
        let middle = lerp(start.point, goal, 0.5);
        let reach = from.distance_squared(to).sqrt() / 2.0 + slack;
        let Query { nodes, outline, .. } = self;
        nodes.clear();
        let node = |polygon, parent| Node::reached(polygon, Vec3::ZERO, parent, 0.0);
        nodes.insert(node(start.polygon, NO_NODE));
        let (mut best, mut full): (Option<Best>, bool) = (None, false);
        let (mut next, mut located) = (0, first);
        // Nodes are numbered as they are found, so they are their own queue.
        slide.end = loop {
            if located.is_over(goal) {
                let wall = [goal, goal];
                best = Some(Best { away: 0.0, wall, t: 1.0, node: next });
                break SlideEnd::Goal;
            }
            let flow = located.visit_outline(mesh, filter, outline, |segment| {
                if let Some(beyond) = segment.beyond {
                    let (_, away) = nearest_on_segment(segment.from, segment.to, middle);
                    if away <= reach * reach && nodes.find(beyond).is_none() {
                        full |= nodes.insert(node(beyond, next)).is_none();
                    }
                } else {
                    let (t, away) = nearest_on_segment(segment.from, segment.to, goal);
                    if best.is_none_or(|known| away < known.away) {
                        best = Some(Best { away, wall: [segment.from, segment.to], t, node: next });
                    }
                }
                ControlFlow::Continue(())
            });
            debug_assert!(flow.is_continue());
            next += 1;
            if next as usize >= nodes.len() {
                break if full { SlideEnd::OutOfNodes } else { SlideEnd::Wall };
            }
            located = located.linked(mesh, nodes.get(next).polygon)?;
        };
        // No wall at all: the start lies beside its polygon, or the nodes ran out among openings.
        let (point, last) = match best {
            Some(Best { wall: [a, b], t, node, .. }) => (lerp(a, b, t), node),
            None => (first.kept_inside(start.point), 0),
        };
        let height = mesh.locate(self.nodes.get(last).polygon)?.surface_height(point);
        slide.point = point.with_y(height);
        self.trace_back(last, &mut slide.polygons);
        Ok(())
    }
}
