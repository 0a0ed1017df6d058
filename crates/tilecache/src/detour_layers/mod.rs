//! Converts the layers of Detour's tile caches to tiles of navtile. In both formats a tile is made of floors
//! on a lattice of cells, so nothing is rounded: cell size, cell height and origin are those of the cache.
//!
//! All layers of a tile, and the border that the layers of neighbouring tiles make, are joined into one
//! field. Storeys are in columns again, and steps lead from layer to layer and from tile to tile, where the
//! cache has portals. From there on the bake is that of [`recast`]: regions, contours, polygons, and a detail
//! mesh that follows the floors, which Detour's tiles do not have.
//!
//! Cost: that of the bake, on all cores; one tile and its border are unpacked at a time on each.

mod error;
mod ground;
mod places;
mod settings;

pub use error::{LayerDiagnostic, LayerImportError};

use ground::Ground;
use navinterop::tset::LayerSet;
use navlayers::heightfield_layers::{JoinParams, Joined, join};
use navtile::{Meta, Tile, TileCoord};
use places::Places;
use rayon::prelude::*;
use recast::{DiagnosticKind, PreparedLevel, Scratch, Silent, bake_field};

/// The result of an import.
#[derive(Clone, Debug)]
pub struct ImportedLayers {
    /// Metadata for a file: agent, lattice, areas, the settings of the bake.
    pub meta: Meta,
    /// The tiles, in canonical order; those without ground are left out.
    pub tiles: Vec<Tile>,
    /// Everything that could not be kept, tile by tile.
    pub diagnostics: Vec<LayerDiagnostic>,
    /// Longest move of a layer along each axis to align it with whole cells, metres.
    pub largest_error: [f64; 3],
}

/// Imports a tile cache. Its files do not contain off-mesh connections and flags: Detour's program adds them
/// as it builds tiles.
///
/// Errors: no layers; two layers at one place, or more than 32 in one tile; layers that are larger than their
/// tile, or not at the place that their column and row state; numbers that are not valid settings of a bake;
/// a bake that fails.
///
/// ```
/// use navinterop::mset::NavMeshParams;
/// use navinterop::tset::{self, CacheParams, CachedLayer, LayerCells, LayerHeader, LayerSet, StoredLayer};
///
/// // Ground of 20 by 20 cells without any steps to its neighbours.
/// let connections = (0..400).map(|cell| {
///     let (x, z) = (cell % 20, cell / 20);
///     u8::from(x > 0) | u8::from(z < 19) << 1 | u8::from(x < 19) << 2 | u8::from(z > 0) << 3
/// });
/// let connections = connections.collect();
/// let cells = LayerCells { heights: vec![0; 400], areas: vec![63; 400], connections };
/// let header = LayerHeader { width: 20, height: 20, ..LayerHeader::default() };
/// let layer = CachedLayer { layer_ref: 1, layer: StoredLayer::new(header, &cells)? };
/// let cache_params = CacheParams {
///     cell_size: 0.3,
///     cell_height: 0.2,
///     width: 20,
///     height: 20,
///     walkable_height: 2.0,
///     walkable_radius: 0.6,
///     walkable_climb: 0.9,
///     max_simplification_error: 1.3,
///     ..CacheParams::default()
/// };
/// let set = LayerSet { cache_params, layers: vec![layer], ..LayerSet::default() };
///
/// let imported = tilecache::detour_layers::import(&set)?;
/// assert_eq!(imported.tiles[0].polygons().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn import(set: &LayerSet) -> Result<ImportedLayers, LayerImportError> {
    let settings = settings::of(&set.cache_params)?;
    let origin = set.cache_params.origin.map(settings::shortest);
    let level = PreparedLevel::without_triangles(&settings, origin, [1; 3], 0.0)
        .map_err(LayerImportError::Settings)?;
    let places = Places::new(set)?;
    let made: Vec<Result<Made, LayerImportError>> = places
        .tiles()
        .into_par_iter()
        .map_init(Scratch::new, |scratch, coord| make(&level, &places, coord, scratch))
        .collect();
    let mut imported = ImportedLayers {
        meta: settings::meta(&level, set.cache_params.width),
        tiles: Vec::with_capacity(made.len()),
        diagnostics: Vec::new(),
        largest_error: places.largest_error,
    };
    for made in made {
        let Made { tile, diagnostics } = made?;
        imported.tiles.extend(tile);
        imported.diagnostics.extend(diagnostics);
    }
    imported.meta.areas = settings::areas(&settings, &imported.tiles);
    Ok(imported)
}

/// A tile, if it has ground, and reports of data that could not be kept.
struct Made {
    tile: Option<Tile>,
    diagnostics: Vec<LayerDiagnostic>,
}

fn make(
    level: &PreparedLevel,
    places: &Places<'_>,
    coord: TileCoord,
    scratch: &mut Scratch,
) -> Result<Made, LayerImportError> {
    let Ground { grid, layers } = Ground::new(places, coord, &level.config)?;
    let Joined { field, open_steps, doubled } = join(&grid, &layers, &JoinParams::from(&level.config));
    let baked = bake_field(level, coord, field, &Silent, scratch)
        .map_err(|source| LayerImportError::Bake { coord, source })?;
    let mut diagnostics = Vec::new();
    let mut note = |at: Option<[f64; 3]>, what: String| diagnostics.push(LayerDiagnostic { coord, at, what });
    if open_steps > 0 {
        note(
            None,
            format!("{open_steps} steps lead to ground that the file does not have: they became walls"),
        );
    }
    if doubled > 0 {
        note(None, format!("{doubled} floors are in the place of others: they were left out"));
    }
    for diagnostic in baked.diagnostics {
        if diagnostic.kind != DiagnosticKind::EmptyMesh && !diagnostic.kind.is_note() {
            note(diagnostic.place, diagnostic.message);
        }
    }
    let tile = Some(baked.tile).filter(|tile| !tile.polygons().is_empty());
    Ok(Made { tile, diagnostics })
}
