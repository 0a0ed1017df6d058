//! The sweep behind monotone and layer regions and behind heightfield layers: cuts the walkable surface into
//! monotone regions. Runs of a row continue the region above them if it is theirs alone, so no region lies above
//! itself.
//! Cost: O(spans). Stretches of a row that lie below one region are taken in one piece.
//! Source: M. Mononen, Recast (RecastRegion.cpp, rcBuildRegionsMonotone).

use crate::data::alike::alike;
use crate::data::compact::state::Eroded;
use crate::data::neighbours::Differences;
use crate::data::{CompactField, Direction, RegionId};
use std::ops::Range;

/// In the result of [`sweep_rows`]: no region.
pub(crate) const NONE: u32 = u32::MAX;

/// The region, from 0, of each walkable span within the border, [`NONE`] elsewhere; and the number of regions.
/// As [`sweep`].
pub(crate) fn sweep_rows(
    field: &CompactField<Eroded>,
    joins: impl Fn(usize, usize) -> bool,
) -> (Vec<u32>, u32) {
    let mut labels = vec![RegionId::NONE; field.len()];
    let count = sweep(field, joins, &mut labels);
    let region = |label: RegionId| if label.is_inner() { label.index() as u32 - 1 } else { NONE };
    (labels.into_iter().map(region).collect(), count)
}

/// Labels each walkable span within the border, where all labels are none; returns the number of regions. Neighbours
/// are of one region only if `joins` says so, which it must of spans of one area, and for all spans of two areas alike.
pub(crate) fn sweep(
    field: &CompactField<Eroded>,
    joins: impl Fn(usize, usize) -> bool,
    labels: &mut [RegionId],
) -> u32 {
    let grid = &field.grid;
    let columns = grid.border..grid.width.saturating_sub(grid.border);
    if columns.is_empty() {
        return 0;
    }
    let (runs, samples) = (vec![Run::default()], vec![0]);
    let mut sweep = Sweep { field, joins, labels, count: 0, runs, regions: Vec::new(), samples };
    for z in grid.border..grid.depth.saturating_sub(grid.border) {
        let first = field.offsets.first(grid.column(columns.start, z));
        let end = field.offsets.first(grid.column(columns.end - 1, z) + 1);
        sweep.cut_row(first..end);
        sweep.name_runs(first..end);
    }
    sweep.count
}

/// A run of a row, by what it lies below.
#[derive(Clone, Copy, Default)]
struct Run {
    /// The first region met above it, if any.
    above: RegionId,
    /// How many of the run's spans lie below that, up to where another begins.
    samples: u32,
    /// Whether there is another one.
    several: bool,
}

impl Run {
    /// Takes notice of spans of the run that lie below a region.
    #[inline]
    fn meet(&mut self, region: RegionId, samples: u32, samples_of: &mut [u32]) {
        if self.several {
            return;
        }
        if self.above.is_none() || self.above == region {
            self.above = region;
            self.samples += samples;
            samples_of[region.index()] += samples;
        } else {
            self.several = true;
        }
    }
}

struct Sweep<'a, J> {
    field: &'a CompactField<Eroded>,
    joins: J,
    /// Of the row at hand those of its runs, which become regions when the row is done.
    labels: &'a mut [RegionId],
    /// Regions so far.
    count: u32,
    /// By label, as the two below; no run has the first.
    runs: Vec<Run>,
    /// The region of each run.
    regions: Vec<RegionId>,
    /// By region, how many spans of the row at hand were found below it.
    samples: Vec<u32>,
}

impl<J: Fn(usize, usize) -> bool> Sweep<'_, J> {
    /// Cuts a row into runs.
    fn cut_row(&mut self, spans: Range<usize>) {
        let field = self.field;
        for (spans, differences) in field.neighbours.stretches(spans) {
            if spans.len() == 1 || !differences.leads_to_last(Direction::XMin) {
                spans.filter(|&span| field.area[span].is_walkable()).for_each(|span| {
                    self.add_one(span, differences);
                });
                continue;
            }
            let mut start = spans.start;
            while start < spans.end {
                let end = start + alike(&field.area[start..spans.end]);
                if field.area[start].is_walkable() {
                    self.add_all(start..end, differences);
                }
                start = end;
            }
        }
    }

    /// The run that a span is of: that of the neighbour before, or a new one.
    #[inline]
    fn run_of(&mut self, span: usize, differences: &Differences) -> RegionId {
        if let Some(before) = differences.lead(span, Direction::XMin) {
            let label = self.labels[before];
            if label.is_inner() && (self.joins)(span, before) {
                return label;
            }
        }
        self.runs.push(Run::default());
        RegionId::inner(self.runs.len() as u32 - 1)
    }

    #[inline]
    fn add_one(&mut self, span: usize, differences: &Differences) {
        let run = self.run_of(span, differences);
        if let Some(above) = differences.lead(span, Direction::ZMin) {
            let region = self.labels[above];
            if region.is_inner() && (self.joins)(span, above) {
                self.runs[run.index()].meet(region, 1, &mut self.samples);
            }
        }
        self.labels[span] = run;
    }

    /// Adds spans of one area, of which each but the first follows on the one before.
    fn add_all(&mut self, spans: Range<usize>, differences: &Differences) {
        let label = self.run_of(spans.start, differences);
        if let Some(first) = differences.lead(spans.start, Direction::ZMin) {
            let run = &mut self.runs[label.index()];
            let above = &self.labels[first..first + spans.len()];
            let mut start = 0;
            while start < above.len() {
                let region = above[start];
                let end = start + alike(&above[start..]);
                // All of a region are of one area, or of areas that are alike here.
                if region.is_inner() && (self.joins)(spans.start, first + start) {
                    run.meet(region, (end - start) as u32, &mut self.samples);
                }
                start = end;
            }
        }
        self.labels[spans].fill(label);
    }

    /// Turns the runs of a row into regions.
    fn name_runs(&mut self, row: Range<usize>) {
        let Sweep { labels, count, runs, regions, samples, .. } = self;
        regions.clear();
        regions.push(RegionId::NONE);
        regions.extend(runs[1..].iter().map(|run| {
            // The region above continues if all of its lower edge lies over this run.
            if !run.above.is_none() && !run.several && samples[run.above.index()] == run.samples {
                return run.above;
            }
            *count += 1;
            RegionId::inner(*count)
        }));
        runs.iter().for_each(|run| samples[run.above.index()] = 0);
        runs.truncate(1);
        samples.resize(*count as usize + 1, 0);
        renumber(&mut labels[row], regions);
    }
}

/// Gives regions other labels, by their index, of which the first is none; what is no region stays as it is.
pub(crate) fn renumber(labels: &mut [RegionId], regions: &[RegionId]) {
    /// Labels that are looked at together.
    const TOGETHER: usize = 16;
    // Free of branches: floors of several storeys take turns.
    let renumbered = |label: RegionId| {
        let region = regions[label.index()];
        if label.is_border() { label } else { region }
    };
    let (pieces, rest) = labels.as_chunks_mut::<TOGETHER>();
    for piece in pieces {
        let first = piece[0];
        if piece.iter().fold(true, |alike, label| alike & (*label == first)) {
            piece.fill(renumbered(first));
        } else {
            piece.iter_mut().for_each(|label| *label = renumbered(*label));
        }
    }
    rest.iter_mut().for_each(|label| *label = renumbered(*label));
}

#[cfg(test)]
mod tests;
