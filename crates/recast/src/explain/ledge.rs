//! Which of the ledge filter's tests a span fails. Follows `stage::filter_ledges` step by step.

use crate::data::span::OPEN_SKY;
use crate::data::{Direction, SpanField};
use crate::stage::filter_ledges::Params;

/// The test that a ledge fails, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ledge {
    GridEdge(Direction),
    Void(Direction),
    Drop(Direction, i32),
    Uneven(i32),
}

/// The first test that a span of column (x, z) fails; `None` if it is no ledge.
pub(super) fn find<S>(field: &SpanField<S>, [x, z]: [u32; 2], span: usize, params: &Params) -> Option<Ledge> {
    let column = field.column(field.grid.column(x, z));
    let (floor, ceiling) = (field.max[span], field.ceiling(&column, span));
    let (mut lowest, mut highest) = (floor, floor);
    for direction in Direction::ALL {
        let Some((nx, nz)) = field.grid.neighbour(x, z, direction) else {
            return Some(Ledge::GridEdge(direction));
        };
        let beside = field.column(field.grid.column(nx, nz));
        let first = if beside.is_empty() { OPEN_SKY } else { field.min[beside.start] };
        if ceiling.min(first) - floor >= params.walkable_height {
            return Some(Ledge::Void(direction));
        }
        for neighbour in beside.clone() {
            let top = ceiling.min(field.ceiling(&beside, neighbour));
            if top - floor.max(field.max[neighbour]) < params.walkable_height {
                continue;
            }
            let step = field.max[neighbour] - floor;
            if step < -params.walkable_climb {
                return Some(Ledge::Drop(direction, -step));
            }
            if step <= params.walkable_climb {
                lowest = lowest.min(field.max[neighbour]);
                highest = highest.max(field.max[neighbour]);
            }
        }
    }
    (highest - lowest > params.walkable_climb).then_some(Ledge::Uneven(highest - lowest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaId;
    use crate::data::span::state::ObstaclesDone;
    use crate::stage::testing::{grid, heights};
    use crate::stage::{Context, filter_ledges};
    use proptest::prelude::*;

    const PARAMS: Params = Params { walkable_height: 3, walkable_climb: 1 };

    #[test]
    fn each_test_is_told() {
        let at = |rows: &str, x: u32| {
            let field: SpanField<ObstaclesDone> = heights(rows);
            find(&field, [x, 1], field.column(field.grid.column(x, 1)).start, &PARAMS)
        };
        assert_eq!(at("111\n111\n111", 0), Some(Ledge::GridEdge(Direction::XMin)));
        assert_eq!(at("1111\n111.\n1111", 2), Some(Ledge::Void(Direction::XMax)));
        assert_eq!(at("5555\n5551\n5555", 2), Some(Ledge::Drop(Direction::XMax, 4)));
        assert_eq!(at("123\n123\n123", 1), Some(Ledge::Uneven(2)));
        assert_eq!(at("111\n111\n111", 1), None);
    }

    proptest! {
        #[test]
        fn it_agrees_with_the_filter(
            columns in prop::collection::vec(prop::collection::vec((1..5i32, 1..4i32), 0..4), 16),
            walkable_climb in 0..4i32,
        ) {
            let (mut offsets, mut min, mut max) = (vec![0], Vec::new(), Vec::new());
            for column in &columns {
                let mut at = 0;
                for &(gap, thickness) in column {
                    min.push(at + gap);
                    at += gap + thickness;
                    max.push(at);
                }
                offsets.push(min.len() as u32);
            }
            let area = vec![AreaId::GROUND; min.len()];
            let field: SpanField<ObstaclesDone> = SpanField::from_parts(grid(4, 4), offsets, min, max, area);
            field.check().unwrap();
            let params = Params { walkable_climb, ..PARAMS };
            let filtered = filter_ledges::run(field.clone(), &params, &mut Context::new()).unwrap();
            for (column, (x, z)) in (0..4).flat_map(|z| (0..4).map(move |x| (x, z))).enumerate() {
                for span in field.column(column) {
                    let ledge = find(&field, [x, z], span, &params).is_some();
                    prop_assert_eq!(ledge, !filtered.area[span].is_walkable());
                }
            }
        }
    }
}
