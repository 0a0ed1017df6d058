//! Writing a fresh file: head, metadata, directory, tiles in canonical order.

use super::catalog::fits;
use super::directory::DirectoryEntry;
use super::head::{OptionalPlaces, aligned};
use super::hierarchy_place::HierarchyPlace;
use super::packing::{Packing, pack};
use super::span_cache::{SpanCacheEntry, SpanCacheIndex};
use super::{FileError, HEAD_LENGTH, Root, encoding, head, refuse};
use crate::graph::IslandGraph;
use crate::layout::SECTION_ALIGN;
use crate::meta::Meta;
use crate::tile::{Tile, TileCoord};
use bytemuck::Zeroable;
use navmath::sort::SharedSort;
use std::error::Error;
use std::fmt;
use std::io::{Cursor, Read, Seek, SeekFrom, Write};

/// A tile, and the directory's digests of its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct TileRecord {
    /// The tile.
    pub tile: Tile,
    /// Digest of its bake input; zero if not known.
    pub input_hash: [u8; 16],
    /// Hash of the islands that were pruned from it; zero if nothing was pruned.
    pub prune_hash: [u8; 8],
}

impl TileRecord {
    /// The row of the directory, except for the fields that depend on the packing.
    pub(super) fn about(&self) -> DirectoryEntry {
        let TileCoord { x, z, layer } = self.tile.coord();
        let (input_hash, prune_hash) = (self.input_hash, self.prune_hash);
        DirectoryEntry { x, z, layer, input_hash, prune_hash, ..DirectoryEntry::zeroed() }
    }
}

/// The bytes of a file with these tiles, in canonical order (x, z, layer), independent of the order given.
///
/// ```
/// use navtile::{AgentMeta, AreaMeta, Meta, NavFile, SettingsMeta, write_file};
/// # let square_tile = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/square_tile.rs"));
///
/// let meta = Meta {
///     agent: AgentMeta { radius: 0.5, height: 2.0, climb: 0.5, slope: 45.0 },
///     settings: SettingsMeta::default(),
///     origin: [0.0; 3],
///     cell: [0.5, 0.25],
///     tile_cells: 4,
///     geometry_digest: [0; 16],
///     areas: vec![AreaMeta { id: 1, name: "ground".to_owned(), flags: 1, cost: 1.0, colour: None }],
/// };
/// let bytes = write_file(&meta, &[square_tile(0), square_tile(1)])?;
/// assert_eq!(NavFile::open(&bytes)?.meta(), &meta);
/// # Ok::<(), navtile::FileError>(())
/// ```
///
/// Errors: as [`write_records`].
pub fn write_file(meta: &Meta, tiles: &[Tile]) -> Result<Vec<u8>, FileError> {
    let record = |tile: &Tile| TileRecord { tile: tile.clone(), input_hash: [0; 16], prune_hash: [0; 8] };
    write_records(meta, &tiles.iter().map(record).collect::<Vec<_>>())
}

/// Like [`write_file`], with hashes for the directory.
///
/// Errors: metadata that is not valid, two tiles at one coordinate, a tile whose lattice or agent differs
/// from the metadata.
pub fn write_records(meta: &Meta, records: &[TileRecord]) -> Result<Vec<u8>, FileError> {
    let mut records: Vec<&TileRecord> = records.iter().collect();
    records.shared_sort_by_key(|record| record.tile.coord());
    let write = || -> Result<Vec<u8>, WriteFileError> {
        let mut writer = FileWriter::new(Cursor::new(Vec::new()), meta, records.len())?;
        records.iter().try_for_each(|record| writer.add(record))?;
        Ok(writer.finish(None)?.into_inner())
    };
    write().map_err(|error| match error {
        WriteFileError::File(error) => error,
        // Writing to a list of bytes cannot fail, except if its length is too large for the machine.
        WriteFileError::Io(error) => {
            let (expected, found) = ("a file that fits in memory".to_owned(), error.to_string());
            FileError::Format { rule: "file-length", expected, found }
        }
    })
}

/// A file that could not be written.
#[derive(Debug)]
pub enum WriteFileError {
    /// The metadata and tiles do not make a valid file.
    File(FileError),
    /// Writing failed.
    Io(std::io::Error),
}

impl fmt::Display for WriteFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteFileError::File(error) => error.fmt(f),
            WriteFileError::Io(error) => error.fmt(f),
        }
    }
}

impl Error for WriteFileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            WriteFileError::File(error) => error.source(),
            WriteFileError::Io(error) => error.source(),
        }
    }
}

impl From<FileError> for WriteFileError {
    fn from(error: FileError) -> WriteFileError {
        WriteFileError::File(error)
    }
}

impl From<std::io::Error> for WriteFileError {
    fn from(error: std::io::Error) -> WriteFileError {
        WriteFileError::Io(error)
    }
}

/// Writes a fresh file tile by tile, so that at most one tile has to be held. Tiles come in canonical order
/// (x, z, layer). Their number must be known at the start, because the directory comes before them.
///
/// The file has no head until [`FileWriter::finish`], so an unfinished file cannot be mistaken for a valid
/// one.
pub struct FileWriter<W: Write + Seek> {
    out: W,
    meta: Meta,
    meta_bytes: Vec<u8>,
    expected: usize,
    entries: Vec<DirectoryEntry>,
    packing: Packing,
    /// Offset of the next tile.
    offset: u64,
    /// The index of the cached spans added so far, if the file has a span cache.
    span_cache: Option<SpanCacheIndex>,
    hierarchy: Option<Vec<u8>>,
}

impl<W: Write + Seek> FileWriter<W> {
    /// Starts a file of `tiles` tiles in `out`, which must be empty.
    pub fn new(mut out: W, meta: &Meta, tiles: usize) -> Result<FileWriter<W>, WriteFileError> {
        let meta_bytes = encoding::encode(meta)?;
        let directory = (tiles * size_of::<DirectoryEntry>()) as u64;
        let offset = aligned(aligned(HEAD_LENGTH as u64 + meta_bytes.len() as u64) + directory);
        // Zeros, until everything else is written.
        let mut gap = std::io::repeat(0).take(offset);
        std::io::copy(&mut gap, &mut out)?;
        Ok(FileWriter {
            out,
            meta: meta.clone(),
            meta_bytes,
            expected: tiles,
            entries: Vec::with_capacity(tiles),
            packing: Packing::Raw,
            offset,
            span_cache: None,
            hierarchy: None,
        })
    }

    /// Sets how tiles that are added from now on are stored.
    pub fn with_packing(self, packing: Packing) -> FileWriter<W> {
        FileWriter { packing, ..self }
    }

    /// Adds a tile.
    pub fn add(&mut self, record: &TileRecord) -> Result<(), WriteFileError> {
        let coord = record.tile.coord();
        fits(&self.meta, &record.tile).map_err(|source| FileError::Tile { coord, source })?;
        let packed = pack(record.tile.bytes(), self.packing);
        self.put(packed.entry(&record.about(), self.offset), &packed.bytes)
    }

    /// Adds a tile of another file with the same metadata, in its stored form, independent of the packing.
    /// `bytes` come from [`NavFile::stored`](super::NavFile::stored).
    pub fn add_stored(&mut self, entry: &DirectoryEntry, bytes: &[u8]) -> Result<(), WriteFileError> {
        self.put(*entry, bytes)
    }

    fn put(&mut self, mut entry: DirectoryEntry, bytes: &[u8]) -> Result<(), WriteFileError> {
        let coord = entry.coord();
        if let Some(last) = self.entries.last().filter(|last| last.coord() >= coord) {
            let expected = "tiles sorted by x, z and layer, one at a coordinate";
            refuse("directory-order", expected, format!("{coord:?} after {:?}", last.coord()))?;
        }
        if self.entries.len() == self.expected {
            refuse("directory-order", format!("{} tiles", self.expected), "one more")?;
        }
        (entry.offset, entry.length) = (self.offset, bytes.len() as u64);
        self.entries.push(entry);
        self.write_part(bytes)?;
        Ok(())
    }

    /// Gives the file a span cache: takes the size of the level in cells, the height of its bounds and the
    /// settings of its bake. [`FileWriter::keep`] adds the spans of each tile.
    pub fn with_span_cache(self, size: [u32; 3], height: f32, settings: Vec<u8>) -> FileWriter<W> {
        FileWriter {
            span_cache: Some(SpanCacheIndex { size, height, settings, entries: Vec::new() }),
            ..self
        }
    }

    /// Adds the cached spans of a tile, in canonical order, after all tiles. `level_hash` is the digest of
    /// the bake input of the tile without obstacles. Does nothing if the file has no span cache.
    pub fn keep(
        &mut self,
        coord: TileCoord,
        level_hash: [u8; 16],
        spans: &[u8],
    ) -> Result<(), WriteFileError> {
        let offset = self.offset;
        let Some(span_cache) = &mut self.span_cache else { return Ok(()) };
        if let Some(last) = span_cache.entries.last().filter(|last| last.coord() >= coord) {
            let expected = "tiles sorted by x, z and layer, one at a coordinate";
            refuse("span-cache-order", expected, format!("{coord:?} after {:?}", last.coord()))?;
        }
        span_cache.entries.push(SpanCacheEntry { offset, ..SpanCacheEntry::new(coord, level_hash, spans) });
        self.write_part(spans)?;
        Ok(())
    }

    /// Gives the file a hierarchy of its tiles.
    pub fn with_hierarchy(self, hierarchy: Vec<u8>) -> FileWriter<W> {
        FileWriter { hierarchy: Some(hierarchy), ..self }
    }

    /// Writes bytes and the zeros up to the next multiple of 16.
    fn write_part(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let end = self.offset + bytes.len() as u64;
        self.out.write_all(bytes)?;
        let gap = (aligned(end) - end) as usize;
        self.out.write_all(&[0; SECTION_ALIGN][..gap])?;
        self.offset = aligned(end);
        Ok(())
    }

    /// Writes the graph, the hierarchy, the directory and, last, the head. Does not sync the bytes.
    ///
    /// Errors: fewer tiles than were announced, and a graph that breaks a rule.
    pub fn finish(mut self, graph: Option<&IslandGraph>) -> Result<W, WriteFileError> {
        if self.entries.len() != self.expected {
            refuse("directory-order", format!("{} tiles", self.expected), format!("{}", self.entries.len()))?;
        }
        let graph_offset = self.offset;
        graph.map_or(Ok(()), IslandGraph::check).map_err(FileError::from)?;
        let graph = graph.map(IslandGraph::encode);
        if let Some(bytes) = &graph {
            self.write_part(bytes)?;
        }
        let mut places = OptionalPlaces::default();
        if let Some(span_cache) = self.span_cache.take() {
            let bytes = span_cache.encode();
            places.span_cache = Some(span_cache.place(self.offset, &bytes));
            self.write_part(&bytes)?;
        }
        if let Some(bytes) = self.hierarchy.take() {
            places.hierarchy = Some(HierarchyPlace::new(self.offset, &bytes));
            self.write_part(&bytes)?;
        }
        let directory_offset = aligned(HEAD_LENGTH as u64 + self.meta_bytes.len() as u64);
        let directory: &[u8] = bytemuck::cast_slice(&self.entries);
        let root = Root {
            sequence: 1,
            file_length: self.offset,
            meta_offset: HEAD_LENGTH as u64,
            meta_length: self.meta_bytes.len() as u64,
            directory_offset,
            directory_count: self.entries.len() as u64,
            graph_offset: if graph.is_some() { graph_offset } else { 0 },
            graph_length: graph.as_ref().map_or(0, |bytes| bytes.len() as u64),
            meta_checksum: navmath::crc32(&self.meta_bytes),
            directory_checksum: navmath::crc32(directory),
            graph_checksum: graph.as_ref().map_or(0, |bytes| navmath::crc32(bytes)),
            ..Root::zeroed()
        };
        self.out.seek(SeekFrom::Start(HEAD_LENGTH as u64))?;
        self.out.write_all(&self.meta_bytes)?;
        self.out.seek(SeekFrom::Start(directory_offset))?;
        self.out.write_all(directory)?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&head::bytes(&root, &places))?;
        self.out.flush()?;
        Ok(self.out)
    }
}
