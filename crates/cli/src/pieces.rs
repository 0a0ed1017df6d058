//! Lists of pieces from their files, for `bake` and `update`.

use crate::failure::Failure;
use crate::files;
use crate::settings::wrong_file;
use crate::source::{OUTSIDE, is_below};
use navinput::PieceMesh;
use navinput::format::LevelFormat;
use navlevel::Piece;
use std::collections::BTreeMap;
use std::path::Path;

/// Reads the pieces of a file. `areas` are the areas of the level.
pub(crate) fn read(path: &Path, areas: &BTreeMap<String, u8>) -> Result<Vec<Piece>, Failure> {
    let text = files::read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut load = |file: &str| mesh(&folder, file);
    navinput::read_pieces(&text, areas, &mut load).map_err(|error| {
        wrong_file((path, &text), "list of pieces", &error)
            .help("docs/changing-worlds.md lists every key with its unit and range")
    })
}

/// The mesh of an OBJ file in the folder of the list, or below.
fn mesh(folder: &Path, file: &str) -> Result<PieceMesh, String> {
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

/// The failure of a piece that cannot be used, with its place in the file.
pub(crate) fn refused(path: &Path, index: usize, error: &dyn std::fmt::Display) -> Failure {
    Failure::call(format!("{}: piece {}: {error}", path.display(), index + 1))
        .help("nothing was written; change this piece, or remove it from the list")
}
