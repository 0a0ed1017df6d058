//! Tiles of navtile to tiles of Detour.
//!
//! A tile that does not fit Detour's format is an error that names the tile, the place and the limit: more
//! than 65,535 vertices or 32,767 polygons per tile, areas above 63 (except [`AREA_ZERO`](crate::AREA_ZERO),
//! which becomes 0 again), flags of more than 16 bits, off-mesh links that end beyond the neighbouring tiles.
//! Polygons of more than six corners, or with one on a straight side, are split, with their detail meshes,
//! and so are polygons whose detail meshes do not fit a byte.
//!
//! Positions become f32 world metres, rounded once; the largest distance that a position moves is reported.

mod connection;
mod cut;
mod detail;
mod error;
mod grid;
mod polygon;
mod polygons;
mod references;
mod report;
mod split;
mod thin;
mod tile;
mod tree;

use crate::encoding::{Encoding, RefWidth};
use crate::mset::{NavMeshParams, SetTile, TileSet};
use grid::Grid;
use navmath::sort::SharedSort;
use navtile::Tile;
use references::{ReferenceBits, polygons_left};
use report::Notes;
use std::collections::BTreeMap;

pub use error::ExportError;
pub use references::{POLYGON_BITS_64, SHARED_BITS, TILE_BITS_64};
pub use report::{Change, ExportDiagnostic, Exported};
pub use tile::{AREA_LIMIT, POLYGON_LIMIT, VERTEX_LIMIT};

/// Exports tiles of one lattice as a set.
///
/// Errors: no polygons; tiles that do not form a regular grid; tiles that do not fit Detour's format;
/// positions so far from zero that f32 would move them by more than a quarter of a cell.
///
/// ```
/// use navinterop::{RefWidth, export, mset};
/// # use recast::{Level, PreparedLevel, Scratch, Settings, Silent, bake_solo};
/// # let floor = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 0.0, 10.0], [0.0, 0.0, 10.0]],
/// #     triangles: vec![[0, 2, 1], [0, 3, 2]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&floor, &Settings::default())?;
/// # let tile = bake_solo(&level, &Silent, &mut Scratch::new())?.tile;
/// let exported = export(&[tile], RefWidth::Bits64)?;
/// let file: Vec<u8> = mset::write(&exported.set)?; // what RecastDemo loads
/// assert_eq!(mset::read(&file)?, exported.set);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export(tiles: &[Tile], width: RefWidth) -> Result<Exported, ExportError> {
    let mut order: Vec<&Tile> = tiles.iter().collect();
    order.shared_sort_by_key(|tile| tile.coord());
    let grid = Grid::of(&order)?;
    let mut arrivals: BTreeMap<[i32; 3], u32> = BTreeMap::new();
    for link in order.iter().flat_map(|tile| tile.off_mesh_links()) {
        *arrivals.entry(link.end_tile).or_default() += 1;
    }
    let mut notes = Notes::default();
    let mut exported = Vec::new();
    let most = polygons_left(order.iter().filter(|tile| !tile.polygons().is_empty()).count(), width);
    for tile in order {
        let coord = tile.coord();
        if tile.polygons().is_empty() {
            notes.note(tile, [0; 3], Change::Empty);
            continue;
        }
        let arriving = arrivals.get(&[coord.x, coord.z, coord.layer]).copied().unwrap_or(0);
        exported.push(tile::export(tile, most, arriving, &mut notes)?);
    }
    let most = exported.iter().map(|tile| tile.polygons.len()).max().ok_or(ExportError::Nothing)?;
    let bits = ReferenceBits::new(exported.len(), most, width).map_err(ExportError::Set)?;
    let params = NavMeshParams {
        origin: grid.origin.map(|value| value as f32),
        tile_width: grid.size[0] as f32,
        tile_height: grid.size[1] as f32,
        max_tiles: bits.max_tiles,
        max_polygons: bits.max_polygons,
    };
    let tiles = exported.into_iter().enumerate();
    let tiles = tiles.map(|(index, tile)| SetTile { tile_ref: bits.tile_ref(index), tile }).collect();
    Ok(Exported {
        set: TileSet { encoding: Encoding { width, ..Encoding::default() }, params, tiles },
        diagnostics: notes.diagnostics,
        largest_error: notes.largest_error,
    })
}
