//! Slicing a triangle into rows: the polygon that lies between two lines of z, row after row. What was found on the line
//! between two rows serves both.

use super::lines::{LANES, Lines, least, most};

/// The part of a triangle within a row: a polygon. Corners that it does not have stand where another one is, which changes
/// neither what it covers nor where its edges cross lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Where it ends: on the edge from the first corner to the last, and on the others; then where it begins, the others
    /// first. Together with the triangle's middle corner, which comes in the middle, in order around it.
    ends: [Point; 4],
    middle: Point,
    /// Whether the middle corner lies in the row.
    pub(super) has_middle: bool,
}

/// Corners of a polygon, in order around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon<const N: usize> {
    pub(super) x: [f32; N],
    pub(super) y: [f32; N],
}

/// A point of a triangle: x and height.
type Point = [f32; 2];

/// A triangle that is cut row by row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slices {
    /// Its corners by z.
    corners: [[f32; 3]; 3],
    /// Where the row that is next begins: on the edge from the first corner to the last, and on the others; or twice the
    /// first corner.
    start: [Point; 2],
    pub(super) is_flat: bool,
}

impl Slices {
    /// A triangle that is to be cut from `row` on, which it reaches.
    #[inline(always)]
    pub(crate) fn new(corners: &[[f32; 3]; 3], row: u32, lines: &Lines) -> Slices {
        let [a, b, c] = *corners;
        let after = |p: [f32; 3], q: [f32; 3]| usize::from(q[2] < p[2]);
        // Places by z; of two corners at the same z the one given first is first.
        let (ab, ac, bc) = (after(a, b), after(a, c), after(b, c));
        let mut sorted = [a; 3];
        sorted[ab + ac] = a;
        sorted[1 - ab + bc] = b;
        sorted[2 - ac - bc] = c;
        let is_flat = (a[1] == b[1]) & (b[1] == c[1]);
        let first = sorted[0];
        let mut slices = Slices { corners: sorted, start: [[first[0], first[1]]; 2], is_flat };
        let line = lines.row_start(row);
        if first[2] < line && line < sorted[2][2] {
            slices.start = slices.cross(line);
        }
        slices
    }

    /// The part within `row`, which is the one after that of the call before.
    #[inline(always)]
    pub(super) fn next(&mut self, row: u32, lines: &Lines) -> Part {
        let (low, high) = (lines.row_start(row), lines.row_start(row + 1));
        let [_, b, c] = self.corners;
        let end = if high < c[2] { self.cross(high) } else { [[c[0], c[1]]; 2] };
        let start = std::mem::replace(&mut self.start, end);
        let has_middle = (low <= b[2]) & (b[2] <= high);
        let middle = if has_middle { [b[0], b[1]] } else { end[1] };
        Part { ends: [end[0], end[1], start[1], start[0]], middle, has_middle }
    }

    /// Where its edges cross a line of z between the first and the last corner.
    #[inline(always)]
    fn cross(&self, line: f32) -> [Point; 2] {
        let [a, b, c] = self.corners;
        let upper = usize::from(line >= b[2]);
        [crossing(a, c, line), crossing(self.corners[upper], self.corners[upper + 1], line)]
    }
}

/// Where an edge crosses a line of z, from its end with the smaller z; the same float from both triangles that share the
/// edge.
#[inline(always)]
fn crossing(a: [f32; 3], b: [f32; 3], line: f32) -> Point {
    let share = (line - a[2]) / (b[2] - a[2]);
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

impl Part {
    /// The polygon without the middle corner, which it does not have.
    #[inline(always)]
    pub(super) fn of_four(&self) -> Polygon<4> {
        Polygon { x: self.ends.map(|point| point[0]), y: self.ends.map(|point| point[1]) }
    }

    /// The polygon.
    #[inline(always)]
    pub(super) fn of_five(&self) -> Polygon<5> {
        let [a, b, c, d] = self.ends;
        let points = [a, b, self.middle, c, d];
        Polygon { x: points.map(|point| point[0]), y: points.map(|point| point[1]) }
    }

    /// First and last column that it reaches over more than their borders; a part without extent along x belongs to the
    /// column it lies in, or to the one after the line it lies on.
    #[inline(always)]
    pub(super) fn columns(&self, lines: &Lines) -> (i32, i32) {
        let (low, high) = self.extent(0);
        lines.columns(low, high)
    }

    /// Its lowest and highest point.
    #[inline(always)]
    pub(super) fn heights(&self) -> (f32, f32) {
        self.extent(1)
    }

    #[inline(always)]
    fn extent(&self, axis: usize) -> (f32, f32) {
        let [a, b, c, d] = self.ends.map(|point| point[axis]);
        let e = self.middle[axis];
        (least(least(least(a, b), least(c, d)), e), most(most(most(a, b), most(c, d)), e))
    }
}

impl<const N: usize> Polygon<N> {
    #[inline(always)]
    pub(super) fn edges(&self) -> Edges<N> {
        let Polygon { x, y } = *self;
        let to = |from: usize| if from + 1 < N { from + 1 } else { 0 };
        let onward: [bool; N] = std::array::from_fn(|from| x[from] <= x[to(from)]);
        let start = std::array::from_fn(|from| least(x[to(from)], x[from]));
        let end = std::array::from_fn(|from| most(x[to(from)], x[from]));
        let height: [f32; N] = std::array::from_fn(|from| if onward[from] { y[from] } else { y[to(from)] });
        let other: [f32; N] = std::array::from_fn(|from| if onward[from] { y[to(from)] } else { y[from] });
        Edges {
            start,
            end,
            height,
            rise: std::array::from_fn(|edge| other[edge] - height[edge]),
            run: std::array::from_fn(|edge| end[edge] - start[edge]),
        }
    }

    /// Lowest and highest corner within each column, given the lines before and after it.
    #[inline(always)]
    pub(super) fn corners_within(&self, before: Lanes, after: Lanes) -> Extent {
        let mut extent = Extent::NOTHING;
        for (&x, &y) in self.x.iter().zip(&self.y) {
            let outside = std::array::from_fn(|lane| (x < before[lane]) | (x > after[lane]));
            extent.add([y; LANES], outside);
        }
        extent
    }
}

/// The edges of a polygon, each from its end with the smaller x; those along a line of x, or without extent, cross none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges<const N: usize> {
    start: [f32; N],
    end: [f32; N],
    height: [f32; N],
    rise: [f32; N],
    run: [f32; N],
}

/// Some numbers side by side.
pub(super) type Lanes = [f32; LANES];

/// Lowest and highest points on lines or in columns that stand side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) low: Lanes,
    /// The highest ones, negated: then both are the least of something, which is one instruction.
    pub(super) negated_high: Lanes,
}

impl Extent {
    const NOTHING: Extent = Extent { low: [f32::INFINITY; LANES], negated_high: [f32::INFINITY; LANES] };

    /// Takes in heights where they are not `outside`. Free of branches.
    #[inline(always)]
    fn add(&mut self, heights: Lanes, outside: [bool; LANES]) {
        for lane in 0..LANES {
            // All bits: not a number, which is not less than any.
            let bits = heights[lane].to_bits() | u32::from(outside[lane]).wrapping_neg();
            self.low[lane] = least(self.low[lane], f32::from_bits(bits));
            self.negated_high[lane] = least(self.negated_high[lane], f32::from_bits(bits ^ SIGN));
        }
    }
}

/// The bit that negates a number.
const SIGN: u32 = 1 << 31;

impl<const N: usize> Edges<N> {
    /// Lowest and highest point of the edges on each line.
    #[inline(always)]
    pub(super) fn on_lines(&self, lines: Lanes) -> Extent {
        let mut extent = Extent::NOTHING;
        for edge in 0..N {
            let (start, end) = (self.start[edge], self.end[edge]);
            let (height, rise, run) = (self.height[edge], self.rise[edge], self.run[edge]);
            extent.add(
                lines.map(|x| height + rise * ((x - start) / run)),
                lines.map(|x| (x <= start) | (x >= end)),
            );
        }
        extent
    }
}
