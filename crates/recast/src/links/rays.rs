//! The directions that links lead in, and the columns that a body passes on its way.
//!
//! A link leads from the middle of a column along one of sixteen directions, as a knight, a rook or a bishop moves, to the
//! middle of another. Seen from above, the body is a disc about a point that moves along the ray: it is over the middle of a
//! column while that point is between `from` and `to`, which do not depend on where the link ends.
//!
//! ```text
//!              . . . . o . . .       o  the middle of a column
//!         - - - - [=========] - - >  [  from, ]  to: the chord of a circle about it, of the agent's radius
//!        S
//! ```
//!
//! Units: cells. Places along a ray are scaled by the squared length of its direction, so that they are whole numbers:
//! step k ends at k times that.

use navmath::sort::SharedSort;

/// All directions; each also backwards.
const DIRECTIONS: [[i32; 2]; 16] = [
    [1, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 1],
    [-1, 2],
    [-1, 1],
    [-2, 1],
    [-1, 0],
    [-2, -1],
    [-1, -1],
    [-1, -2],
    [0, -1],
    [1, -2],
    [1, -1],
    [2, -1],
];

/// A direction, and the columns along it.
pub(super) struct Ray {
    /// Steps along x and z.
    pub(super) direction: [i32; 2],
    /// Its squared length.
    pub(super) length2: i32,
    /// The column furthest ahead that a body is over, from where it stands: it passes that column on each way that leads on.
    front: [i32; 2],
    /// The columns that a body passes, by the place where it gets there.
    pub(super) columns: Vec<RayColumn>,
}

/// A column beside a ray.
#[derive(Clone, Copy)]
pub(super) struct RayColumn {
    /// Columns from the start along x and z.
    pub(super) at: [i32; 2],
    /// First and last place along the ray from which its middle is within the radius, rounded outwards; they may lie before the start
    /// and behind the end.
    pub(super) from: i32,
    pub(super) to: i32,
}

impl Ray {
    /// All rays of a body of this radius, up to `reach` cells long.
    pub(super) fn all(radius: i32, reach: i32) -> Vec<Ray> {
        DIRECTIONS.iter().map(|&direction| Ray::new(direction, radius, reach)).collect()
    }

    fn new([dx, dz]: [i32; 2], radius: i32, reach: i32) -> Ray {
        let length2 = dx * dx + dz * dz;
        let most = reach + radius;
        let mut columns = Vec::new();
        for z in -most..=most {
            for x in -most..=most {
                let (along, beside) = (x * dx + z * dz, x * dz - z * dx);
                // Of the circle about the column: half of its chord along the ray, squared.
                let half2 = i64::from(radius).pow(2) * i64::from(length2) - i64::from(beside).pow(2);
                if half2 < 0 {
                    continue;
                }
                let floor = half2.isqrt();
                let half = (floor + i64::from(floor * floor < half2)) as i32;
                if along + half >= 0 {
                    columns.push(RayColumn { at: [x, z], from: along - half, to: along + half });
                }
            }
        }
        columns.shared_sort_by_key(|column| (column.from, column.at));
        // A body passes it at 0 or before.
        let ahead = columns.iter().take_while(|column| column.from <= 0);
        let front = ahead.max_by_key(|column| (column.to, column.at)).map_or([0, 0], |column| column.at);
        Ray { direction: [dx, dz], length2, front, columns }
    }

    /// Where step `k` ends, in columns from the start.
    #[inline]
    pub(super) fn end(&self, k: i32) -> [i32; 2] {
        self.direction.map(|step| step * k)
    }

    /// A column that a body passes on its way to step `k` and beyond, ahead of that step.
    #[inline]
    pub(super) fn ahead(&self, k: i32) -> [i32; 2] {
        let [x, z] = self.end(k);
        [x + self.front[0], z + self.front[1]]
    }

    /// The direction backwards.
    pub(super) fn backwards(&self) -> [i32; 2] {
        self.direction.map(|step| -step)
    }

    /// The columns that a body passes up to step `k`.
    #[inline]
    pub(super) fn passed(&self, k: i32) -> impl Iterator<Item = &RayColumn> {
        let end = k * self.length2;
        self.columns.iter().take_while(move |column| column.from <= end)
    }
}
