//! Off-mesh links of a corridor: finding the next one, and taking it.
//! Semantics: those of M. Mononen's Detour (`moveOverOffmeshConnection`); here the link is also announced
//! before it is taken.

use super::Corridor;
use crate::error::QueryError;
use crate::geometry::{lerp, nearest_on_segment};
use crate::mesh::{Link, NavMesh, Poly, exit_point};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// The off-mesh link that a corridor comes to next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkAhead {
    /// The link; [`NavMesh::off_mesh`] returns its user id.
    pub link: PolyRef,
    /// The entry: a point on the ground, and its polygon. A link between edges can be entered anywhere along
    /// its edge; this is the point of the edge nearest to the agent.
    pub start: Place,
    /// The exit for that entry.
    pub end: Place,
    /// Distance of the agent from the start as seen from above, metres, in a straight line.
    pub distance: f32,
    /// True if the agent is on the polygon that the link starts on, so that it can walk to the start in a
    /// straight line.
    pub on_start_polygon: bool,
}

impl Corridor {
    /// The next off-mesh link of the corridor, if there is one and the mesh still has it. Once the agent is
    /// near enough to its start, take the link with [`Corridor::move_over_link`]. Linear in the polygons
    /// before the link.
    pub fn link_ahead(&self, mesh: &NavMesh) -> Result<Option<LinkAhead>, QueryError> {
        Ok(self.find_link(mesh)?.map(|(_, ahead)| ahead))
    }

    /// Moves the agent over the next off-mesh link, to its far end, and returns that place. The corridor
    /// continues from there. A link between edges is crossed from the point of its edge that is nearest to
    /// the agent. Returns `None` and leaves the corridor unchanged if `link` is not the next link. The caller
    /// decides how near the agent must be and how long the passage takes.
    pub fn move_over_link(&mut self, mesh: &NavMesh, link: PolyRef) -> Result<Option<Place>, QueryError> {
        let Some((at, ahead)) = self.find_link(mesh)?.filter(|(_, ahead)| ahead.link == link) else {
            return Ok(None);
        };
        self.polygons.drain(..=at);
        self.start = ahead.end;
        Ok(Some(ahead.end))
    }

    /// The points where the agent enters and leaves a link, given the graph links onto it and off it. A link
    /// between edges is entered at the point nearest to the agent.
    fn ends_over(&self, link: &Poly<'_>, [onto, off]: [&Link; 2]) -> [Vec3; 2] {
        let (t, _) = nearest_on_segment(onto.right, onto.left, self.position());
        let start = lerp(onto.right, onto.left, t);
        [start, exit_point(link, [off.left, off.right], start)]
    }

    /// The next link, and its index in the row.
    fn find_link(&self, mesh: &NavMesh) -> Result<Option<(usize, LinkAhead)>, QueryError> {
        for (before, steps) in self.polygons.windows(3).enumerate() {
            let [from, link, to] = [steps[0], steps[1], steps[2]];
            let poly = mesh.locate_node(link)?;
            if !poly.is_off_mesh() {
                continue;
            }
            let (onto, off) = (mesh.locate_node(from)?.link_to(link), poly.link_to(to));
            let (Some(onto), Some(off)) = (onto, off) else { return Ok(None) };
            let [start, end] = self.ends_over(&poly, [&onto, &off]);
            let (start, end) = (Place { polygon: from, point: start }, Place { polygon: to, point: end });
            let away: Vec3 = (start.point - self.position()).with_y(0.0);
            let ahead =
                LinkAhead { link, start, end, distance: away.length(), on_start_polygon: before == 0 };
            return Ok(Some((before + 1, ahead)));
        }
        Ok(None)
    }
}
