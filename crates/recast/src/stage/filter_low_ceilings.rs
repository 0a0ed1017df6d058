//! Stage 5, filter low ceilings: `SpanField<LedgesDone>` -> `SpanField<Filtered>`.
//! Units: cells. Cost: O(spans), one pass. Figure: docs/figures/05-filter-low-ceilings.svg.
//! Source: M. Mononen, Recast (RecastFilter.cpp, rcFilterWalkableLowHeightSpans). Deviations: none.

use super::Context;
use crate::data::SpanField;
use crate::data::span::state::{Filtered, LedgesDone};
use crate::error::Error;
use crate::settings::Config;
use navtile::area::AreaId;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Clearance the agent needs, cells. Default: its height, rounded up, so that it never hits its head.
    pub walkable_height: i32,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { walkable_height: config.walkable_height }
    }
}

/// Makes spans unwalkable if there is too little space above for an agent.
pub fn run(
    mut field: SpanField<LedgesDone>,
    params: &Params,
    _: &mut Context,
) -> Result<SpanField<Filtered>, Error> {
    for column in 0..field.grid.columns() {
        let column = field.column(column);
        for span in column.clone() {
            if field.ceiling(&column, span) - field.max[span] < params.walkable_height {
                field.area[span] = AreaId::NULL;
            }
        }
    }
    Ok(field.into_state())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::column_of;

    #[test]
    fn there_must_be_space_to_stand() {
        let spans = column_of(&[(0, 1, 5), (4, 5, 5), (9, 10, 5)]);
        let field = run(spans, &Params { walkable_height: 4 }, &mut Context::new()).unwrap();
        assert_eq!(field.area.iter().map(|area| area.0).collect::<Vec<_>>(), [0, 5, 5]);
    }
}
