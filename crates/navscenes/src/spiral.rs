//! A ramp that winds about an axis: floors above floors without an edge between them.

use crate::build::{Builder, rect};
use crate::{Scene, place, route};
use recast::{Level, Settings};
use std::f64::consts::TAU;

/// The spiral.
pub const SCENE: Scene = Scene {
    name: "spiral",
    description: "A ramp that winds twice and a quarter about an axis, 3 m up each turn, over level ground.",
    level: || spiral(2.25, 24),
    settings: Settings::default,
    places: &[place("ground", [8.0, 0.0, 0.0]), place("top", [0.3, 6.75, 4.5])],
    routes: &[route("ground", "top")],
};

/// Radii of the ramp's edges, metres.
const INNER: f64 = 3.0;
const OUTER: f64 = 6.0;
/// Rise of one turn and thickness of the ramp, metres.
const RISE: f64 = 3.0;
const THICKNESS: f64 = 0.3;

/// A ramp of `turns` turns, each of `segments` pieces, over a square of ground 18 m on a side about the axis.
pub fn spiral(turns: f64, segments: u32) -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(-9.0, -9.0, 9.0, 9.0), 0.0);
    let count = (turns * f64::from(segments)).round() as u32;
    let ring = |index: u32| {
        let turn = f64::from(index) / f64::from(segments);
        // The foot starts at x = radius, z = 0 and turns towards z.
        let (sin, cos) = (libm::sin(turn * TAU), libm::cos(turn * TAU));
        let y = turn * RISE;
        let at = |radius: f64, y: f64| [radius * cos, y, radius * sin];
        [at(INNER, y), at(OUTER, y), at(INNER, y - THICKNESS), at(OUTER, y - THICKNESS)]
    };
    for index in 0..count {
        let ([a, b, c, d], [e, f, g, h]) = (ring(index), ring(index + 1));
        builder.quad([a, e, f, b]).quad([c, d, h, g]).quad([b, f, h, d]).quad([a, c, g, e]);
    }
    let ([a, b, c, d], [e, f, g, h]) = (ring(0), ring(count));
    builder.quad([a, b, d, c]).quad([f, e, g, h]);
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_faces_outwards() {
        let level = spiral(2.0, 24);
        let mut volume = 0.0;
        for triangle in &level.triangles[2..] {
            let [a, b, c] = triangle.map(|v| level.vertices[v as usize]);
            volume += a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0]);
        }
        // Two rings of 27 pi square metres, a little less for their straight pieces, 0.3 m thick.
        let ring = std::f64::consts::PI * (OUTER * OUTER - INNER * INNER);
        let expected = 6.0 * 2.0 * ring * THICKNESS;
        assert!(volume > 0.97 * expected && volume < expected, "{volume} of {expected}");
    }
}
