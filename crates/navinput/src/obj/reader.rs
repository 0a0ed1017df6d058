//! Statements of an OBJ file, checked and counted: the reader shared by whole files and streams.

use super::labels::{LabelBuilder, readable};
use super::polygon::Flaws;
use super::statements::{Statement, Word};
use crate::error::{InputError, ObjProblem, TextPosition};
use navmath::count::counted;
use navmath::limit;

/// Statements of an OBJ file that a level does not use, and faces that may not become what the author meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ignored {
    /// Lines (`l`) and points (`p`).
    pub lines_and_points: u64,
    /// Statements with a keyword that OBJ does not know, or that describe curves and curved surfaces.
    pub unknown: u64,
    /// The first of these: its place and its keyword.
    pub first_unknown: Option<(TextPosition, String)>,
    /// Faces that cross or overlap themselves, or that partly face the opposite direction.
    pub folded: FaceList,
    /// Faces whose corners are far from one plane.
    pub bent: FaceList,
}

/// Some faces of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaceList {
    /// Number of faces.
    pub count: u64,
    /// The lines of the first faces.
    pub lines: Vec<u64>,
}

/// Most lines of a [`FaceList`].
const LISTED: usize = 5;

impl FaceList {
    fn add(&mut self, line: u64) {
        self.count += 1;
        if self.lines.len() < LISTED {
            self.lines.push(line);
        }
    }

    /// A sentence about the faces, if there are any: `one` for a single face, else `several`; `@` is replaced
    /// with the lines.
    fn sentence(&self, one: &str, several: &str) -> Option<String> {
        let lines: Vec<String> = self.lines.iter().map(u64::to_string).collect();
        let lines = match (lines.as_slice(), self.count - self.lines.len() as u64) {
            ([], _) => return None,
            ([only], 0) => format!("line {only}"),
            ([first @ .., last], 0) => format!("lines {} and {last}", first.join(", ")),
            (all, more) => format!("lines {} and {more} more", all.join(", ")),
        };
        Some(counted(self.count, one, several).replace('@', &lines))
    }
}

impl Ignored {
    /// One sentence for each kind of skipped statement and for each kind of doubtful face.
    pub fn sentences(&self) -> Vec<String> {
        let (count, unknown) = (self.lines_and_points, self.unknown);
        let lines =
            (count > 0).then(|| counted(count, "line or point was ignored", "lines and points were ignored"));
        let unknown = self.first_unknown.as_ref().map(|(place, keyword)| {
            let one = "statement is not known and was ignored:";
            let several = "statements are not known and were ignored; the first is";
            format!("{} `{keyword}` at {place}", counted(unknown, one, several))
        });
        let folded = self.folded.sentence(
            "face (@) folds over itself: parts of it may be filled or missing; triangulate it in the modelling program",
            "faces (@) fold over themselves: parts of them may be filled or missing; triangulate them in the modelling \
             program",
        );
        let bent = self.bent.sentence(
            "face (@) is not planar: its inner edges are a guess; triangulate it in the modelling program",
            "faces (@) are not planar: their inner edges are a guess; triangulate them in the modelling program",
        );
        [lines, unknown, folded, bent].into_iter().flatten().collect()
    }
}

/// Keywords that do not affect the position of surfaces.
const SILENT: [&[u8]; 19] = [
    b"vt",
    b"vn",
    b"vp",
    b"s",
    b"mtllib",
    b"maplib",
    b"usemap",
    b"mg",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"ctech",
    b"stech",
    b"cstype",
    b"deg",
    b"end",
];

/// Receives the content of a file.
pub(crate) trait ObjSink {
    /// If true, coordinates of vertices are read; else they are only counted.
    const TAKES_VERTICES: bool = true;
    /// If true, faces are read; else they are skipped.
    const TAKES_FACES: bool = true;
    /// A vertex: three finite numbers.
    fn vertex(&mut self, position: [f64; 3]);
    /// A face: at least three numbers of vertices, from 1, which may come later in the file. Returns the
    /// number of its triangles, and its flaws.
    fn face(&mut self, corners: &[u64]) -> (usize, Flaws);
}

/// Reads statements one by one.
pub(crate) struct StatementReader<S> {
    pub(crate) sink: S,
    pub(crate) vertices: u64,
    pub(crate) faces: u64,
    pub(crate) triangles: u64,
    /// Vertices in the whole file, if that is known: no index may be larger.
    pub(crate) vertices_in_all: Option<u64>,
    /// The largest index without a vertex when it was read, and its place.
    largest_ahead: Option<(u64, TextPosition)>,
    corners: Vec<u64>,
    pub(crate) materials: LabelBuilder,
    pub(crate) groups: LabelBuilder,
    pub(crate) objects: LabelBuilder,
    pub(crate) ignored: Ignored,
}

impl<S: ObjSink> StatementReader<S> {
    pub(crate) fn new(sink: S) -> StatementReader<S> {
        StatementReader {
            sink,
            vertices: 0,
            faces: 0,
            triangles: 0,
            vertices_in_all: None,
            largest_ahead: None,
            corners: Vec::new(),
            materials: LabelBuilder::new(),
            groups: LabelBuilder::new(),
            objects: LabelBuilder::new(),
            ignored: Ignored::default(),
        }
    }

    /// Reads a statement.
    pub(crate) fn take(&mut self, statement: &Statement<'_>) -> Result<(), InputError> {
        let mut words = statement.words();
        let Some(keyword) = words.next() else { return Ok(()) };
        let behind = keyword.offset + keyword.bytes.len();
        match keyword.bytes {
            b"v" => self.vertex(statement, words, keyword),
            b"f" => self.face(statement, words, keyword),
            b"usemtl" => {
                self.materials.set(readable(statement.rest(behind)));
                Ok(())
            }
            b"g" => {
                self.groups.set(readable(statement.rest(behind)));
                Ok(())
            }
            b"o" => {
                self.objects.set(readable(statement.rest(behind)));
                Ok(())
            }
            b"l" | b"p" => {
                self.ignored.lines_and_points += 1;
                Ok(())
            }
            silent if SILENT.contains(&silent) => Ok(()),
            unknown => {
                self.ignored.unknown += 1;
                if self.ignored.first_unknown.is_none() {
                    self.ignored.first_unknown = Some((statement.place(keyword.offset), shown(unknown)));
                }
                Ok(())
            }
        }
    }

    fn vertex<'b>(
        &mut self,
        statement: &Statement<'_>,
        words: impl Iterator<Item = Word<'b>>,
        keyword: Word<'_>,
    ) -> Result<(), InputError> {
        let refuse = |offset: usize, problem| InputError::Obj { place: statement.place(offset), problem };
        if !S::TAKES_VERTICES {
            self.vertices += 1;
            return Ok(());
        }
        let mut position = [0.0; 3];
        let mut count = 0;
        for word in words {
            let (number, rest) = number(word.bytes).map_err(|problem| refuse(word.offset, problem))?;
            // A weight or a colour after the position must consist of numbers, but is not used.
            if let Some(place) = position.get_mut(count) {
                *place = number;
            }
            count += 1;
            if !rest.is_empty() {
                break;
            }
        }
        if count < 3 {
            return Err(refuse(keyword.offset, ObjProblem::FewCoordinates(count)));
        }
        self.sink.vertex(position);
        self.vertices += 1;
        Ok(())
    }

    fn face<'b>(
        &mut self,
        statement: &Statement<'_>,
        words: impl Iterator<Item = Word<'b>>,
        keyword: Word<'_>,
    ) -> Result<(), InputError> {
        if !S::TAKES_FACES {
            return Ok(());
        }
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        for word in words {
            let index = index(word.bytes, self.vertices)
                .map_err(|problem| InputError::Obj { place: statement.place(word.offset), problem })?;
            if let Some(count) = self.vertices_in_all.filter(|count| index > *count) {
                let index = i64::try_from(index).unwrap_or(i64::MAX);
                let problem = ObjProblem::IndexOutOfRange { index, count };
                return Err(InputError::Obj { place: statement.place(word.offset), problem });
            }
            if index > self.vertices.max(self.largest_ahead.map_or(0, |(largest, _)| largest)) {
                self.largest_ahead = Some((index, statement.place(word.offset)));
            }
            corners.push(index);
            if word.bytes.contains(&b'#') {
                break;
            }
        }
        if corners.len() < 3 {
            let problem = ObjProblem::FewCorners(corners.len());
            return Err(InputError::Obj { place: statement.place(keyword.offset), problem });
        }
        let (triangles, flaws) = self.sink.face(&corners);
        if flaws.folds {
            self.ignored.folded.add(statement.first_line);
        }
        if flaws.bends {
            self.ignored.bent.add(statement.first_line);
        }
        self.faces += 1;
        self.triangles += triangles as u64;
        for labels in [&mut self.materials, &mut self.groups, &mut self.objects] {
            labels.add_triangles(triangles);
        }
        self.corners = corners;
        Ok(())
    }

    /// Checks at the end of the file.
    pub(crate) fn check_whole(&self) -> Result<(), InputError> {
        if let Some((index, place)) = self.largest_ahead.filter(|&(index, _)| index > self.vertices) {
            let index = i64::try_from(index).unwrap_or(i64::MAX);
            let problem = ObjProblem::IndexOutOfRange { index, count: self.vertices };
            return Err(InputError::Obj { place, problem });
        }
        let whole = |problem| InputError::ObjWhole { problem };
        if self.faces == 0 {
            let problem = ObjProblem::NoFaces { vertices: self.vertices };
            return Err(whole(problem));
        }
        let limit = u64::from(u32::MAX);
        let remedy = "a level cannot have more";
        limit::check("vertices of a level", self.vertices, limit, remedy).map_err(|e| whole(e.into()))?;
        limit::check("triangles of a level", self.triangles, limit, remedy).map_err(|e| whole(e.into()))
    }
}

/// The number in a word, and the comment attached to it, if any.
fn number(word: &[u8]) -> Result<(f64, &[u8]), ObjProblem> {
    let not_a_number = || ObjProblem::NotANumber(shown(word));
    let (text, rest) = match word.iter().position(|&byte| byte == b'#') {
        // The old Microsoft runtime writes values that are not finite as 1.#QNAN, -1.#IND, 1.#INF.
        Some(hash)
            if word[..hash].ends_with(b".") && starts_with_any(&word[hash + 1..], &MICROSOFT_NAMES) =>
        {
            return Err(ObjProblem::NotFinite(shown(word)));
        }
        Some(hash) => word.split_at(hash),
        None => (word, &[][..]),
    };
    let unsigned = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    if starts_with_any(unsigned, &[b"nan", b"inf"]) {
        return Err(ObjProblem::NotFinite(shown(word)));
    }
    let value: f64 =
        std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).ok_or_else(not_a_number)?;
    if value.is_finite() { Ok((value, rest)) } else { Err(ObjProblem::NotFinite(shown(word))) }
}

const MICROSOFT_NAMES: [&[u8]; 4] = [b"ind", b"inf", b"qnan", b"snan"];

/// Returns true if a word starts with one of some names, in any case.
fn starts_with_any(word: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|name| word.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
}

/// The vertex that a corner names, from 1: the part before the first slash. `count` is the number of vertices
/// above it.
fn index(word: &[u8], count: u64) -> Result<u64, ObjProblem> {
    let end = word.iter().position(|&byte| byte == b'/' || byte == b'#').unwrap_or(word.len());
    let text = std::str::from_utf8(&word[..end]).ok();
    let index: i64 =
        text.and_then(|text| text.parse().ok()).ok_or_else(|| ObjProblem::NotAnIndex(shown(word)))?;
    match index {
        0 => Err(ObjProblem::IndexZero),
        1.. => Ok(index.unsigned_abs()),
        _ if index.unsigned_abs() <= count => Ok(count + 1 - index.unsigned_abs()),
        _ => Err(ObjProblem::IndexOutOfRange { index, count }),
    }
}

/// A word for a message: readable, without control characters, and short.
fn shown(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = readable(&word[..word.len().min(LONGEST)]).escape_debug().to_string();
    if word.len() > LONGEST { format!("{text}..") } else { text }
}
