//! Explains a place of a level that is baked in tiles: the tile that contains it, and whether its island is
//! kept, which no tile knows by itself. Cost: that of [`explain`] for one tile, and the bake of all tiles if
//! there is mesh at the place.

use super::explanation::{Column, Explanation, Location};
use super::{cell_at, exact, explain, explain_once, tile_at};
use navlevel::Tiling;
use navlevel::{Job, bake_jobs};
use navlevel::{graph_grid, graph_node};
use navlinks::{Reason, ReasonCode};
use navtile::graph::{TileNode, local_islands};
use navtile::{IslandGraph, Tile, TileCoord};
use recast::Baked;
use recast::Error;
use recast::Observer;
use recast::PreparedLevel;
use recast::Scratch;
use recast::TileBuild;
use std::sync::{Mutex, PoisonError};

/// Like [`explain`], for a level that is baked in tiles of `tile_cells` cells: explains the place in the tile
/// that contains it, as [`navlevel::bake_tiles`] bakes it.
///
/// # Errors
/// The errors of the bake, [`Error::Cancelled`] among them.
pub fn explain_tiled(
    level: &PreparedLevel,
    tile_cells: u32,
    at: [f64; 3],
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Explanation, Error> {
    let solo = TileBuild::solo(level);
    let within = |axis: usize, count: u32| (0.0..f64::from(count)).contains(&cell_at(level, at, axis));
    if !within(0, solo.grid.width) || !within(2, solo.grid.depth) {
        return explain(level, &solo, at, observer, scratch);
    }
    let coord = tile_at(level, tile_cells, at);
    let build = TileBuild::tiled(level, tile_cells, coord)?;
    let mut explanation = explain_once(level, &build, at, observer, scratch)?;
    if let Location::Column(column) = &mut explanation.location
        && !column.polygons.is_empty()
    {
        let dropped = DroppedIslands::find(level, tile_cells, coord, observer)?;
        dropped.take_from(column, level);
    }
    explanation.remedy = exact::remedy(level, &explanation, (observer, scratch), |level, scratch| {
        explain_tiled(level, tile_cells, at, observer, scratch)
    })?;
    Ok(explanation)
}

/// The polygons of a tile whose islands are too small, over all tiles that they reach.
struct DroppedIslands {
    /// For each polygon of the tile, the cells of its island if the island is dropped.
    cells: Vec<Option<u64>>,
}

impl DroppedIslands {
    fn find(
        level: &PreparedLevel,
        tile_cells: u32,
        coord: TileCoord,
        observer: &dyn Observer,
    ) -> Result<DroppedIslands, Error> {
        let tiling = Tiling::new(level, tile_cells)?;
        let jobs: Vec<Job> =
            tiling.coords().into_iter().map(|coord| Job { coord, agents: vec![0] }).collect();
        let made: Mutex<(Vec<TileNode>, Option<Tile>)> = Mutex::default();
        let memory = level.config.settings.memory_bound;
        bake_jobs(&tiling, &jobs, memory, observer, &|_, baked: Baked| {
            let node = graph_node(level, &baked, [0; 16]);
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            made.0.push(node);
            if baked.tile.coord() == coord {
                made.1 = Some(baked.tile);
            }
            Ok::<(), Error>(())
        })?;
        let (nodes, tile) = made.into_inner().unwrap_or_else(PoisonError::into_inner);
        let graph = IslandGraph::new(nodes);
        let min_cells = u64::from(level.config.region_min_cells);
        let verdict = graph.judge(&graph_grid(level, tile_cells), min_cells, None);
        let (Some(tile), Some(node)) = (tile, graph.find(coord)) else {
            return Ok(DroppedIslands { cells: Vec::new() });
        };
        let cells = local_islands(&tile).into_iter().map(|local| {
            let island = verdict.islands.island_of[node][local as usize];
            (!verdict.keeps(node, local)).then(|| verdict.islands.cells[island as usize])
        });
        Ok(DroppedIslands { cells: cells.collect() })
    }

    /// Takes the dropped polygons out of a column, and gives the floors under them the cause.
    fn take_from(&self, column: &mut Column, level: &PreparedLevel) {
        let cell_area = level.lattice.cell_size * level.lattice.cell_size;
        let lost = |polygon: usize| self.cells.get(polygon).copied().flatten();
        let mut left = Vec::with_capacity(column.polygons.len());
        let mut place = Vec::with_capacity(column.polygons.len());
        for covering in &column.polygons {
            let cells = lost(covering.polygon);
            place.push(match cells {
                Some(cells) => Err(cells),
                None => Ok(left.len()),
            });
            left.extend(cells.is_none().then_some(*covering));
        }
        column.polygons = left;
        for floor in &mut column.floors {
            match floor.polygon.map(|polygon| place[polygon]) {
                None => {}
                Some(Ok(kept)) => floor.polygon = Some(kept),
                Some(Err(cells)) => {
                    floor.polygon = None;
                    let least = f64::from(level.config.region_min_cells) * cell_area;
                    let area = cells as f64 * cell_area;
                    floor.cause.get_or_insert(Reason::compared(ReasonCode::RegionTooSmall, area, least));
                }
            }
        }
    }
}
