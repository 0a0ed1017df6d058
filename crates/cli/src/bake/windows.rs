//! Reads the chunks of a level that is not held in memory into windows of triangles.

use crate::failure::Failure;
use crate::memory;
use crate::source::{ChunkedSource, Stop};
use navbake::lost_areas::add_floor;
use navbake::shard::{ChunkFacts, ReadChunks};
use navinput::{LevelSums, NameCheck};
use navlevel::triangles::Windows;
use navtile::TileCoord;
use recast::error::LevelError;
use recast::{Error, PreparedLevel};
use std::collections::BTreeSet;
use std::fs::File;

/// Numbers reserved for the triangles of one chunk.
const OF_CHUNK: u64 = 1 << 36;

/// The result of reading a level's chunks.
pub(crate) struct ReadLevel {
    pub(crate) chunks: ReadChunks,
    pub(crate) sums: LevelSums,
    pub(crate) names: NameCheck,
}

/// Reads the chunks that reach the wanted tiles. The levels have no triangles; there is one for each agent,
/// in tiles of these cells.
pub(crate) fn read(
    source: &ChunkedSource,
    levels: Vec<PreparedLevel>,
    tile_cells: u32,
    wanted: Option<BTreeSet<TileCoord>>,
    scratch: File,
) -> Result<(Windows, ReadLevel), Failure> {
    let failed = |error: Error| crate::source::failed(source.title().as_ref(), &error);
    let bound = source.source.memory_bound();
    let mut windows = Windows::new(levels, tile_cells, wanted, scratch, bound).map_err(failed)?;
    let mut read = ReadLevel {
        chunks: ReadChunks { of: source.chunks.len() as u32, ..ReadChunks::default() },
        sums: source.sums(),
        names: source.names(),
    };
    for index in 0..source.chunks.len() {
        if source.chunks[index].bounds.is_none_or(|bounds| windows.is_reached_by(bounds)) {
            let facts = read_chunk(&mut windows, source, index, &mut read)?;
            read.chunks.read.insert(index as u32, facts);
        }
    }
    source.forget();
    windows.finish(bound.saturating_sub(memory::BASE));
    Ok((windows, read))
}

/// Bins the triangles of a chunk.
fn read_chunk(
    windows: &mut Windows,
    source: &ChunkedSource,
    index: usize,
    into: &mut ReadLevel,
) -> Result<ChunkFacts, Failure> {
    let path = &source.chunks[index].path;
    let mut facts = ChunkFacts { floors: vec![Vec::new(); windows.levels().len()], ..ChunkFacts::default() };
    let mut given = 0;
    let stated = source.chunks[index].bounds;
    let (sums, names) = (&mut into.sums, &mut into.names);
    let ignored = source.read(index, &mut |level| {
        sums.add(&level);
        names.add(&level);
        let meshes = source.meshes(&level);
        if meshes.is_empty() {
            return Ok(());
        }
        check_bounds(path, stated, recast::level_bounds(&meshes))?;
        let first = index as u64 * OF_CHUNK + facts.triangles.sum.count;
        let placed = windows.add(&meshes, first, &mut |levels, corners, area| {
            facts.areas.insert(area.0);
            for (level, floors) in levels.iter().zip(&mut facts.floors) {
                add_floor(floors, level, corners, area);
            }
        });
        let placed = placed.map_err(|stop: Stop| stop.failure(path))?;
        given += placed.sum.count + placed.dropped.count as u64;
        facts.triangles = std::mem::take(&mut facts.triangles).and(placed);
        Ok(())
    })?;
    if given >= OF_CHUNK {
        let message = format!("{}: has {given} triangles", path.display());
        return Err(Failure::call(message).help("cut it into several chunks"));
    }
    facts.ignored = ignored.iter().map(|what| format!("{}: {what}", path.display())).collect();
    Ok(facts)
}

/// Refuses a chunk outside the bounds in the list. Tiles and shares were made from these bounds.
fn check_bounds(
    path: &std::path::Path,
    stated: Option<[[f64; 3]; 2]>,
    found: [[f64; 3]; 2],
) -> Result<(), Failure> {
    let Some(stated) = stated else { return Ok(()) };
    let is_inside = (0..3).all(|axis| {
        stated[0][axis] <= found[0][axis] && found[1][axis] <= stated[1][axis]
            || found[0][axis] > found[1][axis]
    });
    if is_inside {
        return Ok(());
    }
    let message = format!(
        "{}: has triangles from {:?} to {:?}, but its list of chunks states bounds of {:?} to {:?}",
        path.display(),
        found[0],
        found[1],
        stated[0],
        stated[1]
    );
    Err(Failure::circumstances(message).help("write the list again with `navtile chunks`"))
}

/// Refuses a level without anything to bake.
pub(crate) fn check_any(title: &str, whole: &ChunkFacts, level: &PreparedLevel) -> Result<(), Failure> {
    let triangles = &whole.triangles;
    let error = match (triangles.sum.count, triangles.dropped.count) {
        (0, 0) => LevelError::Empty,
        (0, dropped) => LevelError::AllDegenerate(dropped),
        _ if triangles.meets_bounds => return Ok(()),
        _ => {
            let [min, max] = level.config.settings.bounds.unwrap_or_default();
            LevelError::OutsideBounds { min, max }
        }
    };
    Err(crate::source::failed(title.as_ref(), &error.into()))
}
