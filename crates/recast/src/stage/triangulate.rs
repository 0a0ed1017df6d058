//! Stage 14, first half: ContourSet -> Triangulation.
//! Units: 1/256 cell. Cost: O(corners log corners) per contour, because its edges crowd nowhere.
//! Figure: docs/figures/14-poly-mesh.svg.
//! Source: ear clipping after J. O'Rourke, Computational Geometry in C (1998), the shortest diagonal first,
//! as in M. Mononen's Recast (RecastMesh.cpp, triangulate). Deviations: contours that are not covered cleanly
//! are returned, so that they can be refined.

use super::Context;
use crate::data::{ContourSet, ContourVertex, RegionId};
use crate::error::Error;
use crate::meshing::ear_clipping::{Ears, is_turned};
use crate::meshing::ring::Ring;
use navmath::predicates::{Point, cross_properly};

/// Triangles of all contours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangulation {
    /// The triangles of all contours, one contour after the other, as indices of its corners.
    pub triangles: Vec<[u32; 3]>,
    /// The end of each contour's triangles in the list.
    pub ends: Vec<usize>,
    /// Contours that are not covered exactly once by their triangles, by index and region.
    pub faults: Vec<(usize, RegionId)>,
}

impl Triangulation {
    /// The triangles of each contour, in their order.
    pub fn by_contour(&self) -> impl Iterator<Item = &[[u32; 3]]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.triangles[std::mem::replace(&mut start, end)..end])
    }
}

/// Scratch memory of the stage.
#[derive(Default)]
struct Buffers {
    outline: Vec<Point>,
    ears: Ears,
    ring: Ring,
}

/// Triangulates every contour.
pub fn run(contours: &ContourSet, _: &(), context: &mut Context) -> Result<Triangulation, Error> {
    let Buffers { outline, ears, ring } = context.scratch.of::<Buffers>();
    let corners = contours.contours.iter().map(|contour| contour.vertices.len()).sum();
    let mut result = Triangulation {
        triangles: Vec::with_capacity(corners),
        ends: Vec::with_capacity(contours.contours.len()),
        faults: Vec::new(),
    };
    for (index, contour) in contours.contours.iter().enumerate() {
        outline.clear();
        outline.extend(contour.vertices.iter().map(ContourVertex::plan));
        if outline.len() >= 3 {
            let first = result.triangles.len();
            let complete = ears.triangulate(outline, &mut result.triangles);
            if !complete || !is_exact_cover(outline, &result.triangles[first..], ring) {
                result.faults.push((index, contour.region));
            }
        }
        result.ends.push(result.triangles.len());
    }
    Ok(result)
}

/// Returns true if a complete triangulation covers each place inside the outline once and no place outside.
/// The boundaries of the triangles add up to the outline, so this holds if no triangle is turned over and the
/// outline winds around no place twice, which it cannot do without crossings.
fn is_exact_cover(outline: &[Point], triangles: &[[u32; 3]], ring: &mut Ring) -> bool {
    ring.start(outline);
    !triangles.iter().any(|triangle| is_turned(outline, triangle)) && !crosses_itself(ring)
}

fn crosses_itself(ring: &Ring) -> bool {
    let crosses = |edge: u32| {
        let (a, b) = (ring.at(edge), ring.at(ring.next(edge)));
        ring.find_edge_before(edge, |_, c, d| cross_properly(a, b, c, d)).is_some()
    };
    (0..ring.len() as u32).any(crosses)
}

#[cfg(test)]
mod tests;
