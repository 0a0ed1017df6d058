//! The ground of one tile, as far as links need it: the floors that agents stand on, and all spans.
//! Units: cells from the lattice's zero. Memory: 24 bytes per floor, 8 per span, 8 per column.

use crate::data::{Direction, RegionField};
use crate::input::{MAX_GRID_HEIGHT, MAX_GRID_SIDE};
use crate::stage::rasterize::ColumnSpans;
use navtile::TileCoord;

/// No floor to step to.
pub(super) const NO_STEP: i32 = i32::MIN;

/// A step to a floor of another tile, by its height, which is not negative; also the height of such a step.
#[inline]
pub(super) fn over_seam(height_or_step: i32) -> i32 {
    -1 - height_or_step
}

/// A span in the border of a tile.
const OUTSIDE: i32 = -1;

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
    pub(super) floors: Vec<TileFloor>,
    /// Spans of column c, in any order: bottom and top.
    pub(super) span_offsets: Vec<u32>,
    pub(super) spans: Vec<[i32; 2]>,
}

/// A floor of a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TileFloor {
    pub(super) height: i32,
    /// Its local island.
    pub(super) island: u32,
    /// By [`Direction`]: the number of the tile's floor that can be stepped to; over a seam its height, as [`over_seam`] has it; or
    /// [`NO_STEP`].
    pub(super) steps: [i32; 4],
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
        let columns = size[0] as usize * size[1] as usize;
        let mut ground = TileGround {
            coord,
            // Within the lattice's 32-bit cells, as the grid is.
            base: [x as i32, z as i32],
            size,
            floor_offsets: Vec::with_capacity(columns + 1),
            floors: Vec::new(),
            span_offsets: spans.offsets,
            spans: spans.spans,
        };
        ground.floor_offsets.push(0);
        let numbers = ground.number(regions, of_region);
        let step = |span, direction| match field.neighbour(span, direction) {
            Some(other) if !regions.region[other].is_none() => match numbers[other] {
                OUTSIDE => over_seam(field.floor[other]),
                number => number,
            },
            _ => NO_STEP,
        };
        for z in grid.border..grid.depth - grid.border {
            for x in grid.border..grid.width - grid.border {
                let column = grid.column(x, z);
                for span in field.column(column).filter(|&span| numbers[span] != NO_STEP) {
                    let Some(island) = of_region[regions.region[span].index()] else { continue };
                    let steps = Direction::ALL.map(|direction| step(span, direction));
                    ground.floors.push(TileFloor { height: field.floor[span], island, steps });
                }
                // No more than the floors of the grid, which are counted in 32 bits.
                ground.floor_offsets.push(ground.floors.len() as u32);
            }
        }
        ground
    }

    /// The number that each span of a field will have among the floors: [`NO_STEP`] for those that are none, and [`OUTSIDE`] in
    /// the border. Makes room for the floors.
    fn number(&mut self, regions: &RegionField, of_region: &[Option<u32>]) -> Vec<i32> {
        let (field, grid) = (&regions.field, &regions.field.grid);
        let mut numbers = vec![OUTSIDE; field.len()];
        let mut count = 0;
        for z in grid.border..grid.depth - grid.border {
            let row = grid.column(grid.border, z)..grid.column(grid.width - grid.border, z);
            for span in row.flat_map(|column| field.column(column)) {
                let is_floor = of_region[regions.region[span].index()].is_some();
                numbers[span] = if is_floor { count } else { NO_STEP };
                count += i32::from(is_floor);
            }
        }
        self.floors.reserve_exact(count as usize);
        numbers
    }

    /// The ground as bytes, for bakes in shares: numbers of 32 bits in little-endian order.
    pub fn to_bytes(&self) -> Vec<u8> {
        let counts = [self.size[0], self.size[1], self.floors.len() as u32, self.spans.len() as u32];
        let mut bytes: Vec<u8> = Vec::new();
        for numbers in [&counts, self.floor_offsets.as_slice(), self.span_offsets.as_slice()] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let floors = self.floors.iter().flat_map(|floor| {
            let [a, b, c, d] = floor.steps;
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
        let floor = |&[height, island, a, b, c, d]: &[i32; 6]| TileFloor {
            height,
            island: island.cast_unsigned(),
            steps: [a, b, c, d],
        };
        let floors: Vec<TileFloor> = of_floors.as_chunks().0.iter().map(floor).collect();
        let high = |height: i32| (0..=MAX_GRID_HEIGHT.cast_signed()).contains(&height);
        let step = |&step: &i32| {
            step == NO_STEP || if step < 0 { high(over_seam(step)) } else { (step as usize) < floors.len() }
        };
        let sound = |floor: &TileFloor| {
            (floor.island as usize) < islands && high(floor.height) && floor.steps.iter().all(step)
        };
        if !floors.iter().all(sound) {
            return None;
        }
        let base = [coord.x, coord.z].map(i64::from);
        let base = [base[0] * i64::from(size[0]), base[1] * i64::from(size[1])];
        Some(TileGround {
            coord,
            base: [i32::try_from(base[0]).ok()?, i32::try_from(base[1]).ok()?],
            size,
            floor_offsets,
            floors,
            span_offsets,
            spans: of_spans.as_chunks().0.to_vec(),
        })
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
        (offsets + lists) as u64
    }
}
