//! Cutting row after row makes what its definition says, to the bit.

use super::*;
use crate::data::Grid;
use proptest::prelude::*;

/// Corners of the part of a triangle between two lines of z, and where its edges cross them.
fn row_polygon(corners: &[[f32; 3]; 3], low: f32, high: f32) -> Vec<[f32; 3]> {
    let mut polygon = Vec::new();
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (from, to) = (corners[from], corners[to]);
        if from[2] >= low && from[2] <= high {
            polygon.push(from);
        }
        let lines = if from[2] <= to[2] { [low, high] } else { [high, low] };
        for line in lines {
            if (from[2] < line && line < to[2]) || (to[2] < line && line < from[2]) {
                let (a, b) = if from[2] < to[2] { (from, to) } else { (to, from) };
                let share = (line - a[2]) / (b[2] - a[2]);
                polygon.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, line]);
            }
        }
    }
    polygon
}

/// Column, lowest and highest point for each column of the grid that a triangle reaches within a row.
fn plain(corners: &[[f32; 3]; 3], row: u32, grid: &Grid, lines: &Lines) -> Vec<(u32, f32, f32)> {
    let points = row_polygon(corners, lines.row_start(row), lines.row_start(row + 1));
    let lines = &lines.lines_from(0)[..=grid.width as usize];
    if points.is_empty() {
        return Vec::new();
    }
    let low = points.iter().fold(f32::INFINITY, |low, point| low.min(point[0]));
    let high = points.iter().fold(f32::NEG_INFINITY, |high, point| high.max(point[0]));
    let first = lines.iter().filter(|&&line| line <= low).count() as i64 - 1;
    let last = (lines.iter().filter(|&&line| line < high).count() as i64 - 1).max(first);
    let mut columns = Vec::new();
    for column in first.max(0)..=last.min(lines.len() as i64 - 2) {
        let [left, right] = [lines[column as usize], lines[column as usize + 1]];
        let mut heights: Vec<f32> = points
            .iter()
            .filter(|point| left <= point[0] && point[0] <= right)
            .map(|point| point[1])
            .collect();
        for (index, &a) in points.iter().enumerate() {
            let b = points[(index + 1) % points.len()];
            let (from, to) = if a[0] <= b[0] { (a, b) } else { (b, a) };
            for line in [left, right].into_iter().filter(|&line| from[0] < line && line < to[0]) {
                heights.push(from[1] + (to[1] - from[1]) * ((line - from[0]) / (to[0] - from[0])));
            }
        }
        let least = heights.iter().copied().fold(f32::INFINITY, f32::min);
        let most = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        columns.push((column as u32, least, most));
    }
    columns
}

/// Eighths of a metre, half of which lie on lines, or any number.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![(-8i32..100).prop_map(|eighths| eighths as f32 / 8.0), -1.0f32..12.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]
    #[test]
    fn rows_are_cut_as_defined(
        corners in prop::array::uniform3(prop::array::uniform3(coordinate())),
        base in (0i32..12, 0i32..12),
        size in (1u32..48, 1u32..40),
        skipped in 0usize..8,
    ) {
        let (base_x, base_z) = base;
        let grid = Grid { width: size.0, depth: size.1, border: 0, base_x, base_z, cell_size: 0.25, cell_height: 0.1 };
        let lines = Lines::new(&grid, 0.25);
        let (first, last) = lines.rows(&corners).unwrap_or((1, 0));
        let rows: Vec<u32> = (first..=last).skip(skipped).collect();
        prop_assume!(!rows.is_empty());
        let mut slices = Slices::default();
        slices.set(0, &corners, rows[0], &lines);
        let mut cutter = RowCutter::default();
        for row in rows {
            let mut cut = Vec::new();
            cutter.cut_slice(&mut slices, row, &lines, |column, low, high| cut.push((column, low, high)));
            prop_assert_eq!(&cut, &plain(&corners, row, &grid, &lines));
            let mut alone = Vec::new();
            cutter.cut(&corners, row, &lines, |column, low, high| alone.push((column, low, high)));
            prop_assert_eq!(cut, alone);
        }
    }
}
