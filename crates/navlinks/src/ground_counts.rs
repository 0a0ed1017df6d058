//! The amount of ground in packed tiles, and the memory that it takes to find links on it.

use crate::ladders::columns_of;
use crate::reach::LinkReach;
use crate::zone::{EDGE_CELLS, Rect, SquareGrid, edge_square};
use navtile::TileCoord;
use recast::inside::Footprint;
use recast::{PreparedLevel, TileGround};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Memory of a column of a tile, a floor and a span, bytes: in the tile, and for floors once more in the
/// joined ground and for the search of paths.
const OF_COLUMN: u64 = 32;
const OF_FLOOR: u64 = 76;
const OF_SPAN: u64 = 8;
/// Memory of the heights of a ladder in a column, bytes: in the tile, in the level, and by columns.
const OF_LADDER: u64 = 128;
/// Memory of a place in the level that may have a tile, bytes.
const OF_PLACE: u64 = 4;

/// The largest window on whose ground links are found, bytes. Larger ones save little: most of a window is
/// its square.
pub const MOST_OF_WINDOW: u64 = 448 << 20;

/// The amount of ground, as the packed bytes state it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroundCounts {
    /// Floors.
    pub floors: u32,
    /// Spans.
    pub spans: u32,
    /// Heights of ladders in columns.
    pub ladders: u32,
}

impl From<&TileGround> for GroundCounts {
    fn from(ground: &TileGround) -> GroundCounts {
        let [floors, spans] = [ground.floors.len(), ground.spans.len()].map(|count| count as u32);
        GroundCounts { floors, spans, ladders: ground.ladders.surfaces().len() as u32 }
    }
}

impl GroundCounts {
    /// The counts at the start of packed ground; `None` if that is cut short.
    pub fn of(packed: &[u8]) -> Option<GroundCounts> {
        let mut words = packed.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
        Some(GroundCounts { floors: words.next()?, spans: words.next()?, ladders: words.next()? })
    }

    /// Memory that links take on this ground of a tile of `size` columns, bytes.
    pub fn memory(&self, size: [u32; 2]) -> u64 {
        let columns = u64::from(size[0]).saturating_mul(u64::from(size[1]));
        let [floors, spans, ladders] = [self.floors, self.spans, self.ladders].map(u64::from);
        columns
            .saturating_mul(OF_COLUMN)
            .saturating_add(floors * OF_FLOOR + spans * OF_SPAN + ladders * OF_LADDER)
    }
}

/// Columns along x and z of the tiles of a level of this size: all of them if it is one tile, for 0 cells.
pub fn tile_size(level_size: [u32; 3], tile_cells: u32) -> [u32; 2] {
    match tile_cells {
        0 => [level_size[0], level_size[2]],
        cells => [cells; 2],
    }
}

/// The squares of a level whose links are found one after the other, each in a window around it.
pub(super) struct GroundPlan {
    pub(super) grid: SquareGrid,
    /// The squares with tiles, in order.
    pub(super) squares: Vec<[i32; 2]>,
    /// Memory of the largest window, bytes.
    memory: u64,
}

/// The ground that the window of a square needs.
#[derive(Clone, Copy, Default)]
struct WindowNeed {
    memory: u64,
    /// The first and the last of its tiles.
    around: Option<[[i32; 2]; 2]>,
}

impl GroundPlan {
    /// The largest squares with windows of at most `memory` bytes, but none smaller than a tile, or than a
    /// candidate sees. A level that fits is one square.
    pub(super) fn new(
        level: &PreparedLevel,
        tile_cells: u32,
        tiles: &[(TileCoord, GroundCounts)],
        memory: u64,
    ) -> GroundPlan {
        let memory = memory.min(MOST_OF_WINDOW);
        let size = tile_size(level.size, tile_cells).map(u32::cast_signed);
        let reach = LinkReach::new(level);
        let least = size[0].max(size[1]).unsigned_abs().max(reach.judged);
        let rects = tiles.iter().map(|(coord, _)| Rect::of_tile([coord.x, coord.z], size));
        let whole = rects.reduce(Rect::joined).unwrap_or(Rect { low: [0; 2], high: [1; 2] });
        // Edges end where squares of this size do.
        let first = edge_square(whole.low).map(|square| square.saturating_mul(EDGE_CELLS));
        let mut grid = SquareGrid { first, side: EDGE_CELLS };
        let span = [0, 1].map(|axis| whole.high[axis].saturating_sub(first[axis]));
        while grid.side < span[0].max(span[1]) {
            grid.side = grid.side.saturating_mul(2);
        }
        loop {
            let plan = GroundPlan::of(level, (size, &reach), tiles, grid);
            let is_power = grid.side.unsigned_abs().is_power_of_two();
            let next = if is_power { grid.side / 4 * 3 } else { grid.side / 3 * 2 };
            if plan.memory <= memory || next.unsigned_abs() < least {
                return plan;
            }
            grid.side = next;
        }
    }

    /// The squares of a grid.
    fn of(
        level: &PreparedLevel,
        (size, reach): ([i32; 2], &LinkReach),
        tiles: &[(TileCoord, GroundCounts)],
        grid: SquareGrid,
    ) -> GroundPlan {
        let around = |tile: [i32; 2], reach: u32| {
            let [low, high] = Rect::of_tile(tile, size).grown(reach).squares(&grid);
            (low[0]..=high[0]).flat_map(move |x| (low[1]..=high[1]).map(move |z| [x, z]))
        };
        let places = || tiles.iter().map(|(coord, counts)| ([coord.x, coord.z], counts));
        let own = places().flat_map(|(tile, _)| around(tile, 0));
        let mut needs: BTreeMap<[i32; 2], WindowNeed> =
            own.map(|square| (square, WindowNeed::default())).collect();
        for (tile, counts) in places() {
            for square in around(tile, reach.window()) {
                if let Some(need) = needs.get_mut(&square) {
                    need.memory = need.memory.saturating_add(counts.memory(size.map(i32::cast_unsigned)));
                    let [low, high] = need.around.unwrap_or([tile; 2]);
                    need.around = Some([
                        [0, 1].map(|axis| low[axis].min(tile[axis])),
                        [0, 1].map(|axis| high[axis].max(tile[axis])),
                    ]);
                }
            }
        }
        let memory = needs.values().map(|need| need.all(level, size)).max().unwrap_or(0);
        GroundPlan { grid, squares: needs.into_keys().collect(), memory }
    }
}

impl WindowNeed {
    /// Its memory with that of places without tiles and of ladders, bytes.
    fn all(&self, level: &PreparedLevel, size: [i32; 2]) -> u64 {
        let Some([low, high]) = self.around else { return self.memory };
        let [columns, rows] = [0, 1].map(|axis| u64::from(low[axis].abs_diff(high[axis])) + 1);
        let places = columns.saturating_mul(rows).saturating_mul(OF_PLACE);
        let within = Rect::of_tile(low, size).joined(Rect::of_tile(high, size));
        let ladders = volume_columns(level, &within).saturating_mul(OF_LADDER);
        self.memory.saturating_add(places).saturating_add(ladders)
    }
}

/// Memory of the largest window of [`crate::find_links`] on these tiles of a level, bytes: no more than
/// `memory`, unless smaller windows do not help, and no more than is of use.
pub fn ground_memory(
    level: &PreparedLevel,
    tile_cells: u32,
    tiles: impl Iterator<Item = (TileCoord, GroundCounts)>,
    memory: u64,
) -> u64 {
    let tiles: Vec<(TileCoord, GroundCounts)> = tiles.collect();
    GroundPlan::new(level, tile_cells, &tiles, memory).memory
}

/// The largest number of columns within a rectangle that volumes mark as ladders.
fn volume_columns(level: &PreparedLevel, within: &Rect) -> u64 {
    let settings = &level.config.settings;
    let of_profile = |surface| settings.volumes.iter().filter(move |volume| volume.area == surface);
    let marked = settings.links.iter().filter_map(|profile| profile.surface).flat_map(of_profile);
    let count = |range: RangeInclusive<i64>| (range.end() - range.start() + 1).max(0).unsigned_abs();
    let columns = marked.map(|volume| {
        let footprint = Footprint::new(&volume.shape, &level.lattice);
        let [columns, rows] = columns_of(&footprint, level, within).map(count);
        columns.saturating_mul(rows)
    });
    columns.fold(0, u64::saturating_add)
}
