//! Cuts a triangle into columns: first by the lines between rows (along z), then each slice by the lines
//! between columns (along x). Both times the triangle's own edges are cut, never the remainder of an earlier
//! cut, so the part within a column depends only on the triangle and the column.

use crate::data::Grid;

/// The lines between the rows and columns of a grid, metres from the lattice's zero, ascending. A line is a
/// function of its index on the lattice only, so two tiles that share it cut at the same float.
pub struct Lines {
    /// Lines between columns, by x; one more than there are columns.
    pub x: Vec<f32>,
    /// Lines between rows, by z; one more than there are rows.
    pub z: Vec<f32>,
    /// First and last column that may be filled; the last is smaller if there is no such column.
    pub columns: (i32, i32),
    /// First and last row that may be filled; the last is smaller if there is no such row.
    pub rows: (i32, i32),
    base: (i32, i32),
}

impl Lines {
    /// The lines of a grid on a lattice of this cell size, which is more precise than the grid's own by its
    /// digits in f64.
    pub fn new(grid: &Grid, cell_size: f64) -> Lines {
        // Computed in f64 and rounded once: a wall that is modelled on a line is on it in f32 too.
        let line = |base: i32, step: u32| ((i64::from(base) + i64::from(step)) as f64 * cell_size) as f32;
        Lines {
            x: (0..=grid.width).map(|step| line(grid.base_x, step)).collect(),
            z: (0..=grid.depth).map(|step| line(grid.base_z, step)).collect(),
            columns: (0, grid.width as i32 - 1),
            rows: (0, grid.depth as i32 - 1),
            base: (grid.base_x, grid.base_z),
        }
    }

    /// These lines, with nothing filled beyond a level of `width` by `depth` columns from the lattice's zero.
    /// A tile at the level's edge must see no more of it than a bake of the whole level in one piece.
    pub fn clipped(mut self, width: u32, depth: u32) -> Lines {
        let clip = |(first, last): (i32, i32), base: i32, count: u32| {
            let start = -i64::from(base);
            let (first, last) =
                (i64::from(first).max(start), i64::from(last).min(start + i64::from(count) - 1));
            // Within the grid unless there is nothing to fill; then the values do not matter.
            if first <= last { (first as i32, last as i32) } else { (0, -1) }
        };
        self.columns = clip(self.columns, self.base.0, width);
        self.rows = clip(self.rows, self.base.1, depth);
        self
    }
}

/// First and last of the cells between `lines` that the range from `low` to `high` reaches by more than its
/// border. A range without extent belongs to the cell that contains it, or to the cell after the line that it
/// is on. Cells before the first line are -1, cells after the last one are the number of cells.
pub(crate) fn reached(lines: &[f32], low: f32, high: f32) -> (i32, i32) {
    let first = lines.partition_point(|&line| line <= low) as i32 - 1;
    let last = lines.partition_point(|&line| line < high) as i32 - 1;
    (first, first.max(last))
}

/// A point of a slice: x and height.
type Point = [f32; 2];

/// The smallest and the largest of some numbers.
fn extent(values: impl Iterator<Item = f32>) -> (f32, f32) {
    values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// Calls `emit` with (column, row, lowest, highest point) for each column of the grid that a triangle
/// reaches.
pub fn cut(corners: &[[f32; 3]; 3], lines: &Lines, mut emit: impl FnMut(u32, u32, f32, f32)) {
    let (low, high) = extent(corners.iter().map(|corner| corner[2]));
    let (first, last) = reached(&lines.z, low, high);
    for row in first.max(lines.rows.0)..=last.min(lines.rows.1) {
        let slice = slice(corners, lines.z[row as usize], lines.z[row as usize + 1]);
        if slice.is_empty() {
            continue;
        }
        let (low, high) = extent(slice.iter().map(|point| point[0]));
        let (first, last) = reached(&lines.x, low, high);
        for column in first.max(lines.columns.0)..=last.min(lines.columns.1) {
            let (low, high) = heights(&slice, lines.x[column as usize], lines.x[column as usize + 1]);
            emit(column as u32, row as u32, low, high);
        }
    }
}

/// The part of a triangle between two lines of z, as a polygon: its corners there, and where its edges cross
/// the lines.
fn slice(corners: &[[f32; 3]; 3], low: f32, high: f32) -> Vec<Point> {
    let mut polygon = Vec::with_capacity(5);
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (from, to) = (corners[from], corners[to]);
        if low <= from[2] && from[2] <= high {
            polygon.push([from[0], from[1]]);
        }
        // From the end with the smaller z, in either direction: the same float from both triangles that share
        // the edge.
        let (a, b) = if from[2] < to[2] { (from, to) } else { (to, from) };
        for line in if from[2] < to[2] { [low, high] } else { [high, low] } {
            if a[2] < line && line < b[2] {
                let share = (line - a[2]) / (b[2] - a[2]);
                polygon.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
            }
        }
    }
    polygon
}

/// The lowest and the highest point of a slice between two lines of x: at a corner, or where an edge crosses
/// a line.
fn heights(slice: &[Point], left: f32, right: f32) -> (f32, f32) {
    let corners = slice.iter().filter(|point| left <= point[0] && point[0] <= right).map(|point| point[1]);
    let next = slice.iter().cycle().skip(1);
    let edges = slice.iter().zip(next).map(|(&a, &b)| if a[0] <= b[0] { (a, b) } else { (b, a) });
    let crossings = edges.flat_map(|(from, to)| {
        let crossed = [left, right].into_iter().filter(move |&line| from[0] < line && line < to[0]);
        crossed.map(move |line| from[1] + (to[1] - from[1]) * ((line - from[0]) / (to[0] - from[0])))
    });
    extent(corners.chain(crossings))
}
