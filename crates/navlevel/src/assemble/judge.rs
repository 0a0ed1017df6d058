//! Decides which islands of a level are kept, and finds its links.

use super::AssembleError;
use crate::{SEED_REACH, graph_grid, is_near_seed, island_at, min_island_cells};
use navlinks::{GeneratedLink, GroundStore, LinkIslands, find_links, join_links};
use navtile::graph::{GraphGrid, SurvivingIslands};
use navtile::{IslandGraph, Tile, TileCoord};
use recast::PreparedLevel;

/// The islands and links of a level whose tiles are baked.
#[derive(Clone, Debug)]
pub struct LevelTiles {
    /// All tiles, with their islands before anything is dropped, and the ends of links.
    pub graph: IslandGraph,
    /// The islands that are kept.
    pub surviving: SurvivingIslands,
    /// All links between islands that are large enough.
    pub links: Vec<GeneratedLink>,
}

impl LevelTiles {
    /// Numbers of the nodes with kept islands, in canonical order.
    pub fn surviving_nodes(&self) -> impl Iterator<Item = usize> {
        (0..self.graph.nodes().len()).filter(|&node| self.surviving.keeps_any(node))
    }
}

/// The rules for the islands of a level.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    level: &'a PreparedLevel,
    tile_cells: u32,
    reachable_from: Option<[f64; 3]>,
    min_cells: u64,
    grid: GraphGrid,
    memory: u64,
}

impl<'a> Judge<'a> {
    /// The rules of a level in tiles of `tile_cells` cells, 0 for one tile. Everything that is kept is
    /// reachable from a place, world metres, if one is given.
    pub fn new(level: &'a PreparedLevel, tile_cells: u32, reachable_from: Option<[f64; 3]>) -> Judge<'a> {
        let (min_cells, grid) = (min_island_cells(level, tile_cells), graph_grid(level, tile_cells));
        let memory = level.config.settings.memory_bound;
        Judge { level, tile_cells, reachable_from, min_cells, grid, memory }
    }

    /// These rules, but for islands of at least `min_cells` cells, as a share of the level states it.
    #[must_use]
    pub fn with_min_cells(self, min_cells: u64) -> Judge<'a> {
        Judge { min_cells, ..self }
    }

    /// These rules, but links are found on the ground of at most `memory` bytes at a time, if possible.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Judge<'a> {
        Judge { memory: self.memory.min(memory), ..self }
    }

    /// The level.
    pub fn level(&self) -> &'a PreparedLevel {
        self.level
    }

    /// Side of a tile in cells; 0 for one tile.
    pub fn tile_cells(&self) -> u32 {
        self.tile_cells
    }

    /// Returns true if a tile is within reach of the place that everything must be reachable from.
    pub fn is_near_seed(&self, coord: TileCoord) -> bool {
        self.reachable_from.is_some_and(|place| is_near_seed(self.level, self.tile_cells, place, coord))
    }

    /// Cells and heights of the island graph.
    pub fn grid(&self) -> &GraphGrid {
        &self.grid
    }

    /// The smallest island that is kept, cells.
    pub fn min_cells(&self) -> u64 {
        self.min_cells
    }

    /// Memory for the ground that links are found on at a time, bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Finds the links of a level on the ground of its tiles, and joins the graph by them. A level without
    /// ground gets no links.
    ///
    /// # Errors
    /// Ground that cannot be read.
    pub fn link<G: GroundStore>(
        &self,
        graph: IslandGraph,
        ground: &G,
    ) -> Result<(IslandGraph, Vec<GeneratedLink>), G::Error> {
        let islands = LinkIslands { graph: &graph, grid: self.grid, min_cells: self.min_cells };
        let links = find_links(self.level, islands, ground, self.memory)?;
        Ok((join_links(graph, &links), links))
    }

    /// Decides which islands of a graph that is joined by its links are kept. `tile` returns the tile at a
    /// coordinate, if it exists, before anything was removed from it.
    ///
    /// # Errors
    /// The errors of `tile`, and a place that is not on the ground.
    pub fn keep<E>(
        &self,
        graph: &IslandGraph,
        tile: impl FnMut(TileCoord) -> Result<Option<Tile>, E>,
    ) -> Result<SurvivingIslands, AssembleError<E>> {
        let seed = match self.reachable_from {
            None => None,
            Some(place) => {
                let seed = self.seed(graph, place, tile).map_err(AssembleError::Store)?;
                Some(seed.ok_or(AssembleError::NoGround(place))?)
            }
        };
        Ok(graph.judge(&self.grid, self.min_cells, seed.as_ref().map(std::slice::from_ref)))
    }

    /// Finds the links of a level and judges its islands. All of its tiles must be new.
    ///
    /// # Errors
    /// The errors of [`Judge::link`] and [`Judge::keep`].
    pub fn judge<G: GroundStore>(
        &self,
        graph: IslandGraph,
        ground: &G,
        tile: impl FnMut(TileCoord) -> Result<Option<Tile>, G::Error>,
    ) -> Result<LevelTiles, AssembleError<G::Error>> {
        let (graph, links) = self.link(graph, ground).map_err(AssembleError::Store)?;
        let surviving = self.keep(&graph, tile)?;
        Ok(LevelTiles { graph, surviving, links })
    }

    /// The local island nearest to a place, within [`SEED_REACH`], and the index of its node; `None` without
    /// ground.
    fn seed<E>(
        &self,
        graph: &IslandGraph,
        place: [f64; 3],
        mut tile: impl FnMut(TileCoord) -> Result<Option<Tile>, E>,
    ) -> Result<Option<(usize, u32)>, E> {
        let [across, up] = SEED_REACH;
        let mut best: Option<(f64, usize, u32)> = None;
        for (node, coord) in graph.nodes().iter().map(|node| node.coord()).enumerate() {
            if !self.is_near_seed(coord) {
                continue;
            }
            let Some(tile) = tile(coord)? else { continue };
            if let Some((island, distance)) = island_at(self.level, &tile, place, across, up)
                && best.is_none_or(|(known, ..)| distance < known)
            {
                best = Some((distance, node, island));
            }
        }
        Ok(best.map(|(_, node, island)| (node, island)))
    }
}
