//! Stage 3, filter low-hanging obstacles: `SpanField<Rasterized>` -> `SpanField<ObstaclesDone>`.
//! Units: cells. Cost: O(spans), one pass. Figure: docs/figures/03-filter-low-hanging.svg.
//! Source: M. Mononen, Recast (RecastFilter.cpp, rcFilterLowHangingWalkableObstacles). Deviations: none.
//!
//! A kerb or the edge of a stair is too steep to walk, yet an agent steps over it: an unwalkable span whose
//! top is within one climb of the walkable span below becomes walkable, with that span's area.

use super::Context;
use crate::data::SpanField;
use crate::data::span::state::{ObstaclesDone, Rasterized};
use crate::error::Error;
use crate::settings::Config;
use navtile::area::AreaId;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Highest step, cells. Default: the agent's climb, rounded down, so that no step is too high.
    pub walkable_climb: i32,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { walkable_climb: config.walkable_climb }
    }
}

/// Makes obstacles that can be stepped over walkable.
pub fn run(
    mut field: SpanField<Rasterized>,
    params: &Params,
    _: &mut Context,
) -> Result<SpanField<ObstaclesDone>, Error> {
    for column in 0..field.grid.columns() {
        let mut below: Option<(i32, AreaId)> = None;
        for span in field.column(column) {
            let given = field.area[span];
            if let Some((top, area)) = below
                && !given.is_walkable()
                && field.max[span] - top <= params.walkable_climb
            {
                field.area[span] = area;
            }
            // Only spans that were walkable before this stage carry the next one: a heap of obstacles is not
            // a stair.
            below = given.is_walkable().then(|| (field.max[span], field.area[span]));
        }
    }
    Ok(field.into_state())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::column_of;

    fn areas(spans: &[(i32, i32, u8)]) -> Vec<u8> {
        let field = run(column_of(spans), &Params { walkable_climb: 2 }, &mut Context::new()).unwrap();
        field.area.iter().map(|area| area.0).collect()
    }

    #[test]
    fn a_kerb_is_stepped_over() {
        assert_eq!(areas(&[(0, 1, 5), (2, 3, 0)]), [5, 5]);
        assert_eq!(areas(&[(0, 1, 5), (2, 4, 0)]), [5, 0]);
    }

    #[test]
    fn a_heap_of_kerbs_is_not_a_stair() {
        assert_eq!(areas(&[(0, 1, 5), (2, 3, 0), (4, 5, 0)]), [5, 5, 0]);
    }

    #[test]
    fn nothing_carries_from_below_the_ground() {
        assert_eq!(areas(&[(0, 1, 0), (2, 3, 0), (4, 5, 7)]), [0, 0, 7]);
    }
}
