//! Stage 9, distance field: `CompactField<Eroded>` -> DistanceField.
//! Units: half cells. Cost: O(spans), three passes. Figure: docs/figures/09-distance-field.svg.
//! Source: M. Mononen, Recast (RecastRegion.cpp, calculateDistanceField and boxBlur), after G. Borgefors,
//! Distance transformations in digital images (1986): 2 for a step, 3 for a diagonal. Deviations: none.

//!
//! Open ground is taken in runs: what comes from the rows beside is found for a run as a whole, only what
//! comes along the row goes from floor to floor.

use super::Context;
use crate::area::AreaId;
use crate::bands;
use crate::data::compact::state::Eroded;
use crate::data::neighbours::{Piece, Run};
use crate::data::{CompactField, Direction, DistanceField, NO_NEIGHBOUR, Neighbours};
use crate::error::Error;
use rayon::prelude::*;
use std::ops::Range;

/// The distance of each span to the nearest border of its area, blurred over its eight neighbours.
pub fn run(field: CompactField<Eroded>, _: &(), context: &mut Context) -> Result<DistanceField, Error> {
    let distance = sharp(&field, context.threads);
    let max_distance = distance.iter().copied().max().unwrap_or(0);
    let distance = blur(&field.neighbours, &distance, max_distance, context.threads);
    Ok(DistanceField { field, distance, max_distance })
}

/// Distances before the blur, by so many threads.
///
/// A band of rows is swept as if nothing came from outside. What does come is spread into it after the band before:
/// row by row, until a row stays as it was, since a row depends on nothing but the one before it.
fn sharp(field: &CompactField<Eroded>, threads: usize) -> Vec<u16> {
    let neighbours = &field.neighbours;
    let mut distance = vec![u16::MAX; field.len()];
    let start = |sweep: &mut Sweep<'_>| sweep.start_within(&field.area, |own, other| own == other);
    let bands = bands::split_evenly(&field.grid, |column| field.offsets.first(column), threads);
    if bands.len() == 1 {
        let mut sweep = Sweep::new(neighbours, 0..field.len(), &mut distance);
        start(&mut sweep);
        sweep.run();
        return distance;
    }
    let spans = |rows: &Range<u32>| {
        let first = |row: u32| field.offsets.first(row as usize * field.grid.width as usize);
        first(rows.start)..first(rows.end)
    };
    let by_band = |distance: &mut [u16], work: &(dyn Fn(&mut Sweep<'_>) + Sync)| {
        let parts = bands::split_spans(&field.grid, |column| field.offsets.first(column), &bands, distance);
        bands.par_iter().zip(parts).for_each(|(band, part)| {
            work(&mut Sweep::new(neighbours, spans(band), part));
        });
    };
    let mut before = Vec::new();
    let mut changes = |distance: &mut [u16], row: u32, work: fn(&mut Sweep<'_>)| {
        let row = spans(&(row..row + 1));
        before.clear();
        before.extend_from_slice(&distance[row.clone()]);
        work(&mut Sweep {
            neighbours,
            first: 0,
            pieces: neighbours.pieces(row.clone(), &(0..field.len())),
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

/// The distances of some consecutive spans, while they are found.
pub(super) struct Sweep<'a> {
    neighbours: &'a Neighbours,
    /// Index of the first span.
    first: usize,
    /// The spans to be swept, in order.
    pieces: Vec<Piece>,
    distance: &'a mut [u16],
}

impl<'a> Sweep<'a> {
    /// For the spans of a range, of which `distance` has as many; others are infinitely far.
    pub(super) fn new(neighbours: &'a Neighbours, spans: Range<usize>, distance: &'a mut [u16]) -> Sweep<'a> {
        let pieces = neighbours.pieces(spans.clone(), &spans);
        Sweep { neighbours, first: spans.start, pieces, distance }
    }

    /// Starts at spans that lack a neighbour; other distances must be infinite.
    pub(super) fn start_open(&mut self) {
        for piece in self.pieces.iter().filter(|piece| piece.run.is_none()) {
            for span in piece.spans.clone() {
                if self.neighbours.of(span).contains(&NO_NEIGHBOUR) {
                    self.distance[span - self.first] = 0;
                }
            }
        }
    }

    /// Starts at spans that lack a neighbour, or have one that is not `alike`.
    pub(super) fn start_within(&mut self, area: &[AreaId], alike: impl Fn(AreaId, AreaId) -> bool) {
        for Piece { spans: Range { start, end }, run } in &self.pieces {
            let own = &area[*start..*end];
            let distance = &mut self.distance[start - self.first..end - self.first];
            let Some(Run { left, right, above, below, .. }) = *run else {
                for ((span, &own), distance) in (*start..).zip(own).zip(distance) {
                    let alike =
                        |&other: &u32| area.get(other as usize).is_some_and(|&other| alike(own, other));
                    *distance = if self.neighbours.of(span).iter().all(alike) { u16::MAX } else { 0 };
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

    /// Spreads distances from where they start, in two sweeps.
    pub(super) fn run(mut self) {
        self.down();
        self.up();
    }

    /// The sweep towards larger x and z.
    fn down(&mut self) {
        for Piece { spans, run } in &self.pieces {
            let spans = spans.start - self.first..spans.end - self.first;
            match run {
                Some(run) => sweep_run_down(run, spans, self.distance),
                None => {
                    for span in spans {
                        if self.distance[span] == 0 {
                            continue;
                        }
                        let left = self.by_way_of(span, Direction::XMin, Direction::ZMin);
                        let above = self.by_way_of(span, Direction::ZMin, Direction::XMax);
                        self.distance[span] = self.distance[span].min(left).min(above);
                    }
                }
            }
        }
    }

    /// The sweep towards smaller x and z. Spans of one column do not see each other, so running backwards over all
    /// spans is the same as running backwards over columns.
    fn up(&mut self) {
        for Piece { spans, run } in self.pieces.iter().rev() {
            let spans = spans.start - self.first..spans.end - self.first;
            match run {
                Some(run) => sweep_run_up(run, spans, self.distance),
                None => {
                    for span in spans.rev() {
                        if self.distance[span] == 0 {
                            continue;
                        }
                        let right = self.by_way_of(span, Direction::XMax, Direction::ZMax);
                        let below = self.by_way_of(span, Direction::ZMax, Direction::XMin);
                        self.distance[span] = self.distance[span].min(right).min(below);
                    }
                }
            }
        }
    }

    /// The distance of a span by way of a neighbour, 2 for a step, and of the neighbour's neighbour, 3 for a diagonal.
    /// What is no neighbour, or not among the spans at hand, is infinitely far.
    #[inline]
    fn by_way_of(&self, span: usize, beside: Direction, then: Direction) -> u16 {
        let beside = (self.neighbours.one(self.first + span, beside) as usize).wrapping_sub(self.first);
        let Some(&step) = self.distance.get(beside) else { return u16::MAX };
        let diagonal = (self.neighbours.one(self.first + beside, then) as usize).wrapping_sub(self.first);
        let diagonal = self.distance.get(diagonal).copied().unwrap_or(u16::MAX);
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
        let mut way = u32::from(before[spans.start - 1]);
        for own in own {
            way = (way + 2).min(u32::from(*own));
            *own = way as u16;
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
        let mut way = u32::from(after[0]);
        for own in own.iter_mut().rev() {
            way = (way + 2).min(u32::from(*own));
            *own = way as u16;
        }
    } else {
        for span in spans.rev() {
            distance[span] = distance[span].min(distance[span + run.right].saturating_add(2));
        }
    }
}

/// Spreads distances from a row beside, which begins with the corner neighbour on the left of the first span, into a
/// run: 2 for a step, 3 for a diagonal.
#[inline]
fn spread_from(beside: &[u16], left: usize, right: usize, own: &mut [u16]) {
    let length = own.len();
    let corners = beside[..length].iter().zip(&beside[left + right..][..length]);
    for ((own, &step), (&a, &b)) in own.iter_mut().zip(&beside[left..][..length]).zip(corners) {
        *own = (*own).min(step.saturating_add(2)).min(a.min(b).saturating_add(3));
    }
}

/// Distances up to this are left sharp, half cells: at borders a blur would round corners off.
const BLUR_THRESHOLD: u16 = 2;

/// Distances up to this one can be added up nine times, and five, in 16 bits.
const MOST_ADDED: u16 = (u16::MAX - 5) / 9;

/// The mean of each span and its eight neighbours; what is missing counts as the span itself.
fn blur(neighbours: &Neighbours, distance: &[u16], max_distance: u16, threads: usize) -> Vec<u16> {
    let mut blurred = vec![0; distance.len()];
    let runs = max_distance <= MOST_ADDED;
    if threads > 1 {
        /// Spans that are worth sharing.
        const PIECE: usize = 1 << 14;
        let pieces = blurred.par_chunks_mut(PIECE).enumerate();
        pieces.for_each(|(index, blurred)| blur_some(neighbours, distance, index * PIECE, runs, blurred));
    } else {
        blur_some(neighbours, distance, 0, runs, &mut blurred);
    }
    blurred
}

/// Blurs the spans from `first` on; runs in one piece if distances are small enough.
fn blur_some(neighbours: &Neighbours, distance: &[u16], first: usize, runs: bool, blurred: &mut [u16]) {
    let spans = first..first + blurred.len();
    for Piece { spans, run } in neighbours.pieces(spans, &(0..distance.len())) {
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

fn mean(neighbours: &Neighbours, distance: &[u16], span: usize) -> u16 {
    let own = distance[span];
    if own <= BLUR_THRESHOLD {
        return own;
    }
    let own = u32::from(own);
    let mut sum = own;
    for (direction, beside) in Direction::ALL.into_iter().zip(neighbours.of(span)) {
        if beside == NO_NEIGHBOUR {
            sum += own * 2;
            continue;
        }
        let across = neighbours.one(beside as usize, direction.next());
        sum += u32::from(distance[beside as usize]);
        sum += distance.get(across as usize).map_or(own, |&distance| u32::from(distance));
    }
    ((sum + 5) / 9) as u16
}

/// Blurs a part of a run, which begins at `start`.
fn blur_run(run: &Run, distance: &[u16], start: usize, blurred: &mut [u16]) {
    let length = blurred.len();
    // The three spans side by side of the rows above, here and below.
    let row = |middle: usize| {
        [middle - run.left, middle, middle + run.right].map(|first| &distance[first..first + length])
    };
    let rows = [row(start - run.above), row(start), row(start + run.below)];
    for (index, blurred) in blurred.iter_mut().enumerate() {
        let own = rows[1][1][index];
        let sum: u16 = rows.iter().map(|[a, b, c]| a[index] + b[index] + c[index]).sum();
        *blurred = if own <= BLUR_THRESHOLD { own } else { (sum + 5) / 9 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::{compact_picture, flat};
    use proptest::prelude::*;

    fn digits(picture: &str, blurred: bool) -> String {
        let result = run(flat(picture), &(), &mut Context::new()).unwrap();
        result.check().unwrap();
        if !blurred {
            let field: CompactField<Eroded> = flat(picture);
            let distance = sharp(&field, 1);
            return compact_picture(&field, |span| char::from_digit(u32::from(distance[span]), 36).unwrap());
        }
        compact_picture(&result.field, |span| char::from_digit(u32::from(result.distance[span]), 36).unwrap())
    }

    #[test]
    fn distance_grows_by_twos_and_threes() {
        let room = "#######\n#######\n#######\n#######\n#######";
        assert_eq!(digits(room, false), "0000000\n0222220\n0244420\n0222220\n0000000");
        assert_eq!(digits("##.##\n#####\n#####\n#####\n#####", false), "00.00\n02020\n02220\n02220\n00000");
    }

    #[test]
    fn blur_leaves_borders_sharp() {
        let room = "#######\n#######\n#######\n#######\n#######";
        assert_eq!(digits(room, true), "0000000\n0222220\n0233320\n0222220\n0000000");
    }

    #[test]
    fn areas_are_borders() {
        assert_eq!(digits("111222\n111222\n111222", true), "000000\n020020\n000000");
    }

    /// The distances and their blur as they are defined, span by span.
    fn plain(field: &CompactField<Eroded>) -> (Vec<u16>, Vec<u16>) {
        use Direction::{XMax, XMin, ZMax, ZMin};
        let same =
            |span: usize, d| field.neighbour(span, d).is_some_and(|n| field.area[n] == field.area[span]);
        let inner = |span: usize| Direction::ALL.into_iter().all(|d| same(span, d));
        let mut distance: Vec<u16> =
            (0..field.len()).map(|span| if inner(span) { u16::MAX } else { 0 }).collect();
        let mut relax = |span: usize, ways: [[Direction; 2]; 2]| {
            for [first, then] in ways {
                let of = |other: Option<usize>, more: u16| {
                    other.map_or(u16::MAX, |n| distance[n].saturating_add(more))
                };
                let best = of(field.neighbour(span, first), 2).min(of(field.diagonal(span, first, then), 3));
                distance[span] = distance[span].min(best);
            }
        };
        (0..field.len()).for_each(|span| relax(span, [[XMin, ZMin], [ZMin, XMax]]));
        (0..field.len()).rev().for_each(|span| relax(span, [[XMax, ZMax], [ZMax, XMin]]));
        let blurred = (0..field.len()).map(|span| mean(&field.neighbours, &distance, span)).collect();
        (distance, blurred)
    }

    proptest! {
        #[test]
        fn runs_come_to_what_single_spans_do(
            cells in prop::collection::vec((0usize..40 * 24, 0usize..4), 0..40),
            far in any::<bool>(),
        ) {
            let mut picture = [b'1'; 40 * 24];
            cells.iter().for_each(|&(cell, kind)| picture[cell] = b"..12"[kind]);
            let rows: Vec<_> = picture.chunks(40).map(|row| String::from_utf8_lossy(row)).collect();
            let field: CompactField<Eroded> = flat(&rows.join("\n"));
            let (expected, blurred) = plain(&field);
            let distance = sharp(&field, 1);
            prop_assert_eq!(&distance, &expected);
            let most = if far { u16::MAX } else { *expected.iter().max().unwrap() };
            for threads in [1, 2] {
                prop_assert_eq!(&blur(&field.neighbours, &distance, most, threads), &blurred);
            }
        }

        /// Few holes, so that distances run over several bands.
        #[test]
        fn bands_come_to_what_one_sweep_does(
            cells in prop::collection::vec((0usize..12 * 150, 0usize..3), 0..12),
            threads in 2usize..7,
        ) {
            let mut picture = [b'1'; 12 * 150];
            cells.iter().for_each(|&(cell, kind)| picture[cell] = b".12"[kind]);
            let rows: Vec<_> = picture.chunks(12).map(|row| String::from_utf8_lossy(row)).collect();
            let field: CompactField<Eroded> = flat(&rows.join("\n"));
            prop_assert_eq!(sharp(&field, threads), sharp(&field, 1));
        }

        #[test]
        fn some_of_the_spans_see_no_others(
            holes in prop::collection::vec(0usize..40 * 24, 0..20),
            start in 0usize..200,
            end in 300usize..900,
        ) {
            let mut picture = [b'1'; 40 * 24];
            holes.iter().for_each(|&cell| picture[cell] = b'.');
            let rows: Vec<_> = picture.chunks(40).map(|row| String::from_utf8_lossy(row)).collect();
            let field: CompactField<Eroded> = flat(&rows.join("\n"));
            // Without neighbours beyond the spans at hand, all are looked at one by one.
            let lists = field.neighbours.to_lists();
            let within = |&other: &u32| (start..end).contains(&(other as usize));
            let cut: Vec<[u32; 4]> = lists
                .iter()
                .map(|list| list.map(|other| if within(&other) { other } else { NO_NEIGHBOUR }))
                .collect();
            let cut = Neighbours::from_lists(&cut);
            let inner = |span: usize| !field.neighbours.of(span).contains(&NO_NEIGHBOUR);
            let mut found = vec![u16::MAX; end - start];
            let mut sweep = Sweep::new(&field.neighbours, start..end, &mut found);
            sweep.start_open();
            sweep.run();
            let open = |span| if inner(span) { u16::MAX } else { 0 };
            let mut expected: Vec<u16> = (start..end).map(open).collect();
            let mut sweep = Sweep::new(&cut, start..end, &mut expected);
            sweep.pieces = vec![Piece { spans: start..end, run: None }];
            sweep.run();
            prop_assert_eq!(found, expected);
        }
    }
}
