//! Points and vectors in the plane, as seen from above. Computed by operations that are equal on every
//! platform.

/// A point or a vector: x, z.
pub(super) type Plan = [f64; 2];

pub(super) fn sub(a: Plan, b: Plan) -> Plan {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn add(a: Plan, b: Plan) -> Plan {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn scale(a: Plan, by: f64) -> Plan {
    [a[0] * by, a[1] * by]
}

pub(super) fn dot(a: Plan, b: Plan) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn cross(a: Plan, b: Plan) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(super) fn length(a: Plan) -> f64 {
    dot(a, a).sqrt()
}

/// The vector of length 1 in the same direction; `None` for a vector without one.
pub(super) fn unit(a: Plan) -> Option<Plan> {
    let length = length(a);
    (length > 0.0).then(|| [a[0] / length, a[1] / length])
}

/// A quarter turn from x to z.
pub(super) fn quarter(a: Plan) -> Plan {
    [-a[1], a[0]]
}
