//! Rules of the off-mesh links.

use super::{Verdict, refuse};
use crate::layout::{COORD_LIMIT, OffMeshLink};
use crate::tile::View;

pub(super) fn check(tile: &View<'_>) -> Verdict {
    for (index, link) in tile.off_mesh_links().iter().enumerate() {
        if let Some((rule, expected, found)) = flaw(link) {
            return refuse(rule, format!("{expected} in off-mesh link {index}"), found);
        }
    }
    Ok(())
}

/// The rule a link breaks, what that asks for, and what was found. Shared with the writer.
pub(crate) fn flaw(link: &OffMeshLink) -> Option<(&'static str, String, String)> {
    let range = -COORD_LIMIT..=COORD_LIMIT;
    if !link.start.iter().chain(&link.end).all(|value| range.contains(value)) {
        let expected = format!("ends within {COORD_LIMIT} of zero");
        return Some(("link-range", expected, format!("{:?} to {:?}", link.start, link.end)));
    }
    if !(1..=COORD_LIMIT).contains(&link.radius) {
        return Some((
            "link-radius",
            format!("a radius from 1 to {COORD_LIMIT}"),
            format!("{}", link.radius),
        ));
    }
    if link.area == 0 {
        return Some(("link-area-id", "an area id from 1 to 255".into(), "0".into()));
    }
    if link.direction > 1 {
        return Some(("link-direction", "direction 0 or 1".into(), format!("{}", link.direction)));
    }
    if link.reserved != 0 || link.reserved_tail != [0; 2] {
        return Some(("link-reserved", "zeros in the reserved fields".into(), "other bytes".into()));
    }
    None
}
