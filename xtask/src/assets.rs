//! `cargo xtask assets`: writes the levels under assets/ from the scenes they are made of.

use crate::Outcome;
use crate::outputs::{Outputs, root};
use navscenes::{Scene, to_obj};
use std::fmt::Write;

/// Scenes that are also files, for the program and for readers of the docs.
const SCENES: [&str; 2] = ["courtyard", "terrain"];

pub(crate) fn run(check: bool) -> Outcome {
    let mut outputs = Outputs::new(root(), !check);
    let mut scenes = Vec::new();
    for name in SCENES {
        let scene = navscenes::by_name(name).ok_or_else(|| format!("there is no scene `{name}`"))?;
        outputs.put(&format!("assets/{name}.obj"), obj(&scene).as_bytes())?;
        scenes.push(scene);
    }
    outputs.put("assets/README.md", readme(&scenes).as_bytes())?;
    outputs.no_others("assets", "obj")?;
    Ok(outputs.report("cargo xtask assets"))
}

fn obj(scene: &Scene) -> String {
    let heading =
        format!("# {}: part of navtile, MIT OR Apache-2.0. Made by `cargo xtask assets`.\n", scene.name);
    heading + &to_obj(&(scene.level)(), &(scene.settings)())
}

fn readme(scenes: &[Scene]) -> String {
    let mut text = String::from(
        "# Levels\n\n\
         The levels here are made from code (`crates/navscenes`) by `cargo xtask assets`; do not edit them by hand.\n\
         Like the rest of the project they are licensed under MIT or Apache-2.0, at your option.\n\n\
         | file | triangles | what is in it |\n|---|---|---|\n",
    );
    for scene in scenes {
        let count = (scene.level)().triangles.len();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {}.obj | {count} | {} |", scene.name, scene.description);
    }
    text.push_str(
        "\nA material's name is the name of an area (`mud`, `water`); everything else is plain ground. `courtyard.toml`, written by hand,\nmaps them and adds the volumes: with it the file bakes to the scene's own bytes.\n\n\
         `golden/SCENE/STAGE.hash` is the hash of what a stage makes of a scene; `cargo xtask golden` compares them.\n",
    );
    text
}
