//! Baked levels: the scenes, each in one piece and in tiles, and the public levels where their folder lies beside the
//! repository.

use crate::common;
use detour::NavMesh;
use recast::{Level, PreparedLevel, Scratch, Settings, Silent, bake_solo, bake_tiles};
use std::path::Path;

/// The vertices and faces of an OBJ file, these as fans; other statements are ignored.
fn read_obj(text: &str) -> Level {
    let mut level = Level::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let statement = words.next();
        if statement == Some("v") {
            let position: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
            level.vertices.push([position[0], position[1], position[2]]);
        } else if statement == Some("f") {
            let vertex = |word: &str| word.split('/').next().unwrap().parse::<u32>().unwrap() - 1;
            let corners: Vec<u32> = words.map(vertex).collect();
            level.triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
        }
    }
    level
}

/// All of them, under their names.
pub(crate) fn levels() -> Vec<(String, NavMesh)> {
    let mut prepared: Vec<(String, PreparedLevel)> = navscenes::all()
        .iter()
        .map(|scene| {
            (scene.name.to_owned(), PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap())
        })
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
    for name in ["nav_test.obj", "dungeon.obj"] {
        if let Ok(text) = std::fs::read_to_string(folder.join(name)) {
            let level = PreparedLevel::new(&read_obj(&text), &Settings::default()).unwrap();
            prepared.push((name.to_owned(), level));
        }
    }
    let mut meshes = Vec::new();
    for (name, level) in &prepared {
        let solo = bake_solo(level, &Silent, &mut Scratch::new()).unwrap();
        meshes.push((name.clone(), common::mesh([solo.tile])));
        let tiles = bake_tiles(level, 48, &Silent).unwrap();
        meshes.push((format!("{name} in tiles"), common::mesh(tiles.into_iter().map(|baked| baked.tile))));
    }
    meshes
}
