//! Drops one of two polygons with the same corners, from storeys that are this close to each other.

use super::draft::Draft;
use crate::data::draft_polygons::DraftPolygons;
use crate::observer::{DiagnosticKind, Report};
use navmath::predicates::polygon_area2;

/// Drops polygons that have the same corners as another one. Two storeys can be this close only if the climb
/// is as large as the agent's height.
pub(super) fn drop_twins(draft: &mut Draft, report: &mut Report) {
    let mut is_twin = find_twins(&draft.polygons).into_iter();
    let Draft { vertices, polygons: DraftPolygons { list, corners }, .. } = draft;
    list.retain(|polygon| {
        let new = is_twin.next() != Some(true);
        let corners = &corners[polygon.first..polygon.first + polygon.count];
        let plan = |&vertex: &u32| [vertices[vertex as usize][0], vertices[vertex as usize][2]];
        if !new && polygon_area2(corners.iter().map(plan)) != 0 {
            let what = "a polygon was left out, as another storey has the same corners: lower agent.climb below \
                        agent.height";
            report.at_place(DiagnosticKind::MergedStoreys, vertices[corners[0] as usize], what);
        }
        new
    });
}

/// Returns true if a polygon has the same corners as a previous one.
pub(super) fn find_twins(polygons: &DraftPolygons) -> Vec<bool> {
    let list = &polygons.list;
    let mut corners: Vec<u32> = Vec::with_capacity(list.iter().map(|polygon| polygon.count).sum());
    // The smallest corner of each polygon, the polygon, and the start of its corners.
    let mut sorted: Vec<(u32, usize, usize)> = Vec::with_capacity(list.len());
    for (index, polygon) in list.iter().enumerate() {
        let start = corners.len();
        corners.extend(polygons.corners(polygon));
        corners[start..].sort_unstable();
        sorted.push((corners.get(start).copied().unwrap_or(0), index, start));
    }
    let own = |index: usize, start: usize| &corners[start..start + list[index].count];
    sorted.sort_unstable_by(|&(least, a, start), &(other_least, b, other)| {
        least.cmp(&other_least).then_with(|| own(a, start).cmp(own(b, other))).then(a.cmp(&b))
    });
    let mut is_twin = vec![false; list.len()];
    for &[(_, a, start), (_, b, other)] in sorted.array_windows() {
        is_twin[b] = own(a, start) == own(b, other);
    }
    is_twin
}
