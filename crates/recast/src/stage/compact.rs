//! Stage 6, compact: `SpanField<Filtered>` -> `CompactField<Compacted>`.
//! Units: cells. Cost: O(spans), two passes. Figure: docs/figures/06-compact.svg.
//! Source: M. Mononen, Recast (Recast.cpp, rcBuildCompactHeightfield). Deviations: clearance is kept up to 65,535
//! cells instead of 255; neighbours are indices of spans, so there is no limit of 62 layers; a step that leads one
//! way only, which takes a climb of half the agent's height, is none: outlines could not be closed around it.
//!
//! Keeps the walkable tops only, each with the free space above it, and finds for each the span that can be
//! stepped to in each direction: the lowest one within one climb with enough shared space.

use crate::bands;
use crate::data::compact::CompactParts;
use crate::data::compact::state::Compacted;
use crate::data::span::state::Filtered;
use crate::data::{CompactField, Direction, NO_NEIGHBOUR, SpanField};
use rayon::prelude::*;
use std::ops::Range;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Clearance the agent needs, cells.
    pub walkable_height: i32,
    /// Highest step, cells.
    pub walkable_climb: i32,
}

/// Compacts the field and connects its floors.
pub fn run(field: SpanField<Filtered>, params: &Params) -> CompactField<Compacted> {
    let parts = floors(&field, params);
    drop(field);
    connect(parts, params, 1)
}

/// The walkable floors; neighbours not yet known.
fn floors(field: &SpanField<Filtered>, params: &Params) -> CompactParts {
    let count = field.area.iter().filter(|area| area.is_walkable()).count();
    let mut parts = CompactParts {
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

/// Finds the neighbours of all floors, bands of rows by as many threads.
pub(crate) fn connect(mut parts: CompactParts, params: &Params, threads: usize) -> CompactField<Compacted> {
    let mut neighbours = vec![[NO_NEIGHBOUR; 4]; parts.floor.len()];
    // Two floors of a column that both share enough space with a third lie more than the height apart.
    if 2 * params.walkable_climb > params.walkable_height {
        connect_lowest(&parts, params, &mut neighbours);
        cut_one_way_steps(&mut neighbours);
    } else {
        let bands = bands::split(&parts.grid, threads);
        let mut pieces = bands::split_spans(&parts.grid, &parts.offsets, &bands, &mut neighbours);
        match (bands.as_slice(), pieces.as_mut_slice()) {
            ([band], [piece]) => connect_mutually(&parts, params, band.clone(), piece),
            (bands, pieces) => bands
                .par_iter()
                .zip(pieces)
                .for_each(|(band, piece)| connect_mutually(&parts, params, band.clone(), piece)),
        }
    }
    parts.neighbours = neighbours;
    CompactField::from_parts(parts)
}

/// A floor and the ceiling over it.
#[derive(Clone, Copy)]
struct Storey {
    floor: i32,
    ceiling: i32,
}

impl Storey {
    #[inline]
    fn of(parts: &CompactParts, span: usize) -> Storey {
        let floor = parts.floor[span];
        Storey { floor, ceiling: floor + i32::from(parts.clearance[span]) }
    }

    /// Whether one can step between two floors.
    #[inline]
    fn meets(self, other: Storey, params: &Params) -> bool {
        let shared = self.ceiling.min(other.ceiling) - self.floor.max(other.floor);
        shared >= params.walkable_height && (self.floor - other.floor).abs() <= params.walkable_climb
    }
}

/// Connects the floors of a band of rows, where each has at most one to step to in each direction: a step found is
/// one both ways.
fn connect_mutually(parts: &CompactParts, params: &Params, rows: Range<u32>, neighbours: &mut [[u32; 4]]) {
    let width = parts.grid.width as usize;
    let first = parts.offsets[rows.start as usize * width] as usize;
    // Floors of the rows beside the band are other bands' work.
    let mut set = |span: usize, direction: Direction, other: usize| {
        if let Some(neighbours) = neighbours.get_mut(span.wrapping_sub(first)) {
            neighbours[direction as usize] = other as u32;
        }
    };
    let end = (rows.end + 1).min(parts.grid.depth);
    for row in rows.start as usize..end as usize {
        let here = &parts.offsets[row * width..=(row + 1) * width];
        let above = if row > 0 { &parts.offsets[(row - 1) * width..=row * width] } else { &[] };
        let mut before = here[0] as usize;
        for (x, ends) in here.windows(2).enumerate() {
            let (start, end) = (ends[0] as usize, ends[1] as usize);
            for span in start..end {
                let storey = Storey::of(parts, span);
                let mut other = before;
                while other < start {
                    if storey.meets(Storey::of(parts, other), params) {
                        set(span, Direction::XMin, other);
                        set(other, Direction::XMax, span);
                    }
                    other += 1;
                }
                let Some(&[first, end]) = above.get(x..x + 2) else { continue };
                let mut other = first as usize;
                while other < end as usize {
                    if storey.meets(Storey::of(parts, other), params) {
                        set(span, Direction::ZMin, other);
                        set(other, Direction::ZMax, span);
                    }
                    other += 1;
                }
            }
            before = start;
        }
    }
}

/// Connects each floor with the lowest it can step to in each direction.
fn connect_lowest(parts: &CompactParts, params: &Params, neighbours: &mut [[u32; 4]]) {
    let (grid, offsets) = (parts.grid, &parts.offsets);
    let column = |x, z| {
        let column = grid.column(x, z);
        offsets[column] as usize..offsets[column + 1] as usize
    };
    for z in 0..grid.depth {
        for x in 0..grid.width {
            for direction in Direction::ALL {
                let Some((nx, nz)) = grid.neighbour(x, z, direction) else { continue };
                let beside = column(nx, nz);
                for span in column(x, z) {
                    let storey = Storey::of(parts, span);
                    let meets = |other: &usize| storey.meets(Storey::of(parts, *other), params);
                    if let Some(other) = beside.clone().find(meets) {
                        neighbours[span][direction as usize] = other as u32;
                    }
                }
            }
        }
    }
}

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
    use crate::area::AreaId;
    use crate::stage::testing::{column_of, grid, heights};

    const PARAMS: Params = Params { walkable_height: 3, walkable_climb: 1 };

    #[test]
    fn unwalkable_spans_are_ceilings_only() {
        let field = run(column_of(&[(0, 1, 5), (6, 7, 0), (20, 21, 5)]), &PARAMS);
        field.check().unwrap();
        assert_eq!((field.floor, field.clearance), (vec![1, 21], vec![5, u16::MAX]));
    }

    #[test]
    fn steps_connect_and_cliffs_do_not() {
        let field = run(heights("124"), &PARAMS);
        field.check().unwrap();
        let right = Direction::XMax;
        assert_eq!((field.neighbour(0, right), field.neighbour(1, right)), (Some(1), None));
        assert_eq!(field.neighbour(1, Direction::XMin), Some(0));
    }

    #[test]
    fn a_step_must_lead_both_ways() {
        // From the middle floor both floors beside it can be stepped to, but only one can be chosen.
        let spans = SpanField::from_parts(
            grid(2, 1),
            vec![0, 1, 3],
            vec![0, 0, 7],
            vec![4, 1, 8],
            vec![AreaId::GROUND; 3],
        );
        let field = run(spans, &Params { walkable_height: 3, walkable_climb: 4 });
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
        let field = run(spans, &PARAMS);
        assert_eq!(field.neighbour(0, Direction::XMax), None);
    }
}
