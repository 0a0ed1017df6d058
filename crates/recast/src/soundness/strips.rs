//! Regions cut into strips of one row: the last resort for regions that cannot be outlined.
//!
//! If a region has a cliff inside, and another region continues the cliff's upper side, the cliff's outline
//! is a slit: a line walked there and back. It encloses nothing, so it cannot be kept, and the other region
//! would border on a side that does not exist. Strips have no cliffs inside.

use crate::data::{Direction, RawContour, RawContours, RegionField, RegionId};
use std::collections::BTreeSet;

/// The regions that have a slit next to another region.
pub(crate) fn with_slits(raw: &RawContours) -> BTreeSet<RegionId> {
    let is_slit = |contour: &&RawContour| {
        contour.vertices.iter().any(|vertex| vertex.beyond.is_inner()) && contour.area2() == 0
    };
    raw.contours.iter().filter(is_slit).map(|contour| contour.region).collect()
}

/// Cuts these regions into strips along x; the first strip of each keeps its id. O(spans).
pub(crate) fn cut(regions: &mut RegionField, wanted: &BTreeSet<RegionId>) {
    let whole = regions.region.clone();
    let mut begun = BTreeSet::new();
    // Columns run along x, so the span to the west comes first.
    for (span, region) in whole.iter().enumerate().filter(|(_, region)| wanted.contains(region)) {
        let west = regions.field.neighbour(span, Direction::XMin).filter(|west| whole[*west] == *region);
        regions.region[span] = match west {
            Some(west) => regions.region[west],
            None if begun.insert(*region) => *region,
            None => {
                regions.count += 1;
                RegionId::inner(regions.count)
            }
        };
    }
    regions.count_spans();
}
