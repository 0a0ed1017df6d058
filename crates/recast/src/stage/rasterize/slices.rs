//! Slicing a triangle into rows: the polygon that lies between two lines of z, row after row. What was found on the line
//! between two rows serves both, and the place of a point among the lines of x is looked for once.

use super::cut::Lines;

/// A point of a triangle, and how many lines of x lie before it, and before it or on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) before: i32,
    pub(super) upto: i32,
}

/// Places for the corners of the part of a triangle within a row. There are nine at most, its own three and two crossings
/// an edge; a power of two spares tests.
const PLACES: usize = 16;

/// Corners of the part of a triangle within a row, in order around it.
#[derive(Default)]
pub(super) struct RowPolygon {
    points: [Point; PLACES],
    count: usize,
}

impl RowPolygon {
    #[inline]
    fn push(&mut self, point: Point) {
        self.points[self.count % PLACES] = point;
        self.count += 1;
    }

    #[inline]
    pub(super) fn points(&self) -> &[Point] {
        &self.points[..self.count.min(PLACES)]
    }

    /// First and last column that it reaches over more than their borders; a polygon without extent along x belongs
    /// to the column it lies in, or to the one after the line it lies on. `None` if it is empty.
    #[inline]
    pub(super) fn columns(&self) -> Option<(i64, i64)> {
        let (start, rest) = self.points().split_first()?;
        let (mut upto, mut before) = (start.upto, start.before);
        for point in rest {
            upto = upto.min(point.upto);
            before = before.max(point.before);
        }
        Some((i64::from(upto) - 1, i64::from(upto.max(before)) - 1))
    }
}

/// Which of the two edges by way of the middle corner crosses a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shorter {
    /// Neither: the line lies on the middle corner.
    Neither,
    Lower,
    Upper,
}

/// Where a triangle's edges cross a line of z.
#[derive(Clone, Copy, Debug)]
struct Section {
    /// From the first corner to the last.
    longest: Point,
    shorter: (Shorter, Point),
}

/// A triangle that is cut row by row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slices {
    /// Its corners by z.
    corners: [Point; 3],
    z: [f32; 3],
    /// Its section with the first line of the row that is next, if it crosses it.
    section: Option<Section>,
    pub(super) is_flat: bool,
}

impl Slices {
    /// A triangle that is to be cut from `row` on.
    #[inline]
    pub(crate) fn new(corners: &[[f32; 3]; 3], row: u32, lines: &Lines) -> Slices {
        let [mut a, mut b, mut c] = *corners;
        let is_flat = a[1] == b[1] && b[1] == c[1];
        if b[2] < a[2] {
            (a, b) = (b, a);
        }
        if c[2] < b[2] {
            (b, c) = (c, b);
        }
        if b[2] < a[2] {
            (a, b) = (b, a);
        }
        let corners = [a, b, c].map(|[x, y, _]| lines.place(x, y));
        let mut slices = Slices { corners, z: [a[2], b[2], c[2]], section: None, is_flat };
        slices.section = slices.cross(lines.row_start(row), lines);
        slices
    }

    /// The part within `row`, which is the one after that of the call before.
    #[inline]
    pub(super) fn next(&mut self, row: u32, lines: &Lines, polygon: &mut RowPolygon) {
        let (low, high) = (lines.row_start(row), lines.row_start(row + 1));
        let second = self.cross(high, lines);
        let first = std::mem::replace(&mut self.section, second);
        polygon.count = 0;
        let within = |z: f32| low <= z && z <= high;
        if within(self.z[0]) {
            polygon.push(self.corners[0]);
        }
        if let Some(first) = &first {
            polygon.push(first.longest);
        }
        if let Some(second) = &second {
            polygon.push(second.longest);
        }
        if within(self.z[2]) {
            polygon.push(self.corners[2]);
        }
        let push_shorter = |polygon: &mut RowPolygon, edge: Shorter| {
            for section in [&second, &first].into_iter().flatten() {
                if section.shorter.0 == edge {
                    polygon.push(section.shorter.1);
                }
            }
        };
        push_shorter(polygon, Shorter::Upper);
        if within(self.z[1]) {
            polygon.push(self.corners[1]);
        }
        push_shorter(polygon, Shorter::Lower);
    }

    /// Where its edges cross a line of z.
    #[inline(always)]
    fn cross(&self, line: f32, lines: &Lines) -> Option<Section> {
        let [a, b, c] = self.z;
        if !(a < line && line < c) {
            return None;
        }
        let longest = self.crossing(0, 2, line, lines);
        let shorter = if line < b {
            (Shorter::Lower, self.crossing(0, 1, line, lines))
        } else if line > b {
            (Shorter::Upper, self.crossing(1, 2, line, lines))
        } else {
            (Shorter::Neither, longest)
        };
        Some(Section { longest, shorter })
    }

    /// Where an edge crosses a line of z, from its end with the smaller z; the same float from both triangles that share
    /// the edge.
    #[inline(always)]
    fn crossing(&self, from: usize, to: usize, line: f32, lines: &Lines) -> Point {
        let (a, b) = (self.corners[from], self.corners[to]);
        let share = (line - self.z[from]) / (self.z[to] - self.z[from]);
        lines.place(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
    }
}
