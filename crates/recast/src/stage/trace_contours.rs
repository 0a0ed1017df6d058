//! Stage 11, trace contours: RegionField -> RawContours.
//! Units: cells in, 1/256 cell out. Cost: O(spans + corners). Figure: docs/figures/11-trace-contours.svg.
//! Source: M. Mononen, Recast (RecastContour.cpp, walkContour and getCornerHeight). Deviations: outlines of
//! any length are walked; corners take the height of all connected spans around them; corners that both tiles
//! at a border keep are marked; lone spans have outlines.
//!
//! Walks around each region along the sides of its spans, with the region to the left, and around each hole
//! in it.

mod crossings;
mod walk;

use super::Context;
use crate::data::sides::boundary_sides;
use crate::data::{RawContour, RawContours, RawVertex, RegionField, RegionId};
use crate::error::Error;
use crate::lists::leading;
use crate::observer::DiagnosticKind;
use crate::outline::{Moves, OutlineFault, VolumeEdges, WallLines, WallMover};
use crossings::Edges;
use navmath::FIXED_ONE;
use navmath::predicates::polygon_area2;
use navmath::sort::SharedSort;
use walk::Walker;

/// Traces the outlines and holes of all regions, in the order of their first spans.
pub fn run(regions: &RegionField, _: &(), context: &mut Context) -> Result<RawContours, Error> {
    trace((regions, None), &(), context).map(|(contours, _)| contours)
}

/// Like [`run`]; with wall lines, moves outlines along walls. Also returns the faults of moved outlines,
/// sorted.
pub(crate) fn trace(
    (regions, lines): (&RegionField, Option<(&WallLines, VolumeEdges<'_>, &Moves)>),
    _: &(),
    context: &mut Context,
) -> Result<(RawContours, Vec<OutlineFault>), Error> {
    let mover =
        lines.map(|(lines, volumes, moves)| (WallMover::new(lines, volumes, &regions.field.grid), moves));
    let mut faults = Vec::new();
    let mut sides = boundary_sides(&regions.field.neighbours, &regions.region);
    let mut contours = Vec::with_capacity(regions.count as usize);
    let mut walker = Walker::new(regions, mover.is_none());
    let width = regions.field.grid.width;
    let mut span = 0;
    loop {
        span += leading(sides.len() - span, |index| sides[span + index] == 0);
        if span == sides.len() {
            break;
        }
        let column = regions.field.offsets.column_of(span);
        let (x, z) = (column as u32 % width, column as u32 / width);
        if walker.around(&mut sides, span, [x, z]) {
            let region = regions.region[span];
            let vertices = match &mover {
                Some((mover, moves)) => {
                    moved_outline(&mut walker, mover, moves, (regions, region), &mut faults)
                }
                None => walker.vertices.clone(),
            };
            contours.push(RawContour { region, area: regions.field.area[span], vertices });
        } else {
            let border = regions.field.grid.border as i32;
            let [x, z] = [x, z].map(|column| (column as i32 - border) * FIXED_ONE);
            let place = [x, regions.field.floor[span], z];
            let what = "an outline of a region could not be walked to its end and was dropped: the climb is too \
                        large for the agent's height, so that steps lead one way only";
            context.report.at_place(DiagnosticKind::OpenOutline, place, what);
        }
        span += 1;
    }
    let contours = RawContours { grid: regions.field.grid, region_count: regions.count, contours };
    if mover.is_some() {
        crossings::find(&contours, context.scratch.of::<Edges>(), &mut faults);
        faults.shared_sort();
        faults.dedup();
    }
    Ok((contours, faults))
}

/// The outline that was walked last, moved. It has a fault if it turns over or leaves its region.
fn moved_outline(
    walker: &mut Walker<'_>,
    mover: &WallMover<'_>,
    moves: &Moves,
    (regions, region): (&RegionField, RegionId),
    faults: &mut Vec<OutlineFault>,
) -> Vec<RawVertex> {
    let area = |vertices: &[RawVertex]| -polygon_area2(vertices.iter().map(RawVertex::plan));
    let before = area(&walker.vertices);
    // The two sides of a slit within a region are one line, which has no walls.
    if before == 0 {
        return walker.vertices.clone();
    }
    walker.drop_slits();
    let Walker { vertices: traced, around, .. } = walker;
    moves.limit(around);
    let mut vertices = traced.clone();
    mover.move_outline(&mut vertices, around);
    let fault = |vertex: &RawVertex| OutlineFault { region, place: Some(vertex.plan()) };
    if area(&vertices).signum() != before.signum() {
        faults.extend(traced.iter().map(fault));
    }
    faults.extend(vertices.iter().filter(|vertex| !is_at_region(regions, region, vertex)).map(fault));
    vertices
}

/// Returns true if a corner is at most a cell away from the cells of a region. The lines behind a single cell
/// may cross farther away, off the ground.
fn is_at_region(regions: &RegionField, region: RegionId, corner: &RawVertex) -> bool {
    let field = &regions.field;
    // A cell that ends a cell before the corner counts too.
    let near = [-FIXED_ONE - 1, FIXED_ONE].map(|by| corner.plan().map(|at| at.saturating_add(by)));
    let mut spans = field.grid.columns_in(near).flat_map(|column| field.column(column));
    spans.any(|span| regions.region[span] == region)
}

#[cfg(test)]
mod tests;
