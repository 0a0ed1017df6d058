//! Baking tiles: all of them, or those whose input or whose islands changed since the previous bake.

use super::baked::{AgentTiles, BakedTiles};
use super::events::Events;
use super::ground::BakedGround;
use super::previous::PreviousBake;
use super::spool::Spool;
use super::write::unjudged;
use crate::bake_report::phases::Phases;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::source::Stop;
use navbake::shard::WholeTile;
use navinput::HierarchyInput;
use navlevel::assemble::{AgentInput, Judge, LevelChange, SettledTiles};
use navlevel::triangles::{TileInputs, Triangles};
use navlevel::{CachedSpans, GroundKeeper, Job, KeptGround, bake_caching_jobs, bake_jobs};
use navlinks::tile_size;
use navtile::TileCoord;
use navtile::file::Seekable;
use recast::Baked;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::sync::{Mutex, PoisonError};

/// Bakes the tiles of all agents.
pub(crate) struct TileBaker<'a> {
    pub(crate) source: &'a Triangles<'a>,
    pub(crate) inputs: &'a TileInputs,
    /// For each agent, its previous bake.
    pub(crate) previous: &'a [Option<PreviousBake>],
    pub(crate) reachable_from: Option<[f64; 3]>,
    /// Memory for unfinished tiles, bytes.
    pub(crate) memory: u64,
    pub(crate) spool: &'a Spool,
    /// Keeps ground that is not stored in the spool.
    pub(crate) keeper: GroundKeeper,
    pub(crate) events: &'a Events<'a>,
    /// True if the spans of each tile are kept.
    pub(crate) dynamic: bool,
    /// The hierarchy of each file.
    pub(crate) hierarchy: Option<&'a HierarchyInput>,
    /// True if links are found on the ground of these tiles; false for a share.
    pub(crate) finds_links: bool,
    /// True to hide the progress bar.
    pub(crate) quiet: bool,
}

/// The state of the bake of an agent.
pub(crate) type AgentChange<'a> = LevelChange<'a, Seekable<File>>;

impl TileBaker<'_> {
    /// The bake of an agent, which has not begun.
    pub(crate) fn change(&self, agent: usize) -> AgentChange<'_> {
        let (level, inputs) = (&self.source.levels()[agent], self.inputs);
        let input = AgentInput {
            coords: &inputs.coords[agent],
            hashes: &inputs.hashes[agent],
            level_hashes: self.dynamic.then(|| inputs.level_hashes(agent)),
        };
        let judge = Judge::new(level, self.source.tile_cells(), self.reachable_from);
        let judge = judge.with_memory(self.memory);
        LevelChange::new(judge, input, self.previous[agent].as_ref())
    }

    /// Bakes the tiles that need it and decides which islands are kept. If links are found, tiles around a
    /// change are baked, too, until their links are known.
    pub(crate) fn run(&self, phases: &mut Phases) -> Result<Vec<AgentTiles>, Stop> {
        let mut changes: Vec<AgentChange<'_>> =
            (0..self.source.levels().len()).map(|agent| self.change(agent).begun()).collect();
        let mut baked = self.resumed(&mut |agent, coord| changes[agent].wanted().remove(&coord));
        let mut is_settled = false;
        while !is_settled {
            let wanted: Vec<BTreeSet<TileCoord>> =
                changes.iter_mut().map(|change| change.wanted().clone()).collect();
            self.bake(&wanted, &mut baked)?;
            phases.lap("bake");
            is_settled = true;
            for (agent, (change, baked)) in changes.iter_mut().zip(&mut baked).enumerate() {
                let size = self.tile_size(agent);
                let ground = BakedGround { spool: self.spool, agent, baked, size };
                let settled = change.settle(&baked.nodes, &ground, |coord| self.tile(agent, coord));
                is_settled &= settled.map_err(unjudged)?;
            }
            phases.lap("islands");
        }
        // No more links are found on it.
        baked.iter_mut().for_each(|baked| baked.ground = BTreeMap::new());
        let settled = changes.into_iter().filter_map(LevelChange::settled).zip(baked);
        Ok(settled
            .map(|(SettledTiles { level, ground_only }, baked)| AgentTiles { baked, level, ground_only })
            .collect())
    }

    /// Bakes all tiles. Their islands are decided when they are joined with other shares.
    pub(crate) fn run_share(&self, phases: &mut Phases) -> Result<Vec<BakedTiles>, Stop> {
        let mut wanted: Vec<BTreeSet<TileCoord>> =
            self.inputs.coords.iter().map(|coords| coords.iter().copied().collect()).collect();
        let mut baked = self.resumed(&mut |agent, coord| wanted[agent].remove(&coord));
        self.bake(&wanted, &mut baked)?;
        phases.lap("bake");
        Ok(baked)
    }

    /// The tiles that an earlier bake had finished. `takes` returns true if a tile is wanted, and is no
    /// longer from then on.
    fn resumed(&self, takes: &mut dyn FnMut(usize, TileCoord) -> bool) -> Vec<BakedTiles> {
        let mut baked = vec![BakedTiles::default(); self.source.levels().len()];
        for stored in self.spool.take_finished() {
            let (agent, coord) = (stored.agent, stored.node.coord());
            let level = &self.source.levels()[agent];
            let has_links = self.finds_links && !level.config.settings.links.is_empty();
            let ground = || self.spool.ground(agent, coord).ok().flatten();
            let unpacked = || ground()?.unpacked(&stored.node, self.tile_size(agent));
            // Without its ground it is baked again.
            if (!has_links || unpacked().is_some()) && takes(agent, coord) {
                baked[agent].resumed += 1;
                baked[agent].add(stored.node, stored.facts, stored.ground.filter(|_| has_links));
            }
        }
        baked
    }

    /// Bakes the tiles that each agent wants, each tile's triangles once.
    fn bake(&self, wanted: &[BTreeSet<TileCoord>], into: &mut [BakedTiles]) -> Result<(), Stop> {
        let jobs = Job::of_agents(wanted);
        let tiles: usize = jobs.iter().map(|job| job.agents.len()).sum();
        if tiles == 0 {
            return Ok(());
        }
        let progress = match self.source.tile_cells() {
            _ if self.quiet => Progress::hidden(),
            0 => Progress::of_stages(tiles),
            _ => Progress::of_tiles(tiles),
        };
        self.events.send("tiles", json!({ "tiles": tiles }))?;
        let arrived = Mutex::new((into, 0usize));
        let unspooled = |error: std::io::Error| {
            Failure::circumstances(format!("the temporary file of baked tiles: {error}"))
                .help("nothing was changed; free disk space, or name another folder with -o")
        };
        let done = |agent: usize, baked: Baked| -> Result<(), Stop> {
            let coord = baked.tile.coord();
            let (level, is_tiled) = (&self.source.levels()[agent], self.source.tile_cells() > 0);
            let input = (self.inputs.hash(agent, coord), is_tiled);
            let mut whole = WholeTile::new(level, baked, input, &self.keeper);
            let ground = whole.ground.as_ref().and_then(KeptGround::counts).filter(|_| self.finds_links);
            let kept = whole.ground.take_if(|ground| matches!(ground, KeptGround::Whole(_)));
            self.spool.put(agent, &whole).map_err(unspooled)?;
            let WholeTile { node, facts, .. } = whole;
            let (elapsed, polygons) = (facts.elapsed(), facts.counts.polygons);
            let mut arrived = arrived.lock().unwrap_or_else(PoisonError::into_inner);
            arrived.0[agent].add(node, facts, ground);
            arrived.0[agent].ground.extend(kept.map(|kept| (coord, kept)));
            arrived.1 += 1;
            let count = arrived.1;
            drop(arrived);
            progress.tile_done();
            self.events.send(
                "tile",
                json!({
                    "x": coord.x, "z": coord.z, "layer": coord.layer, "agent": agent,
                    "tile_ms": elapsed.as_secs_f64() * 1000.0, "polygons": polygons,
                    "done": count, "of": tiles,
                }),
            )?;
            Ok(())
        };
        let keep = |agent: usize, baked: Baked, cached: CachedSpans| -> Result<(), Stop> {
            let coord = baked.tile.coord();
            if let Some(level_hash) = self.inputs.level_hash(agent, coord) {
                self.spool.put_spans(agent, coord, level_hash, &cached.pack()).map_err(unspooled)?;
            }
            done(agent, baked)
        };
        let tiles: BTreeSet<TileCoord> = jobs.iter().map(|job| job.coord).collect();
        let result = self.source.each(Some(&tiles), &mut |tiling, has| {
            let here: Vec<Job> = jobs.iter().filter(|job| has(job.coord)).cloned().collect();
            if self.dynamic {
                bake_caching_jobs(tiling, &here, self.memory, &progress, &keep)
            } else {
                bake_jobs(tiling, &here, self.memory, &progress, &done)
            }
        });
        progress.finish();
        result
    }

    /// Columns of a tile of an agent along x and z.
    fn tile_size(&self, agent: usize) -> [u32; 2] {
        tile_size(self.source.levels()[agent].size, self.source.tile_cells())
    }

    /// A tile before anything was removed from it: baked now, or reused whole.
    fn tile(&self, agent: usize, coord: TileCoord) -> Result<Option<navtile::Tile>, Failure> {
        let failed =
            |error: String| Failure::circumstances(format!("tile ({}, {}): {error}", coord.x, coord.z));
        if self.spool.has(agent, coord) {
            return self.spool.take(agent, coord).map_err(|error| failed(error.to_string()));
        }
        let Some(previous) = &self.previous[agent] else { return Ok(None) };
        previous.tile(coord).transpose().map_err(|error| failed(error.to_string()))
    }

    /// Without a bake: tiles of an agent that would keep other islands than in the previous file, or none.
    pub(crate) fn kept_otherwise(
        &self,
        agent: usize,
        change: &AgentChange<'_>,
    ) -> Result<Vec<TileCoord>, Failure> {
        change.kept_otherwise(|coord| self.tile(agent, coord)).map_err(unjudged)
    }
}
