//! The amount of ground in packed tiles, and the memory that it takes to find links on it.

use navtile::TileCoord;
use recast::PreparedLevel;
use recast::inside::Footprint;

/// Memory of a column of a tile, a floor and a span, bytes: in the tile, and for floors once more in the
/// joined ground.
const OF_COLUMN: u64 = 32;
const OF_FLOOR: u64 = 64;
const OF_SPAN: u64 = 8;
/// Memory of the heights of a ladder in a column, bytes: in the tile, in the level, and by columns.
const OF_LADDER: u64 = 128;
/// Memory of a place in the level that may have a tile, bytes.
const OF_PLACE: u64 = 4;

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

/// Memory that [`crate::find_links`] takes for the ground of these tiles of a level and for its ladders,
/// bytes.
pub fn ground_memory(
    level: &PreparedLevel,
    tile_cells: u32,
    tiles: impl Iterator<Item = (TileCoord, GroundCounts)>,
) -> u64 {
    let size = tile_size(level.size, tile_cells);
    let (mut memory, mut around) = (0u64, None);
    for (TileCoord { x, z, .. }, counts) in tiles {
        memory = memory.saturating_add(counts.memory(size));
        let [[min_x, max_x], [min_z, max_z]] = around.unwrap_or([[x; 2], [z; 2]]);
        around = Some([[min_x.min(x), max_x.max(x)], [min_z.min(z), max_z.max(z)]]);
    }
    let Some(around) = around else { return 0 };
    let [columns, rows] = around.map(|[first, last]| u64::from(last.abs_diff(first)) + 1);
    let places = columns.saturating_mul(rows).saturating_mul(OF_PLACE);
    memory.saturating_add(places).saturating_add(volume_columns(level).saturating_mul(OF_LADDER))
}

/// The largest number of columns of the level that volumes mark as ladders.
fn volume_columns(level: &PreparedLevel) -> u64 {
    let settings = &level.config.settings;
    let of_profile = |surface| settings.volumes.iter().filter(move |volume| volume.area == surface);
    let marked = settings.links.iter().filter_map(|profile| profile.surface).flat_map(of_profile);
    let columns = marked.map(|volume| {
        let footprint = Footprint::new(&volume.shape, &level.lattice);
        let within = |[first, last]: [i64; 2], cells: u32| {
            (last.min(i64::from(cells) - 1).saturating_sub(first.max(0)).saturating_add(1))
                .max(0)
                .unsigned_abs()
        };
        within(footprint.columns, level.size[0]).saturating_mul(within(footprint.rows, level.size[2]))
    });
    columns.fold(0, u64::saturating_add)
}
