//! A bake that reuses the tiles of an earlier one: tiles whose own input changed are baked again, then those
//! around a change whose links or islands may differ, until nothing new follows. The file is the same as if
//! all tiles were baked.

use super::{AssembleError, EarlierFile, Judge, LevelTiles};
use navlinks::{GeneratedLink, GroundStore, LinkIslands, LinkWindow, WindowLinks};
use navtile::file::Source;
use navtile::graph::TileNode;
use navtile::{IslandGraph, Tile, TileCoord};
use std::collections::{BTreeMap, BTreeSet};

/// The input of the tiles of an agent.
#[derive(Clone, Copy, Debug)]
pub struct AgentInput<'a> {
    /// The tiles with any input, in canonical order.
    pub coords: &'a [TileCoord],
    /// The hash of each of these tiles' input.
    pub hashes: &'a [[u8; 16]],
    /// The digest of the level at each tile with triangles, if spans are cached.
    pub level_hashes: Option<&'a BTreeMap<TileCoord, [u8; 16]>>,
}

/// The tiles of an agent that were baked now, by their nodes of the island graph.
pub type NewTiles = BTreeMap<TileCoord, TileNode>;

/// All tiles of an agent after a change, and the tiles among those baked now that are not written: they were
/// baked only for their ground, and the file takes them from the earlier one.
#[derive(Debug)]
pub struct SettledTiles {
    /// The islands and links.
    pub level: LevelTiles,
    /// Tiles baked only for their ground.
    pub ground_only: BTreeSet<TileCoord>,
}

/// All tiles with their links, before islands are judged.
struct LinkedTiles {
    graph: IslandGraph,
    links: Vec<GeneratedLink>,
    ground_only: BTreeSet<TileCoord>,
}

/// The state of the bake of one agent.
pub struct LevelChange<'a, S> {
    judge: Judge<'a>,
    input: AgentInput<'a>,
    earlier: Option<&'a EarlierFile<S>>,
    window: Option<LinkWindow>,
    wanted: BTreeSet<TileCoord>,
    settled: Option<SettledTiles>,
}

impl<'a, S: Source + Sync> LevelChange<'a, S> {
    /// A bake that has not begun. Without an earlier file it is a bake of all tiles.
    pub fn new(
        judge: Judge<'a>,
        input: AgentInput<'a>,
        earlier: Option<&'a EarlierFile<S>>,
    ) -> LevelChange<'a, S> {
        LevelChange { judge, input, earlier, window: None, wanted: BTreeSet::new(), settled: None }
    }

    /// Begins the bake: from here on, tiles are [wanted](LevelChange::wanted).
    #[must_use]
    pub fn begun(mut self) -> LevelChange<'a, S> {
        self.wanted = self.changed().into_iter().collect();
        self.window = self.link_window();
        self.wanted.extend(self.pruned_near_seed());
        self.wanted.extend(self.window.iter().flat_map(LinkWindow::ground));
        self
    }

    /// Tiles whose own input changed.
    pub fn changed(&self) -> Vec<TileCoord> {
        let Some(earlier) = self.earlier else { return self.input.coords.to_vec() };
        let has_spans = |coord: TileCoord| match self.input.level_hashes.map(|hashes| hashes.get(&coord)) {
            Some(Some(hash)) => earlier.spans(coord, *hash).is_some(),
            _ => true,
        };
        let pairs = self.input.coords.iter().zip(self.input.hashes);
        let changed =
            pairs.filter(|(coord, hash)| earlier.same(**coord, **hash).is_none() || !has_spans(**coord));
        changed.map(|(coord, _)| *coord).collect()
    }

    /// The tiles to bake next, without tiles that were baked already.
    pub fn wanted(&mut self) -> &mut BTreeSet<TileCoord> {
        &mut self.wanted
    }

    /// All tiles, once they are known.
    pub fn settled(self) -> Option<SettledTiles> {
        self.settled
    }

    /// Judges the tiles after the [wanted](LevelChange::wanted) ones were baked. Returns true if nothing else
    /// is to be baked. `ground` has the ground of the tiles baked now, and of no others; `tile` returns the
    /// tile at a coordinate, baked now or in the earlier file.
    ///
    /// # Errors
    /// The errors of `ground` and `tile`, and a place that is not on the ground.
    pub fn settle<G: GroundStore>(
        &mut self,
        new: &NewTiles,
        ground: &G,
        tile: impl FnMut(TileCoord) -> Result<Option<Tile>, G::Error>,
    ) -> Result<bool, AssembleError<G::Error>> {
        if self.settled.is_some() {
            return Ok(true);
        }
        self.wanted.clear();
        let mut window = self.window.take();
        let linked = match window.as_mut() {
            Some(window) => self.link_in_window(new, window, ground),
            // Nodes of the earlier file have their links.
            None => {
                let linked = self.judge.link(self.graph(new, |_| true), ground);
                linked.map(|(graph, links)| Some(LinkedTiles { graph, links, ground_only: BTreeSet::new() }))
            }
        };
        self.window = window;
        if let Some(LinkedTiles { graph, links, ground_only }) = linked.map_err(AssembleError::Store)? {
            let surviving = self.judge.keep(&graph, tile)?;
            let judged = SettledTiles { level: LevelTiles { graph, surviving, links }, ground_only };
            // Tiles that lose other islands than in the earlier file.
            let again = self.pruned_otherwise(&judged, new);
            match &mut self.window {
                _ if again.is_empty() => self.settled = Some(judged),
                Some(window) => window.change(again),
                None => self.wanted = again,
            }
        }
        let needed = self.window.iter().flat_map(LinkWindow::ground);
        self.wanted.extend(needed.filter(|coord| !new.contains_key(coord)));
        Ok(self.settled.is_some())
    }

    /// Without a bake: tiles that would keep other islands than in the earlier file, and tiles that would
    /// keep none. If the island that all must be reachable from may be a dropped one, only a bake can decide,
    /// and the list is empty.
    ///
    /// # Errors
    /// The errors of [`LevelChange::settle`].
    pub fn kept_otherwise<E>(
        &self,
        tile: impl FnMut(TileCoord) -> Result<Option<Tile>, E>,
    ) -> Result<Vec<TileCoord>, AssembleError<E>> {
        if !self.pruned_near_seed().is_empty() {
            return Ok(Vec::new());
        }
        let graph = self.graph(&NewTiles::new(), |_| true);
        let surviving = self.judge.keep(&graph, tile)?;
        let level = LevelTiles { graph, surviving, links: Vec::new() };
        let judged = SettledTiles { level, ground_only: BTreeSet::new() };
        let mut otherwise = self.pruned_otherwise(&judged, &NewTiles::new());
        let LevelTiles { graph, surviving, .. } = &judged.level;
        let keeps = |coord: &TileCoord| graph.find(*coord).is_some_and(|node| surviving.keeps_any(node));
        let there = self.earlier.iter().flat_map(|earlier| earlier.coords());
        otherwise.extend(there.filter(|coord| !keeps(coord)));
        Ok(otherwise.into_iter().collect())
    }

    /// The window around the tiles that changed or were removed; `None` if there are no profiles of links, or
    /// if nothing is reused.
    fn link_window(&self) -> Option<LinkWindow> {
        let (level, tile_cells) = (self.judge.level(), self.judge.tile_cells());
        let earlier = self.earlier?;
        if tile_cells == 0 || level.config.settings.links.is_empty() {
            return None;
        }
        let known = earlier.graph().nodes().iter().map(|node| node.coord());
        let gone = known.filter(|coord| self.input.coords.binary_search(coord).is_err());
        let changed = self.wanted.iter().copied().chain(gone).collect();
        Some(LinkWindow::new(level, tile_cells, self.input.coords, changed))
    }

    /// The links in a window whose ground is baked; `None` if it grew.
    fn link_in_window<G: GroundStore>(
        &self,
        new: &NewTiles,
        window: &mut LinkWindow,
        ground: &G,
    ) -> Result<Option<LinkedTiles>, G::Error> {
        let Some(earlier) = self.earlier else { return Ok(None) };
        let graph = self.graph(new, |coord| window.ground().contains(&coord));
        let (grid, min_cells) = (*self.judge.grid(), self.judge.min_cells());
        let islands = LinkIslands { graph: &graph, grid, min_cells };
        let ground = (ground, self.judge.memory());
        let found = window.find(self.judge.level(), islands, earlier.graph(), ground)?;
        let WindowLinks::Found(links) = found else { return Ok(None) };
        let written = window.written();
        let graph = window.join(self.graph(new, |coord| written.contains(&coord)), &links);
        let ground_only = new.keys().copied().filter(|coord| !written.contains(coord)).collect();
        Ok(Some(LinkedTiles { graph, links, ground_only }))
    }

    /// The graph of the new tiles that `is_new` accepts, and of tiles of the earlier file.
    fn graph(&self, new: &NewTiles, is_new: impl Fn(TileCoord) -> bool) -> IslandGraph {
        let mut nodes: Vec<TileNode> = new.values().filter(|node| is_new(node.coord())).cloned().collect();
        if let Some(earlier) = self.earlier {
            let inputs = self.input.coords.iter().zip(self.input.hashes);
            let reused = inputs.filter(|(coord, _)| !(new.contains_key(coord) && is_new(**coord)));
            nodes.extend(reused.filter_map(|(coord, hash)| earlier.same(*coord, *hash).cloned()));
        }
        IslandGraph::new(nodes)
    }

    /// Tiles near the place of `reachable_from` that lost islands in the earlier bake. One of these may be
    /// the wanted island.
    fn pruned_near_seed(&self) -> Vec<TileCoord> {
        let Some(earlier) = self.earlier else { return Vec::new() };
        let near = self.input.coords.iter().filter(|coord| self.judge.is_near_seed(**coord));
        near.filter(|coord| earlier.prune_hash(**coord) != Some([0; 8])).copied().collect()
    }

    /// Reused tiles that keep other islands than in the earlier file.
    fn pruned_otherwise(&self, tiles: &SettledTiles, new: &NewTiles) -> BTreeSet<TileCoord> {
        let Some(earlier) = self.earlier else { return BTreeSet::new() };
        let LevelTiles { graph, surviving, .. } = &tiles.level;
        let is_new = |coord| new.contains_key(&coord) && !tiles.ground_only.contains(&coord);
        let nodes = graph.nodes().iter().enumerate();
        let otherwise = nodes.filter(|(index, node)| {
            !is_new(node.coord())
                && surviving.keeps_any(*index)
                && earlier.prune_hash(node.coord()) != Some(surviving.prune_hash(*index))
        });
        otherwise.map(|(_, node)| node.coord()).collect()
    }
}
