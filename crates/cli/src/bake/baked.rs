//! The baked tiles of one agent: their nodes of the island graph, counts, times and warnings, in the order of
//! tiles, not in the order of baking.

use navbake::part::TileFacts;
use navlevel::assemble::NewTiles;
use navtile::TileCoord;
use navtile::graph::TileNode;
use recast::{Counts, StageId};
use std::collections::BTreeMap;
use std::time::Duration;

/// The baked tiles of one agent, without their content.
#[derive(Clone, Debug, Default)]
pub(super) struct BakedTiles {
    /// Their nodes and their ground.
    pub(super) new: NewTiles,
    pub(super) tiles: BTreeMap<TileCoord, TileFacts>,
    /// Number of tiles that an earlier bake had finished.
    pub(super) resumed: usize,
}

impl BakedTiles {
    /// Adds a tile; its content is stored elsewhere.
    pub(super) fn add(&mut self, node: TileNode, facts: TileFacts) {
        self.tiles.insert(node.coord(), facts);
        self.new.nodes.insert(node.coord(), node);
    }

    /// Time of each stage, summed over tiles, in the order of stages.
    pub(super) fn stage_times(&self) -> Vec<(StageId, Duration)> {
        let mut times: BTreeMap<StageId, Duration> = BTreeMap::new();
        for (stage, elapsed) in self.tiles.values().flat_map(|tile| &tile.stage_times) {
            *times.entry(*stage).or_default() += *elapsed;
        }
        times.into_iter().collect()
    }

    /// Counts, summed over tiles; grid and triangles are those of the level.
    pub(super) fn counts(&self, grid: [u32; 2], triangles: usize) -> Counts {
        let mut sum = Counts { grid, triangles, ..Counts::default() };
        for counts in self.tiles.values().map(|tile| &tile.counts) {
            sum.spans += counts.spans;
            sum.compact_spans += counts.compact_spans;
            sum.max_distance = sum.max_distance.max(counts.max_distance);
            sum.regions += counts.regions;
            sum.contours += counts.contours;
            sum.contour_vertices += counts.contour_vertices;
            sum.vertices += counts.vertices;
            sum.polygons += counts.polygons;
            sum.detail_vertices += counts.detail_vertices;
            sum.detail_triangles += counts.detail_triangles;
            sum.walkable_area += counts.walkable_area;
        }
        sum
    }
}
