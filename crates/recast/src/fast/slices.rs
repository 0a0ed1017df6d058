//! Cuts triangles four rows at a time into slices, and four slices at a time into cells. Defined by
//! [`crate::stage::rasterize::cut`], and equal to it.

use super::lanes::{LANES, Lanes, Mask};
use super::lines::GridLines;
use std::ops::Range;

/// A triangle with its corners sorted by z.
#[derive(Clone, Copy, Debug)]
pub(super) struct SortedTriangle([[f32; 3]; 3]);

/// Number of corners of a slice without the middle one, in order around it; also the number of edges to them.
const CORNERS: usize = 4;

/// The slices of a triangle in four rows, one per lane. All are cut at the same line between columns, so only
/// that line has to be copied into all lanes. Compared with four columns of one slice at a time, this saves a
/// fifth of the instructions of rasterizing rolling terrain.
///
/// ```text
///                   first                    A slice has five corners:
///                    / \
///   low line   --- S2---S1 --------          S1, S2  start of the row, on the long edge and on the others
///                 /       \                  M       the middle corner, if it is in the row
///               M          \                 E2, E1  end of the row
///                 `-._      \
///   high line  ------ E2 ---- E1 --          A missing corner is at another corner. This changes
///                        `-._  \             neither the covered heights nor the crossings with lines.
///                            last
/// ```
struct Slices {
    /// S1, S2, E2, E1.
    corners: [LanePoint; CORNERS],
    /// From M to S1, and so on to E1.
    edges: [SliceEdge; CORNERS],
    /// M and the edge to it, if one of the slices has it.
    middle: Option<(LanePoint, SliceEdge)>,
    /// Smallest and largest x.
    extent: (Lanes, Lanes),
    /// True if the triangle has one height.
    is_level: bool,
}

/// An edge of a slice, from its end with the smaller x.
#[derive(Clone, Copy)]
struct SliceEdge {
    start: Lanes,
    end: Lanes,
    /// Height at the start, and rise from there to the end.
    height: Lanes,
    rise: Lanes,
    run: Lanes,
}

/// A point of a slice, x and height.
type LanePoint = [Lanes; 2];

/// The points at which the edge from `a` to `b`, which has the larger z, crosses lines of z.
#[inline(always)]
fn crossing(a: [Lanes; 3], b: [Lanes; 3], line: Lanes) -> LanePoint {
    let share = (line - a[2]) / (b[2] - a[2]);
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

impl SortedTriangle {
    pub(super) fn new(corners: &[[f32; 3]; 3]) -> SortedTriangle {
        let [a, b, c] = *corners;
        let after = |p: [f32; 3], q: [f32; 3]| usize::from(q[2] < p[2]);
        // Each corner's index is the number of corners before it; of two at the same z, the one given first
        // comes first.
        let (ab, ac, bc) = (after(a, b), after(a, c), after(b, c));
        let mut sorted = [a; 3];
        sorted[ab + ac] = a;
        sorted[1 - ab + bc] = b;
        sorted[2 - ac - bc] = c;
        SortedTriangle(sorted)
    }

    /// Calls `emit` with (column, row, bottom, top) for each cell range of the triangle in some rows, all of
    /// which it must reach.
    #[inline(always)]
    pub(super) fn for_each_cell(
        &self,
        rows: Range<u32>,
        lines: &GridLines,
        quantiser: &Quantiser,
        mut emit: impl FnMut(u32, u32, i32, i32),
    ) {
        let mut start = rows.start;
        while start < rows.end {
            let count = LANES.min((rows.end - start) as usize);
            let slices = self.cut(start, lines);
            if let Some(cells) = slices.common_cells(count, quantiser) {
                for row in (0..count).filter(|row| cells.inside >> row & 1 != 0) {
                    for column in slices.columns(row, lines) {
                        emit(column as u32, start + row as u32, cells.bottoms[row], cells.tops[row]);
                    }
                }
            } else {
                slices.for_each_column(count, lines, |column, reached, heights| {
                    let cells = quantiser.cells(heights);
                    let mut left = cells.inside & reached;
                    while left != 0 {
                        let lane = left.trailing_zeros() as usize % LANES;
                        left &= left - 1;
                        emit(column, start + lane as u32, cells.bottoms[lane], cells.tops[lane]);
                    }
                });
            }
            start += LANES as u32;
        }
    }

    /// The slices in four rows from `row` on; slices in rows that the triangle does not reach are
    /// meaningless.
    #[inline(always)]
    fn cut(&self, row: u32, lines: &GridLines) -> Slices {
        let lines = lines.z.from(row as usize);
        let (low, high) = (Lanes::load(lines), Lanes::load(&lines[1..]));
        let [first, middle, last] = self.0.map(|corner| corner.map(Lanes::splat));
        // On the long edge and on the edge opposite.
        let crossings = |line: Lanes| {
            let is_past = line.ge(middle[2]);
            let from = [0, 1, 2].map(|axis| is_past.select(middle[axis], first[axis]));
            let to = [0, 1, 2].map(|axis| is_past.select(last[axis], middle[axis]));
            [crossing(first, last, line), crossing(from, to, line)]
        };
        let (begins, ends) = (low.le(first[2]), high.ge(last[2]));
        let start = crossings(low).map(|point| [0, 1].map(|axis| begins.select(first[axis], point[axis])));
        let end = crossings(high).map(|point| [0, 1].map(|axis| ends.select(last[axis], point[axis])));
        let has_middle = low.le(middle[2]) & middle[2].le(high);
        let middle = [0, 1].map(|axis| has_middle.select(middle[axis], end[1][axis]));
        let is_level = self.0[0][1] == self.0[1][1] && self.0[1][1] == self.0[2][1];
        let corners = [start[1], start[0], end[0], end[1]];
        Slices::new(corners, (middle, has_middle.bits() != 0), is_level)
    }
}

impl Slices {
    #[inline(always)]
    fn new(corners: [LanePoint; CORNERS], (middle, has_middle): (LanePoint, bool), is_level: bool) -> Slices {
        let edge = |[from_x, from_y]: LanePoint, [to_x, to_y]: LanePoint| {
            let is_forward = from_x.le(to_x);
            let (start, end) = (from_x.min(to_x), from_x.max(to_x));
            let height = is_forward.select(from_y, to_y);
            let rise = is_forward.select(to_y, from_y) - height;
            SliceEdge { start, end, height, rise, run: end - start }
        };
        let [a, b, c, d] = corners;
        let edges = [edge(middle, a), edge(a, b), edge(b, c), edge(c, d)];
        let (low, high) = (a[0].min(b[0]).min(c[0].min(d[0])), a[0].max(b[0]).max(c[0].max(d[0])));
        let extent = (low.min(middle[0]), high.max(middle[0]));
        let middle = has_middle.then(|| (middle, edge(d, middle)));
        Slices { corners, edges, middle, extent, is_level }
    }

    /// The columns of the grid that the slice in a row reaches.
    #[inline(always)]
    fn columns(&self, row: usize, lines: &GridLines) -> Range<usize> {
        let (first, last) = lines.x.reached(self.extent.0.get(row), self.extent.1.get(row));
        first.max(lines.columns.0) as usize..(last.min(lines.columns.1) + 1) as usize
    }

    /// The cells in each of the first `count` rows if they are equal in all columns: for a level triangle,
    /// and for slices within one layer of cells each.
    #[inline(always)]
    fn common_cells(&self, count: usize, quantiser: &Quantiser) -> Option<CellRanges> {
        let [[_, a], [_, b], [_, c], [_, d]] = self.corners;
        if self.is_level {
            return Some(quantiser.cells(HeightRange { low: a, high: a }));
        }
        let middle = self.middle.as_ref().map_or(a, |([_, height], _)| *height);
        let low = a.min(b).min(c.min(d)).min(middle);
        let high = a.max(b).max(c.max(d)).max(middle);
        let cells = quantiser.layers(HeightRange { low, high });
        let rows = (1 << count) - 1;
        (cells.inside & rows == rows).then_some(cells)
    }

    /// Calls `emit` with (column, a bit for each row whose slice reaches it, lowest and highest points there)
    /// for the columns of the grid that the slices in the first `count` rows reach.
    #[inline(always)]
    fn for_each_column(&self, count: usize, lines: &GridLines, mut emit: impl FnMut(u32, u32, HeightRange)) {
        let (left, right) = self.extent;
        let (first, last) = lines.x.reached_by_any((0..count).map(|row| (left.get(row), right.get(row))));
        let (start, end) = (first.max(lines.columns.0), last.min(lines.columns.1));
        if start > end {
            return;
        }
        let rows = (1 << count) - 1;
        // No edge crosses the line before the first column that any slice reaches, nor the line after the
        // last.
        let on_line = |line: Lanes, is_crossed: bool| {
            if is_crossed { self.on_line(line) } else { HeightRange::empty() }
        };
        let mut before = lines.x.splat(start as usize);
        let mut on_before = on_line(before, first < start);
        for column in start..=end {
            let after = lines.x.splat(column as usize + 1);
            let reached = left.lt(after) & (right.gt(before) | left.ge(before));
            let on_after = on_line(after, column < last);
            let heights = self.corners_between(before, after).with(&on_before).with(&on_after);
            on_before = on_after;
            emit(column as u32, reached.bits() & rows, heights);
            before = after;
        }
    }

    /// Lowest and highest corner between two lines.
    #[inline(always)]
    fn corners_between(&self, before: Lanes, after: Lanes) -> HeightRange {
        let mut range = HeightRange::empty();
        let mut add = |&[x, y]: &LanePoint| range.add(y, x.lt(before) | x.gt(after));
        self.corners.iter().for_each(&mut add);
        if let Some((corner, _)) = &self.middle {
            add(corner);
        }
        range
    }

    /// Lowest and highest point of the edges on a line.
    #[inline(always)]
    fn on_line(&self, line: Lanes) -> HeightRange {
        let mut range = HeightRange::empty();
        let mut add = |&SliceEdge { start, end, height, rise, run }: &SliceEdge| {
            range.add(height + rise * ((line - start) / run), line.le(start) | line.ge(end));
        };
        self.edges.iter().for_each(&mut add);
        if let Some((_, edge)) = &self.middle {
            add(edge);
        }
        range
    }
}

/// The lowest and the highest of some heights, in each lane.
struct HeightRange {
    low: Lanes,
    high: Lanes,
}

impl HeightRange {
    #[inline(always)]
    fn empty() -> HeightRange {
        HeightRange { low: Lanes::splat(f32::INFINITY), high: Lanes::splat(f32::NEG_INFINITY) }
    }

    /// Adds heights that are not `outside`; those outside may be NaN.
    #[inline(always)]
    fn add(&mut self, heights: Lanes, outside: Mask) {
        let inside = outside.nan_or(heights);
        self.low = inside.min_if_any(self.low);
        self.high = inside.max_if_any(self.high);
    }

    /// The union of both ranges.
    #[inline(always)]
    fn with(&self, other: &HeightRange) -> HeightRange {
        HeightRange { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// Converts heights to cells, four rows at a time, like [`crate::stage::rasterize::quantise`].
pub(super) struct Quantiser {
    height: f32,
    cells_per_metre: f32,
}

impl Quantiser {
    pub(super) fn new(height: f32, cell_height: f32) -> Quantiser {
        Quantiser { height, cells_per_metre: 1.0 / cell_height }
    }

    #[inline(always)]
    fn cells(&self, heights: HeightRange) -> CellRanges {
        let HeightRange { low, high } = heights;
        let (zero, height) = (Lanes::splat(0.0), Lanes::splat(self.height));
        let is_inside = high.ge(zero) & low.le(height);
        let cells_per_metre = Lanes::splat(self.cells_per_metre);
        let (low, high) = (low.max(zero) * cells_per_metre, high.min(height) * cells_per_metre);
        let (bottom, top) = (low.trunc(), high.trunc());
        let one = Lanes::splat(1.0);
        let top = (top + top.lt(high).select(one, zero)).max(bottom + one);
        CellRanges { bottoms: bottom.to_ints(), tops: top.to_ints(), inside: is_inside.bits() }
    }

    /// The layer of cells that contains the heights, in rows for which there is a single one, well within the
    /// bounds.
    ///
    /// Lemma: the height of an edge on a line is between the heights of its ends, except for rounding, which
    /// is less than [`HAIR`] of the higher one: the line's share of the edge is at most 1, so the rise is at
    /// most the whole, and neither of the two sums has a relative error of more than 2^-23. So any part of
    /// the heights in a column is rounded to this layer.
    #[inline(always)]
    fn layers(&self, heights: HeightRange) -> CellRanges {
        let hair = heights.high * Lanes::splat(HAIR);
        let (low, high) = (heights.low - hair, heights.high + hair);
        let cells_per_metre = Lanes::splat(self.cells_per_metre);
        let bottom = (low * cells_per_metre).trunc();
        let top = bottom + Lanes::splat(1.0);
        let is_one = (high * cells_per_metre).lt(top);
        let is_inside = low.gt(Lanes::splat(0.0)) & high.lt(Lanes::splat(self.height));
        CellRanges { bottoms: bottom.to_ints(), tops: top.to_ints(), inside: (is_one & is_inside).bits() }
    }
}

/// A bound on the relative error of heights on an edge.
const HAIR: f32 = 1e-6;

/// Heights in four rows, cells.
#[derive(Clone, Copy)]
struct CellRanges {
    bottoms: [i32; LANES],
    tops: [i32; LANES],
    /// A bit for each row in which they count.
    inside: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Grid;
    use crate::stage::rasterize::cut::{Lines, cut};
    use crate::stage::rasterize::quantise;
    use proptest::prelude::*;

    const CELL: f32 = 0.25;

    /// Eighths of a metre, half of them on lines, or any number.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![(-8i32..100).prop_map(|eighths| eighths as f32 / 8.0), -1.0f32..12.0]
    }

    /// Three coordinates on one line, or up to four floats next to it, or anywhere: the edges of nearly
    /// vertical walls, whose slices round to the line in some rows only.
    fn near_a_line() -> impl Strategy<Value = [f32; 3]> {
        let beside = prop_oneof![(-4i32..5).prop_map(Ok), coordinate().prop_map(Err)];
        (-1i32..40, prop::array::uniform3(beside)).prop_map(|(line, corners)| {
            let line = line as f32 * CELL;
            let next = |steps: i32| {
                (0..steps.abs()).fold(line, |at, _| if steps < 0 { at.next_down() } else { at.next_up() })
            };
            corners.map(|corner| corner.map_or_else(|anywhere| anywhere, next))
        })
    }

    /// The corners of a triangle seen from above.
    fn plan() -> impl Strategy<Value = [[f32; 2]; 3]> {
        let axis = || prop_oneof![prop::array::uniform3(coordinate()), near_a_line()];
        (axis(), axis()).prop_map(|(x, z)| [0, 1, 2].map(|corner| [x[corner], z[corner]]))
    }

    /// The cells of a triangle in some rows of a grid, cut by lanes.
    fn cut_by_lanes(
        corners: &[[f32; 3]; 3],
        lines: &GridLines,
        rows: Range<u32>,
    ) -> Vec<(u32, u32, f32, f32)> {
        let mut found = Vec::new();
        for start in rows.clone().step_by(LANES) {
            let slices = SortedTriangle::new(corners).cut(start, lines);
            let count = LANES.min((rows.end - start) as usize);
            slices.for_each_column(count, lines, |column, reached, heights| {
                let rows = (0..LANES).filter(|row| reached >> row & 1 != 0);
                found.extend(
                    rows.map(|row| (column, start + row as u32, heights.low.get(row), heights.high.get(row))),
                );
            });
        }
        found.sort_by_key(|cell| (cell.1, cell.0));
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]
        #[test]
        fn lanes_cut_any_rows_as_plain_clipping_does(
            plan in plan(),
            heights in prop::array::uniform3(coordinate()),
            base in (0i32..12, 0i32..12),
            size in (1u32..48, 1u32..40),
        ) {
            let corners = [0, 1, 2].map(|corner| [plan[corner][0], heights[corner], plan[corner][1]]);
            let (base_x, base_z) = base;
            let (width, depth) = size;
            let grid = Grid { width, depth, border: 0, base_x, base_z, cell_size: CELL, cell_height: 0.1 };
            let lines = Lines::new(&grid, f64::from(CELL));
            let mut expected = Vec::new();
            cut(&corners, &lines, |x, z, low, high| expected.push((x, z, low, high)));
            let lines = GridLines::new(&lines, &grid);
            let Some((first, last)) = lines.rows(&corners) else {
                prop_assert_eq!(expected, []);
                return Ok(());
            };
            prop_assert!(expected.iter().all(|cell| (first..=last).contains(&cell.1)));
            for start in first..=last {
                for end in start + 1..=last + 1 {
                    let expected = expected.iter().filter(|cell| (start..end).contains(&cell.1));
                    prop_assert_eq!(cut_by_lanes(&corners, &lines, start..end), expected.copied().collect::<Vec<_>>());
                }
            }
        }

        #[test]
        fn level_and_nearly_level_triangles_fill_the_same_cells(
            plan in plan(),
            base in prop_oneof![(-3i32..40).prop_map(|tenths| tenths as f32 / 10.0), -0.5f32..4.0],
            rises in prop_oneof![
                Just([0.0; 3]),
                prop::array::uniform3(0.0f32..0.15),
                prop::array::uniform3(prop::sample::select(vec![0.0f32, 0.1, 0.2, 1e-7])),
            ],
            cell_height in prop::sample::select(vec![0.1f32, 0.2, 0.3]),
        ) {
            let corners = [0, 1, 2].map(|corner| [plan[corner][0], base + rises[corner], plan[corner][1]]);
            let grid = Grid { width: 40, depth: 40, border: 0, base_x: 2, base_z: 2, cell_size: 0.25, cell_height };
            let (lines, height) = (Lines::new(&grid, 0.25), 3.0);
            let mut expected = Vec::new();
            cut(&corners, &lines, |x, z, low, high| {
                expected.extend(quantise(low, high, height, cell_height).map(|cells| (z, x, cells)));
            });
            expected.sort_unstable();
            let lines = GridLines::new(&lines, &grid);
            let Some((first, last)) = lines.rows(&corners) else {
                prop_assert_eq!(expected, []);
                return Ok(());
            };
            // From every row on, so that each row is once the first, second, third and last of four.
            for start in first..=last {
                let mut found = Vec::new();
                SortedTriangle::new(&corners).for_each_cell(
                    start..last + 1,
                    &lines,
                    &Quantiser::new(height, cell_height),
                    |x, z, bottom, top| found.push((z, x, (bottom, top))),
                );
                found.sort_unstable();
                let from = expected.partition_point(|cell| cell.0 < start);
                prop_assert_eq!(&found, &expected[from..]);
            }
        }

        #[test]
        fn lanes_quantise_as_one_number_does(
            low in prop::array::uniform4(-3.0f32..9.0),
            rise in 0.0f32..9.0,
            height in 0.5f32..8.0,
            cell_height in prop::sample::select(vec![0.05f32, 0.2, 0.3, 0.7, 1e-6]),
            on_line in any::<bool>(),
        ) {
            let low = low.map(|low| if on_line { (low / cell_height).round() * cell_height } else { low });
            let high = low.map(|low| low + rise);
            let heights = HeightRange { low: Lanes::load(&low), high: Lanes::load(&high) };
            let cells = Quantiser::new(height, cell_height).cells(heights);
            for lane in 0..LANES {
                let is_inside = cells.inside >> lane & 1 != 0;
                let found = is_inside.then_some((cells.bottoms[lane], cells.tops[lane]));
                prop_assert_eq!(found, quantise(low[lane], high[lane], height, cell_height));
            }
        }
    }
}
