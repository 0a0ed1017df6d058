//! The directions of links, and the columns that a body passes along them.
//!
//! A link leads from the middle of a column along one of sixteen directions, the moves of a knight, a rook or
//! a bishop, to the middle of another. Seen from above, the body is a disc around a point that moves along
//! the ray. It is over the middle of a column while that point is between `from` and `to`, which do not
//! depend on where the link ends.
//!
//! ```text
//!              . . . . o . . .       o  the middle of a column
//!         - - - - [=========] - - >  [  from, ]  to: the chord of a circle about it, of the agent's radius
//!        S
//! ```
//!
//! Units: cells. Positions along a ray are scaled by the squared length of its direction, so that they are
//! whole numbers: step k ends at k times that length.

use navmath::sort::SharedSort;

/// The directions of the first quarter; turned by right angles they are all sixteen.
const DIRECTIONS: [[i32; 2]; 4] = [[1, 0], [2, 1], [1, 1], [1, 2]];

/// A direction, and the columns along it.
pub(super) struct Ray {
    /// Steps along x and z.
    pub(super) direction: [i32; 2],
    /// Its squared length.
    pub(super) length2: i32,
    /// The column furthest ahead that a body is over at its start: every path that continues passes that
    /// column.
    front: [i32; 2],
    /// The columns that a body passes, in the order of reaching them.
    pub(super) columns: Vec<RayColumn>,
}

/// A column next to a ray.
#[derive(Clone, Copy)]
pub(super) struct RayColumn {
    /// Columns from the start along x and z.
    pub(super) at: [i32; 2],
    /// First and last position along the ray where the column's middle is within the radius, rounded
    /// outwards; they may be before the start or after the end.
    pub(super) from: i32,
    pub(super) to: i32,
}

impl Ray {
    /// All rays of a body of this radius, up to `reach` cells long.
    pub(super) fn all(radius: i32, reach: i32) -> Vec<Ray> {
        let turns = [[1, 0], [0, 1], [-1, 0], [0, -1]];
        let turned = |[cos, sin]: [i32; 2]| DIRECTIONS.map(|[x, z]| [x * cos - z * sin, x * sin + z * cos]);
        turns.into_iter().flat_map(turned).map(|direction| Ray::new(direction, radius, reach)).collect()
    }

    fn new([dx, dz]: [i32; 2], radius: i32, reach: i32) -> Ray {
        let length2 = dx * dx + dz * dz;
        let most = reach + radius;
        let mut columns = Vec::new();
        for z in -most..=most {
            for x in -most..=most {
                let (along, beside) = (x * dx + z * dz, x * dz - z * dx);
                // Half of the chord of the column's circle along the ray, squared.
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
        // The columns that a body is over at position 0 or before.
        let ahead = columns.iter().take_while(|column| column.from <= 0);
        let front = ahead.max_by_key(|column| (column.to, column.at)).map_or([0, 0], |column| column.at);
        Ray { direction: [dx, dz], length2, front, columns }
    }

    /// The end of step `k`, in columns from the start.
    #[inline]
    pub(super) fn end(&self, k: i32) -> [i32; 2] {
        self.direction.map(|step| step * k)
    }

    /// A column ahead of step `k` that a body passes if it continues beyond that step.
    #[inline]
    pub(super) fn ahead(&self, k: i32) -> [i32; 2] {
        let [x, z] = self.end(k);
        [x + self.front[0], z + self.front[1]]
    }

    /// The direction backwards.
    pub(super) fn backwards(&self) -> [i32; 2] {
        self.direction.map(|step| -step)
    }

    /// The columns that a body passes up to the end of step `k`.
    #[inline]
    pub(super) fn passed(&self, k: i32) -> impl Iterator<Item = &RayColumn> {
        let end = k * self.length2;
        self.columns.iter().take_while(move |column| column.from <= end)
    }
}
