//! The heights of the ground under one polygon, cell by cell, taken from the floor the polygon was made of.

use crate::data::{Direction, RegionField, RegionId};
use std::collections::VecDeque;

/// Heights over the rectangle of cells around a polygon, in cells relative to the tile's inner corner.
#[derive(Default)]
pub(super) struct HeightPatch {
    x: i32,
    z: i32,
    width: i32,
    depth: i32,
    heights: Vec<Option<i32>>,
    visited: Vec<bool>,
    queue: VecDeque<(i32, i32, usize)>,
}

/// Cells around a corner in the order they are searched for a floor.
const AROUND: [(i32, i32); 9] =
    [(0, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];

impl HeightPatch {
    /// Takes the heights under a polygon: those of its own region, and from there outwards those that can be
    /// stepped to. A polygon of several regions, or without a span of its own, starts from the floor under its
    /// centre.
    pub(super) fn fill(&mut self, corners: &[[i32; 3]], region: Option<RegionId>, regions: &RegionField) {
        self.frame(corners, regions);
        let found = region.is_some_and(|region| self.copy_region(region, regions));
        if !found {
            self.seed_from_centre(corners, regions);
        }
        self.spread(regions);
    }

    /// Sets the rectangle: one cell more than the polygon on each side.
    fn frame(&mut self, corners: &[[i32; 3]], regions: &RegionField) {
        let grid = &regions.field.grid;
        let range = |axis: usize, end: u32| {
            let low = corners.iter().map(|corner| corner[axis]).fold(i32::MAX, i32::min);
            let high = corners.iter().map(|corner| corner[axis]).fold(i32::MIN, i32::max);
            ((low - 1).max(0), (high + 1).min(end as i32))
        };
        let (x0, x1) = range(0, grid.width - grid.border);
        let (z0, z1) = range(2, grid.depth - grid.border);
        (self.x, self.z, self.width, self.depth) = (x0, z0, (x1 - x0).max(0), (z1 - z0).max(0));
        self.heights.clear();
        self.heights.resize((self.width * self.depth) as usize, None);
        self.queue.clear();
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
                self.heights[slot] = Some(field.floor[span]);
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
    fn seed_from_centre(&mut self, corners: &[[i32; 3]], regions: &RegionField) {
        let Some(start) = self.floor_near_corners(corners, regions) else { return };
        let count = corners.len() as i32;
        let centre = [0, 2]
            .map(|axis| corners.iter().map(|corner| i64::from(corner[axis])).sum::<i64>() / i64::from(count));
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
            self.heights[slot] = Some(regions.field.floor[at.2]);
        }
    }

    /// The floor nearest in height to a corner, at it or in the cells around it.
    fn floor_near_corners(&self, corners: &[[i32; 3]], regions: &RegionField) -> Option<(i32, i32, usize)> {
        let field = &regions.field;
        let border = field.grid.border as i32;
        let mut best: Option<(i32, (i32, i32, usize))> = None;
        for &[corner_x, corner_y, corner_z] in corners {
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
                if self.heights[slot].is_none() {
                    self.heights[slot] = Some(regions.field.floor[next]);
                    self.queue.push_back((x + dx, z + dz, next));
                }
            }
        }
    }

    /// Height at a cell; if it has none, that of the nearest ring of cells, up to `radius` away, that has any:
    /// of those the nearest to `near` metres.
    pub(super) fn height_near(
        &self,
        x: i32,
        z: i32,
        near: f32,
        cell_height: f32,
        radius: i32,
    ) -> Option<i32> {
        if self.width == 0 || self.depth == 0 {
            return None;
        }
        let x = (x - self.x).clamp(0, self.width - 1);
        let z = (z - self.z).clamp(0, self.depth - 1);
        let at = |x: i32, z: i32| self.heights[(x + z * self.width) as usize];
        if let Some(height) = at(x, z) {
            return Some(height);
        }
        for ring in 1..=radius {
            let mut best: Option<(f32, i32)> = None;
            for (dx, dz) in ring_cells(ring) {
                let (x, z) = (x + dx, z + dz);
                if x < 0 || z < 0 || x >= self.width || z >= self.depth {
                    continue;
                }
                let Some(height) = at(x, z) else { continue };
                let off = (height as f32 * cell_height - near).abs();
                if best.is_none_or(|(least, _)| off < least) {
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
