//! The points where a search enters and leaves an off-mesh link.

use crate::mesh::{LinkEdges, NavMesh, Poly, Portal, exit_point};
use glam::Vec3;

/// For a path from a point to a goal that is straight except for an off-mesh link: the point where it enters
/// the link. If the path is on the link, which it entered at the given point: the point where it leaves it.
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
