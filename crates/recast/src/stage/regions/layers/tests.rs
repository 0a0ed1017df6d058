//! What lies around pieces is what one finds that goes span by span.

use super::*;
use crate::stage::regions::sweep;
use crate::stage::testing::storeys;
use proptest::prelude::*;

/// As [`survey`], span by span, without overlaps.
fn survey_spans(field: &CompactField<Eroded>, labels: &[RegionId], count: u32) -> Vec<Piece> {
    let mut pieces = vec![Piece::default(); count as usize + 1];
    for (span, label) in labels.iter().enumerate().filter(|(_, label)| label.is_inner()) {
        let piece = &mut pieces[label.index()];
        piece.spans += 1;
        piece.area = field.area[span];
        for direction in Direction::ALL {
            let Some(beside) = field.neighbour(span, direction) else { continue };
            let other = labels[beside];
            if other.is_inner() && other != *label {
                add_unique(&mut piece.neighbours, other.index() as u32);
            }
            piece.at_border |= other.is_border();
        }
    }
    pieces
}

proptest! {
    #[test]
    fn stretches_find_what_spans_find(field in storeys(), border in 0u32..3) {
        let mut field = field;
        field.grid.border = border;
        let (labels, count) = sweep(&field);
        let (found, expected) = (survey(&field, &labels, count), survey_spans(&field, &labels, count));
        for (found, expected) in found.iter().zip(&expected) {
            // In the same order: layers grow in it.
            prop_assert_eq!(&found.neighbours, &expected.neighbours);
            let sums = |piece: &Piece| (piece.spans, piece.area, piece.at_border);
            prop_assert_eq!(sums(found), sums(expected));
        }
        prop_assert_eq!(found.len(), expected.len());
    }
}
