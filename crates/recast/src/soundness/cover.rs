//! Checks that simplified outlines cover the ground exactly once: no gap and no overlap.

use crate::data::{RawContour, SimplifiedContours};
use crate::error::Error;
use navmath::FIXED_ONE;

/// Returns true for an outline around ground and for a hole on the tile's border; false for a slit and for
/// all other holes.
pub(crate) fn must_stay(contour: &RawContour) -> bool {
    let area = contour.area2();
    area > 0 || (area < 0 && contour.vertices.iter().any(|vertex| vertex.beyond.is_border()))
}

/// Checks that all regions without their holes cover the same area that is enclosed by the edges without a
/// region on the other side: then there is no gap and no overlap between them. Exact.
pub(crate) fn check(simplified: &SimplifiedContours) -> Result<(), Error> {
    let mut between = 0i128;
    for contour in &simplified.contours {
        let ends = contour.vertices.iter().skip(1).chain(contour.vertices.first());
        for (from, to) in contour.vertices.iter().zip(ends).filter(|(from, _)| from.beyond.is_inner()) {
            let ([ax, az], [bx, bz]) = (from.plan().map(i64::from), to.plan().map(i64::from));
            between += i128::from(ax * bz - bx * az);
        }
    }
    // The area that regions cover is a sum over all their edges; the edges between regions must cancel each
    // other.
    if between == 0 {
        return Ok(());
    }
    let cells = between as f64 / f64::from(2 * FIXED_ONE * FIXED_ONE);
    Err(Error::gaps(&simplified.grid, cells))
}
