//! Questions about moves and surroundings: moves along the surface, walls, polygons within a circle.

use super::RuntimeError;
use super::asker::Asker;
use super::draw::Draw;
use super::graph::{distance, flat_distance, point};
use super::model::{Circle, flood};
use super::verdict::{SAME, Verdict};
use super::walk::walk;
use detour::{Neighbourhood, Vec3};
use std::collections::{BTreeMap, BTreeSet};

/// A short move along the surface.
pub fn slide(asker: &mut Asker<'_>, draw: &mut Draw) -> Result<Verdict, RuntimeError> {
    let (pair, filters) = (asker.pair, asker.filters(false));
    let (number, place) = draw.place(pair)?;
    let reach = draw.between(0.1, 4.0);
    let goal = draw.about(place.point, reach) + Vec3::Y * draw.between(-1.0, 1.0) as f32;
    asker.ours.slide(&pair.ours, place, goal, &filters.ours, &mut asker.slide)?;
    let (found, count) = asker.theirs.move_along_surface(
        pair.their_ref(number),
        &place.point.to_array(),
        &goal.to_array(),
        &filters.theirs,
        &mut asker.polygons,
    )?;
    let mine = point(asker.slide.point.to_array());
    let (ours, theirs) = (pair.numbers(&asker.slide.polygons), pair.their_numbers(&asker.polygons[..count]));
    let (found, goal) = (point(found), point(goal.to_array()));
    let show = || {
        format!(
            "slide from {number} {} to {goal:?}: {mine:?} {ours:?}, theirs {found:?} {theirs:?}",
            place.point
        )
    };
    if flat_distance(mine, found) <= SAME {
        return Ok(if ours.last() == theirs.last() { Verdict::Equal } else { Verdict::Tie });
    }
    if (flat_distance(mine, goal) - flat_distance(found, goal)).abs() <= SAME {
        return Ok(Verdict::Tie);
    }
    let start = (number, point(place.point.to_array()));
    // Theirs is the distance in three dimensions.
    let [flat, whole_length] = [flat_distance(start.1, goal), distance(start.1, goal)];
    let slack = pair.ours.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(navmath::FIXED_ONE));
    let modelled = |theirs: bool, whole: bool| {
        let graph = if theirs { &pair.bytes } else { &pair.exact };
        let reach = if theirs { whole_length / 2.0 + SAME } else { flat / 2.0 + slack };
        walk(graph, start, goal, reach, whole)
    };
    if flat_distance(modelled(false, false), mine) > SAME {
        return Ok(Verdict::Unexplained(format!("not modelled {:?}: {}", modelled(false, false), show())));
    }
    for (id, bytes, whole) in
        [("slide-reach", true, false), ("slide-seams", false, true), ("slide-seams", true, true)]
    {
        if flat_distance(modelled(bytes, whole), found) <= SAME {
            return Ok(Verdict::Deviates(id, show()));
        }
    }
    Ok(Verdict::Unexplained(format!("{:?} {}", modelled(true, true), show())))
}

/// The nearest wall.
pub fn wall(asker: &mut Asker<'_>, draw: &mut Draw) -> Result<Verdict, RuntimeError> {
    let (pair, filters) = (asker.pair, asker.filters(false));
    let (number, place) = draw.place(pair)?;
    let radius = draw.between(0.2, 8.0) as f32;
    let ours = asker.ours.wall_distance(&pair.ours, place, radius, &filters.ours)?;
    let (distance, found, _) = asker.theirs.find_distance_to_wall(
        pair.their_ref(number),
        &place.point.to_array(),
        radius,
        &filters.theirs,
    )?;
    let mine = ours.map_or(radius, |wall| wall.distance);
    if f64::from((mine - distance).abs()) > SAME {
        return Ok(Verdict::Unexplained(format!(
            "wall from {number} {} within {radius}: {ours:?}, theirs {distance} at {found:?}",
            place.point
        )));
    }
    let same = ours.is_none_or(|wall| flat_distance(point(wall.point.to_array()), point(found)) <= SAME);
    Ok(if same { Verdict::Equal } else { Verdict::Tie })
}

/// The polygons around a circle, with their costs.
pub fn around(asker: &mut Asker<'_>, draw: &mut Draw) -> Result<Verdict, RuntimeError> {
    let costly = draw.between(0.0, 1.0) < 0.5;
    let (pair, filters) = (asker.pair, asker.filters(costly));
    let (number, place) = draw.place(pair)?;
    let radius = draw.between(0.2, 12.0) as f32;
    asker.ours.around_circle(&pair.ours, place, radius, &filters.ours, &mut asker.around)?;
    let count = asker.theirs.find_polys_around_circle(
        pair.their_ref(number),
        &place.point.to_array(),
        radius,
        &filters.theirs,
        Some(&mut asker.polygons),
        None,
        Some(&mut asker.costs),
    )?;
    // In the order in which they were settled.
    let mine = asker.around.polygons.iter();
    let mine: Vec<_> =
        mine.filter_map(|reached| Some((pair.number(reached.polygon)?, reached.cost))).collect();
    let found: Vec<_> = (0..count)
        .filter_map(|at| Some((pair.their_number(asker.polygons[at])?, f64::from(asker.costs[at]))))
        .collect();
    let [our_order, their_order] =
        [&mine, &found].map(|list| list.iter().map(|&(number, _)| number).collect::<Vec<_>>());
    let [ours, theirs] = [mine, found].map(|list| list.into_iter().collect::<BTreeMap<_, _>>());
    if alike(&ours, &theirs) {
        return Ok(Verdict::Equal);
    }
    let show = || {
        let other: Vec<_> =
            ours.keys().chain(theirs.keys()).filter(|n| !close(ours.get(n), theirs.get(n))).collect();
        let costs: Vec<_> = other.iter().map(|n| (n, ours.get(n), theirs.get(n))).collect();
        format!(
            "around {number} {} within {radius}, costs {costly}: polygon, ours, theirs {costs:?}",
            place.point
        )
    };
    let modelled = |circle: Circle, order: &[usize], radius: f32| {
        let graph = if circle.bytes { &pair.bytes } else { &pair.exact };
        flood(graph, &filters, circle, order, (number, point(place.point.to_array())), f64::from(radius))
    };
    let causes = [("circle-points", false, true), ("seam-bytes", true, false), ("seam-bytes", true, true)];
    let known = alike(&modelled(Circle::default(), &our_order, radius), &ours);
    let caused = |&&(_, bytes, fixed): &&(&str, bool, bool), radius: f32| {
        alike(&modelled(Circle { bytes, fixed }, &their_order, radius), &theirs)
    };
    let cause = causes.iter().find(|cause| caused(cause, radius)).map(|cause| cause.0);
    let rounded = || {
        let any = |radius| causes.iter().chain(&[("", false, false)]).any(|cause| caused(&cause, radius));
        roundings(radius).into_iter().any(any).then_some("circle-rounding")
    };
    Ok(match cause.or_else(rounded) {
        Some(id) if known => Verdict::Deviates(id, show()),
        _ => Verdict::Unexplained(show()),
    })
}

/// The relative rounding error of the C++ library's distances: some steps of f32, for the differences and the
/// squares.
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// Radii at which a circle meets the openings that it misses, or misses those that it meets, by rounding
/// alone.
fn roundings(radius: f32) -> [f32; 2] {
    [radius * (1.0 + ROUNDING), radius * (1.0 - ROUNDING)]
}

/// Returns true if two costs are the same, or both are missing.
fn close(a: Option<&f64>, b: Option<&f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= SAME,
        _ => a.is_none() && b.is_none(),
    }
}

/// Returns true if the same polygons were found at the same costs.
fn alike(a: &BTreeMap<usize, f64>, b: &BTreeMap<usize, f64>) -> bool {
    a.len() == b.len() && a.iter().all(|(n, cost)| close(Some(cost), b.get(n)))
}

/// The local neighbourhood.
pub fn neighbourhood(asker: &mut Asker<'_>, draw: &mut Draw) -> Result<Verdict, RuntimeError> {
    let (pair, filters) = (asker.pair, asker.filters(false));
    let (number, place) = draw.place(pair)?;
    let radius = draw.between(0.2, 5.0) as f32;
    let limit = asker.polygons.len();
    let mut found = Neighbourhood::default();
    let mut within = |radius: f32| -> Result<BTreeSet<usize>, RuntimeError> {
        asker.ours.neighbourhood(&pair.ours, place, radius, limit, &filters.ours, &mut found)?;
        Ok(found.polygons.iter().filter_map(|neighbour| pair.number(neighbour.polygon)).collect())
    };
    let ours = within(radius)?;
    let [wider, narrower] = roundings(radius).map(within);
    let count = asker.theirs.find_local_neighbourhood(
        pair.their_ref(number),
        &place.point.to_array(),
        radius,
        &filters.theirs,
        &mut asker.polygons,
        Some(&mut asker.parents),
    )?;
    let theirs: BTreeMap<usize, Option<usize>> = asker.polygons[..count]
        .iter()
        .zip(&asker.parents)
        .filter_map(|(&found, &parent)| Some((pair.their_number(found)?, pair.their_number(parent))))
        .collect();
    if ours.iter().eq(theirs.keys()) {
        return Ok(Verdict::Equal);
    }
    let show =
        format!("neighbourhood of {number} {} within {radius}: {ours:?}, theirs {theirs:?}", place.point);
    if [wider?, narrower?].iter().any(|rounded| rounded.iter().eq(theirs.keys())) {
        return Ok(Verdict::Deviates("circle-rounding", show));
    }
    // A polygon over one that was already found counts if it is entered from a neighbour of that polygon.
    let slack = pair.ours.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(navmath::FIXED_ONE));
    let polygons = &pair.exact.polygons;
    let over = |a: usize, b: usize| polygons[a].overlaps(&polygons[b], slack);
    let linked = |from: Option<usize>, to: usize| {
        from.is_some_and(|from| polygons[from].ways.iter().any(|way| way.to == to))
    };
    let mut more = theirs.iter().filter(|(found, _)| !ours.contains(found));
    let counted = |(&found, &parent): (&usize, &Option<usize>)| {
        let over_known = ours.iter().any(|&known| {
            let other = theirs.get(&known).copied().flatten();
            over(found, known) && (linked(parent, known) || linked(other, found))
        });
        over_known || parent.is_some_and(|parent| !ours.contains(&parent))
    };
    let fewer = ours.iter().all(|found| theirs.contains_key(found));
    Ok(if fewer && more.all(counted) {
        Verdict::Deviates("linked-overlap", show)
    } else {
        Verdict::Unexplained(show)
    })
}
