//! The heights of the ground under one polygon, cell by cell, taken from the floor the polygon was made of.
//!
//! Nearly every lookup is a cell of the polygon's own region, or one or two steps from it: such cells are found in the
//! field itself. Only for cells further away are the heights of the whole rectangle spread out. The gain stands
//! in the header of `errors.rs`.

use crate::data::{Direction, RegionField, RegionId};
use std::collections::VecDeque;

/// Heights over the rectangle of cells around a polygon, in cells relative to the tile's inner corner.
#[derive(Default)]
pub(super) struct HeightPatch {
    x: i32,
    z: i32,
    width: i32,
    depth: i32,
    /// The polygon's corners and region.
    corners: Vec<[i32; 3]>,
    region: Option<RegionId>,
    /// Whether `heights` holds anything.
    filled: bool,
    heights: Vec<i32>,
    visited: Vec<bool>,
    queue: VecDeque<(i32, i32, usize)>,
}

/// In [`HeightPatch::heights`]: none. Floors are not below zero.
const NO_HEIGHT: i32 = i32::MIN;

/// Cells around a corner in the order they are searched for a floor.
const AROUND: [(i32, i32); 9] =
    [(0, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];

/// Directions in the order in which cells beside one come, row by row.
const ROW_BY_ROW: [Direction; 4] = [Direction::ZMin, Direction::XMin, Direction::XMax, Direction::ZMax];

/// A cell that spreading reaches in its first step: when, and on which span.
#[derive(Clone, Copy)]
struct FirstStep {
    /// The cell it is reached from, row by row, and the direction.
    when: (i32, i32, Direction),
    span: usize,
}

impl HeightPatch {
    /// Prepares for another polygon. Its heights are those of its own region, and from there outwards those that can be
    /// stepped to. A polygon of several regions, or without a span of its own, starts from the floor under its
    /// centre.
    pub(super) fn set_polygon(
        &mut self,
        corners: &[[i32; 3]],
        region: Option<RegionId>,
        regions: &RegionField,
    ) {
        self.corners.clear();
        self.corners.extend_from_slice(corners);
        self.region = region;
        self.filled = false;
        self.frame(regions);
    }

    /// Finds the heights of all cells.
    fn fill(&mut self, regions: &RegionField) {
        self.filled = true;
        self.heights.clear();
        self.heights.resize((self.width * self.depth) as usize, NO_HEIGHT);
        self.queue.clear();
        let found = self.region.is_some_and(|region| self.copy_region(region, regions));
        if !found {
            self.seed_from_centre(regions);
        }
        self.spread(regions);
    }

    /// Height of a cell of the rectangle.
    fn height(&mut self, x: i32, z: i32, regions: &RegionField) -> Option<i32> {
        if !self.filled {
            if let Some(region) = self.region {
                let span = self
                    .own(x, z, region, regions)
                    .or_else(|| self.first_step(x, z, region, regions).map(|step| step.span))
                    .or_else(|| self.second_step(x, z, region, regions));
                if let Some(span) = span {
                    return Some(regions.field.floor[span]);
                }
            }
            self.fill(regions);
        }
        let height = self.heights[((x - self.x) + (z - self.z) * self.width) as usize];
        (height != NO_HEIGHT).then_some(height)
    }

    /// The region's own span at a cell.
    fn own(&self, x: i32, z: i32, region: RegionId, regions: &RegionField) -> Option<usize> {
        let field = &regions.field;
        let border = field.grid.border as i32;
        let column = field.grid.column((x + border) as u32, (z + border) as u32);
        field.column(column).find(|&span| regions.region[span] == region)
    }

    /// The span at a cell without one of the region's own, as spreading finds it if it does in its first step: from
    /// the first cell of the region, row by row, that leads there.
    fn first_step(&self, x: i32, z: i32, region: RegionId, regions: &RegionField) -> Option<FirstStep> {
        ROW_BY_ROW.into_iter().find_map(|towards| {
            let (dx, dz) = towards.offset();
            let (from_x, from_z) = (x + dx, z + dz);
            self.slot(from_x, from_z)?;
            let from = self.own(from_x, from_z, region, regions)?;
            let back = towards.next().next();
            let span = regions.field.neighbour(from, back)?;
            Some(FirstStep { when: (from_z, from_x, back), span })
        })
    }

    /// The span that spreading finds in its second step: from the neighbouring cell that was reached first.
    fn second_step(&self, x: i32, z: i32, region: RegionId, regions: &RegionField) -> Option<usize> {
        let steps = Direction::ALL.into_iter().filter_map(|towards| {
            let (dx, dz) = towards.offset();
            let (from_x, from_z) = (x + dx, z + dz);
            self.slot(from_x, from_z)?;
            if self.own(from_x, from_z, region, regions).is_some() {
                return None;
            }
            let first = self.first_step(from_x, from_z, region, regions)?;
            let span = regions.field.neighbour(first.span, towards.next().next())?;
            Some((first.when, span))
        });
        steps.min().map(|(_, span)| span)
    }

    /// Sets the rectangle: one cell more than the polygon on each side.
    fn frame(&mut self, regions: &RegionField) {
        let grid = &regions.field.grid;
        let corners = &self.corners;
        let range = |axis: usize, end: u32| {
            let low = corners.iter().map(|corner| corner[axis]).fold(i32::MAX, i32::min);
            let high = corners.iter().map(|corner| corner[axis]).fold(i32::MIN, i32::max);
            ((low - 1).max(0), (high + 1).min(end as i32))
        };
        let (x0, x1) = range(0, grid.width - grid.border);
        let (z0, z1) = range(2, grid.depth - grid.border);
        (self.x, self.z, self.width, self.depth) = (x0, z0, (x1 - x0).max(0), (z1 - z0).max(0));
    }

    /// Slot of a cell, if it lies in the rectangle.
    fn slot(&self, x: i32, z: i32) -> Option<usize> {
        let (x, z) = (x - self.x, z - self.z);
        let inside = x >= 0 && z >= 0 && x < self.width && z < self.depth;
        inside.then(|| (x + z * self.width) as usize)
    }

    /// Copies the heights of the region's own spans and queues those at its edge. Whether there were any.
    fn copy_region(&mut self, region: RegionId, regions: &RegionField) -> bool {
        let field = &regions.field;
        let border = field.grid.border as i32;
        let mut found = false;
        for z in self.z..self.z + self.depth {
            for x in self.x..self.x + self.width {
                let column = field.grid.column((x + border) as u32, (z + border) as u32);
                let Some(span) = field.column(column).find(|&span| regions.region[span] == region) else {
                    continue;
                };
                let slot = ((x - self.x) + (z - self.z) * self.width) as usize;
                self.heights[slot] = field.floor[span];
                found = true;
                let at_edge = Direction::ALL.iter().any(|&direction| {
                    field.neighbour(span, direction).is_some_and(|n| regions.region[n] != region)
                });
                if at_edge {
                    self.queue.push_back((x, z, span));
                }
            }
        }
        found
    }

    /// Walks from a floor near a corner towards the polygon's centre and starts from where that leads.
    fn seed_from_centre(&mut self, regions: &RegionField) {
        let Some(start) = self.floor_near_corners(regions) else { return };
        let count = self.corners.len() as i32;
        let centre = [0, 2].map(|axis| {
            self.corners.iter().map(|corner| i64::from(corner[axis])).sum::<i64>() / i64::from(count)
        });
        let (centre_x, centre_z) = (centre[0] as i32, centre[1] as i32);
        self.visited.clear();
        self.visited.resize(self.heights.len(), false);
        let mut stack = vec![start];
        let mut at = start;
        let mut order = Direction::ALL;
        while let Some((x, z, span)) = stack.pop() {
            at = (x, z, span);
            if x == centre_x && z == centre_z {
                break;
            }
            let direct = if x == centre_x {
                if centre_z > z { Direction::ZMax } else { Direction::ZMin }
            } else if centre_x > x {
                Direction::XMax
            } else {
                Direction::XMin
            };
            // Pushed last, so taken first.
            order.swap(direct as usize, 3);
            for direction in order {
                let Some(next) = regions.field.neighbour(span, direction) else { continue };
                let (dx, dz) = direction.offset();
                let Some(slot) = self.slot(x + dx, z + dz) else { continue };
                if !std::mem::replace(&mut self.visited[slot], true) {
                    stack.push((x + dx, z + dz, next));
                }
            }
            order.swap(direct as usize, 3);
        }
        self.queue.push_back(at);
        if let Some(slot) = self.slot(at.0, at.1) {
            self.heights[slot] = regions.field.floor[at.2];
        }
    }

    /// The floor nearest in height to a corner, at it or in the cells around it.
    fn floor_near_corners(&self, regions: &RegionField) -> Option<(i32, i32, usize)> {
        let field = &regions.field;
        let border = field.grid.border as i32;
        let mut best: Option<(i32, (i32, i32, usize))> = None;
        for &[corner_x, corner_y, corner_z] in &self.corners {
            for (dx, dz) in AROUND {
                let (x, z) = (corner_x + dx, corner_z + dz);
                if self.slot(x, z).is_none() {
                    continue;
                }
                let column = field.grid.column((x + border) as u32, (z + border) as u32);
                for span in field.column(column) {
                    let off = (corner_y - field.floor[span]).abs();
                    if best.is_none_or(|(least, _)| off < least) {
                        best = Some((off, (x, z, span)));
                    }
                }
                if best.is_some_and(|(least, _)| least == 0) {
                    return best.map(|(_, place)| place);
                }
            }
        }
        best.map(|(_, place)| place)
    }

    /// Spreads heights breadth first from the queue to every cell that can be stepped to.
    fn spread(&mut self, regions: &RegionField) {
        while let Some((x, z, span)) = self.queue.pop_front() {
            for direction in Direction::ALL {
                let Some(next) = regions.field.neighbour(span, direction) else { continue };
                let (dx, dz) = direction.offset();
                let Some(slot) = self.slot(x + dx, z + dz) else { continue };
                if self.heights[slot] == NO_HEIGHT {
                    self.heights[slot] = regions.field.floor[next];
                    self.queue.push_back((x + dx, z + dz, next));
                }
            }
        }
    }

    /// Height at a cell; if it has none, that of the nearest ring of cells, up to `radius` away, that has any:
    /// of those the nearest to `near` metres.
    pub(super) fn height_near(
        &mut self,
        [x, z]: [i32; 2],
        near: f32,
        cell_height: f32,
        radius: i32,
        regions: &RegionField,
    ) -> Option<i32> {
        if self.width == 0 || self.depth == 0 {
            return None;
        }
        let x = x.clamp(self.x, self.x + self.width - 1);
        let z = z.clamp(self.z, self.z + self.depth - 1);
        if let Some(height) = self.height(x, z, regions) {
            return Some(height);
        }
        for ring in 1..=radius {
            let mut best: Option<(f32, i32)> = None;
            for (dx, dz) in ring_cells(ring) {
                let Some(slot) = self.slot(x + dx, z + dz) else { continue };
                let height = self.heights[slot];
                let off = (height as f32 * cell_height - near).abs();
                if height != NO_HEIGHT && best.is_none_or(|(least, _)| off < least) {
                    best = Some((off, height));
                }
            }
            if let Some((_, height)) = best {
                return Some(height);
            }
        }
        None
    }
}

/// The cells of a square ring, in the order of a spiral that starts to the right and first turns downwards.
fn ring_cells(ring: i32) -> impl Iterator<Item = (i32, i32)> {
    let right = (1 - ring..=ring).map(move |z| (ring, z));
    let bottom = (-ring..ring).rev().map(move |x| (x, ring));
    let left = (-ring..ring).rev().map(move |z| (-ring, z));
    let top = (1 - ring..=ring).map(move |x| (x, -ring));
    right.chain(bottom).chain(left).chain(top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Neighbours;
    use crate::stage::testing::flat;
    use crate::stage::{Context, regions};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn heights_found_in_place_are_those_that_spread(
            picture in prop::collection::vec(prop::sample::select(vec!['1', '1', '1', '2', '2', '.']), 120),
            cut in prop::collection::vec((0usize..120, 0usize..4), 0..30),
            corners in prop::collection::vec((0i32..=12, 0i32..=10), 3..6),
            region in 1u32..4,
        ) {
            let rows: Vec<String> = picture.chunks(12).map(|row| row.iter().collect()).collect();
            let mut field = flat(&rows.join("\n"));
            for span in 0..field.len() {
                field.floor[span] = span as i32;
            }
            // Steps that are too high, cut on both sides.
            let mut lists = field.neighbours.to_lists();
            for (span, direction) in cut {
                if span < field.len() {
                    let other = std::mem::replace(&mut lists[span][direction], u32::MAX);
                    if other != u32::MAX {
                        lists[other as usize][(direction + 2) & 3] = u32::MAX;
                    }
                }
            }
            field.neighbours = Neighbours::from_lists(&lists);
            let keep_all = regions::Params { min_cells: 0, merge_cells: 0 };
            let regions = regions::layers(field, &keep_all, &mut Context::new()).unwrap();
            prop_assume!(region <= regions.count);
            let corners: Vec<[i32; 3]> = corners.into_iter().map(|(x, z)| [x, 0, z]).collect();
            let region = Some(RegionId::inner(region));
            let (mut spread, mut in_place) = (HeightPatch::default(), HeightPatch::default());
            spread.set_polygon(&corners, region, &regions);
            spread.fill(&regions);
            for z in spread.z..spread.z + spread.depth {
                for x in spread.x..spread.x + spread.width {
                    in_place.set_polygon(&corners, region, &regions);
                    prop_assert_eq!(in_place.height(x, z, &regions), spread.height(x, z, &regions));
                }
            }
        }
    }

    #[test]
    fn a_ring_has_all_its_cells_once() {
        for ring in 1..4 {
            let mut cells: Vec<_> = ring_cells(ring).collect();
            assert_eq!(cells.len(), 8 * ring as usize);
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(cells.len(), 8 * ring as usize);
            assert!(cells.iter().all(|(x, z)| x.abs().max(z.abs()) == ring));
        }
    }
}
