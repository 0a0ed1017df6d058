//! The baked tiles of one agent: their nodes of the island graph, counts, times and warnings, in the order of tiles,
//! whatever order they were baked in.

use navtile::TileCoord;
use navtile::graph::TileNode;
use recast::{Baked, Counts, Diagnostic, DiagnosticKind, StageId, TileGround};
use std::collections::BTreeMap;
use std::time::Duration;

/// One baked tile, without its content.
#[derive(Clone, Debug)]
pub(super) struct BakedTile {
    pub(super) elapsed: Duration,
    pub(super) stage_times: Vec<(StageId, Duration)>,
    pub(super) counts: Counts,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The baked tiles of one agent.
#[derive(Clone, Debug, Default)]
pub(super) struct BakedTiles {
    pub(super) nodes: BTreeMap<TileCoord, TileNode>,
    pub(super) tiles: BTreeMap<TileCoord, BakedTile>,
    /// The ground that links are found on, where the settings have profiles of links.
    pub(super) ground: Vec<TileGround>,
}

impl BakedTiles {
    /// Adds a tile; its content is kept elsewhere.
    pub(super) fn add(&mut self, baked: Baked, node: TileNode) {
        let coord = baked.tile.coord();
        let tile = BakedTile {
            elapsed: baked.stage_times.iter().map(|(_, elapsed)| *elapsed).sum(),
            stage_times: baked.stage_times,
            counts: baked.counts,
            diagnostics: baked.diagnostics,
        };
        self.ground.extend(baked.ground.map(|ground| *ground));
        self.nodes.insert(coord, node);
        self.tiles.insert(coord, tile);
    }

    /// Time of each stage, summed over tiles, in the order of stages.
    pub(super) fn stage_times(&self) -> Vec<(StageId, Duration)> {
        let mut times: BTreeMap<StageId, Duration> = BTreeMap::new();
        for (stage, elapsed) in self.tiles.values().flat_map(|tile| &tile.stage_times) {
            *times.entry(*stage).or_default() += *elapsed;
        }
        times.into_iter().collect()
    }

    /// Counts, summed over tiles; grid and triangles are the level's.
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

    /// Diagnostics with their tiles, without those about the whole level, which every tile would repeat.
    pub(super) fn diagnostics(&self) -> impl Iterator<Item = (TileCoord, &Diagnostic)> {
        let of_level = |diagnostic: &Diagnostic| {
            matches!(diagnostic.kind, DiagnosticKind::DegenerateTriangles | DiagnosticKind::EmptyMesh)
        };
        self.tiles.iter().flat_map(move |(coord, tile)| {
            tile.diagnostics.iter().filter(move |d| !of_level(d)).map(|diagnostic| (*coord, diagnostic))
        })
    }
}
