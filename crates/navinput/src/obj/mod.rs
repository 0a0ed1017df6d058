//! A level from a Wavefront OBJ file: positions and faces, and the names of faces.
//!
//! The file is read twice: first for its vertices, with every check and its errors by line and column, then
//! for its faces, which need the positions of their corners to become triangles (`polygon`).
//!
//! Units: as in the file, which should be metres, Y up. Cost: linear in time and memory, except for faces
//! that are not fans (O(n log n) in their corners).

mod faces;
mod labels;
mod polygon;
pub(crate) mod reader;
pub(crate) mod statements;
#[cfg(test)]
mod tests;

pub(crate) use faces::{Faces, Positions, UNUSED, used};
pub(crate) use labels::LabelBuilder;
pub use labels::Labels;
pub use reader::{FaceList, Ignored};

use crate::error::{InputError, ObjProblem};
use reader::{ObjSink, StatementReader};
use recast::Level;
use statements::Statements;

/// A level from an OBJ file, with the names of its triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjLevel {
    /// Geometry. Vertices that no face uses are left out; the others are in the order of their first use.
    pub level: Level,
    /// Faces in the file.
    pub faces: u64,
    /// Materials (`usemtl`), even if no material file defines them.
    pub materials: Labels,
    /// Groups (`g`); the name is the whole rest of the line.
    pub groups: Labels,
    /// Objects (`o`).
    pub objects: Labels,
    /// Statements of the file that a level does not use, and doubtful faces.
    pub ignored: Ignored,
}

/// Reads a level from the bytes of an OBJ file.
///
/// Accepts comments anywhere, lines continued with `\`, LF, CRLF and CR line ends, a UTF-8 mark, names in any
/// encoding, negative indices, faces before their vertices, polygons of any size and shape, and `w` or
/// colours after a position, which are not used. Texture and normal indices are ignored.
///
/// A convex face with n corners becomes the triangles (0, i - 1, i). Other faces are triangulated within
/// their outline, with holes joined to it by edges that are walked in both directions; parts without area are
/// left out.
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
/// [`InputError::Obj`] with line, column, the value found and the value expected; [`InputError::ObjWhole`] if
/// the file has no faces or more vertices or triangles than fit 32 bits.
pub fn read_obj(bytes: &[u8]) -> Result<ObjLevel, InputError> {
    let whole = |problem| InputError::ObjWhole { problem };
    check_text(bytes)?;
    if bytes.iter().all(|byte| byte.is_ascii_whitespace()) {
        return Err(whole(ObjProblem::Empty));
    }
    let positions = read_all(bytes, Positions::<true>::default(), None)?.sink.0;
    let vertices = Some(positions.len() as u64);
    let read = read_all(bytes, Faces::new(&positions), vertices)?;
    let mut triangles = read.sink.triangles;
    let vertices = used(&positions, &mut vec![UNUSED; positions.len()], &mut triangles);
    Ok(ObjLevel {
        level: Level { vertices, triangles, areas: Vec::new() },
        faces: read.faces,
        materials: read.materials.finish(),
        groups: read.groups.finish(),
        objects: read.objects.finish(),
        ignored: read.ignored,
    })
}

/// Reads all statements of a file.
fn read_all<S: ObjSink>(
    bytes: &[u8],
    sink: S,
    vertices_in_all: Option<u64>,
) -> Result<StatementReader<S>, InputError> {
    let mut reader = StatementReader::new(sink);
    reader.vertices_in_all = vertices_in_all;
    Statements::new(bytes).try_for_each(|statement| reader.take(&statement))?;
    reader.check_whole()?;
    Ok(reader)
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
