//! The solid part of a column by exact arithmetic: the judge where the two programs differ. Units:
//! nanometres. Cost: O(triangles) a column. Source: ours; the rule is that of rasterizing in both programs.
//!
//! Levels are written in decimals, and so are cell sizes. Rounded to a nanometre they are integers. A wall
//! modelled on a line between cells is then exactly on it, and everything that follows is a fraction of
//! integers.

use recast::{Level, PreparedLevel};
use std::cmp::Ordering;

/// Nanometres in a metre.
const NANO: f64 = 1e9;
/// A height this close to a line between cells, in nanometres, is on the line as far as f32 can distinguish:
/// ten micrometres are five steps of f32 at twenty metres.
const TIE: i128 = 10_000;

/// The verdict of exact arithmetic on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellVerdict {
    /// It contains part of a triangle.
    Solid,
    /// No triangle reaches it.
    Free,
    /// A triangle ends on its border, to ten micrometres in height: solid or free is a matter of rounding.
    Tie,
}

/// A fraction of integers; the denominator is positive.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    top: i128,
    bottom: i128,
}

impl Fraction {
    fn new(top: i128, bottom: i128) -> Fraction {
        if bottom < 0 { Fraction { top: -top, bottom: -bottom } } else { Fraction { top, bottom } }
    }

    fn compare(self, whole: i128) -> Ordering {
        self.top.cmp(&(whole * self.bottom))
    }

    /// Compares two fractions by their continued fractions, whose numbers only shrink. Cross products would
    /// exceed 128 bits.
    fn order(self, other: Fraction) -> Ordering {
        let (mut a, mut b) = (self, other);
        loop {
            let whole = |f: Fraction| (f.top.div_euclid(f.bottom), f.top.rem_euclid(f.bottom));
            let ((a_whole, a_rest), (b_whole, b_rest)) = (whole(a), whole(b));
            if a_whole != b_whole || a_rest == 0 || b_rest == 0 {
                return a_whole.cmp(&b_whole).then(a_rest.cmp(&b_rest));
            }
            // The remainder is below one. Inverting it inverts the order too.
            (a, b) = (Fraction::new(b.bottom, b_rest), Fraction::new(a.bottom, a_rest));
        }
    }

    fn within(self, [low, high]: [i128; 2]) -> bool {
        self.compare(low).is_ge() && self.compare(high).is_le()
    }

    fn plus(self, whole: i128) -> Fraction {
        Fraction { top: self.top + whole * self.bottom, bottom: self.bottom }
    }

    /// Number of whole steps below it.
    fn floor(self, step: i128) -> i128 {
        self.top.div_euclid(step * self.bottom)
    }

    /// Number of whole steps that reach it.
    fn ceil(self, step: i128) -> i128 {
        -(-self.top).div_euclid(step * self.bottom)
    }
}

/// The smallest and the largest of some fractions.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    ends: Option<[Fraction; 2]>,
}

impl Extent {
    fn add(&mut self, value: Fraction) {
        self.ends = Some(match self.ends {
            None => [value, value],
            Some([low, high]) if value.order(low).is_lt() => [value, high],
            Some([low, high]) if value.order(high).is_gt() => [low, value],
            Some(ends) => ends,
        });
    }

    /// Returns true if more than the border of the cell from `line` to `line + step` is reached. A range
    /// without extent belongs to the cell that contains it, or to the cell after the line that it is on.
    fn reaches(&self, line: i128, step: i128) -> bool {
        let Some([low, high]) = self.ends else { return false };
        if low.order(high).is_eq() {
            return low.compare(line).is_ge() && low.compare(line + step).is_lt();
        }
        low.compare(line + step).is_lt() && high.compare(line).is_gt()
    }
}

/// A level in nanometres from the lattice's zero.
#[derive(Clone, Debug)]
pub struct Judge {
    triangles: Vec<[[i128; 3]; 3]>,
    cell_size: i128,
    cell_height: i128,
    height: i128,
}

impl Judge {
    /// The judge of a level; `None` if its cells are not a whole number of nanometres or it is so large
    /// (beyond a kilometre) that products could exceed 128 bits.
    pub fn new(level: &Level, prepared: &PreparedLevel) -> Option<Judge> {
        let nano = |metres: f64| (metres * NANO).round();
        let whole = |metres: f64| (nano(metres) / NANO == metres).then_some(nano(metres) as i128);
        let lattice = &prepared.lattice;
        let place = |v: u32| -> [i128; 3] {
            let vertex = level.vertices[v as usize];
            std::array::from_fn(|axis| nano(vertex[axis]) as i128 - nano(lattice.origin[axis]) as i128)
        };
        let mut with_area = (0..prepared.triangle_count()).map(|index| prepared.corners(index)).peekable();
        let corners = |triangle: &[u32; 3]| triangle.map(|v| lattice.to_local(level.vertices[v as usize]));
        let kept =
            level.triangles.iter().filter(|triangle| with_area.next_if_eq(&corners(triangle)).is_some());
        let triangles: Vec<[[i128; 3]; 3]> = kept.map(|triangle| triangle.map(place)).collect();
        let largest = triangles.iter().flatten().flatten().map(|value| value.abs()).max()?;
        (largest <= 1_000_000_000_000).then_some(())?;
        Some(Judge {
            triangles,
            cell_size: whole(lattice.cell_size)?,
            cell_height: whole(lattice.cell_height)?,
            height: nano(f64::from(prepared.height)) as i128,
        })
    }

    /// The part of the column (x, z) of the lattice that triangles fill.
    pub fn column(&self, x: i32, z: i32) -> Column {
        let size = self.cell_size;
        let (x, z) = (i128::from(x) * size, i128::from(z) * size);
        let near = |triangle: &&[[i128; 3]; 3]| {
            let beside = |axis: usize, line: i128| {
                triangle.iter().all(|corner| corner[axis] < line)
                    || triangle.iter().all(|corner| corner[axis] > line + size)
            };
            !beside(0, x) && !beside(2, z)
        };
        let mut column = Column::default();
        for triangle in self.triangles.iter().filter(near) {
            let Some([low, high]) = heights(triangle, [x, x + size], [z, z + size]) else { continue };
            column.exact.extend(self.quantised([low, high]));
            column.wide.extend(self.quantised([low.plus(-TIE), high.plus(TIE)]));
            let (low, high) = (low.plus(TIE), high.plus(-TIE));
            // Flat to within ten micrometres: only the cell that both ends share is certain.
            column.narrow.extend(if low.order(high).is_le() {
                self.quantised([low, high])
            } else {
                self.quantised([high, high]).filter(|&run| Some(run) == self.quantised([low, low]))
            });
        }
        column
    }

    /// The run of cells, bottom and top, that a range of heights fills.
    fn quantised(&self, [low, high]: [Fraction; 2]) -> Option<[i32; 2]> {
        if high.compare(0).is_lt() || low.compare(self.height).is_gt() {
            return None;
        }
        let min = low.floor(self.cell_height).max(0);
        let top = Fraction::new(self.height, 1).ceil(self.cell_height);
        let max = high.ceil(self.cell_height).min(top).max(min + 1);
        Some([min as i32, max as i32])
    }
}

/// The runs of cells that triangles fill in a column, bottom and top; they may overlap.
#[derive(Clone, Debug, Default)]
pub struct Column {
    exact: Vec<[i32; 2]>,
    /// With every triangle ten micrometres taller at both ends.
    wide: Vec<[i32; 2]>,
    /// With every triangle ten micrometres shorter at both ends.
    narrow: Vec<[i32; 2]>,
}

impl Column {
    /// The verdict on a cell.
    pub fn verdict(&self, cell: i32) -> CellVerdict {
        let within = |runs: &[[i32; 2]]| runs.iter().any(|run| run[0] <= cell && cell < run[1]);
        match (within(&self.wide), within(&self.narrow)) {
            (true, false) => CellVerdict::Tie,
            _ if within(&self.exact) => CellVerdict::Solid,
            _ => CellVerdict::Free,
        }
    }
}

/// Lowest and highest point of the part of a triangle in a column; `None` if the triangle does not reach the
/// column.
fn heights(triangle: &[[i128; 3]; 3], x: [i128; 2], z: [i128; 2]) -> Option<[Fraction; 2]> {
    let mut depth = Extent::default();
    triangle.iter().for_each(|corner| depth.add(Fraction::new(corner[2], 1)));
    let size = x[1] - x[0];
    if !depth.reaches(z[0], size) {
        return None;
    }
    // Along x, only the part within the row counts.
    let mut width = Extent::default();
    let mut height = Extent::default();
    let inside = |value: i128, [low, high]: [i128; 2]| low <= value && value <= high;
    for (index, &from) in triangle.iter().enumerate() {
        let to = triangle[(index + 1) % 3];
        if inside(from[2], z) {
            width.add(Fraction::new(from[0], 1));
            if inside(from[0], x) {
                height.add(Fraction::new(from[1], 1));
            }
        }
        for line in z {
            let Some(crossing) = crossing(from, to, 2, line) else { continue };
            width.add(crossing[0]);
            if crossing[0].within(x) {
                height.add(crossing[1]);
            }
        }
        for line in x {
            if let Some(crossing) = crossing(from, to, 0, line).filter(|crossing| crossing[0].within(z)) {
                height.add(crossing[1]);
            }
        }
    }
    for corner_x in x {
        for corner_z in z {
            if let Some(value) = height_at(triangle, corner_x, corner_z) {
                height.add(value);
            }
        }
    }
    if width.reaches(x[0], size) { height.ends } else { None }
}

/// The point at which an edge crosses a line of `axis` (0 or 2): its position along the other axis, and its
/// height.
fn crossing(from: [i128; 3], to: [i128; 3], axis: usize, line: i128) -> Option<[Fraction; 2]> {
    let rise = to[axis] - from[axis];
    if rise == 0 || line < from[axis].min(to[axis]) || line > from[axis].max(to[axis]) {
        return None;
    }
    let at = |other: usize| {
        Fraction::new(from[other] * rise + (to[other] - from[other]) * (line - from[axis]), rise)
    };
    Some([at(2 - axis), at(1)])
}

/// Height of a triangle over (x, z); `None` if the point is outside it, seen from above.
fn height_at(&[a, b, c]: &[[i128; 3]; 3], x: i128, z: i128) -> Option<Fraction> {
    let cross = |p: [i128; 3], q: [i128; 3], r: [i128; 3]| {
        (q[0] - p[0]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[0] - p[0])
    };
    let at = [x, 0, z];
    let whole = cross(a, b, c);
    if whole == 0 {
        return None;
    }
    let parts = [cross(b, c, at), cross(c, a, at), cross(a, b, at)].map(|part| part * whole.signum());
    if parts.iter().any(|&part| part < 0) {
        return None;
    }
    Some(Fraction::new(a[1] * parts[0] + b[1] * parts[1] + c[1] * parts[2], whole.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::Settings;

    /// Cells of 0.3 m by 0.2 m. The first triangle is on the ground and gives the bounds their size.
    fn judge(triangle: [[f64; 3]; 3]) -> Judge {
        let mut vertices = vec![[-0.5, 0.0, -0.5], [-0.5, 0.0, -0.4], [-0.4, 0.0, -0.5]];
        vertices.extend(triangle);
        let level = Level { vertices, triangles: vec![[0, 1, 2], [3, 4, 5]], areas: Vec::new() };
        let settings = Settings { bounds: Some([[-0.5, 0.0, -0.5], [9.5, 4.0, 9.5]]), ..Settings::default() };
        let prepared = PreparedLevel::new(&level, &settings).unwrap();
        Judge::new(&level, &prepared).unwrap()
    }

    #[test]
    fn fractions_are_ordered() {
        let order = |a: (i128, i128), b: (i128, i128)| Fraction::new(a.0, a.1).order(Fraction::new(b.0, b.1));
        assert_eq!(order((1, 3), (2, 6)), Ordering::Equal);
        assert_eq!(order((-1, 3), (1, -4)), Ordering::Less);
        assert_eq!(order((22, 7), (355, 113)), Ordering::Greater);
        assert_eq!(order((i128::MAX / 2, i128::MAX), (1, 2)), Ordering::Less);
        assert_eq!((Fraction::new(-1, 2).floor(1), Fraction::new(-1, 2).ceil(1)), (-1, 0));
    }

    #[test]
    fn a_wall_on_a_line_stands_in_the_column_after_it() {
        // Line 10 of the lattice is at 2.5 m: in f32, ten cells of 0.3 m are a little more than 3 m.
        let judge = judge([[2.5, 0.0, 1.0], [2.5, 1.0, 1.0], [2.5, 0.0, 2.0]]);
        assert_eq!(judge.column(10, 6).exact, [[0, 4]]);
        assert_eq!(judge.column(9, 6).exact, Vec::<[i32; 2]>::new());
    }

    #[test]
    fn a_floor_ends_at_its_border() {
        // Rows 5 to 9 and columns 5 to 9; the slope rises from 0 to 1 m along x.
        let judge = judge([[1.0, 0.0, 1.0], [1.0, 0.0, 2.5], [2.5, 1.5, 1.0]]);
        assert_eq!(judge.column(5, 5).exact, [[0, 2]]);
        assert_eq!(judge.column(7, 5).exact, [[3, 5]]);
        assert_eq!(judge.column(9, 5).exact, [[6, 8]]);
        for outside in [(4, 5), (10, 5), (5, 4), (5, 10), (7, 8)] {
            assert_eq!(judge.column(outside.0, outside.1).exact, Vec::<[i32; 2]>::new(), "{outside:?}");
        }
    }

    #[test]
    fn a_height_on_a_line_is_a_tie() {
        // From 0.2 m, a line between cells, to 0.7 m, in the middle of one.
        let judge = judge([[2.5, 0.2, 1.0], [2.5, 0.7, 1.0], [2.5, 0.2, 2.0]]);
        let verdicts = [0, 1, 2, 3, 4].map(|cell| judge.column(10, 5).verdict(cell));
        use CellVerdict::{Free, Solid, Tie};
        assert_eq!(verdicts, [Tie, Solid, Solid, Solid, Free]);
    }

    #[test]
    fn cells_of_a_third_of_a_metre_are_not_judged() {
        let level = Level {
            vertices: vec![[0.0; 3], [0.0, 0.0, 5.0], [5.0, 0.0, 0.0]],
            triangles: vec![[0, 1, 2]],
            areas: Vec::new(),
        };
        let settings = Settings { cell_size: 1.0 / 3.0, ..Settings::default() };
        let prepared = PreparedLevel::new(&level, &settings).unwrap();
        assert!(Judge::new(&level, &prepared).is_none());
    }
}
