//! Generated links while tiles change: they are found again around changed tiles, once no tile waits.
//!
//! Works like a bake with `--changed` ([`LinkWindow`]), on the ground of tiles that are baked from their kept
//! spans with the current obstacles. So the links are those of a bake of the whole level with these
//! obstacles. The bakes count for the budget of an update; the search does not.

use crate::cache::TileCache;
use crate::error::CacheError;
use crate::live_links::{FoundLinks, PlainGround, PlainTile};
use crate::update::BakedTile;
use navlevel::{graph_grid, graph_node, min_island_cells, retain_islands};
use navlinks::{GeneratedLink, LinkIslands, LinkWindow, WindowLinks, end_tiles, with_links};
use navtile::file::Source;
use navtile::graph::TileNode;
use navtile::{IslandGraph, Tile, TileCoord};
use std::collections::{BTreeMap, BTreeSet};

impl<S: Source + Sync> TileCache<S> {
    /// The tiles whose ground is needed for the waiting links, except tiles that are already baked.
    pub(crate) fn ground_wanted(&mut self) -> Vec<TileCoord> {
        let tile_cells = self.store.meta().tile_cells;
        let Some(links) = self.links.as_mut().filter(|links| links.are_waiting()) else { return Vec::new() };
        let (level, islands, changed) = (&self.level, &self.islands, &links.changed);
        let window = links.window.get_or_insert_with(|| {
            let coords: Vec<TileCoord> = islands.coords().collect();
            LinkWindow::new(level, tile_cells, &coords, changed.clone())
        });
        let has = |coord: &TileCoord| {
            let node = islands.node(*coord).map(TileNode::input_hash);
            links.plain.get(coord).is_some_and(|plain| Some(plain.node.input_hash()) == node)
        };
        window.ground().iter().filter(|coord| !has(coord)).copied().collect()
    }

    /// Keeps the data that links need from a newly baked tile.
    pub(crate) fn note_ground(&mut self, tile: BakedTile) {
        let node = graph_node(&self.level, &tile.baked, tile.input_hash);
        let Some(links) = &mut self.links else { return };
        if let Some(ground) = tile.baked.ground {
            let plain = PlainTile { tile: tile.baked.tile, node, ground: *ground };
            links.plain.insert(plain.node.coord(), plain);
        }
    }

    /// Finds the waiting links, on ground that is complete; `None` if more of it is needed.
    pub(crate) fn find_links(&mut self) -> Result<Option<FoundLinks>, CacheError> {
        let (graph, tile_cells) = (self.islands.graph(), self.store.meta().tile_cells);
        let (grid, min_cells) =
            (graph_grid(&self.level, tile_cells), min_island_cells(&self.level, tile_cells));
        let Some(links) = &mut self.links else { return Ok(None) };
        let Some(window) = links.window.as_mut() else { return Ok(None) };
        let with = |plain: &dyn Fn(TileCoord) -> bool| {
            let node = |node: &TileNode| match links.plain.get(&node.coord()) {
                Some(tile) if plain(node.coord()) => tile.node.clone(),
                _ => node.clone(),
            };
            IslandGraph::new(graph.nodes().iter().map(node).collect())
        };
        let unlinked = with(&|coord| window.ground().contains(&coord));
        let islands = LinkIslands { graph: &unlinked, grid, min_cells };
        let ground = (&PlainGround(&links.plain), self.level.config.settings.memory_bound);
        let Ok(found) = window.find(&self.level, islands, &links.linked, ground);
        let WindowLinks::Found(found) = found else { return Ok(None) };
        let written = window.written();
        let joined = window.join(with(&|coord| written.contains(&coord)), &found);
        for node in joined.nodes().iter().filter(|node| written.contains(&node.coord())) {
            if self.islands.node(node.coord()) != Some(node) {
                self.replace_node(node.coord(), Some(node.clone()));
            }
        }
        // With other links, other islands may be reachable, which may have links of their own.
        let settled = self.settle_islands()?;
        settled.iter().for_each(|coord| self.tiles.mark_stale(*coord));
        let Some(links) = &mut self.links else { return Ok(None) };
        let others: BTreeSet<TileCoord> = settled.difference(&written).copied().collect();
        if let Some(window) = links.window.as_mut().filter(|_| !others.is_empty()) {
            links.changed.extend(&others);
            window.change(others);
            return Ok(None);
        }
        Ok(Some(FoundLinks { links: found, written }))
    }

    /// Ends the search: the links now belong to the current tiles. Keeps only the ground around here.
    pub(crate) fn links_found(&mut self) {
        let graph = self.islands.graph();
        let Some(links) = &mut self.links else { return };
        let window = links.window.take();
        links.plain.retain(|coord, _| window.as_ref().is_some_and(|window| window.ground().contains(coord)));
        links.changed.clear();
        links.linked = graph;
    }

    /// A tile of the window with links that start in it; `None` if nothing is left of it.
    pub(crate) fn tile_with_links(
        &self,
        coord: TileCoord,
        own: &[&GeneratedLink],
    ) -> Result<Option<Tile>, CacheError> {
        let Some(tile) = self.unlinked_tile(coord)? else { return Ok(None) };
        let mut ends = BTreeMap::new();
        for coord in end_tiles(own) {
            ends.extend(self.unlinked_tile(coord)?.map(|tile| (coord, tile)));
        }
        Ok(Some(with_links(&tile, own, &ends)?))
    }

    /// A tile in the window after its islands were pruned, without generated links.
    fn unlinked_tile(&self, coord: TileCoord) -> Result<Option<Tile>, CacheError> {
        let plain = self.links.as_ref().and_then(|links| links.plain.get(&coord));
        let Some(plain) = plain.filter(|_| self.islands.keeps_any(coord)) else { return Ok(None) };
        Ok(retain_islands(&plain.tile, |island| self.islands.keeps(coord, island))?)
    }
}
