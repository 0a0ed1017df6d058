//! A polygon's outline cut into walls and openings, as a filter sees them.
//!
//! An edge between two polygons of a tile is one piece. At a seam an edge is cut where the polygons beyond begin
//! and end, at the very points that the links across the seam have, so that walls and openings meet exactly.
//! Cost: linear in edges and links; those of one edge are sorted.
//! Semantics: those of M. Mononen's Detour (`getPolyWallSegments`), without its limit of 14 links an edge and
//! its steps of 1/255 edge.

use super::Query;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::flat;
use crate::mesh::{Beyond, Link, Located, NavMesh};
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
pub(super) struct Opening {
    start: f64,
    end: f64,
    link: Link,
}

/// Where along the edge `ab`, 0 to 1, a point of it lies. Exact at the ends; not a number without length.
fn along(a: Vec3, b: Vec3, p: Vec3) -> f64 {
    let (a, b, p) = (flat(a), flat(b), flat(p));
    let whole = b - a;
    if whole.x.abs() >= whole.y.abs() { (p.x - a.x) / whole.x } else { (p.y - a.y) / whole.y }
}

impl Located<'_> {
    /// Calls `visit` for every piece of the outline, edge by edge and along each edge, until it breaks. Openings
    /// of one edge overlap where floors beyond a seam lie above one another. Pieces without length are left out.
    pub(super) fn visit_outline(
        &self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        openings: &mut Vec<Opening>,
        mut visit: impl FnMut(OutlineSegment) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let entry = &self.occupied.entry;
        for (number, (edge, a, b)) in entry.edges(self.index()).enumerate() {
            let number = number as u8;
            match edge.beyond() {
                Beyond::Portal { .. } => {}
                Beyond::Polygon(beyond) if flat(a) != flat(b) => {
                    let beyond = Some(self.reference.beside(beyond))
                        .filter(|beyond| filter.passes(&self.beside(*beyond).attributes()));
                    visit(OutlineSegment { edge: number, from: a, to: b, beyond })?;
                    continue;
                }
                Beyond::Wall if flat(a) != flat(b) => {
                    visit(OutlineSegment { edge: number, from: a, to: b, beyond: None })?;
                    continue;
                }
                _ => continue,
            }
            openings.clear();
            let flow = self.visit_links_over(number, edge, a, b, |link| {
                let (start, end) = (along(a, b, link.right), along(a, b, link.left));
                if start < end && self.enterable(mesh, &link, filter).is_some() {
                    openings.push(Opening { start, end, link });
                }
                ControlFlow::Continue(())
            });
            debug_assert!(flow.is_continue());
            if openings.len() > 1 {
                openings.sort_unstable_by(|x, y| {
                    x.start.total_cmp(&y.start).then(x.end.total_cmp(&y.end)).then(x.link.to.cmp(&y.link.to))
                });
            }
            let (mut reached, mut from) = (0.0, a);
            for Opening { start, end, link } in openings.iter() {
                if *start > reached {
                    visit(OutlineSegment { edge: number, from, to: link.right, beyond: None })?;
                }
                let (right, left) = (link.right, link.left);
                visit(OutlineSegment { edge: number, from: right, to: left, beyond: Some(link.to) })?;
                if *end > reached {
                    (reached, from) = (*end, left);
                }
            }
            if reached < 1.0 && flat(from) != flat(b) {
                visit(OutlineSegment { edge: number, from, to: b, beyond: None })?;
            }
        }
        ControlFlow::Continue(())
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
        let flow = mesh.locate(polygon)?.visit_outline(mesh, filter, &mut self.openings, |segment| {
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
