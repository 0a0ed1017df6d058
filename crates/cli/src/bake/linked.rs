//! The links of a bake that reuses tiles of a previous one: they are found in a window around the changes, on
//! tiles that are baked again for their ground.

use super::baked::{BakedTiles, LinkedGraph};
use super::baker::TileBaker;
use navlinks::{LinkWindow, WindowLinks};
use navtile::TileCoord;
use navtile::graph::GraphGrid;
use std::collections::BTreeSet;

impl TileBaker<'_> {
    /// The window around the tiles of an agent that changed or were removed; `None` if the agent has no
    /// profiles of links, or if nothing is reused.
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
        (grid, min_cells): (&GraphGrid, u64),
    ) -> Option<LinkedGraph> {
        let (level, previous) = (&self.ground.levels()[agent], &self.previous[agent].as_ref()?.graph);
        let graph = self.graph(agent, baked, |coord| window.ground().contains(&coord));
        let ground = |window: &LinkWindow| {
            if window.is_whole() {
                return std::mem::take(&mut baked.ground);
            }
            baked.ground.iter().filter(|tile| window.ground().contains(&tile.coord())).cloned().collect()
        };
        let found = window.find(level, (&graph, grid, min_cells), previous, ground);
        let WindowLinks::Found(links) = found else { return None };
        let written = window.written();
        let graph = window.join(self.graph(agent, baked, |coord| written.contains(&coord)), &links);
        let ground_only = baked.nodes.keys().copied().filter(|coord| !written.contains(coord)).collect();
        Some(LinkedGraph { graph, links, ground_only })
    }
}
