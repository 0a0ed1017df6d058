//! Errors of inputs. Each gives the place, the value found, the value expected, and the remedy.

use navmath::LimitError;
use navmath::count::counted;
use std::fmt;
use std::ops::Range;
use thiserror::Error;

/// A place in a text, both counted from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// Line.
    pub line: u64,
    /// Byte within the line.
    pub column: u64,
}

/// The line starts of a text, found in one pass, so that each place costs only a binary search.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// The byte after the end of each line except the last, ascending.
    starts: Vec<usize>,
    length: usize,
}

impl Lines {
    pub(crate) fn of(text: &[u8]) -> Lines {
        // A carriage return counts, unless a line feed follows and counts for both.
        let ends = |index: &usize| {
            text[*index] == b'\n' || (text[*index] == b'\r' && text.get(index + 1) != Some(&b'\n'))
        };
        Lines { starts: (0..text.len()).filter(ends).map(|end| end + 1).collect(), length: text.len() }
    }

    /// The place of a byte offset. O(log lines).
    pub(crate) fn place(&self, offset: usize) -> TextPosition {
        let offset = offset.min(self.length);
        let before = self.starts.partition_point(|&start| start <= offset);
        let start = before.checked_sub(1).map_or(0, |last| self.starts[last]);
        TextPosition { line: before as u64 + 1, column: (offset - start) as u64 + 1 }
    }
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// An input that cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InputError {
    /// An OBJ file is wrong at one place.
    #[error("{place}: {problem}; {}", problem.remedy())]
    Obj {
        /// The place of the fault.
        place: TextPosition,
        /// The problem.
        problem: ObjProblem,
    },
    /// An OBJ file is wrong as a whole.
    #[error("{problem}; {}", problem.remedy())]
    ObjWhole {
        /// The problem.
        problem: ObjProblem,
    },
    /// The settings are wrong; every problem of the file is listed, in the order of its lines.
    #[error("{}", .0.iter().map(|p| p.to_string()).collect::<Vec<_>>().join("\n"))]
    Settings(Vec<SettingProblem>),
    /// A geometry set is wrong; every problem of the file is listed, in the order of its lines.
    #[error("{}", .0.iter().map(|p| p.to_string()).collect::<Vec<_>>().join("\n"))]
    Gset(Vec<SettingProblem>),
}

impl InputError {
    /// The place of the error, if it has a single one.
    pub fn place(&self) -> Option<TextPosition> {
        match self {
            InputError::Obj { place, .. } => Some(*place),
            InputError::ObjWhole { .. } => None,
            InputError::Settings(problems) | InputError::Gset(problems) => match problems.as_slice() {
                [only] => only.place,
                _ => None,
            },
        }
    }
}

/// A problem of an OBJ file.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ObjProblem {
    /// No bytes, or only white space.
    #[error("the file is empty, expected an OBJ level")]
    Empty,
    /// The bytes are in another encoding.
    #[error("the file is {0} text, expected UTF-8 or plain ASCII")]
    Encoding(&'static str),
    /// There is no face.
    #[error("the file has no faces (`f`){}", no_faces(*.vertices))]
    NoFaces {
        /// Vertices found.
        vertices: u64,
    },
    /// A vertex with fewer than three coordinates.
    #[error("the vertex has {}, expected at least 3", counted(*.0 as u64, "coordinate", "coordinates"))]
    FewCoordinates(usize),
    /// A coordinate that is not a number.
    #[error("found `{0}`, expected a number")]
    NotANumber(String),
    /// A coordinate that is NaN, infinite, or too large for a double.
    #[error("coordinate `{0}` is not finite, expected a finite number")]
    NotFinite(String),
    /// A face with fewer than three corners.
    #[error("the face has {}, expected at least 3", counted(*.0 as u64, "corner", "corners"))]
    FewCorners(usize),
    /// A corner that is not an index.
    #[error("found `{0}`, expected a vertex index such as `3`, `3/1/2` or `-1`")]
    NotAnIndex(String),
    /// Index 0.
    #[error("the face names vertex 0, but indices start at 1 (or at -1, backwards)")]
    IndexZero,
    /// An index beyond the vertices.
    #[error("the face names vertex {index}, but the file has {}{}", counted(*.count, "vertex", "vertices"), if *.index < 0 { " up to here" } else { "" })]
    IndexOutOfRange {
        /// The index as it is written.
        index: i64,
        /// Number of vertices: in the file, or above this line for a negative index.
        count: u64,
    },
    /// More of something than a level can have.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

/// The vertices of a file without faces. Nothing else is reported, because the file may not be OBJ.
fn no_faces(vertices: u64) -> String {
    match vertices {
        0 => " and no vertices (`v`)".to_owned(),
        count => format!(", but {}", counted(count, "vertex", "vertices")),
    }
}

impl ObjProblem {
    /// The remedy.
    pub fn remedy(&self) -> &'static str {
        match self {
            ObjProblem::Empty => "export the level again",
            ObjProblem::Encoding(_) => "save it as UTF-8",
            ObjProblem::NoFaces { vertices: 0 } => "check that this is an OBJ file with meshes in it",
            ObjProblem::NoFaces { .. } => "export the meshes of the level, not only points, lines or curves",
            ObjProblem::FewCoordinates(_) => "give x, y and z",
            ObjProblem::NotANumber(found) if found.contains(',') => {
                "write numbers with a decimal point, not a comma"
            }
            ObjProblem::NotANumber(_) => "write coordinates as plain decimal numbers, in metres",
            ObjProblem::NotFinite(_) => "repair the vertex in the modelling program",
            ObjProblem::FewCorners(_) => "remove the face, or write it as a line (`l`) or point (`p`)",
            ObjProblem::NotAnIndex(_) => "write whole numbers, separated from `/` parts without spaces",
            ObjProblem::IndexZero => "number vertices from 1",
            ObjProblem::IndexOutOfRange { .. } => {
                "check that the file is complete and that no vertices were removed by hand"
            }
            ObjProblem::Limit(_) => "cut the level into several files",
        }
    }
}

/// One fault of a settings file or a geometry set.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}{what}{}", prefix(*place), remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default())]
pub struct SettingProblem {
    /// The place of the fault; `None` for a value from an option.
    pub place: Option<TextPosition>,
    /// Range of the bytes at fault in the file, for pointing at them.
    pub span: Option<Range<usize>>,
    /// The value found, and the one expected.
    pub what: String,
    /// The remedy, if it is not obvious.
    pub remedy: Option<String>,
}

/// A place as the prefix of a message.
fn prefix(place: Option<TextPosition>) -> String {
    place.map(|place| format!("{place}: ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_every_kind_of_line_end_once() {
        let text = b"a\rb\r\nc\nd";
        let lines = Lines::of(text);
        let places: Vec<[u64; 2]> = (0..=text.len() + 1)
            .map(|offset| lines.place(offset))
            .map(|place| [place.line, place.column])
            .collect();
        let expected = [[1, 1], [1, 2], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [4, 1], [4, 2], [4, 2]];
        assert_eq!(places, expected);
    }

    #[test]
    fn an_error_has_a_place_if_it_is_one() {
        let place = TextPosition { line: 3, column: 7 };
        let problem =
            SettingProblem { place: Some(place), span: None, what: "wrong".to_owned(), remedy: None };
        for of in [InputError::Settings, InputError::Gset] {
            assert_eq!(of(vec![problem.clone()]).place(), Some(place));
            assert_eq!(of(vec![problem.clone(); 2]).place(), None);
            assert_eq!(of(Vec::new()).place(), None);
        }
        assert_eq!(InputError::Obj { place, problem: ObjProblem::Empty }.place(), Some(place));
        assert_eq!(InputError::ObjWhole { problem: ObjProblem::Empty }.place(), None);
    }
}
