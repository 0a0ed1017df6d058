//! The ground of a tile: its layers, and the parts of the neighbouring tiles' layers in its border.

use super::error::LayerImportError;
use super::places::{Placed, Places};
use navlayers::heightfield_layers::{CellRectangle, DirectionSet, HeightfieldLayer, LayerCell};
use navtile::TileCoord;
use recast::data::Grid;
use recast::{AreaId, Config};
use std::ops::Range;

/// Cells around a tile that are baked with it. Layers are already eroded; contours need these cells to agree
/// on their corners.
const BORDER: u32 = 3;

/// The layers on the grid of a tile.
pub(super) struct Ground {
    pub(super) grid: Grid,
    pub(super) layers: Vec<HeightfieldLayer>,
}

impl Ground {
    pub(super) fn new(
        places: &Places<'_>,
        coord: TileCoord,
        config: &Config,
    ) -> Result<Ground, LayerImportError> {
        let [width, depth] = [places.params.width, places.params.height];
        // Tiles are within 2^30 cells.
        let base = |tile: i32, size: u32| tile * size as i32 - BORDER as i32;
        let grid = Grid {
            width: width + 2 * BORDER,
            depth: depth + 2 * BORDER,
            border: BORDER,
            base_x: base(coord.x, width),
            base_z: base(coord.z, depth),
            cell_size: config.cell_size,
            cell_height: config.cell_height,
        };
        let reach = |size: u32| BORDER.div_ceil(size) as i32;
        let around =
            |at: i32, size: u32| (-reach(size)..=reach(size)).filter_map(move |by| at.checked_add(by));
        let mut layers = Vec::new();
        for x in around(coord.x, width) {
            for z in around(coord.z, depth) {
                for placed in places.of_tile(x, z) {
                    layers.extend(cut(placed, &grid, [width, depth])?);
                }
            }
        }
        Ok(Ground { grid, layers })
    }
}

/// The part of a layer on a grid.
fn cut(
    placed: &Placed<'_>,
    grid: &Grid,
    [width, depth]: [u32; 2],
) -> Result<Option<HeightfieldLayer>, LayerImportError> {
    let (coord, header) = (placed.coord(), placed.layer.header());
    let overlap = |tile: i32, size: u32, cells: u8, base: i32, grid: u32| -> Range<u32> {
        let from = i64::from(tile) * i64::from(size) - i64::from(base);
        let range = (-from).max(0)..(i64::from(grid) - from).clamp(0, cells.into());
        // Within the layer, or empty.
        range.start.min(range.end) as u32..range.end as u32
    };
    let columns = overlap(coord.x, width, header.width, grid.base_x, grid.width);
    let rows = overlap(coord.z, depth, header.height, grid.base_z, grid.depth);
    if columns.is_empty() || rows.is_empty() {
        return Ok(None);
    }
    let stored = placed.layer.cells().map_err(|source| LayerImportError::Unpack { coord, source })?;
    let mut cells = Vec::with_capacity(columns.len() * rows.len());
    for row in rows.clone() {
        for column in columns.clone() {
            let cell = (row * u32::from(header.width) + column) as usize;
            let steps = stored.connections[cell];
            let floor = LayerCell {
                height: stored.heights[cell].into(),
                area: AreaId(stored.areas[cell]),
                connections: DirectionSet::from_bits(steps),
                portals: DirectionSet::from_bits(steps >> 4),
            };
            cells.push(Some(floor).filter(|floor| floor.area.is_walkable()));
        }
    }
    let base = |tile: i32, size: u32, first: u32| tile * size as i32 + first as i32;
    Ok(Some(HeightfieldLayer {
        grid: Grid {
            width: columns.len() as u32,
            depth: rows.len() as u32,
            border: 0,
            base_x: base(coord.x, width, columns.start),
            base_z: base(coord.z, depth, rows.start),
            ..*grid
        },
        min_height: placed.lowest,
        max_height: placed.lowest + i32::from(header.highest - header.lowest.min(header.highest)),
        used: CellRectangle {
            min_x: 0,
            max_x: columns.len() as u32 - 1,
            min_z: 0,
            max_z: rows.len() as u32 - 1,
        },
        cells,
    }))
}
