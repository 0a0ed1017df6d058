//! The file of an agent: tiles in canonical order without dropped islands, cached spans, and the island
//! graph.

use super::{AssembleError, FoundTile, LevelTiles, TileStore};
use crate::retain_islands;
use navlinks::{GeneratedLink, end_tiles, kept_links, with_links};
use navtile::{FileWriter, Meta, Tile, TileCoord, TileRecord};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::{Seek, Write};

/// Number of tiles that are prepared on all cores before they are written one by one.
const AT_A_TIME: usize = 64;
/// Memory for a tile that is prepared, as a multiple of its blob: it is read, and split if it loses islands.
const FORMS: u64 = 16;

/// The spans that a dynamic file keeps of a level.
#[derive(Clone, Debug)]
pub struct LevelSpans {
    /// Size of the level in cells.
    pub size: [u32; 3],
    /// Height of its bounds, metres.
    pub height: f32,
    /// The settings of its bake, as the file holds them.
    pub settings: Vec<u8>,
    /// The tiles whose spans are cached, in canonical order, with the digest of the level there.
    pub tiles: Vec<(TileCoord, [u8; 16])>,
}

/// Writes the file of one agent into `out`, which must be empty, and returns it. `seen` gets each tile as it
/// is written, in order. Tiles that are prepared take at most about `memory` bytes. Runs on the threads of
/// the current pool; the bytes do not depend on their number.
///
/// # Errors
/// A store that fails, a tile that is not there, and a file that cannot be written.
pub fn write_level<W: Write + Seek, S: TileStore>(
    out: W,
    meta: &Meta,
    (tiles, store): (&LevelTiles, &S),
    spans: Option<LevelSpans>,
    memory: u64,
    seen: &mut dyn FnMut(&Tile),
) -> Result<W, AssembleError<S::Error>> {
    let links = kept_links(&tiles.links, &tiles.graph, &tiles.surviving);
    let finished = Finished { tiles, store, links };
    let kept: Vec<usize> = tiles.surviving_nodes().collect();
    let mut writer = FileWriter::new(out, meta, kept.len())?;
    let mut rest = &kept[..];
    while !rest.is_empty() {
        let lengths = rest.iter().map(|&node| store.length(tiles.graph.nodes()[node].coord()));
        let nodes;
        (nodes, rest) = rest.split_at(batch(lengths, memory / FORMS));
        let records: Vec<TileRecord> =
            nodes.par_iter().map(|&node| finished.record(node)).collect::<Result<_, _>>()?;
        for record in records {
            writer.add(&record)?;
            seen(&record.tile);
        }
    }
    if let Some(LevelSpans { size, height, settings, tiles }) = spans {
        writer = writer.with_span_cache(size, height, settings);
        for (coord, level_hash) in tiles {
            let spans = store.spans(coord, level_hash).map_err(AssembleError::Store)?;
            writer.keep(coord, level_hash, &spans.ok_or(AssembleError::Lost(coord))?)?;
        }
    }
    Ok(writer.finish(Some(&tiles.graph))?)
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

/// The tiles of a store as the file holds them.
struct Finished<'a, S> {
    tiles: &'a LevelTiles,
    store: &'a S,
    links: BTreeMap<TileCoord, Vec<&'a GeneratedLink>>,
}

impl<S: TileStore> Finished<'_, S> {
    /// The row of a node with kept islands.
    fn record(&self, node: usize) -> Result<TileRecord, AssembleError<S::Error>> {
        let about = &self.tiles.graph.nodes()[node];
        let tile = match self.found(about.coord())? {
            FoundTile::Whole(tile) => self.linked(&self.pruned(&tile, node)?)?,
            FoundTile::Pruned(tile) => tile,
        };
        Ok(TileRecord {
            tile,
            input_hash: about.input_hash(),
            prune_hash: self.tiles.surviving.prune_hash(node),
        })
    }

    fn found(&self, coord: TileCoord) -> Result<FoundTile, AssembleError<S::Error>> {
        self.store.tile(coord).map_err(AssembleError::Store)?.ok_or(AssembleError::Lost(coord))
    }

    /// A tile without the islands that are not kept.
    fn pruned(&self, tile: &Tile, node: usize) -> Result<Tile, AssembleError<S::Error>> {
        let left = retain_islands(tile, |local| self.tiles.surviving.keeps(node, local))?;
        left.ok_or(AssembleError::Lost(tile.coord()))
    }

    /// A tile with the links that start in it.
    fn linked(&self, tile: &Tile) -> Result<Tile, AssembleError<S::Error>> {
        let own = self.links.get(&tile.coord()).map_or(&[][..], Vec::as_slice);
        let mut ends = BTreeMap::new();
        for coord in end_tiles(own) {
            let node = self.tiles.graph.find(coord).filter(|&node| self.tiles.surviving.keeps_any(node));
            let Some(node) = node else { continue };
            let end = match self.found(coord)? {
                FoundTile::Whole(tile) => self.pruned(&tile, node)?,
                FoundTile::Pruned(tile) => tile,
            };
            ends.insert(coord, end);
        }
        Ok(with_links(tile, own, &ends)?)
    }
}
