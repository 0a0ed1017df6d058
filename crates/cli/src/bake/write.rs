//! Writes the file of one agent: tiles in canonical order, from the spool or from the previous file, without
//! dropped islands; then the island graph.

use super::baker::{AgentTiles, TileBaker};
use super::previous::PreviousBake;
use crate::failure::Failure;
use crate::files::{Pending, Target};
use crate::written::Written;
use navlevel::assemble::{AssembleError, FoundTile, LevelSpans, TileStore, write_level};
use navtile::{Meta, SharedBytes, Tile, TileCoord, WriteFileError};
use recast::{LinkKind, PreparedLevel};
use std::collections::BTreeSet;

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

/// The baked tiles of an agent, and what the file needs beside them.
pub(super) trait BakedStore: TileStore<Error = Failure> {
    /// The spans that a dynamic file also keeps; `None` if the file is not dynamic.
    fn kept(&self) -> Result<Option<LevelSpans>, Failure>;

    /// Memory for tiles that are prepared, bytes.
    fn memory(&self) -> u64;

    /// Refuses a file with invalid kept spans that were copied from elsewhere.
    fn check(&self, written: &mut Pending) -> Result<(), Failure>;
}

/// Writes the file of one agent; returns its tiles and its size in bytes.
pub(super) fn write(
    target: &Target,
    meta: &Meta,
    tiles: &AgentTiles,
    store: &impl BakedStore,
) -> Result<(Vec<WrittenTile>, u64), Failure> {
    let mut written = Vec::new();
    let seen = &mut |tile: &Tile| {
        let taken_over = !tiles.baked.tiles.contains_key(&tile.coord());
        written.push(WrittenTile::of(tile, taken_over));
    };
    let (spans, memory) = (store.kept()?, store.memory());
    let pending = write_level(target.begin()?, meta, (&tiles.level, store), spans, memory, seen);
    let mut pending = pending.map_err(|error| unassembled(target, error))?;
    store.check(&mut pending)?;
    let size = pending.get_ref().as_file().metadata().map_err(|error| target.unwritable(&error))?.len();
    target.commit(pending)?;
    Ok((written, size))
}

/// The failure of a file that cannot be written.
fn unassembled(target: &Target, error: AssembleError<Failure>) -> Failure {
    match error {
        AssembleError::Write(WriteFileError::Io(error)) => target.unwritable(&error),
        AssembleError::Write(WriteFileError::File(error)) => Failure::of(target.path(), error),
        error => unjudged(error),
    }
}

/// The failure of tiles that cannot be judged.
pub(super) fn unjudged(error: AssembleError<Failure>) -> Failure {
    match error {
        AssembleError::Store(failure) => failure,
        AssembleError::Lost(_) => {
            Failure::circumstances(error.to_string()).help("nothing was changed; run the bake again")
        }
        AssembleError::NoGround(_) => Failure::call(error.to_string())
            .help("give a place on the ground; `navtile explain --at` shows why there is no ground"),
        AssembleError::Tile(_) | AssembleError::Write(_) => Failure::circumstances(error.to_string()),
    }
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

impl TileStore for BakedNow<'_> {
    type Error = Failure;

    fn tile(&self, coord: TileCoord) -> Result<Option<FoundTile>, Failure> {
        if !self.ground_only.contains(&coord) {
            let baked = self.baker.spool.take(self.agent, coord);
            if let Some(tile) = baked.map_err(|error| self.target.unwritable(&error))? {
                return Ok(Some(FoundTile::Whole(tile)));
            }
        }
        let Some(reused) = self.previous().and_then(|previous| previous.tile(coord)) else { return Ok(None) };
        reused.map(|tile| Some(FoundTile::Pruned(tile))).map_err(|error| {
            Failure::circumstances(format!("a tile of the previous bake cannot be reused: {error}"))
                .help("bake without --changed")
        })
    }

    fn length(&self, coord: TileCoord) -> u64 {
        let reused = || self.previous().map_or(0, |previous| previous.length(coord));
        let baked = self.baker.spool.length(self.agent, coord);
        baked.filter(|_| !self.ground_only.contains(&coord)).unwrap_or_else(reused)
    }

    fn spans(&self, coord: TileCoord, level_hash: [u8; 16]) -> Result<Option<SharedBytes>, Failure> {
        let baked = self.baker.spool.spans(self.agent, coord);
        if let Some(spans) = baked.map_err(|error| self.target.unwritable(&error))? {
            return Ok(Some(SharedBytes::from(&spans[..])));
        }
        Ok(self.previous().and_then(|previous| previous.spans(coord, level_hash)))
    }
}

impl BakedStore for BakedNow<'_> {
    fn kept(&self) -> Result<Option<LevelSpans>, Failure> {
        if !self.baker.dynamic {
            return Ok(None);
        }
        let level = &self.baker.ground.levels()[self.agent];
        let (settings, tiles) = (kept_settings(level)?, self.baker.inputs.kept(self.agent));
        Ok(Some(LevelSpans { size: level.size, height: level.height, settings, tiles }))
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
