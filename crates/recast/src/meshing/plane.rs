//! Distances in the plane and to triangles, in f32, as the reference computes them.

type P = [f32; 3];

fn dot(a: P, b: P) -> f32 {
    a[0] * b[0] + a[2] * b[2]
}

fn sub(a: P, b: P) -> P {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Distance seen from above.
pub(crate) fn distance(a: P, b: P) -> f32 {
    let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
    (dx * dx + dz * dz).sqrt()
}

/// Twice the signed area of a triangle seen from above.
pub(crate) fn cross(a: P, b: P, c: P) -> f32 {
    (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])
}

/// Centre and radius of the circle through three points seen from above; the first point and 0 if they lie on
/// a line.
pub(crate) fn circumcircle(a: P, b: P, c: P) -> (P, f32) {
    // Relative to the first point, which costs least precision.
    let (b, c) = (sub(b, a), sub(c, a));
    let zero = [0.0; 3];
    let twice_area = cross(zero, b, c);
    if twice_area.abs() <= 1e-6 {
        return (a, 0.0);
    }
    let (b2, c2) = (dot(b, b), dot(c, c));
    let centre = [
        (b2 * (c[2] - 0.0) + c2 * (0.0 - b[2])) / (2.0 * twice_area),
        0.0,
        (b2 * (0.0 - c[0]) + c2 * (b[0] - 0.0)) / (2.0 * twice_area),
    ];
    let radius = distance(centre, zero);
    ([centre[0] + a[0], centre[1] + a[1], centre[2] + a[2]], radius)
}

/// Squared distance of a point from a segment in space.
pub(crate) fn distance_squared_to_segment(point: P, a: P, b: P) -> f32 {
    let (ab, ap) = (sub(b, a), sub(point, a));
    let length = ab[0] * ab[0] + ab[1] * ab[1] + ab[2] * ab[2];
    let mut along = ab[0] * ap[0] + ab[1] * ap[1] + ab[2] * ap[2];
    if length > 0.0 {
        along /= length;
    }
    let along = along.clamp(0.0, 1.0);
    let d: P = std::array::from_fn(|axis| a[axis] + along * ab[axis] - point[axis]);
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
}

/// Squared distance of a point from a segment, seen from above.
fn flat_distance_squared_to_segment(point: P, a: P, b: P) -> f32 {
    let (ab, ap) = (sub(b, a), sub(point, a));
    let length = dot(ab, ab);
    let mut along = dot(ab, ap);
    if length > 0.0 {
        along /= length;
    }
    let along = along.clamp(0.0, 1.0);
    let (dx, dz) = (a[0] + along * ab[0] - point[0], a[2] + along * ab[2] - point[2]);
    dx * dx + dz * dz
}

/// Squared distance to the outline, negative inside. As in the reference the square is compared with lengths:
/// samples keep away from edges by its measure.
pub(crate) fn distance_to_outline(outline: &[P], point: P) -> f32 {
    let mut least = f32::MAX;
    let mut inside = false;
    for (index, &a) in outline.iter().enumerate() {
        let b = outline[if index > 0 { index - 1 } else { outline.len() - 1 }];
        let straddles = (a[2] > point[2]) != (b[2] > point[2]);
        if straddles && point[0] < (b[0] - a[0]) * (point[2] - a[2]) / (b[2] - a[2]) + a[0] {
            inside = !inside;
        }
        least = least.min(flat_distance_squared_to_segment(point, b, a));
    }
    if inside { -least } else { least }
}

/// The least width of a polygon seen from above: over all edges, the distance of the farthest corner.
pub(crate) fn least_extent(outline: &[P]) -> f32 {
    let count = outline.len();
    let mut least = f32::MAX;
    for edge in 0..count {
        let next = (edge + 1) % count;
        let others = (0..count).filter(|&corner| corner != edge && corner != next);
        let farthest = others
            .map(|corner| flat_distance_squared_to_segment(outline[corner], outline[edge], outline[next]))
            .fold(0.0, f32::max);
        least = least.min(farthest);
    }
    least.sqrt()
}

/// A triangle, prepared to be asked for heights.
pub(crate) struct Slope {
    a: P,
    ac: P,
    ab: P,
    d00: f32,
    d01: f32,
    d11: f32,
    scale: f32,
}

impl Slope {
    pub(crate) fn new([a, b, c]: [P; 3]) -> Slope {
        let (ac, ab) = (sub(c, a), sub(b, a));
        let (d00, d01, d11) = (dot(ac, ac), dot(ac, ab), dot(ab, ab));
        Slope { a, ac, ab, d00, d01, d11, scale: 1.0 / (d00 * d11 - d01 * d01) }
    }

    /// How far, in height, a point is from the triangle over or under it; `None` if it is neither.
    #[inline]
    pub(crate) fn height_error(&self, point: P) -> Option<f32> {
        let error = self.error_or(point, f32::INFINITY);
        (error != f32::INFINITY).then_some(error)
    }

    /// How far, in height, a point is from the triangle over or under it; `other` if it is neither. Branchless.
    #[inline]
    pub(crate) fn error_or(&self, point: P, other: f32) -> f32 {
        const TOLERANCE: f32 = 1e-4;
        let ap = sub(point, self.a);
        let (d02, d12) = (dot(self.ac, ap), dot(self.ab, ap));
        let u = (self.d11 * d02 - self.d01 * d12) * self.scale;
        let v = (self.d00 * d12 - self.d01 * d02) * self.scale;
        let inside = (u >= -TOLERANCE) & (v >= -TOLERANCE) & (u + v <= 1.0 + TOLERANCE);
        let error = (self.a[1] + self.ac[1] * u + self.ab[1] * v - point[1]).abs();
        if inside { error } else { other }
    }
}
