//! Tiles of Detour to tiles of this crate.
//!
//! Positions there are floats in world metres; here they are integers, 1/256 of a cell of one lattice. The lattice
//! is chosen so that what was made on voxels lies on whole cells again: the cell size is what the tiles' BV trees
//! are quantised by, the cell height the step that all heights of corners are multiples of, or a part of it, if
//! there is one. How far positions were moved is measured and told.
//!
//! Portals are snapped to the tile's border. What a tile here may not have is repaired, each time with a diagnostic
//! that says where: see [`Repair`].
//!
//! Cost: O(n log n) in vertices and polygons.

mod diagnostic;
mod finish;
mod frame;
mod meta;
mod portals;
mod shape;
mod step;
mod tile;

use super::mset::{NavMeshParams, TileSet};
use super::{Foreign, detour::DetourTile};
use crate::meta::Meta;
use crate::tile::{Tile, TileCoord};
use crate::{TileError, WriteError};
use frame::Frame;
use navmath::Lattice;
use thiserror::Error;

pub use diagnostic::{ImportDiagnostic, Repair};

/// Most polygons of one tile that are left out because the writer refuses them, before the tile is.
pub const REFUSAL_LIMIT: usize = 64;

/// What an import gives.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Metadata for a file: agent, lattice, areas.
    pub meta: Meta,
    /// The tiles, in canonical order.
    pub tiles: Vec<Tile>,
    /// What had to be repaired or left out, tile by tile.
    pub diagnostics: Vec<ImportDiagnostic>,
    /// How far the position that moved most along each axis was moved, metres.
    pub largest_error: [f64; 3],
}

/// What cannot be imported.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ImportError {
    /// There are no tiles.
    #[error("there are no tiles to import: give a tile set, or at least one tile")]
    Nothing,
    /// Tiles and parameters that do not belong together, or give no lattice.
    #[error("tile ({}, {}, {}): {what}: expected {expected}, found {found}: {remedy}", coord.x, coord.z, coord.layer)]
    Tile {
        /// Which tile.
        coord: TileCoord,
        /// What of it.
        what: String,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
        /// What the user can do.
        remedy: &'static str,
    },
    /// A tile that cannot be written.
    #[error("tile ({}, {}, {}): {source}", coord.x, coord.z, coord.layer)]
    Write {
        /// Which tile.
        coord: TileCoord,
        /// Why.
        source: WriteError,
    },
    /// A tile that the writer made and the reader refuses.
    #[error("tile ({}, {}, {}): {source}", coord.x, coord.z, coord.layer)]
    Unsound {
        /// Which tile.
        coord: TileCoord,
        /// Why.
        source: TileError,
    },
    /// More than one file says where tiles lie.
    #[error("there are parameters for tiles more than once: import one tile set or one map at a time")]
    Parameters,
}

/// Imports what several files hold, in any order: one tile set; or tiles, with or without a map's parameters.
///
/// Errors: as [`import`]; parameters in more than one file.
pub fn import_files(files: Vec<Foreign>) -> Result<Imported, ImportError> {
    let mut params: Option<NavMeshParams> = None;
    let mut tiles = Vec::new();
    for file in files {
        let found = match file {
            Foreign::Set(TileSet { params, tiles: set, .. }) => {
                tiles.extend(set.into_iter().map(|tile| tile.tile));
                Some(params)
            }
            Foreign::Tile(tile) => {
                tiles.push(*tile);
                None
            }
            Foreign::MapTile(tile) => {
                tiles.push(tile.tile);
                None
            }
            Foreign::MapParams(params) => Some(params),
        };
        if found.is_some() && params.is_some() {
            return Err(ImportError::Parameters);
        }
        params = params.or(found);
    }
    import(params.as_ref(), &tiles)
}

/// Imports tiles. Without parameters, tiles are taken to be as large as the box of the first one, and its place
/// gives the origin.
///
/// Errors: no tiles; two at one place; tiles for different agents; sizes that are no whole number of cells;
/// positions, agents or sizes beyond the limits of the format here.
pub fn import(params: Option<&NavMeshParams>, tiles: &[DetourTile]) -> Result<Imported, ImportError> {
    let mut order: Vec<&DetourTile> = tiles.iter().collect();
    order.sort_by_key(|tile| coord(tile));
    let Some(&first) = order.first() else { return Err(ImportError::Nothing) };
    for pair in order.windows(2) {
        together(first, pair[0], pair[1])?;
    }
    let frame = Frame::new(params, &order)?;
    let mut imported = Imported {
        meta: meta::start(&frame, first, tiles.len()),
        tiles: Vec::with_capacity(order.len()),
        diagnostics: Vec::new(),
        largest_error: [0.0; 3],
    };
    for tile in &order {
        let done = tile::import(&frame, tile, &mut imported.diagnostics)?;
        for (most, error) in imported.largest_error.iter_mut().zip(done.largest_error) {
            *most = most.max(error);
        }
        imported.tiles.push(done.tile);
    }
    imported.meta.areas = meta::areas(&imported.tiles);
    Ok(imported)
}

/// Where a tile stands. Rows run along z.
fn coord(tile: &DetourTile) -> TileCoord {
    TileCoord { x: tile.x, z: tile.y, layer: tile.layer }
}

/// Refuses a tile.
fn refuse<T>(
    tile: &DetourTile,
    what: impl Into<String>,
    expected: impl Into<String>,
    found: impl Into<String>,
    remedy: &'static str,
) -> Result<T, ImportError> {
    let (what, expected, found) = (what.into(), expected.into(), found.into());
    Err(ImportError::Tile { coord: coord(tile), what, expected, found, remedy })
}

/// Whether two tiles, neighbours in order, may be in one file with the first.
fn together(first: &DetourTile, before: &DetourTile, tile: &DetourTile) -> Result<(), ImportError> {
    if coord(before) == coord(tile) {
        return refuse(tile, "place", "one tile at a place", "two", "give each tile once");
    }
    let agent = |tile: &DetourTile| [tile.walkable_radius, tile.walkable_height, tile.walkable_climb];
    if agent(first) != agent(tile) {
        return refuse(
            tile,
            "agent's radius, height and climb",
            format!("{:?}, as tile ({}, {}, {})", agent(first), first.x, first.y, first.layer),
            format!("{:?}", agent(tile)),
            "import the tiles of each agent into a file of its own",
        );
    }
    Ok(())
}

/// The decimal number with the fewest digits that is this one in f32.
fn shortest(value: f32) -> f64 {
    // What Rust prints reads back as the same f32; infinities and NaN were refused when the bytes were read.
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// The lattice and the cell that a tile's positions count from.
#[derive(Clone, Copy, Debug)]
struct Grid {
    lattice: Lattice,
    base_cell: [i64; 3],
    size_cells: [u32; 2],
}
