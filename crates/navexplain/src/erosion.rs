//! The distance from a floor to the nearest border, as erosion counts it, and the position of that border.
//! Units: half cells. Cost: O(spans nearer than the border).

use recast::data::{CompactField, Direction};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The border nearest to a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Border {
    /// Half cells.
    pub(super) distance: u32,
    /// Steps from the span along x and z.
    pub(super) steps: [i32; 2],
    /// Height of its floor, cells.
    pub(super) floor: i32,
}

/// The nearest span that erosion counts as a border: not walkable, or without a walkable neighbour on some
/// side. Searches up to `limit` half cells. Of several at the same distance, returns the one with the
/// smallest steps.
pub(super) fn nearest<S>(field: &CompactField<S>, span: usize, limit: u32) -> Option<Border> {
    let walkable = |span: usize| field.area[span].is_walkable();
    let inner = |span: usize| {
        walkable(span) && Direction::ALL.iter().all(|&d| field.neighbour(span, d).is_some_and(walkable))
    };
    let mut open = BinaryHeap::from([Reverse((0u32, [0i32; 2], span))]);
    let mut best: BTreeMap<usize, u32> = BTreeMap::from([(span, 0)]);
    while let Some(Reverse((distance, [dx, dz], at))) = open.pop() {
        if best.get(&at).is_some_and(|&known| known < distance) {
            continue;
        }
        if !inner(at) {
            return Some(Border { distance, steps: [dx, dz], floor: field.floor[at] });
        }
        for direction in Direction::ALL {
            let Some(beside) = field.neighbour(at, direction) else { continue };
            let (sx, sz) = direction.offset();
            let turned = direction.previous();
            let (tx, tz) = turned.offset();
            let across = field.neighbour(beside, turned).map(|span| (3, [dx + sx + tx, dz + sz + tz], span));
            for (cost, steps, next) in [Some((2, [dx + sx, dz + sz], beside)), across].into_iter().flatten() {
                let distance = distance + cost;
                if distance <= limit && best.get(&next).is_none_or(|&known| distance < known) {
                    best.insert(next, distance);
                    open.push(Reverse((distance, steps, next)));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use navscenes::fields::flat;
    use proptest::prelude::*;
    use recast::data::compact::state::Compacted;
    use recast::stage::{Context, erode};

    #[test]
    fn the_border_is_found() {
        let field: CompactField<Compacted> = flat("#######\n#######\n#######\n###.###\n#######");
        let found = nearest(&field, 16, 100).unwrap();
        assert_eq!((found.distance, found.steps, found.floor), (2, [0, 1], 1), "beside the hole");
        assert_eq!(nearest(&field, 0, 100).unwrap().distance, 0);
    }

    proptest! {
        #[test]
        fn what_is_eroded_is_nearer_than_the_radius(
            cells in prop::collection::vec(prop::bool::weighted(0.9), 81),
            walkable_radius in 1..4i32,
        ) {
            let rows: Vec<String> = cells
                .chunks(9)
                .map(|row| row.iter().map(|&solid| if solid { '#' } else { '.' }).collect())
                .collect();
            let field: CompactField<Compacted> = flat(&rows.join("\n"));
            let params = erode::Params { walkable_radius };
            let eroded = erode::run(field.clone(), &params, &mut Context::new()).unwrap();
            for span in 0..field.len() {
                let distance = nearest(&field, span, 1000).unwrap().distance;
                prop_assert_eq!(!eroded.area[span].is_walkable(), (distance as i32) < walkable_radius * 2);
            }
        }
    }
}
