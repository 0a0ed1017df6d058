//! Cells of a grid as few shapes: equal neighbours become one rectangle, edges in a row become one line.
//! Cost: O(cells) for rectangles, O(n log n) for lines.

use crate::colour::Colour;
use crate::scene::{Point, Shape, Stroke};
use recast::data::{Direction, Grid, in_cells};
use std::collections::BTreeMap;

/// The columns of a grid in the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    /// World position of the corner of column (0, 0).
    pub(crate) origin: Point,
    /// Width of a column, metres.
    pub(crate) cell: f64,
    /// Columns along x and z.
    pub(crate) size: [u32; 2],
}

impl Plane {
    /// The columns of `grid`. The origin of the lattice is at `lattice_zero`.
    pub(crate) fn new(grid: &Grid, lattice_zero: [f64; 3]) -> Plane {
        let cell = f64::from(grid.cell_size);
        let origin = [
            lattice_zero[0] + f64::from(grid.base_x) * cell,
            lattice_zero[2] + f64::from(grid.base_z) * cell,
        ];
        Plane { origin, cell, size: [grid.width, grid.depth] }
    }

    /// The corner of column (x, z) that has the smallest coordinates.
    pub(crate) fn corner(&self, x: i64, z: i64) -> Point {
        [self.origin[0] + x as f64 * self.cell, self.origin[1] + z as f64 * self.cell]
    }

    fn rectangle(&self, x: [u32; 2], z: [u32; 2]) -> [f64; 4] {
        let [x0, z0] = self.corner(i64::from(x[0]), i64::from(z[0]));
        let [x1, z1] = self.corner(i64::from(x[1]), i64::from(z[1]));
        [x0, z0, x1, z1]
    }

    /// Thin lines between the columns, if these are large enough on the page for them.
    pub(crate) fn lines(&self, colour: Colour) -> Vec<Shape> {
        let most = self.size[0].max(self.size[1]);
        if most > 110 {
            return Vec::new();
        }
        let width_on_page = if most > 60 { 0.5 } else { 0.9 };
        let [width, depth] = self.size.map(i64::from);
        let down = (0..=width).map(|x| [self.corner(x, 0), self.corner(x, depth)]);
        let across = (0..=depth).map(|z| [self.corner(0, z), self.corner(width, z)]);
        vec![Shape::segments(down.chain(across), Stroke::new(colour, width_on_page))]
    }
}

/// World position of a [place](recast::data#places) of a grid's tile.
pub(crate) fn placement(grid: &Grid, lattice_zero: [f64; 3]) -> impl Fn([i32; 3]) -> [f64; 3] {
    let cell = f64::from(grid.cell_size);
    let height = f64::from(grid.cell_height);
    let inner = [grid.base_x, grid.base_z].map(|base| f64::from(base) + f64::from(grid.border));
    move |place| {
        let [x, y, z] = in_cells(place);
        [
            lattice_zero[0] + (inner[0] + x) * cell,
            lattice_zero[1] + y * height,
            lattice_zero[2] + (inner[1] + z) * cell,
        ]
    }
}

/// Colours of columns, row by row; a column with `None` is not drawn.
pub(crate) struct ColourGrid {
    plane: Plane,
    colours: Vec<Option<Colour>>,
}

/// A run of one colour that may continue in the next row.
#[derive(Clone, Copy)]
struct Run {
    x: [u32; 2],
    z: u32,
    colour: Colour,
}

impl ColourGrid {
    pub(crate) fn new(plane: Plane) -> ColourGrid {
        ColourGrid { plane, colours: vec![None; plane.size[0] as usize * plane.size[1] as usize] }
    }

    pub(crate) fn set(&mut self, x: u32, z: u32, colour: Colour) {
        let index = x as usize + z as usize * self.plane.size[0] as usize;
        if let Some(slot) = self.colours.get_mut(index) {
            *slot = Some(colour);
        }
    }

    /// One shape per colour. Runs of a row are joined, and equal runs in adjacent rows, too.
    pub(crate) fn shapes(&self) -> Vec<Shape> {
        let mut rectangles: BTreeMap<Colour, Vec<[f64; 4]>> = BTreeMap::new();
        let mut close = |run: Run, z: u32| {
            rectangles.entry(run.colour).or_default().push(self.plane.rectangle(run.x, [run.z, z]));
        };
        let mut open: Vec<Run> = Vec::new();
        for z in 0..self.plane.size[1] {
            let row = self.runs(z);
            let mut previous = open.into_iter().peekable();
            open = Vec::with_capacity(row.len());
            for mut run in row {
                while let Some(above) = previous.next_if(|above| above.x[0] < run.x[0]) {
                    close(above, z);
                }
                if let Some(above) = previous.next_if(|above| above.x[0] == run.x[0]) {
                    if above.x == run.x && above.colour == run.colour {
                        run.z = above.z;
                    } else {
                        close(above, z);
                    }
                }
                open.push(run);
            }
            previous.for_each(|above| close(above, z));
        }
        open.into_iter().for_each(|run| close(run, self.plane.size[1]));
        rectangles.into_iter().map(|(colour, cells)| Shape::cells(cells, colour)).collect()
    }

    fn runs(&self, z: u32) -> Vec<Run> {
        let width = self.plane.size[0] as usize;
        let row = &self.colours[z as usize * width..(z as usize + 1) * width];
        let mut start = 0;
        let mut runs = Vec::new();
        for group in row.chunk_by(|a, b| a == b) {
            let end = start + group.len() as u32;
            if let Some(&Some(colour)) = group.first() {
                runs.push(Run { x: [start, end], z, colour });
            }
            start = end;
        }
        runs
    }
}

/// Sides and diagonals of columns, joined to long lines.
#[derive(Default)]
pub(crate) struct CellLines {
    /// (z, x): the side of smaller z of column (x, z).
    across: Vec<(i64, i64)>,
    /// (x, z): the side of smaller x of column (x, z).
    down: Vec<(i64, i64)>,
    /// (x + z, x): from the lower left corner of column (x, z) to its upper right one.
    slanted: Vec<(i64, i64)>,
}

impl CellLines {
    /// Adds one side of a column.
    pub(crate) fn push_side(&mut self, x: u32, z: u32, direction: Direction) {
        let (x, z) = (i64::from(x), i64::from(z));
        match direction {
            Direction::XMin => self.down.push((x, z)),
            Direction::XMax => self.down.push((x + 1, z)),
            Direction::ZMin => self.across.push((z, x)),
            Direction::ZMax => self.across.push((z + 1, x)),
        }
    }

    /// Adds every `every`-th diagonal, so that the hatching is open. The others are left out.
    pub(crate) fn push_hatch(&mut self, x: u32, z: u32, every: i64) {
        let (x, z) = (i64::from(x), i64::from(z));
        if (x + z) % every.max(1) == 0 {
            self.slanted.push((x + z, x));
        }
    }

    /// All lines in one style; nothing without lines.
    pub(crate) fn shapes(self, plane: &Plane, stroke: Stroke) -> Vec<Shape> {
        let across = joined(self.across).into_iter().map(|(z, x0, x1)| [(x0, z), (x1, z)]);
        let down = joined(self.down).into_iter().map(|(x, z0, z1)| [(x, z0), (x, z1)]);
        let slanted =
            joined(self.slanted).into_iter().map(|(sum, x0, x1)| [(x0, sum - x0 + 1), (x1, sum - x1 + 1)]);
        let place = |ends: [(i64, i64); 2]| ends.map(|(x, z)| plane.corner(x, z));
        let segments: Vec<[Point; 2]> = across.chain(down).chain(slanted).map(place).collect();
        if segments.is_empty() { Vec::new() } else { vec![Shape::segments(segments, stroke)] }
    }
}

/// Number of diagonals for each one that is drawn, so that the hatching is open on a page.
pub(crate) fn hatch_every(plane: &Plane) -> i64 {
    i64::from(plane.size[0].max(plane.size[1]) / 150).max(1)
}

/// Unit steps (line, start) as runs (line, start, end); the same step twice counts once.
fn joined(mut steps: Vec<(i64, i64)>) -> Vec<(i64, i64, i64)> {
    steps.sort_unstable();
    steps.dedup();
    let follows = |a: &(i64, i64), b: &(i64, i64)| a.0 == b.0 && a.1 + 1 == b.1;
    steps.chunk_by(follows).map(|run| (run[0].0, run[0].1, run[0].1 + run.len() as i64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Geometry;

    fn plane(width: u32, depth: u32) -> Plane {
        Plane { origin: [0.0; 2], cell: 1.0, size: [width, depth] }
    }

    fn painted(rows: &[&str]) -> Vec<Vec<[f64; 4]>> {
        let mut grid = ColourGrid::new(plane(rows[0].len() as u32, rows.len() as u32));
        for (z, row) in rows.iter().enumerate() {
            for (x, cell) in row.bytes().enumerate().filter(|&(_, cell)| cell != b'.') {
                grid.set(x as u32, z as u32, Colour::hex(u32::from(cell)));
            }
        }
        let cells = |shape: Shape| match shape.geometry {
            Geometry::Rectangles(cells) => cells,
            other => panic!("{other:?}"),
        };
        grid.shapes().into_iter().map(cells).collect()
    }

    #[test]
    fn equal_cells_become_one_rectangle() {
        assert_eq!(painted(&["aaa", "aaa"]), [[[0.0, 0.0, 3.0, 2.0]]]);
        assert_eq!(painted(&[".a.", "..."]), [[[1.0, 0.0, 2.0, 1.0]]]);
        let parts = painted(&["aab", "abb", "bbb"]);
        assert_eq!(parts[0], [[0.0, 0.0, 2.0, 1.0], [0.0, 1.0, 1.0, 2.0]]);
        let area = |cells: &[[f64; 4]]| cells.iter().map(|c| (c[2] - c[0]) * (c[3] - c[1])).sum::<f64>();
        assert_eq!((area(&parts[0]), area(&parts[1])), (3.0, 6.0));
    }

    #[test]
    fn sides_become_lines() {
        let mut lines = CellLines::default();
        for x in 0..4 {
            lines.push_side(x, 1, Direction::ZMin);
            lines.push_side(x, 0, Direction::ZMax);
        }
        lines.push_hatch(1, 1, 1);
        lines.push_hatch(2, 0, 1);
        let shapes = lines.shapes(&plane(4, 4), Stroke::new(Colour::INK, 1.0));
        let Geometry::Paths(paths) = &shapes[0].geometry else { panic!() };
        let ends: Vec<_> = paths.iter().map(|path| path.points.clone()).collect();
        assert_eq!(ends, [[[0.0, 1.0], [4.0, 1.0]], [[1.0, 2.0], [3.0, 0.0]]]);
    }
}
