//! The grid of clusters: squares of tiles, and squares of such squares.

use navmath::{FIXED_ONE, Lattice};
use navtile::TileCoord;
use navtile::layout::side;

/// Clusters along a side of a cluster of the next level.
pub(crate) const BRANCH: i32 = 4;
/// The step at the first level, 1/256 cell.
const STEP: i32 = FIXED_ONE / 16;
/// Cells along a side of the largest clusters of the first level, so that 16 bits hold the steps along it.
pub(crate) const MOST_CELLS: u32 = (u16::MAX as u32) / 16;
/// The number of levels.
pub(crate) const LEVELS: usize = 3;

/// The position of a cluster in the grid of its level. Ordered as clusters are in a hierarchy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClusterCoord {
    /// Along x.
    pub x: i32,
    /// Along z.
    pub z: i32,
}

impl ClusterCoord {
    /// The cluster of the next level that it is in.
    pub fn parent(self) -> ClusterCoord {
        ClusterCoord { x: self.x.div_euclid(BRANCH), z: self.z.div_euclid(BRANCH) }
    }

    /// The cluster of a higher level, some levels up, that it is in.
    pub(crate) fn around(self, levels: u32) -> ClusterCoord {
        (0..levels).fold(self, |coord, _| coord.parent())
    }

    /// The cluster beyond a side.
    pub(crate) fn across(self, on: u8) -> ClusterCoord {
        let ClusterCoord { x, z } = self;
        match on {
            side::X_MIN => ClusterCoord { x: x - 1, z },
            side::Z_MAX => ClusterCoord { x, z: z + 1 },
            side::X_MAX => ClusterCoord { x: x + 1, z },
            _ => ClusterCoord { x, z: z - 1 },
        }
    }
}

/// The sizes of tiles and clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterGrid {
    /// Cells along a side of a tile.
    pub tile_cells: u32,
    /// Tiles along a side of a cluster of the first level.
    pub tiles: u32,
}

impl ClusterGrid {
    /// Tiles along a side of a cluster.
    pub(crate) fn tiles_of(&self, level: usize) -> i32 {
        self.tiles as i32 * BRANCH.pow(level as u32)
    }

    /// The cluster of a level that a tile is in.
    pub fn cluster_of(&self, tile: TileCoord, level: usize) -> ClusterCoord {
        let tiles = self.tiles_of(level);
        ClusterCoord { x: tile.x.div_euclid(tiles), z: tile.z.div_euclid(tiles) }
    }

    /// The column and row of the grid of tiles at a place, world metres, before they are rounded down.
    fn tile_at(&self, lattice: &Lattice, place: [f64; 3]) -> [f64; 2] {
        let side = lattice.cell_size * f64::from(self.tile_cells);
        [0, 2].map(|axis: usize| (place[axis] - lattice.origin[axis]) / side)
    }

    /// The cluster of the first level around a place, world metres. A place that no tile can have is in the
    /// nearest cluster.
    pub(crate) fn cluster_at(&self, lattice: &Lattice, place: [f64; 3]) -> ClusterCoord {
        let [x, z] = self.tile_at(lattice, place).map(|at| at.floor() as i32);
        self.cluster_of(TileCoord { x, z, layer: 0 }, 0)
    }

    /// Returns true if a place is inside a cluster of the first level, at least some metres from its border.
    pub(crate) fn is_inside(
        &self,
        lattice: &Lattice,
        cluster: ClusterCoord,
        place: [f64; 3],
        metres: f64,
    ) -> bool {
        let margin = metres / (lattice.cell_size * f64::from(self.tile_cells));
        let at = self.tile_at(lattice, place);
        let is_between = |(at, cluster): (f64, i32)| {
            let [first, end] = [0.0, 1.0].map(|more| (f64::from(cluster) + more) * f64::from(self.tiles));
            (first + margin..=end - margin).contains(&at)
        };
        at.into_iter().zip([cluster.x, cluster.z]).all(is_between)
    }

    /// The distance from a place to the middle of a column of tiles, in tiles.
    pub(crate) fn distance_to(&self, lattice: &Lattice, column: [i32; 2], place: [f64; 3]) -> f64 {
        let at = self.tile_at(lattice, place);
        let [x, z] = [0, 1].map(|axis: usize| f64::from(column[axis]) + 0.5 - at[axis]);
        x.hypot(z)
    }

    /// The columns and rows of the grid of tiles that a cluster of the first level covers: x and z.
    pub fn columns(&self, cluster: ClusterCoord) -> impl Iterator<Item = [i32; 2]> + use<> {
        let count = self.tiles_of(0);
        let first = [cluster.x, cluster.z].map(|at| at.saturating_mul(count));
        (0..count * count)
            .map(move |at| [first[0].saturating_add(at / count), first[1].saturating_add(at % count)])
    }

    /// The place of a cluster's first tile on the lattice, 1/256 cell.
    pub(crate) fn base(&self, cluster: ClusterCoord, level: usize) -> [i64; 2] {
        let side = self.side(level);
        [cluster.x, cluster.z].map(|at| i64::from(at) * side)
    }

    /// The side of a cluster, 1/256 cell.
    pub(crate) fn side(&self, level: usize) -> i64 {
        i64::from(self.tiles_of(level)) * i64::from(self.tile_cells) * i64::from(FIXED_ONE)
    }

    /// The step that places along a border of a level are multiples of, 1/256 cell. A side has at most
    /// 65,535.
    pub(crate) fn step(&self, level: usize) -> i64 {
        i64::from(STEP) * i64::from(BRANCH.pow(level as u32))
    }

    /// The place of a crossing of a side of a cluster, `along` steps from its start: x, height, z; 1/256
    /// cell.
    pub(crate) fn place_on(
        &self,
        cluster: ClusterCoord,
        level: usize,
        on: u8,
        along: u16,
        height: i32,
    ) -> [i64; 3] {
        let [x, z] = self.base(cluster, level);
        let (along, side, height) =
            (i64::from(along) * self.step(level), self.side(level), i64::from(height));
        match on {
            side::X_MIN => [x, height, z + along],
            side::X_MAX => [x + side, height, z + along],
            side::Z_MIN => [x + along, height, z],
            _ => [x + along, height, z + side],
        }
    }
}

/// A place on the lattice in world metres.
pub(crate) fn world(lattice: &Lattice, place: [i64; 3]) -> [f64; 3] {
    let cell = lattice.cell();
    std::array::from_fn(|axis| lattice.origin[axis] + place[axis] as f64 / f64::from(FIXED_ONE) * cell[axis])
}

/// A world position on the lattice, 1/256 cell.
pub(crate) fn fixed(lattice: &Lattice, world: [f64; 3]) -> [i64; 3] {
    let cell = lattice.cell();
    std::array::from_fn(|axis| {
        ((world[axis] - lattice.origin[axis]) / cell[axis] * f64::from(FIXED_ONE)).round() as i64
    })
}
