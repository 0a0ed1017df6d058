//! The triangles that make the top of a span, and their slopes. Cost: O(triangles).

use navtile::area::AreaId;
use recast::PreparedLevel;
use recast::data::Grid;
use recast::inside::geometry::canonical_corners;
use recast::inside::geometry::{SLOPE_TOLERANCE, up};
use recast::inside::stage::quantise;
use recast::inside::stage::{Lines, cut};

/// The flattest triangle that makes a top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flattest {
    /// Angle between its normal and straight up, degrees.
    pub(super) slope: f64,
    /// The area that the level gives it.
    pub(super) area: AreaId,
}

impl Flattest {
    /// Returns true if it is flat enough for a limit in degrees.
    pub(super) fn is_within(&self, limit: f64) -> bool {
        self.slope <= limit + SLOPE_TOLERANCE
    }

    /// Returns true if it would be flat enough for a limit in degrees if it did not face down.
    pub(super) fn faces_down(&self, limit: f64) -> bool {
        180.0 - self.slope <= limit + SLOPE_TOLERANCE
    }
}

/// The flattest of the triangles whose part within grid column (x, z) ends at `top` cells; `None` if there is
/// no such triangle.
pub(super) fn flattest(level: &PreparedLevel, grid: &Grid, [x, z]: [u32; 2], top: i32) -> Option<Flattest> {
    let column =
        Grid { width: 1, depth: 1, base_x: grid.base_x + x as i32, base_z: grid.base_z + z as i32, ..*grid };
    let lines = Lines::new(&column, level.lattice.cell_size);
    let mut best: Option<(f64, AreaId)> = None;
    for triangle in 0..level.triangle_count() {
        let corners = canonical_corners(level.corners(triangle));
        let mut ends_here = false;
        cut(&corners, &lines, |_, _, low, high| {
            let cells = quantise(low, high, level.height, grid.cell_height);
            ends_here |= cells.is_some_and(|(_, max)| max == top);
        });
        if ends_here {
            let candidate = (up(corners), level.area(triangle));
            if best.is_none_or(|best| candidate.0 > best.0) {
                best = Some(candidate);
            }
        }
    }
    best.map(|(up, area)| Flattest { slope: libm::acos(up.clamp(-1.0, 1.0)).to_degrees(), area })
}
