//! Baked levels: the scenes, each in one piece and in tiles, and the public levels if their folder is next to
//! the repository.

use crate::common;
use detour::NavMesh;
use navlevel::bake_tiles;
use recast::{PreparedLevel, Scratch, Settings, Silent, bake_solo};

/// All levels with their names.
pub(crate) fn levels() -> Vec<(String, NavMesh)> {
    let mut prepared: Vec<(String, PreparedLevel)> = navscenes::all()
        .iter()
        .map(|scene| {
            (scene.name.to_owned(), PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap())
        })
        .collect();
    for (name, level) in navscenes::public_levels() {
        prepared.push((name.to_owned(), PreparedLevel::new(&level, &Settings::default()).unwrap()));
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
