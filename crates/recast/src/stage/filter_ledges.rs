//! Stage 4, filter ledges: `SpanField<ObstaclesDone>` -> `SpanField<LedgesDone>`.
//! Units: cells. Cost: O(spans x spans of a neighbouring column), one pass.
//! Figure: docs/figures/04-filter-ledges.svg.
//! Source: M. Mononen, Recast (RecastFilter.cpp, rcFilterLedgeSpans). Deviations: none.
//!
//! Spans are rounded outwards, so the last span before a drop overhangs it. A span is a ledge if an agent
//! could drop from it by more than one climb to a neighbour, or if its neighbours differ among themselves by
//! more than one climb.

use super::Context;
use crate::data::span::OPEN_SKY;
use crate::data::span::state::{LedgesDone, ObstaclesDone};
use crate::data::{Direction, SpanField};
use crate::error::Error;
use crate::settings::Config;
use navtile::area::AreaId;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Clearance the agent needs, cells.
    pub walkable_height: i32,
    /// Highest step, cells.
    pub walkable_climb: i32,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { walkable_height: config.walkable_height, walkable_climb: config.walkable_climb }
    }
}

/// Makes ledges unwalkable.
pub fn run(
    mut field: SpanField<ObstaclesDone>,
    params: &Params,
    _: &mut Context,
) -> Result<SpanField<LedgesDone>, Error> {
    for z in 0..field.grid.depth {
        for x in 0..field.grid.width {
            for span in field.column(field.grid.column(x, z)) {
                // The test does not read areas, so marking in place is sound.
                if field.area[span].is_walkable() && find_ledge(&field, [x, z], span, params).is_some() {
                    field.area[span] = AreaId::NULL;
                }
            }
        }
    }
    Ok(field.into_state())
}

/// The reason why a span is a ledge: the first test that it fails. Heights in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ledge {
    /// The grid ends on this side.
    GridEdge(Direction),
    /// The neighbouring column has no ground at this height or below.
    Void(Direction),
    /// The neighbouring floor is this far down.
    Drop(Direction, i32),
    /// The highest and the lowest floor around are this far apart.
    Uneven(i32),
}

/// The first test that a span of column (x, z) fails; `None` if it is not a ledge.
pub fn find_ledge<S>(field: &SpanField<S>, [x, z]: [u32; 2], span: usize, params: &Params) -> Option<Ledge> {
    let own = field.column(field.grid.column(x, z));
    let (floor, ceiling) = (field.max[span], field.ceiling(&own, span));
    let (mut lowest, mut highest) = (floor, floor);
    for direction in Direction::ALL {
        let Some((nx, nz)) = field.grid.neighbour(x, z, direction) else {
            return Some(Ledge::GridEdge(direction));
        };
        let column = field.column(field.grid.column(nx, nz));
        // Below the neighbour's first span there is no ground.
        let first = if column.is_empty() { OPEN_SKY } else { field.min[column.start] };
        if ceiling.min(first) - floor >= params.walkable_height {
            return Some(Ledge::Void(direction));
        }
        for neighbour in column.clone() {
            let neighbour_floor = field.max[neighbour];
            let top = ceiling.min(field.ceiling(&column, neighbour));
            if top - floor.max(neighbour_floor) < params.walkable_height {
                continue;
            }
            let step = neighbour_floor - floor;
            if step < -params.walkable_climb {
                return Some(Ledge::Drop(direction, -step));
            }
            if step <= params.walkable_climb {
                lowest = lowest.min(neighbour_floor);
                highest = highest.max(neighbour_floor);
            }
        }
    }
    (highest - lowest > params.walkable_climb).then_some(Ledge::Uneven(highest - lowest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::{heights, walkable_picture};

    const PARAMS: Params = Params { walkable_height: 4, walkable_climb: 1 };

    fn picture(rows: &str) -> String {
        walkable_picture(&run(heights(rows), &PARAMS, &mut Context::new()).unwrap())
    }

    #[test]
    fn the_edge_of_the_grid_is_a_ledge() {
        assert_eq!(picture("1111\n1111\n1111"), "....\n.##.\n....");
    }

    #[test]
    fn a_drop_makes_its_upper_side_a_ledge() {
        assert_eq!(picture("333111\n333111\n333111"), "......\n.#.##.\n......");
    }

    #[test]
    fn a_step_within_the_climb_is_none() {
        assert_eq!(picture("222111\n222111\n222111"), "......\n.####.\n......");
    }

    #[test]
    fn a_slope_steeper_than_the_climb_over_two_cells_is_one() {
        assert_eq!(picture("123456\n123456\n123456"), "......\n......\n......");
    }

    #[test]
    fn each_test_is_named() {
        let at = |rows: &str, x: u32| {
            let field: SpanField<ObstaclesDone> = heights(rows);
            let span = field.column(field.grid.column(x, 1)).start;
            find_ledge(&field, [x, 1], span, &Params { walkable_height: 3, walkable_climb: 1 })
        };
        assert_eq!(at("111\n111\n111", 0), Some(Ledge::GridEdge(Direction::XMin)));
        assert_eq!(at("1111\n111.\n1111", 2), Some(Ledge::Void(Direction::XMax)));
        assert_eq!(at("5555\n5551\n5555", 2), Some(Ledge::Drop(Direction::XMax, 4)));
        assert_eq!(at("123\n123\n123", 1), Some(Ledge::Uneven(2)));
        assert_eq!(at("111\n111\n111", 1), None);
    }
}
