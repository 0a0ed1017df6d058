//! A level as Wavefront OBJ text, and from it. Numbers are written so that reading them back gives the same
//! bits.

use recast::{Level, Settings};
use std::fmt::Write;

/// The level as OBJ: vertices, then triangles by area, each under a group and a material of the area's name.
/// Triangles of one area keep their order; names come from the areas of `settings`.
pub fn to_obj(level: &Level, settings: &Settings) -> String {
    let mut text =
        String::from("# Metres, right-handed, Y up; counter-clockwise seen from above is walkable.\n");
    // Writing to a string cannot fail, so the results below are ignored.
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

/// The vertices and faces of OBJ text, with faces as fans. Other statements are ignored. `None` if a number
/// cannot be read.
pub fn from_obj(text: &str) -> Option<Level> {
    let mut level = Level::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut number = || words.next()?.parse().ok();
                level.vertices.push([number()?, number()?, number()?]);
            }
            Some("f") => {
                let vertex = |word: &str| word.split('/').next()?.parse::<u32>().ok()?.checked_sub(1);
                let corners = words.map(vertex).collect::<Option<Vec<u32>>>()?;
                let (first, rest) = corners.split_first()?;
                level.triangles.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    Some(level)
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

    #[test]
    fn what_is_written_is_read() {
        let level = (crate::by_name("courtyard").unwrap().level)();
        let read = from_obj(&to_obj(&level, &Settings::default())).unwrap();
        assert_eq!(read.vertices, level.vertices);
        assert_eq!(read.triangles.len(), level.triangles.len());
        assert_eq!(from_obj("v 0 0 0\nv 1 0 0\nf 1 2/7 1//3 2").unwrap().triangles, [[0, 1, 0], [0, 0, 1]]);
        assert!(["v 0 x 0", "v 0 0", "f 1 2 0", "f 1 2 -1"].iter().all(|text| from_obj(text).is_none()));
    }
}
