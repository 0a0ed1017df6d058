//! Crossing an off-mesh link between edges: the points where it is entered and left. All crossings of a link
//! are parallel, so the exit is at the same share of its edge as the entry.

use super::links::Link;
use super::poly::{LinkCrossing, Poly};
use crate::geometry::{lerp, nearest_on_segment, shortest_crossing};
use glam::Vec3;

/// The entry edge and the exit edge of a link, with their ends in the same order. Edges without length are
/// points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinkEdges {
    pub(crate) entry: [Vec3; 2],
    pub(crate) exit: [Vec3; 2],
}

impl LinkEdges {
    pub(crate) fn new(crossing: &LinkCrossing) -> LinkEdges {
        LinkEdges { entry: crossing.entry_edge(), exit: crossing.reversed().entry_edge() }
    }

    /// The edges of `link` in the direction that leaves it over `exit`, ends in any order.
    pub(crate) fn leaving(link: &Poly<'_>, exit: [Vec3; 2]) -> Option<LinkEdges> {
        let edges = LinkEdges::new(&link.off_mesh_crossing()?);
        let is_it = edges.exit == exit || edges.exit == [exit[1], exit[0]];
        Some(if is_it { edges } else { LinkEdges { entry: edges.exit, exit: edges.entry } })
    }

    /// The edges of `link` in the direction that enters it over `entry`, ends in any order.
    pub(crate) fn entering(link: &Poly<'_>, entry: [Vec3; 2]) -> Option<LinkEdges> {
        let edges = LinkEdges::new(&link.off_mesh_crossing()?);
        let is_it = edges.entry == entry || edges.entry == [entry[1], entry[0]];
        Some(if is_it { edges } else { LinkEdges { entry: edges.exit, exit: edges.entry } })
    }

    /// The vector of each crossing.
    pub(crate) fn vector(&self) -> Vec3 {
        self.exit[0] - self.entry[0]
    }

    pub(crate) fn entry_at(&self, share: f64) -> Vec3 {
        lerp(self.entry[0], self.entry[1], share)
    }

    pub(crate) fn exit_at(&self, share: f64) -> Vec3 {
        lerp(self.exit[0], self.exit[1], share)
    }

    /// The share of the edge for the shortest path from one point to another, if the path is straight except
    /// for the crossing.
    pub(crate) fn shortest(&self, from: Vec3, to: Vec3) -> f64 {
        shortest_crossing(self.entry[0], self.entry[1], from, to - self.vector())
    }

    /// Start and end of the crossing that begins nearest to a point.
    pub(crate) fn crossing_near(&self, p: Vec3) -> [Vec3; 2] {
        let (share, _) = nearest_on_segment(self.entry[0], self.entry[1], p);
        [self.entry_at(share), self.exit_at(share)]
    }

    /// End of the crossing that begins nearest to a point.
    pub(crate) fn beyond(&self, entered: Vec3) -> Vec3 {
        self.exit_at(nearest_on_segment(self.entry[0], self.entry[1], entered).0)
    }
}

/// Returns true if a link onto an off-mesh link, or off it, leads over one point and not over an edge.
#[inline]
pub(crate) fn is_point(link: &Link) -> bool {
    link.left == link.right
}

/// The point of `exit` where an off-mesh link is left, if it was entered at a point.
pub(crate) fn exit_point(link: &Poly<'_>, exit: [Vec3; 2], entered: Vec3) -> Vec3 {
    if exit[0] == exit[1] {
        return exit[0];
    }
    LinkEdges::leaving(link, exit).map_or(exit[0], |edges| edges.beyond(entered))
}
