//! Removes floors of another storey from under a polygon.
//!
//! A region has at most one floor in a column, but it may pass itself on another storey in the next column,
//! as a spiral does. Contours deviate by a cell or more, and between two regions by as much as the regions'
//! size, so a polygon may cover such columns: there it represents a floor of another region.
//!
//! ```text
//!   side view   u u u u s        u: upper turn of the polygon's region
//!                       |        s: the floor that it leads to, of another region
//!               - - - - l l l    l: lower turn of the region, its own floor in that column
//! ```
//!
//! The floors at the heights of the polygon's corners, around these corners, are on its storey; so are all
//! floors of its region that can be reached from them under the polygon. All other columns, if there are
//! fewer of them, get the floors that steps from these lead to, at any distance. A part of the region that no
//! step leads to, such as the foot of a cliff, stays.

use super::{FloorGatherer, FloorLookup, FloorPatch, MISSING};
use crate::data::Direction;
use crate::data::floor_lookup::around;

/// Represents a missing span.
const NONE: u32 = u32::MAX;

/// Buffers of the search.
#[derive(Default)]
pub(crate) struct StoreySearch {
    /// The span that was reached in each cell.
    reached: Vec<u32>,
    /// Cells whose floor of the region was not reached, with its height.
    others: Vec<(u32, f32)>,
}

impl FloorGatherer {
    /// Removes floors of other storeys from the patch that was gathered last. Returns true if floors changed.
    pub(crate) fn keep_to_storey(
        &mut self,
        corners: &[[i32; 3]],
        regions: &FloorLookup,
        reach: usize,
    ) -> bool {
        if !self.has_break(regions) || !self.reach_from_corners(corners, regions) {
            return false;
        }
        if !self.take_others() {
            return false;
        }
        let cells = self.storeys.reached.iter().enumerate().filter(|(_, span)| **span != NONE);
        self.front.clear();
        self.front.extend(cells.map(|(cell, &span)| [cell as u32, span]));
        self.spread(regions, usize::MAX);
        let others = std::mem::take(&mut self.storeys.others);
        let mut changed = false;
        for &(cell, height) in &others {
            let found = &mut self.patch.heights[cell as usize];
            if found.to_bits() == MISSING.to_bits() {
                *found = height;
            }
            changed |= *found != height;
        }
        self.storeys.others = others;
        self.front.clear();
        self.step_to_missing(regions);
        self.spread(regions, reach - 1);
        changed
    }

    /// Returns true if neighbouring floors are further apart in height than a step between them can be.
    fn has_break(&self, regions: &FloorLookup) -> bool {
        let field = &regions.field;
        let most = field.walkable_climb.min(field.walkable_height - field.walkable_climb - 1) as f32;
        let heights = &self.patch.heights;
        let apart = |by: usize| {
            let pairs = heights.iter().zip(&heights[by..]);
            pairs.fold(false, |found, (a, b)| found | ((a - b).abs() > most))
        };
        apart(1) || apart(self.patch.width)
    }

    /// Finds the floors of the regions that can be reached from the floors around the corners without leaving
    /// the polygon or a corner by more than a cell. Returns true if there are any.
    fn reach_from_corners(&mut self, corners: &[[i32; 3]], regions: &FloorLookup) -> bool {
        self.storeys.reached.clear();
        self.storeys.reached.resize(self.patch.heights.len(), NONE);
        self.front.clear();
        for &[x, y, z] in corners {
            for column in around([x, z]) {
                let heights = regions.heights_at_corner(y);
                let is_on = |&span: &usize| {
                    self.own.contains(&regions.region[span]) && heights.contains(&regions.field.floor[span])
                };
                if let Some(span) = regions.column_at(column).rev().find(is_on) {
                    self.visit(self.patch.cell_of(column), span);
                }
            }
        }
        let mut next = 0;
        while let Some(&[cell, span]) = self.front.get(next) {
            next += 1;
            for direction in Direction::ALL {
                let (dx, _) = direction.offset();
                let column = cell as i32 % self.patch.width as i32 + dx;
                let beside = self.beside(cell as usize, direction);
                if (0..self.patch.width as i32).contains(&column)
                    && let Some(other) = regions.field.neighbour(span as usize, direction)
                    && self.own.contains(&regions.region[other])
                    && self.is_near(beside, corners)
                {
                    self.visit(beside, other);
                }
            }
        }
        !self.front.is_empty()
    }

    /// Returns true if a cell is at most one away from a cell under the polygon, or from a cell around a
    /// corner.
    fn is_near(&self, cell: usize, corners: &[[i32; 3]]) -> bool {
        let FloorPatch { x, z, width, heights, .. } = &self.patch;
        if cell >= heights.len() {
            return false;
        }
        let rows = [cell.wrapping_sub(*width), cell, cell + width];
        let beside = rows.into_iter().flat_map(|cell| [cell.wrapping_sub(1), cell, cell.wrapping_add(1)]);
        let is_under = |cell: usize| heights.get(cell).is_some_and(|height| !height.is_nan());
        let column = [x + (cell % width) as i32, z + (cell / width) as i32];
        let is_at = |&[x, _, z]: &[i32; 3]| {
            let [first, .., last] = around([x, z]);
            (0..2).all(|axis| (first[axis] - 1..=last[axis] + 1).contains(&column[axis]))
        };
        corners.iter().any(is_at) || beside.into_iter().any(is_under)
    }

    fn visit(&mut self, cell: usize, span: usize) {
        if let Some(reached) = self.storeys.reached.get_mut(cell).filter(|reached| **reached == NONE) {
            *reached = span as u32;
            self.front.push([cell as u32, span as u32]);
        }
    }

    /// Removes the floors of the region that were not reached, and then also the floors that were only
    /// stepped to. Returns true if there are some of the first kind, but not more than were reached.
    fn take_others(&mut self) -> bool {
        let FloorGatherer { patch, storeys: StoreySearch { reached, others }, missing, sides, .. } = self;
        others.clear();
        let mut count = 0;
        for (row, &[first, last]) in sides.iter().enumerate() {
            for cell in (first..=last).map(|column| patch.cell(column as usize, row + 1)) {
                let height = patch.heights[cell];
                // The missing cells are sorted.
                if height.is_nan() || missing.binary_search(&(cell as u32)).is_ok() {
                    continue;
                }
                if reached[cell] == NONE {
                    others.push((cell as u32, height));
                } else {
                    count += 1;
                }
            }
        }
        if others.is_empty() || others.len() > count {
            return false;
        }
        let cells = missing.iter().copied().chain(others.iter().map(|&(cell, _)| cell));
        cells.for_each(|cell| patch.heights[cell as usize] = MISSING);
        true
    }
}
