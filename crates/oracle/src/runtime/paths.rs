//! Questions about paths: the costs of the strings through the polygons that both find, and strings through
//! the same polygons.

use super::RuntimeError;
use super::asker::Asker;
use super::draw::Draw;
use super::graph::{Point, distance, flat_distance, point};
use super::string::{flat_length, pull, same_line};
use super::verdict::{SAME, Verdict};
use detour::{Crossings, Optimality, PathOptions, PathStatus, Place};

/// A path whose string costs more than the C++ library's by this factor is a fault, not a deviation: first
/// where all areas cost the same, then where they do not. Neither library pulls strings by costs.
const TOO_LONG: [f64; 2] = [1.25, 1.5];

/// Two random places: number and place.
pub fn ends(asker: &Asker<'_>, draw: &mut Draw) -> Result<[(usize, Place); 2], RuntimeError> {
    Ok([draw.place(asker.pair)?, draw.place(asker.pair)?])
}

/// The C++ library's path; empty if it does not reach the goal.
pub fn their_path(
    asker: &mut Asker<'_>,
    [start, goal]: [(usize, Place); 2],
    costly: bool,
) -> Result<Vec<usize>, RuntimeError> {
    let (pair, filters) = (asker.pair, asker.filters(costly));
    let count = asker.theirs.find_path(
        pair.their_ref(start.0),
        pair.their_ref(goal.0),
        &start.1.point.to_array(),
        &goal.1.point.to_array(),
        &filters.theirs,
        &mut asker.polygons,
    )?;
    Ok(pair.their_numbers(&asker.polygons[..count]))
}

/// Our path; `true` if it reaches the goal.
pub fn our_path(
    asker: &mut Asker<'_>,
    [start, goal]: [(usize, Place); 2],
    costly: bool,
    optimality: Optimality,
) -> Result<(Vec<usize>, bool), RuntimeError> {
    let filters = asker.filters(costly);
    let options = PathOptions { optimality };
    asker.ours.find_path(&asker.pair.ours, start.1, goal.1, &filters.ours, &options, &mut asker.path)?;
    let complete = asker.path.status == PathStatus::Complete;
    Ok((asker.pair.numbers(&asker.path.polygons), complete))
}

/// A path between random places.
pub fn search(asker: &mut Asker<'_>, draw: &mut Draw) -> Result<Verdict, RuntimeError> {
    let costly = draw.between(0.0, 1.0) < 0.5;
    let ends = ends(asker, draw)?;
    compare_search(asker, ends, costly)
}

/// The result of a search.
pub fn compare_search(
    asker: &mut Asker<'_>,
    ends: [(usize, Place); 2],
    costly: bool,
) -> Result<Verdict, RuntimeError> {
    let (ours, complete) = our_path(asker, ends, costly, Optimality::Fast)?;
    let theirs = their_path(asker, ends, costly)?;
    let goal = (ends[1].0, point(ends[1].1.point.to_array()));
    let show =
        format!("path from {:?} to {:?}, costs {costly}: {ours:?}, theirs {theirs:?}", ends[0], ends[1]);
    let theirs_complete = theirs.last() == Some(&goal.0);
    if ours == theirs && complete == theirs_complete {
        return Ok(Verdict::Equal);
    }
    match (complete, theirs_complete) {
        (true, true) => {}
        (false, false) => return partial(asker, &theirs, goal.1, show),
        _ => return Ok(Verdict::Unexplained(show)),
    }
    let [mine, other] =
        [string_cost(asker, &ours, ends, costly)?, string_cost(asker, &theirs, ends, costly)?];
    let (Some(mine), Some(other)) = (mine, other) else { return Ok(Verdict::Unexplained(show)) };
    let show = format!("{mine} and {other} for {show}");
    Ok(if mine <= other + SAME {
        Verdict::Tie
    } else if mine <= other * TOO_LONG[usize::from(costly)] + SAME {
        Verdict::Deviates("entry-points", show)
    } else {
        Verdict::Unexplained(show)
    })
}

/// The cost of the string through a row of polygons; `None` if our mesh has no link between two of them.
fn string_cost(
    asker: &mut Asker<'_>,
    polygons: &[usize],
    [start, goal]: [(usize, Place); 2],
    costly: bool,
) -> Result<Option<f64>, RuntimeError> {
    let (mesh, filters) = (&asker.pair.ours, asker.filters(costly));
    let polygons: Vec<_> = polygons.iter().map(|&number| asker.pair.our_ref(number)).collect();
    let (from, to) = (start.1.point, goal.1.point);
    asker.ours.straight_path(mesh, from, to, &polygons, Crossings::All, &mut asker.straight)?;
    if asker.straight.broken_at.is_some() {
        return Ok(None);
    }
    let mut cost = 0.0;
    for pair in asker.straight.corners.windows(2) {
        let metre = filters.cost(mesh.attributes(pair[0].polygon)?.area);
        cost += f64::from(pair[0].point.distance(pair[1].point)) * metre;
    }
    Ok(Some(cost))
}

/// If both paths miss their goal, ours must end at least as near to it as theirs.
fn partial(asker: &Asker<'_>, theirs: &[usize], goal: Point, show: String) -> Result<Verdict, RuntimeError> {
    let Some(&last) = theirs.last() else { return Ok(Verdict::Unexplained(show)) };
    let (found, _) =
        asker.theirs.closest_point_on_poly(asker.pair.their_ref(last), &goal.map(|value| value as f32))?;
    let nearer = distance(point(asker.path.end.to_array()), goal) <= distance(point(found), goal) + SAME;
    Ok(if nearer { Verdict::Deviates("partial-end", show) } else { Verdict::Unexplained(show) })
}

/// The string between random places through our polygons, pulled by both.
pub fn straight(asker: &mut Asker<'_>, draw: &mut Draw) -> Result<Verdict, RuntimeError> {
    let ends = ends(asker, draw)?;
    compare_straight(asker, ends)
}

/// The result of a pull.
pub fn compare_straight(asker: &mut Asker<'_>, ends: [(usize, Place); 2]) -> Result<Verdict, RuntimeError> {
    let (polygons, _) = our_path(asker, ends, false, Optimality::Fast)?;
    let ours = our_string(asker, ends)?;
    let theirs = their_string(asker, &polygons, ends)?;
    if same_line(&ours, &theirs) {
        return Ok(Verdict::Equal);
    }
    let (mine, other) = (flat_length(&ours), flat_length(&theirs));
    let show = || format!("string through {polygons:?}: {mine} m {ours:?}, theirs {other} m {theirs:?}");
    let (Some(&start), Some(&goal)) = (ours.first(), ours.last()) else {
        return Ok(Verdict::Unexplained(show()));
    };
    if let (Some(&last), Some(&their_last)) = (polygons.last(), theirs.last()) {
        // The goal is outside the last polygon: we move it to the outline of the polygon's surface, they move
        // it to its edges.
        let edges = asker.pair.exact.polygons[last].outline_distance(their_last);
        let kept = asker.pair.ours.closest_point_on_boundary(asker.pair.our_ref(last), ends[1].1.point)?;
        let moved = pull(&asker.pair.exact, &polygons, start, their_last);
        if flat_distance(point(kept.to_array()), goal) <= SAME
            && edges <= SAME
            && moved.is_some_and(|moved| same_line(&moved, &theirs))
        {
            return Ok(Verdict::Deviates("end-on-surface", show()));
        }
    }
    let by_theirs = pull(&asker.pair.bytes, &polygons, start, goal);
    let by_ours = pull(&asker.pair.exact, &polygons, start, goal);
    let like = |line: &Option<Vec<Point>>, length: f64| {
        line.as_ref().is_some_and(|line| (flat_length(line) - length).abs() <= SAME)
    };
    Ok(if like(&by_theirs, other) && like(&by_ours, mine) && !like(&by_theirs, mine) {
        Verdict::Deviates("seam-bytes", show())
    } else if (mine - other).abs() <= SAME {
        Verdict::Tie
    } else {
        Verdict::Unexplained(show())
    })
}

/// The points of our string through the polygons of [`Asker::path`].
pub fn our_string(asker: &mut Asker<'_>, ends: [(usize, Place); 2]) -> Result<Vec<Point>, RuntimeError> {
    let [start, goal] = ends.map(|(_, place)| place.point);
    let (mesh, none) = (&asker.pair.ours, Crossings::None);
    asker.ours.straight_path(mesh, start, goal, &asker.path.polygons, none, &mut asker.straight)?;
    Ok(asker.straight.corners.iter().map(|corner| point(corner.point.to_array())).collect())
}

/// The points of the C++ library's string through these polygons.
pub fn their_string(
    asker: &mut Asker<'_>,
    polygons: &[usize],
    ends: [(usize, Place); 2],
) -> Result<Vec<Point>, RuntimeError> {
    let references: Vec<_> = polygons.iter().map(|&number| asker.pair.their_ref(number)).collect();
    let [start, goal] = ends.map(|(_, place)| place.point.to_array());
    let count =
        asker.theirs.find_straight_path(&start, &goal, &references, &mut asker.points, None, None, 0)?;
    Ok(asker.points[..count].iter().map(|&p| point(p)).collect())
}
