//! The polygon nearest to a position.
//!
//! Cost: a box search of the BV trees, then the closest point on every polygon met.
//! Semantics: those of M. Mononen's Detour (`findNearestPoly`), with three differences. The point found is
//! within the search box, and ground in the box is always found (Detour's point may be outside, as far as the
//! bounds of the polygon reach). The box is compared with surfaces, not with quantised bounds, so that the
//! result does not depend on tiling. And ties have an order.

use super::Query;
use super::box_search::polygons_in_box;
use super::closest::ClosestPoint;
use super::surface_point::BoxClip;
use crate::error::{NothingNear, QueryError, check_half_extents, check_position};
use crate::filter::CostModel;
use crate::mesh::{NavMesh, Poly};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::FIXED_ONE;
use navmath::order::TotalF32;

/// A polygon near a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The polygon.
    pub polygon: PolyRef,
    /// The point of its surface, chosen as [`Query::nearest`] describes.
    pub point: Vec3,
    /// True if that point is straight below or above the position.
    pub over_polygon: bool,
    /// Distance of the point from the position, metres.
    pub distance: f32,
    /// Distance as seen from above, metres.
    pub horizontal_distance: f32,
}

impl Nearest {
    /// The polygon and the point, as the argument of a search.
    pub fn place(&self) -> Place {
        Place { polygon: self.polygon, point: self.point }
    }
}

impl Query {
    /// The polygon nearest to `position` that passes the filter and reaches into the box of `half_extents`
    /// around it (metres, positive on every axis; the mesh's resolution of 1/256 cell is allowed on top).
    ///
    /// One point represents each polygon, the first of these points that is in the box:
    ///
    /// 1. the point straight below or above the position. Only its height beyond the tile's climb counts as
    ///    distance, so that a step, or a position slightly below the ground, does not lose against a ledge to
    ///    the side;
    /// 2. for a position outside the polygon, the point of its outline that is closest as seen from above.
    ///    Its distance in space counts, as it does for point 3;
    /// 3. the point of its surface in the box that is closest in space.
    ///
    /// So ground in the box is always found. The polygon whose point has the smallest counted distance wins.
    /// Among equals the closer point in space wins, then the smaller reference.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// use detour::{Filter, Query, Vec3};
    ///
    /// let (mut query, filter) = (Query::new(), Filter::default());
    /// let found = query.nearest(&mesh, Vec3::new(2.0, 0.5, 2.0), Vec3::new(1.0, 2.0, 1.0), &filter)?;
    /// assert!(found.over_polygon && found.point.x == 2.0);
    ///
    /// let error = query.nearest(&mesh, Vec3::new(999.0, 0.0, 0.0), Vec3::ONE, &filter).unwrap_err();
    /// assert!(error.to_string().contains("nothing walkable there"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest(
        &mut self,
        mesh: &NavMesh,
        position: Vec3,
        half_extents: Vec3,
        filter: &impl CostModel,
    ) -> Result<Nearest, QueryError> {
        check_position("nearest", position)?;
        check_half_extents(half_extents)?;
        let slack = mesh.lattice().map_or(Vec3::ZERO, |lattice| {
            Vec3::from_array(lattice.cell().map(|cell| (cell / f64::from(FIXED_ONE)) as f32))
        });
        let reach = half_extents + slack;
        let mut best: Option<(Rank, Nearest)> = None;
        let (mut met, mut excluded) = (0u32, 0u32);
        let Query { stack, clip, .. } = self;
        polygons_in_box(mesh, stack, position - reach, position + reach, |poly| {
            met += 1;
            if !filter.passes(&poly.attributes()) {
                excluded += 1;
                return;
            }
            // Distances are compared in f32.
            let limit = best.as_ref().map_or(f64::INFINITY, |(known, _)| {
                f64::from(known.0.0) * (1.0 + 8.0 * f64::from(f32::EPSILON))
            });
            let Some(is_over) = poly.is_over_or_near(position, reach, limit) else { return };
            let Some((rank, nearest)) = candidate(&poly, position, reach, is_over, limit, clip) else {
                return;
            };
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, nearest));
            }
        });
        best.map(|(_, nearest)| nearest).ok_or_else(|| {
            let reason = match (mesh.tile_count(), met) {
                (0, _) => NothingNear::EmptyMesh,
                (_, met) if met > 0 && met == excluded => NothingNear::AllExcluded(met),
                _ => NothingNear::OutsideMesh,
            };
            QueryError::NothingNear { at: position, half_extents, reason }
        })
    }
}

/// Squared counted distance, squared distance, reference.
type Rank = (TotalF32, TotalF32, PolyRef);

/// The point that represents a polygon, with its rank; `None` if the polygon does not reach into the box, or
/// if its ground there is farther than a limit, given squared, so that another polygon wins.
fn candidate(
    poly: &Poly<'_>,
    position: Vec3,
    reach: Vec3,
    is_over: bool,
    limit: f64,
    clip: &mut BoxClip,
) -> Option<(Rank, Nearest)> {
    let mut closest = poly.closest_where(position, is_over);
    if !(closest.point - position).abs().cmple(reach).all() {
        let point = poly.closest_in_box(position, reach, limit, clip)?;
        closest = ClosestPoint { point, over_polygon: false };
    }
    let away = closest.point - position;
    let distance_squared = away.length_squared();
    let counted = if closest.over_polygon {
        let beyond_climb = (away.y.abs() - poly.tile.surface.climb).max(0.0);
        beyond_climb * beyond_climb
    } else {
        distance_squared
    };
    let nearest = Nearest {
        polygon: poly.reference,
        point: closest.point,
        over_polygon: closest.over_polygon,
        distance: distance_squared.sqrt(),
        horizontal_distance: if closest.over_polygon { 0.0 } else { away.with_y(0.0).length() },
    };
    Some(((TotalF32(counted), TotalF32(distance_squared), poly.reference), nearest))
}
