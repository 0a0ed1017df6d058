//! The ground of a level: the floors of all tiles that are kept, joined over seams, and all spans.
//! Units: cells from the lattice's zero. Cost: O(floors × log of those in a column).

use crate::zone::Rect;
use navmath::sort::SharedSort;
use navtile::TileCoord;
use navtile::area::AreaId;
use navtile::graph::SurvivingIslands;
use recast::TileGround;
use recast::inside::ground::GroundColumn;
use recast::inside::ground::{GroundFloor, NO_FLOOR, OFFSETS, is_over_seam, over_seam};
use std::collections::BTreeMap;
use std::ops::Range;

/// The island of floors that are not kept.
const NO_ISLAND: u32 = u32::MAX;

/// The ground of a level.
pub(crate) struct LevelGround {
    /// All floors, kept or not; floors that are not kept have no neighbours.
    pub(super) floors: Vec<GroundFloor>,
    /// The level's island for each island of each tile, or [`NO_ISLAND`] if it is not kept.
    islands: Vec<u32>,
    pub(super) tiles: Vec<TilePart>,
    /// Columns of a tile along x and z.
    pub(super) size: [i32; 2],
    /// Coordinate of the first tile, and number of tiles along x and z.
    first: [i32; 2],
    count: [i32; 2],
    /// Index of the tile at (x, z) from the first one: x * count of z + z; `u32::MAX` if no tile is there.
    index: Vec<u32>,
    /// The floors where the ground ends, by their tiles.
    borders: Vec<u32>,
    /// Surfaces of ladders: their area, column and heights, by tiles.
    ladders: Vec<(AreaId, [i32; 2], [i32; 2])>,
}

/// The part of a tile in the ground.
pub(super) struct TilePart {
    pub(super) coord: TileCoord,
    pub(super) base: [i32; 2],
    /// The number of its first floor in the level.
    pub(super) first_floor: u32,
    /// The number of its first island in the level's list.
    first_island: u32,
    /// End of its part of the borders.
    border_end: u32,
    /// Floors of column c are those from `floor_offsets[c]` to `floor_offsets[c + 1]`, counted from the
    /// tile's first.
    floor_offsets: Vec<u32>,
    span_offsets: Vec<u32>,
    spans: Vec<[i32; 2]>,
    pub(super) columns: Vec<GroundColumn>,
}

/// A step from a floor to a floor of this height in another tile.
struct Step {
    floor: u32,
    direction: usize,
    height: u32,
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

impl LevelGround {
    /// Joins the tiles; `nodes` are the tiles of the island graph in order, and `kept` says which of their
    /// islands are kept.
    pub(crate) fn new(
        mut tiles: Vec<TileGround>,
        nodes: &[TileCoord],
        kept: &SurvivingIslands,
    ) -> LevelGround {
        tiles.shared_sort_by_key(|tile| tile.coord);
        let range = |axis: fn(&TileGround) -> i32| {
            let all = || tiles.iter().map(axis);
            let first = all().min().unwrap_or(0);
            (first, all().max().unwrap_or(first) - first + 1)
        };
        let ((first_x, columns), (first_z, rows)) = (range(|tile| tile.coord.x), range(|tile| tile.coord.z));
        let mut ground = LevelGround {
            floors: Vec::new(),
            islands: Vec::new(),
            tiles: Vec::with_capacity(tiles.len()),
            size: tiles.first().map_or([1, 1], |tile| tile.size.map(|side| side as i32)),
            first: [first_x, first_z],
            count: [columns, rows],
            index: vec![u32::MAX; columns as usize * rows as usize],
            borders: Vec::new(),
            ladders: Vec::new(),
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
        // Floors where the ground may end, by their tiles.
        let (mut over_seams, mut ends) = (Vec::new(), Vec::new());
        if tiles.len() > 1 {
            ground.floors.reserve_exact(tiles.iter().map(|tile| tile.floors.len()).sum());
        }
        for tile in tiles {
            ground.add(tile, island_of, &mut over_seams, &mut ends);
        }
        for Step { floor, direction, height } in over_seams {
            let at = ground.floors[floor as usize].at;
            ground.floors[floor as usize].beside[direction] =
                ground.floor_over_seam(at, OFFSETS[direction], height.cast_signed());
        }
        let (mut borders, mut at) = (Vec::new(), 0);
        for tile in 0..ground.tiles.len() {
            let own = &ends[at..ground.tiles[tile].border_end as usize];
            at += own.len();
            borders.extend(own.iter().filter(|&&floor| ground.is_border(&ground.floors[floor as usize])));
            ground.tiles[tile].border_end = borders.len() as u32;
        }
        ground.borders = borders;
        ground
    }

    /// Adds a tile; its steps over seams are resolved later.
    fn add(
        &mut self,
        tile: TileGround,
        island_of: impl Fn(TileCoord, u32) -> Option<u32>,
        over_seams: &mut Vec<Step>,
        ends: &mut Vec<u32>,
    ) {
        let TileGround { coord, base, size, mut floors, ends: mut own, islands, .. } = tile;
        let TileGround { floor_offsets, span_offsets, spans, mut columns, ladders, .. } = tile;
        let column = |column: u32| [base[0] + (column % size[0]) as i32, base[1] + (column / size[0]) as i32];
        let of_ladders = ladders.surfaces().iter();
        self.ladders.extend(of_ladders.map(|own| (own.area, column(own.column), own.heights)));
        let (first_floor, first_island) = (self.floors.len() as u32, self.islands.len() as u32);
        let of_level = (0..islands).map(|local| island_of(coord, local).unwrap_or(NO_ISLAND));
        self.islands.extend(of_level);
        let stays = |local: u32| self.islands[(first_island + local) as usize] != NO_ISLAND;
        if !(0..islands).all(stays) {
            own.clear();
            for number in 0..floors.len() {
                let GroundFloor { at, island, beside, .. } = floors[number];
                let is_ground = |other: u32| match floors.get(other as usize) {
                    Some(floor) => stays(floor.island),
                    None => other != NO_FLOOR,
                };
                let left =
                    beside.map(|other| if stays(island) && is_ground(other) { other } else { NO_FLOOR });
                if left.into_iter().any(is_over_seam) {
                    own.push(number as u32);
                }
                if left != beside {
                    let [x, z] = [at[0] - base[0], at[1] - base[1]].map(|place| place as usize);
                    columns[x + z * size[0] as usize].end_anywhere();
                    floors[number].beside = left;
                }
            }
        }
        for &number in &own {
            for (direction, &beside) in floors[number as usize].beside.iter().enumerate() {
                if is_over_seam(beside) && beside != NO_FLOOR {
                    let floor = first_floor + number;
                    over_seams.push(Step { floor, direction, height: over_seam(beside) });
                }
            }
        }
        ends.extend(own.iter().map(|number| first_floor + number));
        if first_floor > 0 || first_island > 0 {
            for floor in &mut floors {
                floor.island += first_island;
                floor.beside =
                    floor.beside.map(|other| if is_over_seam(other) { other } else { other + first_floor });
            }
        }
        self.tiles.push(TilePart {
            coord,
            base,
            first_floor,
            first_island,
            border_end: ends.len() as u32,
            floor_offsets,
            span_offsets,
            spans,
            columns,
        });
        if self.floors.capacity() == 0 {
            self.floors = floors;
        } else {
            self.floors.append(&mut floors);
        }
    }

    /// The floor of this height in the column at an offset, if it is ground.
    fn floor_over_seam(&self, at: [i32; 2], offset: [i32; 2], height: i32) -> u32 {
        let column = self.floors_at([at[0] + offset[0], at[1] + offset[1]]);
        let found = self.floors[column.clone()].binary_search_by_key(&height, |other| other.height);
        let found = found.map_or(NO_FLOOR, |index| (column.start + index) as u32);
        if found != NO_FLOOR && self.is_ground(&self.floors[found as usize]) { found } else { NO_FLOOR }
    }

    /// The floors of a lattice column, from bottom to top.
    pub(super) fn floors_at(&self, [x, z]: [i32; 2]) -> Range<usize> {
        let tile = self.tile_at([x.div_euclid(self.size[0]), z.div_euclid(self.size[1])]);
        let Some(part) = tile.map(|tile| &self.tiles[tile as usize]) else { return 0..0 };
        let [x, z] = [x - part.base[0], z - part.base[1]].map(|place| place as usize);
        part.floors_of(x + z * self.size[0] as usize)
    }

    /// The ground of this column and height, if there is any: x, height, z.
    pub(super) fn floor_at(&self, [x, height, z]: [i32; 3]) -> Option<u32> {
        let floor = self.floor_over_seam([x, z], [0, 0], height);
        (floor != NO_FLOOR).then_some(floor)
    }

    /// The columns of all tiles, and those between them.
    pub(super) fn bounds(&self) -> Rect {
        let last = [0, 1].map(|axis| self.first[axis] + self.count[axis] - 1);
        Rect { low: Rect::of_tile(self.first, self.size).low, high: Rect::of_tile(last, self.size).high }
    }

    /// The tiles grouped into squares that are at least `side` cells wide, in no particular order.
    pub(super) fn squares(&self, side: i32) -> Vec<Vec<usize>> {
        let tiles = self.size.map(|cells| (side + cells - 1) / cells);
        let mut squares: BTreeMap<[i32; 2], Vec<usize>> = BTreeMap::new();
        for (tile, part) in self.tiles.iter().enumerate() {
            let at = [part.coord.x.div_euclid(tiles[0]), part.coord.z.div_euclid(tiles[1])];
            squares.entry(at).or_default().push(tile);
        }
        squares.into_values().collect()
    }

    /// The ladder surfaces of one area: columns, and heights there.
    pub(super) fn ladders(&self, area: AreaId) -> impl Iterator<Item = ([i32; 2], [i32; 2])> {
        let own = self.ladders.iter().filter(move |(of, ..)| *of == area);
        own.map(|(_, column, heights)| (*column, *heights))
    }

    /// The floors of a tile where the ground ends.
    pub(super) fn borders_of(&self, tile: usize) -> &[u32] {
        let first = tile.checked_sub(1).map_or(0, |before| self.tiles[before].border_end);
        &self.borders[first as usize..self.tiles[tile].border_end as usize]
    }

    /// The tile at a coordinate.
    pub(super) fn tile_at(&self, [x, z]: [i32; 2]) -> Option<u32> {
        let [x, z] = [x - self.first[0], z - self.first[1]];
        if !(0..self.count[0]).contains(&x) || !(0..self.count[1]).contains(&z) {
            return None;
        }
        let tile = self.index[x as usize * self.count[1] as usize + z as usize];
        (tile != u32::MAX).then_some(tile)
    }

    /// Returns true if a floor is kept.
    #[inline]
    pub(super) fn is_ground(&self, floor: &GroundFloor) -> bool {
        self.island(floor) != NO_ISLAND
    }

    /// The island of a floor, over all tiles.
    #[inline]
    pub(super) fn island(&self, floor: &GroundFloor) -> u32 {
        self.islands[floor.island as usize]
    }

    /// Returns true if a floor is ground that ends on any of its sides.
    #[inline]
    fn is_border(&self, floor: &GroundFloor) -> bool {
        floor.beside.contains(&NO_FLOOR) && self.is_ground(floor)
    }

    /// The tile of a floor and its island within it.
    pub(crate) fn local_island(&self, floor: u32) -> (TileCoord, u32) {
        let tile = self.tiles.partition_point(|part| part.first_floor <= floor) - 1;
        // A tile without floors begins at the same floor as the next one.
        let part = &self.tiles[tile];
        (part.coord, self.floors[floor as usize].island - part.first_island)
    }

    /// Distance between the ends of a link, metres.
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
