//! Stage 12, simplify contours: RawContours -> SimplifiedContours.
//! Units: cells. Cost: O(corners x kept corners) at worst. Figure: docs/figures/12-simplify-contours.svg.
//! Source: M. Mononen, Recast (RecastContour.cpp, simplifyContour), after D. Douglas and T. Peucker (1973).
//! Deviations: corners where the border between two regions ends or is crossed are kept by all regions around them;
//! outlines meet nowhere but at corners that they have in common: where they would, they keep more corners.
//!
//! Outlines are cut where what lies beyond changes and at junctions. A chain between two regions is one for both of them,
//! so that no gap and no overlap can be between them. Of each chain the ends are kept; chains along walls and along other
//! areas get further corners where the traced outline is further away than the error allows, and where an edge would be
//! too long. Edges are always looked at from their smaller end, so that it does not matter which side they are seen from.
//! At last every chain keeps the corners without which it would meet others, or leave them on its wrong side.

mod chains;
mod contacts;
mod refine;

use super::Context;
use crate::data::{Contour, ContourVertex, RawContour, RawContours, RegionId, SimplifiedContours};
use crate::error::Error;
use crate::settings::Config;
use chains::{Chain, Chains, OutlinePart};
use refine::{ChainEdge, refine};

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Largest distance between the outline and its raw form, cells. Default 1.3: a little under the diagonal of
    /// a cell, so that a staircase of cells becomes a straight line.
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

/// How closely the outlines of regions are followed beyond what the parameters ask for: for each region how
/// often its error is halved. Regions whose contours could not be used are refined, step by step, until they can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refinement(Vec<u8>);

impl Refinement {
    /// From this level on, the raw outline is kept, also along other regions.
    pub const RAW: u8 = 3;

    /// No region is refined.
    pub fn none(raw: &RawContours) -> Refinement {
        Refinement(vec![0; raw.region_count as usize + 1])
    }

    /// Refines a region one step further. False if it is raw already.
    pub fn raise(&mut self, region: RegionId) -> bool {
        let level = &mut self.0[region.index()];
        let raised = *level < Refinement::RAW;
        *level += u8::from(raised);
        raised
    }

    /// How often the error of a region is halved.
    pub fn level(&self, region: RegionId) -> u8 {
        self.0[region.index()]
    }

    /// The level of an edge between two regions: that of the finer one, so that both follow it alike.
    fn of_edge(&self, region: RegionId, beyond: RegionId) -> u8 {
        self.level(region).max(self.level(beyond))
    }
}

/// Scratch memory of the stage.
#[derive(Default)]
struct Buffers {
    chains: Chains,
    edges: Vec<ChainEdge>,
    open: Vec<([usize; 2], bool)>,
    contacts: contacts::Buffers,
}

/// Simplifies every outline. Holes that shrink to fewer than three corners are dropped: the region takes the ground that
/// they covered.
///
/// An outline must not vanish, as what is beside it counts on it: the regions of such outlines are returned, so that they
/// can be refined.
///
/// # Errors
/// [`Error::Gaps`] if regions do not cover what all of them together are outlined to cover.
pub fn run(
    (raw, refinement): (&RawContours, &Refinement),
    params: &Params,
    context: &mut Context,
) -> Result<(SimplifiedContours, Vec<RegionId>), Error> {
    let Buffers { chains, edges, open, contacts } = context.scratch.of::<Buffers>();
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
            level => is_border.then_some(params.max_error / f32::from(1u8 << level)),
        };
        refine((index, chain), corners, error, params, open, edges);
    }
    contacts::separate(chains, edges, &raw.grid, params.walkable_climb, contacts);
    let mut vanished = Vec::new();
    let mut contours = Vec::with_capacity(raw.contours.len());
    for (contour, parts) in raw.contours.iter().zip(chains.by_outline()) {
        match put_together(contour, parts, chains) {
            Some(simplified) => contours.push(simplified),
            None if must_stay(contour) => vanished.push(contour.region),
            None => {}
        }
    }
    let simplified = SimplifiedContours { grid: raw.grid, region_count: raw.region_count, contours };
    if vanished.is_empty() {
        check_cover(&simplified)?;
    }
    Ok((simplified, vanished))
}

/// The corners kept of an outline, if they are three or more.
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
    // Corners that must stay may all lie on one line.
    (simplified.vertices.len() >= 3 && simplified.area2() != 0).then_some(simplified)
}

/// Whether an outline is none of a hole or a slit, or one of a hole on the tile's border.
fn must_stay(contour: &RawContour) -> bool {
    let area = contour.area2();
    area > 0 || (area < 0 && contour.vertices.iter().any(|vertex| vertex.beyond.is_border()))
}

/// Whether all regions less their holes cover as much as the edges do beyond which there is no region: then no gap and no
/// overlap is between them. Exact, in half cells.
fn check_cover(simplified: &SimplifiedContours) -> Result<(), Error> {
    let mut between = 0i128;
    for contour in &simplified.contours {
        let ends = contour.vertices.iter().skip(1).chain(contour.vertices.first());
        for (from, to) in contour.vertices.iter().zip(ends).filter(|(from, _)| from.beyond.is_inner()) {
            let ([ax, az], [bx, bz]) = (from.plan().map(i64::from), to.plan().map(i64::from));
            between += i128::from(ax * bz - bx * az);
        }
    }
    // The ground that regions cover is a sum over all their edges; those between regions must cancel each other.
    if between == 0 { Ok(()) } else { Err(Error::gaps(&simplified.grid, between)) }
}

/// Removes corners that coincide with the next one, seen from above: no triangulation could use them.
fn remove_degenerate_edges(vertices: &mut Vec<ContourVertex>) {
    let mut index = 0;
    while index < vertices.len() {
        let next = if index + 1 < vertices.len() { index + 1 } else { 0 };
        if vertices[index].plan() == vertices[next].plan() {
            vertices.remove(index);
        }
        index += 1;
    }
}

#[cfg(test)]
mod tests;
