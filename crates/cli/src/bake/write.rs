//! Writes the file of one agent: tiles in canonical order, from the spool or from the previous file, without
//! dropped islands; then the island graph.

use super::baker::{AgentTiles, TileBaker};
use super::previous::PreviousBake;
use crate::failure::Failure;
use crate::files::{Pending, Target};
use crate::written::Written;
use navlevel::retain_islands;
use navlinks::{end_tiles, kept_links, with_links};
use navtile::{FileWriter, Meta, SharedBytes, Tile, TileCoord, TileRecord, WriteFileError};
use rayon::prelude::*;
use recast::{LinkKind, PreparedLevel};
use std::collections::{BTreeMap, BTreeSet};

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
    /// For each area id, true if a polygon has that area.
    pub(super) areas: [bool; 256],
    /// Reused from the previous file, and not baked.
    pub(super) taken_over: bool,
}

/// Number of tiles that are prepared on all cores before they are written one by one.
const AT_A_TIME: usize = 64;
/// Memory for a tile that is prepared, as a multiple of its blob: it is read, and split if it loses islands.
const FORMS: u64 = 16;

/// Access to the baked tiles of an agent.
pub(super) trait BakedStore: Sync {
    /// A tile: whole if it was baked now, else as in the previous file.
    fn tile(&self, coord: TileCoord) -> Result<FoundTile, Failure>;

    /// Length of its blob, bytes.
    fn length(&self, coord: TileCoord) -> u64;

    /// The spans that a dynamic file also keeps; `None` if the file is not dynamic.
    fn kept(&self) -> Result<Option<KeptSpans>, Failure>;

    /// The kept spans of a tile, packed.
    fn spans(&self, coord: TileCoord, level_hash: [u8; 16]) -> Result<SharedBytes, Failure>;

    /// Memory for tiles that are prepared, bytes.
    fn memory(&self) -> u64;

    /// Refuses a file with invalid kept spans that were copied from elsewhere.
    fn check(&self, written: &mut Pending) -> Result<(), Failure>;
}

/// A baked tile that is written to the file.
pub(super) enum FoundTile {
    /// Before anything was dropped from it.
    Whole(Tile),
    /// From the previous file, without dropped islands.
    Pruned(Tile),
}

/// The spans that a dynamic file keeps of a level.
pub(super) struct KeptSpans {
    /// Size of the level in cells.
    pub(super) size: [u32; 3],
    /// Height of its bounds, metres.
    pub(super) height: f32,
    /// The settings of its bake.
    pub(super) settings: Vec<u8>,
    /// The tiles whose spans are kept, in canonical order, with the digest of the level there.
    pub(super) tiles: Vec<(TileCoord, [u8; 16])>,
}

/// Writes the file of one agent; returns its tiles and its size in bytes.
pub(super) fn write(
    target: &Target,
    meta: &Meta,
    tiles: &AgentTiles,
    store: &dyn BakedStore,
) -> Result<(Vec<WrittenTile>, u64), Failure> {
    let kept: Vec<usize> =
        (0..tiles.graph.nodes().len()).filter(|&node| tiles.kept.keeps_any(node)).collect();
    let pending = target.begin()?;
    let failed = |error: WriteFileError| match error {
        WriteFileError::Io(error) => target.unwritable(&error),
        WriteFileError::File(error) => Failure::of(target.path(), error),
    };
    let mut writer = FileWriter::new(pending, meta, kept.len()).map_err(failed)?;
    let links = kept_links(&tiles.links, &tiles.graph, &tiles.kept);
    let linked = |tile: Tile| {
        let own = links.get(&tile.coord()).map_or(&[][..], Vec::as_slice);
        let mut ends = BTreeMap::new();
        for coord in end_tiles(own) {
            let Some(node) = tiles.graph.find(coord).filter(|&node| tiles.kept.keeps_any(node)) else {
                continue;
            };
            let end = match store.tile(coord)? {
                FoundTile::Whole(tile) => pruned(&tile, node, tiles)?,
                FoundTile::Pruned(tile) => tile,
            };
            ends.insert(coord, end);
        }
        with_links(&tile, own, &ends).map_err(|error| Failure::circumstances(error.to_string()))
    };
    let mut written = Vec::with_capacity(kept.len());
    let record = |node: usize| -> Result<(TileRecord, WrittenTile), Failure> {
        let coord = tiles.graph.nodes()[node].coord();
        let tile = match store.tile(coord)? {
            FoundTile::Whole(tile) => linked(pruned(&tile, node, tiles)?)?,
            FoundTile::Pruned(tile) => tile,
        };
        let taken_over = !tiles.baked.tiles.contains_key(&coord);
        let about = WrittenTile::of(&tile, taken_over);
        let input_hash = tiles.graph.nodes()[node].input_hash();
        Ok((TileRecord { tile, input_hash, prune_hash: tiles.kept.prune_hash(node) }, about))
    };
    let length = |node: &usize| store.length(tiles.graph.nodes()[*node].coord());
    let mut rest = &kept[..];
    while !rest.is_empty() {
        let nodes;
        (nodes, rest) = rest.split_at(batch(rest.iter().map(length), store.memory() / FORMS));
        let records: Vec<_> = nodes.par_iter().map(|&node| record(node)).collect::<Result<_, _>>()?;
        for (record, about) in records {
            writer.add(&record).map_err(failed)?;
            written.push(about);
        }
    }
    if let Some(KeptSpans { size, height, settings, tiles }) = store.kept()? {
        writer = writer.with_kept(size, height, settings);
        for (coord, level_hash) in tiles {
            writer.keep(coord, level_hash, &store.spans(coord, level_hash)?).map_err(failed)?;
        }
    }
    let mut pending = writer.finish(Some(&tiles.graph)).map_err(failed)?;
    store.check(&mut pending)?;
    let size = pending.get_ref().as_file().metadata().map_err(|error| target.unwritable(&error))?.len();
    target.commit(pending)?;
    Ok((written, size))
}

/// The tiles of an agent that were baked now, or are in its previous file.
pub(super) struct BakedNow<'a> {
    pub(super) target: &'a Target,
    pub(super) agent: usize,
    pub(super) baker: &'a TileBaker<'a>,
    /// Tiles that were baked, but are not written: the previous file has them.
    pub(super) ground_only: &'a BTreeSet<TileCoord>,
}

impl BakedNow<'_> {
    fn previous(&self) -> Option<&PreviousBake> {
        self.baker.previous[self.agent].as_ref()
    }
}

impl BakedStore for BakedNow<'_> {
    fn tile(&self, coord: TileCoord) -> Result<FoundTile, Failure> {
        let baked = match self.ground_only.contains(&coord) {
            true => None,
            false => {
                self.baker.spool.take(self.agent, coord).map_err(|error| self.target.unwritable(&error))?
            }
        };
        match (baked, self.previous()) {
            (Some(tile), _) => Ok(FoundTile::Whole(tile)),
            (None, Some(previous)) => reused(previous, coord).map(FoundTile::Pruned),
            (None, None) => Err(lost(coord)),
        }
    }

    fn length(&self, coord: TileCoord) -> u64 {
        let reused = || self.previous().map_or(0, |previous| previous.length(coord));
        let baked = self.baker.spool.length(self.agent, coord);
        baked.filter(|_| !self.ground_only.contains(&coord)).unwrap_or_else(reused)
    }

    fn kept(&self) -> Result<Option<KeptSpans>, Failure> {
        if !self.baker.dynamic {
            return Ok(None);
        }
        let level = &self.baker.ground.levels()[self.agent];
        let (settings, tiles) = (kept_settings(level)?, self.baker.inputs.kept(self.agent));
        Ok(Some(KeptSpans { size: level.size, height: level.height, settings, tiles }))
    }

    fn spans(&self, coord: TileCoord, level_hash: [u8; 16]) -> Result<SharedBytes, Failure> {
        let baked = self.baker.spool.spans(self.agent, coord);
        if let Some(spans) = baked.map_err(|error| self.target.unwritable(&error))? {
            return Ok(SharedBytes::from(&spans[..]));
        }
        let reused = self.previous().and_then(|previous| previous.spans(coord, level_hash));
        reused.ok_or_else(|| lost(coord))
    }

    fn memory(&self) -> u64 {
        self.baker.memory
    }

    fn check(&self, written: &mut Pending) -> Result<(), Failure> {
        if !(self.baker.dynamic && self.baker.spool.has_taken_over()) {
            return Ok(());
        }
        match Written::open(self.target, written)?.fault_of_spans(self.baker.memory) {
            None => Ok(()),
            Some(fault) => {
                Err(Failure::of(self.target.path(), format!("a tile of the interrupted bake: {fault}"))
                    .help("nothing was changed; bake without --resume"))
            }
        }
    }
}

/// The settings that a dynamic file holds.
pub(super) fn kept_settings(level: &PreparedLevel) -> Result<Vec<u8>, Failure> {
    tilecache::write_settings(&level.config.settings)
        .map_err(|error| Failure::circumstances(error.to_string()).help("use fewer volumes"))
}

/// Number of the next tiles, of these lengths, that are prepared together: at least one, and no more than fit
/// in `memory`.
fn batch(lengths: impl Iterator<Item = u64>, memory: u64) -> usize {
    let mut bytes = 0u64;
    let fits = |length: &u64| {
        bytes = bytes.saturating_add(*length);
        bytes <= memory
    };
    lengths.take(AT_A_TIME).take_while(fits).count().max(1)
}

pub(super) fn lost(coord: TileCoord) -> Failure {
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
