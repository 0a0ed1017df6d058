//! The ground of a level: the floors of all tiles that stay, joined over seams, and all spans.
//! Units: cells from the lattice's zero. Cost: O(floors × log of those in a column).

use super::tile_ground::{NO_STEP, TileGround};
use navmath::sort::SharedSort;
use navtile::TileCoord;
use navtile::graph::KeptIslands;
use rayon::prelude::*;

/// No floor beside this one.
pub(super) const NO_FLOOR: u32 = u32::MAX;
/// Steps along x and z, by `Direction`.
pub(super) const OFFSETS: [[i32; 2]; 4] = [[-1, 0], [0, 1], [1, 0], [0, -1]];

/// A floor that an agent can stand on, on an island that stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GroundFloor {
    /// Lattice column.
    pub(super) at: [i32; 2],
    pub(super) height: i32,
    /// The island, over all tiles.
    pub(super) island: u32,
    /// By `Direction`: the floor that can be stepped to, or [`NO_FLOOR`].
    pub(super) beside: [u32; 4],
}

/// The ground of a level.
pub(crate) struct LevelGround {
    pub(super) floors: Vec<GroundFloor>,
    pub(super) tiles: Vec<TilePart>,
    /// Columns of a tile along x and z.
    size: [i32; 2],
    /// Coordinate of the first tile, and how many there are along x and z.
    first: [i32; 2],
    count: [i32; 2],
    /// Index of the tile at (x, z) from the first one: x * count of z + z; `u32::MAX` if there is none.
    index: Vec<u32>,
}

/// The part of a tile in the ground.
pub(super) struct TilePart {
    pub(super) coord: TileCoord,
    base: [i32; 2],
    /// Floors of column c are `floors[floor_offsets[c]..floor_offsets[c + 1]]` of the level.
    floor_offsets: Vec<u32>,
    /// The local island of each floor of the tile.
    local: Vec<u32>,
    span_offsets: Vec<u32>,
    spans: Vec<[i32; 2]>,
}

/// A column of the ground: index of its tile, and of the column within it.
type ColumnPlace = (usize, usize);

impl LevelGround {
    /// Puts the ground together; `nodes` are the tiles of the island graph in order, of which `kept` says what stays.
    pub(crate) fn new(mut tiles: Vec<TileGround>, nodes: &[TileCoord], kept: &KeptIslands) -> LevelGround {
        tiles.shared_sort_by_key(|tile| tile.coord);
        let range = |axis: fn(&TileGround) -> i32| {
            let all = || tiles.iter().map(axis);
            let first = all().min().unwrap_or(0);
            (first, all().max().unwrap_or(first) - first + 1)
        };
        let ((first_x, columns), (first_z, rows)) = (range(|tile| tile.coord.x), range(|tile| tile.coord.z));
        let mut ground = LevelGround {
            floors: Vec::new(),
            tiles: Vec::with_capacity(tiles.len()),
            size: tiles.first().map_or([1, 1], |tile| tile.size.map(|side| side as i32)),
            first: [first_x, first_z],
            count: [columns, rows],
            index: vec![u32::MAX; columns as usize * rows as usize],
        };
        let mut steps: Vec<[i32; 4]> = Vec::new();
        for tile in tiles {
            let at = (tile.coord.x - first_x) as usize * rows as usize + (tile.coord.z - first_z) as usize;
            ground.index[at] = ground.tiles.len() as u32;
            let node = nodes.binary_search(&tile.coord).ok();
            let island_of = |local: u32| {
                let island = kept.islands.find(node?, local)?;
                kept.keeps(node?, local).then_some(island)
            };
            ground.add(tile, island_of, &mut steps);
        }
        let of_tile = |tile: usize| {
            let (ground, steps) = (&ground, &steps);
            ground.floors_of(tile).map(move |floor| ground.steps(&ground.floors[floor], &steps[floor], tile))
        };
        let beside: Vec<[u32; 4]> = (0..ground.tiles.len()).into_par_iter().flat_map_iter(of_tile).collect();
        ground.floors.iter_mut().zip(beside).for_each(|(floor, beside)| floor.beside = beside);
        ground
    }

    fn add(&mut self, tile: TileGround, island_of: impl Fn(u32) -> Option<u32>, steps: &mut Vec<[i32; 4]>) {
        let TileGround { coord, base, size, floor_offsets, floors, span_offsets, spans } = tile;
        let mut part = TilePart {
            coord,
            base,
            floor_offsets: Vec::with_capacity(floor_offsets.len()),
            local: Vec::new(),
            span_offsets,
            spans,
        };
        part.floor_offsets.push(self.floors.len() as u32);
        let islands: Vec<Option<u32>> = {
            let count = floors.iter().map(|floor| floor.island + 1).max().unwrap_or(0);
            (0..count).map(island_of).collect()
        };
        for (column, range) in floor_offsets.array_windows().enumerate() {
            let [first, end] = range.map(|offset| offset as usize);
            let at = [column as u32 % size[0], column as u32 / size[0]];
            for floor in &floors[first..end] {
                let Some(island) = islands[floor.island as usize] else { continue };
                let at = [base[0] + at[0] as i32, base[1] + at[1] as i32];
                self.floors.push(GroundFloor { at, height: floor.height, island, beside: [NO_FLOOR; 4] });
                steps.push(floor.steps);
                part.local.push(floor.island);
            }
            part.floor_offsets.push(self.floors.len() as u32);
        }
        self.tiles.push(part);
    }

    /// The floors beside one of a tile, by the heights of the steps.
    fn steps(&self, floor: &GroundFloor, steps: &[i32; 4], tile: usize) -> [u32; 4] {
        std::array::from_fn(|direction| {
            let height = steps[direction];
            if height == NO_STEP {
                return NO_FLOOR;
            }
            let [dx, dz] = OFFSETS[direction];
            let column = self.floors_at([floor.at[0] + dx, floor.at[1] + dz], tile);
            let own = &self.floors[column.clone()];
            let found = own.binary_search_by_key(&height, |other| other.height);
            found.map_or(NO_FLOOR, |index| (column.start + index) as u32)
        })
    }

    /// Where a lattice column is; `None` outside of all tiles. It is looked for in tile `near` first.
    #[inline]
    fn place(&self, [x, z]: [i32; 2], near: usize) -> Option<ColumnPlace> {
        let [width, depth] = self.size;
        let within = |part: &TilePart| {
            let [x, z] = [x - part.base[0], z - part.base[1]];
            let is_inside = (0..width).contains(&x) && (0..depth).contains(&z);
            is_inside.then(|| x as usize + z as usize * width as usize)
        };
        if let Some(column) = self.tiles.get(near).and_then(within) {
            return Some((near, column));
        }
        let (tile_x, tile_z) = (x.div_euclid(width) - self.first[0], z.div_euclid(depth) - self.first[1]);
        if !(0..self.count[0]).contains(&tile_x) || !(0..self.count[1]).contains(&tile_z) {
            return None;
        }
        let tile = *self.index.get(tile_x as usize * self.count[1] as usize + tile_z as usize)? as usize;
        Some((tile, within(self.tiles.get(tile)?)?))
    }

    /// The floors of a lattice column, from bottom to top; tile `near` is most likely to hold it.
    #[inline]
    pub(super) fn floors_at(&self, at: [i32; 2], near: usize) -> std::ops::Range<usize> {
        let Some((tile, column)) = self.place(at, near) else { return 0..0 };
        let offsets = &self.tiles[tile].floor_offsets;
        offsets[column] as usize..offsets[column + 1] as usize
    }

    /// Bottom and top of the spans of a lattice column, in any order; tile `near` is most likely to hold it.
    #[inline]
    pub(super) fn spans_at(&self, at: [i32; 2], near: usize) -> &[[i32; 2]] {
        let Some((tile, column)) = self.place(at, near) else { return &[] };
        let part = &self.tiles[tile];
        &part.spans[part.span_offsets[column] as usize..part.span_offsets[column + 1] as usize]
    }

    /// The floors of a tile.
    pub(super) fn floors_of(&self, tile: usize) -> std::ops::Range<usize> {
        let offsets = &self.tiles[tile].floor_offsets;
        offsets[0] as usize..offsets[offsets.len() - 1] as usize
    }

    /// The tile of a floor and its island within it.
    pub(crate) fn local_island(&self, floor: u32) -> (TileCoord, u32) {
        let tile = self.tiles.partition_point(|part| part.floor_offsets[0] <= floor) - 1;
        // Tiles without floors begin where the next one does.
        let part = &self.tiles[tile];
        (part.coord, part.local[(floor - part.floor_offsets[0]) as usize])
    }

    /// Column and height of a floor: x, height, z.
    pub(crate) fn position(&self, floor: u32) -> [i32; 3] {
        let GroundFloor { at: [x, z], height, .. } = self.floors[floor as usize];
        [x, height, z]
    }
}

impl GroundFloor {
    /// Whether the ground ends on a side of the floor that a direction leads over.
    #[inline]
    pub(super) fn ends_towards(&self, [dx, dz]: [i32; 2]) -> bool {
        let [x_min, z_max, x_max, z_min] = self.beside.map(|beside| beside == NO_FLOOR);
        (dx < 0 && x_min) || (dz > 0 && z_max) || (dx > 0 && x_max) || (dz < 0 && z_min)
    }

    /// Whether the ground ends on any of its sides.
    #[inline]
    pub(super) fn is_border(&self) -> bool {
        self.beside.contains(&NO_FLOOR)
    }
}
