//! Cutting a triangle into rows and columns, always from its original edges.

use super::slices::{Point, RowPolygon, Slices};
use crate::data::Grid;

/// The lines between rows and columns of a grid, metres from the lattice's zero. A line is a function of its
/// place on the lattice alone, so that two tiles that share it cut at the same float.
pub(crate) struct Lines {
    x: Vec<f32>,
    z: Vec<f32>,
    cells_per_metre: f32,
    base_x: i32,
    base_z: i32,
    /// First and last column that may be filled.
    columns: (i64, i64),
    /// First and last row that may be filled.
    rows: (i64, i64),
}

impl Lines {
    /// Each line is computed in f64 and rounded once: a wall modelled on a line lies on it in f32 too.
    pub(crate) fn new(grid: &Grid, cell_size: f64) -> Lines {
        let along = |base: i32, count: u32| -> Vec<f32> {
            (0..=i64::from(count)).map(|step| ((i64::from(base) + step) as f64 * cell_size) as f32).collect()
        };
        Lines {
            x: along(grid.base_x, grid.width),
            z: along(grid.base_z, grid.depth),
            cells_per_metre: 1.0 / grid.cell_size,
            base_x: grid.base_x,
            base_z: grid.base_z,
            columns: (0, i64::from(grid.width) - 1),
            rows: (0, i64::from(grid.depth) - 1),
        }
    }

    /// These lines, with nothing filled beyond a level of `width` by `depth` columns from the lattice's zero. A
    /// tile at its edge must see no more of it than the whole level, baked in one, does.
    pub(crate) fn clipped(mut self, width: u32, depth: u32) -> Lines {
        let clip = |(first, last): (i64, i64), base: i32, count: u32| {
            (first.max(-i64::from(base)), last.min(i64::from(count) - 1 - i64::from(base)))
        };
        self.columns = clip(self.columns, self.base_x, width);
        self.rows = clip(self.rows, self.base_z, depth);
        self
    }

    /// First and last row of the grid that a triangle reaches; may lie outside the grid, and cross if it
    /// reaches none.
    #[inline]
    pub(crate) fn rows(&self, corners: &[[f32; 3]; 3]) -> (i64, i64) {
        let [a, b, c] = corners.map(|corner| corner[2]);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let (first, last) = reached(low, high, &self.z, self.base_z, self.cells_per_metre);
        (first.max(self.rows.0), last.min(self.rows.1))
    }

    /// Whether a triangle reaches any column of the grid.
    #[inline]
    pub(crate) fn meets_columns(&self, corners: &[[f32; 3]; 3]) -> bool {
        let [a, b, c] = corners.map(|corner| corner[0]);
        let (first, last) = self.columns(a.min(b).min(c), a.max(b).max(c));
        first.max(self.columns.0) <= last.min(self.columns.1)
    }

    /// The first line of a row; that after the last row if it is one more.
    #[inline]
    pub(super) fn row_start(&self, row: u32) -> f32 {
        self.z[row as usize]
    }

    /// A point among the lines of x.
    #[inline]
    pub(super) fn place(&self, x: f32, y: f32) -> Point {
        let lines = self.x.as_slice();
        let guess = i64::from((x * self.cells_per_metre) as i32) - i64::from(self.base_x) + 1;
        // The quotient is rounded; the lines themselves decide.
        let mut before = guess.clamp(0, lines.len() as i64) as usize;
        while before < lines.len() && lines[before] < x {
            before += 1;
        }
        while before > 0 && lines[before - 1] >= x {
            before -= 1;
        }
        let mut upto = before;
        while upto < lines.len() && lines[upto] <= x {
            upto += 1;
        }
        Point { x, y, before: before as i32, upto: upto as i32 }
    }

    /// First and last column of the grid that the range reaches.
    #[inline]
    fn columns(&self, low: f32, high: f32) -> (i64, i64) {
        reached(low, high, &self.x, self.base_x, self.cells_per_metre)
    }
}

/// First and last cell that the range from `low` to `high` reaches over more than its border; a range without
/// extent belongs to the cell it lies in, or to the one after the line it lies on. Cells before the first line
/// are -1, cells after the last are the number of cells.
#[inline]
fn reached(low: f32, high: f32, lines: &[f32], base: i32, cells_per_metre: f32) -> (i64, i64) {
    let cells = lines.len() as i64 - 1;
    // The quotient is rounded; the lines themselves decide.
    let guess = |value: f32| (i64::from((value * cells_per_metre) as i32) - i64::from(base)).clamp(-1, cells);
    let mut first = guess(low);
    while first < cells && lines[(first + 1) as usize] <= low {
        first += 1;
    }
    while first >= 0 && lines[first as usize] > low {
        first -= 1;
    }
    if low == high {
        return (first, first);
    }
    let mut last = guess(high);
    while last < cells && lines[(last + 1) as usize] < high {
        last += 1;
    }
    while last >= 0 && lines[last as usize] >= high {
        last -= 1;
    }
    (first, last)
}

/// Cuts triangles into rows, and rows into columns.
#[derive(Default)]
pub(crate) struct RowCutter {
    /// Lowest and highest corner of the polygon, by column; in the end lowest and highest of all.
    low: Vec<f32>,
    high: Vec<f32>,
    /// Lowest and highest point of its edges, by line.
    line_low: Vec<f32>,
    line_high: Vec<f32>,
    polygon: RowPolygon,
}

/// Columns up to which it is not worth the while to gather heights on lines apart from heights in columns.
const FEW_COLUMNS: usize = 6;
/// Places for them, and for the columns before and after; a power of two spares tests.
const FEW_PLACES: usize = 8;

/// The part of a triangle within a row: consecutive columns from `first`, with its lowest and highest point in each.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) first: u32,
    pub(crate) low: &'a [f32],
    pub(crate) high: &'a [f32],
}

impl RowCutter {
    /// Calls `emit` with (column, lowest, highest) for each column of the grid that the triangle reaches
    /// within `row`.
    pub(crate) fn cut(
        &mut self,
        corners: &[[f32; 3]; 3],
        row: u32,
        lines: &Lines,
        mut emit: impl FnMut(u32, f32, f32),
    ) {
        self.cut_slice(&mut Slices::new(corners, row, lines), row, lines, &mut emit);
    }

    /// As [`RowCutter::cut`], for row after row of one triangle.
    pub(crate) fn cut_slice(
        &mut self,
        slices: &mut Slices,
        row: u32,
        lines: &Lines,
        mut emit: impl FnMut(u32, f32, f32),
    ) {
        if let Some(run) = self.cut_run(slices, row, lines) {
            for (column, (&low, &high)) in (run.first..).zip(run.low.iter().zip(run.high)) {
                emit(column, low, high);
            }
        }
    }

    /// The columns of the grid that the triangle reaches within `row`, in one piece; `None` if it reaches none. Rows are
    /// asked for one after the other.
    #[inline]
    pub(super) fn cut_run(&mut self, slices: &mut Slices, row: u32, lines: &Lines) -> Option<Run<'_>> {
        slices.next(row, lines, &mut self.polygon);
        let points = self.polygon.points();
        let (first, last) = self.polygon.columns()?;
        let inner = (first.max(lines.columns.0), last.min(lines.columns.1));
        if inner.0 > inner.1 {
            return None;
        }
        let count = (inner.1 - inner.0 + 1) as usize;
        if self.low.len() < count + FEW_PLACES {
            for values in [&mut self.low, &mut self.high, &mut self.line_low, &mut self.line_high] {
                values.resize(2 * count + FEW_PLACES, 0.0);
            }
        }
        if !slices.is_flat && first != last && count <= FEW_COLUMNS && inner == (first, last) {
            let (low, high) = gather_few(points, first as i32, lines);
            self.low[..FEW_PLACES].copy_from_slice(&low);
            self.high[..FEW_PLACES].copy_from_slice(&high);
            let columns = 1..count + 1;
            return Some(Run {
                first: first as u32,
                low: &self.low[columns.clone()],
                high: &self.high[columns],
            });
        }
        let (low, high) = (&mut self.low[..count], &mut self.high[..count]);
        if slices.is_flat {
            let height = points.first().map_or(0.0, |point| point.y);
            low.fill(height);
            high.fill(height);
        } else if first == last {
            let heights = points.iter().map(|point| point.y);
            low[0] = heights.clone().fold(f32::INFINITY, least);
            high[0] = heights.fold(f32::NEG_INFINITY, most);
        } else {
            low.fill(f32::INFINITY);
            high.fill(f32::NEG_INFINITY);
            let (line_low, line_high) = (&mut self.line_low[..=count], &mut self.line_high[..=count]);
            line_low.fill(f32::INFINITY);
            line_high.fill(f32::NEG_INFINITY);
            gather(points, inner.0 as usize, lines, [low, high, line_low, line_high]);
            // A column reaches from one of its lines to the other, so these are all that can be its extremes.
            for ((low, &a), &b) in low.iter_mut().zip(&line_low[..count]).zip(&line_low[1..]) {
                *low = least(*low, least(a, b));
            }
            for ((high, &a), &b) in high.iter_mut().zip(&line_high[..count]).zip(&line_high[1..]) {
                *high = most(*high, most(a, b));
            }
        }
        Some(Run { first: inner.0 as u32, low: &self.low[..count], high: &self.high[..count] })
    }
}

/// Lowest and highest point of the polygon within each column, of which there are few, from the one before `first` on;
/// this one and those after the last are of no use.
#[inline]
fn gather_few(points: &[Point], first: i32, lines: &Lines) -> ([f32; FEW_PLACES], [f32; FEW_PLACES]) {
    let (mut low, mut high) = ([f32::INFINITY; FEW_PLACES], [f32::NEG_INFINITY; FEW_PLACES]);
    let mut touch = |place: i32, height: f32| {
        let place = place as usize % FEW_PLACES;
        low[place] = least(low[place], height);
        high[place] = most(high[place], height);
    };
    let Some(mut last) = points.last() else { return (low, high) };
    for point in points {
        // The column before the first line behind the point, and, if it lies on a line, the one before that.
        touch(point.upto - first, point.y);
        if point.before != point.upto {
            touch(point.before - first, point.y);
        }
        let (from, to) = if last.x <= point.x { (last, point) } else { (point, last) };
        last = point;
        if from.upto >= to.before {
            continue;
        }
        let (rise, run) = (to.y - from.y, to.x - from.x);
        for line in from.upto..to.before {
            let height = from.y + rise * ((lines.x[line as usize] - from.x) / run);
            touch(line - first, height);
            touch(line - first + 1, height);
        }
    }
    (low, high)
}

/// Lowest and highest corner of the polygon within each column from `first` on, and lowest and highest point of its
/// edges on each line beside and between them.
#[inline]
fn gather(points: &[Point], first: usize, lines: &Lines, [low, high, line_low, line_high]: [&mut [f32]; 4]) {
    let columns = &lines.x[first..first + line_low.len()];
    // Among these lines alone: how many lie before a point, and how many before it or on it.
    let place = |point: &Point| {
        let before = (i64::from(point.before) - first as i64).clamp(0, columns.len() as i64) as usize;
        let on_line = before < columns.len() && first + before < point.upto as usize;
        (before, before + usize::from(on_line))
    };
    let mut touch = |column: usize, height: f32| {
        if let (Some(low), Some(high)) = (low.get_mut(column), high.get_mut(column)) {
            *low = least(*low, height);
            *high = most(*high, height);
        }
    };
    let Some(mut last) = points.last() else { return };
    let mut last_place = place(last);
    for point in points {
        let (before, upto) = place(point);
        touch(before.wrapping_sub(1), point.y);
        if upto > before {
            touch(before, point.y);
        }
        let (from, to, range) = if last.x <= point.x {
            (last, point, last_place.1..before)
        } else {
            (point, last, upto..last_place.0)
        };
        (last, last_place) = (point, (before, upto));
        if range.is_empty() {
            continue;
        }
        let (rise, run) = (to.y - from.y, to.x - from.x);
        let values = line_low[range.clone()].iter_mut().zip(&mut line_high[range.clone()]);
        for ((low, high), &x) in values.zip(&columns[range]) {
            let height = from.y + rise * ((x - from.x) / run);
            *low = least(*low, height);
            *high = most(*high, height);
        }
    }
}

/// The smaller of two numbers that are not NaN; one instruction, which `f32::min` is not.
#[inline]
fn least(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The larger of two numbers that are not NaN.
#[inline]
fn most(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests;
