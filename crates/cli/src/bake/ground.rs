//! The geometry that tiles are baked from, held whole or in windows, and the input of each tile.

use super::windows::{WindowWork, Windows};
use crate::source::Stop;
use navlevel::{Job, PreparedPiece, Tiling, job_memory};
use navtile::TileCoord;
use rayon::prelude::*;
use recast::{Error, PreparedLevel};
use std::collections::{BTreeMap, BTreeSet};

/// A level cut into tiles, with all or some of its triangles at a time.
pub(super) enum Ground<'a> {
    /// All triangles.
    Whole(Box<Tiling<'a>>),
    /// The triangles of some tiles at a time.
    Windows(Box<Windows>),
}

/// For each agent, tiles in canonical order.
type AgentCoords = Vec<Vec<TileCoord>>;

/// The input of the tiles that a run bakes.
pub(super) struct TileInputs {
    /// For each agent, the tiles with any input, in canonical order.
    pub(super) coords: AgentCoords,
    /// For each agent, the hash of each of these tiles' input.
    pub(super) hashes: Vec<Vec<[u8; 16]>>,
    /// Number of triangles that may reach each tile.
    triangles: BTreeMap<TileCoord, usize>,
    /// For each agent, the digest of the level at each tile with triangles, if spans are kept.
    level_hashes: Vec<BTreeMap<TileCoord, [u8; 16]>>,
    /// Maximum memory of the triangles at one time, bytes.
    pub(super) standing: u64,
    /// Memory of each tile while it is baked, for the agent that needs most, bytes.
    pub(super) needs: Vec<(u64, TileCoord)>,
}

impl Ground<'_> {
    /// The level for each agent: without triangles, if they are not held.
    pub(super) fn levels(&self) -> &[PreparedLevel] {
        match self {
            Ground::Whole(tiling) => tiling.levels(),
            Ground::Windows(windows) => windows.levels(),
        }
    }

    /// Cells on a side of a tile; 0 if the level is one tile.
    pub(super) fn tile_cells(&self) -> u32 {
        match self {
            Ground::Whole(tiling) => tiling.tile_cells(),
            Ground::Windows(windows) => windows.grid().tile_cells(),
        }
    }

    /// The pieces in the level, for one of the agents.
    pub(super) fn pieces(&self, agent: usize) -> Box<dyn Iterator<Item = &PreparedPiece> + '_> {
        match self {
            Ground::Whole(tiling) => Box::new(tiling.pieces(agent)),
            Ground::Windows(windows) => Box::new(windows.pieces(agent)),
        }
    }

    /// Does `work` with the triangles of these tiles, or of all tiles: once, or window by window. The
    /// function that `work` gets returns true for tiles in the window.
    pub(super) fn each(
        &self,
        tiles: Option<&BTreeSet<TileCoord>>,
        work: &mut WindowWork<'_>,
    ) -> Result<(), Stop> {
        match self {
            Ground::Whole(tiling) => work(tiling, &|_| true),
            Ground::Windows(windows) => windows.each(tiles, work),
        }
    }
}

impl TileInputs {
    /// The inputs of the tiles that `own` selects from all tiles, for each agent; with `keeps_spans`, digests
    /// of the level, too.
    pub(super) fn of(
        ground: &Ground<'_>,
        keeps_spans: bool,
        own: &dyn Fn(&Tiling<'_>, AgentCoords) -> Result<AgentCoords, Error>,
    ) -> Result<TileInputs, Stop> {
        let agents = ground.levels().len();
        let mut found: Vec<Vec<(TileCoord, [u8; 16])>> = vec![Vec::new(); agents];
        let mut inputs = TileInputs {
            coords: vec![Vec::new(); agents],
            hashes: vec![Vec::new(); agents],
            triangles: BTreeMap::new(),
            level_hashes: vec![BTreeMap::new(); agents],
            standing: 0,
            needs: Vec::new(),
        };
        ground.each(None, &mut |tiling, has| {
            let all = (0..agents)
                .map(|agent| Ok(tiling.coords_of(agent)?.into_iter().filter(|coord| has(*coord)).collect()));
            let own = own(tiling, all.collect::<Result<_, Error>>()?)?;
            for (agent, coords) in own.iter().enumerate() {
                let hash = |coord: &TileCoord| Ok((*coord, tiling.input_hash(agent, *coord)?.0));
                found[agent].extend(coords.par_iter().map(hash).collect::<Result<Vec<_>, Error>>()?);
                let with_triangles =
                    coords.iter().filter(|coord| keeps_spans && tiling.triangle_count(**coord) > 0);
                for coord in with_triangles {
                    inputs.level_hashes[agent].insert(*coord, tiling.level_hash(agent, *coord)?.0);
                }
            }
            let tiles: BTreeSet<TileCoord> = own.into_iter().flatten().collect();
            let tiles: Vec<TileCoord> = tiles.into_iter().collect();
            inputs.triangles.extend(tiles.iter().map(|coord| (*coord, tiling.triangle_count(*coord))));
            let need = |coord: &TileCoord| {
                let job = Job { coord: *coord, agents: (0..agents).collect() };
                Ok((job_memory(tiling, &job)?, *coord))
            };
            inputs.needs.extend(tiles.par_iter().map(need).collect::<Result<Vec<_>, Error>>()?);
            inputs.standing = inputs.standing.max(tiling.levels()[0].memory() + tiling.memory());
            Ok(())
        })?;
        for (agent, mut found) in found.into_iter().enumerate() {
            found.sort_unstable_by_key(|(coord, _)| *coord);
            (inputs.coords[agent], inputs.hashes[agent]) = found.into_iter().unzip();
        }
        inputs.needs.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        Ok(inputs)
    }

    /// The tiles of any agent, in canonical order.
    pub(super) fn tiles(&self) -> Vec<TileCoord> {
        self.triangles.keys().copied().collect()
    }

    /// Number of triangles that may reach a tile and its border.
    pub(super) fn triangle_count(&self, coord: TileCoord) -> usize {
        self.triangles.get(&coord).copied().unwrap_or(0)
    }

    /// The digest of the level at a tile, if it has triangles and spans are kept.
    pub(super) fn level_hash(&self, agent: usize, coord: TileCoord) -> Option<[u8; 16]> {
        self.level_hashes.get(agent)?.get(&coord).copied()
    }

    /// The digest of the level at each of an agent's tiles with triangles, if spans are kept.
    pub(super) fn level_hashes(&self, agent: usize) -> &BTreeMap<TileCoord, [u8; 16]> {
        &self.level_hashes[agent]
    }

    /// The tiles of an agent whose spans are kept, in canonical order, with the digest of the level there.
    pub(super) fn kept(&self, agent: usize) -> Vec<(TileCoord, [u8; 16])> {
        self.level_hashes[agent].iter().map(|(coord, hash)| (*coord, *hash)).collect()
    }

    /// The hash of a tile's input; zeros for a tile without input.
    pub(super) fn hash(&self, agent: usize, coord: TileCoord) -> [u8; 16] {
        self.coords[agent].binary_search(&coord).map_or([0; 16], |place| self.hashes[agent][place])
    }
}
