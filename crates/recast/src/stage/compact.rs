//! Stage 6, compact: `SpanField<Filtered>` -> `CompactField<Compacted>`.
//! Units: cells. Cost: O(spans), two passes. Figure: docs/figures/06-compact.svg.
//! Source: M. Mononen, Recast (Recast.cpp, rcBuildCompactHeightfield). Deviations: clearance is kept up to 65,535
//! cells instead of 255; neighbours are indices of spans, so there is no limit of 62 layers; a step that leads one
//! way only, which takes a climb of half the agent's height, is none: outlines could not be closed around it.
//!
//! Keeps the walkable tops only, each with the free space above it, and finds for each the span that can be
//! stepped to in each direction: the lowest one within one climb with enough shared space.

use super::Context;
use crate::data::compact::CompactParts;
use crate::data::compact::state::Compacted;
use crate::data::neighbours::Steps;
use crate::data::offsets::partition_point;
use crate::data::span::state::Filtered;
use crate::data::{CompactField, Direction, NO_NEIGHBOUR, Neighbours, SpanField};
use crate::error::Error;
use crate::settings::Config;
use std::ops::Range;

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
    context: &mut Context,
) -> Result<CompactField<Compacted>, Error> {
    let parts = floors(&field, params);
    drop(field);
    Ok(connect(parts, params, context.threads, true))
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

/// Finds the neighbours of all floors, bands of rows by as many threads. Neighbours are all that clearances are needed
/// for, unless somebody wants to see them.
pub(crate) fn connect(
    parts: CompactParts,
    params: &Params,
    threads: usize,
    keep_clearances: bool,
) -> CompactField<Compacted> {
    let neighbours = find(&parts, params, threads);
    let mut field = CompactField::connected(parts, neighbours);
    if !keep_clearances {
        field.clearance = Vec::new();
    }
    field
}

fn find(parts: &CompactParts, params: &Params, threads: usize) -> Neighbours {
    let (width, depth) = (parts.grid.width as usize, parts.grid.depth as usize);
    let first_of = |row: usize| parts.offsets[row * width] as usize;
    let fits = |row: usize| Neighbours::fits(first_of((row + 2).min(depth)) - first_of(row));
    // Two floors of a column that both share enough space with a third lie more than the height apart.
    if 2 * params.walkable_climb > params.walkable_height || !(0..depth).all(fits) {
        let mut neighbours = vec![[NO_NEIGHBOUR; 4]; parts.floor.len()];
        connect_lowest(parts, params, &mut neighbours);
        cut_one_way_steps(&mut neighbours);
        return Neighbours::from_lists(&neighbours);
    }
    Neighbours::from_found(parts.floor.len(), threads, |floors, steps| {
        find_steps(parts, params, floors, steps)
    })
}

/// Finds the steps of some floors and of the rows beside them; the first floor that they are of.
fn find_steps(parts: &CompactParts, params: &Params, floors: Range<usize>, steps: &mut Vec<Steps>) -> usize {
    let (width, depth) = (parts.grid.width as usize, parts.grid.depth as usize);
    let first_of = |row: usize| parts.offsets[row * width] as usize;
    // The last row that begins there or before.
    let row_of = |floor: usize| partition_point(depth, |row| first_of(row) <= floor).saturating_sub(1);
    let last = row_of(floors.end - 1);
    let band = row_of(floors.start).saturating_sub(1)..(last + 2).min(depth);
    let first = first_of(band.start);
    steps.clear();
    steps.resize(first_of(band.end) - first, Steps::default());
    Connector { parts, params, first, steps }.run(band.start as u32..band.end as u32);
    first
}

/// A floor and the space above it.
#[derive(Clone, Copy)]
struct Storey {
    floor: i32,
    clearance: i32,
}

impl Storey {
    #[inline]
    fn of(parts: &CompactParts, span: usize) -> Storey {
        Storey::new(parts.floor[span], parts.clearance[span])
    }

    #[inline]
    fn new(floor: i32, clearance: u16) -> Storey {
        Storey { floor, clearance: i32::from(clearance) }
    }

    /// Whether one can step between two floors: they share the height, and are no more than the climb apart. Free of
    /// branches.
    #[inline]
    fn meets(self, other: Storey, params: &Params) -> bool {
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

/// Connects the floors of a band of rows, where each has at most one to step to in each direction: a step found is
/// one both ways.
struct Connector<'a> {
    parts: &'a CompactParts,
    params: &'a Params,
    /// First floor of the band.
    first: usize,
    /// Of the floors of the band; those of the rows beside it are other bands' work.
    steps: &'a mut [Steps],
}

/// Two lists of the first floors of columns, side by side: a row and the one above it, or a row and itself one column
/// on. Columns that are held against each other have the same place in both.
#[derive(Clone, Copy)]
struct Sides<'a> {
    before: &'a [u32],
    after: &'a [u32],
    /// From the later column to the earlier one, and back.
    back: Direction,
    on: Direction,
}

/// Columns that are taken together at most.
const TOGETHER: usize = 64;

impl Connector<'_> {
    fn run(&mut self, rows: Range<u32>) {
        let width = self.parts.grid.width as usize;
        let row = |row: usize| &self.parts.offsets[row * width..=(row + 1) * width];
        for z in rows.start as usize..(rows.end + 1).min(self.parts.grid.depth) as usize {
            let here = row(z);
            if z < rows.end as usize {
                let (before, after) = (&here[..width], &here[1..]);
                self.connect(Sides { before, after, back: Direction::XMin, on: Direction::XMax });
            }
            if z > 0 {
                let before = row(z - 1);
                self.connect(Sides { before, after: here, back: Direction::ZMin, on: Direction::ZMax });
            }
        }
    }

    /// Connects columns with those that have the same place in the other list. Stretches of columns that have as many
    /// floors as those beside them are taken together.
    fn connect(&mut self, sides: Sides<'_>) {
        let Sides { before, after, .. } = sides;
        let columns = before.len() - 1;
        let mut x = 0;
        while x < columns {
            let distance = after[x] - before[x];
            let end = x + alike(&before[x + 1..], &after[x + 1..], distance);
            while x < end {
                let stretch = x..end.min(x + TOGETHER);
                let spans = before[stretch.start] as usize..before[stretch.end] as usize;
                // Columns with one floor each are done; in others a floor without a step may have one to another floor.
                if !self.connect_stretch(spans, distance, sides) {
                    for x in stretch.clone().filter(|&x| before[x + 1] - before[x] > 1) {
                        self.connect_column(x, sides);
                    }
                }
                x = stretch.end;
            }
            if x < columns {
                self.connect_column(x, sides);
                x += 1;
            }
        }
    }

    /// Connects all floors of one column with those of the one beside.
    fn connect_column(&mut self, x: usize, sides: Sides<'_>) {
        let Sides { before, after, back, on } = sides;
        let others = before[x] as usize..before[x + 1] as usize;
        if others.is_empty() {
            return;
        }
        for span in after[x] as usize..after[x + 1] as usize {
            let storey = Storey::of(self.parts, span);
            for other in others.clone() {
                if storey.meets(Storey::of(self.parts, other), self.params) {
                    let distance = (span - other) as u16;
                    self.set(span, Steps::one(back, distance));
                    self.set(other, Steps::one(on, distance));
                }
            }
        }
    }

    #[inline]
    fn set(&mut self, span: usize, step: Steps) {
        if let Some(steps) = self.steps.get_mut(span.wrapping_sub(self.first)) {
            steps.add_if(step, true);
        }
    }

    /// Connects each of some floors with that at a distance behind it, where they meet; whether all do.
    fn connect_stretch(&mut self, spans: Range<usize>, distance: u32, sides: Sides<'_>) -> bool {
        let CompactParts { floor, clearance, .. } = self.parts;
        let params = *self.params;
        let mut all = true;
        let mut start = spans.start;
        while start < spans.end {
            let count = (spans.end - start).min(TOGETHER);
            let other = start + distance as usize;
            let own = floor[start..][..count].iter().zip(&clearance[start..][..count]);
            let others = floor[other..][..count].iter().zip(&clearance[other..][..count]);
            let mut meets = [0u32; TOGETHER];
            let mut missing = 0;
            for ((a, b), meets) in own.zip(others).zip(&mut meets) {
                let met = Storey::new(*a.0, *a.1).meets(Storey::new(*b.0, *b.1), &params);
                *meets = if met { u32::MAX } else { 0 };
                missing |= !*meets;
            }
            all &= missing == 0;
            for (first, direction) in [(other, sides.back), (start, sides.on)] {
                let step = Steps::one(direction, distance as u16);
                let first = first.wrapping_sub(self.first);
                let Some(steps) = self.steps.get_mut(first..first.wrapping_add(count)) else { continue };
                steps.iter_mut().zip(&meets).for_each(|(steps, &meets)| steps.add_if(step, meets != 0));
            }
            start += count;
        }
        all
    }
}

/// How many columns from the first on lie at this distance from those beside them, given where they end.
fn alike(before: &[u32], after: &[u32], distance: u32) -> usize {
    const CHUNK: usize = 8;
    let mut count = 0;
    for (before, after) in before.chunks_exact(CHUNK).zip(after.chunks_exact(CHUNK)) {
        let apart = before.iter().zip(after).fold(0, |apart, (a, b)| apart | ((b - a) ^ distance));
        if apart != 0 {
            break;
        }
        count += CHUNK;
    }
    let rest = before[count..].iter().zip(&after[count..]);
    count + rest.take_while(|(a, b)| *b - *a == distance).count()
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
        // From the middle floor both floors beside it can be stepped to, but only one can be chosen.
        let spans = SpanField::from_parts(
            grid(2, 1),
            vec![0, 1, 3],
            vec![0, 0, 7],
            vec![4, 1, 8],
            vec![AreaId::GROUND; 3],
        );
        let params = Params { walkable_height: 3, walkable_climb: 4 };
        let field = run(spans, &params, &mut Context::new()).unwrap();
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
