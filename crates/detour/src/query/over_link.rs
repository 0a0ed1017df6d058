//! Where a search enters an off-mesh link and leaves it.

use crate::mesh::{LinkEdges, NavMesh, Poly, Portal, exit_point};
use glam::Vec3;

/// Where a way from a point to a goal, straight but for the link, enters an off-mesh link; or where it leaves the link that it
/// entered at that point.
#[cold]
#[inline(never)]
pub(super) fn over_link(mesh: &NavMesh, poly: &Poly<'_>, portal: &Portal, [from, goal]: [Vec3; 2]) -> Vec3 {
    let edge = [portal.left, portal.right];
    if edge[0] == edge[1] {
        return edge[0];
    }
    if poly.is_off_mesh() {
        return exit_point(poly, edge, from);
    }
    let edges = poly.follow(mesh, portal.to).ok().and_then(|link| LinkEdges::entering(&link, edge));
    edges.map_or(portal.left, |edges| edges.entry_at(edges.shortest(from, goal)))
}
