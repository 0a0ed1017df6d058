//! The sweep for monotone and layer regions and for heightfield layers: cuts the walkable surface into
//! monotone regions. A run of a row continues the region above if this region belongs to the run only, so no
//! region overlaps itself. Cost: O(spans).
//! Source: M. Mononen, Recast (RecastRegion.cpp, rcBuildRegionsMonotone).

use crate::data::compact::state::Eroded;
use crate::data::regions::renumber;
use crate::data::{CompactField, RegionId};
use std::ops::Range;

/// Labels each walkable span inside the border, whose labels must all be none; returns the number of regions.
/// Neighbours get the same region only if `joins` returns true.
pub fn sweep(
    field: &CompactField<Eroded>,
    joins: impl Fn(usize, usize) -> bool,
    labels: &mut [RegionId],
) -> u32 {
    let grid = &field.grid;
    let columns = grid.border..grid.width.saturating_sub(grid.border);
    if columns.is_empty() {
        return 0;
    }
    let mut regions = RowRegions { count: 0, runs: vec![RowRun::default()], samples: vec![0] };
    for z in grid.border..grid.depth.saturating_sub(grid.border) {
        let first = field.offsets.first(grid.column(columns.start, z));
        let end = field.offsets.first(grid.column(columns.end - 1, z) + 1);
        for span in (first..end).filter(|&span| field.area[span].is_walkable()) {
            let joined = |beside: u32| {
                let label = labels.get(beside as usize).copied();
                label.filter(|label| label.is_inner() && joins(span, beside as usize))
            };
            let [before, _, _, above] = field.neighbours.of(span);
            let run = joined(before).unwrap_or_else(|| regions.start_run());
            if let Some(above) = joined(above) {
                regions.meet(run, above);
            }
            labels[span] = run;
        }
        regions.finish_row(labels, first..end);
    }
    regions.count
}

/// A run of spans in a row, by the regions above it.
#[derive(Clone, Copy, Default)]
struct RowRun {
    /// The first region found above it, if any.
    above: RegionId,
    /// Number of the run's spans below that region, up to where another begins.
    samples: u32,
    /// True if there is another region above it.
    several: bool,
}

/// The regions so far, and the runs of the current row. Labels of this row are those of runs until it is
/// finished.
struct RowRegions {
    count: u32,
    /// By label; label 0 has no run.
    runs: Vec<RowRun>,
    /// For each label, number of spans of the current row that were found below the region.
    samples: Vec<u32>,
}

impl RowRegions {
    fn start_run(&mut self) -> RegionId {
        self.runs.push(RowRun::default());
        RegionId::inner(self.runs.len() as u32 - 1)
    }

    /// Notes that a span of a run is below a region.
    fn meet(&mut self, run: RegionId, region: RegionId) {
        let run = &mut self.runs[run.index()];
        run.several |= !run.above.is_none() && run.above != region;
        if !run.several {
            run.above = region;
            run.samples += 1;
            self.samples[region.index()] += 1;
        }
    }

    /// Turns the runs of a row into regions.
    fn finish_row(&mut self, labels: &mut [RegionId], row: Range<usize>) {
        let RowRegions { count, runs, samples } = self;
        let mut regions = vec![RegionId::NONE];
        regions.extend(runs[1..].iter().map(|run| {
            // The region above continues if its whole lower edge is above this run.
            if !run.above.is_none() && !run.several && samples[run.above.index()] == run.samples {
                return run.above;
            }
            *count += 1;
            RegionId::inner(*count)
        }));
        runs.drain(1..).for_each(|run| samples[run.above.index()] = 0);
        samples.resize(*count as usize + 1, 0);
        renumber(&mut labels[row], &regions);
    }
}
