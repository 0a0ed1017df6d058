//! Span fields: compared bit for bit, and the agreement of two that may differ.

use super::{Difference, Kind, Tally};
use crate::exact::{CellVerdict, Column, Judge};
use recast::data::{Grid, SpanField};
use std::ops::Range;

/// Compares two span fields, column by column.
pub fn spans<S>(ours: &SpanField<S>, theirs: &SpanField<S>) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::Grid, ours.grid, theirs.grid, || "grid".to_owned());
    if ours.grid.columns() != theirs.grid.columns() {
        return tally.into_differences();
    }
    for column in 0..ours.grid.columns() {
        let place = || place(&ours.grid, column);
        let (our_range, their_range) = (ours.column(column), theirs.column(column));
        if our_range.len() != their_range.len() {
            tally.note(Kind::SpanCount, || {
                format!("{}: {:?}, theirs {:?}", place(), listed(ours, column), listed(theirs, column))
            });
            continue;
        }
        for (a, b) in our_range.zip(their_range) {
            tally.equal(Kind::SpanHeight, (ours.min[a], ours.max[a]), (theirs.min[b], theirs.max[b]), place);
            tally.equal(Kind::SpanArea, ours.area[a].0, theirs.area[b].0, || {
                format!("{}, top {}", place(), ours.max[a])
            });
        }
    }
    tally.into_differences()
}

fn place(grid: &Grid, column: usize) -> String {
    format!("column ({}, {})", column % grid.width as usize, column / grid.width as usize)
}

/// The spans of a column as (bottom, top, area).
fn listed<S>(field: &SpanField<S>, column: usize) -> Vec<(i32, i32, u8)> {
    field.column(column).map(|span| (field.min[span], field.max[span], field.area[span].0)).collect()
}

/// Agreement of two span fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpanAgreement {
    /// Columns in all.
    pub columns: usize,
    /// Columns with any difference.
    pub differing: usize,
    /// Columns in which the solid cells differ.
    pub solid_differing: usize,
    /// Spans that are equal in height but not in area.
    pub areas_differing: usize,
    /// The longest run of cells, upwards, that is solid in one field and free in the other.
    pub longest_run: u32,
    /// Cells that are solid in one field, but in the other neither solid nor next to a solid cell, with the
    /// 26 cells around it counted as next to it. Columns in which ours is right, and ties, are left out.
    pub far_cells: usize,
    /// Columns of `solid_differing` in which exact arithmetic agrees with ours in every cell that is not a
    /// tie.
    pub ours_right: usize,
    /// Columns of `solid_differing` in which every cell that differs is a tie: a triangle ends on its border.
    pub ties: usize,
    /// Columns of `solid_differing` in which it agrees with theirs in every cell that is not a tie.
    pub theirs_right: usize,
    /// The first column in which the solid cells differ and neither explains it, as a column of the lattice.
    pub first_solid: Option<[i32; 2]>,
}

impl SpanAgreement {
    /// The agreement of several tiles together.
    #[must_use]
    pub fn with(self, other: SpanAgreement) -> SpanAgreement {
        SpanAgreement {
            columns: self.columns + other.columns,
            differing: self.differing + other.differing,
            solid_differing: self.solid_differing + other.solid_differing,
            areas_differing: self.areas_differing + other.areas_differing,
            longest_run: self.longest_run.max(other.longest_run),
            far_cells: self.far_cells + other.far_cells,
            ours_right: self.ours_right + other.ours_right,
            ties: self.ties + other.ties,
            theirs_right: self.theirs_right + other.theirs_right,
            first_solid: self.first_solid.or(other.first_solid),
        }
    }

    /// Columns in which exact arithmetic says that ours is right, or that both are.
    pub fn explained(&self) -> usize {
        self.ours_right + self.ties
    }

    /// Promise of the bake: at most one column in a thousand differs in its solid cells, by at most one cell.
    /// Columns do not count if exact arithmetic says that ours is right, or that a surface is on a line
    /// between cells. A column that a triangle touches in a sliver may be filled or not, over its whole
    /// height. The column next to it then shows that the surface is off by one cell, and no more.
    pub fn keeps_promise(&self) -> bool {
        (self.solid_differing - self.explained()) * 1000 <= self.columns && self.far_cells == 0
    }
}

/// Measures the agreement of two span fields on one grid, with a judge for the columns in which they differ.
///
/// The first column and row of a bordered tile are left out. The C++ library rounds coordinates before them
/// towards zero, into them, so they also receive the content of the cell before them. They are the outermost
/// ones of the border, and no polygon comes from them. Columns of a tile beyond the level, which has `size`
/// columns along x and z, are left out too: ours are empty there, like a bake in one tile.
pub fn span_agreement<S, T>(
    ours: &SpanField<S>,
    theirs: &SpanField<T>,
    size: [u32; 2],
    judge: Option<&Judge>,
) -> SpanAgreement {
    let first = usize::from(ours.grid.border > 0);
    let width = ours.grid.width as usize;
    let inside = |step: usize, base: i32, count: u32| {
        step >= first && (0..i64::from(count)).contains(&(i64::from(base) + step as i64))
    };
    let measured = (0..ours.grid.columns()).filter(|column| {
        inside(column % width, ours.grid.base_x, size[0]) && inside(column / width, ours.grid.base_z, size[1])
    });
    let mut agreement = SpanAgreement::default();
    for column in measured {
        agreement.columns += 1;
        let (a, b) = (listed(ours, column), listed(theirs, column));
        if a == b {
            continue;
        }
        agreement.differing += 1;
        let same = |&(min, max, area): &(i32, i32, u8)| {
            b.iter().any(|&other| (other.0, other.1) == (min, max) && other.2 != area)
        };
        agreement.areas_differing += a.iter().filter(|span| same(span)).count();
        let runs = differing_runs(&a, &b);
        let Some(longest) = runs.iter().map(|run| run.len() as u32).max() else { continue };
        agreement.solid_differing += 1;
        agreement.longest_run = agreement.longest_run.max(longest);
        let explained = agreement.explained();
        let (x, z) = (column % width, column / width);
        let place = [ours.grid.base_x + x as i32, ours.grid.base_z + z as i32];
        if let Some(judge) = judge {
            match judged(&judge.column(place[0], place[1]), &a, &runs) {
                Judged::OursRight => agreement.ours_right += 1,
                Judged::Tie => agreement.ties += 1,
                Judged::TheirsRight => agreement.theirs_right += 1,
                Judged::Mixed => {}
            }
            if agreement.explained() > explained {
                continue;
            }
        }
        agreement.first_solid.get_or_insert(place);
        let near = |cell: &i32| solid_around(ours, x, z, *cell) && solid_around(theirs, x, z, *cell);
        agreement.far_cells += runs.into_iter().flatten().filter(|cell| !near(cell)).count();
    }
    agreement
}

/// The side that exact arithmetic agrees with in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judged {
    OursRight,
    TheirsRight,
    Tie,
    Mixed,
}

/// Judges the cells of `runs`, each solid in one list of spans and free in the other.
fn judged(exact: &Column, ours: &[(i32, i32, u8)], runs: &[Range<i32>]) -> Judged {
    let (mut right, mut wrong) = (false, false);
    for cell in runs.iter().cloned().flatten() {
        let solid = ours.iter().any(|&(min, max, _)| min <= cell && cell < max);
        match exact.verdict(cell) {
            CellVerdict::Tie => {}
            CellVerdict::Solid if solid => right = true,
            CellVerdict::Free if !solid => right = true,
            CellVerdict::Solid | CellVerdict::Free => wrong = true,
        }
    }
    match (right, wrong) {
        (true, false) => Judged::OursRight,
        (false, true) => Judged::TheirsRight,
        (false, false) => Judged::Tie,
        (true, true) => Judged::Mixed,
    }
}

/// Runs of cells that are in a span of one list but in no span of the other.
fn differing_runs(a: &[(i32, i32, u8)], b: &[(i32, i32, u8)]) -> Vec<Range<i32>> {
    let mut lines: Vec<i32> = a.iter().chain(b).flat_map(|&(min, max, _)| [min, max]).collect();
    lines.sort_unstable();
    lines.dedup();
    let solid =
        |spans: &[(i32, i32, u8)], cell: i32| spans.iter().any(|&(min, max, _)| min <= cell && cell < max);
    let mut runs: Vec<Range<i32>> = Vec::new();
    for pair in lines.windows(2) {
        if solid(a, pair[0]) == solid(b, pair[0]) {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == pair[0] => run.end = pair[1],
            _ => runs.push(pair[0]..pair[1]),
        }
    }
    runs
}

/// Returns true if a cell or one of the 26 around it is solid.
fn solid_around<S>(field: &SpanField<S>, x: usize, z: usize, cell: i32) -> bool {
    let (width, depth) = (field.grid.width as usize, field.grid.depth as usize);
    (z.saturating_sub(1)..(z + 2).min(depth)).any(|z| {
        (x.saturating_sub(1)..(x + 2).min(width)).any(|x| {
            let mut spans = field.column(x + z * width);
            spans.any(|span| field.min[span] <= cell + 1 && cell - 1 < field.max[span])
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::AreaId;
    use recast::data::span::state::Rasterized;

    /// One row of columns.
    fn row(columns: &[&[(i32, i32, u8)]]) -> SpanField<Rasterized> {
        let width = columns.len() as u32;
        let grid =
            Grid { width, depth: 1, border: 0, base_x: 7, base_z: 0, cell_size: 1.0, cell_height: 1.0 };
        let mut offsets = vec![0];
        columns.iter().for_each(|spans| offsets.push(offsets[offsets.len() - 1] + spans.len() as u32));
        let spans: Vec<_> = columns.concat();
        let min = spans.iter().map(|s| s.0).collect();
        let max = spans.iter().map(|s| s.1).collect();
        SpanField::from_parts(grid, offsets, min, max, spans.iter().map(|s| AreaId(s.2)).collect())
    }

    #[test]
    fn kinds_are_distinguished() {
        let kinds =
            |a: &[_], b: &[_]| spans(&row(&[a]), &row(&[b])).iter().map(|d| d.kind).collect::<Vec<_>>();
        assert_eq!(kinds(&[(0, 3, 1)], &[(0, 3, 1)]), []);
        assert_eq!(kinds(&[(0, 3, 1)], &[(0, 3, 2)]), [Kind::SpanArea]);
        assert_eq!(kinds(&[(0, 3, 1)], &[(0, 4, 1)]), [Kind::SpanHeight]);
        assert_eq!(kinds(&[(0, 3, 1)], &[]), [Kind::SpanCount]);
    }

    #[test]
    fn a_closed_gap_of_one_cell_is_one_cell() {
        let agreement =
            span_agreement(&row(&[&[(0, 5, 1), (6, 9, 1)]]), &row(&[&[(0, 9, 1)]]), [99, 99], None);
        assert_eq!((agreement.differing, agreement.solid_differing, agreement.longest_run), (1, 1, 1));
        assert_eq!((agreement.far_cells, agreement.first_solid), (0, Some([7, 0])));
        let agreement = span_agreement(&row(&[&[(0, 5, 1)]]), &row(&[&[(0, 5, 2)]]), [99, 99], None);
        assert_eq!((agreement.solid_differing, agreement.areas_differing), (0, 1));
        assert!(agreement.keeps_promise());
    }

    #[test]
    fn a_column_may_be_filled_beside_a_full_one_only() {
        let wall: &[_] = &[(0, 9, 0)];
        let agreement =
            span_agreement(&row(&[&[], &[], wall, wall]), &row(&[&[], &[], &[], wall]), [99, 99], None);
        assert_eq!((agreement.longest_run, agreement.far_cells), (9, 0));
        let agreement =
            span_agreement(&row(&[&[], wall, wall, wall]), &row(&[&[], &[], &[], wall]), [99, 99], None);
        assert_eq!((agreement.solid_differing, agreement.far_cells), (2, 9));
        assert!(!agreement.keeps_promise());
    }
}
