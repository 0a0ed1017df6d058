//! Stage 11, trace contours: RegionField -> RawContours.
//! Units: cells. Cost: O(spans + corners). Figure: docs/figures/11-trace-contours.svg.
//! Source: M. Mononen, Recast (RecastContour.cpp, walkContour and getCornerHeight). Deviations: outlines of
//! any length are walked; corners take the height of all connected spans around them; corners that both tiles
//! at a border keep are marked; lone spans have outlines.
//!
//! Walks around each region along the sides of its spans, with the region to the left, and around each hole
//! in it.

mod walk;

use super::Context;
use crate::data::sides::boundary_sides;
use crate::data::{RawContour, RawContours, RegionField};
use crate::error::Error;
use crate::lists::leading;
use crate::observer::DiagnosticKind;
use walk::Walker;

/// Traces the outlines and holes of all regions, in the order of their first spans.
pub fn run(regions: &RegionField, _: &(), context: &mut Context) -> Result<RawContours, Error> {
    let mut sides = boundary_sides(&regions.field.neighbours, &regions.region);
    let mut contours = Vec::with_capacity(regions.count as usize);
    let mut walker = Walker::new(regions);
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
            contours.push(RawContour {
                region: regions.region[span],
                area: regions.field.area[span],
                vertices: walker.vertices.clone(),
            });
        } else {
            let border = regions.field.grid.border as i32;
            let cell = [x as i32 - border, regions.field.floor[span], z as i32 - border];
            let what = "an outline of a region could not be walked to its end and was dropped: the climb is too \
                        large for the agent's height, so that steps lead one way only";
            context.report.at_cell(DiagnosticKind::OpenOutline, cell, what);
        }
        span += 1;
    }
    Ok(RawContours { grid: regions.field.grid, region_count: regions.count, contours })
}

#[cfg(test)]
mod tests;
