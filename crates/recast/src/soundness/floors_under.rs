//! The floors under a polygon, gathered row by row.
//!
//! In each column whose centre is under the polygon, this is the floor of the polygon's own region. Contours
//! cut corners, so columns along an edge may have no such floor. They get the floor that a step from the
//! columns around them leads to, which is never on another storey.
//!
//! ```text
//!   . o o o s .      o: floors of the region, taken a row at a time
//!   o o o o s .      s: no floor of the region, so the floor that a step from next to it leads to
//!   o o o s . .
//! ```

mod storeys;

use crate::data::floor_lookup::{FEW, FloorLookup, around};
use crate::data::{Direction, RegionId};
use crate::meshing::box_tree::bounds;
use crate::meshing::side_line::{SideLine, centres};
use navmath::predicates::Point;
use navmath::{FIXED_ONE, FIXED_SHIFT};
use std::ops::Range;
use storeys::StoreySearch;

/// The height of a cell under the polygon without a floor so far: a NaN with a payload of its own.
const MISSING: f32 = f32::from_bits(0x7fc0_0001);

/// The floors of one polygon as a rectangle of cells, with a rim around it.
#[derive(Clone, Default)]
pub(crate) struct FloorPatch {
    /// The column of the tile at the corner of the rectangle.
    pub(crate) x: i32,
    pub(crate) z: i32,
    pub(crate) width: usize,
    /// Heights are relative to this one, cells.
    pub(crate) base: i32,
    /// Height of the floor in each cell; NaN if there is no floor.
    pub(crate) heights: Vec<f32>,
}

impl FloorPatch {
    /// The cell of a column.
    pub(crate) fn cell(&self, column: usize, row: usize) -> usize {
        column + row * self.width
    }

    /// The cell of a column of the tile in the rectangle or its rim.
    fn cell_of(&self, [x, z]: [i32; 2]) -> usize {
        self.cell((x - self.x) as usize, (z - self.z) as usize)
    }

    /// Height of the floor in a column, cells; `None` if no floor there is under the polygon.
    pub(crate) fn floor_at(&self, [x, z]: [i32; 2]) -> Option<i32> {
        let [x, z] =
            [x.checked_sub(self.x)?, z.checked_sub(self.z)?].map(|place| usize::try_from(place).ok());
        let (x, z) = (x.filter(|&x| x < self.width)?, z?);
        let height = self.heights.get(self.cell(x, z)).filter(|height| !height.is_nan())?;
        Some(self.base + *height as i32)
    }

    /// Returns the height of the floor in a cell and removes it. NaN if it was removed before.
    pub(crate) fn take(&mut self, cell: usize) -> f32 {
        std::mem::replace(&mut self.heights[cell], f32::NAN)
    }
}

/// Gathers the floors of polygons, one polygon after the other.
#[derive(Default)]
pub(crate) struct FloorGatherer {
    /// The floors of the last polygon.
    pub(crate) patch: FloorPatch,
    /// The polygon's regions. If they have several floors in a column, on storeys that all have a region
    /// around the polygon's corners, the floor nearest to these corners counts.
    own: Vec<RegionId>,
    /// The first and the last column of each row whose centres are under the polygon, from the corner of the
    /// rectangle.
    sides: Vec<[i32; 2]>,
    /// Cells under the polygon without a floor of the region; and cells with the spans from which steps lead
    /// to others.
    missing: Vec<u32>,
    front: Vec<[u32; 2]>,
    next: Vec<[u32; 2]>,
    storeys: StoreySearch,
}

/// Floors of one region in consecutive columns of a row, and their spans.
struct OwnStretch {
    columns: Range<usize>,
    spans: Range<usize>,
}

impl FloorGatherer {
    /// Gathers the floors under a polygon. Floors of other regions are at most `reach` steps away from its
    /// own.
    pub(crate) fn gather(
        &mut self,
        corners: &[[i32; 3]],
        region: Option<RegionId>,
        regions: &FloorLookup,
        reach: usize,
    ) {
        self.frame(corners);
        self.find_sides(corners);
        let cells = self.patch.width * (self.sides.len() + 2);
        self.patch.heights.clear();
        self.patch.heights.resize(cells, f32::NAN);
        self.missing.clear();
        match region {
            Some(region) => {
                self.own.clear();
                self.own.push(region);
            }
            None => {
                self.own.clear();
                regions.add_regions_around(corners, &mut self.own);
                if self.own.is_empty() {
                    self.own.push(RegionId::NONE);
                }
            }
        }
        let mut found = false;
        for row in 0..self.sides.len() {
            found |= self.gather_row(row, regions);
        }
        if self.missing.is_empty() {
            return;
        }
        self.front.clear();
        self.step_to_missing(regions);
        if found || !self.front.is_empty() {
            self.spread(regions, reach - 1);
        } else {
            // A sliver far from the floors of its region.
            self.start_at_corners(corners, regions);
            self.spread(regions, usize::MAX);
        }
    }

    /// Sets the rectangle: one cell larger than the polygon on each side.
    fn frame(&mut self, corners: &[[i32; 3]]) {
        let [low, high] = bounds(corners.iter().map(|&[x, _, z]| [x, z]));
        let low = low.map(|place| place >> FIXED_SHIFT);
        let high = high.map(|place| (place + FIXED_ONE - 1) >> FIXED_SHIFT);
        (self.patch.x, self.patch.z) = (low[0] - 1, low[1] - 1);
        self.patch.width = (high[0] - low[0] + 2) as usize;
        self.sides.clear();
        self.sides.resize((high[1] - low[1]) as usize, [i32::MAX, i32::MIN]);
        self.patch.base = corners[0][1];
    }

    /// Finds the first and the last column of each row.
    fn find_sides(&mut self, corners: &[[i32; 3]]) {
        // From the centre of the first column of the first row, 1/256 cell.
        let origin = [self.patch.x, self.patch.z + 1].map(|cell| cell * FIXED_ONE + FIXED_ONE / 2);
        let place = |corner: [i32; 3]| [corner[0] - origin[0], corner[2] - origin[1]];
        let cells = |place: Point| place.map(|at| f64::from(at) / f64::from(FIXED_ONE));
        let mut from = place(corners[corners.len() - 1]);
        for to in corners.iter().copied().map(place) {
            // The interior is to the left: to the right of edges that go down, because z grows downwards.
            let down = from[1] < to[1];
            let (top, bottom) = if down { (from, to) } else { (to, from) };
            let [first, last] = centres(top[1], bottom[1]);
            if top[1] < bottom[1] && first <= last {
                let mut side = SideLine::new(cells(top), cells(bottom), f64::from(first));
                for row in &mut self.sides[first as usize..=last as usize] {
                    row[usize::from(!down)] = if down { side.first() } else { side.last() };
                    side.next_row();
                }
            }
            from = to;
        }
    }

    /// Gathers the columns of a row whose centres are under the polygon. Returns true if one has a floor of
    /// the polygon's regions.
    fn gather_row(&mut self, row: usize, regions: &FloorLookup) -> bool {
        let [first, last] = self.sides[row];
        let field = &regions.field;
        let border = field.grid.border as i32;
        let shift = self.patch.x + border;
        let (first, last) = (first.max(-shift), last.min(field.grid.width as i32 - 1 - shift));
        let z = self.patch.z + 1 + row as i32 + border;
        if first > last || z < 0 || z >= field.grid.depth as i32 {
            return false;
        }
        let line = field.grid.column((first + shift) as u32, z as u32);
        let row_start = self.patch.cell(first as usize, row + 1);
        let columns = (last - first + 1) as usize;
        let spans = field.offsets.first(line)..field.offsets.first(line + columns);
        let Some(own) = self.own_stretch(line, columns, spans, regions) else {
            let mut found = false;
            for x in 0..columns {
                match regions.own_of(field.column(line + x), &self.own, self.patch.base) {
                    Some(span) => {
                        self.patch.heights[row_start + x] = (field.floor[span] - self.patch.base) as f32
                    }
                    None => self.miss(row_start + x),
                }
                found |= !self.patch.heights[row_start + x].is_nan();
            }
            return found;
        };
        let (start, end) = (row_start + own.columns.start, row_start + own.columns.end);
        (row_start..start).chain(end..row_start + columns).for_each(|cell| self.miss(cell));
        let base = self.patch.base;
        for (height, &floor) in self.patch.heights[start..end].iter_mut().zip(&field.floor[own.spans]) {
            *height = floor.wrapping_sub(base) as f32;
        }
        true
    }

    /// The columns of a row with floors of the polygon's regions, if all of these are in one region and their
    /// spans are consecutive.
    fn own_stretch(
        &self,
        line: usize,
        columns: usize,
        spans: Range<usize>,
        regions: &FloorLookup,
    ) -> Option<OwnStretch> {
        let [own] = self.own[..] else { return None };
        if spans.len() > FEW * columns {
            return None;
        }
        let labels = &regions.region[spans.clone()];
        let before = labels.iter().position(|&region| region == own)?;
        let behind = labels.iter().rev().position(|&region| region == own)?;
        let count = labels.len() - before - behind;
        let (start, end) = (before, columns.checked_sub(behind).filter(|end| *end == before + count)?);
        // A region has at most one floor in a column, so the spans match the columns.
        let first = |column: usize| regions.field.offsets.first(line + column);
        let whole = (before == 0 || first(start) == spans.start + before)
            && (behind == 0 || first(end) == spans.end - behind)
            && labels[before..before + count].iter().fold(true, |all, &region| all & (region == own));
        whole.then(|| OwnStretch { columns: start..end, spans: spans.start + before..spans.end - behind })
    }

    fn miss(&mut self, cell: usize) {
        self.patch.heights[cell] = MISSING;
        self.missing.push(cell as u32);
    }

    /// The neighbouring cell; may be outside the patch for a cell of the rim.
    fn beside(&self, cell: usize, direction: Direction) -> usize {
        match direction {
            Direction::XMin => cell.wrapping_sub(1),
            Direction::ZMax => cell + self.patch.width,
            Direction::XMax => cell + 1,
            Direction::ZMin => cell.wrapping_sub(self.patch.width),
        }
    }

    /// Sets the floors of the cells of the next front, and makes it the front.
    fn advance(&mut self, regions: &FloorLookup) {
        std::mem::swap(&mut self.front, &mut self.next);
        for &[cell, span] in &self.front {
            self.patch.heights[cell as usize] = (regions.field.floor[span as usize] - self.patch.base) as f32;
        }
        self.next.clear();
    }

    /// Finds floors for missing cells one step away from a floor of the polygon's regions, under the polygon
    /// or not.
    fn step_to_missing(&mut self, regions: &FloorLookup) {
        self.next.clear();
        for &cell in &self.missing {
            if self.patch.heights[cell as usize].to_bits() != MISSING.to_bits() {
                continue;
            }
            let [x, z] = [cell as usize % self.patch.width, cell as usize / self.patch.width];
            let column = [self.patch.x + x as i32, self.patch.z + z as i32];
            let step = |towards: Direction| {
                let (dx, dz) = towards.offset();
                let beside = regions.column_at([column[0] + dx, column[1] + dz]);
                let from = regions.own_of(beside, &self.own, self.patch.base)?;
                regions.field.neighbour(from, towards.next().next())
            };
            let found = Direction::ALL.into_iter().find_map(step);
            self.next.extend(found.map(|span| [cell, span as u32]));
        }
        self.advance(regions);
    }

    /// Finds floors for missing cells up to `steps` steps away from the front.
    fn spread(&mut self, regions: &FloorLookup, steps: usize) {
        let mut steps_left = steps;
        while !self.front.is_empty() && steps_left > 0 {
            for index in 0..self.front.len() {
                let [cell, from] = self.front[index].map(|index| index as usize);
                for direction in Direction::ALL {
                    let beside = self.beside(cell, direction);
                    let is_missing = self
                        .patch
                        .heights
                        .get(beside)
                        .is_some_and(|height| height.to_bits() == MISSING.to_bits());
                    if is_missing && let Some(span) = regions.field.neighbour(from, direction) {
                        self.patch.heights[beside] = 0.0;
                        self.next.push([beside as u32, span as u32]);
                    }
                }
            }
            self.advance(regions);
            steps_left -= 1;
        }
    }

    /// Starts from the floors around the polygon's corners, which determined the corners' heights.
    fn start_at_corners(&mut self, corners: &[[i32; 3]], regions: &FloorLookup) {
        for &[x, y, z] in corners {
            for column in around([x, z]) {
                let heights = regions.heights_at_corner(y);
                let Some(span) = regions.floor_at(column, heights) else { continue };
                self.next.push([self.patch.cell_of(column) as u32, span as u32]);
            }
        }
        self.advance(regions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::uneven;
    use navmath::predicates::area2;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn floors_with_their_centres_under_a_polygon_are_gathered(
            mut corners in prop::array::uniform3(prop::array::uniform2(0..=16 * FIXED_ONE)),
            part in prop::sample::select(vec![1, 5, FIXED_ONE / 2, FIXED_ONE]),
        ) {
            // Coarse places too, so that some sides pass centres.
            corners.as_flattened_mut().iter_mut().for_each(|at| *at = *at / part * part);
            if area2(corners[0], corners[1], corners[2]) > 0 {
                corners.reverse();
            }
            let [a, b, c] = corners;
            prop_assume!(area2(a, b, c) != 0);
            let ground = |x: i32, z: i32| (x * 7 + z * 13) % 9;
            let regions = uneven(16, ground);
            let mut floors = FloorGatherer::default();
            let region = Some(RegionId::inner(1));
            floors.gather(&corners.map(|[x, z]| [x, 4, z]), region, &FloorLookup::new(&regions), 3);
            for [x, z] in (0..16).flat_map(|z| (0..16).map(move |x| [x, z])) {
                let centre = [x, z].map(|cell| cell * FIXED_ONE + FIXED_ONE / 2);
                let sides = [[a, b], [b, c], [c, a]];
                let under = sides.iter().all(|&[a, b]| area2(a, b, centre) <= 0);
                // Centres outside by less than a hair may count as under it.
                let away = sides.iter().any(|&[a, b]| {
                    area2(a, b, centre) * i64::from(FIXED_ONE) > i64::from((b[1] - a[1]).abs())
                });
                let found = floors.patch.floor_at([x, z]);
                prop_assert!(found == Some(ground(x, z)) || (found.is_none() && !under), "{x}, {z}: {found:?}");
                prop_assert!(found.is_none() || !away, "{x}, {z}: {found:?}");
            }
        }
    }
}
