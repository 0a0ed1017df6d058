//! Keeps the ground away from its walls by the agent's radius.
//!
//! The places within the radius of a wall are a strip along each edge, and a sector around each corner that
//! sticks out into the ground: the nearest point of the wall is either inside an edge, square to it, or such
//! a corner. Strips and sectors are removed from the ground. A sector's arc is a chain of tangents, so the
//! ground is never nearer than the radius, and farther by at most the join error. Strips' corners and all
//! crossings are put on the grid: together this moves the ground's edge by less than four spacings.

use crate::boolean::{HoledPolygon, Ring};
use crate::exact::{polygon_area2, turn};
use crate::grid::Point;
use std::collections::BTreeMap;

/// The agent's radius and the largest excess of it around corners, in spacings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundJoin {
    pub(crate) radius: f64,
    pub(crate) error: f64,
}

/// The strips and sectors along the walls of the ground, counter-clockwise.
pub(crate) fn sweep(polygons: &[HoledPolygon], join: RoundJoin) -> Vec<Ring> {
    let mut passes: BTreeMap<Point, u32> = BTreeMap::new();
    for point in polygons.iter().flatten().flatten() {
        *passes.entry(*point).or_default() += 1;
    }
    let mut swept = Vec::new();
    let mut add = |ring: Ring| {
        if polygon_area2(ring.iter().copied()) > 0 {
            swept.push(ring);
        }
    };
    for ring in polygons.iter().flatten() {
        let count = ring.len();
        for at in 0..count {
            let (before, here, after) = (ring[(at + count - 1) % count], ring[at], ring[(at + 1) % count]);
            let [arriving, leaving] = [normal(before, here), normal(here, after)];
            let end = |from: Point, normal: [f64; 2]| moved(from, normal, join.radius);
            add(vec![here, after, end(after, leaving), end(here, leaving)]);
            if passes.get(&here).is_some_and(|&passes| passes > 1) {
                // If rings touch, a single ring does not determine the sector at a corner.
                add(sector(here, [1.0, 0.0], std::f64::consts::TAU, join));
            } else if turn(before, here, after) < 0 {
                let dot = arriving[0] * leaving[0] + arriving[1] * leaving[1];
                let cross = arriving[0] * leaving[1] - arriving[1] * leaving[0];
                // From the later strip back to the earlier one is counter-clockwise.
                let mut ring = sector(here, leaving, libm::atan2(-cross, dot), join);
                ring.push(end(here, arriving));
                ring.push(here);
                add(ring);
            }
        }
    }
    swept
}

/// The unit normal to the left of an edge.
fn normal(a: Point, b: Point) -> [f64; 2] {
    let [x, y] = [0, 1].map(|axis| f64::from(b[axis]) - f64::from(a[axis]));
    let length = (x * x + y * y).sqrt();
    [-y / length, x / length]
}

fn moved(from: Point, direction: [f64; 2], by: f64) -> Point {
    [0, 1].map(|axis| (f64::from(from[axis]) + direction[axis] * by).round() as i32)
}

/// Points of a chain of tangents around `centre`, counter-clockwise: the start of the arc, then the
/// intersection of each tangent with the next.
fn sector(centre: Point, from: [f64; 2], angle: f64, join: RoundJoin) -> Ring {
    let largest = 2.0 * libm::acos(join.radius / (join.radius + join.error));
    let steps = (angle / largest).ceil().clamp(1.0, 1024.0);
    // With a step near half a turn, the chain would reach far out; a quarter turn needs at least two steps.
    let steps = steps.max((angle / 1.0).ceil());
    let step = angle / steps;
    let reach = join.radius / libm::cos(step / 2.0);
    let mut ring = Vec::with_capacity(steps as usize + 3);
    if angle < std::f64::consts::TAU {
        ring.push(moved(centre, from, join.radius));
    }
    for at in 0..steps as u32 {
        let (sine, cosine) = libm::sincos((f64::from(at) + 0.5) * step);
        let direction = [from[0] * cosine - from[1] * sine, from[0] * sine + from[1] * cosine];
        ring.push(moved(centre, direction, reach));
    }
    ring
}
