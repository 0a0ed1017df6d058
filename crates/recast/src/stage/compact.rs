//! Stage 6, compact: `SpanField<Filtered>` -> `CompactField<Compacted>`.
//! Units: cells. Cost: O(spans), two passes. Figure: docs/figures/06-compact.svg.
//! Source: M. Mononen, Recast (Recast.cpp, rcBuildCompactHeightfield). Deviations: clearance is kept up to
//! 65,535 cells instead of 255; neighbours are indices of spans, so there is no limit of 62 layers; a step in
//! one direction only, which needs a climb of half the agent's height, is dropped: outlines could not be
//! closed around it.
//!
//! Keeps only the walkable tops, each with the free space above it. For each top, finds the span that a step
//! in each direction leads to: the lowest one within one climb with enough shared space.

use super::Context;
use crate::data::compact::CompactArrays;
use crate::data::compact::state::Compacted;
use crate::data::span::state::Filtered;
use crate::data::{CompactField, Direction, NO_NEIGHBOUR, SpanField};
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

/// Compacts the field and connects its floors.
pub fn run(
    field: SpanField<Filtered>,
    params: &Params,
    _: &mut Context,
) -> Result<CompactField<Compacted>, Error> {
    let mut parts = floors(&field, params);
    parts.neighbours = find_neighbours(&parts, params);
    Ok(CompactField::from_arrays(parts))
}

/// The walkable floors, without neighbours so far.
fn floors(field: &SpanField<Filtered>, params: &Params) -> CompactArrays {
    let count = field.area.iter().filter(|area| area.is_walkable()).count();
    let mut parts = CompactArrays {
        grid: field.grid,
        walkable_height: params.walkable_height,
        walkable_climb: params.walkable_climb,
        offsets: Vec::with_capacity(field.offsets.len()),
        floor: Vec::with_capacity(count),
        clearance: Vec::with_capacity(count),
        area: Vec::with_capacity(count),
        neighbours: Vec::new(),
    };
    parts.offsets.push(0);
    for column in 0..field.grid.columns() {
        let column = field.column(column);
        for span in column.clone().filter(|&span| field.area[span].is_walkable()) {
            let floor = field.max[span];
            let clearance = field.ceiling(&column, span) - floor;
            parts.floor.push(floor);
            parts.clearance.push(u16::try_from(clearance).unwrap_or(u16::MAX));
            parts.area.push(field.area[span]);
        }
        parts.offsets.push(parts.floor.len() as u32);
    }
    parts
}

/// A floor and the space above it.
#[derive(Clone, Copy)]
pub(crate) struct Storey {
    floor: i32,
    clearance: i32,
}

impl Storey {
    #[inline]
    pub(crate) fn of(parts: &CompactArrays, span: usize) -> Storey {
        Storey::new(parts.floor[span], parts.clearance[span])
    }

    #[inline]
    pub(crate) fn new(floor: i32, clearance: u16) -> Storey {
        Storey { floor, clearance: i32::from(clearance) }
    }

    /// Returns true if an agent can step between two floors: they share the height, and are at most the climb
    /// apart. Branchless.
    #[inline]
    pub(crate) fn meets(self, other: Storey, params: &Params) -> bool {
        let rise = other.floor - self.floor;
        let enough = |space: i32| space >= params.walkable_height;
        enough(self.clearance)
            & enough(other.clearance)
            & enough(self.clearance - rise)
            & enough(other.clearance + rise)
            & (rise <= params.walkable_climb)
            & (rise >= -params.walkable_climb)
    }
}

/// The neighbours of all floors: in each direction the lowest floor that a step leads to, if the step leads
/// back too.
pub fn find_neighbours(parts: &CompactArrays, params: &Params) -> Vec<[u32; 4]> {
    let mut neighbours = lowest_reachable(parts, params);
    cut_one_way_steps(&mut neighbours);
    neighbours
}

/// For each floor and direction, the lowest floor that a step leads to.
fn lowest_reachable(parts: &CompactArrays, params: &Params) -> Vec<[u32; 4]> {
    let (grid, offsets) = (parts.grid, &parts.offsets);
    let column = |x, z| {
        let column = grid.column(x, z);
        offsets[column] as usize..offsets[column + 1] as usize
    };
    let mut neighbours = vec![[NO_NEIGHBOUR; 4]; parts.floor.len()];
    for z in 0..grid.depth {
        for x in 0..grid.width {
            for direction in Direction::ALL {
                let Some((nx, nz)) = grid.neighbour(x, z, direction) else { continue };
                for span in column(x, z) {
                    let storey = Storey::of(parts, span);
                    let meets = |other: &usize| storey.meets(Storey::of(parts, *other), params);
                    if let Some(other) = column(nx, nz).find(meets) {
                        neighbours[span][direction as usize] = other as u32;
                    }
                }
            }
        }
    }
    neighbours
}

/// Removes steps that do not lead back, because a lower floor can be stepped to from there.
fn cut_one_way_steps(neighbours: &mut [[u32; 4]]) {
    for span in 0..neighbours.len() {
        for direction in Direction::ALL {
            let other = neighbours[span][direction as usize];
            let back = direction.next().next() as usize;
            if other != NO_NEIGHBOUR && neighbours[other as usize][back] != span as u32 {
                neighbours[span][direction as usize] = NO_NEIGHBOUR;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::{column_of, grid, heights};
    use navtile::area::AreaId;

    const PARAMS: Params = Params { walkable_height: 3, walkable_climb: 1 };

    #[test]
    fn unwalkable_spans_are_ceilings_only() {
        let field =
            run(column_of(&[(0, 1, 5), (6, 7, 0), (20, 21, 5)]), &PARAMS, &mut Context::new()).unwrap();
        field.check().unwrap();
        assert_eq!((field.floor, field.clearance), (vec![1, 21], vec![5, u16::MAX]));
    }

    #[test]
    fn steps_connect_and_cliffs_do_not() {
        let field = run(heights("124"), &PARAMS, &mut Context::new()).unwrap();
        field.check().unwrap();
        let right = Direction::XMax;
        assert_eq!((field.neighbour(0, right), field.neighbour(1, right)), (Some(1), None));
        assert_eq!(field.neighbour(1, Direction::XMin), Some(0));
    }

    #[test]
    fn a_step_must_lead_both_ways() {
        // From the middle floor an agent can step to both neighbouring floors, but only one can be chosen.
        let spans = SpanField::from_parts(
            grid(2, 1),
            vec![0, 1, 3],
            vec![0, 0, 7],
            vec![4, 1, 8],
            vec![AreaId::GROUND; 3],
        );
        let field =
            run(spans, &Params { walkable_height: 3, walkable_climb: 4 }, &mut Context::new()).unwrap();
        field.check().unwrap();
        let steps = [0, 1, 2].map(|span| Direction::ALL.map(|d| field.neighbour(span, d)));
        assert_eq!(steps[0][Direction::XMax as usize], Some(1));
        assert_eq!(steps[1][Direction::XMin as usize], Some(0));
        assert_eq!(steps[2], [None; 4]);
    }

    #[test]
    fn a_low_gate_does_not_connect() {
        // Two columns with the same floor; over the second hangs a beam two cells up.
        let spans = SpanField::from_parts(
            grid(2, 1),
            vec![0, 1, 3],
            vec![0, 0, 3],
            vec![1, 1, 4],
            vec![AreaId::GROUND; 3],
        );
        let field = run(spans, &PARAMS, &mut Context::new()).unwrap();
        assert_eq!(field.neighbour(0, Direction::XMax), None);
    }
}
