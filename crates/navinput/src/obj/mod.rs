//! A level from a Wavefront OBJ file: positions and faces, and the names that faces stand under.
//!
//! `statements` joins continued lines and takes comments off, `reader` checks each statement, cuts faces into fans and
//! leaves out vertices that nothing uses.
//!
//! Units: as in the file, which should be metres, Y up. Cost: linear in time and memory.

mod labels;
mod reader;
mod statements;
#[cfg(test)]
mod tests;

pub(crate) use labels::LabelBuilder;
pub use labels::Labels;
pub use reader::Ignored;

use crate::error::{InputError, ObjProblem};
use reader::ObjReader;
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
    if let Some(encoding) = foreign_encoding(bytes) {
        return Err(whole(ObjProblem::Encoding(encoding)));
    }
    if bytes.iter().all(|byte| byte.is_ascii_whitespace()) {
        return Err(whole(ObjProblem::Empty));
    }
    ObjReader::new(bytes).read()
}

fn foreign_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => Some("UTF-32"),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some("UTF-16"),
        _ => None,
    }
}
