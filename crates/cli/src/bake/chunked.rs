//! The bake of a level in chunks. Its tiles are known from its list, or from a first pass over its files;
//! then the chunks that these tiles need are read once.

use super::args::BakeArgs;
use super::events::Events;
use super::level_run::{LevelRun, placed_obstacles};
use super::shard::Shard;
use super::targets::Targets;
use super::windows::{self, ReadLevel, check_any};
use crate::bake_report::phases::Phases;
use crate::failure::{Answer, Failure};
use crate::source::{self, ChunkedSource, PreparedLevels, Source};
use crate::tile_size::{refuse_one_piece, tile_cells};
use navbake::shard::ChunkFacts;
use navlevel::meta::meta_of;
use navlevel::triangles::Triangles;
use navlevel::{PreparedObstacle, ShareBox, TileGrid, share_tiles};
use navtile::{Meta, TileCoord};
use recast::{AreaId, Error, PreparedLevel};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Bakes a level in chunks.
pub(crate) fn bake(
    args: &BakeArgs,
    source: Source,
    shard: Option<Shard>,
    targets: Targets,
    events: &Events<'_>,
    mut phases: Phases,
) -> Result<Answer, Failure> {
    let (tile_size, reachable_from) = (source.tile_size(), source.reachable_from());
    let hierarchy = source.hierarchy(args.hierarchy);
    let mut source = source.chunked()?;
    let title = source.title();
    let failed = |error: Error| source::failed(title.as_ref(), &error);
    let bounds = source.find_bounds()?;
    phases.lap("bounds");
    let outline = |settings| PreparedLevel::outline(settings, bounds);
    let levels: Vec<PreparedLevel> =
        source.source.agent_settings().map(outline).collect::<Result<_, _>>().map_err(failed)?;
    let tile_cells = tile_cells(tile_size, &levels[0])?;
    refuse_one_piece(hierarchy.is_some(), tile_cells)?;
    let obstacles = args.obstacles.as_deref().map(|path| placed_obstacles(path, &levels)).transpose()?;
    let obstacles = obstacles.unwrap_or_default();
    let wanted = shard.map(|shard| own_tiles(&source, &levels, tile_cells, &obstacles, shard));
    let wanted = wanted.transpose().map_err(failed)?;
    let scratch = targets.files[0].scratch_file()?;
    let (windows, read) = windows::read(&source, levels, tile_cells, wanted, scratch)?;
    let ReadLevel { chunks, sums, names } = read;
    targets.check()?;
    events.open()?;
    phases.lap("read");

    let whole = chunks.whole().filter(|_| shard.is_none());
    let mut windows = windows.with_obstacles(obstacles);
    if let Some(whole) = &whole {
        source.source.check_names(&names.unknown(), &title)?;
        check_any(&title, whole, &windows.levels()[0])?;
        windows.state(&whole.triangles);
    }
    let mut warnings: Vec<String> = chunks.read.values().flat_map(|facts| facts.ignored.clone()).collect();
    warnings.extend(source.source.doubts(sums, &title));
    let metas = metas(&source, windows.levels(), whole.as_ref(), tile_cells);
    phases.lap("digest");
    let prepared = PreparedLevels {
        levels: windows.levels().to_vec(),
        names: vec![title.clone()],
        title: PathBuf::from(title),
        warnings,
    };
    let triangles = chunks.read.values().map(|facts| facts.triangles.sum.count as usize).sum();
    let run = LevelRun {
        args,
        shard,
        prepared: &prepared,
        targets: &targets,
        source: &Triangles::Windows(Box::new(windows)),
        triangles,
        metas,
        reachable_from,
        hierarchy,
        chunks: Some(&chunks),
        floors: whole.as_ref().map(|whole| whole.floors.as_slice()),
    };
    run.bake(events, phases)
}

/// For each agent, the metadata of its file; for a share, only the part that follows from the list.
fn metas(
    source: &ChunkedSource,
    levels: &[PreparedLevel],
    whole: Option<&ChunkFacts>,
    tile_cells: u32,
) -> Vec<Meta> {
    let areas: Vec<AreaId> = whole.iter().flat_map(|whole| &whole.areas).map(|id| AreaId(*id)).collect();
    let digest =
        whole.map_or_else(|| source.list_digest(), |whole| whole.triangles.sum.digest(&levels[0].lattice));
    let reachable_from = source.source.reachable_from();
    levels.iter().map(|level| meta_of(level, &areas, digest, tile_cells, reachable_from)).collect()
}

/// The tiles of a share, as everyone with the list finds them.
fn own_tiles(
    source: &ChunkedSource,
    levels: &[PreparedLevel],
    tile_cells: u32,
    obstacles: &[Vec<PreparedObstacle>],
    shard: Shard,
) -> Result<BTreeSet<TileCoord>, Error> {
    let grid = TileGrid::new(levels, tile_cells)?;
    let boxes: Vec<ShareBox> = source
        .chunks
        .iter()
        .filter_map(|chunk| {
            let corners = chunk.bounds?.map(|corner| levels[0].lattice.to_local(corner));
            Some(ShareBox { corners, triangles: chunk.triangles.unwrap_or(0) })
        })
        .collect();
    let more: Vec<TileCoord> =
        obstacles.iter().flatten().flat_map(|obstacle| grid.reached_by_obstacle(obstacle)).collect();
    let own = share_tiles(levels, &grid, (&boxes, &more), [shard.index - 1, shard.of]);
    Ok(own.into_iter().collect())
}
