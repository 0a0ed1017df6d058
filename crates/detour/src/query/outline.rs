//! A polygon's outline cut into walls and portals, as a filter sees them.
//!
//! An edge between two polygons of a tile is one piece. At a seam an edge is cut at the points where the
//! polygons beyond begin and end. These are the exact points of the links across the seam, so that walls and
//! portals meet exactly.
//! Cost: linear in edges and links; the links of one edge are sorted.
//! Semantics: those of M. Mononen's Detour (`getPolyWallSegments`), without its limit of 14 links per edge
//! and its steps of 1/255 edge.

use super::Query;
use super::rules::{FilterRules, Rules};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::flat;
use crate::mesh::{EdgeKind, NavMesh, Poly, SeamLink};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::sort::SharedSort;

/// A piece of a polygon's outline, with the polygon to its left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutlineSegment {
    /// The edge that the piece belongs to.
    pub edge: u8,
    /// Start of the piece, metres from the anchor.
    pub from: Vec3,
    /// End of the piece.
    pub to: Vec3,
    /// The polygon beyond; `None` for a wall.
    pub beyond: Option<PolyRef>,
}

/// A link over an edge, and its interval along the edge.
type EdgePortal = (f64, f64, SeamLink);

/// Scratch memory for cutting edges.
#[derive(Debug, Default)]
pub(super) struct OutlineScratch {
    portals: Vec<EdgePortal>,
    pieces: Vec<OutlineSegment>,
}

/// The parameter, 0 to 1, of a point of edge `ab`. Exact at the ends; NaN if the edge has no length.
fn along(a: Vec3, b: Vec3, p: Vec3) -> f64 {
    let (a, b, p) = (flat(a), flat(b), flat(p));
    let whole = b - a;
    if whole.x.abs() >= whole.y.abs() { (p.x - a.x) / whole.x } else { (p.y - a.y) / whole.y }
}

/// Returns true if two points coincide as seen from above.
#[inline]
fn is_above(a: Vec3, b: Vec3) -> bool {
    a.x == b.x && a.z == b.z
}

impl Poly<'_> {
    /// Calls `visit` for every piece of the outline, edge by edge and along each edge. Portals of one edge
    /// overlap if floors beyond a seam are above one another. Pieces without length are left out.
    #[inline(always)]
    pub(super) fn visit_outline(
        &self,
        mesh: &NavMesh,
        rules: &impl Rules,
        scratch: &mut OutlineScratch,
        mut visit: impl FnMut(OutlineSegment),
    ) {
        for (number, (edge, a, b)) in self.tile.surface.edges(self.index()).enumerate() {
            if is_above(a, b) {
                continue;
            }
            let number = number as u8;
            let mut further: &[OutlineSegment] = &[];
            let (mut from, mut to) = (a, b);
            let mut beyond = match edge.edge_kind() {
                EdgeKind::Wall => None,
                EdgeKind::Internal(polygon) => {
                    let beyond = self.reference.with_index(polygon);
                    rules.enter(mesh, self, beyond).map(|_| beyond)
                }
                EdgeKind::Seam { portal, side } => {
                    match self.seam_links(portal, side) {
                        // Usually one polygon is beyond the whole edge.
                        [link] if is_above(link.right, a) && is_above(link.left, b) => {
                            if rules.enter(mesh, self, link.to).is_some() {
                                (from, to) = (link.right, link.left);
                                Some(link.to)
                            } else {
                                None
                            }
                        }
                        _ => {
                            let whole = OutlineSegment { edge: number, from, to, beyond: None };
                            self.cut(mesh, rules, scratch, whole, portal, side);
                            let Some((first, rest)) = scratch.pieces.split_first() else { continue };
                            further = rest;
                            (from, to) = (first.from, first.to);
                            first.beyond
                        }
                    }
                }
            };
            // One call for all pieces, so that `visit` is inlined into the loop.
            loop {
                visit(OutlineSegment { edge: number, from, to, beyond });
                let Some((next, rest)) = further.split_first() else { break };
                further = rest;
                (from, to, beyond) = (next.from, next.to, next.beyond);
            }
        }
    }

    /// Cuts an edge at a seam into pieces.
    #[inline(never)]
    fn cut(
        &self,
        mesh: &NavMesh,
        rules: &impl Rules,
        scratch: &mut OutlineScratch,
        whole: OutlineSegment,
        portal: u32,
        side: u8,
    ) {
        let OutlineScratch { portals, pieces } = scratch;
        let OutlineSegment { from: a, to: b, .. } = whole;
        pieces.clear();
        portals.clear();
        for link in self.seam_links(portal, side) {
            let (start, end) = (along(a, b, link.right), along(a, b, link.left));
            if start < end && rules.enter(mesh, self, link.to).is_some() {
                portals.push((start, end, *link));
            }
        }
        if portals.len() > 1 {
            portals.shared_sort_by(|x, y| {
                x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)).then(x.2.to.cmp(&y.2.to))
            });
        }
        let (mut reached, mut from) = (0.0, a);
        for (start, end, SeamLink { to, right, left, .. }) in portals.iter().copied() {
            if start > reached {
                pieces.push(OutlineSegment { from, to: right, ..whole });
            }
            pieces.push(OutlineSegment { from: right, to: left, beyond: Some(to), ..whole });
            if end > reached {
                (reached, from) = (end, left);
            }
        }
        if reached < 1.0 && !is_above(from, b) {
            pieces.push(OutlineSegment { from, to: b, ..whole });
        }
    }
}

impl Query {
    /// Calls `visit` for every piece of a polygon's outline, walls and portals, edge by edge. An edge to a
    /// polygon that the filter excludes is a wall.
    pub fn outline(
        &mut self,
        mesh: &NavMesh,
        polygon: PolyRef,
        filter: &impl CostModel,
        visit: impl FnMut(OutlineSegment),
    ) -> Result<(), QueryError> {
        mesh.locate(polygon)?.visit_outline(mesh, &FilterRules(filter), &mut self.outline, visit);
        Ok(())
    }

    /// Calls `visit` for every wall of [`Query::outline`].
    pub fn wall_segments(
        &mut self,
        mesh: &NavMesh,
        polygon: PolyRef,
        filter: &impl CostModel,
        mut visit: impl FnMut(OutlineSegment),
    ) -> Result<(), QueryError> {
        self.outline(mesh, polygon, filter, |segment| {
            if segment.beyond.is_none() {
                visit(segment);
            }
        })
    }
}
