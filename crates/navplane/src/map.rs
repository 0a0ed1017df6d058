//! A map, in the form that users give it.

use navtile::AreaId;

/// A polygon of a map: the ground that its outline winds around, without the ground that any of its holes
/// winds around. Rings may run in either direction and may cross themselves and each other. The first point
/// may be repeated at the end, but need not be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    /// Points in map units: x to the right, y upwards.
    pub outline: Vec<[f64; 2]>,
    /// Holes. They may contain other polygons, to any depth.
    pub holes: Vec<Vec<[f64; 2]>>,
}

impl Polygon {
    /// Outline, then holes.
    pub(crate) fn rings(&self) -> impl Iterator<Item = &[[f64; 2]]> {
        std::iter::once(self.outline.as_slice()).chain(self.holes.iter().map(Vec::as_slice))
    }
}

/// A polygon whose ground has another area.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaPolygon {
    /// The polygon.
    pub polygon: Polygon,
    /// The area of the ground within. [`AreaId::NULL`] removes the ground; the agent does not keep its radius
    /// from there.
    pub area: AreaId,
}

/// A map: polygons in the plane. One unit is a metre.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The ground is the union of these. Their order does not matter.
    pub outlines: Vec<Polygon>,
    /// The union of these is removed from the ground. Their order does not matter.
    pub obstacles: Vec<Polygon>,
    /// Areas; if they overlap, the last one counts.
    pub areas: Vec<AreaPolygon>,
}
