//! The triangles of walls and ground that exact outlines follow.

use super::Grid;
use crate::triangle_sum::canonical_corners;
use navtile::area::AreaId;
use std::cmp::Ordering;

/// A triangle that exact outlines follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutlineTriangle {
    /// Its corners, metres from the lattice's zero.
    pub corners: [[f32; 3]; 3],
    /// Its area; null if agents cannot walk on it.
    pub area: AreaId,
}

impl OutlineTriangle {
    /// The same triangle, however its corners are numbered.
    #[must_use]
    pub fn canonical(self) -> OutlineTriangle {
        OutlineTriangle { corners: canonical_corners(self.corners), ..self }
    }

    /// Orders canonical triangles.
    pub fn order(&self, other: &OutlineTriangle) -> Ordering {
        let numbers = self.corners.as_flattened().iter().zip(other.corners.as_flattened());
        let places = numbers.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        places.unwrap_or_else(|| self.area.cmp(&other.area))
    }

    /// Returns true if the box around it meets that of a grid, seen from above.
    pub fn reaches(&self, grid: &Grid) -> bool {
        let meets = |axis: usize, base: i32, count: u32| {
            let cells = self.corners.map(|corner| f64::from(corner[axis]) / f64::from(grid.cell_size));
            let [low, high] = [f64::min, f64::max].map(|of| cells.into_iter().reduce(of).unwrap_or(f64::NAN));
            low <= f64::from(base) + f64::from(count) && high >= f64::from(base)
        };
        meets(0, grid.base_x, grid.width) && meets(2, grid.base_z, grid.depth)
    }
}
