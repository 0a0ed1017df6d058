//! A point on a polygon.

use crate::poly_ref::PolyRef;
use glam::Vec3;

/// A point on a polygon: what [`Query::nearest`](crate::Query::nearest) finds and searches start from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The polygon.
    pub polygon: PolyRef,
    /// The point, metres from the anchor. It should lie on the polygon; costs are measured from it.
    pub point: Vec3,
}
