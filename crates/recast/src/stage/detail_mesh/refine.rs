//! Adds floors to a polygon's triangles, the worst first, until all floors are near enough.
//!
//! Each triangle has an entry for the floor under it that is furthest away. A floor that becomes a vertex
//! changes the triangles around it, and only the floors under these are examined again. Cost: O(floors) at
//! the start, then O(floors under the triangles that change), on average a constant number of triangles for
//! each vertex added.
//! Source: M. Garland, P. Heckbert, Fast Polygonal Approximation of Terrains and Height Fields (1995).

use super::scan::worst_under;
use crate::meshing::delaunay::{DetailVertex, Surface};
use crate::soundness::floors_under::FloorPatch;
use navmath::FIXED_ONE;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The floor furthest from a triangle. Ordered by distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WorstFloor {
    /// The bits of the distance in height, which is positive, so that the bits have the same order.
    distance: u64,
    cell: Reverse<u32>,
    triangle: u32,
    stamp: u32,
}

impl WorstFloor {
    /// Its distance, cells.
    pub(super) fn distance(&self) -> f64 {
        f64::from_bits(self.distance)
    }
}

/// The floors that are too far away, at most one per triangle; some belong to triangles that have changed
/// since.
#[derive(Default)]
pub(super) struct WorstFirst(BinaryHeap<WorstFloor>);

impl WorstFirst {
    /// Adds vertices until all floors are within `allowed` of the triangles, in height and cells, or there
    /// are `most` vertices. Returns the worst remaining floor in the second case.
    pub(super) fn run(
        &mut self,
        surface: &mut Surface,
        floors: &mut FloorPatch,
        allowed: f64,
        most: usize,
    ) -> Option<WorstFloor> {
        self.0.clear();
        (0..surface.triangles.len() as u32)
            .for_each(|triangle| self.look(surface, triangle, floors, allowed));
        while let Some(worst) = self.0.pop() {
            if surface.stamps[worst.triangle as usize] != worst.stamp {
                continue;
            }
            if surface.vertices.len() >= most {
                return Some(worst);
            }
            let cell = worst.cell.0 as usize;
            let height = floors.take(cell);
            if !height.is_nan() && surface.insert(floors.vertex(cell, height), worst.triangle) {
                for index in 0..surface.changed.len() {
                    self.look(surface, surface.changed[index], floors, allowed);
                }
            } else {
                self.look(surface, worst.triangle, floors, allowed);
            }
        }
        None
    }

    /// Finds the worst floor of a triangle.
    fn look(&mut self, surface: &Surface, triangle: u32, floors: &FloorPatch, allowed: f64) {
        let corners = surface.triangles[triangle as usize].map(|corner| surface.vertices[corner as usize]);
        if let Some((distance, cell)) = worst_under(corners, floors, allowed) {
            let (distance, cell) = (distance.to_bits(), Reverse(cell as u32));
            self.0.push(WorstFloor { distance, cell, triangle, stamp: surface.stamps[triangle as usize] });
        }
    }
}

impl FloorPatch {
    /// The floor of a cell as a vertex.
    fn vertex(&self, cell: usize, height: f32) -> DetailVertex {
        let (x, z) = (self.x + (cell % self.width) as i32, self.z + (cell / self.width) as i32);
        DetailVertex {
            plan: [x * FIXED_ONE + FIXED_ONE / 2, z * FIXED_ONE + FIXED_ONE / 2],
            height: f64::from(height) + f64::from(self.base),
        }
    }
}
