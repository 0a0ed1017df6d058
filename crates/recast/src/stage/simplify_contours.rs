//! Stage 12, simplify contours: RawContours -> SimplifiedContours.
//! Units: cells. Cost: O(corners x kept corners) at worst. Figure: docs/figures/12-simplify-contours.svg.
//! Source: M. Mononen, Recast (RecastContour.cpp, simplifyContour), after D. Douglas and T. Peucker (1973).
//! Deviations: corners that both tiles at a border keep are kept, also where they lie on a straight line; an outline on the
//! border encloses something.
//!
//! Corners where the region beyond changes are kept, so that neighbours stay neighbours. Between them, only
//! edges along walls and along other areas get further corners: where the raw outline is further away than the
//! error allows, and where an edge would be too long. Edges are always looked at from their smaller end, so that
//! both regions along them keep the same corners.

mod refine;

use super::Context;
use crate::data::{Contour, ContourVertex, RawContour, RawContours, RawVertex, RegionId, SimplifiedContours};
use crate::error::Error;
use crate::settings::Config;
use navmath::predicates::polygon_area2;
use refine::{is_ascending, refine};

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
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params {
            max_error: config.contour_max_error,
            max_edge: config.max_edge_cells,
            split_walls: config.settings.split_walls,
            split_areas: config.settings.split_areas,
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

/// Simplifies every outline. Outlines that shrink to fewer than three corners, or to none off one line, are dropped: the
/// regions beside them take the ground they covered.
///
/// An outline on the tile's border must not vanish, as the neighbouring tile counts on it: the regions of such outlines
/// are returned, so that they can be refined.
pub fn run(
    (raw, refinement): (&RawContours, &Refinement),
    params: &Params,
    _: &mut Context,
) -> Result<(SimplifiedContours, Vec<RegionId>), Error> {
    let border = raw.grid.border as i32;
    let mut vanished = Vec::new();
    let mut contours = Vec::with_capacity(raw.contours.len());
    let mut kept = Vec::new();
    for contour in &raw.contours {
        match simplify(contour, border, params, refinement, &mut kept) {
            Some(simplified) => contours.push(simplified),
            None if must_stay(contour) => vanished.push(contour.region),
            None => {}
        }
    }
    Ok((SimplifiedContours { grid: raw.grid, region_count: raw.region_count, contours }, vanished))
}

/// Simplifies one outline. `kept` is scratch memory.
fn simplify(
    contour: &RawContour,
    border: i32,
    params: &Params,
    refinement: &Refinement,
    kept: &mut Vec<usize>,
) -> Option<Contour> {
    let raw = &contour.vertices;
    find_initial_corners(raw, kept);
    refine(raw, border, kept, |beyond| {
        let level = refinement.of_edge(contour.region, beyond.beyond);
        let raw_wanted = level >= Refinement::RAW;
        let may_refine = raw_wanted || beyond.beyond.is_none() || beyond.area_border;
        let error = if raw_wanted { 0.0 } else { params.max_error / f32::from(1u8 << level) };
        may_refine.then_some(error)
    });
    if params.max_edge > 0 && (params.split_walls || params.split_areas) {
        split_long_edges(raw, kept, params);
    }
    let mut vertices: Vec<ContourVertex> = kept
        .iter()
        .map(|&index| {
            // The raw corner after an edge's start knows the region beyond the edge.
            let (here, after) = (&raw[index], after(raw, index));
            ContourVertex {
                position: here.position,
                beyond: after.beyond,
                area_border: after.area_border,
                border_vertex: here.border_vertex,
            }
        })
        .collect();
    remove_degenerate_edges(&mut vertices);
    let simplified = Contour { region: contour.region, area: contour.area, vertices };
    // Corners that must stay may all lie on one line.
    (simplified.vertices.len() >= 3 && simplified.area2() != 0).then_some(simplified)
}

/// Whether an outline lies on the tile's border and encloses something.
fn must_stay(contour: &RawContour) -> bool {
    let plan = contour.vertices.iter().map(|vertex| [vertex.position[0], vertex.position[2]]);
    contour.vertices.iter().any(|vertex| vertex.beyond.is_border()) && polygon_area2(plan) != 0
}

/// The corner after one.
#[inline]
fn after(raw: &[RawVertex], index: usize) -> &RawVertex {
    raw.get(index + 1).unwrap_or(&raw[0])
}

/// Sets `kept` to the corners that must stay: junctions, and where the region or area beyond changes; or, if nothing does, two opposite
/// ones.
fn find_initial_corners(raw: &[RawVertex], kept: &mut Vec<usize>) {
    kept.clear();
    let Some(last) = raw.last() else { return };
    let beyond = |vertex: &RawVertex| (vertex.beyond, vertex.area_border);
    let mut walls_only = true;
    let (mut before, mut at) = (last, raw.len() - 1);
    for (index, vertex) in raw.iter().enumerate() {
        walls_only &= vertex.beyond.is_none();
        if before.junction || beyond(vertex) != beyond(before) {
            kept.push(at);
        }
        (before, at) = (vertex, index);
    }
    if !walls_only && !kept.is_empty() {
        // The last corner came first.
        if kept[0] == raw.len() - 1 {
            kept.rotate_left(1);
        }
        return;
    }
    kept.clear();
    let key = |vertex: &RawVertex| [vertex.position[0], vertex.position[2]];
    let (mut smallest, mut largest) = ((key(&raw[0]), 0), (key(&raw[0]), 0));
    for (index, vertex) in raw.iter().enumerate() {
        let key = key(vertex);
        if key < smallest.0 {
            smallest = (key, index);
        }
        if key > largest.0 {
            largest = (key, index);
        }
    }
    kept.extend([smallest.1, largest.1]);
}

/// Halves, by raw corners, edges that are too long.
fn split_long_edges(raw: &[RawVertex], kept: &mut Vec<usize>, params: &Params) {
    let count = raw.len();
    let mut edge = 0;
    while edge < kept.len() {
        let (from, to) = (kept[edge], *kept.get(edge + 1).unwrap_or(&kept[0]));
        let first = after(raw, from);
        let wanted =
            (params.split_walls && first.beyond.is_none()) || (params.split_areas && first.area_border);
        let [ax, _, az] = raw[from].position.map(i64::from);
        let [bx, _, bz] = raw[to].position.map(i64::from);
        let squared = (bx - ax) * (bx - ax) + (bz - az) * (bz - az);
        let between = if to < from { to + count - from } else { to - from };
        if wanted && squared > i64::from(params.max_edge) * i64::from(params.max_edge) && between > 1 {
            // Rounded from the smaller end, so that both sides of the edge choose the same corner.
            let half = if is_ascending(raw, from, to) { between / 2 } else { between.div_ceil(2) };
            kept.insert(edge + 1, (from + half) % count);
        } else {
            edge += 1;
        }
    }
}

/// Removes corners that coincide with the next one, seen from above: no triangulation could use them.
fn remove_degenerate_edges(vertices: &mut Vec<ContourVertex>) {
    let mut index = 0;
    while index < vertices.len() {
        let next = if index + 1 < vertices.len() { index + 1 } else { 0 };
        let (here, there) = (vertices[index].position, vertices[next].position);
        if (here[0], here[2]) == (there[0], there[2]) {
            vertices.remove(index);
        }
        index += 1;
    }
}

#[cfg(test)]
mod tests;
