//! Prints the digests of all scenes and maps, a line each: `SCENE/WHAT DIGEST`. If two platforms print
//! different lines, they bake, answer or walk differently: `cargo xtask platforms`.
#![allow(clippy::print_stdout)] // It is a program.

use navtile_benches::digests::{of_bake, of_exact, of_map, of_runtime, turned_rooms};
use recast::Settings;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    for scene in navscenes::all() {
        let exact = of_exact(&(scene.level)(), &(scene.settings)())?;
        for (name, digest) in [of_bake(scene)?, exact, of_runtime(scene)?].concat() {
            println!("{}/{name} {digest}", scene.name);
        }
    }
    for (room, level) in turned_rooms() {
        for (name, digest) in of_exact(&level, &Settings::default())? {
            println!("{room}/{name} {digest}");
        }
    }
    for scene in navscenes::flat::ALL {
        for (name, digest) in of_map(scene)? {
            println!("{}/{name} {digest}", scene.name);
        }
    }
    Ok(())
}
