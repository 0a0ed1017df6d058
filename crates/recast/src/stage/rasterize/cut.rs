//! Cutting a triangle into rows and columns, always from its original edges.

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
}

/// The part of a triangle within a row: consecutive columns from `first`, with its lowest and highest point in each.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) first: u32,
    pub(crate) low: &'a [f32],
    pub(crate) high: &'a [f32],
}

/// Most corners of the part of a triangle within a row: its own three, and two crossings an edge.
const MAX_CORNERS: usize = 9;

/// Corners of the part of a triangle within a row.
struct RowPolygon {
    points: [[f32; 3]; MAX_CORNERS],
    count: usize,
}

impl RowPolygon {
    #[inline]
    fn push(&mut self, point: [f32; 3]) {
        self.points[self.count] = point;
        self.count += 1;
    }

    #[inline]
    fn points(&self) -> &[[f32; 3]] {
        &self.points[..self.count]
    }

    /// First and last column that it reaches; `None` if it is empty.
    #[inline]
    fn columns(&self, lines: &Lines) -> Option<(i64, i64)> {
        let (start, rest) = self.points().split_first()?;
        let (mut low, mut high) = (start[0], start[0]);
        for point in rest {
            low = least(low, point[0]);
            high = most(high, point[0]);
        }
        Some(lines.columns(low, high))
    }
}

/// The part of a triangle between two lines of z: its corners there, and its edges where they cross the lines.
/// A triangle has three corners and at most two crossings an edge: nine points suffice.
#[inline]
fn row_polygon(corners: &[[f32; 3]; 3], low: f32, high: f32) -> RowPolygon {
    let mut polygon = RowPolygon { points: [[0.0; 3]; MAX_CORNERS], count: 0 };
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (from, to) = (corners[from], corners[to]);
        if from[2] >= low && from[2] <= high {
            polygon.push(from);
        }
        let lines = if from[2] <= to[2] { [low, high] } else { [high, low] };
        for line in lines {
            if (from[2] < line && line < to[2]) || (to[2] < line && line < from[2]) {
                polygon.push(crossing(from, to, line));
            }
        }
    }
    polygon
}

/// Where an edge crosses a line of z; the same float from both triangles that share the edge.
#[inline]
fn crossing(a: [f32; 3], b: [f32; 3], line: f32) -> [f32; 3] {
    let (a, b) = if a[2] < b[2] { (a, b) } else { (b, a) };
    let share = (line - a[2]) / (b[2] - a[2]);
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, line]
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
        if let Some(run) = self.cut_run(corners, row, lines) {
            for (column, (&low, &high)) in (run.first..).zip(run.low.iter().zip(run.high)) {
                emit(column, low, high);
            }
        }
    }

    /// The columns of the grid that the triangle reaches within `row`, in one piece; `None` if it reaches none.
    #[inline]
    pub(crate) fn cut_run(&mut self, corners: &[[f32; 3]; 3], row: u32, lines: &Lines) -> Option<Run<'_>> {
        let polygon = row_polygon(corners, lines.z[row as usize], lines.z[row as usize + 1]);
        let points = polygon.points();
        let (first, last) = polygon.columns(lines)?;
        let inner = (first.max(lines.columns.0), last.min(lines.columns.1));
        if inner.0 > inner.1 {
            return None;
        }
        let count = (inner.1 - inner.0 + 1) as usize;
        if self.low.len() <= count {
            for values in [&mut self.low, &mut self.high, &mut self.line_low, &mut self.line_high] {
                values.resize(2 * count + 1, 0.0);
            }
        }
        let (low, high) = (&mut self.low[..count], &mut self.high[..count]);
        let [a, b, c] = corners;
        if a[1] == b[1] && b[1] == c[1] {
            low.fill(a[1]);
            high.fill(a[1]);
        } else if first == last {
            let heights = points.iter().map(|point| point[1]);
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

/// Lowest and highest corner of the polygon within each column from `first` on, and lowest and highest point of its
/// edges on each line beside and between them.
#[inline]
fn gather(
    points: &[[f32; 3]],
    first: usize,
    lines: &Lines,
    [low, high, line_low, line_high]: [&mut [f32]; 4],
) {
    let columns = &lines.x[first..first + line_low.len()];
    let base = i64::from(lines.base_x) + first as i64;
    let mut touch = |column: usize, height: f32| {
        if let (Some(low), Some(high)) = (low.get_mut(column), high.get_mut(column)) {
            *low = least(*low, height);
            *high = most(*high, height);
        }
    };
    // For each corner, how many lines lie before it, and how many before it or on it.
    let mut before = [(0, 0); MAX_CORNERS];
    for (place, point) in before.iter_mut().zip(points) {
        let less = lines_before(columns, point[0], base, lines.cells_per_metre);
        let on_line = columns.get(less) == Some(&point[0]);
        *place = (less, less + usize::from(on_line));
        touch(less.wrapping_sub(1), point[1]);
        if on_line {
            touch(less, point[1]);
        }
    }
    for (index, &point) in points.iter().enumerate() {
        let following = if index + 1 < points.len() { index + 1 } else { 0 };
        let next = points[following];
        let (from, to, range) = if point[0] <= next[0] {
            (point, next, before[index].1..before[following].0)
        } else {
            (next, point, before[following].1..before[index].0)
        };
        if range.is_empty() {
            continue;
        }
        let (rise, run) = (to[1] - from[1], to[0] - from[0]);
        let values = line_low[range.clone()].iter_mut().zip(&mut line_high[range.clone()]);
        for ((low, high), &x) in values.zip(&columns[range]) {
            let height = from[1] + rise * ((x - from[0]) / run);
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

/// How many of the lines, the first of which is line `base` of the lattice, lie before `x`.
#[inline]
fn lines_before(lines: &[f32], x: f32, base: i64, cells_per_metre: f32) -> usize {
    let guess = i64::from((x * cells_per_metre) as i32) - base;
    let mut less = guess.clamp(0, lines.len() as i64) as usize;
    while less < lines.len() && lines[less] < x {
        less += 1;
    }
    while less > 0 && lines[less - 1] >= x {
        less -= 1;
    }
    less
}
