//! Rays: the free distance in a straight line.

use super::RuntimeError;
use super::asker::Asker;
use super::draw::Draw;
use super::graph::{Point, flat_distance, lerp, point};
use super::pair::Pair;
use super::verdict::{SAME, Verdict};
use detour::{Place, Vec3};

/// End of a ray: the free part of it, and the number of the polygon it ends in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// 0 to 1; 1 if it reaches its goal.
    pub fraction: f64,
    /// True if the ray reaches its goal.
    pub clear: bool,
    /// The polygon.
    pub polygon: Option<usize>,
}

/// Our ray.
pub fn ours(asker: &mut Asker<'_>, start: Place, goal: Vec3) -> Result<Hit, RuntimeError> {
    let filters = asker.filters(false);
    asker.ours.raycast(&asker.pair.ours, start, goal, &filters.ours, &mut asker.ray)?;
    let ray = &asker.ray;
    let polygon = ray.polygons.last().and_then(|&last| asker.pair.number(last));
    Ok(Hit { fraction: ray.fraction, clear: ray.is_clear(), polygon })
}

/// The C++ library's ray.
pub fn theirs(asker: &mut Asker<'_>, start: (usize, Vec3), goal: Vec3) -> Result<Hit, RuntimeError> {
    let filters = asker.filters(false);
    let (fraction, _, count) = asker.theirs.raycast_1(
        asker.pair.their_ref(start.0),
        &start.1.to_array(),
        &goal.to_array(),
        &filters.theirs,
        Some(&mut asker.polygons),
    )?;
    let polygon = asker.polygons[..count].last().and_then(|&last| asker.pair.their_number(last));
    Ok(Hit { fraction: f64::from(fraction).min(1.0), clear: fraction > 1.0, polygon })
}

/// A ray from a random place to a point within some metres; four of ten go to a corner of the mesh, or
/// through one.
pub fn raycast(asker: &mut Asker<'_>, draw: &mut Draw) -> Result<Verdict, RuntimeError> {
    let (number, place) = draw.place(asker.pair)?;
    let reach = draw.between(0.5, 15.0);
    let goal = match draw.between(0.0, 1.0) {
        plain if plain < 0.6 => draw.about(place.point, reach),
        to if to < 0.8 => corner_near(asker.pair, draw, number),
        _ => place.point.lerp(corner_near(asker.pair, draw, number), 1.5),
    };
    compare(asker, (number, place), goal)
}

/// A corner of a polygon that is up to four polygons away.
fn corner_near(pair: &Pair, draw: &mut Draw, mut number: usize) -> Vec3 {
    let mut choose = |count: usize| draw.between(0.0, count as f64) as usize;
    for _ in 0..choose(5) {
        let ways = &pair.exact.polygons[number].ways;
        if !ways.is_empty() {
            number = ways[choose(ways.len())].to;
        }
    }
    let corners = &pair.exact.polygons[number].corners;
    Vec3::from_array(corners[choose(corners.len())].map(|value| value as f32))
}

/// The result of a ray.
pub fn compare(
    asker: &mut Asker<'_>,
    (number, place): (usize, Place),
    goal: Vec3,
) -> Result<Verdict, RuntimeError> {
    let mine = ours(asker, place, goal)?;
    let other = theirs(asker, (number, place.point), goal)?;
    let (start, end) = (point(place.point.to_array()), point(goal.to_array()));
    let [mine_at, other_at] = [mine, other].map(|hit| lerp(start, end, hit.fraction));
    if flat_distance(mine_at, other_at) <= SAME {
        let same = mine.polygon == other.polygon && mine.clear == other.clear;
        return Ok(if same { Verdict::Equal } else { Verdict::Tie });
    }
    let show = format!(
        "ray from {number} {start:?} to {end:?}: {mine:?} {mine_at:?}, theirs {other:?} {other_at:?}"
    );
    let shorter = if mine.fraction < other.fraction { mine } else { other };
    Ok(match grazed(asker.pair, shorter.polygon, start, end, lerp(start, end, shorter.fraction)) {
        // Ours continues along whichever side is open.
        Some(true) if mine.fraction > other.fraction => Verdict::Deviates("ray-corners", show),
        Some(true) => Verdict::Unexplained(show),
        Some(false) => Verdict::Tie,
        None => Verdict::Unexplained(show),
    })
}

/// The unit of integer coordinates, about a millionth of a millionth of a metre, so that products are exact.
const UNIT: f64 = (1u64 << 40) as f64;

/// A coordinate as an integer.
fn integer(value: f64) -> i128 {
    (value * UNIT).round() as i128
}

/// Returns `Some` if a corner of the polygon is near the ray's end and within [`SAME`] of its line;
/// `Some(true)` if it is exactly on the line.
fn grazed(pair: &Pair, polygon: Option<usize>, start: Point, end: Point, at: Point) -> Option<bool> {
    let corners = &pair.exact.polygons[polygon?].corners;
    let along = [integer(end[0]) - integer(start[0]), integer(end[2]) - integer(start[2])];
    let length = ((along[0] as f64).hypot(along[1] as f64)).max(1.0);
    let mut found = None;
    for corner in corners {
        let to = [integer(corner[0]) - integer(start[0]), integer(corner[2]) - integer(start[2])];
        let side = along[0] * to[1] - along[1] * to[0];
        let away = side.unsigned_abs() as f64 / length / UNIT;
        if away <= SAME && flat_distance(*corner, at) <= 10.0 * SAME {
            found = Some(found.unwrap_or(false) || side == 0);
        }
    }
    found
}
