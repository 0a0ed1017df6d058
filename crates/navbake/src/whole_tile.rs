//! Baked tiles before islands are dropped.

use crate::warning::Warning;
use navtile::{Tile, TileCoord};
use recast::{Baked, Counts, DiagnosticKind, TileGround};
use std::collections::BTreeMap;

/// A baked tile, whole: before anything was dropped from it.
#[derive(Debug)]
pub(crate) struct WholeTile {
    pub(crate) tile: Tile,
    pub(crate) island_cells: Vec<u64>,
    pub(crate) counts: Counts,
    pub(crate) warnings: Vec<Warning>,
    /// The ground that links are found on, where the settings have profiles of links.
    pub(crate) ground: Option<TileGround>,
}

/// Baked tiles by agent and place.
pub(crate) type Share = BTreeMap<(usize, TileCoord), WholeTile>;

impl WholeTile {
    pub(crate) fn of(baked: Baked, is_tiled: bool) -> WholeTile {
        let coord = baked.tile.coord();
        // Those about the whole level, which every tile would repeat, are made from the level and the file.
        let of_level = |kind| matches!(kind, DiagnosticKind::DegenerateTriangles | DiagnosticKind::EmptyMesh);
        let own = baked.diagnostics.iter().filter(|diagnostic| !of_level(diagnostic.kind));
        let warnings = own.map(|diagnostic| Warning::of(diagnostic, is_tiled.then_some(coord))).collect();
        let ground = baked.ground.map(|ground| *ground);
        WholeTile {
            tile: baked.tile,
            island_cells: baked.island_cells,
            counts: baked.counts,
            warnings,
            ground,
        }
    }
}
