//! A level from a Wavefront OBJ file: positions and faces, and the names that faces stand under.
//!
//! Two steps. `normalise` reads the bytes statement by statement, refuses what is wrong with its line and
//! column, and hands on plain `v x y z` and `f a b c ..` lines with absolute indices; tobj parses those and
//! cuts faces into fans. The reader in front is there because tobj alone fails on comments behind vertices,
//! continued lines and names that are not UTF-8, takes NaN, and gives no line numbers. The output of tobj
//! is checked against what went in.
//!
//! Units: as in the file, which should be metres, Y up. Cost: linear in time and memory; the normalised text is
//! streamed, never held whole.

mod labels;
mod normalise;
pub(crate) mod reader;
pub(crate) mod statements;
#[cfg(test)]
mod tests;

pub(crate) use labels::LabelBuilder;
pub use labels::Labels;
pub use reader::Ignored;

use crate::error::{InputError, ObjProblem};
use normalise::Normaliser;
use recast::Level;

/// A level from an OBJ file, with the names its triangles stand under.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjLevel {
    /// Geometry. Vertices that no face uses are left out; the others are in the order of their first use.
    pub level: Level,
    /// Faces in the file; a face with n corners makes n - 2 triangles: corners (0, i - 1, i).
    pub faces: u64,
    /// Materials (`usemtl`), whether or not a material file defines them.
    pub materials: Labels,
    /// Groups (`g`); the name is the whole rest of the line.
    pub groups: Labels,
    /// Objects (`o`).
    pub objects: Labels,
    /// Statements of the file that a level has no use for.
    pub ignored: Ignored,
}

/// Reads a level from the bytes of an OBJ file.
///
/// Accepts comments anywhere, lines continued with `\`, LF, CRLF and CR line ends, a UTF-8 mark, names in any
/// encoding, negative indices, faces before their vertices, polygons of any size (convex ones are cut rightly),
/// and `w` or colours behind a position, which are not used. Texture and normal indices are not looked at.
///
/// ```
/// let obj = b"usemtl mud\nv 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n";
/// let read = navinput::read_obj(obj)?;
/// assert_eq!((read.level.vertices.len(), read.level.triangles.len()), (3, 1));
/// let error = navinput::read_obj(b"v 0 0\n").unwrap_err();
/// assert!(error.to_string().contains("line 1"));
/// # Ok::<(), navinput::InputError>(())
/// ```
///
/// # Errors
/// [`InputError::Obj`] names line, column, what was found and what was expected; [`InputError::ObjWhole`] if the
/// file has no faces or more vertices or triangles than fit 32 bits.
pub fn read_obj(bytes: &[u8]) -> Result<ObjLevel, InputError> {
    let whole = |problem| InputError::ObjWhole { problem };
    check_text(bytes)?;
    if bytes.iter().all(|byte| byte.is_ascii_whitespace()) {
        return Err(whole(ObjProblem::Empty));
    }
    let mut normaliser = Normaliser::new(bytes);
    let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
    // The normalised text names no material library, so nothing asks for one.
    let parsed = tobj::load_obj_buf(&mut normaliser, &options, |_| Err(tobj::LoadError::OpenFileFailed));
    let text = normaliser.finish()?;
    let (models, _) = parsed.map_err(|error| whole(ObjProblem::Disagreement(error.to_string())))?;
    let level = take_level(models, text.vertices, text.triangles).map_err(whole)?;
    Ok(ObjLevel {
        level,
        faces: text.faces,
        materials: text.materials,
        groups: text.groups,
        objects: text.objects,
        ignored: text.ignored,
    })
}

/// Refuses text in an encoding that OBJ files do not have, by its first bytes.
pub(crate) fn check_text(start: &[u8]) -> Result<(), InputError> {
    let encoding = match start {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => "UTF-32",
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => "UTF-16",
        _ => return Ok(()),
    };
    Err(InputError::ObjWhole { problem: ObjProblem::Encoding(encoding) })
}

/// The one mesh that a text without names makes, checked against what was written.
fn take_level(models: Vec<tobj::Model>, vertices: u64, triangles: u64) -> Result<Level, ObjProblem> {
    let disagree = |what: String| Err(ObjProblem::Disagreement(what));
    let [model] = <[tobj::Model; 1]>::try_from(models)
        .map_err(|models| ObjProblem::Disagreement(format!("one mesh went in, {} came out", models.len())))?;
    let mesh = model.mesh;
    let (positions, odd_positions) = mesh.positions.as_chunks::<3>();
    let (corners, odd_corners) = mesh.indices.as_chunks::<3>();
    if !odd_positions.is_empty() || positions.len() as u64 > vertices {
        return disagree(format!("{vertices} vertices went in, {} came out", positions.len()));
    }
    if !odd_corners.is_empty() || corners.len() as u64 != triangles {
        return disagree(format!("{triangles} triangles went in, {} came out", corners.len()));
    }
    if let Some(index) = mesh.indices.iter().find(|&&index| index as usize >= positions.len()) {
        return disagree(format!("a triangle names vertex {index} of {}", positions.len()));
    }
    if positions.as_flattened().iter().any(|value| !value.is_finite()) {
        return disagree("a coordinate that is not finite came out".to_owned());
    }
    Ok(Level { vertices: positions.to_vec(), triangles: corners.to_vec(), areas: Vec::new() })
}
