//! The grid of columns that a tile is baked on: an integer rectangle of the global lattice, including the
//! border.

use navmath::predicates::Point;
use navmath::{FIXED_ONE, Hasher};

/// A rectangle of lattice columns. Column (0, 0) of the grid is lattice column (`base_x`, `base_z`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Columns along x, including the border.
    pub width: u32,
    /// Columns along z, including the border.
    pub depth: u32,
    /// Width of the border in columns; 0 for a solo bake. The border is baked, but has no polygons.
    pub border: u32,
    /// Lattice column of the grid's first column along x, including the border.
    pub base_x: i32,
    /// Lattice column of the grid's first column along z, including the border.
    pub base_z: i32,
    /// Width of a column, metres.
    pub cell_size: f32,
    /// Height of a cell, metres.
    pub cell_height: f32,
}

impl Grid {
    /// Number of columns.
    #[inline]
    pub fn columns(&self) -> usize {
        self.width as usize * self.depth as usize
    }

    /// Index of column (x, z), which must be within the grid.
    #[inline]
    pub fn column(&self, x: u32, z: u32) -> usize {
        x as usize + z as usize * self.width as usize
    }

    /// The columns with a place in a rectangle: its smallest and largest corner, both included, 1/256 cell of
    /// tile coordinates.
    pub(crate) fn columns_in(&self, [low, high]: [Point; 2]) -> impl Iterator<Item = usize> + use<> {
        let grid = *self;
        let [columns, rows] = [(0, self.width), (1, self.depth)].map(|(axis, size)| {
            let column = |place: i32| place.div_euclid(FIXED_ONE) + self.border as i32;
            let clip = |column: i32| column.clamp(0, size as i32) as u32;
            clip(column(low[axis]))..clip(column(high[axis]) + 1)
        });
        rows.flat_map(move |z| columns.clone().map(move |x| grid.column(x, z)))
    }

    /// The column next to (x, z), or `None` outside the grid.
    #[inline]
    pub fn neighbour(&self, x: u32, z: u32, direction: Direction) -> Option<(u32, u32)> {
        let (dx, dz) = direction.offset();
        let (x, z) = (x.checked_add_signed(dx)?, z.checked_add_signed(dz)?);
        (x < self.width && z < self.depth).then_some((x, z))
    }

    /// Width of the tile without its border, in columns.
    pub fn inner_width(&self) -> u32 {
        self.width - 2 * self.border
    }

    /// Depth of the tile without its border, in columns.
    pub fn inner_depth(&self) -> u32 {
        self.depth - 2 * self.border
    }

    /// The lattice cell at which tile coordinates start: the smallest corner inside the border.
    pub fn inner_base(&self) -> [i64; 3] {
        let border = i64::from(self.border);
        [i64::from(self.base_x) + border, 0, i64::from(self.base_z) + border]
    }

    /// Adds the grid to a digest.
    pub fn write(&self, hasher: &mut Hasher) {
        hasher.write_u32s(&[self.width, self.depth, self.border]);
        hasher.write_i32s(&[self.base_x, self.base_z]).write_f32s(&[self.cell_size, self.cell_height]);
    }
}

/// The four sides of a column, counterclockwise as seen from above with x to the right and z downwards: left,
/// down, right, up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Towards smaller x.
    XMin = 0,
    /// Towards larger z.
    ZMax = 1,
    /// Towards larger x.
    XMax = 2,
    /// Towards smaller z.
    ZMin = 3,
}

impl Direction {
    /// All four, in order.
    pub const ALL: [Direction; 4] = [Direction::XMin, Direction::ZMax, Direction::XMax, Direction::ZMin];

    /// Steps along x and z.
    #[inline]
    pub fn offset(self) -> (i32, i32) {
        match self {
            Direction::XMin => (-1, 0),
            Direction::ZMax => (0, 1),
            Direction::XMax => (1, 0),
            Direction::ZMin => (0, -1),
        }
    }

    /// The next direction in order, a quarter turn further.
    #[inline]
    pub fn next(self) -> Direction {
        Direction::ALL[(self as usize + 1) & 3]
    }

    /// The previous direction in order, a quarter turn back.
    #[inline]
    pub fn previous(self) -> Direction {
        Direction::ALL[(self as usize + 3) & 3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(width: u32, depth: u32, border: u32) -> Grid {
        Grid { width, depth, border, base_x: 0, base_z: 0, cell_size: 0.3, cell_height: 0.2 }
    }

    #[test]
    fn rectangles_are_clipped_at_the_edge() {
        let grid = grid(4, 3, 1);
        let columns = |low: Point, high: Point| grid.columns_in([low, high]).collect::<Vec<_>>();
        assert_eq!(columns([0, 0], [0, 0]), [5], "tile coordinates start inside of the border");
        assert_eq!(columns([-1, 255], [256, 256]), [4, 5, 6, 8, 9, 10], "both corners are included");
        assert_eq!(columns([300, -9000], [9000, -256]), [2, 3]);
        assert_eq!(columns([-9000, -9000], [9000, 9000]), (0..12).collect::<Vec<_>>());
        assert_eq!(columns([9000, 0], [9999, 0]), []);
        assert_eq!(columns([-9999, 0], [-9000, 0]), []);
    }

    #[test]
    fn neighbours_end_at_the_edge() {
        let grid = grid(3, 2, 0);
        assert_eq!(grid.neighbour(0, 0, Direction::XMin), None);
        assert_eq!(grid.neighbour(0, 0, Direction::ZMax), Some((0, 1)));
        assert_eq!(grid.neighbour(2, 1, Direction::XMax), None);
        assert_eq!(Direction::XMin.previous(), Direction::ZMin);
        assert_eq!(Direction::ZMin.next(), Direction::XMin);
    }
}
