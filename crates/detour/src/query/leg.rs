//! Legs of a corridor: the polygons between off-mesh links, and the portals between them.

use crate::error::QueryError;
use crate::mesh::{Link, NavMesh, Poly, Portal};
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// The polygons of a corridor up to an off-mesh link or the end; or a link alone.
pub(super) struct Leg {
    /// Index of the last of them.
    pub(super) last: usize,
    /// The link onto the off-mesh link after them, or off it.
    pub(super) link: Option<Link>,
    /// True if the mesh has no link to the polygon after them.
    pub(super) is_broken: bool,
}

/// The connection from a polygon or an off-mesh link to the next node.
pub(super) enum Way {
    /// Through a portal: its left and its right end.
    Portal([Vec3; 2]),
    /// Onto an off-mesh link, or off it.
    Link(Link),
    /// There is no connection in the mesh.
    None,
}

/// The connection from a polygon or an off-mesh link to the next node of its corridor.
#[inline]
pub(super) fn way_on(poly: &Poly<'_>, next: PolyRef) -> Way {
    if let Some(portal) = poly.only_portal_to(next) {
        return Way::Portal([portal.left, portal.right]);
    }
    match poly.link_to(next) {
        Some(found) if found.edge.is_some() => Way::Portal([found.left, found.right]),
        Some(found) => Way::Link(found),
        None => Way::None,
    }
}

/// Returns true if the mesh has all nodes of a corridor, and all of them are polygons.
pub(super) fn is_one_leg(mesh: &NavMesh, polygons: &[PolyRef]) -> bool {
    // Most polygons are in the same tile as the polygon before.
    let mut before: Option<Poly<'_>> = None;
    polygons.iter().all(|polygon| {
        before = mesh.locate_after(before, *polygon).ok();
        before.is_some_and(|poly| !poly.is_off_mesh())
    })
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
        match way_on(&mesh.locate_node(polygons[last])?, *next) {
            Way::Portal(ends) => portals.push(ends),
            Way::Link(link) => return Ok(Leg { last, link: Some(link), is_broken: false }),
            Way::None => return Ok(Leg { last, link: None, is_broken: true }),
        }
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
