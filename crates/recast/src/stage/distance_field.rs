//! Stage 9, distance field: `CompactField<Eroded>` -> DistanceField.
//! Units: half cells. Cost: O(spans), three passes. Figure: docs/figures/09-distance-field.svg.
//! Source: M. Mononen, Recast (RecastRegion.cpp, calculateDistanceField and boxBlur), after G. Borgefors,
//! Distance transformations in digital images (1986): 2 for a step, 3 for a diagonal. Deviations: none.

use super::Context;
use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, DistanceField, NO_NEIGHBOUR, Neighbours};
use crate::error::Error;
use Direction::{XMax, XMin, ZMax, ZMin};
use navtile::area::AreaId;

/// Computes the distance of each span to the nearest border of its area, blurred over its eight neighbours.
pub fn run(field: CompactField<Eroded>, _: &(), _: &mut Context) -> Result<DistanceField, Error> {
    let sharp = distances(&field, |own, other| own == other);
    let max_distance = sharp.iter().copied().max().unwrap_or(0);
    let distance = (0..field.len()).map(|span| mean(&field.neighbours, &sharp, span)).collect();
    Ok(DistanceField { field, distance, max_distance })
}

/// The distance of each span to the nearest span that lacks a neighbour, or has a neighbour whose area is not
/// `alike`.
pub fn distances<S>(field: &CompactField<S>, alike: impl Fn(AreaId, AreaId) -> bool) -> Vec<u16> {
    let is_inner = |span: usize| {
        let is_alike = |beside| alike(field.area[span], field.area[beside]);
        Direction::ALL.into_iter().all(|direction| field.neighbour(span, direction).is_some_and(is_alike))
    };
    let mut distance: Vec<u16> =
        (0..field.len()).map(|span| if is_inner(span) { u16::MAX } else { 0 }).collect();
    // Each span takes over the distances of its neighbours, and of their neighbours across a corner: one half
    // of the eight in a forward sweep, the others in a backward sweep. Spans of one column do not see each
    // other, so their order is free.
    let mut relax = |span: usize, steps: [(Direction, Direction); 2]| {
        for (direction, then) in steps {
            let of = |other: Option<usize>, more: u16| {
                other.map_or(u16::MAX, |other| distance[other].saturating_add(more))
            };
            let step = of(field.neighbour(span, direction), 2);
            let diagonal = of(field.diagonal(span, direction, then), 3);
            distance[span] = distance[span].min(step).min(diagonal);
        }
    };
    (0..field.len()).for_each(|span| relax(span, [(XMin, ZMin), (ZMin, XMax)]));
    (0..field.len()).rev().for_each(|span| relax(span, [(XMax, ZMax), (ZMax, XMin)]));
    distance
}

/// Distances up to this one remain sharp, half cells: at borders a blur would round corners off.
pub(crate) const BLUR_THRESHOLD: u16 = 2;

/// The mean of a span and its eight neighbours; a missing neighbour counts as the span itself.
pub(crate) fn mean(neighbours: &Neighbours, distance: &[u16], span: usize) -> u16 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::{compact_picture, flat};

    fn digits(picture: &str, blurred: bool) -> String {
        let result = run(flat(picture), &(), &mut Context::new()).unwrap();
        result.check().unwrap();
        if !blurred {
            let field: CompactField<Eroded> = flat(picture);
            let distance = distances(&field, |own, other| own == other);
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
