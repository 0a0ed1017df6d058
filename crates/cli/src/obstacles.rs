//! Lists of obstacles from their files, for `bake` and `update`.

use crate::failure::Failure;
use crate::files;
use crate::settings::wrong_file;
use crate::source::{OUTSIDE, is_below};
use navinput::ObstacleMesh;
use navinput::format::LevelFormat;
use navlevel::Obstacle;
use std::collections::BTreeMap;
use std::path::Path;

/// Reads the obstacles of a file. `areas` are the areas of the level.
pub(crate) fn read(path: &Path, areas: &BTreeMap<String, u8>) -> Result<Vec<Obstacle>, Failure> {
    let text = files::read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut load = |file: &str| mesh(&folder, file);
    navinput::read_obstacles(&text, areas, &mut load).map_err(|error| {
        wrong_file((path, &text), "list of obstacles", &error)
            .help("docs/changing-worlds.md lists every key with its unit and range")
    })
}

/// The mesh of an OBJ file in the folder of the list, or below.
fn mesh(folder: &Path, file: &str) -> Result<ObstacleMesh, String> {
    let name = navinput::escaped(file);
    if !is_below(file) {
        return Err(format!(
            "{name} {OUTSIDE} of the list: put the list into the folder of its files, or above it"
        ));
    }
    if LevelFormat::of_name(file) != Some(LevelFormat::Obj) {
        return Err(format!("{name} is not an .obj file"));
    }
    let path = folder.join(file);
    let failed = |error: String| format!("{}: {error}", path.display());
    let bytes = files::bytes_of(&path).map_err(|error| failed(error.to_string()))?;
    let level = navinput::read_obj(&bytes).map_err(|error| failed(error.to_string()))?;
    Ok((level.level.vertices, level.level.triangles))
}

/// The failure of an obstacle that cannot be used, with its place in the file.
pub(crate) fn refused(path: &Path, index: usize, error: &dyn std::fmt::Display) -> Failure {
    Failure::call(format!("{}: obstacle {}: {error}", path.display(), index + 1))
        .help("nothing was written; change this obstacle, or remove it from the list")
}
