//! A level cut into square tiles: which triangles each tile needs, found once for all.
//! Cost: O(triangles + entries), two passes; an entry is a triangle in a tile's box, borders included.

use crate::build::{Baked, TileBuild, bake_some};
use crate::error::Error;
use crate::input::PreparedLevel;
use crate::observer::Observer;
use crate::scratch::Scratch;
use navtile::TileCoord;

/// A level cut into tiles. Tile (0, 0) starts at the lattice's zero; the last ones reach beyond the level.
pub struct Tiling<'a> {
    level: &'a PreparedLevel,
    tile_cells: u32,
    columns: u32,
    rows: u32,
    /// Triangles of tile (x, z) are `triangles[offsets[i]..offsets[i + 1]]`, i = x * rows + z: in the canonical
    /// order of tiles.
    offsets: Vec<usize>,
    triangles: Vec<u32>,
}

impl<'a> Tiling<'a> {
    /// Cuts a level into tiles of `tile_cells` cells on a side.
    pub fn new(level: &'a PreparedLevel, tile_cells: u32) -> Result<Tiling<'a>, Error> {
        let remedy = "give at least one cell a tile";
        navmath::limit::check("tiles without a cell", u64::from(tile_cells == 0), 0, remedy)?;
        let [columns, rows] = [level.size[0], level.size[2]].map(|cells| cells.div_ceil(tile_cells));
        let mut tiling =
            Tiling { level, tile_cells, columns, rows, offsets: Vec::new(), triangles: Vec::new() };
        tiling.bin()?;
        Ok(tiling)
    }

    /// Number of tiles along x and z, those without triangles included.
    pub fn size(&self) -> [u32; 2] {
        [self.columns, self.rows]
    }

    /// Cells on a side of a tile, without its border.
    pub fn tile_cells(&self) -> u32 {
        self.tile_cells
    }

    /// The tiles that any triangle reaches, in canonical order (x, z).
    pub fn coords(&self) -> Vec<TileCoord> {
        let filled = (0..self.offsets.len() - 1).filter(|&tile| self.offsets[tile] < self.offsets[tile + 1]);
        filled
            .map(|tile| TileCoord {
                x: (tile / self.rows as usize) as i32,
                z: (tile % self.rows as usize) as i32,
                layer: 0,
            })
            .collect()
    }

    /// The triangles that may reach a tile and its border, in the level's order; none for a tile outside.
    pub fn triangles(&self, coord: TileCoord) -> &[u32] {
        let inside = (0..self.columns as i32).contains(&coord.x) && (0..self.rows as i32).contains(&coord.z);
        if !inside {
            return &[];
        }
        let tile = coord.x as usize * self.rows as usize + coord.z as usize;
        &self.triangles[self.offsets[tile]..self.offsets[tile + 1]]
    }

    /// Bakes one tile.
    pub fn bake(
        &self,
        coord: TileCoord,
        observer: &dyn Observer,
        scratch: &mut Scratch,
    ) -> Result<Baked, Error> {
        let build = TileBuild::tiled(self.level, self.tile_cells, coord)?;
        bake_some(self.level, Some(self.triangles(coord)), &build, observer, scratch, &mut |_| {})
    }

    fn bin(&mut self) -> Result<(), Error> {
        let border =
            i64::from(TileBuild::tiled(self.level, self.tile_cells, TileCoord::default())?.grid.border);
        let tiles = self.columns as usize * self.rows as usize;
        self.offsets = vec![0; tiles + 1];
        for triangle in 0..self.level.triangle_count() {
            self.reached(triangle, border, |offsets, tile| offsets[tile + 1] += 1);
        }
        for tile in 0..tiles {
            self.offsets[tile + 1] += self.offsets[tile];
        }
        let mut triangles = vec![0; self.offsets[tiles]];
        // Placing each triangle at its tile's cursor moves the cursor to the next tile's start.
        for triangle in 0..self.level.triangle_count() {
            self.reached(triangle, border, |offsets, tile| {
                triangles[offsets[tile]] = triangle as u32;
                offsets[tile] += 1;
            });
        }
        self.offsets.rotate_right(1);
        self.offsets[0] = 0;
        self.triangles = triangles;
        Ok(())
    }

    /// Calls `visit` with every tile whose box, borders and a cell for rounding included, meets the triangle's.
    fn reached(&mut self, triangle: usize, border: i64, mut visit: impl FnMut(&mut [usize], usize)) {
        let corners = self.level.corners(triangle);
        let cell_size = self.level.lattice.cell_size;
        let range = |axis: usize, count: u32| {
            let values = corners.map(|corner| f64::from(corner[axis]));
            let low = (values[0].min(values[1]).min(values[2]) / cell_size).floor() as i64;
            let high = (values[0].max(values[1]).max(values[2]) / cell_size).floor() as i64;
            let tile = i64::from(self.tile_cells);
            let first = (low - 1 - border).div_euclid(tile).max(0);
            let last = (high + 1 + border).div_euclid(tile).min(i64::from(count) - 1);
            first..last + 1
        };
        let (columns, rows) = (range(0, self.columns), range(2, self.rows));
        for x in columns {
            for z in rows.clone() {
                visit(&mut self.offsets, x as usize * self.rows as usize + z as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::bake_tile;
    use crate::{Level, Settings, Silent};

    fn boxes() -> PreparedLevel {
        let level: Level = scattered(40);
        PreparedLevel::new(&level, &Settings::default()).unwrap()
    }

    /// Ground and loose triangles scattered by a fixed rule.
    fn scattered(count: u32) -> Level {
        let mut level = Level {
            vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 30.0], [30.0, 0.0, 30.0], [30.0, 0.0, 0.0]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            areas: Vec::new(),
        };
        for index in 0..count {
            let at = |factor: u32, range: u32| f64::from(index * factor % range) / 10.0;
            let first = level.vertices.len() as u32;
            let (x, z) = (at(77, 250), at(131, 250));
            level.vertices.extend([
                [x, at(13, 20), z],
                [x + at(17, 40), 1.0, z + 2.0],
                [x + 3.0, 0.5, z + at(7, 30)],
            ]);
            level.triangles.push([first, first + 1, first + 2]);
        }
        level
    }

    #[test]
    fn a_tile_baked_from_its_own_triangles_is_the_tile_baked_from_all() {
        let level = boxes();
        let tiling = Tiling::new(&level, 24).unwrap();
        let mut scratch = Scratch::new();
        assert!(tiling.coords().len() > 4);
        for coord in tiling.coords() {
            let some = tiling.bake(coord, &Silent, &mut scratch).unwrap();
            let all = bake_tile(&level, 24, coord, &Silent, &mut scratch).unwrap();
            assert_eq!(some.tile.bytes(), all.tile.bytes(), "{coord:?}");
            assert_eq!(some.counts, all.counts);
        }
    }

    #[test]
    fn small_triangles_reach_few_tiles() {
        let level = boxes();
        let tiling = Tiling::new(&level, 24).unwrap();
        let [columns, rows] = tiling.size();
        let entries: usize = tiling.coords().iter().map(|&coord| tiling.triangles(coord).len()).sum();
        assert!(entries < level.triangle_count() * (columns * rows) as usize / 3, "{entries}");
        assert!(tiling.triangles(TileCoord { x: -1, z: 0, layer: 0 }).is_empty());
    }

    #[test]
    fn a_tile_needs_a_cell() {
        let Err(error) = Tiling::new(&boxes(), 0) else { panic!("no cell is refused") };
        assert!(error.to_string().contains("at least one cell"));
    }
}
