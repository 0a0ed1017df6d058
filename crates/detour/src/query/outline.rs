//! A polygon's outline cut into walls and openings, as a filter sees them.
//!
//! An edge between two polygons of a tile is one piece. At a seam an edge is cut where the polygons beyond begin
//! and end, at the very points that the links across the seam have, so that walls and openings meet exactly.
//! Cost: linear in edges and links; those of one edge are sorted.
//! Semantics: those of M. Mononen's Detour (`getPolyWallSegments`), without its limit of 14 links an edge and
//! its steps of 1/255 edge.

use super::Query;
use super::rules::{Asked, Rules};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::flat;
use crate::mesh::{Beyond, Located, NavMesh};
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::ops::ControlFlow;

/// A piece of a polygon's outline, with the polygon to its left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutlineSegment {
    /// The edge it is a piece of.
    pub edge: u8,
    /// Where it starts, metres from the anchor.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
    /// The polygon beyond; `None` for a wall.
    pub beyond: Option<PolyRef>,
}

/// An opening of an edge, and where along the edge it is.
#[derive(Clone, Copy, Debug)]
struct Opening {
    start: f64,
    end: f64,
    to: PolyRef,
    right: Vec3,
    left: Vec3,
}

/// What cutting edges works on.
#[derive(Debug, Default)]
pub(super) struct OutlineScratch {
    openings: Vec<Opening>,
    pieces: Vec<OutlineSegment>,
}

/// Where along the edge `ab`, 0 to 1, a point of it lies. Exact at the ends; not a number without length.
fn along(a: Vec3, b: Vec3, p: Vec3) -> f64 {
    let (a, b, p) = (flat(a), flat(b), flat(p));
    let whole = b - a;
    if whole.x.abs() >= whole.y.abs() { (p.x - a.x) / whole.x } else { (p.y - a.y) / whole.y }
}

/// Whether two points are one as seen from above.
#[inline]
fn is_above(a: Vec3, b: Vec3) -> bool {
    a.x == b.x && a.z == b.z
}

impl Located<'_> {
    /// Calls `visit` for every piece of the outline, edge by edge and along each edge, until it breaks. Openings
    /// of one edge overlap where floors beyond a seam lie above one another. Pieces without length are left out.
    #[inline(always)]
    pub(super) fn visit_outline(
        &self,
        mesh: &NavMesh,
        rules: &impl Rules,
        scratch: &mut OutlineScratch,
        mut visit: impl FnMut(OutlineSegment) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (number, (edge, a, b)) in self.occupied.entry.edges(self.index()).enumerate() {
            if is_above(a, b) {
                continue;
            }
            let number = number as u8;
            let mut further: &[OutlineSegment] = &[];
            let (mut from, mut to) = (a, b);
            let mut beyond = match edge.beyond() {
                Beyond::Wall => None,
                Beyond::Polygon(polygon) => {
                    let beyond = self.reference.beside(polygon);
                    rules.enter(mesh, self, beyond).map(|_| beyond)
                }
                Beyond::Portal { portal, side } => {
                    match self.seam_links(portal, side) {
                        // Mostly, one polygon lies beyond all of it.
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
            // One place for all pieces, so that what visits them becomes part of the loop.
            loop {
                visit(OutlineSegment { edge: number, from, to, beyond })?;
                let Some((next, rest)) = further.split_first() else { break };
                further = rest;
                (from, to, beyond) = (next.from, next.to, next.beyond);
            }
        }
        ControlFlow::Continue(())
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
        let OutlineScratch { openings, pieces } = scratch;
        let OutlineSegment { from: a, to: b, .. } = whole;
        pieces.clear();
        openings.clear();
        for link in self.seam_links(portal, side) {
            let (start, end) = (along(a, b, link.right), along(a, b, link.left));
            if start < end && rules.enter(mesh, self, link.to).is_some() {
                openings.push(Opening { start, end, to: link.to, right: link.right, left: link.left });
            }
        }
        if openings.len() > 1 {
            openings.sort_unstable_by(|x, y| {
                x.start.total_cmp(&y.start).then(x.end.total_cmp(&y.end)).then(x.to.cmp(&y.to))
            });
        }
        let (mut reached, mut from) = (0.0, a);
        for Opening { start, end, to, right, left } in openings.iter().copied() {
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
    /// Calls `visit` for every piece of a polygon's outline, walls and openings, edge by edge. A polygon that the
    /// filter keeps out has a wall before it.
    pub fn outline(
        &mut self,
        mesh: &NavMesh,
        polygon: PolyRef,
        filter: &impl CostModel,
        mut visit: impl FnMut(OutlineSegment),
    ) -> Result<(), QueryError> {
        let rules = Asked(filter);
        let flow = mesh.locate(polygon)?.visit_outline(mesh, &rules, &mut self.outline, |segment| {
            visit(segment);
            ControlFlow::Continue(())
        });
        debug_assert!(flow.is_continue());
        Ok(())
    }

    /// As [`Query::outline`], but the walls only.
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
