//! The points where a straight path crosses off-mesh links between edges.
//!
//! Between two links, and up to the first and from the last, the string is that of `funnel.rs`. Its length is
//! a convex function of the places where the links are entered, since distances within a row of polygons are
//! convex along straight lines. So if no small movement improves the places, they are the best. Take the line
//! from the corner before a place to the corner after it, drawn back by the vector of the link. The place is
//! the best for these two neighbours if the line is straight there, if it reflects off the edge as light does
//! off a mirror, or if the edge ends:
//!
//! ```text
//!     ●           ●  corners before      a place p is tried: the string to it and from it is pulled.
//!      ╲         ╱   and after (that     This gives the corners, and these give a better p, until both
//!       ╲       ╱    is drawn back)      agree. A bracket about the best place, from the sign of the
//!   ════p═══════p════ the edge           derivative, prevents oscillation
//! ```
//!
//! Several links in a row are moved one after the other until all of them stay.
//! Cost: a pull or two of the legs next to each link in a row; more if links follow each other closely.
//! Source: that distances are convex: M. Bridson, A. Haefliger, Metric Spaces of Non-Positive Curvature
//! (1999), II.2.2. The rest is our own.

use super::Query;
use super::leg::leg_of;
use crate::error::QueryError;
use crate::geometry::flat;
use crate::mesh::{LinkEdges, NavMesh, is_point};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::ops::Range;

/// The largest number of times that all links in a row are moved.
const MOST_ROUNDS: u32 = 32;
/// The largest number of places that are tried on one link.
const MOST_TRIES: u32 = 32;
/// A place is settled if its next move would be shorter than this, metres.
const SETTLED: f64 = 1e-6;

/// Links in a row that can be crossed anywhere along their edges, and the legs between them.
#[derive(Debug, Default)]
pub(super) struct CrossingScratch {
    links: Vec<LinkEdges>,
    /// The entry of each link, as a share of its edge.
    shares: Vec<f64>,
    portals: Vec<[Vec3; 2]>,
    /// The portals of each leg: before the first link, between links, and after the last.
    legs: Vec<Range<usize>>,
    ends: [Vec3; 2],
    /// The entry points of the links that are still to come, the next link last.
    pub(super) entries: Vec<Vec3>,
}

impl Query {
    /// Finds the entry points of the links between edges that follow each other in a row of polygons, up to
    /// the first link between points or the end. The string begins at `start` in the first polygon. The
    /// contents of the funnel are lost.
    #[cold]
    pub(super) fn find_crossings(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Vec3; 2],
        polygons: &[PolyRef],
    ) -> Result<(), QueryError> {
        let mut row = std::mem::take(&mut self.crossings);
        let found = row.collect(mesh, [start, goal], polygons);
        if found.is_ok() {
            row.settle(self);
            let entries = row.links.iter().zip(&row.shares).map(|(link, share)| link.entry_at(*share));
            row.entries.clear();
            row.entries.extend(entries);
            row.entries.reverse();
        }
        self.crossings = row;
        found
    }
}

impl CrossingScratch {
    fn collect(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [Vec3; 2],
        polygons: &[PolyRef],
    ) -> Result<(), QueryError> {
        self.links.clear();
        self.legs.clear();
        self.portals.clear();
        self.ends[0] = start;
        let mut from = 0;
        loop {
            let first = self.portals.len();
            let leg = leg_of(mesh, polygons, from, &mut self.portals)?;
            self.legs.push(first..self.portals.len());
            let Some(link) = leg.link else {
                self.ends[1] = mesh.locate_node(polygons[leg.last])?.kept_on(goal);
                return Ok(());
            };
            let over = mesh.locate_node(link.to)?;
            let edges = LinkEdges::entering(&over, [link.left, link.right]);
            let (false, Some(edges)) = (is_point(&link), edges) else {
                self.ends[1] = link.left;
                return Ok(());
            };
            self.links.push(edges);
            let beyond = polygons.get(leg.last + 2).filter(|next| over.link_to(**next).is_some());
            if beyond.is_none() {
                // The row ends with the link.
                self.legs.push(0..0);
                self.ends[1] = edges.exit_at(edges.shortest(start, goal));
                return Ok(());
            }
            from = leg.last + 2;
        }
    }

    /// Moves the places until they cannot be improved.
    fn settle(&mut self, query: &mut Query) {
        self.guess();
        let count = self.links.len();
        for _ in 0..MOST_ROUNDS {
            let mut moved = 0.0f64;
            for number in 0..count {
                let before = self.shares[number];
                self.settle_one(query, number);
                let edge = self.links[number].entry;
                moved =
                    moved.max((self.shares[number] - before).abs() * f64::from(edge[0].distance(edge[1])));
            }
            if count == 1 || moved < SETTLED {
                break;
            }
        }
    }

    /// Guesses that the links are crossed on a straight line to the goal.
    fn guess(&mut self) {
        self.shares.clear();
        let [mut at, goal] = self.ends;
        let mut rest: Vec3 = self.links.iter().map(LinkEdges::vector).sum();
        for link in &self.links {
            rest -= link.vector();
            let share = link.shortest(at, goal - rest);
            self.shares.push(share);
            at = link.exit_at(share);
        }
    }

    /// Moves one place to the best position for its neighbours.
    fn settle_one(&mut self, query: &mut Query, number: usize) {
        let link = self.links[number];
        let along = flat(link.entry[1]) - flat(link.entry[0]);
        let from = match number.checked_sub(1) {
            Some(before) => self.links[before].exit_at(self.shares[before]),
            None => self.ends[0],
        };
        let to = match self.links.get(number + 1) {
            Some(next) => next.entry_at(self.shares[number + 1]),
            None => self.ends[1],
        };
        let [mut low, mut high] = [0.0, 1.0];
        let mut share = self.shares[number];
        for _ in 0..MOST_TRIES {
            let (entry, exit) = (link.entry_at(share), link.exit_at(share));
            let before = self.corners(query, number, [from, entry])[1];
            let behind = self.corners(query, number + 1, [exit, to])[0];
            let wanted = link.shortest(before, behind);
            if ((wanted - share) * along.length()).abs() <= SETTLED {
                break;
            }
            let arrives = (flat(entry) - flat(before)).normalize_or_zero();
            let leaves = (flat(behind) - flat(exit)).normalize_or_zero();
            // The derivative of the length, up to a factor.
            if along.dot(arrives - leaves) > 0.0 {
                high = share
            } else {
                low = share
            }
            let is_between = wanted >= low && wanted <= high;
            share = if is_between { wanted } else { (low + high) / 2.0 };
        }
        self.shares[number] = share;
    }

    /// The corners of a leg's string that are next to its start and next to its end. If the string is
    /// straight, these are the opposite ends.
    fn corners(&self, query: &mut Query, leg: usize, [from, to]: [Vec3; 2]) -> [Vec3; 2] {
        query.funnel.clear();
        query.funnel.portals.extend_from_slice(&self.portals[self.legs[leg].clone()]);
        query.funnel.pull(from, to);
        let bends = &query.funnel.bends;
        [bends.first().map_or(to, |bend| bend.point), bends.last().map_or(from, |bend| bend.point)]
    }
}
