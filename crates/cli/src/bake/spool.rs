//! Baked tiles in a file without a name, until all are baked: only then is it known which are kept.

use navtile::{Tile, TileCoord};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// Tiles of several agents, in the order they were baked.
pub(super) struct Spool {
    inner: Mutex<Inner>,
}

struct Inner {
    file: File,
    end: u64,
    /// Offset and length of each tile, by agent and place.
    places: BTreeMap<(usize, TileCoord), (u64, usize)>,
    /// Likewise of the spans that are kept of a tile.
    spans: BTreeMap<(usize, TileCoord), (u64, usize)>,
}

impl Inner {
    fn append(&mut self, bytes: &[u8]) -> io::Result<(u64, usize)> {
        let start = self.end;
        self.file.seek(SeekFrom::Start(start))?;
        self.file.write_all(bytes)?;
        self.end += bytes.len() as u64;
        Ok((start, bytes.len()))
    }

    fn read(&mut self, (start, length): (u64, usize)) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

impl Spool {
    pub(super) fn new(file: File) -> Spool {
        Spool { inner: Mutex::new(Inner { file, end: 0, places: BTreeMap::new(), spans: BTreeMap::new() }) }
    }

    /// Stores a tile, in place of an earlier one at the same coordinate.
    pub(super) fn put(&self, agent: usize, tile: &Tile) -> io::Result<()> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let place = inner.append(tile.bytes())?;
        inner.places.insert((agent, tile.coord()), place);
        Ok(())
    }

    /// Stores the spans that are kept of a tile, packed.
    pub(super) fn put_spans(&self, agent: usize, coord: TileCoord, spans: &[u8]) -> io::Result<()> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let place = inner.append(spans)?;
        inner.spans.insert((agent, coord), place);
        Ok(())
    }

    /// Reads the spans of a tile back; `None` if there are none at that coordinate.
    pub(super) fn spans(&self, agent: usize, coord: TileCoord) -> io::Result<Option<Vec<u8>>> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(&place) = inner.spans.get(&(agent, coord)) else { return Ok(None) };
        inner.read(place).map(Some)
    }

    /// Reads a tile back; `None` if there is none at that coordinate.
    pub(super) fn take(&self, agent: usize, coord: TileCoord) -> io::Result<Option<Tile>> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(&place) = inner.places.get(&(agent, coord)) else { return Ok(None) };
        let bytes = inner.read(place)?;
        drop(inner);
        // It was written by us, into a file that nobody else can open; a disk may still fail.
        Tile::from_bytes(&bytes).map(Some).map_err(io::Error::other)
    }

    /// How long a tile is, bytes; `None` if there is none at that coordinate.
    pub(super) fn length(&self, agent: usize, coord: TileCoord) -> Option<u64> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.places.get(&(agent, coord)).map(|&(_, length)| length as u64)
    }

    /// Whether there is a tile.
    pub(super) fn has(&self, agent: usize, coord: TileCoord) -> bool {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).places.contains_key(&(agent, coord))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::{PreparedLevel, Scratch, Silent, bake_solo};

    #[test]
    fn tiles_come_out_as_they_went_in() {
        let scene = navscenes::by_name("plane").unwrap();
        let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
        let tile = bake_solo(&level, &Silent, &mut Scratch::new()).unwrap().tile;
        let spool = Spool::new(tempfile::tempfile().unwrap());
        spool.put(0, &tile).unwrap();
        spool.put(1, &tile).unwrap();
        assert_eq!(spool.take(1, tile.coord()).unwrap(), Some(tile.clone()));
        assert!(spool.has(0, tile.coord()) && !spool.has(2, tile.coord()));
        assert_eq!(spool.take(0, TileCoord { x: 1, ..tile.coord() }).unwrap(), None);
    }
}
