//! Stage 12, simplify contours: RawContours -> SimplifiedContours.
//! Units: 1/256 cell. Cost: O(corners x kept corners) at worst.
//! Figure: docs/figures/12-simplify-contours.svg.
//! Source: M. Mononen, Recast (RecastContour.cpp, simplifyContour); H. Imai and M. Iri (1986).
//! Deviations: outlines are the fewest edges within the error; corners where the border between two regions
//! ends or is crossed are kept by all regions around them; outlines meet only at common corners: where they
//! would meet elsewhere, they keep more corners.
//!
//! Outlines are cut where the ground on the other side changes, and at junctions. A chain between two regions
//! is shared by both, so there can be no gap and no overlap between them. The ends of each chain are kept.
//! Chains along walls and along other areas become the fewest edges that pass the traced outline within the
//! error (`meshing::fewest_edges`); edges that would be too long are cut. A chain is stored once, so the
//! result does not depend on the side. Finally every chain keeps the corners without which it would meet
//! others, or leave them on its wrong side.

mod chains;
mod refine;

use super::Context;
use crate::data::chain::{Chain, ChainEdge};
use crate::data::{Contour, ContourVertex, RawContour, RawContours, RegionId, SimplifiedContours};
use crate::error::Error;
use crate::lists::next_in_ring;
use crate::settings::Config;
pub use crate::soundness::refinement::Refinement;
use crate::soundness::{contacts, cover};
use chains::{Chains, OutlinePart};
use navmath::FIXED_ONE;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Largest distance between the outline and its raw form, cells. Default 1.3: a little under the diagonal
    /// of a cell, so that a staircase of cells becomes a straight line.
    pub max_error: f32,
    /// Longest edge along walls, cells; 0 for any. Default 12 m: long edges make long thin polygons.
    pub max_edge: i32,
    /// Split long edges along walls.
    pub split_walls: bool,
    /// Split long edges between areas.
    pub split_areas: bool,
    /// Highest step, cells: outlines further apart in height belong to different storeys.
    pub walkable_climb: i32,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params {
            max_error: config.contour_max_error,
            max_edge: config.max_edge_cells,
            split_walls: config.settings.split_walls,
            split_areas: config.settings.split_areas,
            walkable_climb: config.walkable_climb,
        }
    }
}

/// Scratch memory of the stage.
#[derive(Default)]
struct Buffers {
    chains: Chains,
    edges: Vec<ChainEdge>,
    fewest: refine::Buffers,
    contacts: contacts::Buffers,
}

/// Simplifies every outline. Holes that shrink to fewer than three corners are dropped: the region takes over
/// the ground that they covered.
///
/// An outline must not vanish, because its neighbours rely on it. The regions of such outlines are returned,
/// so that they can be refined.
///
/// # Errors
/// [`Error::Gaps`] if regions do not cover exactly the area inside their outlines.
pub fn run(
    (raw, refinement): (&RawContours, &Refinement),
    params: &Params,
    context: &mut Context,
) -> Result<(SimplifiedContours, Vec<RegionId>), Error> {
    let Buffers { chains, edges, fewest, contacts } = context.scratch.of::<Buffers>();
    let max_error = params.max_error * FIXED_ONE as f32;
    chains.cut(raw);
    edges.clear();
    for (index, chain) in (0u32..).zip(&chains.list) {
        let corners = &mut chains.corners;
        if chain.raw {
            corners[chain.first..=chain.last].iter_mut().for_each(|corner| corner.kept = true);
            edges.extend((chain.first..chain.last).map(|at| ChainEdge::new(index, corners, at, at + 1)));
            continue;
        }
        let [region, beyond] = chain.regions;
        let is_border = beyond.is_none() || corners[chain.first + 1].area_border;
        let error = match refinement.of_edge(region, beyond) {
            Refinement::RAW.. => Some(0.0),
            level => is_border.then_some(max_error / f32::from(1u8 << level)),
        };
        refine::simplify((index, chain), corners, error, params, fewest, edges);
    }
    contacts::separate(
        (&mut chains.corners, &chains.list),
        edges,
        &raw.grid,
        params.walkable_climb,
        contacts,
    );
    let mut vanished = Vec::new();
    let mut contours = Vec::with_capacity(raw.contours.len());
    for (contour, parts) in raw.contours.iter().zip(chains.by_outline()) {
        match put_together(contour, parts, chains) {
            Some(simplified) => contours.push(simplified),
            None if cover::must_stay(contour) => vanished.push(contour.region),
            None => {}
        }
    }
    let simplified = SimplifiedContours { grid: raw.grid, region_count: raw.region_count, contours };
    if vanished.is_empty() {
        cover::check(&simplified)?;
    }
    Ok((simplified, vanished))
}

/// The kept corners of an outline; `None` if there are fewer than three.
fn put_together(contour: &RawContour, parts: &[OutlinePart], chains: &Chains) -> Option<Contour> {
    let (raw, count) = (&contour.vertices, contour.vertices.len());
    let mut vertices = Vec::with_capacity(count.min(4 * parts.len()));
    for part in parts {
        let Chain { first, last, .. } = chains.list[part.chain];
        let mut corners = chains.corners[first..=last].iter();
        let corners = (0..part.edges).map_while(|step| {
            let corner = if part.reversed { corners.next_back() } else { corners.next() };
            corner.map(|corner| (step, corner.kept))
        });
        vertices.extend(corners.filter(|(_, kept)| *kept).map(|(step, _)| {
            let at = |index: usize| &raw[if index < count { index } else { index - count }];
            // The raw corner after an edge's start knows the region beyond the edge.
            let (here, after) = (at(part.start + step), at(part.start + step + 1));
            ContourVertex {
                position: here.position,
                beyond: after.beyond,
                area_border: after.area_border,
                border_vertex: here.border_vertex,
            }
        }));
    }
    remove_degenerate_edges(&mut vertices);
    let simplified = Contour { region: contour.region, area: contour.area, vertices };
    // The corners that must stay may all be on one line.
    (simplified.vertices.len() >= 3 && simplified.area2() != 0).then_some(simplified)
}

/// Removes corners that coincide with the next one as seen from above: no triangulation could use them.
fn remove_degenerate_edges(vertices: &mut Vec<ContourVertex>) {
    let mut index = 0;
    while index < vertices.len() {
        let next = next_in_ring(index, vertices.len());
        if vertices[index].plan() == vertices[next].plan() {
            vertices.remove(index);
        }
        index += 1;
    }
}

#[cfg(test)]
mod tests;
