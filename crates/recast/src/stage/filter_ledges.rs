//! Stage 4, filter ledges: `SpanField<ObstaclesDone>` -> `SpanField<LedgesDone>`.
//! Units: cells. Cost: O(spans x spans of a neighbouring column), one pass.
//! Figure: docs/figures/04-filter-ledges.svg.
//! Source: M. Mononen, Recast (RecastFilter.cpp, rcFilterLedgeSpans). Deviations: none.
//!
//! Spans are rounded outwards, so the last one before a drop overhangs it. A span is a ledge if from it an
//! agent could drop by more than one climb to a neighbour, or if its neighbours differ among themselves by more
//! than one climb.

use super::Context;
use crate::area::AreaId;
use crate::data::span::OPEN_SKY;
use crate::data::span::state::{LedgesDone, ObstaclesDone};
use crate::data::{Direction, SpanField};
use crate::error::Error;
use crate::settings::Config;

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
            let column = field.column(field.grid.column(x, z));
            for span in column.clone() {
                // Areas do not enter the test, so marking in place is sound.
                if field.area[span].is_walkable() {
                    let (floor, ceiling) = (field.max[span], field.ceiling(&column, span));
                    if is_ledge(&field, x, z, floor, ceiling, params) {
                        field.area[span] = AreaId::NULL;
                    }
                }
            }
        }
    }
    Ok(field.into_state())
}

fn is_ledge<S>(field: &SpanField<S>, x: u32, z: u32, floor: i32, ceiling: i32, params: &Params) -> bool {
    let (mut lowest, mut highest) = (floor, floor);
    for direction in Direction::ALL {
        let Some((nx, nz)) = field.grid.neighbour(x, z, direction) else { return true };
        let column = field.column(field.grid.column(nx, nz));
        // Below the neighbour's first span there is nothing to land on.
        let first = if column.is_empty() { OPEN_SKY } else { field.min[column.start] };
        if ceiling.min(first) - floor >= params.walkable_height {
            return true;
        }
        for neighbour in column.clone() {
            let neighbour_floor = field.max[neighbour];
            let top = ceiling.min(field.ceiling(&column, neighbour));
            if top - floor.max(neighbour_floor) < params.walkable_height {
                continue;
            }
            let step = neighbour_floor - floor;
            if step < -params.walkable_climb {
                return true;
            }
            if step <= params.walkable_climb {
                lowest = lowest.min(neighbour_floor);
                highest = highest.max(neighbour_floor);
            }
        }
    }
    highest - lowest > params.walkable_climb
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
}
