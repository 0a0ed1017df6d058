//! Runs and bands give the same results as the plain stage, span by span.

use super::*;
use crate::data::NO_NEIGHBOUR;
use crate::fast::bands::every_split;
use crate::stage::distance_field::distances;
use crate::stage::testing::flat;
use proptest::prelude::*;

/// The distances and their blur by definition.
fn plain(field: &CompactField<Eroded>) -> (Vec<u16>, Vec<u16>) {
    let distance = distances(field, |own, other| own == other);
    let blurred = (0..field.len()).map(|span| mean(&field.neighbours, &distance, span)).collect();
    (distance, blurred)
}

proptest! {
    #[test]
    fn runs_come_to_what_single_spans_do(
        cells in prop::collection::vec((0usize..40 * 24, 0usize..4), 0..40),
        far in any::<bool>(),
        part in 0usize..900,
        length in 1usize..200,
    ) {
        let mut picture = [b'1'; 40 * 24];
        cells.iter().for_each(|&(cell, kind)| picture[cell] = b"..12"[kind]);
        let rows: Vec<_> = picture.chunks(40).map(|row| String::from_utf8_lossy(row)).collect();
        let field: CompactField<Eroded> = flat(&rows.join("\n"));
        let (expected, blurred) = plain(&field);
        for bands in every_split(field.grid.depth) {
            prop_assert_eq!(&sharp(&field, &bands), &expected);
        }
        let most = if far { u16::MAX } else { *expected.iter().max().unwrap() };
        for threads in [1, 2] {
            prop_assert_eq!(&blur(&field.neighbours, &expected, most, threads), &blurred);
        }
        let (start, end) = (part.min(blurred.len()), (part + length).min(blurred.len()));
        let mut some = vec![0; end - start];
        blur_some(&field.neighbours, &expected, start, most <= MOST_ADDED, &mut some);
        prop_assert_eq!(&some, &blurred[start..end]);
    }

    /// Few holes, so that distances spread over several bands.
    #[test]
    fn bands_come_to_what_the_plain_stage_does(
        cells in prop::collection::vec((0usize..12 * 60, 0usize..3), 0..6),
    ) {
        let mut picture = [b'1'; 12 * 60];
        cells.iter().for_each(|&(cell, kind)| picture[cell] = b".12"[kind]);
        let rows: Vec<_> = picture.chunks(12).map(|row| String::from_utf8_lossy(row)).collect();
        let field: CompactField<Eroded> = flat(&rows.join("\n"));
        let (expected, _) = plain(&field);
        for bands in every_split(field.grid.depth) {
            prop_assert_eq!(&sharp(&field, &bands), &expected);
        }
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
        let inner = |span: usize| !field.neighbours.of(span).contains(&NO_NEIGHBOUR);
        let mut found = vec![u16::MAX; end - start];
        let mut sweep = DistanceSweep::new(&field.neighbours, start..end, &mut found);
        sweep.start(&field.area, |own, other| own == other);
        sweep.run();
        let open = |span| if inner(span) { u16::MAX } else { 0 };
        let mut expected: Vec<u16> = (start..end).map(open).collect();
        // Span by span. Spans outside the sweep are infinitely far.
        let mut sweep = DistanceSweep::new(&field.neighbours, start..end, &mut expected);
        sweep.stretches = vec![Stretch { spans: start..end, run: None }];
        sweep.run();
        prop_assert_eq!(found, expected);
    }
}
