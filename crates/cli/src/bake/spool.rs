//! Baked tiles in a file until all are baked: only then is it known which of their islands are kept.
//!
//! The file has no name, and disappears by itself, unless the bake is to be resumed or is a share. Then it
//! grows next to the result, as `NAME.unfinished`, and its tiles remain for the next bake even after a crash.

use super::targets::unfinished;
use crate::failure::Failure;
use crate::files::{self, Target};
use crate::report;
use navbake::shard::{
    ReadChunks, ReadShard, ShardError, ShardFile, ShardHead, ShardRun, StoredTile, WholeTile,
};
use navlevel::KeptGround;
use navlevel::triangles::TileInputs;
use navtile::file::Seekable;
use navtile::{Tile, TileCoord};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tiles of several agents, in the order they were baked.
pub(crate) struct Spool {
    shard: Mutex<ShardFile<Seekable<File>>>,
    /// Its name, if it has one.
    path: Option<PathBuf>,
    /// Tiles that an earlier bake had finished, until they are taken.
    finished: Mutex<Vec<StoredTile>>,
    /// True if an earlier bake had finished any.
    has_taken_over: bool,
}

/// The tiles that a bake needs.
pub(crate) struct Wanted<'a> {
    pub(crate) inputs: &'a TileInputs,
    /// True if their spans are needed, too.
    pub(crate) dynamic: bool,
}

impl Wanted<'_> {
    /// Returns true if a tile of an earlier bake is one of them, with cached spans of a level with this
    /// digest if spans are needed.
    fn has(&self, stored: &StoredTile, spans: Option<[u8; 16]>) -> bool {
        let (agent, coord) = (stored.agent, stored.node.coord());
        let coords = self.inputs.coords.get(agent);
        let is_there = coords.is_some_and(|coords| coords.binary_search(&coord).is_ok());
        let same = is_there && self.inputs.hash(agent, coord) == stored.node.input_hash();
        let has_spans =
            || self.inputs.triangle_count(coord) == 0 || spans == self.inputs.level_hash(agent, coord);
        same && (!self.dynamic || has_spans())
    }
}

impl Spool {
    /// A spool in a file without a name.
    pub(crate) fn unnamed(file: File) -> io::Result<Spool> {
        let shard = ShardFile::create(Seekable::new(file), &ShardHead::new([1, 1], Vec::new()))?;
        Ok(Spool { shard: Mutex::new(shard), path: None, finished: Mutex::default(), has_taken_over: false })
    }

    /// A spool for the bake of `head`, in a file next to `file`, the file of `target`. Wanted tiles are taken
    /// from the file of an interrupted bake, if `resume`, and from the finished shard file `previous`.
    pub(crate) fn beside(
        (target, file): (&Target, &Path),
        head: &ShardHead,
        resume: bool,
        previous: Option<&Path>,
        wanted: &Wanted<'_>,
    ) -> Result<Spool, Failure> {
        let path = unfinished(file);
        let failed = |error: io::Error| unwritable(&path, &error);
        target.make_folder()?;
        let file = files::open_growing(&path, navbake::shard::begins_as_shard)?;
        let left = if resume { left_by_another(&path, &file) } else { None };
        let mut sources = Vec::new();
        let (mut shard, mut finished) = match left {
            Some(left) if left.head == *head && left.run.is_none() => {
                let mut shard = left.file;
                shard.cut().map_err(failed)?;
                let mut finished = left.tiles;
                finished.retain(|stored| wanted.has(stored, spans_of(&shard, stored)));
                (shard, finished)
            }
            other => {
                // Earlier tiles are read from another file, because this one starts again.
                if let Some(left) = other {
                    let moved = moved_aside(left, &path).map_err(failed)?;
                    sources.push(moved);
                }
                file.set_len(0).map_err(failed)?;
                let own = Seekable::new(file.try_clone().map_err(failed)?);
                (ShardFile::create(own, head).map_err(failed)?, Vec::new())
            }
        };
        sources.extend(previous.and_then(finished_shard));
        for source in sources {
            for stored in &source.tiles {
                let coord = stored.node.coord();
                if !wanted.has(stored, spans_of(&source.file, stored))
                    || shard.length(stored.agent, coord).is_some()
                {
                    continue;
                }
                if copy(&source, stored, &mut shard).map_err(failed)? {
                    finished.push(stored.clone());
                }
            }
        }
        // The lock is held while the file is open, under any of its handles.
        Ok(Spool {
            shard: Mutex::new(shard),
            path: Some(path),
            has_taken_over: !finished.is_empty(),
            finished: Mutex::new(finished),
        })
    }

    fn shard(&self) -> MutexGuard<'_, ShardFile<Seekable<File>>> {
        self.shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if tiles come from an earlier bake.
    pub(crate) fn has_taken_over(&self) -> bool {
        self.has_taken_over
    }

    /// The tiles that an earlier bake had finished; empty the second time.
    pub(crate) fn take_finished(&self) -> Vec<StoredTile> {
        std::mem::take(&mut *self.finished.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Stores a tile, and replaces an earlier one at the same coordinate.
    pub(crate) fn put(&self, agent: usize, whole: &WholeTile) -> io::Result<()> {
        self.shard().put(agent, whole)
    }

    /// Stores the cached spans of a tile, packed.
    pub(crate) fn put_spans(
        &self,
        agent: usize,
        coord: TileCoord,
        level_hash: [u8; 16],
        spans: &[u8],
    ) -> io::Result<()> {
        self.shard().put_spans(agent, coord, level_hash, spans)
    }

    /// Stores the chunks that the level was read from.
    pub(crate) fn put_chunks(&self, chunks: &ReadChunks) -> io::Result<()> {
        self.shard().put_chunks(chunks)
    }

    /// Reads the spans of a tile back; `None` if there are no spans for that coordinate.
    pub(crate) fn spans(&self, agent: usize, coord: TileCoord) -> io::Result<Option<Vec<u8>>> {
        Ok(self.shard().spans(agent, coord)?.map(|(_, spans)| spans))
    }

    /// Reads a tile back; `None` if there is no tile at that coordinate.
    pub(crate) fn take(&self, agent: usize, coord: TileCoord) -> io::Result<Option<Tile>> {
        let Some(bytes) = self.shard().blob(agent, coord)? else { return Ok(None) };
        Tile::from_bytes(&bytes).map(Some).map_err(io::Error::other)
    }

    /// Length of a tile, bytes; `None` if there is no tile at that coordinate.
    pub(crate) fn length(&self, agent: usize, coord: TileCoord) -> Option<u64> {
        self.shard().length(agent, coord)
    }

    /// Returns true if tiles outlive the bake, so that their ground must, too.
    pub(crate) fn keeps_ground(&self) -> bool {
        self.path.is_some()
    }

    /// The ground of a tile, read back; `None` if it is not stored.
    pub(crate) fn ground(&self, agent: usize, coord: TileCoord) -> io::Result<Option<KeptGround>> {
        Ok(self.shard().ground(agent, coord)?.map(KeptGround::Packed))
    }

    /// Returns true if there is a tile.
    pub(crate) fn has(&self, agent: usize, coord: TileCoord) -> bool {
        self.length(agent, coord).is_some()
    }

    /// Removes a named file whose tiles are no longer needed.
    pub(crate) fn remove(&self) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        fs::remove_file(path).map_err(|error| unwritable(path, &error))
    }

    /// Completes a shard file and moves it to the place of `result`; returns its length in bytes.
    pub(crate) fn finish(&self, run: &ShardRun, result: &Path) -> Result<u64, Failure> {
        let failed = |error: io::Error| unwritable(result, &error);
        self.shard().finish(run).map_err(failed)?;
        if let Some(path) = &self.path {
            fs::rename(path, result).map_err(failed)?;
        }
        Ok(fs::metadata(result).map_err(failed)?.len())
    }
}

fn spans_of(shard: &ShardFile<Seekable<File>>, stored: &StoredTile) -> Option<[u8; 16]> {
    shard.level_hash(stored.agent, stored.node.coord())
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::circumstances(format!("{}: cannot be written: {error}", path.display()))
        .help("free disk space, or name another result with -o; --resume continues from the finished tiles")
}

/// The tiles that an interrupted bake left, if it left any.
fn left_by_another(path: &Path, file: &File) -> Option<ReadShard<Seekable<File>>> {
    let own = file.try_clone().ok().filter(|file| file.metadata().is_ok_and(|about| about.len() > 0))?;
    match ShardFile::read(Seekable::new(own)) {
        Ok(read) => Some(read),
        // The process was killed before its head was complete.
        Err(ShardError::NotShard | ShardError::Damage(_)) => None,
        Err(ShardError::Io(error)) => {
            report::warn(&format!("{}: starts again: {error}", path.display()));
            None
        }
    }
}

/// An unfinished shard file of another head, moved to a file without a name.
fn moved_aside(left: ReadShard<Seekable<File>>, path: &Path) -> io::Result<ReadShard<Seekable<File>>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (mut from, mut to) = (left.file.into_storage().into_inner(), tempfile::tempfile_in(folder)?);
    io::Seek::rewind(&mut from)?;
    io::copy(&mut from, &mut to)?;
    ShardFile::read(Seekable::new(to)).map_err(io::Error::other)
}

/// A shard file that an earlier bake finished.
fn finished_shard(path: &Path) -> Option<ReadShard<Seekable<File>>> {
    let (file, _) = files::open_replaceable(path).ok()?;
    match ShardFile::read(Seekable::new(file)) {
        Ok(read) => Some(read),
        Err(error) => {
            report::warn(&format!("no tile can be reused: {}: {error}", path.display()));
            None
        }
    }
}

/// Copies a tile, and its spans, from one shard file to another; `false` if it is damaged.
fn copy(
    from: &ReadShard<Seekable<File>>,
    stored: &StoredTile,
    to: &mut ShardFile<Seekable<File>>,
) -> io::Result<bool> {
    let (agent, coord) = (stored.agent, stored.node.coord());
    let (Ok(tile), Ok(_)) = (from.tile(stored), from.ground(stored)) else { return Ok(false) };
    let ground = from.file.ground(agent, coord)?.map(KeptGround::Packed);
    if let Some((level_hash, spans)) = from.file.spans(agent, coord)? {
        to.put_spans(agent, coord, level_hash, &spans)?;
    }
    to.put(agent, &WholeTile { tile, node: stored.node.clone(), facts: stored.facts.clone(), ground })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use navlevel::GroundKeeper;
    use recast::{PreparedLevel, Scratch, Silent, bake_solo};

    #[test]
    fn tiles_come_out_as_they_went_in() {
        let scene = navscenes::by_name("plane").unwrap();
        let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
        let baked = bake_solo(&level, &Silent, &mut Scratch::new()).unwrap();
        let whole = WholeTile::new(&level, baked, ([7; 16], false), &GroundKeeper::new(0));
        let coord = whole.tile.coord();
        let spool = Spool::unnamed(tempfile::tempfile().unwrap()).unwrap();
        spool.put(0, &whole).unwrap();
        spool.put(1, &whole).unwrap();
        assert_eq!(spool.take(1, coord).unwrap(), Some(whole.tile.clone()));
        assert!(spool.has(0, coord) && !spool.has(2, coord));
        assert_eq!(spool.take(0, TileCoord { x: 1, ..coord }).unwrap(), None);
    }
}
