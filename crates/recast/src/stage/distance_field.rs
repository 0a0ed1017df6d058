//! Stage 9, distance field: `CompactField<Eroded>` -> DistanceField.
//! Units: half cells. Cost: O(spans), three passes. Figure: docs/figures/09-distance-field.svg.
//! Source: M. Mononen, Recast (RecastRegion.cpp, calculateDistanceField and boxBlur), after G. Borgefors,
//! Distance transformations in digital images (1986): 2 for a step, 3 for a diagonal. Deviations: none.

use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, DistanceField, NO_NEIGHBOUR};
use rayon::prelude::*;

/// The distance of each span to the nearest border of its area, blurred over its eight neighbours.
pub fn run(field: CompactField<Eroded>) -> DistanceField {
    run_on(field, 1)
}

/// As [`run`]; so many threads blur.
pub(crate) fn run_on(field: CompactField<Eroded>, threads: usize) -> DistanceField {
    let area = field.area.as_slice();
    let mut distance = Vec::new();
    sweep_down(&field.neighbours, 0, &mut distance, |span, neighbours| {
        let same = |&other: &u32| area.get(other as usize) == Some(&area[span]);
        neighbours.iter().all(same)
    });
    let mut max_distance = 0;
    sweep_up(&field.neighbours, 0, &mut distance, |_, distance| max_distance = distance.max(max_distance));
    let distance = blur(&field, &distance, threads);
    DistanceField { field, distance, max_distance }
}

const X_MIN: usize = Direction::XMin as usize;
const Z_MAX: usize = Direction::ZMax as usize;
const X_MAX: usize = Direction::XMax as usize;
const Z_MIN: usize = Direction::ZMin as usize;

/// The distance of a span by way of a neighbour, 2 for a step, and of the neighbour's neighbour, 3 for a diagonal.
/// What is no neighbour, or not among the spans at hand, of which `first` is the first, is infinitely far.
#[inline]
fn by_way_of(neighbours: &[[u32; 4]], first: u32, distance: &[u16], beside: u32, then: usize) -> u16 {
    let beside = beside.wrapping_sub(first) as usize;
    let Some(&step) = distance.get(beside) else { return u16::MAX };
    let diagonal = neighbours[beside][then].wrapping_sub(first) as usize;
    let diagonal = distance.get(diagonal).copied().unwrap_or(u16::MAX);
    step.saturating_add(2).min(diagonal.saturating_add(3))
}

/// Starts distances for consecutive spans from `first` on: zero for those that are not `inner`. Spreads them towards
/// larger x and z.
pub(super) fn sweep_down(
    neighbours: &[[u32; 4]],
    first: u32,
    distance: &mut Vec<u16>,
    inner: impl Fn(usize, &[u32; 4]) -> bool,
) {
    // None is looked at before its turn.
    distance.clear();
    distance.resize(neighbours.len(), u16::MAX);
    for (span, beside) in neighbours.iter().enumerate() {
        distance[span] = if inner(first as usize + span, beside) {
            let left = by_way_of(neighbours, first, distance, beside[X_MIN], Z_MIN);
            left.min(by_way_of(neighbours, first, distance, beside[Z_MIN], X_MAX))
        } else {
            0
        };
    }
}

/// Spreads distances towards smaller x and z; `done` gets each one when it is final.
pub(super) fn sweep_up(
    neighbours: &[[u32; 4]],
    first: u32,
    distance: &mut [u16],
    mut done: impl FnMut(usize, u16),
) {
    // Spans of one column do not see each other, so running backwards over all spans is the same as running
    // backwards over columns.
    for (span, beside) in neighbours.iter().enumerate().rev() {
        let own = distance[span];
        if own > 0 {
            let right = by_way_of(neighbours, first, distance, beside[X_MAX], Z_MAX);
            let below = by_way_of(neighbours, first, distance, beside[Z_MAX], X_MIN);
            distance[span] = own.min(right).min(below);
        }
        done(first as usize + span, distance[span]);
    }
}

/// Distances up to this are left sharp, half cells: at borders a blur would round corners off.
const BLUR_THRESHOLD: u16 = 2;

/// The mean of each span and its eight neighbours; what is missing counts as the span itself.
fn blur(field: &CompactField<Eroded>, distance: &[u16], threads: usize) -> Vec<u16> {
    let neighbours = field.neighbours.as_slice();
    let mean = |(&own, around): (&u16, &[u32; 4])| {
        if own <= BLUR_THRESHOLD {
            return own;
        }
        let own = u32::from(own);
        let mut sum = own;
        for (direction, &beside) in around.iter().enumerate() {
            if beside == NO_NEIGHBOUR {
                sum += own * 2;
                continue;
            }
            let across = neighbours[beside as usize][(direction + 1) & 3];
            sum += u32::from(distance[beside as usize]);
            sum += distance.get(across as usize).map_or(own, |&distance| u32::from(distance));
        }
        ((sum + 5) / 9) as u16
    };
    if threads > 1 {
        /// Spans that are worth sharing.
        const PIECE: usize = 1 << 14;
        return distance.par_iter().zip(neighbours).with_min_len(PIECE).map(mean).collect();
    }
    distance.iter().zip(neighbours).map(mean).collect()
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
            let mut distance = Vec::new();
            sweep_down(&field.neighbours, 0, &mut distance, |span, _| result.distance[span] != 0);
            sweep_up(&field.neighbours, 0, &mut distance, |_, _| {});
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
