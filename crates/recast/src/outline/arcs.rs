//! Replaces arcs around corners of walls by a few chords outside of the arcs.
//!
//! ```text
//!        T1 ___________         Around a corner of a wall, the places at the radius from it are an arc. Its
//!          /   .- -.   \        tangents are farther from the wall than the radius, and nearer than that
//!      a0 /  /       \  \ a1    by no more than `SPARE`. One between the two straight sides is enough for a
//!        | |    P--    | |      right angle.
//! ```

use super::vector::{Plan, cross, dot};

/// The largest distance of a chord outside of its arc, as a share of the radius: as much as one chord
/// needs in a right angle, which is 0.0824.
pub(super) const SPARE: f64 = 0.083;

/// An end of an arc.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArcEnd {
    /// The direction from the middle of the arc.
    pub(super) normal: Plan,
    /// True if the outline continues in a tangent there; false if another outline crosses the arc.
    pub(super) tangent: bool,
}

/// The direction of a tangent from the middle of its arc.
#[derive(Clone, Copy, Debug)]
pub(super) struct TangentDirection {
    pub(super) normal: Plan,
    /// True if the outline must have the tangent.
    pub(super) fixed: bool,
}

impl TangentDirection {
    pub(super) fn fixed(normal: Plan) -> TangentDirection {
        TangentDirection { normal, fixed: true }
    }
}

/// The angle from one direction to another, with x turned towards z, from 0 to a whole turn. An angle that
/// rounding makes a little smaller than 0 is 0.
pub(super) fn turn(from: Plan, to: Plan) -> f64 {
    let angle = libm::atan2(cross(from, to), dot(from, to));
    match angle {
        angle if angle >= 0.0 => angle,
        angle if angle > -0.75 => 0.0,
        angle => angle + 2.0 * std::f64::consts::PI,
    }
}

/// A direction turned by an angle.
pub(super) fn turned([x, z]: Plan, angle: f64) -> Plan {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    [x * cos - z * sin, x * sin + z * cos]
}

/// Appends the directions of the tangents between the ends of an arc that turns by `angle`: as few as keep
/// all of them within [`SPARE`] outside of the arc.
pub(super) fn tangents(ends: [ArcEnd; 2], angle: f64, directions: &mut Vec<TangentDirection>) {
    // Two tangents at this angle meet at the greatest distance allowed.
    let widest = 2.0 * libm::acos(1.0 / (1.0 + SPARE));
    // An end that another outline crosses is on the arc: the next tangent is half as far.
    let missing: f64 = ends.iter().map(|end| if end.tangent { 0.0 } else { 0.5 }).sum();
    // With n tangents the arc is n + 1 steps long, less the missing halves.
    let count = (angle / widest - 1.0 + missing).ceil().max(0.0);
    let steps = count + 1.0 - missing;
    if count == 0.0 {
        return;
    }
    let step = angle / steps;
    let first = if ends[0].tangent { step } else { 0.5 * step };
    for index in 0..count as usize {
        let normal = turned(ends[0].normal, first + step * index as f64);
        directions.push(TangentDirection { normal, fixed: false });
    }
}
