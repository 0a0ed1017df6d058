//! Legs of a corridor: the polygons between off-mesh links, and the portals between them.

use crate::error::QueryError;
use crate::mesh::{Link, NavMesh, Poly, Portal};
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// The polygons of a corridor up to an off-mesh link or the end; or a link alone.
pub(super) struct Leg {
    /// Index of the last of them.
    pub(super) last: usize,
    /// The way onto the off-mesh link behind them, or off the link.
    pub(super) link: Option<Link>,
    /// Whether the mesh does not lead to the polygon behind them.
    pub(super) is_broken: bool,
}

/// The leg of a corridor that begins at an index; adds its portals.
pub(super) fn leg_of(
    mesh: &NavMesh,
    polygons: &[PolyRef],
    from: usize,
    portals: &mut Vec<[Vec3; 2]>,
) -> Result<Leg, QueryError> {
    let mut last = from;
    while let Some(next) = polygons.get(last + 1) {
        let poly = mesh.locate_node(polygons[last])?;
        if let Some(portal) = poly.only_portal_to(*next) {
            portals.push([portal.left, portal.right]);
            last += 1;
            continue;
        }
        let Some(found) = poly.link_to(*next) else {
            return Ok(Leg { last, link: None, is_broken: true });
        };
        if found.edge.is_none() {
            return Ok(Leg { last, link: Some(found), is_broken: false });
        }
        portals.push([found.left, found.right]);
        last += 1;
    }
    Ok(Leg { last, link: None, is_broken: false })
}

impl Poly<'_> {
    /// The portal to a neighbour, if there is exactly one, as is usual.
    #[inline]
    fn only_portal_to(&self, to: PolyRef) -> Option<&Portal> {
        let mut only = None;
        for portal in self.portals().iter().filter(|portal| portal.to == to) {
            if only.is_some() {
                return None;
            }
            only = Some(portal);
        }
        only
    }

    /// The position moved into the polygon; unchanged on an off-mesh link.
    pub(super) fn kept_on(&self, p: Vec3) -> Vec3 {
        if self.is_off_mesh() { p } else { self.kept_inside(p) }
    }
}
