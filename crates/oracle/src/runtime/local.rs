//! Questions about one place: the nearest polygon, the height.

use super::RuntimeError;
use super::asker::Asker;
use super::draw::Draw;
use super::graph::point;
use super::verdict::{SAME, Verdict};
use detour::{Nearest, QueryError, Vec3};

/// The distance that counts: under or over a polygon, only the part beyond the climb.
fn counted(at: Vec3, found: Vec3, over: bool, climb: f64) -> f64 {
    let away = (found - at).as_dvec3();
    if over { (away.y.abs() - climb).max(0.0) } else { away.length() }
}

/// The polygon nearest to a point within metres of the mesh, in a box of a random size.
pub fn nearest(asker: &mut Asker<'_>, draw: &mut Draw) -> Result<Verdict, RuntimeError> {
    let pair = asker.pair;
    let (_, place) = draw.place(pair)?;
    let at = draw.about(place.point, 1.5) + Vec3::Y * draw.between(-1.5, 1.5) as f32;
    let extents = Vec3::new(
        draw.between(0.2, 2.5) as f32,
        draw.between(0.2, 4.0) as f32,
        draw.between(0.2, 2.5) as f32,
    );
    let filters = asker.filters(false);
    let ours = match asker.ours.nearest(&pair.ours, at, extents, &filters.ours) {
        Ok(nearest) => Some(nearest),
        Err(QueryError::NothingNear { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let (reference, found, over) =
        asker.theirs.find_nearest_poly_2(&at.to_array(), &extents.to_array(), &filters.theirs)?;
    let theirs = pair.their_number(reference).map(|number| (number, Vec3::from_array(found), over));
    let show = || format!("nearest to {at} within {extents}: ours {ours:?}, theirs {theirs:?}");
    if let (Some(ours), Some((number, found, _))) = (ours, theirs)
        && ours.point.distance(found) <= SAME as f32
    {
        let same = pair.number(ours.polygon) == Some(number);
        return Ok(if same { Verdict::Equal } else { Verdict::Tie });
    }
    let (Some((_, their_point, over)), climb) = (theirs, f64::from(pair.climb())) else {
        return Ok(if ours.is_none() { Verdict::Equal } else { Verdict::Unexplained(show()) });
    };
    let mine = ours.map_or(f64::INFINITY, |ours| counted(at, ours.point, ours.over_polygon, climb));
    let is_cut = match &ours {
        Some(ours) => is_cut_to_the_box(asker, at, extents, ours)?,
        None => false,
    };
    if outside(at, extents, their_point, 0.0) || is_cut {
        // Ours must be as good as the best of their points within the box. No polygon can be better, except
        // one whose closest point, by their measure, is outside.
        let [within, nearly] = [-SAME, SAME].map(|slack| least_within(asker, at, extents, slack));
        let right = (is_cut || nearly? - SAME <= mine) && mine <= within? + SAME;
        return Ok(if right {
            Verdict::Deviates("nearest-box", show())
        } else {
            Verdict::Unexplained(show())
        });
    }
    let other = counted(at, their_point, over, climb);
    let closer = ours.is_some_and(|ours| ours.point.distance(at) <= their_point.distance(at));
    Ok(if (mine - other).abs() > SAME {
        Verdict::Unexplained(show())
    } else if mine == 0.0 && other == 0.0 && closer {
        Verdict::Deviates("nearest-order", show())
    } else {
        Verdict::Tie
    })
}

/// Returns true if our point is ground in the box, but the C++ library's closest point of that polygon is
/// outside the box.
fn is_cut_to_the_box(
    asker: &Asker<'_>,
    at: Vec3,
    extents: Vec3,
    ours: &Nearest,
) -> Result<bool, RuntimeError> {
    let Some(number) = asker.pair.number(ours.polygon) else { return Ok(false) };
    let reference = asker.pair.their_ref(number);
    let (closest, _) = asker.theirs.closest_point_on_poly(reference, &at.to_array())?;
    // The point is on the ground if they find it to be the point closest to itself.
    let (ground, _) = asker.theirs.closest_point_on_poly(reference, &ours.point.to_array())?;
    Ok(outside(at, extents, Vec3::from_array(closest), -SAME)
        // Our box is wider by 1/256 cell.
        && !outside(at, extents, ours.point, 2.0 * SAME)
        && Vec3::from_array(ground).distance(ours.point) <= SAME as f32)
}

/// The least distance that counts, by the C++ library's closest points, over the polygons whose closest point
/// is within the box enlarged by `slack` metres.
fn least_within(asker: &Asker<'_>, at: Vec3, extents: Vec3, slack: f64) -> Result<f64, RuntimeError> {
    let (pair, mut least) = (asker.pair, f64::INFINITY);
    for number in 0..pair.len() {
        let (found, over) = asker.theirs.closest_point_on_poly(pair.their_ref(number), &at.to_array())?;
        let found = Vec3::from_array(found);
        if !outside(at, extents, found, slack) {
            least = least.min(counted(at, found, over, f64::from(pair.climb())));
        }
    }
    Ok(least)
}

/// Returns true if a point is outside the searched box enlarged by `slack` metres.
fn outside(at: Vec3, extents: Vec3, found: Vec3, slack: f64) -> bool {
    let away = (found - at).abs().as_dvec3();
    let extents = extents.as_dvec3();
    away.x > extents.x + slack || away.y > extents.y + slack || away.z > extents.z + slack
}

/// The height at a place.
pub fn height(asker: &mut Asker<'_>, draw: &mut Draw) -> Result<Verdict, RuntimeError> {
    let pair = asker.pair;
    let (number, place) = draw.place(pair)?;
    let ours = pair.ours.height(place.polygon, place.point)?;
    let theirs = asker.theirs.get_poly_height(pair.their_ref(number), &place.point.to_array()).ok();
    Ok(match (ours, theirs) {
        (None, None) => Verdict::Equal,
        (Some(ours), Some(theirs)) if f64::from((ours - theirs).abs()) <= SAME => Verdict::Equal,
        _ if pair.exact.polygons[number].outline_distance(point(place.point.to_array())) <= SAME => {
            Verdict::Tie
        }
        _ => Verdict::Unexplained(format!(
            "height of {number} at {}: {ours:?}, theirs {theirs:?}",
            place.point
        )),
    })
}
