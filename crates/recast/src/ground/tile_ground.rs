//! The ground of one tile, as links need it: the floors of the mesh, and all spans.
//! Units: cells from the lattice's zero. Memory: 32 bytes per floor, 8 per span, 24 per column.

use crate::data::RegionField;
use crate::data::column_spans::ColumnSpans;
use crate::ground::column::GroundColumn;
use crate::ground::floor::{GroundFloor, NO_FLOOR, is_over_seam, over_seam};
use crate::ground::tile_ladders::TileLadders;
use crate::input::MAX_GRID_HEIGHT;
use navtile::TileCoord;

/// Marks a span in the border of a tile, instead of a number.
const OUTSIDE: u32 = NO_FLOOR - 1;

/// The floors below a tile's mesh, each with its local island and its neighbours, and the spans of the tile's
/// columns; the border is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct TileGround {
    /// Coordinate of the tile.
    pub coord: TileCoord,
    /// Lattice column of the first column along x and z.
    pub base: [i32; 2],
    /// Columns along x and z; column (x, z) has the index x + z * width.
    pub size: [u32; 2],
    /// Floors of column c are `floors[floor_offsets[c]..floor_offsets[c + 1]]`, from bottom to top.
    pub floor_offsets: Vec<u32>,
    /// See `floor_offsets`.
    pub floors: Vec<GroundFloor>,
    /// Spans of column c, in any order: bottom and top.
    pub span_offsets: Vec<u32>,
    /// See `span_offsets`.
    pub spans: Vec<[i32; 2]>,
    /// A summary of each column.
    pub columns: Vec<GroundColumn>,
    /// The floors with a side on which the ground ends or leads over a seam.
    pub ends: Vec<u32>,
    /// Number of islands that the floors may be on.
    pub islands: u32,
    /// Surfaces of ladders.
    pub ladders: TileLadders,
}

/// The floors and spans of a tile by column, as [`TileGround`] holds them; not checked.
#[derive(Clone, Debug)]
pub struct GroundLists {
    /// Coordinate of the tile.
    pub coord: TileCoord,
    /// Columns along x and z.
    pub size: [u32; 2],
    /// Floors of column c are `floors[floor_offsets[c]..floor_offsets[c + 1]]`, from bottom to top.
    pub floor_offsets: Vec<u32>,
    /// See there.
    pub floors: Vec<GroundFloor>,
    /// Spans of column c, in any order.
    pub span_offsets: Vec<u32>,
    /// Bottom and top of each span.
    pub spans: Vec<[i32; 2]>,
    /// Number of islands that the floors may be on.
    pub islands: u32,
    /// Surfaces of ladders.
    pub ladders: TileLadders,
}

impl TileGround {
    /// The ground of a tile. `of_region` holds the local island of each region.
    pub fn new(
        coord: TileCoord,
        (spans, ladders): (ColumnSpans, TileLadders),
        regions: &RegionField,
        of_region: &[Option<u32>],
    ) -> TileGround {
        let (field, grid) = (&regions.field, &regions.field.grid);
        let size = [grid.inner_width(), grid.inner_depth()];
        let [x, _, z] = grid.inner_base();
        // Fits in the lattice's 32-bit cells, as the grid does.
        let base = [x as i32, z as i32];
        let columns = size[0] as usize * size[1] as usize;
        let island_of: Vec<u32> = of_region.iter().map(|island| island.unwrap_or(NO_FLOOR)).collect();
        let (numbers, count) = number(regions, &island_of);
        let step = |other: u32| match numbers.get(other as usize) {
            Some(&OUTSIDE) if regions.region[other as usize].is_none() => NO_FLOOR,
            Some(&OUTSIDE) => over_seam(field.floor[other as usize].cast_unsigned()),
            Some(&number) => number,
            None => NO_FLOOR,
        };
        let mut parts = ColumnLists::new(columns, count as usize);
        for z in grid.border..grid.depth - grid.border {
            let mut first = field.column(grid.column(grid.border, z)).start;
            for x in grid.border..grid.width - grid.border {
                let at = [base[0] + (x - grid.border) as i32, base[1] + (z - grid.border) as i32];
                let end = field.column(grid.column(x, z)).end;
                for span in first..end {
                    if numbers[span] != NO_FLOOR {
                        let island = island_of[regions.region[span].index()];
                        let beside = field.neighbours.of(span).map(step);
                        parts.add(GroundFloor { at, height: field.floor[span], island, beside });
                    }
                }
                first = end;
                parts.end_column(&spans.offsets, &spans.spans);
            }
        }
        let islands = island_of.into_iter().filter(|&island| island != NO_FLOOR).max();
        let islands = islands.map_or(0, |last| last + 1);
        parts.finish((coord, base, size), (spans.offsets, spans.spans), (islands, ladders))
    }

    /// Lattice column of the first column of a tile of this size; `None` if the tile is beyond the lattice's
    /// 32-bit cells.
    pub fn base(coord: TileCoord, size: [u32; 2]) -> Option<[i32; 2]> {
        let base = |tile: i32, side: u32| -> Option<i32> {
            let first = i64::from(tile) * i64::from(side);
            i32::try_from(first + i64::from(side)).ok()?;
            i32::try_from(first).ok()
        };
        Some([base(coord.x, size[0])?, base(coord.z, size[1])?])
    }

    /// The ground with these floors and spans by column. Every number is checked; `None` if one is wrong.
    pub fn from_lists(lists: GroundLists) -> Option<TileGround> {
        let GroundLists { coord, size, floor_offsets, floors, span_offsets, spans, islands, ladders } = lists;
        let base = TileGround::base(coord, size)?;
        let (columns, count) = (size[0] as usize * size[1] as usize, floors.len());
        let are_sound = |offsets: &[u32], count: usize| {
            offsets.len() == columns + 1
                && offsets.is_sorted()
                && offsets[0] == 0
                && offsets[columns] as usize == count
        };
        let high = |height: u32| height <= MAX_GRID_HEIGHT;
        let step = |&step: &u32| match step {
            NO_FLOOR => true,
            step if is_over_seam(step) => high(over_seam(step)),
            step => (step as usize) < count,
        };
        let sound = |floor: &GroundFloor| {
            floor.island < islands && high(floor.height.cast_unsigned()) && floor.beside.iter().all(step)
        };
        if !are_sound(&floor_offsets, count)
            || !are_sound(&span_offsets, spans.len())
            || !floors.iter().all(sound)
        {
            return None;
        }
        let mut parts = ColumnLists::new(columns, count);
        let mut floors = floors.into_iter();
        for column in floor_offsets.windows(2) {
            floors.by_ref().take((column[1] - column[0]) as usize).for_each(|floor| parts.add(floor));
            parts.end_column(&span_offsets, &spans);
        }
        Some(parts.finish((coord, base, size), (span_offsets, spans), (islands, ladders)))
    }

    /// Coordinate of the tile.
    pub fn coord(&self) -> TileCoord {
        self.coord
    }

    /// Number of columns along x and z.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Memory of the ground, bytes.
    pub fn memory(&self) -> u64 {
        let offsets = size_of_val(self.floor_offsets.as_slice()) + size_of_val(self.span_offsets.as_slice());
        let lists = size_of_val(self.floors.as_slice()) + size_of_val(self.spans.as_slice());
        (offsets + lists + size_of_val(self.columns.as_slice()) + self.ladders.memory()) as u64
    }
}

/// The columns of a tile, which are added one after the other.
struct ColumnLists {
    floor_offsets: Vec<u32>,
    floors: Vec<GroundFloor>,
    ends: Vec<u32>,
    columns: Vec<GroundColumn>,
}

impl ColumnLists {
    fn new(columns: usize, floors: usize) -> ColumnLists {
        let mut floor_offsets = Vec::with_capacity(columns + 1);
        floor_offsets.push(0);
        let (floors, columns) = (Vec::with_capacity(floors), Vec::with_capacity(columns));
        ColumnLists { floor_offsets, floors, ends: Vec::new(), columns }
    }

    /// Adds a floor to the next column.
    #[inline(always)]
    fn add(&mut self, floor: GroundFloor) {
        if floor.beside.into_iter().any(is_over_seam) {
            self.ends.push(self.floors.len() as u32);
        }
        self.floors.push(floor);
    }

    /// Ends the next column, whose spans are known.
    #[inline(always)]
    fn end_column(&mut self, span_offsets: &[u32], spans: &[[i32; 2]]) {
        let column = self.columns.len();
        let first = self.floor_offsets[column] as usize;
        let spans = &spans[span_offsets[column] as usize..span_offsets[column + 1] as usize];
        self.columns.push(GroundColumn::new(spans, &self.floors[first..]));
        // At most the number of floors of the grid, which are counted in 32 bits.
        self.floor_offsets.push(self.floors.len() as u32);
    }

    fn finish(
        self,
        (coord, base, size): (TileCoord, [i32; 2], [u32; 2]),
        (span_offsets, spans): (Vec<u32>, Vec<[i32; 2]>),
        (islands, ladders): (u32, TileLadders),
    ) -> TileGround {
        let ColumnLists { floor_offsets, floors, ends, columns } = self;
        TileGround {
            coord,
            base,
            size,
            floor_offsets,
            floors,
            span_offsets,
            spans,
            columns,
            ends,
            islands,
            ladders,
        }
    }
}

/// The number that each span of a field will have among the floors: [`NO_FLOOR`] if it has no floor,
/// [`OUTSIDE`] in the border. Also returns the number of floors.
fn number(regions: &RegionField, island_of: &[u32]) -> (Vec<u32>, u32) {
    let (field, grid) = (&regions.field, &regions.field.grid);
    let mut numbers = vec![OUTSIDE; field.len()];
    let mut count = 0;
    for z in grid.border..grid.depth - grid.border {
        // The spans of a row are consecutive.
        let [first, last] =
            [grid.border, grid.width - grid.border - 1].map(|x| field.column(grid.column(x, z)));
        let row = first.start..last.end;
        for (number, region) in numbers[row.clone()].iter_mut().zip(&regions.region[row]) {
            let is_floor = island_of[region.index()] != NO_FLOOR;
            *number = if is_floor { count } else { NO_FLOOR };
            count += u32::from(is_floor);
        }
    }
    (numbers, count)
}
