//! Off-mesh links on the way of a corridor: which comes next, and going on beyond it.
//! Semantics: those of M. Mononen's Detour (`moveOverOffmeshConnection`); here the link is also told before it is
//! taken.

use super::Corridor;
use crate::error::QueryError;
use crate::mesh::NavMesh;
use crate::poly_ref::PolyRef;
use crate::query::find_path::Place;
use glam::Vec3;

/// The off-mesh link that a corridor comes to next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkAhead {
    /// The link; [`NavMesh::off_mesh`] tells what the user calls it.
    pub link: PolyRef,
    /// Where the corridor leads onto it: a point of the ground, and the polygon that it lies on.
    pub start: Place,
    /// Where it leads off it.
    pub end: Place,
    /// How far the agent is from the start as seen from above, metres, in a straight line.
    pub distance: f32,
    /// Whether the agent is on the polygon that the link starts on, so that the line is the way there.
    pub at_hand: bool,
}

impl Corridor {
    /// The off-mesh link that the corridor leads over next, if there is one that the mesh still leads over. Once the
    /// agent is as near to its start as it is to be, take it: [`Corridor::move_over_link`]. Linear in the polygons
    /// before the link.
    pub fn link_ahead(&self, mesh: &NavMesh) -> Result<Option<LinkAhead>, QueryError> {
        Ok(self.find_link(mesh)?.map(|(_, ahead)| ahead))
    }

    /// Takes the agent over the off-mesh link that comes next: to its end, with the corridor from there on. Tells where
    /// that is; `None`, and the corridor as it was, if another link comes next or none. The agent may be anywhere
    /// before it: how near it has to be is the caller's rule, and so is how long it is under way.
    pub fn move_over_link(&mut self, mesh: &NavMesh, link: PolyRef) -> Result<Option<Place>, QueryError> {
        let Some((at, ahead)) = self.find_link(mesh)?.filter(|(_, ahead)| ahead.link == link) else {
            return Ok(None);
        };
        self.polygons.drain(..=at);
        self.position = ahead.end.point;
        Ok(Some(ahead.end))
    }

    /// The link that comes next, and its index in the row.
    fn find_link(&self, mesh: &NavMesh) -> Result<Option<(usize, LinkAhead)>, QueryError> {
        for (before, steps) in self.polygons.windows(3).enumerate() {
            let [from, link, to] = [steps[0], steps[1], steps[2]];
            let located = mesh.locate_node(link)?;
            if !located.is_off_mesh() {
                continue;
            }
            let (onto, off) = (mesh.locate_node(from)?.opening_to(link), located.opening_to(to));
            let (Some(onto), Some(off)) = (onto, off) else { return Ok(None) };
            let start = Place { polygon: from, point: onto.left };
            let end = Place { polygon: to, point: off.left };
            let away: Vec3 = (start.point - self.position).with_y(0.0);
            let ahead = LinkAhead { link, start, end, distance: away.length(), at_hand: before == 0 };
            return Ok(Some((before + 1, ahead)));
        }
        Ok(None)
    }
}
