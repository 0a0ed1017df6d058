//! Fragments: the parts of triangles within columns, before they are merged to spans.

use super::Grid;
use crate::error::Error;
use crate::lists::bucket_sort;
use navtile::area::AreaId;

/// The part of a triangle in one column, in cells; also the span that several such parts were merged to.
///
/// It is one 64-bit number, with the top in the highest bits, then the bottom, then the area, so fragments
/// are compared and sorted as numbers, in the order of merging. Heights have 26 bits: a level has at most
/// 2^24 cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fragment(u64);

impl Fragment {
    const HEIGHT_BITS: u32 = 26;
    const AREA_BITS: u32 = 8;

    /// A fragment from `bottom` up to `top`. `top` must be greater than `bottom`, and neither may be
    /// negative.
    #[inline]
    pub fn new(bottom: i32, top: i32, area: AreaId) -> Fragment {
        debug_assert!(0 <= bottom && bottom < top && top < 1 << Fragment::HEIGHT_BITS);
        let (bottom, top) = (u64::from(bottom as u32), u64::from(top as u32));
        Fragment((top << Fragment::HEIGHT_BITS | bottom) << Fragment::AREA_BITS | u64::from(area.0))
    }

    /// Height of the top, cells.
    #[inline]
    pub fn top(self) -> i32 {
        (self.0 >> (Fragment::HEIGHT_BITS + Fragment::AREA_BITS)) as i32
    }

    /// Height of the bottom, cells.
    #[inline]
    pub fn bottom(self) -> i32 {
        (self.0 >> Fragment::AREA_BITS) as i32 & ((1 << Fragment::HEIGHT_BITS) - 1)
    }

    /// The area of the top.
    #[inline]
    pub fn area(self) -> AreaId {
        AreaId(self.0 as u8)
    }

    /// Merges this fragment with another that it touches or overlaps, whose top is not higher.
    #[inline]
    pub fn merge(self, below: Fragment, threshold: i32) -> Fragment {
        let is_near = self.top() - below.top() <= threshold;
        let area = if is_near { self.area().max(below.area()) } else { self.area() };
        Fragment::new(self.bottom().min(below.bottom()), self.top(), area)
    }
}

/// A fragment before its area is looked up: it names its triangle by the index among the triangles that were
/// cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriangleFragment {
    pub bottom: i32,
    pub top: i32,
    pub triangle: u32,
}

/// The fragments of all triangles of a tile by column: cut once, then merged for one agent after the other.
/// Cutting is most of the work of rasterizing, and does not depend on the agent.
#[derive(Clone, Debug, PartialEq)]
pub struct FragmentField {
    grid: Grid,
    /// Fragments of column c are `fragments[offsets[c]..offsets[c + 1]]`.
    offsets: Vec<u32>,
    fragments: Vec<TriangleFragment>,
}

impl FragmentField {
    /// Builds the field from fragments with their columns, in any order.
    pub fn from_gathered(grid: &Grid, gathered: &[(u32, TriangleFragment)]) -> Result<FragmentField, Error> {
        let remedy = "enlarge the cell size or bake in tiles";
        navmath::limit::to_u32("span fragments", gathered.len(), remedy)?;
        let (mut offsets, mut fragments) = (Vec::new(), Vec::new());
        let items = gathered.iter().map(|&(column, fragment)| (column as usize, fragment));
        bucket_sort(grid.columns(), items, &mut offsets, &mut fragments);
        Ok(FragmentField { grid: *grid, offsets, fragments })
    }

    /// The fragments in column (x, z) of `grid`, which must be within the grid that they were cut on; `areas`
    /// has the area of each triangle.
    pub fn column(&self, grid: &Grid, x: u32, z: u32, areas: &[AreaId]) -> impl Iterator<Item = Fragment> {
        let [left, top] = [grid.base_x - self.grid.base_x, grid.base_z - self.grid.base_z];
        debug_assert!(left >= 0 && top >= 0);
        let column = self.grid.column(left as u32 + x, top as u32 + z);
        let own = &self.fragments[self.offsets[column] as usize..self.offsets[column + 1] as usize];
        own.iter().map(|own| Fragment::new(own.bottom, own.top, areas[own.triangle as usize]))
    }
}
