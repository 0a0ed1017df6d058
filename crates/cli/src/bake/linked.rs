//! The links of a bake that takes tiles over from a previous one: they are found in a window around what changed, on tiles that
//! are baked again for their ground.

use super::baked::{BakedTiles, LinkedGraph};
use super::baker::TileBaker;
use navtile::TileCoord;
use recast::{LinkWindow, WindowLinks, graph_grid, min_island_cells};
use std::collections::BTreeSet;

impl TileBaker<'_> {
    /// The window around the tiles of an agent that changed or are no more; `None` if it has no profiles of links, or if there is nothing
    /// to take over.
    pub(super) fn link_window(&self, agent: usize, changed: &BTreeSet<TileCoord>) -> Option<LinkWindow> {
        let (level, tile_cells) = (&self.ground.levels()[agent], self.ground.tile_cells());
        let previous = self.previous[agent].as_ref()?;
        if tile_cells == 0 || level.config.settings.links.is_empty() {
            return None;
        }
        let coords = &self.inputs.coords[agent];
        let known = previous.graph.nodes().iter().map(|node| node.coord());
        let gone = known.filter(|coord| coords.binary_search(coord).is_err());
        let changed = changed.iter().copied().chain(gone).collect();
        Some(LinkWindow::new(level, tile_cells, coords, changed))
    }

    /// The links in a window whose ground is baked; `None` if it grew.
    pub(super) fn links_in_window(
        &self,
        agent: usize,
        baked: &mut BakedTiles,
        window: &mut LinkWindow,
    ) -> Option<LinkedGraph> {
        let (level, tile_cells) = (&self.ground.levels()[agent], self.ground.tile_cells());
        let previous = &self.previous[agent].as_ref()?.graph;
        let (grid, min_cells) = (graph_grid(level, tile_cells), min_island_cells(level, tile_cells));
        let graph = self.graph(agent, baked, |coord| window.ground().contains(&coord));
        let [kept, before] = [&graph, previous].map(|graph| graph.judge(&grid, min_cells, None));
        if window.islands((&graph, &kept), (previous, &before)) {
            return None;
        }
        let ground = if window.is_whole() {
            std::mem::take(&mut baked.ground)
        } else {
            let own = baked.ground.iter().filter(|tile| window.ground().contains(&tile.coord()));
            own.cloned().collect()
        };
        let WindowLinks::Found(links) = window.find(level, (&graph, &grid, min_cells), ground, previous)
        else {
            return None;
        };
        let written = window.written();
        let graph = window.join(self.graph(agent, baked, |coord| written.contains(&coord)), &links);
        let ground_only = baked.nodes.keys().copied().filter(|coord| !written.contains(coord)).collect();
        Some(LinkedGraph { graph, links, ground_only })
    }
}
