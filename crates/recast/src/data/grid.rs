//! The grid of columns that a tile is baked on: an integer rectangle of the global lattice, including the
//! border.

use navmath::Hasher;

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

    #[test]
    fn neighbours_end_at_the_edge() {
        let grid =
            Grid { width: 3, depth: 2, border: 0, base_x: 0, base_z: 0, cell_size: 0.3, cell_height: 0.2 };
        assert_eq!(grid.neighbour(0, 0, Direction::XMin), None);
        assert_eq!(grid.neighbour(0, 0, Direction::ZMax), Some((0, 1)));
        assert_eq!(grid.neighbour(2, 1, Direction::XMax), None);
        assert_eq!(Direction::XMin.previous(), Direction::ZMin);
        assert_eq!(Direction::ZMin.next(), Direction::XMin);
    }
}
