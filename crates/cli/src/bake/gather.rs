//! What came of the tiles of one agent: their nodes of the island graph, counts, times and warnings, in the order of
//! tiles, whatever order they came in.

use navtile::TileCoord;
use navtile::graph::TileNode;
use recast::{Baked, Counts, Diagnostic, DiagnosticKind, StageId};
use std::collections::BTreeMap;
use std::time::Duration;

/// What there is to say about one baked tile.
#[derive(Clone, Debug)]
pub(super) struct TileWork {
    pub(super) elapsed: Duration,
    pub(super) stage_times: Vec<(StageId, Duration)>,
    pub(super) counts: Counts,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The baked tiles of one agent.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    pub(super) nodes: BTreeMap<TileCoord, TileNode>,
    pub(super) work: BTreeMap<TileCoord, TileWork>,
}

impl Gathered {
    /// Adds a tile; its content is kept elsewhere.
    pub(super) fn add(&mut self, baked: Baked, node: TileNode) {
        let coord = baked.tile.coord();
        let work = TileWork {
            elapsed: baked.stage_times.iter().map(|(_, elapsed)| *elapsed).sum(),
            stage_times: baked.stage_times,
            counts: baked.counts,
            diagnostics: baked.diagnostics,
        };
        self.nodes.insert(coord, node);
        self.work.insert(coord, work);
    }

    /// Time of each stage, summed over tiles, in the order of stages.
    pub(super) fn stage_times(&self) -> Vec<(StageId, Duration)> {
        let mut times: BTreeMap<StageId, Duration> = BTreeMap::new();
        for (stage, elapsed) in self.work.values().flat_map(|work| &work.stage_times) {
            *times.entry(*stage).or_default() += *elapsed;
        }
        times.into_iter().collect()
    }

    /// Counts, summed over tiles; those of the whole level are as given.
    pub(super) fn counts(&self, grid: [u32; 2], triangles: usize) -> Counts {
        let mut sum = Counts { grid, triangles, ..Counts::default() };
        for counts in self.work.values().map(|work| &work.counts) {
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

    /// Diagnostics with their tiles. What concerns the whole level is left out: every tile would say it.
    pub(super) fn diagnostics(&self) -> impl Iterator<Item = (TileCoord, &Diagnostic)> {
        let of_level = |diagnostic: &Diagnostic| {
            matches!(diagnostic.kind, DiagnosticKind::DegenerateTriangles | DiagnosticKind::EmptyMesh)
        };
        self.work.iter().flat_map(move |(coord, work)| {
            work.diagnostics.iter().filter(move |d| !of_level(d)).map(|diagnostic| (*coord, diagnostic))
        })
    }
}
