//! The quality of a mesh, ours compared with the C++ library's: eight measures of a level, baked whole and
//! in tiles.
//!
//! - [`bake`]: one bake by either library, reduced to the data that the measures need.
//! - [`prune`]: small islands dropped over all tiles, as our tiled bakes do.
//! - [`ground`], [`surface`]: all floors of a level, and its finished mesh, for any division into tiles.
//! - [`coverage`], [`conservation`], [`seams`], [`islands`], [`height`], [`paths`], [`capsules`],
//!   [`complexity`], [`margins`]: the measures.
//! - [`any_angle`], [`cells`]: the true shortest path, over floors or over a mesh.
//! - [`columns`], [`pairs`]: the figures of each mesh, and the pairs of places that all meshes are queried
//!   with.
//! - [`report`]: the table and the JSON.
//!
//! Each mesh is measured against the floors of its own bake. All results depend only on the level, the
//! settings and the seed.

pub mod any_angle;
pub mod bake;
pub mod capsules;
pub mod cells;
pub mod columns;
pub mod complexity;
pub mod conservation;
pub mod coverage;
pub mod ground;
pub mod height;
pub mod islands;
pub mod margins;
pub mod pairs;
pub mod paths;
pub mod prune;
pub mod report;
pub mod seams;
pub mod surface;
#[cfg(test)]
pub(crate) mod testing;
pub mod worst;

use crate::chain::ChainError;
use bake::MeasuredBake;
use capsules::CapsuleWorld;
pub use columns::{LevelQuality, Measures, MeshVariant, Tiles, VariantMeasures};
use detour::{MeshError, NavMesh, QueryError};
use ground::Ground;
use margins::MarginWorld;
use navlevel::Tiling;
use navtile::Tile;
use pairs::{draw, floor_lengths};
use paths::SearchedMesh;
use recast::TileBuild;
use recast::{Level, PreparedLevel, Settings};
use surface::Surface;

/// Options of the measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QualityOptions {
    /// Cells along a tile of the tiled bakes, at least 1.
    pub tile_cells: u32,
    /// Pairs of places to find paths between.
    pub pairs: usize,
    /// Seed of the random numbers that pick them.
    pub seed: u64,
    /// About this many samples of each mesh, and of the ground, are tested with a capsule.
    pub capsules: usize,
}

impl Default for QualityOptions {
    fn default() -> QualityOptions {
        QualityOptions { tile_cells: 48, pairs: 1000, seed: 1, capsules: 20_000 }
    }
}

/// A level that cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum QualityError {
    /// A bake failed.
    #[error(transparent)]
    Bake(#[from] ChainError),
    /// The level is refused, or cannot be cut into such tiles.
    #[error(transparent)]
    Level(#[from] recast::Error),
    /// The runtime refuses a tile.
    #[error("the runtime: {0}")]
    Mesh(#[from] MeshError),
    /// The runtime refuses a question.
    #[error("the runtime: {0}")]
    Query(#[from] QueryError),
}

/// The tiles of those bakes that have one.
fn tiles(bakes: &[MeasuredBake]) -> impl Iterator<Item = &Tile> {
    bakes.iter().filter_map(|bake| bake.tile.as_ref())
}

/// A level baked by one library, whole or in tiles.
#[derive(Debug)]
pub struct Whole {
    /// Its bakes.
    pub bakes: Vec<MeasuredBake>,
    /// Its floors.
    pub ground: Ground,
    /// Its mesh as a surface.
    pub surface: Surface,
    /// The result of [`Surface::footing`].
    pub footing: Vec<Option<(u32, f64)>>,
    /// Its mesh in the runtime's form, at the lattice's origin.
    pub mesh: NavMesh,
}

impl Whole {
    /// Assembles bakes.
    pub fn new(prepared: &PreparedLevel, bakes: Vec<MeasuredBake>) -> Result<Whole, QualityError> {
        let ground = Ground::new(&bakes);
        let surface = Surface::of_tiles(tiles(&bakes), ground.width, ground.depth);
        let footing = surface.footing(&ground, prepared.config.walkable_height);
        let mut mesh = NavMesh::new(prepared.lattice.origin)?;
        for tile in tiles(&bakes) {
            mesh.add_tile(tile.clone())?;
        }
        Ok(Whole { bakes, ground, surface, footing, mesh })
    }

    /// The island over each floor, and each island's area in cells squared.
    fn islands(&self) -> (islands::Labels, Vec<f64>) {
        let found = self.mesh.islands();
        let of_polygon: Vec<Option<u32>> =
            self.mesh.polygons().map(|polygon| found.of(polygon).map(|island| island as u32)).collect();
        let label = |footing: &Option<(u32, f64)>| footing.and_then(|(patch, _)| of_polygon[patch as usize]);
        let cell = self.mesh.lattice().map_or(1.0, |lattice| lattice.cell_size);
        let areas = found.list().iter().map(|island| island.area / (cell * cell)).collect();
        (self.footing.iter().map(label).collect(), areas)
    }
}

/// Measures a level. If the C++ library cannot bake it, or not into a sound tile, its columns say so.
pub fn measure(
    name: &str,
    level: &Level,
    prepared: &PreparedLevel,
    options: &QualityOptions,
) -> Result<LevelQuality, QualityError> {
    let mut wholes = Vec::new();
    let mut refused = Vec::new();
    for column in MeshVariant::ALL {
        let outlines = column.outlines();
        let settings = Settings { outlines, ..prepared.config.settings.clone() };
        let prepared = &prepared.with_cells(&settings)?;
        let builds = if column.is_tiled() {
            cut(prepared, options.tile_cells)?
        } else {
            vec![TileBuild::solo(prepared)]
        };
        match bake_all(column, level, prepared, &builds, options.tile_cells) {
            Ok(whole) => wholes.push((column, whole)),
            Err(error) if column.is_ours() => return Err(error),
            Err(error) => refused.push((column, Err(error.to_string()))),
        }
    }
    let world = CapsuleWorld::new(level, prepared);
    let mut columns = measure_wholes(prepared, &wholes, &world, options)?;
    columns.extend(refused);
    columns.sort_by_key(|(column, _)| *column);
    let lattice = &prepared.lattice;
    Ok(LevelQuality {
        name: name.to_owned(),
        options: *options,
        cell: [lattice.cell_size, lattice.cell_height],
        origin: lattice.origin,
        columns,
    })
}

/// The tiles of a level that contain part of a triangle.
fn cut(prepared: &PreparedLevel, tile_cells: u32) -> Result<Vec<TileBuild>, recast::Error> {
    let coords = Tiling::new(prepared, tile_cells)?.coords();
    coords.into_iter().map(|coord| TileBuild::tiled(prepared, tile_cells, coord)).collect()
}

fn bake_all(
    column: MeshVariant,
    level: &Level,
    prepared: &PreparedLevel,
    builds: &[TileBuild],
    tile_cells: u32,
) -> Result<Whole, QualityError> {
    if !column.is_ours() {
        let bakes = builds.iter().map(|build| bake::theirs(level, prepared, build));
        return Whole::new(prepared, bakes.collect::<Result<_, _>>()?);
    }
    let both = builds.iter().map(|build| bake::ours(prepared, build)).collect::<Result<Vec<_>, _>>()?;
    let (mut bakes, baked): (Vec<_>, Vec<_>) = both.into_iter().unzip();
    if column.is_tiled() {
        prune::prune(prepared, tile_cells, &mut bakes, baked)?;
    }
    Whole::new(prepared, bakes)
}

fn measure_wholes(
    prepared: &PreparedLevel,
    wholes: &[(MeshVariant, Whole)],
    world: &CapsuleWorld,
    options: &QualityOptions,
) -> Result<Vec<VariantMeasures>, QualityError> {
    let asked = wholes
        .iter()
        .map(|(_, whole)| SearchedMesh::new(&whole.mesh, &whole.surface, &whole.ground, &whole.footing))
        .collect::<Result<Vec<_>, _>>()?;
    let solo = |column: MeshVariant| {
        wholes.iter().find(|(other, _)| *other == column.solo()).map(|(_, whole)| whole)
    };
    let margin_world = MarginWorld::new(world, prepared);
    let drawn = wholes.first().map(|(_, whole)| draw(&whole.ground, &asked, options)).unwrap_or_default();
    let mut columns = Vec::new();
    for (index, (column, whole)) in wholes.iter().enumerate() {
        let reference = solo(*column).filter(|_| column.is_tiled());
        let lengths = floor_lengths(&whole.ground, &drawn.pairs);
        let mut measures = measure_whole(prepared, whole, &asked[index], reference);
        measures.capsules = world.measure(prepared, &whole.surface, options.capsules);
        measures.margins = margin_world.measure(tiles(&whole.bakes));
        measures.paths = paths::measure(&asked[index], &drawn.pairs, &lengths)?;
        measures.apart = drawn.apart[index];
        columns.push((*column, Ok(measures)));
    }
    Ok(columns)
}

/// All measures except paths, capsules and margins; tiles are compared with `solo`.
fn measure_whole(
    prepared: &PreparedLevel,
    whole: &Whole,
    asked: &SearchedMesh<'_>,
    solo: Option<&Whole>,
) -> Measures {
    let config = &prepared.config;
    let Whole { bakes, ground, surface, footing, .. } = whole;
    let error = f64::from(config.contour_max_error);
    let compared = solo.map(|solo| {
        let ((labels, areas), (own_labels, own_areas)) = (solo.islands(), whole.islands());
        let least = f64::from(config.region_min_cells);
        Tiles {
            seams: seams::measure(tiles(bakes)),
            components: islands::components(&solo.ground, ground),
            islands: islands::compare(
                islands::Islands { ground: &solo.ground, labels: &labels, areas: &areas },
                islands::Islands { ground, labels: &own_labels, areas: &own_areas },
                least,
            ),
        }
    });
    Measures {
        polygons: surface.patches.len(),
        coverage: coverage::measure(ground, surface, footing, config.walkable_height, error),
        conservation: conservation::measure(bakes),
        tiles: compared,
        height: height::measure(ground, footing, config.walkable_climb),
        complexity: complexity::measure(
            tiles(bakes),
            ground,
            surface,
            asked.graph(),
            [config.walkable_height, config.region_min_cells as i32],
        ),
        ..Measures::default()
    }
}

#[cfg(test)]
mod tests;
