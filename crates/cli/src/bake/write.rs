//! Writes the file of one agent: tiles in canonical order, from the spool or from the previous file, without dropped
//! islands; then the island graph.

use super::baker::{AgentTiles, TileBaker};
use super::previous::PreviousBake;
use crate::failure::Failure;
use crate::files::{Pending, Target};
use navtile::{FileWriter, Meta, Tile, TileCoord, TileRecord, WriteFileError};
use rayon::prelude::*;
use recast::{LinkKind, kept_links, retain_islands, with_links};

/// A tile of the file.
#[derive(Clone, Debug)]
pub(super) struct WrittenTile {
    pub(super) coord: TileCoord,
    pub(super) bytes: u64,
    pub(super) polygons: usize,
    pub(super) vertices: usize,
    pub(super) detail_vertices: usize,
    pub(super) detail_triangles: usize,
    /// Off-mesh links, and generated ones among them by kind.
    pub(super) links: usize,
    pub(super) generated: [usize; LinkKind::ALL.len()],
    /// Area of its polygons, m².
    pub(super) area: f64,
    /// Whether a polygon has the area of each id.
    pub(super) areas: [bool; 256],
    /// Reused from the previous file.
    pub(super) taken_over: bool,
}

/// Tiles that are prepared on all cores before they are written one by one.
const AT_A_TIME: usize = 64;
/// Memory for a tile that is prepared, in lengths of its blob: it is read, and taken apart if it loses islands.
const FORMS: u64 = 16;

/// Writes the file of one agent; returns its tiles and its size in bytes.
pub(super) fn write(
    target: &Target,
    meta: &Meta,
    agent: usize,
    tiles: &AgentTiles,
    baker: &TileBaker<'_>,
) -> Result<(Vec<WrittenTile>, u64), Failure> {
    let (spool, previous) = (baker.spool, baker.previous[agent].as_ref());
    let kept: Vec<usize> =
        (0..tiles.graph.nodes().len()).filter(|&node| tiles.kept.keeps_any(node)).collect();
    let pending = target.begin()?;
    let failed = |error: WriteFileError| match error {
        WriteFileError::Io(error) => target.unwritable(&error),
        WriteFileError::File(error) => Failure::of(target.path(), error),
    };
    let mut writer = FileWriter::new(pending, meta, kept.len()).map_err(failed)?;
    let mut written = Vec::with_capacity(kept.len());
    let level = &baker.tiling.levels()[agent];
    let links = kept_links(&tiles.links, &tiles.graph, &tiles.kept);
    let linked = |tile: Tile| {
        let own = links.get(&tile.coord()).map_or(&[][..], Vec::as_slice);
        with_links(level, &tile, own).map_err(|error| Failure::circumstances(error.to_string()))
    };
    let record = |node: usize| -> Result<(TileRecord, WrittenTile), Failure> {
        let coord = tiles.graph.nodes()[node].coord();
        let baked = spool.take(agent, coord).map_err(|error| target.unwritable(&error))?;
        let (tile, taken_over) = match (baked, previous) {
            (Some(tile), _) => (linked(pruned(&tile, node, tiles)?)?, false),
            (None, Some(previous)) => (reused(previous, coord)?, true),
            (None, None) => return Err(lost(coord)),
        };
        let about = WrittenTile::of(&tile, taken_over);
        let input_hash = tiles.graph.nodes()[node].input_hash();
        Ok((TileRecord { tile, input_hash, prune_hash: tiles.kept.prune_hash(node) }, about))
    };
    let length = |node: &usize| {
        let coord = tiles.graph.nodes()[*node].coord();
        let reused = || previous.map_or(0, |previous| previous.length(coord));
        spool.length(agent, coord).unwrap_or_else(reused)
    };
    let mut rest = &kept[..];
    while !rest.is_empty() {
        let nodes;
        (nodes, rest) = rest.split_at(batch(rest.iter().map(length), baker.memory / FORMS));
        let records: Vec<_> = nodes.par_iter().map(|&node| record(node)).collect::<Result<_, _>>()?;
        for (record, about) in records {
            writer.add(&record).map_err(failed)?;
            written.push(about);
        }
    }
    if baker.dynamic {
        writer = keep_spans(writer, target, agent, baker)?;
    }
    let bytes = writer.finish(Some(&tiles.graph)).map_err(failed)?;
    let size = bytes.get_ref().as_file().metadata().map_err(|error| target.unwritable(&error))?.len();
    target.commit(bytes)?;
    Ok((written, size))
}

/// Writes the spans of every tile that a triangle reaches, as they were baked now or stand in the previous file.
fn keep_spans(
    writer: FileWriter<Pending>,
    target: &Target,
    agent: usize,
    baker: &TileBaker<'_>,
) -> Result<FileWriter<Pending>, Failure> {
    let level = &baker.tiling.levels()[agent];
    let settings = tilecache::write_settings(&level.config.settings)
        .map_err(|error| Failure::circumstances(error.to_string()).help("use fewer volumes"))?;
    let mut writer = writer.with_kept(level.size, level.height, settings);
    for &coord in baker.coords[agent].iter().filter(|coord| baker.tiling.triangle_count(**coord) > 0) {
        let level_hash = baker.tiling.level_hash(agent, coord).map_err(|_| lost(coord))?.0;
        let baked = baker.spool.spans(agent, coord).map_err(|error| target.unwritable(&error))?;
        let reused = || baker.previous[agent].as_ref().and_then(|previous| previous.spans(coord, level_hash));
        let kept = match baked {
            Some(spans) => writer.keep(coord, level_hash, &spans),
            None => writer.keep(coord, level_hash, &reused().ok_or_else(|| lost(coord))?),
        };
        kept.map_err(|error| Failure::of(target.path(), error))?;
    }
    Ok(writer)
}

/// How many of the next tiles, of these lengths, are prepared together: at least one, and no more than `memory` holds.
fn batch(lengths: impl Iterator<Item = u64>, memory: u64) -> usize {
    let mut bytes = 0u64;
    let fits = |length: &u64| {
        bytes = bytes.saturating_add(*length);
        bytes <= memory
    };
    lengths.take(AT_A_TIME).take_while(fits).count().max(1)
}

fn lost(coord: TileCoord) -> Failure {
    Failure::circumstances(format!("tile ({}, {}, {}) was baked and lost", coord.x, coord.z, coord.layer))
        .help("nothing was changed; run the bake again")
}

fn pruned(tile: &Tile, node: usize, tiles: &AgentTiles) -> Result<Tile, Failure> {
    let kept = retain_islands(tile, |local| tiles.kept.keeps(node, local))
        .map_err(|error| Failure::circumstances(error.to_string()))?;
    kept.ok_or_else(|| lost(tile.coord()))
}

fn reused(previous: &PreviousBake, coord: TileCoord) -> Result<Tile, Failure> {
    let tile = previous.tile(coord).ok_or_else(|| lost(coord))?;
    tile.map_err(|error| {
        Failure::circumstances(format!("a tile of the previous bake cannot be reused: {error}"))
            .help("bake without --changed")
    })
}

impl WrittenTile {
    fn of(tile: &Tile, taken_over: bool) -> WrittenTile {
        let count = |polygon: &navtile::layout::Polygon| {
            usize::from(polygon.edge_count) + usize::from(polygon.detail_vertex_count)
        };
        let mut generated = [0; LinkKind::ALL.len()];
        let kinds = tile.off_mesh_links().iter().filter_map(|link| LinkKind::of_user_id(link.user_id));
        kinds.for_each(|(kind, _)| generated[kind as usize] += 1);
        let mut areas = [false; 256];
        tile.polygons().iter().for_each(|polygon| areas[usize::from(polygon.area)] = true);
        WrittenTile {
            coord: tile.coord(),
            bytes: tile.bytes().len() as u64,
            polygons: tile.polygons().len(),
            vertices: tile.header().polygon_vertex_count as usize,
            detail_vertices: tile.polygons().iter().map(count).sum(),
            detail_triangles: tile.detail_triangles().len(),
            links: tile.off_mesh_links().len(),
            generated,
            area: tile.area(|_| true),
            areas,
            taken_over,
        }
    }
}
