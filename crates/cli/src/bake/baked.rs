//! The baked tiles of one agent: their nodes of the island graph, counts, times and warnings, in the order of
//! tiles, not in the order of baking.

use navbake::shard::TileFacts;
use navlevel::KeptGround;
use navlevel::assemble::{LevelTiles, NewTiles};
use navlinks::GroundCounts;
use navtile::TileCoord;
use navtile::graph::TileNode;
use recast::{Counts, StageId};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The tiles of one agent, and the islands that are kept.
pub(crate) struct AgentTiles {
    /// Tiles baked in this run.
    pub(crate) baked: BakedTiles,
    /// All tiles.
    pub(crate) level: LevelTiles,
    /// Tiles baked only for their ground, to find links: the file takes these tiles from the previous one.
    pub(crate) ground_only: BTreeSet<TileCoord>,
}

/// The baked tiles of one agent, without their content.
#[derive(Clone, Debug, Default)]
pub(crate) struct BakedTiles {
    pub(crate) nodes: NewTiles,
    /// The amount of their ground, if links are found.
    pub(crate) counts: BTreeMap<TileCoord, GroundCounts>,
    /// The ground of those whose ground is not stored with them.
    pub(crate) ground: BTreeMap<TileCoord, KeptGround>,
    pub(crate) tiles: BTreeMap<TileCoord, TileFacts>,
    /// Number of tiles that an earlier bake had finished.
    pub(crate) resumed: usize,
}

impl BakedTiles {
    /// Adds a tile; its content is stored elsewhere.
    pub(crate) fn add(&mut self, node: TileNode, facts: TileFacts, ground: Option<GroundCounts>) {
        self.tiles.insert(node.coord(), facts);
        self.counts.extend(ground.map(|ground| (node.coord(), ground)));
        self.nodes.insert(node.coord(), node);
    }

    /// Time of each stage, summed over tiles, in the order of stages.
    pub(crate) fn stage_times(&self) -> Vec<(StageId, Duration)> {
        let mut times: BTreeMap<StageId, Duration> = BTreeMap::new();
        for (stage, elapsed) in self.tiles.values().flat_map(|tile| &tile.stage_times) {
            *times.entry(*stage).or_default() += *elapsed;
        }
        times.into_iter().collect()
    }

    /// Counts, summed over tiles; grid and triangles are those of the level.
    pub(crate) fn counts(&self, grid: [u32; 2], triangles: usize) -> Counts {
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
            sum.walls += counts.walls;
            sum.exact_walls += counts.exact_walls;
        }
        sum
    }
}
