//! The input of the tiles that a bake makes: hashes, numbers of triangles, memory.

use super::Triangles;
use crate::{Job, Tiling, job_memory};
use navtile::TileCoord;
use rayon::prelude::*;
use recast::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// For each agent, tiles in canonical order.
pub type AgentCoords = Vec<Vec<TileCoord>>;

/// The input of the tiles that a run bakes.
pub struct TileInputs {
    /// For each agent, the tiles with any input, in canonical order.
    pub coords: AgentCoords,
    /// For each agent, the hash of each of these tiles' input.
    pub hashes: Vec<Vec<[u8; 16]>>,
    /// Number of triangles that may reach each tile.
    triangles: BTreeMap<TileCoord, usize>,
    /// For each agent, the digest of the level at each tile with triangles, if spans are cached.
    level_hashes: Vec<BTreeMap<TileCoord, [u8; 16]>>,
    /// Maximum memory of the triangles at one time, bytes.
    pub standing: u64,
    /// Memory of each tile while it is baked, for the agent that needs most, bytes.
    pub needs: Vec<(u64, TileCoord)>,
}

impl TileInputs {
    /// The inputs of the tiles that `own` selects from all tiles, for each agent; with `keeps_spans`, digests
    /// of the level, too.
    ///
    /// # Errors
    /// A level that is too large, and a temporary file that cannot be read.
    pub fn of<E: From<Error> + From<io::Error>>(
        triangles: &Triangles<'_>,
        keeps_spans: bool,
        own: &dyn Fn(&Tiling<'_>, AgentCoords) -> Result<AgentCoords, Error>,
    ) -> Result<TileInputs, E> {
        let agents = triangles.levels().len();
        let mut found: Vec<Vec<(TileCoord, [u8; 16])>> = vec![Vec::new(); agents];
        let mut inputs = TileInputs {
            coords: vec![Vec::new(); agents],
            hashes: vec![Vec::new(); agents],
            triangles: BTreeMap::new(),
            level_hashes: vec![BTreeMap::new(); agents],
            standing: 0,
            needs: Vec::new(),
        };
        triangles.each::<E>(None, &mut |tiling, has| {
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
    pub fn tiles(&self) -> Vec<TileCoord> {
        self.triangles.keys().copied().collect()
    }

    /// Number of triangles that may reach a tile and its border.
    pub fn triangle_count(&self, coord: TileCoord) -> usize {
        self.triangles.get(&coord).copied().unwrap_or(0)
    }

    /// The digest of the level at a tile, if it has triangles and spans are cached.
    pub fn level_hash(&self, agent: usize, coord: TileCoord) -> Option<[u8; 16]> {
        self.level_hashes.get(agent)?.get(&coord).copied()
    }

    /// The digest of the level at each of an agent's tiles with triangles, if spans are cached.
    pub fn level_hashes(&self, agent: usize) -> &BTreeMap<TileCoord, [u8; 16]> {
        &self.level_hashes[agent]
    }

    /// The tiles of an agent whose spans are cached, in canonical order, with the digest of the level there.
    pub fn cached(&self, agent: usize) -> Vec<(TileCoord, [u8; 16])> {
        self.level_hashes[agent].iter().map(|(coord, hash)| (*coord, *hash)).collect()
    }

    /// The hash of a tile's input; zeros for a tile without input.
    pub fn hash(&self, agent: usize, coord: TileCoord) -> [u8; 16] {
        self.coords[agent].binary_search(&coord).map_or([0; 16], |place| self.hashes[agent][place])
    }
}
