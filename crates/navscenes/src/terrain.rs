//! Rolling terrain of sine waves. Heights come from libm, so that every platform gets the same level.

use crate::build::Builder;
use crate::{Scene, place, route};
use recast::{Level, Settings};

/// Rolling terrain, 63 m on a side.
pub const SCENE: Scene = Scene {
    name: "terrain",
    description: "Rolling terrain of sine waves, 63 m on a side, about 8,000 triangles, with flanks too steep \
                  to walk on: many small triangles, curved outlines, heights everywhere.",
    level: || sine_terrain(63.0, 8_000),
    settings: Settings::default,
    places: &[
        place("west", [3.0, 2.5, 30.0]),
        place("east", [60.0, 1.25, 30.0]),
        place("south_west", [3.0, 1.7, 3.0]),
        place("north_east", [60.0, -1.3, 60.0]),
    ],
    routes: &[route("west", "east"), route("south_west", "north_east")],
};

/// Waves: metres from crest to crest along x and z (0 for none), height in metres, phase in radians.
const WAVES: [[f64; 4]; 4] =
    [[31.0, 0.0, 1.6, 0.4], [0.0, 23.0, 1.2, 1.1], [17.0, 19.0, 1.4, 2.0], [7.0, -9.0, 0.5, 0.3]];

/// Height of the terrain at (x, z), a multiple of 1/256 m: short in a file, exact in f32.
pub(crate) fn height(x: f64, z: f64) -> f64 {
    let wave = |length: f64, at: f64| if length == 0.0 { 0.0 } else { at / length };
    let sum: f64 = WAVES
        .iter()
        .map(|&[along_x, along_z, height, phase]| {
            let turns = wave(along_x, x) + wave(along_z, z);
            height * libm::sin(turns * std::f64::consts::TAU + phase)
        })
        .sum();
    (sum * 256.0).round() / 256.0
}

/// Square terrain, `size` metres on a side from the origin, with at most `triangles` triangles (minimum 2).
pub fn sine_terrain(size: f64, triangles: usize) -> Level {
    let side = (triangles / 2).isqrt().max(1) as u32;
    let at = |index: u32| f64::from(index) / f64::from(side) * size;
    let mut vertices = Vec::with_capacity((side as usize + 1).pow(2));
    for row in 0..=side {
        vertices.extend((0..=side).map(|column| [at(column), height(at(column), at(row)), at(row)]));
    }
    let mut faces = Vec::with_capacity(2 * (side as usize).pow(2));
    for row in 0..side {
        for column in 0..side {
            let a = row * (side + 1) + column;
            let (b, c, d) = (a + side + 1, a + side + 2, a + 1);
            // Alternate the diagonal, so that no direction is favoured.
            if (row + column) % 2 == 0 {
                faces.extend([[a, b, c], [a, c, d]]);
            } else {
                faces.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    let mut builder = Builder::new();
    builder.mesh(&vertices, &faces);
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_of_triangles_is_kept() {
        assert_eq!(sine_terrain(10.0, 0).triangles.len(), 2);
        assert_eq!(sine_terrain(10.0, 200).triangles.len(), 200);
        assert_eq!(sine_terrain(60.0, 8_000).triangles.len(), 7_938);
    }

    #[test]
    fn all_triangles_face_up() {
        let level = sine_terrain(60.0, 500);
        for triangle in &level.triangles {
            let [a, b, c] = triangle.map(|v| level.vertices[v as usize]);
            assert!((b[2] - a[2]) * (c[0] - a[0]) > (b[0] - a[0]) * (c[2] - a[2]));
        }
    }
}
