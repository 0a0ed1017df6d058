//! The ground of one tile, as far as links need it: the floors that agents stand on, and all spans.
//! Units: cells from the lattice's zero. Memory: 32 bytes per floor, 8 per span, 24 per column.

use super::column::GroundColumn;
use super::floor::{GroundFloor, NO_FLOOR, is_over_seam, over_seam};
use crate::data::RegionField;
use crate::input::{MAX_GRID_HEIGHT, MAX_GRID_SIDE};
use crate::stage::rasterize::ColumnSpans;
use navtile::TileCoord;

/// A span in the border of a tile, in place of a number.
const OUTSIDE: u32 = NO_FLOOR - 1;

/// The floors of a tile that its mesh stands on, each with its local island and the floors beside it, and the spans of its
/// columns; those of the border are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct TileGround {
    pub(super) coord: TileCoord,
    /// Lattice column of the first column along x and z.
    pub(super) base: [i32; 2],
    /// Columns along x and z; column (x, z) has the index x + z * width.
    pub(super) size: [u32; 2],
    /// Floors of column c are `floors[floor_offsets[c]..floor_offsets[c + 1]]`, from bottom to top.
    pub(super) floor_offsets: Vec<u32>,
    pub(super) floors: Vec<GroundFloor>,
    /// Spans of column c, in any order: bottom and top.
    pub(super) span_offsets: Vec<u32>,
    pub(super) spans: Vec<[i32; 2]>,
    pub(super) columns: Vec<GroundColumn>,
    /// The floors with a side where the ground ends, or leads over a seam.
    pub(super) ends: Vec<u32>,
    /// How many islands they may be on.
    pub(super) islands: u32,
}

impl TileGround {
    /// The ground of a tile. `of_region` holds the local island of each region.
    pub(crate) fn new(
        coord: TileCoord,
        spans: ColumnSpans,
        regions: &RegionField,
        of_region: &[Option<u32>],
    ) -> TileGround {
        let (field, grid) = (&regions.field, &regions.field.grid);
        let size = [grid.inner_width(), grid.inner_depth()];
        let [x, _, z] = grid.inner_base();
        // Within the lattice's 32-bit cells, as the grid is.
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
        let mut parts = ColumnParts::new(columns, count as usize);
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
        parts.finish((coord, base, size), (spans.offsets, spans.spans), islands)
    }

    /// The ground as bytes, for bakes in shares: numbers of 32 bits in little-endian order.
    pub fn to_bytes(&self) -> Vec<u8> {
        let counts = [self.size[0], self.size[1], self.floors.len() as u32, self.spans.len() as u32];
        let mut bytes: Vec<u8> = Vec::new();
        for numbers in [&counts, self.floor_offsets.as_slice(), self.span_offsets.as_slice()] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let floors = self.floors.iter().flat_map(|floor| {
            let [a, b, c, d] = floor.beside.map(u32::cast_signed);
            [floor.height, floor.island.cast_signed(), a, b, c, d]
        });
        let spans = self.spans.as_flattened().iter().copied();
        bytes.extend(floors.chain(spans).flat_map(i32::to_le_bytes));
        bytes
    }

    /// The ground of a tile with `islands` local islands; `None` if these are not the bytes of one.
    pub fn from_bytes(bytes: &[u8], coord: TileCoord, islands: usize) -> Option<TileGround> {
        let mut words = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
        let size = [words.next()?, words.next()?];
        let [floors, spans] = [words.next()? as usize, words.next()? as usize];
        if !size.iter().all(|side| (1..=MAX_GRID_SIDE).contains(side)) {
            return None;
        }
        let columns = size[0] as usize * size[1] as usize;
        let expected = 4 + 2 * (columns as u64 + 1) + 6 * floors as u64 + 2 * spans as u64;
        if bytes.len() as u64 != 4 * expected {
            return None;
        }
        let mut offsets = |count: usize| {
            let offsets: Vec<u32> = words.by_ref().take(columns + 1).collect();
            let is_sound = offsets.is_sorted() && offsets[0] == 0 && offsets[columns] as usize == count;
            is_sound.then_some(offsets)
        };
        let (floor_offsets, span_offsets) = (offsets(floors)?, offsets(spans)?);
        let rest: Vec<i32> = words.map(u32::cast_signed).collect();
        let (of_floors, of_spans) = rest.split_at(6 * floors);
        let base = [coord.x, coord.z].map(i64::from);
        let base = [base[0] * i64::from(size[0]), base[1] * i64::from(size[1])];
        let base = [i32::try_from(base[0]).ok()?, i32::try_from(base[1]).ok()?];
        let far = [0, 1].map(|axis| base[axis].checked_add(size[axis].cast_signed()));
        if far.contains(&None) {
            return None;
        }
        let spans = of_spans.as_chunks().0;
        let mut parts = ColumnParts::new(columns, floors);
        let mut of_floors = of_floors.as_chunks().0.iter();
        for column in 0..size[0] * size[1] {
            let [first, end] = [0, 1].map(|next| floor_offsets[column as usize + next]);
            let at = [column % size[0], column / size[0]].map(u32::cast_signed);
            let at = [base[0] + at[0], base[1] + at[1]];
            for &[height, island, a, b, c, d] in of_floors.by_ref().take((end - first) as usize) {
                let (island, beside) = (island.cast_unsigned(), [a, b, c, d].map(i32::cast_unsigned));
                parts.add(GroundFloor { at, height, island, beside });
            }
            parts.end_column(&span_offsets, spans);
        }
        let high = |height: u32| height <= MAX_GRID_HEIGHT;
        let step = |&step: &u32| match step {
            NO_FLOOR => true,
            step if is_over_seam(step) => high(over_seam(step)),
            step => (step as usize) < floors,
        };
        let sound = |floor: &GroundFloor| {
            (floor.island as usize) < islands
                && high(floor.height.cast_unsigned())
                && floor.beside.iter().all(step)
        };
        if !parts.floors.iter().all(sound) {
            return None;
        }
        Some(parts.finish((coord, base, size), (span_offsets, spans.to_vec()), islands as u32))
    }

    /// Where the tile stands.
    pub fn coord(&self) -> TileCoord {
        self.coord
    }

    /// Its columns along x and z.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Memory that it takes, bytes.
    pub fn memory(&self) -> u64 {
        let offsets = size_of_val(self.floor_offsets.as_slice()) + size_of_val(self.span_offsets.as_slice());
        let lists = size_of_val(self.floors.as_slice()) + size_of_val(self.spans.as_slice());
        (offsets + lists + size_of_val(self.columns.as_slice())) as u64
    }
}

/// The columns of a tile, which are added one after the other.
struct ColumnParts {
    floor_offsets: Vec<u32>,
    floors: Vec<GroundFloor>,
    ends: Vec<u32>,
    columns: Vec<GroundColumn>,
}

impl ColumnParts {
    fn new(columns: usize, floors: usize) -> ColumnParts {
        let mut floor_offsets = Vec::with_capacity(columns + 1);
        floor_offsets.push(0);
        let (floors, columns) = (Vec::with_capacity(floors), Vec::with_capacity(columns));
        ColumnParts { floor_offsets, floors, ends: Vec::new(), columns }
    }

    /// Adds a floor to the next column.
    #[inline(always)]
    fn add(&mut self, floor: GroundFloor) {
        if floor.beside.into_iter().any(is_over_seam) {
            self.ends.push(self.floors.len() as u32);
        }
        self.floors.push(floor);
    }

    /// Ends the next column, of spans that are known.
    #[inline(always)]
    fn end_column(&mut self, span_offsets: &[u32], spans: &[[i32; 2]]) {
        let column = self.columns.len();
        let first = self.floor_offsets[column] as usize;
        let spans = &spans[span_offsets[column] as usize..span_offsets[column + 1] as usize];
        self.columns.push(GroundColumn::new(spans, &self.floors[first..]));
        // No more than the floors of the grid, which are counted in 32 bits.
        self.floor_offsets.push(self.floors.len() as u32);
    }

    fn finish(
        self,
        (coord, base, size): (TileCoord, [i32; 2], [u32; 2]),
        (span_offsets, spans): (Vec<u32>, Vec<[i32; 2]>),
        islands: u32,
    ) -> TileGround {
        let ColumnParts { floor_offsets, floors, ends, columns } = self;
        TileGround { coord, base, size, floor_offsets, floors, span_offsets, spans, columns, ends, islands }
    }
}

/// The number that each span of a field will have among the floors, [`NO_FLOOR`] for those that are none, and [`OUTSIDE`] in
/// the border; and how many floors there are.
fn number(regions: &RegionField, island_of: &[u32]) -> (Vec<u32>, u32) {
    let (field, grid) = (&regions.field, &regions.field.grid);
    let mut numbers = vec![OUTSIDE; field.len()];
    let mut count = 0;
    for z in grid.border..grid.depth - grid.border {
        // The spans of a row follow each other.
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
