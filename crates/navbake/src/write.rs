//! Writes the file of one agent: its tiles in canonical order, without dropped islands, and the island graph.

use crate::error::BakeError;
use crate::level_bake::LevelBake;
use crate::part::{Share, WholeTile};
use crate::report::{BakeSummary, BakedFile};
use crate::seed::seed;
use crate::warning::Warning;
use crate::{loose_ends, lost_areas};
use detour::NavMesh;
use navmath::Hasher;
use navtile::graph::KeptIslands;
use navtile::{FileWriter, IslandGraph, Tile, TileCoord, TileRecord};
use recast::meta::meta;
use recast::{
    GeneratedLink, PreparedLevel, SEED_REACH, TileGround, end_tiles, find_links, graph_grid, join_links,
    kept_links, min_island_cells, retain_islands, with_links,
};
use std::io::Cursor;

/// Writes the file of one agent from its tiles, which must be complete.
pub(crate) fn file(
    bake: &LevelBake,
    agent: usize,
    coords: &[TileCoord],
    tiles: &mut Share,
) -> Result<BakedFile, BakeError> {
    let level = &bake.levels[agent];
    let failed = |error: String| BakeError::new(format!("{}: {error}", bake.title));
    let ground = coords.iter().filter_map(|coord| tiles.get_mut(&(agent, *coord))?.ground.take()).collect();
    let tiles = &*tiles;
    let (graph, kept, links) = judge(bake, agent, (coords, tiles), ground)?;
    let links = kept_links(&links, &graph, &kept);
    let left = |coord: TileCoord| -> Result<Option<Tile>, BakeError> {
        let (Some(index), Some(whole)) = (graph.find(coord), tiles.get(&(agent, coord))) else {
            return Ok(None);
        };
        let left = retain_islands(&whole.tile, |island| kept.keeps(index, island));
        left.map_err(|error| bake.failed(&error))
    };
    let mut records = Vec::new();
    for (index, node) in graph.nodes().iter().enumerate().filter(|(index, _)| kept.keeps_any(*index)) {
        if let Some(tile) = left(node.coord())? {
            let own = links.get(&tile.coord()).map_or(&[][..], Vec::as_slice);
            let ends = end_tiles(own).into_iter().map(|coord| Ok(left(coord)?.map(|tile| (coord, tile))));
            let ends = ends.filter_map(Result::transpose).collect::<Result<_, BakeError>>()?;
            let tile = with_links(&tile, own, &ends).map_err(|error| bake.failed(&error))?;
            let (input_hash, prune_hash) = (node.input_hash(), kept.prune_hash(index));
            records.push(TileRecord { tile, input_hash, prune_hash });
        }
    }
    let meta = meta(level, bake.tile_cells, bake.reachable_from);
    let mut writer = FileWriter::new(Cursor::new(Vec::new()), &meta, records.len())
        .map_err(|error| failed(error.to_string()))?;
    for record in &records {
        writer.add(record).map_err(|error| failed(error.to_string()))?;
    }
    let bytes = writer.finish(Some(&graph)).map_err(|error| failed(error.to_string()))?.into_inner();
    let written: Vec<Tile> = records.into_iter().map(|record| record.tile).collect();
    let mut report =
        BakeSummary { bytes: bytes.len(), hash: file_hash(&bytes), ..count(bake, level, &written) };
    report.islands = kept.keep.iter().filter(|keep| **keep).count();
    report.islands_dropped = kept.keep.len() - report.islands;
    let own = || coords.iter().filter_map(|coord| tiles.get(&(agent, *coord)));
    for whole in own() {
        report.spans += whole.facts.counts.spans;
        report.compact_spans += whole.facts.counts.compact_spans;
        report.regions += whole.facts.counts.regions;
    }
    report.warnings = warnings(bake, level, &written, own());
    Ok(BakedFile { agent: bake.agents[agent].clone(), bytes, report })
}

/// The islands to keep, and all links between islands that are large enough.
fn judge(
    bake: &LevelBake,
    agent: usize,
    (coords, tiles): (&[TileCoord], &Share),
    ground: Vec<TileGround>,
) -> Result<(IslandGraph, KeptIslands, Vec<GeneratedLink>), BakeError> {
    let level = &bake.levels[agent];
    let whole = coords.iter().filter_map(|coord| tiles.get(&(agent, *coord)));
    let graph = IslandGraph::new(whole.map(|whole| whole.node.clone()).collect());
    let min_cells = min_island_cells(level, bake.tile_cells);
    let grid = graph_grid(level, bake.tile_cells);
    let links = find_links(level, (&graph, &grid, min_cells), ground);
    let graph = join_links(graph, &links);
    let seed = match bake.reachable_from {
        None => None,
        Some(place) => {
            let tile = |coord| Ok::<_, BakeError>(tiles.get(&(agent, coord)).map(|whole| whole.tile.clone()));
            Some(seed(level, bake.tile_cells, &graph, place, tile)?.ok_or_else(|| no_ground(place))?)
        }
    };
    let kept = graph.judge(&grid, min_cells, seed.as_ref().map(std::slice::from_ref));
    Ok((graph, kept, links))
}

fn no_ground([x, y, z]: [f64; 3]) -> BakeError {
    let [across, up] = SEED_REACH;
    BakeError::new(format!(
        "reachable_from: there is no ground within {across} m across and {up} m in height of {x}, {y}, {z}"
    ))
    .help("give a place on the ground")
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
