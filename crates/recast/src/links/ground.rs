//! The ground of a level: the floors of all tiles that stay, joined over seams, and all spans.
//! Units: cells from the lattice's zero. Cost: O(floors × log of those in a column).

use super::tile_ground::{NO_STEP, TileGround, over_seam};
use navmath::sort::SharedSort;
use navtile::TileCoord;
use navtile::graph::KeptIslands;
use rayon::prelude::*;
use std::ops::Range;

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
    pub(super) size: [i32; 2],
    /// Coordinate of the first tile, and how many there are along x and z.
    first: [i32; 2],
    count: [i32; 2],
    /// Index of the tile at (x, z) from the first one: x * count of z + z; `u32::MAX` if there is none.
    index: Vec<u32>,
}

/// The part of a tile in the ground.
pub(super) struct TilePart {
    pub(super) coord: TileCoord,
    pub(super) base: [i32; 2],
    /// The number of its first floor in the level.
    pub(super) first_floor: u32,
    /// Floors of column c are those from `floor_offsets[c]` to `floor_offsets[c + 1]`, counted from the tile's first.
    floor_offsets: Vec<u32>,
    /// The local island of each floor of the tile.
    local: Vec<u32>,
    span_offsets: Vec<u32>,
    spans: Vec<[i32; 2]>,
}

/// A tile before it is joined to others: its floors know those beside them by their numbers in the tile.
struct PartOfTile {
    tile: TilePart,
    floors: Vec<GroundFloor>,
    over_seams: Vec<Step>,
}

/// A step from a floor of a tile to one of this height in another tile.
struct Step {
    floor: u32,
    direction: usize,
    height: i32,
}

impl TilePart {
    /// The floors of a column of the tile, by their numbers in the level.
    #[inline]
    pub(super) fn floors_of(&self, column: usize) -> Range<usize> {
        let [first, end] =
            [column, column + 1].map(|at| (self.first_floor + self.floor_offsets[at]) as usize);
        first..end
    }

    /// Bottom and top of the spans of a column of the tile, in any order.
    #[inline]
    pub(super) fn spans_of(&self, column: usize) -> &[[i32; 2]] {
        &self.spans[self.span_offsets[column] as usize..self.span_offsets[column + 1] as usize]
    }
}

impl PartOfTile {
    /// The floors of a tile on islands that stay.
    fn new(ground: TileGround, island_of: impl Fn(TileCoord, u32) -> Option<u32>) -> PartOfTile {
        let TileGround { coord, base, size, mut floor_offsets, floors, span_offsets, spans } = ground;
        let islands: Vec<Option<u32>> = {
            let count = floors.iter().map(|floor| floor.island + 1).max().unwrap_or(0);
            (0..count).map(|local| island_of(coord, local)).collect()
        };
        // The new number of each floor.
        let mut count = 0;
        let numbers: Vec<u32> = floors
            .iter()
            .map(|floor| {
                let stays = islands[floor.island as usize].is_some();
                count += u32::from(stays);
                if stays { count - 1 } else { NO_FLOOR }
            })
            .collect();
        let (mut kept, mut local) = (Vec::with_capacity(count as usize), Vec::with_capacity(count as usize));
        let mut over_seams = Vec::new();
        let mut first = 0;
        for (column, end) in floor_offsets[1..].iter_mut().enumerate() {
            let at = [column as u32 % size[0], column as u32 / size[0]];
            let at = [base[0] + at[0] as i32, base[1] + at[1] as i32];
            for floor in &floors[first..*end as usize] {
                let Some(island) = islands[floor.island as usize] else { continue };
                let number = kept.len() as u32;
                let mut beside = [NO_FLOOR; 4];
                for (direction, &step) in floor.steps.iter().enumerate() {
                    if step >= 0 {
                        beside[direction] = numbers[step as usize];
                    } else if step != NO_STEP {
                        over_seams.push(Step { floor: number, direction, height: over_seam(step) });
                    }
                }
                kept.push(GroundFloor { at, height: floor.height, island, beside });
                local.push(floor.island);
            }
            first = std::mem::replace(end, kept.len() as u32) as usize;
        }
        let tile = TilePart { coord, base, first_floor: 0, floor_offsets, local, span_offsets, spans };
        PartOfTile { tile, floors: kept, over_seams }
    }
}

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
            tiles: Vec::new(),
            size: tiles.first().map_or([1, 1], |tile| tile.size.map(|side| side as i32)),
            first: [first_x, first_z],
            count: [columns, rows],
            index: vec![u32::MAX; columns as usize * rows as usize],
        };
        for (index, coord) in (0..).zip(tiles.iter().map(|tile| tile.coord)) {
            let at = (coord.x - first_x) as usize * rows as usize + (coord.z - first_z) as usize;
            ground.index[at] = index;
        }
        let island_of = |coord: TileCoord, local: u32| {
            let node = nodes.binary_search(&coord).ok()?;
            let island = kept.islands.find(node, local)?;
            kept.keeps(node, local).then_some(island)
        };
        let parts: Vec<PartOfTile> =
            tiles.into_par_iter().map(|tile| PartOfTile::new(tile, island_of)).collect();
        ground.floors.reserve_exact(parts.iter().map(|part| part.floors.len()).sum());
        let mut over_seams = Vec::with_capacity(parts.len());
        for PartOfTile { mut tile, floors, over_seams: own } in parts {
            let base = ground.floors.len() as u32;
            tile.first_floor = base;
            ground.tiles.push(tile);
            ground.floors.extend(floors.into_iter().map(|mut floor| {
                // None stays none.
                floor.beside = floor.beside.map(|beside| beside.checked_add(base).unwrap_or(NO_FLOOR));
                floor
            }));
            over_seams.push(own);
        }
        for (tile, steps) in over_seams.into_iter().enumerate() {
            for Step { floor, direction, height } in steps {
                let floor = (ground.tiles[tile].first_floor + floor) as usize;
                let beside = ground.floor_over_seam(ground.floors[floor].at, OFFSETS[direction], height);
                ground.floors[floor].beside[direction] = beside;
            }
        }
        ground
    }

    /// The floor of a height beside a column.
    fn floor_over_seam(&self, at: [i32; 2], offset: [i32; 2], height: i32) -> u32 {
        let column = self.floors_at([at[0] + offset[0], at[1] + offset[1]]);
        let found = self.floors[column.clone()].binary_search_by_key(&height, |other| other.height);
        found.map_or(NO_FLOOR, |index| (column.start + index) as u32)
    }

    /// The floors of a lattice column, from bottom to top.
    pub(super) fn floors_at(&self, [x, z]: [i32; 2]) -> Range<usize> {
        let tile = self.tiles_over([x, z], [x + 1, z + 1]).next();
        let Some(part) = tile.map(|tile| &self.tiles[tile as usize]) else { return 0..0 };
        let [x, z] = [x - part.base[0], z - part.base[1]].map(|place| place as usize);
        part.floors_of(x + z * self.size[0] as usize)
    }

    /// The tiles over a part of the lattice, from its first columns to those behind its last.
    pub(super) fn tiles_over(&self, first: [i32; 2], end: [i32; 2]) -> impl Iterator<Item = u32> {
        let [xs, zs] = [0, 1].map(|axis| {
            let tile = |column: i32| column.div_euclid(self.size[axis]) - self.first[axis];
            tile(first[axis]).max(0)..(tile(end[axis] - 1) + 1).min(self.count[axis])
        });
        let rows = self.count[1] as usize;
        let tiles = xs.flat_map(move |x| zs.clone().map(move |z| x as usize * rows + z as usize));
        tiles.filter_map(|at| self.index.get(at).copied().filter(|&tile| tile != u32::MAX))
    }

    /// The floors of a tile.
    pub(super) fn floors_of(&self, tile: usize) -> Range<usize> {
        let part = &self.tiles[tile];
        let first = part.first_floor as usize;
        first..first + part.local.len()
    }

    /// The tile of a floor and its island within it.
    pub(crate) fn local_island(&self, floor: u32) -> (TileCoord, u32) {
        let tile = self.tiles.partition_point(|part| part.first_floor <= floor) - 1;
        // Tiles without floors begin where the next one does.
        let part = &self.tiles[tile];
        (part.coord, part.local[(floor - part.first_floor) as usize])
    }

    /// How far the ends of a link are apart, metres.
    pub(super) fn length(&self, ends: [u32; 2], cell: [f64; 2]) -> f64 {
        let [a, b] = ends.map(|floor| self.position(floor));
        let [x, y, z]: [f64; 3] = std::array::from_fn(|axis| f64::from(b[axis] - a[axis]));
        (cell[0] * cell[0] * (x * x + z * z) + cell[1] * cell[1] * y * y).sqrt()
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
