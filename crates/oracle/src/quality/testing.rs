//! Hand-made cases for tests of the measures.

use super::bake::{self, MeasuredBake};
use super::ground::{Ground, GroundSpan};
use super::surface::Patch;
use recast::TileBuild;
use recast::data::{NO_NEIGHBOUR, RegionId};
use recast::{Level, PreparedLevel, Settings};

/// Ground seen from above: `#` is a walkable floor at `floor` cells, any other character is empty. All
/// neighbours can be stepped to.
pub(crate) fn room(picture: &str, floor: i32) -> Ground {
    let rows: Vec<&str> = picture.lines().collect();
    let (width, depth) = (rows[0].len() as i32, rows.len() as i32);
    let mut ground = Ground { width, depth, offsets: vec![0], ..Ground::default() };
    for (z, row) in rows.iter().enumerate() {
        for (x, cell) in row.chars().enumerate() {
            if cell == '#' {
                ground.spans.push(GroundSpan {
                    x: x as i32,
                    z: z as i32,
                    floor,
                    walkable: true,
                    region: Some((0, RegionId::inner(1))),
                    taken_away: false,
                });
            }
            ground.offsets.push(ground.spans.len() as u32);
        }
    }
    let beside = |span: &GroundSpan| {
        [(-1, 0), (0, 1), (1, 0), (0, -1)].map(|(dx, dz)| {
            ground.find(span.x + dx, span.z + dz, floor).map_or(NO_NEIGHBOUR, |index| index as u32)
        })
    };
    ground.neighbours = ground.spans.iter().map(beside).collect();
    ground
}

/// A rectangle from column line to column line, `floor` cells high.
pub(crate) fn rectangle([x0, z0]: [i64; 2], [x1, z1]: [i64; 2], floor: i64) -> Patch {
    Patch::flat(
        [[x0, z0], [x0, z1], [x1, z1], [x1, z0]].map(|[x, z]| [x * 256, floor * 256, z * 256]).to_vec(),
    )
}

/// A level of quads given by corner, opposite corner and height.
pub(crate) fn floors(quads: &[([f64; 2], [f64; 2], f64)]) -> Level {
    let mut level = Level::default();
    for &([x0, z0], [x1, z1], y) in quads {
        let first = level.vertices.len() as u32;
        level.vertices.extend([[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]]);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    level
}

/// Two storeys of one floor each, 12 m by 9 m, the upper one half as large.
pub(crate) fn two_storeys() -> Level {
    floors(&[([0.0, 0.0], [12.0, 9.0], 0.0), ([3.0, 2.0], [9.0, 8.0], 4.0)])
}

/// Our bake of a plain floor of 9 m by 9 m.
pub(crate) fn box_bake() -> MeasuredBake {
    let level = floors(&[([0.0, 0.0], [9.0, 9.0], 0.0)]);
    let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
    bake::ours(&prepared, &TileBuild::solo(&prepared)).unwrap().0
}
