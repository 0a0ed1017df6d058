//! Slicing triangles into rows: the polygon of each that lies between two lines of z, row after row. What was found on the
//! line between two rows serves both. Four triangles are cut side by side, without branches.

use super::lines::{LANES, Lines};
use std::ops::{Add, Div, Mul, Sub};
use wide::f32x4;

/// Triangles that are cut row by row, side by side: first the corner, then the axis, then the triangle.
#[derive(Clone, Debug)]
pub(crate) struct Slices {
    /// Their corners by z.
    corners: [[Lanes; 3]; 3],
    /// Where the row that is next begins, x and height: on the edge from the first corner to the last, and on the others;
    /// or twice the first corner.
    start: [[Lanes; 2]; 2],
    is_flat: [bool; LANES],
}

/// Corners of a part.
const CORNERS: usize = 5;

/// The parts of triangles within a row, side by side. A corner that a part does not have stands where another one is,
/// which changes neither what it covers nor where its edges cross lines.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// Corners in order around it: where it ends, the middle corner of the triangle, where it begins.
    x: [Lanes; CORNERS],
    y: [Lanes; CORNERS],
    /// Lowest and highest x, and height.
    low: [Lanes; 2],
    high: [Lanes; 2],
    /// Whether the triangle's middle corner lies in the row.
    has_middle: [bool; LANES],
    /// Edge `i` runs between corners `i` and `i + 1`.
    edges: Edges,
}

impl Default for Slices {
    fn default() -> Slices {
        Slices { corners: [[[0.0; LANES]; 3]; 3], start: [[[0.0; LANES]; 2]; 2], is_flat: [false; LANES] }
    }
}

impl Default for Parts {
    fn default() -> Parts {
        let zeros = [[0.0; LANES]; CORNERS];
        Parts {
            x: zeros,
            y: zeros,
            low: [[0.0; LANES]; 2],
            high: [[0.0; LANES]; 2],
            has_middle: [false; LANES],
            edges: Edges { start: zeros, end: zeros, height: zeros, rise: zeros, run: zeros },
        }
    }
}

impl Slices {
    /// Puts a triangle in a place. It is to be cut from `row` on, which it reaches.
    #[inline(always)]
    pub(crate) fn set(&mut self, place: usize, corners: &[[f32; 3]; 3], row: u32, lines: &Lines) {
        let [a, b, c] = *corners;
        let after = |p: [f32; 3], q: [f32; 3]| usize::from(q[2] < p[2]);
        // Places by z; of two corners at the same z the one given first is first.
        let (ab, ac, bc) = (after(a, b), after(a, c), after(b, c));
        let mut sorted = [a; 3];
        sorted[ab + ac] = a;
        sorted[1 - ab + bc] = b;
        sorted[2 - ac - bc] = c;
        let [first, middle, last] = sorted;
        let mut start = [[first[0], first[1]]; 2];
        let line = lines.row_start(row);
        if first[2] < line && line < last[2] {
            let (from, to) = if line >= middle[2] { (middle, last) } else { (first, middle) };
            start = [crossing(first, last, line), crossing(from, to, line)];
        }
        for (corner, given) in self.corners.iter_mut().zip(&sorted) {
            (0..3).for_each(|axis| corner[axis][place] = given[axis]);
        }
        for (point, given) in self.start.iter_mut().zip(&start) {
            (0..2).for_each(|axis| point[axis][place] = given[axis]);
        }
        self.is_flat[place] = (a[1] == b[1]) & (b[1] == c[1]);
    }

    /// Moves a triangle from a place of another group to one of this.
    pub(super) fn take(&mut self, place: usize, other: &Slices, from: usize) {
        for (own, other) in self.corners.as_flattened_mut().iter_mut().zip(other.corners.as_flattened()) {
            own[place] = other[from];
        }
        for (own, other) in self.start.as_flattened_mut().iter_mut().zip(other.start.as_flattened()) {
            own[place] = other[from];
        }
        self.is_flat[place] = other.is_flat[from];
    }

    /// Whether all corners of a triangle are at one height.
    #[inline(always)]
    pub(super) fn is_flat(&self, place: usize) -> bool {
        self.is_flat[place]
    }

    /// The parts within `row`, which is the one after that of the call before.
    #[inline(always)]
    pub(super) fn next(&mut self, row: u32, lines: &Lines, parts: &mut Parts) {
        let (low, high) = (f32x4::splat(lines.row_start(row)), f32x4::splat(lines.row_start(row + 1)));
        let [a, b, c] = self.corners.map(|corner| corner.map(f32x4::from));
        let [start, start_others] = self.start.map(|point| point.map(f32x4::from));
        let is_past = high.simd_ge(b[2]);
        let from = [0, 1, 2].map(|axis| is_past.bitselect(b[axis], a[axis]));
        let to = [0, 1, 2].map(|axis| is_past.bitselect(c[axis], b[axis]));
        let goes_on = high.simd_lt(c[2]);
        let end = |point: Point<f32x4>| [0, 1].map(|axis| goes_on.bitselect(point[axis], c[axis]));
        let (end, end_others) = (end(crossing(a, c, high)), end(crossing(from, to, high)));
        let has_middle = low.simd_le(b[2]) & b[2].simd_le(high);
        let middle = [0, 1].map(|axis| has_middle.bitselect(b[axis], end_others[axis]));
        self.start = [end, end_others].map(|point| point.map(f32x4::to_array));
        let middles = has_middle.to_bitmask();
        parts.has_middle = std::array::from_fn(|place| middles >> place & 1 != 0);
        parts.set([end, end_others, middle, start_others, start]);
    }
}

/// A point of a triangle: x and height.
type Point<T> = [T; 2];

/// Where an edge crosses a line of z, from its end with the smaller z; the same float from both triangles that share the
/// edge.
#[inline(always)]
fn crossing<T: Copy + Sub<Output = T> + Add<Output = T> + Mul<Output = T> + Div<Output = T>>(
    a: [T; 3],
    b: [T; 3],
    line: T,
) -> Point<T> {
    let share = (line - a[2]) / (b[2] - a[2]);
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/// Corners of a part, in order around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon {
    pub(super) x: [f32; CORNERS],
    pub(super) y: [f32; CORNERS],
}

impl Parts {
    /// Takes corners, in order around: what they reach, and the edges between them.
    #[inline(always)]
    fn set(&mut self, points: [Point<f32x4>; CORNERS]) {
        for axis in 0..2 {
            let [a, b, c, d, e] = points.map(|point| point[axis]);
            self.low[axis] = a.fast_min(b).fast_min(d.fast_min(e)).fast_min(c).to_array();
            self.high[axis] = a.fast_max(b).fast_max(d.fast_max(e)).fast_max(c).to_array();
        }
        for (index, point) in points.iter().enumerate() {
            (self.x[index], self.y[index]) = (point[0].to_array(), point[1].to_array());
            let (p, q) = (*point, points[if index + 1 < CORNERS { index + 1 } else { 0 }]);
            let onward = p[0].simd_le(q[0]);
            let (near, far) = (onward.bitselect(p[1], q[1]), onward.bitselect(q[1], p[1]));
            let (start, end) = (p[0].fast_min(q[0]), p[0].fast_max(q[0]));
            self.edges.start[index] = start.to_array();
            self.edges.end[index] = end.to_array();
            self.edges.height[index] = near.to_array();
            self.edges.rise[index] = (far - near).to_array();
            self.edges.run[index] = (end - start).to_array();
        }
    }

    /// Whether the triangle's middle corner lies in the row.
    #[inline(always)]
    pub(super) fn has_middle(&self, place: usize) -> bool {
        self.has_middle[place]
    }

    /// The polygon of a part.
    #[inline(always)]
    pub(super) fn polygon(&self, place: usize) -> Polygon {
        Polygon { x: self.x.map(|x| x[place]), y: self.y.map(|y| y[place]) }
    }

    /// Corner `index` of a part, x and height.
    #[inline(always)]
    fn corner(&self, place: usize, index: usize) -> [f32x4; 2] {
        [&self.x, &self.y].map(|values| f32x4::splat(values[index][place]))
    }

    /// Lowest and highest corner within each column, given the lines before and after it. `N` corners are looked at: all
    /// five, or four without the middle one.
    #[inline(always)]
    pub(super) fn corners_within<const N: usize>(&self, place: usize, before: f32x4, after: f32x4) -> Extent {
        let mut extent = Extent::nothing();
        for index in 0..N {
            let [x, y] = self.corner(place, if N < CORNERS && index > 1 { index + 1 } else { index });
            extent.add(y, x.simd_lt(before) | x.simd_gt(after));
        }
        extent
    }

    /// Lowest and highest point of the edges on each line. `N` edges are looked at: all five, or four if the middle corner
    /// stands where the one before it does.
    #[inline(always)]
    pub(super) fn on_lines<const N: usize>(&self, place: usize, lines: f32x4) -> Extent {
        let mut extent = Extent::nothing();
        for index in 0..N {
            let edge = if N < CORNERS && index > 0 { index + 1 } else { index };
            let Edges { start, end, height, rise, run } = &self.edges;
            let [start, end, height, rise, run] =
                [start, end, height, rise, run].map(|values| f32x4::splat(values[edge][place]));
            extent.add(height + rise * ((lines - start) / run), lines.simd_le(start) | lines.simd_ge(end));
        }
        extent
    }

    /// First and last column that a part reaches over more than their borders; one without extent along x belongs to the
    /// column it lies in, or to the one after the line it lies on.
    #[inline(always)]
    pub(super) fn columns(&self, place: usize, lines: &Lines) -> (i32, i32) {
        lines.columns(self.low[0][place], self.high[0][place])
    }

    /// Its lowest and highest point.
    #[inline(always)]
    pub(super) fn heights(&self, place: usize) -> (f32, f32) {
        (self.low[1][place], self.high[1][place])
    }
}

/// Edges, each from its end with the smaller x; those along a line of x, or without extent, cross none.
#[derive(Clone, Copy, Debug)]
struct Edges {
    start: [Lanes; CORNERS],
    end: [Lanes; CORNERS],
    height: [Lanes; CORNERS],
    rise: [Lanes; CORNERS],
    run: [Lanes; CORNERS],
}

/// Some numbers side by side.
pub(super) type Lanes = [f32; LANES];

/// Lowest and highest points on lines or in columns that stand side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) low: f32x4,
    /// The highest ones, negated: then both are the least of something.
    pub(super) negated_high: f32x4,
}

impl Extent {
    fn nothing() -> Extent {
        Extent { low: f32x4::splat(f32::INFINITY), negated_high: f32x4::splat(f32::INFINITY) }
    }

    /// Takes in heights where they are not `outside`; there they may be no numbers.
    #[inline(always)]
    fn add(&mut self, heights: f32x4, outside: f32x4) {
        let infinity = f32x4::splat(f32::INFINITY);
        let negated = heights ^ f32x4::splat(-0.0);
        self.low = outside.bitselect(infinity, heights).fast_min(self.low);
        self.negated_high = outside.bitselect(infinity, negated).fast_min(self.negated_high);
    }
}
