//! A level as Wavefront OBJ text. Numbers are written so that reading them back gives the same bits.

use recast::{Level, Settings};
use std::fmt::Write;

/// The level as OBJ: vertices, then triangles by area, each under a group and a material of the area's name.
/// Triangles of one area keep their order; names come from the areas of `settings`.
pub fn to_obj(level: &Level, settings: &Settings) -> String {
    let mut text =
        String::from("# Metres, right-handed, Y up; counter-clockwise seen from above is walkable.\n");
    // Writing to a string cannot fail, so the results below say nothing.
    for [x, y, z] in &level.vertices {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    let area = |triangle: usize| level.areas.get(triangle).copied().unwrap_or(recast::AreaId::GROUND);
    let mut ids: Vec<_> = (0..level.triangles.len()).map(area).collect();
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        let name = settings.area(id).name;
        let _ = writeln!(text, "g {name}\nusemtl {name}");
        for (index, [a, b, c]) in level.triangles.iter().enumerate() {
            if area(index) == id {
                let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::AreaId;

    #[test]
    fn a_level_is_written_by_area() {
        let level = Level {
            vertices: vec![[0.0, 0.1, 0.0], [0.0, 0.1, 1.0], [1.0, 0.1, 1.0], [1.0, 0.1, -2.5]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            areas: vec![AreaId::GROUND, AreaId(2)],
        };
        let expected = "v 0 0.1 0\nv 0 0.1 1\nv 1 0.1 1\nv 1 0.1 -2.5\n\
                        g mud\nusemtl mud\nf 1 3 4\ng ground\nusemtl ground\nf 1 2 3\n";
        let text = to_obj(&level, &crate::courtyard::settings());
        assert_eq!(text.split_once('\n').map(|(_, rest)| rest), Some(expected));
    }

    #[test]
    fn numbers_survive() {
        let level = crate::sine_terrain(20.0, 200);
        let text = to_obj(&level, &Settings::default());
        let read: Vec<f64> = text
            .lines()
            .filter_map(|line| line.strip_prefix("v "))
            .flat_map(|line| line.split(' ').map(|number| number.parse().unwrap()))
            .collect();
        assert_eq!(read, level.vertices.as_flattened());
    }
}
