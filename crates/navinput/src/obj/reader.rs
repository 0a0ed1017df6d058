//! Reads an OBJ file statement by statement, and refuses what is wrong with its line and column.

use super::ObjLevel;
use super::labels::{LabelBuilder, readable};
use super::statements::{Statement, Statements, Word};
use crate::error::{InputError, ObjProblem, Place};
use navmath::limit;
use recast::Level;

/// Statements of an OBJ file that a level has no use for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ignored {
    /// Lines (`l`) and points (`p`).
    pub lines_and_points: u64,
    /// Statements with a keyword that OBJ does not know, or that describe curves and curved surfaces.
    pub unknown: u64,
    /// The first of these: where, and its keyword.
    pub first_unknown: Option<(Place, String)>,
}

/// Keywords that say nothing about where surfaces are.
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

pub(super) struct ObjReader<'a> {
    statements: Statements<'a>,
    vertices: Vec<[f64; 3]>,
    faces: u64,
    /// Corners are indices into `vertices`, which may stand further down in the file.
    triangles: Vec<[u32; 3]>,
    /// The largest index that no vertex stood behind when it was read, and where.
    largest_ahead: Option<(u64, Place)>,
    materials: LabelBuilder,
    groups: LabelBuilder,
    objects: LabelBuilder,
    ignored: Ignored,
}

impl<'a> ObjReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> ObjReader<'a> {
        ObjReader {
            statements: Statements::new(bytes),
            vertices: Vec::new(),
            faces: 0,
            triangles: Vec::new(),
            largest_ahead: None,
            materials: LabelBuilder::new(),
            groups: LabelBuilder::new(),
            objects: LabelBuilder::new(),
            ignored: Ignored::default(),
        }
    }

    pub(super) fn read(mut self) -> Result<ObjLevel, InputError> {
        while let Some(statement) = self.statements.next() {
            self.take(&statement)?;
        }
        self.check_whole()?;
        Ok(ObjLevel {
            level: used(&self.vertices, self.triangles),
            faces: self.faces,
            materials: self.materials.finish(),
            groups: self.groups.finish(),
            objects: self.objects.finish(),
            ignored: self.ignored,
        })
    }

    fn take(&mut self, statement: &Statement<'_>) -> Result<(), InputError> {
        let mut words = statement.words();
        let Some(keyword) = words.next() else { return Ok(()) };
        let behind = keyword.offset + keyword.bytes.len();
        match keyword.bytes {
            b"v" => self.vertex(statement, words, keyword)?,
            b"f" => self.face(statement, words, keyword)?,
            b"usemtl" => self.materials.set(readable(statement.rest(behind))),
            b"g" => self.groups.set(readable(statement.rest(behind))),
            b"o" => self.objects.set(readable(statement.rest(behind))),
            b"l" | b"p" => self.ignored.lines_and_points += 1,
            silent if SILENT.contains(&silent) => {}
            unknown => {
                self.ignored.unknown += 1;
                if self.ignored.first_unknown.is_none() {
                    self.ignored.first_unknown = Some((statement.place(keyword.offset), shown(unknown)));
                }
            }
        }
        Ok(())
    }

    fn vertex<'b>(
        &mut self,
        statement: &Statement<'_>,
        words: impl Iterator<Item = Word<'b>>,
        keyword: Word<'_>,
    ) -> Result<(), InputError> {
        let refuse = |offset: usize, problem| InputError::Obj { place: statement.place(offset), problem };
        let (mut position, mut count) = ([0.0; 3], 0);
        for word in words {
            let (number, commented) = number(word.bytes).map_err(|problem| refuse(word.offset, problem))?;
            // A weight or a colour behind the position must be numbers, but is not used.
            if let Some(coordinate) = position.get_mut(count) {
                *coordinate = number;
            }
            count += 1;
            if commented {
                break;
            }
        }
        if count < 3 {
            return Err(refuse(keyword.offset, ObjProblem::FewCoordinates(count)));
        }
        self.vertices.push(position);
        Ok(())
    }

    fn face<'b>(
        &mut self,
        statement: &Statement<'_>,
        words: impl Iterator<Item = Word<'b>>,
        keyword: Word<'_>,
    ) -> Result<(), InputError> {
        let refuse = |offset: usize, problem| InputError::Obj { place: statement.place(offset), problem };
        let count = self.vertices.len() as u64;
        let mut corners = Vec::new();
        for word in words {
            let index = index(word.bytes, count).map_err(|problem| refuse(word.offset, problem))?;
            if index > count.max(self.largest_ahead.map_or(0, |(largest, _)| largest)) {
                self.largest_ahead = Some((index, statement.place(word.offset)));
            }
            // An index of more than 32 bits is refused at the end: no level has that many vertices.
            corners.push((index - 1) as u32);
            if word.bytes.contains(&b'#') {
                break;
            }
        }
        if corners.len() < 3 {
            return Err(refuse(keyword.offset, ObjProblem::FewCorners(corners.len())));
        }
        self.faces += 1;
        self.triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
        for labels in [&mut self.materials, &mut self.groups, &mut self.objects] {
            labels.add_triangles(corners.len() - 2);
        }
        Ok(())
    }

    /// Checks at the end of the file.
    fn check_whole(&self) -> Result<(), InputError> {
        let (vertices, triangles) = (self.vertices.len() as u64, self.triangles.len() as u64);
        if let Some((index, place)) = self.largest_ahead.filter(|&(index, _)| index > vertices) {
            let index = i64::try_from(index).unwrap_or(i64::MAX);
            let problem = ObjProblem::IndexOutOfRange { index, count: vertices };
            return Err(InputError::Obj { place, problem });
        }
        let whole = |problem| InputError::ObjWhole { problem };
        if self.faces == 0 {
            return Err(whole(ObjProblem::NoFaces { vertices, unknown: self.ignored.unknown }));
        }
        let limit = u64::from(u32::MAX);
        let remedy = "a level holds no more";
        limit::check("vertices of a level", vertices, limit, remedy).map_err(|e| whole(e.into()))?;
        limit::check("triangles of a level", triangles, limit, remedy).map_err(|e| whole(e.into()))
    }
}

/// The triangles and the vertices that they use, in the order of their first use.
fn used(all: &[[f64; 3]], mut triangles: Vec<[u32; 3]>) -> Level {
    let mut new = vec![None; all.len()];
    let mut vertices = Vec::new();
    for corner in triangles.as_flattened_mut() {
        let old = *corner as usize;
        *corner = *new[old].get_or_insert_with(|| {
            vertices.push(all[old]);
            vertices.len() as u32 - 1
        });
    }
    Level { vertices, triangles, areas: Vec::new() }
}

/// The number that a word holds, and whether a comment is stuck to it.
fn number(word: &[u8]) -> Result<(f64, bool), ObjProblem> {
    let not_a_number = || ObjProblem::NotANumber(shown(word));
    let text = match word.iter().position(|&byte| byte == b'#') {
        // How the old Microsoft runtime writes what is not finite: 1.#QNAN, -1.#IND, 1.#INF.
        Some(hash)
            if word[..hash].ends_with(b".") && starts_with_any(&word[hash + 1..], &MICROSOFT_NAMES) =>
        {
            return Err(ObjProblem::NotFinite(shown(word)));
        }
        Some(hash) => &word[..hash],
        None => word,
    };
    let unsigned = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    if starts_with_any(unsigned, &[b"nan", b"inf"]) {
        return Err(ObjProblem::NotFinite(shown(word)));
    }
    let value: f64 =
        std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).ok_or_else(not_a_number)?;
    if value.is_finite() {
        Ok((value, text.len() < word.len()))
    } else {
        Err(ObjProblem::NotFinite(shown(word)))
    }
}

const MICROSOFT_NAMES: [&[u8]; 4] = [b"ind", b"inf", b"qnan", b"snan"];

/// Whether a word starts with one of some names, in any case.
fn starts_with_any(word: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|name| word.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
}

/// The vertex a corner names, from 1: the part before the first slash. `count` vertices stand above it.
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
