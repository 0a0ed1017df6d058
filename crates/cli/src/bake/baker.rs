//! Baking tiles: all of them, or those whose input or whose islands changed since the previous bake.

use super::baked::{BakedTiles, LinkedGraph};
use super::events::Events;
use super::ground::{Ground, TileInputs};
use super::phases::Phases;
use super::previous::PreviousBake;
use super::spool::Spool;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::source::Stop;
use navbake::part::WholeTile;
use navlevel::{
    Job, KeptSpans, SEED_REACH, bake_jobs, bake_kept_jobs, graph_grid, is_near_seed, min_island_cells,
};
use navlinks::{GeneratedLink, LinkWindow, find_links, join_links, tile_size};
use navtile::graph::{KeptIslands, TileNode};
use navtile::{IslandGraph, TileCoord};
use recast::Baked;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Bakes the tiles of all agents.
pub(super) struct TileBaker<'a> {
    pub(super) ground: &'a Ground<'a>,
    pub(super) inputs: &'a TileInputs,
    /// For each agent, its previous bake.
    pub(super) previous: &'a [Option<PreviousBake>],
    pub(super) reachable_from: Option<[f64; 3]>,
    /// Memory for unfinished tiles, bytes.
    pub(super) memory: u64,
    pub(super) spool: &'a Spool,
    pub(super) events: &'a Events<'a>,
    /// True if the spans of each tile are kept.
    pub(super) dynamic: bool,
    /// True if links are found on the ground of these tiles; false for a share.
    pub(super) finds_links: bool,
    /// True to hide the progress bar.
    pub(super) quiet: bool,
}

/// The tiles of one agent, and the islands that are kept.
pub(super) struct AgentTiles {
    /// Tiles baked in this run.
    pub(super) baked: BakedTiles,
    pub(super) graph: IslandGraph,
    pub(super) kept: KeptIslands,
    /// The links found in this run.
    pub(super) links: Vec<GeneratedLink>,
    /// Tiles baked only for their ground, to find links: the file takes these tiles from the previous one.
    pub(super) ground_only: BTreeSet<TileCoord>,
}

/// The tiles of one agent at the time of deciding which islands are kept.
struct JudgedTiles {
    graph: IslandGraph,
    kept: KeptIslands,
    links: Vec<GeneratedLink>,
    /// Tiles baked in this run that are written.
    baked: BTreeSet<TileCoord>,
    ground_only: BTreeSet<TileCoord>,
}

impl JudgedTiles {
    /// The baked tiles; no more links are found on their ground.
    fn with(self, baked: BakedTiles) -> AgentTiles {
        let JudgedTiles { graph, kept, links, ground_only, .. } = self;
        AgentTiles { baked: BakedTiles { ground: Vec::new(), ..baked }, graph, kept, links, ground_only }
    }
}

/// The failure of a place that is not on the ground.
pub(super) fn no_ground([x, y, z]: [f64; 3]) -> Failure {
    let [across, up] = SEED_REACH;
    Failure::call(format!(
        "reachable_from: there is no ground within {across} m across and {up} m in height of {x}, {y}, {z}"
    ))
    .help("give a place on the ground; `navtile explain --at` shows why there is no ground")
}

impl TileBaker<'_> {
    /// Tiles of an agent to bake because their own input changed.
    pub(super) fn changed(&self, agent: usize) -> Vec<TileCoord> {
        match &self.previous[agent] {
            None => self.inputs.coords[agent].clone(),
            Some(previous) => self.changed_alone(agent, previous),
        }
    }

    /// Tiles of an agent whose own input changed.
    fn changed_alone(&self, agent: usize, previous: &PreviousBake) -> Vec<TileCoord> {
        let pairs = self.inputs.coords[agent].iter().zip(&self.inputs.hashes[agent]);
        pairs
            .filter(|(coord, hash)| {
                previous.same(**coord, **hash).is_none() || !self.has_spans(previous, agent, **coord)
            })
            .map(|(coord, _)| *coord)
            .collect()
    }

    /// Returns true if the previous file has the spans of a tile, or if no spans are kept.
    fn has_spans(&self, previous: &PreviousBake, agent: usize, coord: TileCoord) -> bool {
        !self.dynamic
            || self.inputs.triangle_count(coord) == 0
            || self.inputs.level_hash(agent, coord).is_some_and(|hash| previous.has_spans(coord, hash))
    }

    /// Bakes the tiles that need it and decides which islands are kept. If links are found, tiles around a
    /// change are baked, too, until their links are known.
    pub(super) fn run(&self, phases: &mut Phases) -> Result<Vec<AgentTiles>, Stop> {
        let agents = self.ground.levels().len();
        let mut wanted: Vec<BTreeSet<TileCoord>> =
            (0..agents).map(|agent| self.changed(agent).into_iter().collect()).collect();
        let mut windows: Vec<Option<LinkWindow>> =
            (0..agents).map(|agent| self.link_window(agent, &wanted[agent])).collect();
        for (agent, (wanted, window)) in wanted.iter_mut().zip(&windows).enumerate() {
            wanted.extend(self.pruned_near_seed(agent));
            wanted.extend(window.iter().flat_map(LinkWindow::ground));
        }
        let mut baked = self.resumed(&mut wanted);
        let mut judged: Vec<Option<JudgedTiles>> = (0..agents).map(|_| None).collect();
        while judged.iter().any(Option::is_none) {
            self.bake(&wanted, &mut baked)?;
            phases.lap("bake");
            let unsettled = judged.iter_mut().enumerate().filter(|(_, judged)| judged.is_none());
            for (agent, judged) in unsettled {
                let window = &mut windows[agent];
                wanted[agent].clear();
                let Some(tiles) = self.judge(agent, &mut baked[agent], window.as_mut())? else {
                    continue;
                };
                // Tiles that lose other islands than in the previous bake.
                let again = self.pruned_otherwise(agent, &tiles);
                match window {
                    _ if again.is_empty() => *judged = Some(tiles),
                    Some(window) => window.change(again),
                    None => wanted[agent] = again,
                }
            }
            for ((wanted, window), baked) in wanted.iter_mut().zip(&windows).zip(&baked) {
                let needed = window.iter().flat_map(LinkWindow::ground);
                wanted.extend(needed.filter(|coord| !baked.nodes.contains_key(coord)));
            }
            phases.lap("islands");
        }
        Ok(judged.into_iter().flatten().zip(baked).map(|(tiles, baked)| tiles.with(baked)).collect())
    }

    /// Bakes all tiles. Their islands are decided when they are joined with other shares.
    pub(super) fn run_share(&self, phases: &mut Phases) -> Result<Vec<BakedTiles>, Stop> {
        let mut wanted: Vec<BTreeSet<TileCoord>> =
            self.inputs.coords.iter().map(|coords| coords.iter().copied().collect()).collect();
        let mut baked = self.resumed(&mut wanted);
        self.bake(&wanted, &mut baked)?;
        phases.lap("bake");
        Ok(baked)
    }

    /// The tiles that an earlier bake had finished; they are no longer wanted.
    fn resumed(&self, wanted: &mut [BTreeSet<TileCoord>]) -> Vec<BakedTiles> {
        let mut baked: Vec<BakedTiles> = wanted.iter().map(|_| BakedTiles::default()).collect();
        for stored in self.spool.take_finished() {
            let (agent, coord) = (stored.agent, stored.node.coord());
            let level = &self.ground.levels()[agent];
            let has_links = self.finds_links && !level.config.settings.links.is_empty();
            let size = tile_size(level.size, self.ground.tile_cells());
            let ground = has_links.then(|| self.spool.ground(agent, &stored.node, size));
            // Without its ground it is baked again.
            if ground != Some(None) && wanted[agent].remove(&coord) {
                baked[agent].ground.extend(ground.flatten());
                baked[agent].resumed += 1;
                baked[agent].add(stored.node, stored.facts);
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
        let progress = match self.ground.tile_cells() {
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
            let (level, is_tiled) = (&self.ground.levels()[agent], self.ground.tile_cells() > 0);
            let mut whole = WholeTile::new(level, baked, self.inputs.hash(agent, coord), is_tiled);
            let mut ground = if self.spool.keeps_ground() { None } else { whole.ground.take() };
            self.spool.put(agent, &whole).map_err(unspooled)?;
            ground = ground.or(whole.ground).filter(|_| self.finds_links);
            let WholeTile { node, facts, .. } = whole;
            let (elapsed, polygons) = (facts.elapsed(), facts.counts.polygons);
            let mut arrived = arrived.lock().unwrap_or_else(PoisonError::into_inner);
            arrived.0[agent].add(node, facts);
            arrived.0[agent].ground.extend(ground);
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
        let keep = |agent: usize, baked: Baked, kept: KeptSpans| -> Result<(), Stop> {
            let coord = baked.tile.coord();
            if let Some(level_hash) = self.inputs.level_hash(agent, coord) {
                self.spool.put_spans(agent, coord, level_hash, &kept.pack()).map_err(unspooled)?;
            }
            done(agent, baked)
        };
        let tiles: BTreeSet<TileCoord> = jobs.iter().map(|job| job.coord).collect();
        let result = self.ground.each(Some(&tiles), &mut |tiling, has| {
            let here: Vec<Job> = jobs.iter().filter(|job| has(job.coord)).cloned().collect();
            if self.dynamic {
                bake_kept_jobs(tiling, &here, self.memory, &progress, &keep)
            } else {
                bake_jobs(tiling, &here, self.memory, &progress, &done)
            }
        });
        progress.finish();
        result
    }

    /// Builds the graph from tiles baked now and tiles of the previous bake, and decides which islands are
    /// kept. `None` if the window of links grew.
    fn judge(
        &self,
        agent: usize,
        baked: &mut BakedTiles,
        window: Option<&mut LinkWindow>,
    ) -> Result<Option<JudgedTiles>, Stop> {
        let level = &self.ground.levels()[agent];
        let min_cells = min_island_cells(level, self.ground.tile_cells());
        let grid = graph_grid(level, self.ground.tile_cells());
        let linked = match window {
            Some(window) => self.links_in_window(agent, baked, window, (&grid, min_cells)),
            None => {
                let graph = self.graph(agent, baked, |_| true);
                // Nodes of the previous bake have their links.
                let links = match std::mem::take(&mut baked.ground) {
                    ground if ground.is_empty() => Vec::new(),
                    ground => find_links(level, (&graph, &grid, min_cells), ground),
                };
                Some(LinkedGraph { graph: join_links(graph, &links), links, ground_only: BTreeSet::new() })
            }
        };
        let Some(LinkedGraph { graph, links, ground_only }) = linked else { return Ok(None) };
        let seeds = match self.reachable_from {
            None => None,
            Some(place) => Some(self.seeds(agent, &graph, place)?),
        };
        let kept = graph.judge(&grid, min_cells, seeds.as_deref());
        let baked = baked.nodes.keys().copied().filter(|coord| !ground_only.contains(coord)).collect();
        Ok(Some(JudgedTiles { graph, kept, links, baked, ground_only }))
    }

    /// The graph of tiles baked now, for which `is_new` is true, and of tiles of the previous bake.
    pub(super) fn graph(
        &self,
        agent: usize,
        baked: &BakedTiles,
        is_new: impl Fn(TileCoord) -> bool,
    ) -> IslandGraph {
        let new = baked.nodes.values().filter(|node| is_new(node.coord()));
        let mut nodes: Vec<TileNode> = new.cloned().collect();
        if let Some(previous) = &self.previous[agent] {
            let inputs = self.inputs.coords[agent].iter().zip(&self.inputs.hashes[agent]);
            let reused = inputs.filter(|(coord, _)| !(baked.nodes.contains_key(coord) && is_new(**coord)));
            nodes.extend(reused.filter_map(|(coord, hash)| previous.same(*coord, *hash).cloned()));
        }
        IslandGraph::new(nodes)
    }

    /// The local island nearest to the place from which everything that is kept must be reachable.
    fn seeds(
        &self,
        agent: usize,
        graph: &IslandGraph,
        place: [f64; 3],
    ) -> Result<Vec<(usize, u32)>, Failure> {
        let (level, cells) = (&self.ground.levels()[agent], self.ground.tile_cells());
        let seed = navbake::seed(level, cells, graph, place, |coord| self.tile(agent, coord))?;
        seed.map(|seed| vec![seed]).ok_or_else(|| no_ground(place))
    }

    /// A tile before anything was removed from it: baked now, or reused whole.
    fn tile(&self, agent: usize, coord: TileCoord) -> Result<Option<navtile::Tile>, Failure> {
        let failed =
            |error: String| Failure::circumstances(format!("tile ({}, {}): {error}", coord.x, coord.z));
        if self.spool.has(agent, coord) {
            return self.spool.take(agent, coord).map_err(|error| failed(error.to_string()));
        }
        let Some(previous) = &self.previous[agent] else { return Ok(None) };
        previous.tile(coord).transpose().map_err(failed)
    }

    /// Tiles within reach of a place.
    fn near(&self, agent: usize, place: [f64; 3]) -> Vec<TileCoord> {
        let (level, cells) = (&self.ground.levels()[0], self.ground.tile_cells());
        let near = |coord: &&TileCoord| is_near_seed(level, cells, place, **coord);
        self.inputs.coords[agent].iter().filter(near).copied().collect()
    }

    /// Tiles near the place from which the previous bake removed something: it may be the wanted island.
    fn pruned_near_seed(&self, agent: usize) -> Vec<TileCoord> {
        let (Some(place), Some(previous)) = (self.reachable_from, &self.previous[agent]) else {
            return Vec::new();
        };
        let mut near = self.near(agent, place);
        near.retain(|coord| previous.prune_hash(*coord) != Some([0; 8]));
        near
    }

    /// Without a bake: tiles that would keep other islands than in the previous file, and tiles that would
    /// keep none. If the island that all must be reachable from may be a dropped one, only a bake can decide,
    /// and the list is empty.
    pub(super) fn kept_otherwise(&self, agent: usize) -> Result<Vec<TileCoord>, Stop> {
        if !self.pruned_near_seed(agent).is_empty() {
            return Ok(Vec::new());
        }
        let Some(tiles) = self.judge(agent, &mut BakedTiles::default(), None)? else { return Ok(Vec::new()) };
        let mut otherwise = self.pruned_otherwise(agent, &tiles);
        let keeps =
            |coord: &TileCoord| tiles.graph.find(*coord).is_some_and(|node| tiles.kept.keeps_any(node));
        let there = self.previous[agent].iter().flat_map(PreviousBake::coords);
        otherwise.extend(there.filter(|coord| !keeps(coord)));
        Ok(otherwise.into_iter().collect())
    }

    /// Reused tiles that keep other islands than in the previous bake.
    fn pruned_otherwise(&self, agent: usize, tiles: &JudgedTiles) -> BTreeSet<TileCoord> {
        let Some(previous) = &self.previous[agent] else { return BTreeSet::new() };
        let nodes = tiles.graph.nodes().iter().enumerate();
        let otherwise = nodes.filter(|(index, node)| {
            !tiles.baked.contains(&node.coord())
                && tiles.kept.keeps_any(*index)
                && previous.prune_hash(node.coord()) != Some(tiles.kept.prune_hash(*index))
        });
        otherwise.map(|(_, node)| node.coord()).collect()
    }
}
