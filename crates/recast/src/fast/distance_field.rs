//! Stage 9, distance field, by runs: distances from adjacent rows are computed for a run as a whole, and only
//! distances along the row from floor to floor. Defined by [`crate::stage::distance_field`].

use super::bands;
use crate::data::compact::state::Eroded;
use crate::data::neighbours::{NO_NEIGHBOUR, Run, Stretch};
use crate::data::{CompactField, Direction, DistanceField, Neighbours};
use crate::error::Error;
use crate::stage::Context;
use crate::stage::distance_field::{BLUR_THRESHOLD, mean};
use navtile::area::AreaId;
use rayon::prelude::*;
use std::ops::Range;

/// Like [`crate::stage::distance_field::run`], on the threads of the context.
pub(crate) fn distance_field(
    field: CompactField<Eroded>,
    _: &(),
    context: &mut Context,
) -> Result<DistanceField, Error> {
    let bands = bands::split_evenly(&field.grid, |column| field.offsets.first(column), context.threads);
    let distance = sharp(&field, &bands);
    let max_distance = distance.iter().copied().max().unwrap_or(0);
    let distance = blur(&field.neighbours, &distance, max_distance, context.threads);
    Ok(DistanceField { field, distance, max_distance })
}

/// Distances before the blur.
///
/// A band of rows is swept as if nothing came in from outside. Then the distances that do come in are spread
/// into it, after the previous band: row by row, until a row stays unchanged, because a row depends only on
/// the previous one.
fn sharp(field: &CompactField<Eroded>, bands: &[Range<u32>]) -> Vec<u16> {
    let neighbours = &field.neighbours;
    let mut distance = vec![u16::MAX; field.len()];
    let start = |sweep: &mut DistanceSweep<'_>| sweep.start(&field.area, |own, other| own == other);
    if bands.len() == 1 {
        let mut sweep = DistanceSweep::new(neighbours, 0..field.len(), &mut distance);
        start(&mut sweep);
        sweep.run();
        return distance;
    }
    let spans = |rows: &Range<u32>| {
        let first = |row: u32| field.offsets.first(row as usize * field.grid.width as usize);
        first(rows.start)..first(rows.end)
    };
    let by_band = |distance: &mut [u16], work: &(dyn Fn(&mut DistanceSweep<'_>) + Sync)| {
        let parts = bands::split_spans(&field.grid, |column| field.offsets.first(column), bands, distance);
        bands.par_iter().zip(parts).for_each(|(band, part)| {
            work(&mut DistanceSweep::new(neighbours, spans(band), part));
        });
    };
    let mut before = Vec::new();
    let mut changes = |distance: &mut [u16], row: u32, work: fn(&mut DistanceSweep<'_>)| {
        let row = spans(&(row..row + 1));
        before.clear();
        before.extend_from_slice(&distance[row.clone()]);
        work(&mut DistanceSweep {
            neighbours,
            first: 0,
            stretches: neighbours.runs(row.clone(), &(0..field.len())),
            distance,
        });
        distance[row] != before[..]
    };
    by_band(&mut distance, &|sweep| {
        start(sweep);
        sweep.down();
    });
    for band in &bands[1..] {
        let _ = band.clone().find(|&row| !changes(&mut distance, row, |sweep| sweep.down()));
    }
    by_band(&mut distance, &|sweep| sweep.up());
    for band in bands[..bands.len() - 1].iter().rev() {
        let _ = band.clone().rev().find(|&row| !changes(&mut distance, row, |sweep| sweep.up()));
    }
    distance
}

/// The distances of some consecutive spans, during the sweeps.
pub(super) struct DistanceSweep<'a> {
    neighbours: &'a Neighbours,
    /// Index of the first span.
    first: usize,
    /// The spans to sweep, in order.
    stretches: Vec<Stretch>,
    distance: &'a mut [u16],
}

impl<'a> DistanceSweep<'a> {
    /// A sweep over the spans of a range; `distance` holds their distances, and all other spans are
    /// infinitely far.
    pub(super) fn new(
        neighbours: &'a Neighbours,
        spans: Range<usize>,
        distance: &'a mut [u16],
    ) -> DistanceSweep<'a> {
        let stretches = neighbours.runs(spans.clone(), &spans);
        DistanceSweep { neighbours, first: spans.start, stretches, distance }
    }

    /// Starts at spans that lack a neighbour, or have a neighbour that is not `alike`.
    pub(super) fn start(&mut self, area: &[AreaId], alike: impl Fn(AreaId, AreaId) -> bool) {
        for Stretch { spans: Range { start, end }, run } in &self.stretches {
            let own = &area[*start..*end];
            let distance = &mut self.distance[start - self.first..end - self.first];
            let Some(Run { left, right, above, below, .. }) = *run else {
                for ((span, &own), distance) in (*start..).zip(own).zip(distance) {
                    let around = self.neighbours.of(span);
                    let alike =
                        |&other: &u32| area.get(other as usize).is_none_or(|&other| alike(own, other));
                    let inner = !around.contains(&NO_NEIGHBOUR) && around.iter().all(alike);
                    *distance = if inner { u16::MAX } else { 0 };
                }
                continue;
            };
            let beside = [start - left, start + right, start - above, start + below];
            let [left, right, above, below] = beside.map(|first| &area[first..first + own.len()]);
            let around = left.iter().zip(right).zip(above.iter().zip(below));
            for ((&own, ((&left, &right), (&above, &below))), distance) in
                own.iter().zip(around).zip(distance)
            {
                let inner = alike(own, left) & alike(own, right) & alike(own, above) & alike(own, below);
                *distance = if inner { u16::MAX } else { 0 };
            }
        }
    }

    /// Spreads distances from their starts, in two sweeps.
    pub(super) fn run(mut self) {
        self.down();
        self.up();
    }

    /// The sweep towards larger x and z.
    fn down(&mut self) {
        for Stretch { spans, run } in &self.stretches {
            let spans = spans.start - self.first..spans.end - self.first;
            match run {
                Some(run) => sweep_run_down(run, spans, self.distance),
                None => {
                    for span in spans {
                        if self.distance[span] == 0 {
                            continue;
                        }
                        let [left, _, _, above] = self.neighbours.of_or_self(self.first + span);
                        let left = self.over(left, Direction::ZMin);
                        let above = self.over(above, Direction::XMax);
                        self.distance[span] = self.distance[span].min(left).min(above);
                    }
                }
            }
        }
    }

    /// The sweep towards smaller x and z. Spans of one column do not see each other, so iterating backwards
    /// over all spans has the effect of iterating backwards over columns.
    fn up(&mut self) {
        for Stretch { spans, run } in self.stretches.iter().rev() {
            let spans = spans.start - self.first..spans.end - self.first;
            match run {
                Some(run) => sweep_run_up(run, spans, self.distance),
                None => {
                    for span in spans.rev() {
                        if self.distance[span] == 0 {
                            continue;
                        }
                        let [_, below, right, _] = self.neighbours.of_or_self(self.first + span);
                        let right = self.over(right, Direction::ZMax);
                        let below = self.over(below, Direction::XMin);
                        self.distance[span] = self.distance[span].min(right).min(below);
                    }
                }
            }
        }
    }

    /// The distance of a span over a neighbour, 2 for a step, and over the neighbour's neighbour, 3 for a
    /// diagonal; infinite if the neighbour is not among the spans of the sweep. Spans that lack a neighbour
    /// have distance 0 from the start, so the first neighbour exists here. If the second one is missing, the
    /// neighbour takes its place, which is no shorter than the step.
    #[inline]
    fn over(&self, beside: u32, then: Direction) -> u16 {
        let distance = |span: u32| self.distance.get((span as usize).wrapping_sub(self.first)).copied();
        let Some(step) = distance(beside) else { return u16::MAX };
        let diagonal = distance(self.neighbours.one_or_self(beside as usize, then)).unwrap_or(u16::MAX);
        step.saturating_add(2).min(diagonal.saturating_add(3))
    }
}

/// Spreads distances through a part of a run towards larger x and z.
fn sweep_run_down(run: &Run, spans: Range<usize>, distance: &mut [u16]) {
    let (before, own) = distance.split_at_mut(spans.start);
    let above = &before[spans.start - run.above - run.left..];
    let own = &mut own[..spans.len()];
    spread_from(above, run.left, run.right, own);
    if run.left == 1 {
        let mut last = u32::from(before[spans.start - 1]);
        for own in own {
            last = (last + 2).min(u32::from(*own));
            *own = last as u16;
        }
    } else {
        for span in spans {
            distance[span] = distance[span].min(distance[span - run.left].saturating_add(2));
        }
    }
}

/// Spreads distances through a part of a run towards smaller x and z.
fn sweep_run_up(run: &Run, spans: Range<usize>, distance: &mut [u16]) {
    let (own, after) = distance.split_at_mut(spans.end);
    let below = &after[spans.start + run.below - run.left - spans.end..];
    let own = &mut own[spans.start..];
    spread_from(below, run.left, run.right, own);
    if run.right == 1 {
        let mut last = u32::from(after[0]);
        for own in own.iter_mut().rev() {
            last = (last + 2).min(u32::from(*own));
            *own = last as u16;
        }
    } else {
        for span in spans.rev() {
            distance[span] = distance[span].min(distance[span + run.right].saturating_add(2));
        }
    }
}

/// Spreads distances into a run from an adjacent row, which begins with the corner neighbour on the left of
/// the first span: 2 for a step, 3 for a diagonal.
#[inline]
fn spread_from(beside: &[u16], left: usize, right: usize, own: &mut [u16]) {
    let length = own.len();
    let corners = beside[..length].iter().zip(&beside[left + right..][..length]);
    for ((own, &step), (&a, &b)) in own.iter_mut().zip(&beside[left..][..length]).zip(corners) {
        *own = (*own).min(step.saturating_add(2)).min(a.min(b).saturating_add(3));
    }
}

/// The sum of nine distances up to this one, plus five, fits in 16 bits.
const MOST_ADDED: u16 = (u16::MAX - 5) / 9;

/// The mean of each span and its eight neighbours; a missing neighbour counts as the span itself.
fn blur(neighbours: &Neighbours, distance: &[u16], max_distance: u16, threads: usize) -> Vec<u16> {
    let mut blurred = vec![0; distance.len()];
    let runs = max_distance <= MOST_ADDED;
    if threads > 1 {
        /// Spans that are worth sharing.
        const SHARE: usize = 1 << 14;
        let stretches = blurred.par_chunks_mut(SHARE).enumerate();
        stretches.for_each(|(index, blurred)| blur_some(neighbours, distance, index * SHARE, runs, blurred));
    } else {
        blur_some(neighbours, distance, 0, runs, &mut blurred);
    }
    blurred
}

/// Blurs the spans from `first` on; runs in one pass if distances are small enough.
fn blur_some(neighbours: &Neighbours, distance: &[u16], first: usize, runs: bool, blurred: &mut [u16]) {
    let spans = first..first + blurred.len();
    for Stretch { spans, run } in neighbours.runs(spans, &(0..distance.len())) {
        let blurred = &mut blurred[spans.start - first..spans.end - first];
        match run.filter(|_| runs) {
            Some(run) => blur_run(&run, distance, spans.start, blurred),
            None => {
                for (span, blurred) in spans.zip(blurred) {
                    *blurred = mean(neighbours, distance, span);
                }
            }
        }
    }
}

/// Blurs a part of a run, starting at `start`.
fn blur_run(run: &Run, distance: &[u16], start: usize, blurred: &mut [u16]) {
    let length = blurred.len();
    // Three neighbouring spans each of the rows above, here and below.
    let row = |middle: usize| {
        [middle - run.left, middle, middle + run.right].map(|first| &distance[first..][..length])
    };
    let ([a, b, c], [d, own, e], [f, g, h]) = (row(start - run.above), row(start), row(start + run.below));
    // By index, and with one sum: the compiler turns this into vector instructions.
    for index in 0..length {
        let above = a[index] + b[index] + c[index];
        let below = f[index] + g[index] + h[index];
        let sum = above + d[index] + own[index] + e[index] + below;
        blurred[index] = if own[index] <= BLUR_THRESHOLD { own[index] } else { (sum + 5) / 9 };
    }
}

#[cfg(test)]
mod tests;
