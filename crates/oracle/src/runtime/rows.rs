//! The questions of RecastDemo's test files: a line that begins with `pf` asks for a path, a line with `rc`
//! for a ray. Six coordinates follow, start and goal, then the flags of which a polygon must have at least
//! one, and the flags that it must not have.

use super::RuntimeError;
use super::asker::Asker;
use super::paths::{compare_search, compare_straight};
use super::ray::compare;
use super::verdict::VerdictRow;
use detour::{Place, Vec3};

/// Half extents of RecastDemo's search for a polygon.
const EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);

/// A line of a test file that is a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedQuestion {
    /// The number of the line, from 1.
    pub line: u64,
    /// True if it asks for a ray, false for a path.
    pub is_ray: bool,
    /// World metres.
    pub start: Vec3,
    /// World metres.
    pub goal: Vec3,
}

/// The questions of a test file.
///
/// Errors: a line that begins like a question but is not valid.
pub fn questions(text: &str) -> Result<Vec<RecordedQuestion>, RuntimeError> {
    let mut questions = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let Some((kind, numbers)) = text.split_once(' ').filter(|(kind, _)| ["pf", "rc"].contains(kind))
        else {
            continue;
        };
        let values: Vec<f32> =
            numbers.split_whitespace().take(6).filter_map(|word| word.parse().ok()).collect();
        let &[ax, ay, az, bx, by, bz] = values.as_slice() else { return Err(RuntimeError::Line(line)) };
        let (start, goal) = (Vec3::new(ax, ay, az), Vec3::new(bx, by, bz));
        questions.push(RecordedQuestion { line, is_ray: kind == "rc", start, goal });
    }
    Ok(questions)
}

/// Asks both libraries the questions of a test file. Every polygon of the pair has flag 1, which the filters
/// of all files let pass.
///
/// Errors: a line that begins like a question but is not valid; a start or goal that is not near the mesh.
pub fn measure(asker: &mut Asker<'_>, text: &str) -> Result<[VerdictRow; 3], RuntimeError> {
    let mut rows = [
        VerdictRow::new("pf: find path"),
        VerdictRow::new("pf: straight path"),
        VerdictRow::new("rc: raycast"),
    ];
    for RecordedQuestion { line, is_ray, start, goal } in questions(text)? {
        if is_ray {
            let first = place(asker, start)?;
            // RecastDemo casts from the given point.
            rows[2].count(line, compare(asker, (first.0, Place { point: start, ..first.1 }), goal)?);
        } else {
            let ends = [place(asker, start)?, place(asker, goal)?];
            rows[0].count(line, compare_search(asker, ends, false)?);
            rows[1].count(line, compare_straight(asker, ends)?);
        }
    }
    Ok(rows)
}

/// The place that RecastDemo uses for a point, with the number of its polygon.
pub fn place(asker: &mut Asker<'_>, at: Vec3) -> Result<(usize, Place), RuntimeError> {
    let filters = asker.filters(false);
    let place = asker.ours.nearest(&asker.pair.ours, at, EXTENTS, &filters.ours)?.place();
    let number = asker.pair.number(place.polygon).ok_or(RuntimeError::Unnumbered(place.polygon))?;
    Ok((number, place))
}
