//! A point on a polygon.

use crate::poly_ref::PolyRef;
use glam::Vec3;

/// A point on a polygon. [`Query::nearest`](crate::Query::nearest) finds one, and searches start from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The polygon.
    pub polygon: PolyRef,
    /// The point, metres from the anchor. It should be on the polygon; costs are measured from it.
    pub point: Vec3,
}
