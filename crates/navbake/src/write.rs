//! Writes the file of one agent: its tiles in canonical order, without dropped islands, and the island graph.

use crate::error::BakeError;
use crate::level_bake::LevelBake;
use crate::report::{BakeSummary, BakedFile};
use crate::shard::{Share, WholeTile};
use crate::warning::Warning;
use crate::{hierarchy, loose_ends, lost_areas};
use detour::NavMesh;
use navlevel::assemble::{AssembleError, FoundTile, Judge, TileStore, write_level};
use navlevel::meta::meta;
use navlinks::{GroundCounts, GroundStore, tile_size};
use navmath::Hasher;
use navtile::{IslandGraph, SharedBytes, Tile, TileCoord};
use recast::{PreparedLevel, TileGround};
use std::io::Cursor;

/// The tiles of one agent among those of a share.
struct AgentShare<'a> {
    agent: usize,
    tiles: &'a Share,
    /// Columns of a tile along x and z.
    size: [u32; 2],
}

impl AgentShare<'_> {
    fn get(&self, coord: TileCoord) -> Option<&WholeTile> {
        self.tiles.get(&(self.agent, coord))
    }
}

impl TileStore for AgentShare<'_> {
    type Error = BakeError;

    fn tile(&self, coord: TileCoord) -> Result<Option<FoundTile>, BakeError> {
        Ok(self.get(coord).map(|whole| FoundTile::Whole(whole.tile.clone())))
    }

    fn length(&self, coord: TileCoord) -> u64 {
        self.get(coord).map_or(0, |whole| whole.tile.bytes().len() as u64)
    }

    fn spans(&self, _: TileCoord, _: [u8; 16]) -> Result<Option<SharedBytes>, BakeError> {
        Ok(None)
    }
}

impl GroundStore for AgentShare<'_> {
    type Error = BakeError;

    fn counts(&self, coord: TileCoord) -> Option<GroundCounts> {
        self.get(coord)?.ground.as_ref()?.counts()
    }

    fn ground(&self, coord: TileCoord) -> Result<TileGround, BakeError> {
        let own = self.get(coord);
        let unpacked = own.and_then(|whole| whole.ground.as_ref()?.unpacked(&whole.node, self.size));
        let TileCoord { x, z, .. } = coord;
        unpacked.ok_or_else(|| {
            BakeError::new(format!("a share is damaged: tile ({x}, {z}): its ground breaks a rule"))
                .help("bake it again")
        })
    }
}

/// Writes the file of one agent from its tiles, which must be complete.
pub(crate) fn file(
    bake: &LevelBake,
    agent: usize,
    coords: &[TileCoord],
    tiles: &Share,
) -> Result<BakedFile, BakeError> {
    let level = &bake.levels[agent];
    let failed = |error| unassembled(bake, error);
    let store = AgentShare { agent, tiles, size: tile_size(level.size, bake.tile_cells) };
    let own = || coords.iter().filter_map(|coord| store.get(*coord));
    let judge = Judge::new(level, bake.tile_cells, bake.reachable_from);
    let graph = IslandGraph::new(own().map(|whole| whole.node.clone()).collect());
    let tile = |coord| Ok(store.get(coord).map(|whole| whole.tile.clone()));
    let judged = judge.judge(graph, &store, tile).map_err(failed)?;
    let meta = meta(level, bake.tile_cells, bake.reachable_from);
    let mut written = Vec::new();
    let out = Cursor::new(Vec::new());
    let seen = &mut |tile: &Tile| written.push(tile.clone());
    let memory = level.config.settings.memory_bound;
    let bytes = write_level(out, &meta, (&judged, &store), None, memory, seen).map_err(failed)?.into_inner();
    let bytes = match &bake.hierarchy {
        None => bytes,
        Some(input) => hierarchy::add(bytes, input)
            .map_err(|error| BakeError::new(format!("{}: {error}", bake.title)))?,
    };
    let mut report =
        BakeSummary { bytes: bytes.len(), hash: file_hash(&bytes), ..count(bake, level, &written) };
    report.islands = judged.surviving.keep.iter().filter(|keep| **keep).count();
    report.islands_dropped = judged.surviving.keep.len() - report.islands;
    for whole in own() {
        report.spans += whole.facts.counts.spans;
        report.compact_spans += whole.facts.counts.compact_spans;
        report.regions += whole.facts.counts.regions;
    }
    report.warnings = warnings(bake, level, &written, own());
    Ok(BakedFile { agent: bake.agents[agent].clone(), bytes, report })
}

fn unassembled(bake: &LevelBake, error: AssembleError<BakeError>) -> BakeError {
    match error {
        AssembleError::Store(error) => error,
        AssembleError::Tile(error) => bake.failed(&error),
        AssembleError::NoGround(_) => BakeError::new(error.to_string()).help("give a place on the ground"),
        error => BakeError::new(format!("{}: {error}", bake.title)),
    }
}

/// Counts of the tiles in the file.
fn count(bake: &LevelBake, level: &PreparedLevel, tiles: &[Tile]) -> BakeSummary {
    BakeSummary {
        grid: [level.size[0], level.size[2]],
        tile_cells: bake.tile_cells,
        tiles: tiles.len(),
        triangles: level.triangles_given,
        polygons: tiles.iter().map(|tile| tile.polygons().len()).sum(),
        vertices: tiles.iter().map(|tile| tile.header().polygon_vertex_count as usize).sum(),
        detail_triangles: tiles.iter().map(|tile| tile.detail_triangles().len()).sum(),
        off_mesh_links: tiles.iter().map(|tile| tile.off_mesh_links().len()).sum(),
        walkable_area: tiles.iter().map(|tile| tile.area(|_| true)).sum(),
        ..BakeSummary::default()
    }
}

/// All warnings; warnings about the level come first.
fn warnings<'a>(
    bake: &LevelBake,
    level: &PreparedLevel,
    written: &[Tile],
    whole: impl Iterator<Item = &'a WholeTile>,
) -> Vec<Warning> {
    let mut warnings: Vec<Warning> =
        bake.warnings.iter().map(|text| Warning::plain("level", text.clone())).collect();
    warnings.extend(Warning::of_level(level));
    warnings.extend(whole.flat_map(|tile| tile.facts.warnings.iter().cloned()));
    if written.iter().all(|tile| tile.polygons().is_empty()) {
        warnings.push(Warning::empty_mesh(level));
    }
    let mut present = [false; 256];
    for polygon in written.iter().flat_map(|tile| tile.polygons()) {
        present[usize::from(polygon.area)] = true;
    }
    let mesh = || -> Option<NavMesh> {
        let mut mesh = NavMesh::new(level.lattice.origin).ok()?;
        mesh.add_tiles(written.to_vec()).ok()?;
        Some(mesh)
    };
    warnings.extend(lost_areas::warnings(level, mesh, &present));
    warnings.extend(loose_ends::warnings(level, mesh));
    warnings
}

/// The digest of a file in hexadecimal digits. Equal files have equal digests.
pub fn file_hash(bytes: &[u8]) -> String {
    Hasher::new().write_u8s(bytes).finish().0.iter().map(|byte| format!("{byte:02x}")).collect()
}
