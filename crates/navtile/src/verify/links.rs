//! Rules of the off-mesh links.

use super::{TileError, Verdict, refuse};
use crate::layout::{COORD_LIMIT, OffMeshLink};
use crate::tile::View;

pub(super) fn check(tile: &View<'_>) -> Verdict {
    for (index, link) in tile.off_mesh_links.iter().enumerate() {
        check_one(link).map_err(|error| TileError {
            expected: format!("{} in off-mesh link {index}", error.expected),
            ..error
        })?;
    }
    Ok(())
}

/// The rules of one link, without its index. Shared with the writer.
pub(crate) fn check_one(link: &OffMeshLink) -> Verdict {
    let range = -COORD_LIMIT..=COORD_LIMIT;
    if !link.start.iter().chain(&link.end).all(|value| range.contains(value)) {
        let expected = format_args!("ends within {COORD_LIMIT} of zero");
        return refuse("link-range", expected, format_args!("{:?} to {:?}", link.start, link.end));
    }
    if !(1..=COORD_LIMIT).contains(&link.radius) {
        return refuse("link-radius", format_args!("a radius from 1 to {COORD_LIMIT}"), link.radius);
    }
    if link.area == 0 {
        return refuse("link-area-id", "an area id from 1 to 255", 0);
    }
    if link.direction > 1 {
        return refuse("link-direction", "direction 0 or 1", link.direction);
    }
    if !along_is_in_range(link) {
        let expected = format_args!("edges within {COORD_LIMIT} of zero, and no longer than that");
        return refuse("link-along", expected, format_args!("{:?}", link.along));
    }
    if link.reserved != 0 {
        return refuse("link-reserved", "zero in the reserved field", "other bytes");
    }
    Ok(())
}

/// Returns true if the edges of a link are no longer than the coordinate limit, and end within it.
fn along_is_in_range(link: &OffMeshLink) -> bool {
    let range = -COORD_LIMIT..=COORD_LIMIT;
    let [x, z] = link.along;
    let is_in_range = |[at_x, _, at_z]: [i32; 3]| {
        // Both are far below 2^31 if they are in range.
        range.contains(&at_x.saturating_add(x)) && range.contains(&at_z.saturating_add(z))
    };
    range.contains(&x) && range.contains(&z) && is_in_range(link.start) && is_in_range(link.end)
}
