//! Tiles of Detour to tiles of navtile.
//!
//! Positions there are floats in world metres; here they are integers, 1/256 of a cell of one lattice. The
//! lattice is chosen so that meshes made from voxels are on whole cells again. The cell size is the unit by
//! which the tiles' BV trees are quantised. The cell height is the step that all heights of corners are
//! multiples of, if there is one, or a part of it. The largest distance that a position is moved is reported.
//!
//! Portals are snapped to the tile's border. Faults that a tile of navtile must not have are repaired, each
//! with a diagnostic that names the place: see [`Repair`].
//!
//! Cost: O(n log n) in vertices and polygons.

mod diagnostic;
mod draft;
mod error;
mod finish;
mod frame;
mod meta;
mod outline;
mod portals;
mod ribbon;
mod shape;
mod step;
mod widen;

use crate::detour::DetourTile;
use crate::foreign::Foreign;
use crate::mset::{NavMeshParams, TileSet};
use draft::Draft;
use error::{coord, refuse};
use frame::Frame;
use navmath::sort::SharedSort;
use navtile::{Meta, Tile};

pub use diagnostic::{ImportDiagnostic, Repair};
pub use draft::REFUSAL_LIMIT;
pub use error::ImportError;

/// The result of an import.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Metadata for a file: agent, lattice, areas.
    pub meta: Meta,
    /// The tiles, in canonical order.
    pub tiles: Vec<Tile>,
    /// Everything that had to be repaired or left out, tile by tile.
    pub diagnostics: Vec<ImportDiagnostic>,
    /// Largest distance that any position was moved along each axis, metres.
    pub largest_error: [f64; 3],
}

impl Imported {
    /// Imports one tile: reads it into a draft, repairs that step by step, and writes it.
    fn add(&mut self, frame: &Frame, tile: &DetourTile) -> Result<(), ImportError> {
        let mut draft = Draft::read(frame.grid(tile), tile, &mut self.diagnostics)?;
        portals::snap(&mut draft);
        draft.measure();
        shape::mend(&mut draft);
        portals::check(&mut draft);
        draft.flags();
        let links = draft.links(frame);
        for (most, error) in self.largest_error.iter_mut().zip(draft.largest_error) {
            *most = most.max(error);
        }
        self.tiles.push(draft.write(links)?);
        Ok(())
    }
}

/// Imports the contents of several files, in any order: one tile set; or tiles, with or without a map's
/// parameters.
///
/// Errors: the same as for [`fn@import`]; parameters in more than one file.
///
/// ```
/// use navinterop::{RefWidth, export, import_files, mset, read};
/// # use recast::{Level, PreparedLevel, Scratch, Settings, Silent, bake_solo};
/// # let floor = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 0.0, 10.0], [0.0, 0.0, 10.0]],
/// #     triangles: vec![[0, 2, 1], [0, 3, 2]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&floor, &Settings::default())?;
/// # let tile = bake_solo(&level, &Silent, &mut Scratch::new())?.tile;
/// let set = mset::write(&export(&[tile], RefWidth::Bits32)?.set)?;
/// let imported = import_files(vec![read(&set)?])?;
/// assert!(imported.diagnostics.is_empty(), "nothing had to be repaired");
/// let file: Vec<u8> = navtile::write_file(&imported.meta, &imported.tiles)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
            Foreign::Layers(_) => return Err(ImportError::Layers),
        };
        if found.is_some() && params.is_some() {
            return Err(ImportError::Parameters);
        }
        params = params.or(found);
    }
    import(params.as_ref(), &tiles)
}

/// Imports tiles. Without parameters, the box of the first tile gives the size of all tiles, and its position
/// the origin.
///
/// Errors: no tiles; two at the same place; tiles for different agents; sizes that are not a whole number of
/// cells; positions, agents or sizes beyond the limits of navtile's format.
pub fn import(params: Option<&NavMeshParams>, tiles: &[DetourTile]) -> Result<Imported, ImportError> {
    let mut order: Vec<&DetourTile> = tiles.iter().collect();
    order.shared_sort_by_key(|tile| coord(tile));
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
        imported.add(&frame, tile)?;
    }
    imported.meta.areas = meta::areas(&imported.tiles);
    Ok(imported)
}

/// Checks that two consecutive tiles can be in one file with the first.
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
