//! Prints the digests of all scenes, a line each: `SCENE/WHAT DIGEST`. Platforms that print other lines than each other
//! bake or walk differently: `cargo xtask platforms`.
#![allow(clippy::print_stdout)] // It is a program.

use navtile_benches::digests::{of_bake, of_runtime};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    for scene in navscenes::all() {
        for (name, digest) in [of_bake(scene)?, of_runtime(scene)?].concat() {
            println!("{}/{name} {digest}", scene.name);
        }
    }
    Ok(())
}
