//! Whether all rules behind the section table hold, in as few steps as it takes. Which one is broken is for
//! the modules to tell that take the rules one by one; a tile is refused by these only.
//!
//! One walk down the BV tree meets each polygon at its leaf: its record, its corners, which are looked up
//! once for all there is to know of them, and its detail. What edges lead to is checked in their order,
//! whichever polygon they belong to: of each pair of twins the first finds the second, and the second must
//! find the first. Portals find their edges. As no two find the same one, the edges are sound if as many are
//! walls, twins or found by portals as there are.
//!
//! What nobody can foresee (how many corners, what kind of edge, which side) is summed up rather than branched
//! on where that can be: a branch that is foretold wrongly costs as much as checking a corner.
//!
//! Cost: O(bytes), but for portals above each other, as `crowd` has it. Nothing is allocated.

mod beyond;
mod boxes;
mod walk;

use super::bv::fits_16_bits;
use super::links;
use crate::layout::COORD_LIMIT;
use crate::limits::POLYGON_LIMIT;
use crate::tile::View;
use navmath::IBox3;

pub(super) fn is_sound(tile: &View<'_>) -> bool {
    vertices(tile)
        && (0..3).all(|axis| fits_16_bits(tile.header(), axis))
        && tile.polygons().len() <= POLYGON_LIMIT
        && polygons(tile)
        && tile.off_mesh_links().iter().all(|link| links::flaw(link).is_none())
}

fn polygons(tile: &View<'_>) -> bool {
    let corners = &tile.vertices()[..tile.header().polygon_vertex_count as usize];
    walk::tree(tile, corners) && beyond::portals(tile, corners) && beyond::edges(tile)
}

/// Whether the vertices are within the limit, and the header's bounds exactly around them.
fn vertices(tile: &View<'_>) -> bool {
    let (header, vertices) = (tile.header(), tile.vertices());
    let bounds = match vertices.is_empty() {
        true => IBox3 { min: [0; 3], max: [0; 3] },
        false => IBox3::around(vertices.iter().copied()),
    };
    header.polygon_vertex_count as usize <= vertices.len()
        && (header.bounds_min, header.bounds_max) == (bounds.min, bounds.max)
        && bounds.min.iter().all(|value| *value >= -COORD_LIMIT)
        && bounds.max.iter().all(|value| *value <= COORD_LIMIT)
}
