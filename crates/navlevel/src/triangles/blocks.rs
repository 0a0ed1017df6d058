//! Blocks of tiles, in the order of the curve along which they are baked, and windows: the blocks whose
//! triangles are held at a time.

use super::bins::Bins;
use crate::TileGrid;
use navtile::TileCoord;
use std::collections::BTreeSet;
use std::ops::Range;

/// Square blocks that cover the wanted tiles.
pub(super) struct Blocks {
    /// Tiles on a side of a block: a power of two, so that the curve passes through blocks one after another.
    side: i64,
    /// Blocks along z.
    rows: i64,
    /// The place on the curve of each block, row by row along x; `None` for blocks without a wanted tile.
    places: Vec<Option<u32>>,
    count: usize,
}

impl Blocks {
    /// At most `most` blocks that cover the wanted tiles; `None` means all tiles.
    pub(super) fn new(grid: &TileGrid, wanted: Option<&BTreeSet<TileCoord>>, most: usize) -> Blocks {
        let [columns, rows] = grid.size().map(i64::from);
        let mut side = 1;
        let count = |side: i64| ((columns + side - 1) / side) * ((rows + side - 1) / side);
        while count(side) > most.max(1) as i64 {
            side *= 2;
        }
        let along_z = (rows + side - 1) / side;
        let mut blocks = Blocks { side, rows: along_z, places: vec![None; count(side) as usize], count: 0 };
        let is_wanted: BTreeSet<usize> = match wanted {
            None => (0..blocks.places.len()).collect(),
            Some(tiles) => tiles.iter().map(|coord| blocks.index(*coord)).collect(),
        };
        let first_tile = |index: usize| TileCoord {
            x: (index as i64 / along_z * side) as i32,
            z: (index as i64 % along_z * side) as i32,
            layer: 0,
        };
        let mut order: Vec<(u64, usize)> =
            is_wanted.iter().map(|&index| (grid.along_curve(first_tile(index)), index)).collect();
        order.sort_unstable();
        for (place, (_, index)) in (0..).zip(&order) {
            blocks.places[*index] = Some(place);
        }
        blocks.count = order.len();
        blocks
    }

    /// Number of blocks.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The block of a tile: its place on the curve.
    pub(super) fn of_tile(&self, coord: TileCoord) -> Option<usize> {
        self.places.get(self.index(coord)).copied().flatten().map(|place| place as usize)
    }

    /// The blocks of the tiles in these columns and rows.
    pub(super) fn of_tiles(&self, [columns, rows]: [Range<i64>; 2]) -> impl Iterator<Item = usize> {
        let blocks = |range: Range<i64>| range.start / self.side..(range.end + self.side - 1) / self.side;
        let (columns, rows) = (blocks(columns), blocks(rows));
        let places = columns.flat_map(move |x| rows.clone().map(move |z| (x * self.rows + z) as usize));
        places.filter_map(|index| self.places[index]).map(|place| place as usize)
    }

    fn index(&self, coord: TileCoord) -> usize {
        (i64::from(coord.x) / self.side * self.rows + i64::from(coord.z) / self.side) as usize
    }
}

/// Blocks that follow each other on the curve; or a part of a block with too many triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) blocks: Range<usize>,
    /// For a block that is cut into parts by its tiles: the part, and the number of parts along a side.
    pub(super) part: Option<([i64; 2], i64)>,
    /// Triangles of these blocks.
    pub(super) triangles: u64,
}

impl Window {
    /// Windows of at most `most` triangles, as far as blocks can be cut.
    pub(super) fn all(blocks: &Blocks, bins: &Bins, most: u64) -> Vec<Window> {
        let mut windows: Vec<Window> = Vec::new();
        for block in 0..blocks.count() {
            let triangles = bins.count(block);
            let room = windows.last().filter(|last| last.part.is_none());
            if room.is_some_and(|last| last.triangles + triangles <= most)
                && let Some(last) = windows.last_mut()
            {
                last.blocks.end = block + 1;
                last.triangles += triangles;
                continue;
            }
            // Assumes that they are spread evenly.
            let mut sides = 1;
            while triangles > most.saturating_mul((sides * sides) as u64) && sides < blocks.side {
                sides *= 2;
            }
            let parts = (0..sides).flat_map(|x| (0..sides).map(move |z| [x, z]));
            windows.extend(parts.map(|part| Window {
                blocks: block..block + 1,
                part: (sides > 1).then_some((part, sides)),
                triangles,
            }));
        }
        windows
    }

    /// Returns true if a tile of the window's blocks is in it.
    pub(super) fn has(&self, blocks: &Blocks, coord: TileCoord) -> bool {
        let is_in_blocks = blocks.of_tile(coord).is_some_and(|block| self.blocks.contains(&block));
        let part_of = |tile: i32, sides: i64| i64::from(tile) % blocks.side / (blocks.side / sides);
        is_in_blocks
            && self
                .part
                .is_none_or(|(part, sides)| [part_of(coord.x, sides), part_of(coord.z, sides)] == part)
    }

    /// Returns true if a triangle in the window's blocks that reaches tiles in these columns and rows reaches
    /// a tile of the window.
    pub(super) fn is_reached(&self, blocks: &Blocks, [columns, rows]: [Range<i64>; 2]) -> bool {
        let coord = |x: i64, z: i64| TileCoord { x: x as i32, z: z as i32, layer: 0 };
        self.part.is_none()
            || columns.into_iter().any(|x| rows.clone().any(|z| self.has(blocks, coord(x, z))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangles::bins::Binned;
    use recast::{AreaId, PreparedLevel, Settings};

    fn grid() -> TileGrid {
        let level = PreparedLevel::outline(&Settings::default(), [[0.0; 3], [96.0, 2.0, 54.0]]).unwrap();
        TileGrid::new(std::slice::from_ref(&level), 20).unwrap()
    }

    #[test]
    fn every_tile_is_in_one_window() {
        let grid = grid();
        let [columns, rows] = grid.size();
        let tiles: Vec<TileCoord> = (0..columns as i32)
            .flat_map(|x| (0..rows as i32).map(move |z| TileCoord { x, z, layer: 0 }))
            .collect();
        for (most_blocks, most) in [(1, 10), (4, 3), (9, 100), (1000, 1)] {
            let blocks = Blocks::new(&grid, None, most_blocks);
            assert!(blocks.count() <= most_blocks);
            let mut bins = Bins::new(tempfile::tempfile().unwrap(), blocks.count());
            for number in 0..40 {
                let triangle = Binned { number, corners: [[0.0; 3]; 3], area: AreaId::GROUND };
                bins.add(number as usize % blocks.count(), &triangle).unwrap();
            }
            let windows = Window::all(&blocks, &bins, most);
            for &coord in &tiles {
                let of = windows.iter().filter(|window| window.has(&blocks, coord)).count();
                assert_eq!(of, 1, "{coord:?} with {most_blocks} blocks, {most} triangles");
                let here = || {
                    [i64::from(coord.x)..i64::from(coord.x) + 1, i64::from(coord.z)..i64::from(coord.z) + 1]
                };
                assert!(blocks.of_tiles(here()).eq(blocks.of_tile(coord)));
                let window = windows.iter().find(|window| window.has(&blocks, coord)).unwrap();
                assert!(window.is_reached(&blocks, here()));
            }
        }
    }

    #[test]
    fn blocks_cover_what_is_wanted_alone() {
        let grid = grid();
        let wanted = BTreeSet::from([TileCoord { x: 3, z: 2, layer: 0 }, TileCoord { x: 4, z: 2, layer: 0 }]);
        let blocks = Blocks::new(&grid, Some(&wanted), 1000);
        assert_eq!(blocks.count(), 2);
        assert_eq!(blocks.of_tile(TileCoord { x: 0, z: 0, layer: 0 }), None);
        assert_eq!(blocks.of_tiles([0..9, 0..9]).count(), 2);
    }
}
