//! Bands of rows, which divide a bake in one piece among threads. Results depend neither on the number of
//! bands nor on where they begin.

use crate::data::Grid;
use crate::lists::partition_point;
use std::ops::Range;

/// The least number of rows in a band, so that the work beyond its own rows stays small.
const LEAST_ROWS: u32 = 24;
/// The least number of columns of a grid that is worth sharing.
const LEAST_COLUMNS: usize = 1 << 14;
/// Bands per thread, so that no thread waits long for the slowest.
const BANDS_PER_THREAD: u32 = 8;

/// Number of threads that bake a grid: all for a level in one piece. Tiles are baked in parallel, on one
/// thread each.
pub(crate) fn threads(grid: &Grid) -> usize {
    let shared = grid.border == 0 && grid.columns() >= LEAST_COLUMNS;
    if shared { rayon::current_num_threads() } else { 1 }
}

/// Bands of the rows of a grid, in order; a single one for one thread.
pub(crate) fn split(grid: &Grid, threads: usize) -> Vec<Range<u32>> {
    let each = if threads > 1 { BANDS_PER_THREAD } else { 1 };
    split_into(grid, (threads as u32).saturating_mul(each))
}

/// One band per thread, with about equal numbers of spans: for work that becomes more expensive with more
/// bands.
pub(crate) fn split_evenly(
    grid: &Grid,
    first_of_column: impl Fn(usize) -> usize,
    threads: usize,
) -> Vec<Range<u32>> {
    let count = wanted(grid, threads as u32);
    let first_of = |row: u32| first_of_column(row as usize * grid.width as usize);
    let spans = first_of(grid.depth);
    let start = |band: u32| {
        let target = (spans as u64 * u64::from(band) / u64::from(count)) as usize;
        // The first row that begins at this span or later.
        partition_point(grid.depth as usize, |row| first_of(row as u32) < target) as u32
    };
    let starts: Vec<u32> = (1..count).map(start).collect();
    let ends = starts.iter().copied().chain([grid.depth]);
    let bands = [0].iter().chain(&starts).zip(ends).map(|(&start, end)| start..end);
    let filled: Vec<Range<u32>> = bands.filter(|band| !band.is_empty()).collect();
    if filled.is_empty() { split_into(grid, 1) } else { filled }
}

/// At most `wanted` bands, so that each has some rows.
fn wanted(grid: &Grid, wanted: u32) -> u32 {
    wanted.min(grid.depth / LEAST_ROWS).max(1)
}

fn split_into(grid: &Grid, count: u32) -> Vec<Range<u32>> {
    let count = wanted(grid, count);
    let start = |band: u32| (u64::from(band) * u64::from(grid.depth) / u64::from(count)) as u32;
    (0..count).map(|band| start(band)..start(band + 1)).collect()
}

/// Cuts a list with one value per span at the bands' first spans.
pub(crate) fn split_spans<'a, T>(
    grid: &Grid,
    first_of_column: impl Fn(usize) -> usize,
    bands: &[Range<u32>],
    mut values: &'a mut [T],
) -> Vec<&'a mut [T]> {
    let first_of = |row: u32| first_of_column(row as usize * grid.width as usize);
    let mut parts = Vec::with_capacity(bands.len());
    for band in bands {
        let (part, rest) = values.split_at_mut(first_of(band.end) - first_of(band.start));
        parts.push(part);
        values = rest;
    }
    parts
}

/// All rows in one band, in two bands that meet at each row, and in bands of one, two and three rows: results
/// must be equal for all of them.
#[cfg(test)]
pub(crate) fn every_split(depth: u32) -> impl Iterator<Item = Vec<Range<u32>>> {
    let in_two = (1..depth).map(move |start| vec![0..start, start..depth]);
    let each_of = move |rows: u32| {
        (0..depth).step_by(rows as usize).map(|start| start..(start + rows).min(depth)).collect()
    };
    [depth.max(1), 1, 2, 3].into_iter().map(each_of).chain(in_two)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::grid;

    #[test]
    fn even_bands_cover_all_rows_with_equal_spans() {
        let of_row = |row: usize| if row < 50 { row } else { 50 + (row - 50) * 9 };
        for depth in [0, 1, 23, 24, 100, 1001] {
            for threads in [1, 2, 3, 64] {
                let grid = grid(5, depth);
                let bands = split_evenly(&grid, |column| of_row(column / 5), threads);
                assert_eq!((bands[0].start, bands[bands.len() - 1].end), (0, depth));
                assert!(bands.windows(2).all(|pair| pair[0].end == pair[1].start));
                let spans = |band: &Range<u32>| of_row(band.end as usize) - of_row(band.start as usize);
                let most = of_row(depth as usize).div_ceil(bands.len()) + 9;
                assert!(bands.iter().all(|band| spans(band) <= most), "{bands:?}");
                assert_eq!(bands.len(), threads.min(depth as usize / 24).max(1));
            }
        }
        // All spans are in the last row: the rows before it need no band.
        let bands = split_evenly(&grid(5, 100), |column| if column == 500 { 9 } else { 0 }, 3);
        assert_eq!((bands[0].start, bands[bands.len() - 1].end), (0, 100));
        assert!(bands.iter().all(|band| !band.is_empty()));
    }

    #[test]
    fn bands_cover_all_rows_in_order() {
        for depth in [0, 1, 23, 24, 100, 1001] {
            for threads in [1, 2, 3, 64] {
                let bands = split(&grid(5, depth), threads);
                assert_eq!((bands[0].start, bands[bands.len() - 1].end), (0, depth));
                assert!(bands.windows(2).all(|pair| pair[0].end == pair[1].start));
                assert!(threads > 1 || bands.len() == 1);
            }
        }
    }
}
