//! Stage 12, simplify contours: RawContours -> SimplifiedContours.
//! Units: cells. Cost: O(corners x kept corners) at worst. Figure: docs/figures/12-simplify-contours.svg.
//! Source: M. Mononen, Recast (RecastContour.cpp, simplifyContour), after D. Douglas and T. Peucker (1973).
//! Deviations: none.
//!
//! Corners where the region beyond changes are kept, so that neighbours stay neighbours. Between them, only
//! edges along walls and along other areas get further corners: where the raw outline is further away than the
//! error allows, and where an edge would be too long. Edges are always looked at from their smaller end, so that
//! both regions along them keep the same corners.

use crate::data::{Contour, ContourVertex, RawContour, RawContours, RawVertex, RegionId, SimplifiedContours};
use navmath::predicates::Point;

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

/// Simplifies every outline; those that shrink to fewer than three corners are dropped: the regions beside them
/// take the ground they covered.
///
/// An outline on the tile's border must not vanish, as the neighbouring tile counts on it: the regions of such
/// are returned, so that they can be refined.
pub fn run(
    raw: &RawContours,
    params: &Params,
    refinement: &Refinement,
) -> (SimplifiedContours, Vec<RegionId>) {
    let border = raw.grid.border as i32;
    let mut vanished = Vec::new();
    let mut contours = Vec::with_capacity(raw.contours.len());
    for contour in &raw.contours {
        match simplify(contour, border, params, refinement) {
            Some(simplified) => contours.push(simplified),
            None if contour.vertices.iter().any(|vertex| vertex.beyond.is_border()) => {
                vanished.push(contour.region)
            }
            None => {}
        }
    }
    (SimplifiedContours { grid: raw.grid, region_count: raw.region_count, contours }, vanished)
}

fn simplify(contour: &RawContour, border: i32, params: &Params, refinement: &Refinement) -> Option<Contour> {
    let raw = &contour.vertices;
    let mut kept = initial_corners(raw);
    refine(raw, border, &mut kept, |beyond| {
        let level = refinement.of_edge(contour.region, beyond.beyond);
        let raw_wanted = level >= Refinement::RAW;
        let may_refine = raw_wanted || beyond.beyond.is_none() || beyond.area_border;
        let error = if raw_wanted { 0.0 } else { params.max_error / f32::from(1u8 << level) };
        may_refine.then_some(error)
    });
    if params.max_edge > 0 && (params.split_walls || params.split_areas) {
        split_long_edges(raw, &mut kept, params);
    }
    let mut vertices: Vec<ContourVertex> = kept
        .iter()
        .map(|&index| {
            // What lies beyond an edge is told by the raw corner after its start.
            let after = &raw[(index + 1) % raw.len()];
            ContourVertex {
                position: raw[index].position,
                beyond: after.beyond,
                area_border: after.area_border,
                border_vertex: raw[index].border_vertex,
            }
        })
        .collect();
    remove_degenerate_edges(&mut vertices);
    (vertices.len() >= 3).then_some(Contour { region: contour.region, area: contour.area, vertices })
}

/// The corners that must stay: where what lies beyond changes; or, if nothing does, two opposite ones.
fn initial_corners(raw: &[RawVertex]) -> Vec<usize> {
    if raw.iter().any(|vertex| !vertex.beyond.is_none()) {
        let changes = |&index: &usize| {
            let (here, next) = (&raw[index], &raw[(index + 1) % raw.len()]);
            here.beyond != next.beyond || here.area_border != next.area_border
        };
        let kept: Vec<usize> = (0..raw.len()).filter(changes).collect();
        if !kept.is_empty() {
            return kept;
        }
    }
    let key = |index: &usize| (raw[*index].position[0], raw[*index].position[2]);
    let (mut smallest, mut largest) = (0, 0);
    for index in 1..raw.len() {
        if key(&index) < key(&smallest) {
            smallest = index;
        }
        if key(&index) > key(&largest) {
            largest = index;
        }
    }
    vec![smallest, largest]
}

/// Adds corners until no raw corner is further away than the error that `allowed` gives for what lies beyond an
/// edge; `None` leaves the edge as it is.
fn refine(
    raw: &[RawVertex],
    border: i32,
    kept: &mut Vec<usize>,
    allowed: impl Fn(&RawVertex) -> Option<f32>,
) {
    let count = raw.len();
    // Distances are rounded, and ties decide: they are taken with the border, as the reference takes them.
    let plan = |index: usize| [0, 2].map(|axis| raw[index].position[axis] + border);
    let mut edge = 0;
    while edge < kept.len() {
        let (from, to) = (kept[edge], kept[(edge + 1) % kept.len()]);
        let forward = is_ascending(raw, from, to);
        let (a, b, step, end) = if forward { (from, to, 1, to) } else { (to, from, count - 1, from) };
        let mut at = (a + step) % count;
        let mut worst: Option<(f32, usize)> = None;
        let error = allowed(&raw[at]);
        if error.is_some() {
            while at != end {
                let distance = distance_squared(plan(at), plan(a), plan(b));
                if distance > worst.map_or(0.0, |(distance, _)| distance) {
                    worst = Some((distance, at));
                }
                at = (at + step) % count;
            }
        }
        match worst.zip(error) {
            Some(((distance, index), error)) if distance > error * error => kept.insert(edge + 1, index),
            _ => edge += 1,
        }
    }
}

/// Halves, by raw corners, edges that are too long.
fn split_long_edges(raw: &[RawVertex], kept: &mut Vec<usize>, params: &Params) {
    let count = raw.len();
    let mut edge = 0;
    while edge < kept.len() {
        let (from, to) = (kept[edge], kept[(edge + 1) % kept.len()]);
        let first = &raw[(from + 1) % count];
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

/// Whether the edge leads from the smaller to the larger end, by x, then z.
fn is_ascending(raw: &[RawVertex], from: usize, to: usize) -> bool {
    let key = |index: usize| (raw[index].position[0], raw[index].position[2]);
    key(to) > key(from)
}

/// Squared distance of a corner from a segment.
fn distance_squared(point: Point, a: Point, b: Point) -> f32 {
    let (abx, abz) = ((b[0] - a[0]) as f32, (b[1] - a[1]) as f32);
    let (apx, apz) = ((point[0] - a[0]) as f32, (point[1] - a[1]) as f32);
    let length = abx * abx + abz * abz;
    let mut along = abx * apx + abz * apz;
    if length > 0.0 {
        along /= length;
    }
    let along = along.clamp(0.0, 1.0);
    let dx = a[0] as f32 + along * abx - point[0] as f32;
    let dz = a[1] as f32 + along * abz - point[1] as f32;
    dx * dx + dz * dz
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
mod tests {
    use super::*;
    use crate::stage::testing::{flat, report};
    use crate::stage::{regions, trace_contours};

    const PARAMS: Params = Params { max_error: 1.3, max_edge: 0, split_walls: true, split_areas: false };

    fn corners(picture: &str, params: &Params) -> Vec<Vec<[i32; 2]>> {
        let regions = regions::layers(flat(picture), &regions::Params { min_cells: 0, merge_cells: 0 });
        let raw = trace_contours::run(&regions, &mut report());
        let (simplified, _) = run(&raw, params, &Refinement::none(&raw));
        simplified.check().unwrap();
        let plan = |v: &ContourVertex| [v.position[0], v.position[2]];
        simplified.contours.iter().map(|contour| contour.vertices.iter().map(plan).collect()).collect()
    }

    #[test]
    fn a_rectangle_has_four_corners() {
        assert_eq!(corners("#####\n#####\n#####", &PARAMS), [[[0, 0], [0, 3], [5, 3], [5, 0]]]);
    }

    #[test]
    fn a_staircase_becomes_a_slope() {
        let stairs = "#......\n##.....\n###....\n####...\n#####..\n######.\n#######";
        assert_eq!(corners(stairs, &PARAMS)[0].len(), 3);
        let exact = Params { max_error: 0.0, ..PARAMS };
        assert_eq!(corners(stairs, &exact)[0].len(), 16);
    }

    #[test]
    fn long_edges_are_halved() {
        let split = Params { max_edge: 3, ..PARAMS };
        assert_eq!(
            corners("#####\n#####\n#####", &split),
            [[[0, 0], [0, 3], [2, 3], [5, 3], [5, 0], [2, 0]]]
        );
    }

    #[test]
    fn neighbours_keep_the_same_corners() {
        let both = corners("1112222\n1111222\n1111122\n1111112\n1111222\n1112222", &PARAMS);
        let shared: Vec<_> = both[0].iter().filter(|corner| both[1].contains(corner)).collect();
        assert!(shared.len() >= 3, "{both:?}");
    }
}
