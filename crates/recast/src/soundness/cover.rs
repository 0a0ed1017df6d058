//! Whether simplified outlines cover the ground once: no gap and no overlap.

use crate::data::{RawContour, SimplifiedContours};
use crate::error::Error;

/// Whether an outline is none of a hole or a slit, or one of a hole on the tile's border.
pub(crate) fn must_stay(contour: &RawContour) -> bool {
    let area = contour.area2();
    area > 0 || (area < 0 && contour.vertices.iter().any(|vertex| vertex.beyond.is_border()))
}

/// Whether all regions less their holes cover as much as the edges do beyond which there is no region: then no gap and no
/// overlap is between them. Exact, in half cells.
pub(crate) fn check(simplified: &SimplifiedContours) -> Result<(), Error> {
    let mut between = 0i128;
    for contour in &simplified.contours {
        let ends = contour.vertices.iter().skip(1).chain(contour.vertices.first());
        for (from, to) in contour.vertices.iter().zip(ends).filter(|(from, _)| from.beyond.is_inner()) {
            let ([ax, az], [bx, bz]) = (from.plan().map(i64::from), to.plan().map(i64::from));
            between += i128::from(ax * bz - bx * az);
        }
    }
    // The ground that regions cover is a sum over all their edges; those between regions must cancel each other.
    if between == 0 { Ok(()) } else { Err(Error::gaps(&simplified.grid, between)) }
}
