//! The length of a path over the ground: from above, between the points of its string in space, and over the
//! surface.

use super::RuntimeError;
use super::asker::Asker;
use detour::{CornerKind, Crossings, Place, PolyRef, Vec3};

/// Distance between the heights that are sampled along a path, metres.
const STEP: f32 = 0.05;

/// The length of a path's string, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroundLength {
    /// As seen from above.
    pub flat: f64,
    /// Between the string's corners, in space.
    pub corners: f64,
    /// Over the surface.
    pub surface: f64,
}

impl GroundLength {
    /// The lengths, each with its name.
    pub fn named(&self) -> [(&'static str, f64); 3] {
        [("from above", self.flat), ("corners in space", self.corners), ("over the surface", self.surface)]
    }
}

/// The lengths of the string through a row of polygons; `None` if our mesh has no link between two of them.
pub fn over_ground(
    asker: &mut Asker<'_>,
    polygons: &[PolyRef],
    [start, goal]: [Place; 2],
) -> Result<Option<GroundLength>, RuntimeError> {
    let mesh = &asker.pair.ours;
    asker.ours.straight_path(mesh, start.point, goal.point, polygons, Crossings::All, &mut asker.straight)?;
    if asker.straight.broken_at.is_some() {
        return Ok(None);
    }
    let mut length = GroundLength::default();
    let mut corner: Option<Vec3> = None;
    let mut before: Option<(Vec3, PolyRef)> = None;
    for point in &asker.straight.corners {
        let at = lifted(asker, point.polygon, point.point)?;
        if let Some((from, polygon)) = before {
            length.flat += f64::from(from.with_y(0.0).distance(at.with_y(0.0)));
            length.surface += surface(asker, polygon, from, at)?;
        }
        if point.kind != CornerKind::Crossing {
            length.corners += corner.map_or(0.0, |corner| f64::from(corner.distance(at)));
            corner = Some(at);
        }
        before = Some((at, point.polygon));
    }
    Ok(Some(length))
}

/// The point on the surface of its polygon.
fn lifted(asker: &Asker<'_>, polygon: PolyRef, point: Vec3) -> Result<Vec3, RuntimeError> {
    // A point on an edge may be outside the polygon by rounding.
    Ok(point.with_y(asker.pair.ours.closest_point(polygon, point)?.point.y))
}

/// The length over a polygon's surface between two points of it.
fn surface(asker: &Asker<'_>, polygon: PolyRef, from: Vec3, to: Vec3) -> Result<f64, RuntimeError> {
    let steps = (from.distance(to) / STEP).ceil().max(1.0) as u32;
    let (mut sum, mut last) = (0.0, from);
    for step in 1..=steps {
        let at = from.lerp(to, step as f32 / steps as f32);
        let at = if step < steps { lifted(asker, polygon, at)? } else { to };
        sum += f64::from(last.distance(at));
        last = at;
    }
    Ok(sum)
}
