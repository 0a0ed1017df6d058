//! Stage 9, distance field: `CompactField<Eroded>` -> DistanceField.
//! Units: half cells. Cost: O(spans), four passes. Figure: docs/figures/09-distance-field.svg.
//! Source: M. Mononen, Recast (RecastRegion.cpp, calculateDistanceField and boxBlur), after G. Borgefors,
//! Distance transformations in digital images (1986): 2 for a step, 3 for a diagonal. Deviations: none.

use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, DistanceField};

/// The distance of each span to the nearest border of its area, blurred over its eight neighbours.
pub fn run(field: CompactField<Eroded>) -> DistanceField {
    let mut distance: Vec<u16> = (0..field.len())
        .map(|span| {
            let same =
                |&d: &Direction| field.neighbour(span, d).is_some_and(|n| field.area[n] == field.area[span]);
            if Direction::ALL.iter().all(same) { u16::MAX } else { 0 }
        })
        .collect();
    chamfer(&field, &mut distance);
    let max_distance = distance.iter().copied().max().unwrap_or(0);
    let distance = blur(&field, &distance);
    DistanceField { field, distance, max_distance }
}

/// Spreads distances from zeros: 2 for a step, 3 for a diagonal; a sweep down and a sweep up.
pub(super) fn chamfer<S>(field: &CompactField<S>, distance: &mut [u16]) {
    let relax = |distance: &mut [u16], span: usize, direction: Direction, then: Direction| {
        if let Some(beside) = field.neighbour(span, direction) {
            let mut least = distance[span].min(distance[beside].saturating_add(2));
            if let Some(diagonal) = field.neighbour(beside, then) {
                least = least.min(distance[diagonal].saturating_add(3));
            }
            distance[span] = least;
        }
    };
    for span in 0..field.len() {
        relax(distance, span, Direction::XMin, Direction::ZMin);
        relax(distance, span, Direction::ZMin, Direction::XMax);
    }
    // Spans of one column do not see each other, so running backwards over all spans is the same as running
    // backwards over columns.
    for span in (0..field.len()).rev() {
        relax(distance, span, Direction::XMax, Direction::ZMax);
        relax(distance, span, Direction::ZMax, Direction::XMin);
    }
}

/// Distances up to this are left sharp, half cells: at borders a blur would round corners off.
const BLUR_THRESHOLD: u16 = 2;

/// The mean of each span and its eight neighbours; what is missing counts as the span itself.
fn blur(field: &CompactField<Eroded>, distance: &[u16]) -> Vec<u16> {
    let mean = |span: usize| {
        let own = distance[span];
        if own <= BLUR_THRESHOLD {
            return own;
        }
        let own = u32::from(own);
        let mut sum = own;
        for direction in Direction::ALL {
            let Some(beside) = field.neighbour(span, direction) else {
                sum += own * 2;
                continue;
            };
            sum += u32::from(distance[beside]);
            sum += field.neighbour(beside, direction.next()).map_or(own, |d| u32::from(distance[d]));
        }
        ((sum + 5) / 9) as u16
    };
    (0..field.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::{compact_picture, flat};

    fn digits(picture: &str, blurred: bool) -> String {
        let result = run(flat(picture));
        result.check().unwrap();
        if !blurred {
            let field: CompactField<Eroded> = flat(picture);
            let mut distance: Vec<u16> =
                result.distance.iter().map(|&d| if d == 0 { 0 } else { u16::MAX }).collect();
            chamfer(&field, &mut distance);
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
}
