//! Cutting triangles four rows at a time into slices, and a slice four columns at a time into cells. Defined by
//! [`crate::stage::rasterize::cut`], and equal to it.

use super::lanes::{LANES, Lanes, Mask};
use super::lines::GridLines;
use std::ops::Range;

/// A triangle with its corners sorted by z.
#[derive(Clone, Copy, Debug)]
pub(super) struct SortedTriangle([[f32; 3]; 3]);

/// Corners of a slice, in order around it, and edges from each to the next.
const CORNERS: usize = 5;

/// The slices of a triangle in four rows, one per lane.
///
/// ```text
///                   first                    A slice has five corners:
///                    / \
///   low line   --- S2---S1 --------          S1, S2  where the row begins, on the long edge and on the others
///                 /       \                  M       the middle corner, if it lies in the row
///               M          \                 E2, E1  where the row ends
///                 `-._      \
///   high line  ------ E2 ---- E1 --          A corner that it lacks stands where another one is. This changes neither
///                        `-._  \             the heights that it covers nor where its edges cross lines.
///                            last
/// ```
struct Slices {
    x: [Lanes; CORNERS],
    y: [Lanes; CORNERS],
    edges: [SliceEdge; CORNERS],
    /// Smallest and largest x.
    extent_x: (Lanes, Lanes),
    /// Lowest and highest point.
    extent_y: (Lanes, Lanes),
}

/// An edge of a slice, from its end with the smaller x.
#[derive(Clone, Copy)]
struct SliceEdge {
    start: Lanes,
    end: Lanes,
    /// Height at the start, and how much higher the end is.
    height: Lanes,
    rise: Lanes,
    run: Lanes,
}

/// A point of a slice, x and height.
type LanePoint = [Lanes; 2];

/// Where the edge from `a` to `b`, which has the larger z, crosses lines of z.
#[inline(always)]
fn crossing(a: [Lanes; 3], b: [Lanes; 3], line: Lanes) -> LanePoint {
    let share = (line - a[2]) / (b[2] - a[2]);
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

impl SortedTriangle {
    pub(super) fn new(corners: &[[f32; 3]; 3]) -> SortedTriangle {
        let [a, b, c] = *corners;
        let after = |p: [f32; 3], q: [f32; 3]| usize::from(q[2] < p[2]);
        // Each corner's place is how many of the others come before it; of two at the same z the one given first does.
        let (ab, ac, bc) = (after(a, b), after(a, c), after(b, c));
        let mut sorted = [a; 3];
        sorted[ab + ac] = a;
        sorted[1 - ab + bc] = b;
        sorted[2 - ac - bc] = c;
        SortedTriangle(sorted)
    }

    /// Calls `emit` with (column, row, bottom, top) for each cell range of the triangle in some of the four rows from
    /// `start` on, all of which it reaches.
    #[inline(always)]
    pub(super) fn for_each_cell(
        &self,
        start: u32,
        rows: Range<u32>,
        lines: &GridLines,
        quantiser: &Quantiser,
        mut emit: impl FnMut(u32, u32, i32, i32),
    ) {
        let slices = self.cut(start, lines);
        for row in rows {
            slices.columns((row - start) as usize, lines, |column, count, low, high| {
                let cells = quantiser.cells(low, high);
                for lane in 0..count {
                    if let Some((bottom, top)) = cells.get(lane) {
                        emit((column + lane) as u32, row, bottom, top);
                    }
                }
            });
        }
    }

    /// The slices in four rows from `row` on; those in rows that the triangle does not reach are of no use.
    #[inline(always)]
    fn cut(&self, row: u32, lines: &GridLines) -> Slices {
        let lines = lines.z.from(row as usize);
        let (low, high) = (Lanes::load(lines), Lanes::load(&lines[1..]));
        let [first, middle, last] = self.0.map(|corner| corner.map(Lanes::splat));
        // On the long edge and on the one beside it.
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
        Slices::new([end[0], end[1], middle, start[1], start[0]])
    }
}

impl Slices {
    #[inline(always)]
    fn new(corners: [LanePoint; CORNERS]) -> Slices {
        let extent = |axis: usize| {
            let [a, b, c, d, e] = corners.map(|corner| corner[axis]);
            (a.min(b).min(d.min(e)).min(c), a.max(b).max(d.max(e)).max(c))
        };
        let edge = |index: usize| {
            let ([from_x, from_y], [to_x, to_y]) = (corners[index], corners[(index + 1) % CORNERS]);
            let is_forward = from_x.le(to_x);
            let (start, end) = (from_x.min(to_x), from_x.max(to_x));
            let height = is_forward.select(from_y, to_y);
            let rise = is_forward.select(to_y, from_y) - height;
            SliceEdge { start, end, height, rise, run: end - start }
        };
        Slices {
            x: corners.map(|corner| corner[0]),
            y: corners.map(|corner| corner[1]),
            edges: std::array::from_fn(edge),
            extent_x: extent(0),
            extent_y: extent(1),
        }
    }

    /// Calls `emit` with (first column, how many of four, lowest, highest point in each) for the columns of the grid that
    /// the slice in one of the rows reaches.
    #[inline(always)]
    fn columns(&self, row: usize, lines: &GridLines, mut emit: impl FnMut(usize, usize, Lanes, Lanes)) {
        let (first, last) = lines.x.reached(self.extent_x.0.get(row), self.extent_x.1.get(row));
        let (start, end) = (first.max(lines.columns.0), last.min(lines.columns.1));
        if start > end {
            return;
        }
        let (start, end) = (start as usize, end as usize + 1);
        let (low, high) = (self.extent_y.0.get(row), self.extent_y.1.get(row));
        if first == last || low == high {
            for column in (start..end).step_by(LANES) {
                emit(column, (end - column).min(LANES), Lanes::splat(low), Lanes::splat(high));
            }
            return;
        }
        // Lowest and highest point on the line before the next columns: none if the slice begins behind it.
        let mut on_line = [f32::INFINITY, f32::NEG_INFINITY];
        if first < lines.columns.0 {
            let extent = self.on_lines(row, &[lines.x.from(start)[0]; LANES]);
            on_line = [extent.low.get(0), extent.high.get(0)];
        }
        for column in (start..end).step_by(LANES) {
            let lines = lines.x.from(column);
            let corners = self.corners_between(row, lines);
            let on_after = self.on_lines(row, &lines[1..]);
            let (low_before, next_low) = on_after.low.shift_in(on_line[0]);
            let (high_before, next_high) = on_after.high.shift_in(on_line[1]);
            on_line = [next_low, next_high];
            let low = corners.low.min(low_before.min(on_after.low));
            let high = corners.high.max(high_before.max(on_after.high));
            emit(column, (end - column).min(LANES), low, high);
        }
    }

    /// Lowest and highest corner between each two of five lines. Corners beyond all of them are passed over: most are, for
    /// most columns of a wide slice.
    #[inline(always)]
    fn corners_between(&self, row: usize, lines: &[f32]) -> HeightRange {
        let (before, after) = (Lanes::load(lines), Lanes::load(&lines[1..]));
        let mut range = HeightRange::empty();
        for (x, y) in self.x.iter().zip(&self.y) {
            let x = x.get(row);
            if lines[0] <= x && x <= lines[LANES] {
                let (x, y) = (Lanes::splat(x), Lanes::splat(y.get(row)));
                range.add(y, x.lt(before) | x.gt(after));
            }
        }
        range
    }

    /// Lowest and highest point of the edges on each of four lines. Edges that cross none are passed over.
    #[inline(always)]
    fn on_lines(&self, row: usize, lines: &[f32]) -> HeightRange {
        let (first, last, lines) = (lines[0], lines[LANES - 1], Lanes::load(lines));
        let mut range = HeightRange::empty();
        for edge in &self.edges {
            if edge.start.get(row) >= last || first >= edge.end.get(row) {
                continue;
            }
            let [start, end, height, rise, run] = [edge.start, edge.end, edge.height, edge.rise, edge.run]
                .map(|value| Lanes::splat(value.get(row)));
            range.add(height + rise * ((lines - start) / run), lines.le(start) | lines.ge(end));
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

    /// Takes in heights where they are not `outside`; there they may be NaN.
    #[inline(always)]
    fn add(&mut self, heights: Lanes, outside: Mask) {
        self.low = self.low.min(outside.select(Lanes::splat(f32::INFINITY), heights));
        self.high = self.high.max(outside.select(Lanes::splat(f32::NEG_INFINITY), heights));
    }
}

/// From heights to cells, four columns at a time. As [`crate::stage::rasterize::quantise`].
pub(super) struct Quantiser {
    height: f32,
    cells_per_metre: f32,
}

impl Quantiser {
    pub(super) fn new(height: f32, cell_height: f32) -> Quantiser {
        Quantiser { height, cells_per_metre: 1.0 / cell_height }
    }

    /// Bottoms and tops in cells, and a bit for each lane that meets the bounds.
    #[inline(always)]
    fn cells(&self, low: Lanes, high: Lanes) -> CellRanges {
        let (zero, height) = (Lanes::splat(0.0), Lanes::splat(self.height));
        let is_inside = high.ge(zero) & low.le(height);
        let cells_per_metre = Lanes::splat(self.cells_per_metre);
        let (low, high) = (low.max(zero) * cells_per_metre, high.min(height) * cells_per_metre);
        let top = high.trunc();
        let top = top + top.lt(high).select(Lanes::splat(1.0), zero);
        CellRanges { bottoms: low.to_ints(), tops: top.to_ints(), inside: is_inside.bits() }
    }
}

/// Heights in four columns, cells.
struct CellRanges {
    bottoms: [i32; LANES],
    tops: [i32; LANES],
    inside: u32,
}

impl CellRanges {
    /// Bottom and top in one of the columns; `None` outside the bounds.
    #[inline(always)]
    fn get(&self, lane: usize) -> Option<(i32, i32)> {
        let (bottom, top) = (self.bottoms[lane], self.tops[lane]);
        (self.inside >> lane & 1 != 0).then_some((bottom, top.max(bottom.wrapping_add(1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Grid;
    use crate::stage::rasterize::cut::{Lines, cut};
    use crate::stage::rasterize::quantise;
    use proptest::prelude::*;

    /// Eighths of a metre, half of which lie on lines, or any number.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![(-8i32..100).prop_map(|eighths| eighths as f32 / 8.0), -1.0f32..12.0]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]
        #[test]
        fn lanes_cut_as_plain_clipping_does(
            corners in prop::array::uniform3(prop::array::uniform3(coordinate())),
            base in (0i32..12, 0i32..12),
            size in (1u32..48, 1u32..40),
            skipped in 0u32..8,
        ) {
            let (base_x, base_z) = base;
            let (width, depth) = size;
            let grid = Grid { width, depth, border: 0, base_x, base_z, cell_size: 0.25, cell_height: 0.1 };
            let lines = Lines::new(&grid, 0.25);
            let mut expected = Vec::new();
            cut(&corners, &lines, |x, z, low, high| expected.push((x, z, low, high)));
            let lines = GridLines::new(&lines, &grid);
            let Some((first, last)) = lines.rows(&corners) else {
                prop_assert_eq!(expected, []);
                return Ok(());
            };
            // From any of the rows on.
            let first = first + skipped.min(last - first);
            expected.retain(|cell| cell.1 >= first);
            let mut found = Vec::new();
            for start in (first..=last).step_by(LANES) {
                let slices = SortedTriangle::new(&corners).cut(start, &lines);
                for row in start..(start + LANES as u32).min(last + 1) {
                    slices.columns((row - start) as usize, &lines, |column, count, low, high| {
                        found.extend((0..count).map(|lane| {
                            ((column + lane) as u32, row, low.get(lane), high.get(lane))
                        }));
                    });
                }
            }
            prop_assert_eq!(found, expected);
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
            let cells = Quantiser::new(height, cell_height).cells(Lanes::load(&low), Lanes::load(&high));
            for lane in 0..LANES {
                prop_assert_eq!(cells.get(lane), quantise(low[lane], high[lane], height, cell_height));
            }
        }
    }
}
