//! Stage 13, merge holes: SimplifiedContours -> ContourSet.
//! Units: 1/256 cell. Cost: O(corners log corners) if holes have corners near them; a hole examines
//! everything nearer than the corner that it is joined to.
//! Figure: docs/figures/13-merge-holes.svg.
//! Source: M. Mononen, Recast (RecastContour.cpp, mergeRegionHoles). Deviations: the candidate diagonal's own
//! vertex is skipped, not the vertex with the hole's number; the diagonal must lead into the region at the
//! hole's corner too; a hole is recognised by the sign of its area, even if tiny; if there are several
//! outlines, the largest takes the holes; contours without area are dropped.
//!
//! Each hole is joined to its region's outline by a bridge, walked there and back, so that the result is one
//! polygon that touches itself.

use super::Context;
use crate::data::{Contour, ContourSet, ContourVertex, RegionId, SimplifiedContours};
use crate::error::Error;
use crate::meshing::bridges::Rings;
use crate::observer::{DiagnosticKind, Report};
use navmath::sort::SharedSort;

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
    // Holes with their regions, by region and then in their order.
    let mut holes: Vec<(usize, usize)> = (0..areas.len())
        .filter(|&index| areas[index] < 0)
        .map(|index| (contours[index].region.index(), index))
        .collect();
    holes.shared_sort();
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

/// The outline of each region: the largest, or the first of equally large ones.
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

/// Index of the leftmost, then uppermost corner.
fn leftmost(vertices: &[ContourVertex]) -> usize {
    (0..vertices.len()).min_by_key(|&index| vertices[index].plan()).unwrap_or(0)
}

/// Joins the holes of a region. Returns true if all could be joined.
fn merge_region(
    outline: Option<&mut Contour>,
    mut holes: Vec<Vec<ContourVertex>>,
    report: &mut Report,
) -> bool {
    let Some(outline) = outline else {
        for hole in &holes {
            let what = "a region came out of simplification with a hole but without an outline: lower the contours' \
                        max_error";
            report.at_place(DiagnosticKind::BadOutline, hole[0].position, what);
        }
        return false;
    };
    // From left to right: everything to the left of a hole is joined already.
    holes.shared_sort_by_key(|hole| hole[leftmost(hole)].plan());
    let mut rings = Rings::new(&outline.vertices, &holes);
    let mut joined = true;
    for (index, hole) in holes.iter().enumerate() {
        if !rings.join(index, leftmost(hole)) {
            let what = "a hole could not be joined to its outline and is walkable in the mesh: lower the contours' \
                        max_error";
            report.at_place(DiagnosticKind::UnmergedHole, hole[0].position, what);
            joined = false;
        }
    }
    outline.vertices = rings.outline();
    joined
}

#[cfg(test)]
mod plain_tests;
#[cfg(test)]
mod tests;
