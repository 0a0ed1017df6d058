//! Stage 13, merge holes: SimplifiedContours -> ContourSet.
//! Units: cells. Cost: O(holes x corners x log corners) where holes see their outline, more where they do not.
//! Figure: docs/figures/13-merge-holes.svg.
//! Source: M. Mononen, Recast (RecastContour.cpp, mergeRegionHoles). Deviations: the candidate diagonal's own
//! vertex is skipped, not that of the hole's number; a hole is recognised by the sign of its area, however small;
//! with several outlines the largest takes the holes; contours without area are dropped.
//!
//! Each hole is joined to its region's outline by a bridge, walked there and back, so that what is left is one
//! polygon that touches itself.

use super::Context;
use crate::data::{Contour, ContourSet, ContourVertex, RegionId, SimplifiedContours};
use crate::error::Error;
use crate::observer::{DiagnosticKind, Report};
use navmath::predicates::{Point, distance_squared, in_cone, intersect};

/// Joins every hole to the outline of its region. A hole that cannot be joined is reported and left out; the
/// regions of such holes are returned, so that they can be refined.
pub fn run(
    simplified: SimplifiedContours,
    _: &(),
    context: &mut Context,
) -> Result<(ContourSet, Vec<RegionId>), Error> {
    let SimplifiedContours { grid, region_count, mut contours } = simplified;
    let mut faults = Vec::new();
    let mut areas = Vec::with_capacity(contours.len());
    // A slit, out and back between floors too far apart in height, encloses nothing.
    contours.retain(|contour| {
        let area = contour.area2();
        if area != 0 {
            areas.push(area);
        }
        area != 0
    });
    // Holes with their regions, by region and then as they come.
    let mut holes: Vec<(usize, usize)> = (0..areas.len())
        .filter(|&index| areas[index] < 0)
        .map(|index| (contours[index].region.index(), index))
        .collect();
    holes.sort_unstable();
    let outlines = if holes.is_empty() { Vec::new() } else { find_outlines(&contours, &areas, region_count) };
    for holes in holes.chunk_by(|(region, _), (other, _)| region == other) {
        let region = contours[holes[0].1].region;
        let holes = holes.iter().map(|&(_, index)| std::mem::take(&mut contours[index].vertices)).collect();
        let outline = outlines[region.index()].map(|index| &mut contours[index]);
        if !merge_region(outline, holes, &mut context.report) {
            faults.push(region);
        }
    }
    Ok((ContourSet { grid, region_count, contours }, faults))
}

/// For each region its outline: the largest, and of several the first.
fn find_outlines(contours: &[Contour], areas: &[i128], region_count: u32) -> Vec<Option<usize>> {
    let mut outlines: Vec<Option<usize>> = vec![None; region_count as usize + 1];
    for (index, (contour, &area)) in contours.iter().zip(areas).enumerate() {
        let outline = &mut outlines[contour.region.index()];
        if area > 0 && outline.is_none_or(|other| areas[other] < area) {
            *outline = Some(index);
        }
    }
    outlines
}

/// Seen from above.
fn plan(vertex: &ContourVertex) -> Point {
    [vertex.position[0], vertex.position[2]]
}

/// Index of the leftmost, then uppermost corner.
fn leftmost(vertices: &[ContourVertex]) -> usize {
    (0..vertices.len()).min_by_key(|&index| (plan(&vertices[index]), index)).unwrap_or(0)
}

/// Whether all holes could be joined.
fn merge_region(
    outline: Option<&mut Contour>,
    mut holes: Vec<Vec<ContourVertex>>,
    report: &mut Report,
) -> bool {
    let Some(outline) = outline else {
        for hole in &holes {
            let what = "a region came out of simplification with a hole but without an outline: lower the contours' \
                        max_error";
            report.at_cell(DiagnosticKind::BadOutline, hole[0].position, what);
        }
        return false;
    };
    let mut joined = true;
    // From left to right: what lies left of a hole is joined already.
    holes.sort_by_key(|hole| plan(&hole[leftmost(hole)]));
    for index in 0..holes.len() {
        let (hole, rest) = (&holes[index], &holes[index..]);
        match find_bridge(&outline.vertices, hole, rest) {
            Some((at, from)) => join(&mut outline.vertices, hole, at, from),
            None => {
                let what = "a hole could not be joined to its outline and is walkable in the mesh: lower the \
                            contours' max_error";
                report.at_cell(DiagnosticKind::UnmergedHole, hole[0].position, what);
                joined = false;
            }
        }
    }
    joined
}

/// The shortest bridge from the leftmost possible corner of the hole: (corner of the outline, of the hole).
fn find_bridge(
    outline: &[ContourVertex],
    hole: &[ContourVertex],
    holes: &[Vec<ContourVertex>],
) -> Option<(usize, usize)> {
    let first = leftmost(hole);
    let mut candidates: Vec<(i64, usize)> = Vec::with_capacity(outline.len());
    (0..hole.len()).map(|step| (first + step) % hole.len()).find_map(|from| {
        let corner = plan(&hole[from]);
        candidates.clear();
        for at in 0..outline.len() {
            let previous = plan(&outline[if at > 0 { at - 1 } else { outline.len() - 1 }]);
            let next = plan(&outline[if at + 1 < outline.len() { at + 1 } else { 0 }]);
            let here = plan(&outline[at]);
            if in_cone(previous, here, next, corner) {
                candidates.push((distance_squared(here, corner), at));
            }
        }
        candidates.sort_unstable();
        let clear = |&&(_, at): &&(i64, usize)| {
            let here = plan(&outline[at]);
            !crosses(here, corner, Some(at), outline)
                && !holes.iter().any(|hole| crosses(here, corner, None, hole))
        };
        candidates.iter().find(clear).map(|&(_, at)| (at, from))
    })
}

/// Whether the segment `ab` meets an edge of the contour other than at its own ends; edges at corner `skip` are
/// not looked at.
fn crosses(a: Point, b: Point, skip: Option<usize>, contour: &[ContourVertex]) -> bool {
    (0..contour.len()).any(|index| {
        let next = if index + 1 < contour.len() { index + 1 } else { 0 };
        if skip == Some(index) || skip == Some(next) {
            return false;
        }
        let (p, q) = (plan(&contour[index]), plan(&contour[next]));
        let shares_end = a == p || a == q || b == p || b == q;
        !shares_end && intersect(a, b, p, q)
    })
}

/// Walks the outline from `at` round to `at`, then the hole from `from` round to `from`.
fn join(outline: &mut Vec<ContourVertex>, hole: &[ContourVertex], at: usize, from: usize) {
    let around = |vertices: &[ContourVertex], start: usize| -> Vec<ContourVertex> {
        (0..=vertices.len()).map(|step| vertices[(start + step) % vertices.len()]).collect()
    };
    let mut joined = around(outline, at);
    joined.extend(around(hole, from));
    *outline = joined;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaId;
    use crate::stage::testing::grid;

    fn contour(corners: &[[i32; 2]]) -> Contour {
        let vertex = |&[x, z]: &[i32; 2]| ContourVertex {
            position: [x, 0, z],
            beyond: RegionId::NONE,
            area_border: false,
            border_vertex: false,
        };
        Contour {
            region: RegionId::inner(1),
            area: AreaId::GROUND,
            vertices: corners.iter().map(vertex).collect(),
        }
    }

    fn rectangle(x0: i32, z0: i32, x1: i32, z1: i32) -> Contour {
        contour(&[[x0, z0], [x0, z1], [x1, z1], [x1, z0]])
    }

    fn hole(x0: i32, z0: i32, x1: i32, z1: i32) -> Contour {
        contour(&[[x0, z0], [x1, z0], [x1, z1], [x0, z1]])
    }

    fn merged(contours: Vec<Contour>) -> (ContourSet, Report) {
        let mut context = Context::new();
        let before: i128 = contours.iter().map(Contour::area2).sum();
        let simplified = SimplifiedContours { grid: grid(99, 99), region_count: 1, contours };
        let (set, faults) = run(simplified, &(), &mut context).unwrap();
        let report = context.report;
        set.check().unwrap();
        assert_eq!(faults.is_empty(), report.diagnostics.is_empty());
        if report.diagnostics.is_empty() {
            assert_eq!(before, set.contours.iter().map(Contour::area2).sum::<i128>());
        }
        (set, report)
    }

    #[test]
    fn a_hole_is_bridged_by_the_shortest_diagonal() {
        let (set, report) = merged(vec![rectangle(0, 0, 20, 20), hole(2, 3, 6, 7)]);
        assert!(report.diagnostics.is_empty());
        assert_eq!(set.contours[0].vertices.len(), 10);
        assert_eq!(plan(&set.contours[0].vertices[0]), [0, 0]);
        assert_eq!(plan(&set.contours[0].vertices[5]), [2, 3]);
        assert!(set.contours[1].vertices.is_empty());
    }

    #[test]
    fn many_holes_conserve_area() {
        let mut contours = vec![rectangle(0, 0, 60, 60)];
        for x in 0..5 {
            for z in 0..5 {
                contours.push(hole(4 + 11 * x, 5 + 11 * z, 9 + 11 * x, 12 + 11 * z));
            }
        }
        let (set, report) = merged(contours);
        assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
        assert_eq!(set.contours[0].vertices.len(), 4 + 25 * 6);
    }

    #[test]
    fn the_diagonal_may_not_cross_the_outline_beside_it() {
        // A comb: from the hole's leftmost corner the nearest corners of the outline are behind a tooth.
        let comb = contour(&[[0, 0], [0, 30], [30, 30], [30, 0], [13, 0], [13, 20], [11, 20], [11, 0]]);
        let (set, report) = merged(vec![comb, hole(15, 10, 18, 14)]);
        assert!(report.diagnostics.is_empty());
        let bridge = (plan(&set.contours[0].vertices[0]), plan(&set.contours[0].vertices[9]));
        assert_eq!(bridge.1, [15, 10]);
        let outline = &set.contours[0].vertices[..9];
        assert!(!crosses(bridge.0, bridge.1, None, outline), "{bridge:?}");
    }

    #[test]
    fn a_hole_without_an_outline_is_reported() {
        let (_, report) = merged(vec![hole(2, 3, 6, 7)]);
        assert_eq!(report.diagnostics[0].kind, DiagnosticKind::BadOutline);
    }
}
