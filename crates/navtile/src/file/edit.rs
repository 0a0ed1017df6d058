//! Changing a file in place: new parts are appended after the old ones, then the other root is written.

use super::catalog::{Catalog, agree, fits, rounded_agent};
use super::directory::DirectoryEntry;
use super::head::aligned;
use super::hierarchy_place::HierarchyPlace;
use super::packing::{Packing, pack};
use super::storage::Storage;
use super::store::{NavStore, StoreError};
use super::write::{TileRecord, write_file};
use super::{FileError, HEAD_LENGTH, ROOT_OFFSETS, Root, encoding, head, refuse};
use crate::bytes::SharedBytes;
use crate::graph::IslandGraph;
use crate::meta::Meta;
use crate::tile::TileCoord;
use navmath::sort::SharedSort;
use std::collections::BTreeMap;

/// The fate of a part that describes the tiles: of the island graph, or of the hierarchy.
#[derive(Clone, Debug, Default)]
enum PartEdit<T> {
    /// Keeps the part if no tile changes, and drops it otherwise.
    #[default]
    DropIfTilesChange,
    Keep,
    Drop,
    Set(T),
}

impl<T> PartEdit<T> {
    /// The new part: `None` if it stays in its place, `Some(None)` if the file loses it.
    fn new_part(&self, tiles_change: bool) -> Option<Option<&T>> {
        match self {
            PartEdit::Keep => None,
            PartEdit::DropIfTilesChange => tiles_change.then_some(None),
            PartEdit::Drop => Some(None),
            PartEdit::Set(part) => Some(Some(part)),
        }
    }
}

/// Changes to a file, to be made all at once by [`NavStore::commit`]. If two contradict each other, the later
/// one counts.
///
/// ```
/// use navtile::{Edit, NavStore, TileCoord, TileRecord};
/// # let square_tile = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/square_tile.rs"));
/// # let meta = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/meta.rs"));
///
/// // A `Vec<u8>` is a storage, and so is a `std::fs::File`.
/// let mut store = NavStore::create(Vec::new(), &meta)?;
/// let mut edit = Edit::new();
/// for column in 0..3 {
///     let (input_hash, prune_hash) = Default::default();
///     edit.put(TileRecord { tile: square_tile(column), input_hash, prune_hash });
/// }
/// assert_eq!(store.commit(&edit)?.added, 3);
///
/// let away = TileCoord { x: 1, z: 0, layer: 0 };
/// store.commit(Edit::new().remove(away))?;
/// assert!(store.tile(away).is_none());
/// assert_eq!(store.coords().len(), 2);
/// # Ok::<(), navtile::StoreError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Edit {
    /// A tile to put, or `None` to remove the tile at that coordinate.
    tiles: BTreeMap<TileCoord, Option<TileRecord>>,
    meta: Option<Meta>,
    graph: PartEdit<IslandGraph>,
    hierarchy: PartEdit<Vec<u8>>,
}

impl Edit {
    /// No changes yet.
    pub fn new() -> Edit {
        Edit::default()
    }

    /// Adds a tile. It replaces the tile at its coordinate if there is one.
    pub fn put(&mut self, record: TileRecord) -> &mut Edit {
        self.tiles.insert(record.tile.coord(), Some(record));
        self
    }

    /// Removes the tile at a coordinate, if there is one.
    pub fn remove(&mut self, coord: TileCoord) -> &mut Edit {
        self.tiles.insert(coord, None);
        self
    }

    /// Replaces the metadata. If the lattice or the agent changes, every tile has to be put again or removed.
    pub fn set_meta(&mut self, meta: Meta) -> &mut Edit {
        self.meta = Some(meta);
        self
    }

    /// Replaces the island graph; `None` removes it. An edit that changes tiles without setting or keeping
    /// the graph removes it, because it would describe tiles that no longer exist.
    pub fn set_graph(&mut self, graph: Option<IslandGraph>) -> &mut Edit {
        self.graph = graph.map_or(PartEdit::Drop, PartEdit::Set);
        self
    }

    /// Keeps the island graph although tiles change: for changes that do not affect it.
    pub fn keep_graph(&mut self) -> &mut Edit {
        self.graph = PartEdit::Keep;
        self
    }

    /// Replaces the hierarchy; `None` removes it. An edit that changes tiles without setting the hierarchy
    /// removes it, because it would describe tiles that no longer exist.
    pub fn set_hierarchy(&mut self, hierarchy: Option<Vec<u8>>) -> &mut Edit {
        self.hierarchy = hierarchy.map_or(PartEdit::Drop, PartEdit::Set);
        self
    }
}

/// The changes a commit made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// Tiles added at coordinates without a tile.
    pub added: usize,
    /// Tiles that replaced others.
    pub replaced: usize,
    /// Tiles removed.
    pub removed: usize,
    /// Number of bytes that the file grew by.
    pub appended: u64,
}

/// The checked changes of a commit. From here on only the storage can fail.
struct Plan<'a> {
    puts: Vec<&'a TileRecord>,
    kept: Vec<DirectoryEntry>,
    meta: Meta,
    /// `None`: the metadata stays in its place.
    meta_bytes: Option<Vec<u8>>,
    /// `None`: the graph stays in its place; `Some(None)`: the file has no graph.
    graph_bytes: Option<Option<Vec<u8>>>,
    /// `None`: the hierarchy stays in its place; `Some(None)`: the file has no hierarchy.
    hierarchy: Option<Option<&'a Vec<u8>>>,
    sequence: u64,
    done: Committed,
}

impl<S: Storage> NavStore<S> {
    /// Makes a file without tiles in a storage that is empty. It has no head until the last write, so an
    /// unfinished file cannot be mistaken for a valid one.
    ///
    /// Errors: a storage that is not empty, metadata that is not valid, a storage that fails.
    pub fn create(mut storage: S, meta: &Meta) -> Result<NavStore<S>, StoreError> {
        let length = storage.length().map_err(StoreError::io("asking how long the file is"))?;
        if length != 0 {
            return Ok(refuse(
                "file-length",
                "an empty storage for a new file",
                format_args!("{length} bytes"),
            )?);
        }
        let file = write_file(meta, &[])?;
        let (head, rest) = file.split_at(HEAD_LENGTH);
        let failed = || StoreError::io("writing a new file");
        storage.write_at(HEAD_LENGTH as u64, rest).map_err(failed())?;
        storage.sync().map_err(failed())?;
        storage.write_at(0, head).map_err(failed())?;
        storage.sync().map_err(failed())?;
        NavStore::open(storage)
    }

    /// Sets how tiles are stored from now on; tiles already in the file stay as they are.
    pub fn with_packing(self, packing: Packing) -> NavStore<S> {
        NavStore { packing, ..self }
    }

    /// Makes all changes of an edit, or none: after any failure, including a crash or a power cut, the file
    /// is in its state before or after the edit. Appends and syncs the new parts, then writes and syncs the
    /// other root. Overwrites bytes that an unfinished commit left after the end. Replaced parts stay in the
    /// file, unused, until it is compacted; stores that were opened before continue to read the old state.
    ///
    /// One program at a time may commit. If another one did since this store was opened, nothing is written
    /// ([`StoreError::Changed`]); the caller must make sure, by a lock on the file, that two programs never
    /// write at the same time.
    ///
    /// Errors: before anything is written, a tile that does not fit the metadata, or metadata that is not
    /// valid or does not fit tiles that stay. Later, a storage that fails; the store then takes no more
    /// commits ([`StoreError::Unsettled`]) but still reads the old state.
    pub fn commit(&mut self, edit: &Edit) -> Result<Committed, StoreError> {
        if !self.settled {
            return Err(StoreError::Unsettled);
        }
        let plan = Plan::new(&self.catalog, edit)?;
        let head = self.unchanged_head()?;
        self.settled = false;
        let before = self.catalog.root.file_length;
        let done = plan.done;
        self.catalog = self.write(plan, &head)?;
        self.settled = true;
        Ok(Committed { appended: self.catalog.root.file_length - before, ..done })
    }

    /// Completes a fresh file, which no other program has opened yet, with a hierarchy of its tiles: so the
    /// hierarchy can be built from the written file. The result is the file that
    /// [`FileWriter::with_hierarchy`](super::FileWriter::with_hierarchy) would have written, byte for byte.
    /// Unlike a commit it overwrites the root, so after a failure the file is of no use. Does not sync the
    /// bytes.
    ///
    /// Errors: a file that was edited or that has a hierarchy, a storage that fails.
    pub fn complete(mut self, hierarchy: &[u8]) -> Result<S, StoreError> {
        let Catalog { root, mut places, place, .. } = self.catalog;
        if (root.sequence, place, places.hierarchy) != (1, 0, None) {
            let found = format!("commit {}, or a hierarchy", root.sequence);
            return Ok(refuse("root", "a fresh file without a hierarchy", found)?);
        }
        let mut tail = Tail::new(&mut self.source, root.file_length)?;
        let offset = aligned(root.file_length);
        if !hierarchy.is_empty() {
            tail.append("the hierarchy", hierarchy)?;
        }
        places.hierarchy = Some(HierarchyPlace::new(offset, hierarchy));
        let file_length = aligned(tail.end);
        let failed = || StoreError::io("writing the head");
        self.source.set_length(file_length).map_err(failed())?;
        let stored = head::stored(&Root { file_length, ..root }, &places);
        self.source.write_at(ROOT_OFFSETS[place] as u64, &stored).map_err(failed())?;
        Ok(self.source)
    }

    /// The head, after a check that the current root has not changed since the store was opened.
    fn unchanged_head(&self) -> Result<Vec<u8>, StoreError> {
        let failed = || StoreError::io("reading the head again");
        let length = self.source.length().map_err(failed())?;
        let mut start = vec![0; length.min(HEAD_LENGTH as u64) as usize];
        self.source.read_at(0, &mut start).map_err(failed())?;
        let (root, _, place) = head::read(&start, length)?;
        if (root, place) != (self.catalog.root, self.catalog.place) {
            return Err(StoreError::Changed { known: self.catalog.root.sequence, found: root.sequence });
        }
        Ok(start)
    }

    /// Writes the new parts and the places behind the other root, syncs, writes that root, syncs.
    fn write(&mut self, plan: Plan<'_>, head: &[u8]) -> Result<Catalog, StoreError> {
        let Catalog { root: old, place, .. } = &self.catalog;
        let (old, place, mut places) = (*old, 1 - *place, self.catalog.places);
        let packing = self.packing;
        let mut tail = Tail::new(&mut self.source, old.file_length)?;
        let mut entries = plan.kept;
        for record in plan.puts {
            let packed = pack(record.tile.bytes(), packing);
            let offset = tail.append("a tile", &packed.bytes)?;
            entries.push(packed.entry(&record.about(), offset));
        }
        entries.shared_sort_by_key(DirectoryEntry::coord);
        let mut root = Root { sequence: plan.sequence, ..old };
        if let Some(new) = &plan.graph_bytes {
            (root.graph_offset, root.graph_length, root.graph_checksum) = match new {
                None => (0, 0, 0),
                Some(bytes) => {
                    let offset = tail.append("the island graph", bytes)?;
                    (offset, bytes.len() as u64, navmath::crc32(bytes))
                }
            };
        }
        if let Some(new) = plan.hierarchy {
            let append = |bytes: &Vec<u8>| -> Result<HierarchyPlace, StoreError> {
                Ok(HierarchyPlace::new(tail.append("the hierarchy", bytes)?, bytes))
            };
            places.hierarchy = new.map(append).transpose()?;
        }
        if let Some(bytes) = &plan.meta_bytes {
            root.meta_offset = tail.append("the metadata", bytes)?;
            root.meta_length = bytes.len() as u64;
            root.meta_checksum = navmath::crc32(bytes);
        }
        let directory: &[u8] = bytemuck::cast_slice(&entries);
        root.directory_offset = tail.append("the directory", directory)?;
        root.directory_count = entries.len() as u64;
        root.directory_checksum = navmath::crc32(directory);
        root.file_length = tail.end;
        let stored = head::stored(&root, &places);
        let root: Root = bytemuck::pod_read_unaligned(&stored[..size_of::<Root>()]);
        let failed = || StoreError::io("writing the root");
        let (offset, (stored, behind)) = (ROOT_OFFSETS[place], stored.split_at(size_of::<Root>()));
        let after = offset + size_of::<Root>();
        // The current root is the other one, so nothing reads these bytes before the next write is complete.
        if !head[after..].starts_with(behind) {
            self.source.write_at(after as u64, behind).map_err(failed())?;
        }
        self.source.sync().map_err(StoreError::io("syncing what was appended"))?;
        self.source.write_at(offset as u64, stored).map_err(failed())?;
        self.source.sync().map_err(failed())?;
        Ok(Catalog { root, places, place, meta: plan.meta, directory: SharedBytes::from(directory) })
    }
}

/// The end of a file that is being appended to.
struct Tail<'a, S> {
    storage: &'a mut S,
    end: u64,
}

impl<'a, S: Storage> Tail<'a, S> {
    /// Removes the bytes after `end` that an unfinished commit may have left, so that gaps between parts are
    /// zeros.
    fn new(storage: &'a mut S, end: u64) -> Result<Tail<'a, S>, StoreError> {
        let failed = || StoreError::io("cutting off an unfinished commit");
        if storage.length().map_err(failed())? > end {
            storage.set_length(end).map_err(failed())?;
        }
        Ok(Tail { storage, end })
    }

    /// Appends a part and returns its start. An empty part is placed right after the head.
    fn append(&mut self, what: &str, bytes: &[u8]) -> Result<u64, StoreError> {
        if bytes.is_empty() {
            return Ok(HEAD_LENGTH as u64);
        }
        let offset = aligned(self.end);
        self.storage.write_at(offset, bytes).map_err(StoreError::io(format!("appending {what}")))?;
        self.end = offset + bytes.len() as u64;
        Ok(offset)
    }
}

impl<'a> Plan<'a> {
    fn new(catalog: &Catalog, edit: &'a Edit) -> Result<Plan<'a>, FileError> {
        let Some(sequence) = catalog.root.sequence.checked_add(1) else {
            return refuse(
                "root",
                "a sequence that another one can follow",
                "the last one: compact the file",
            );
        };
        let meta = edit.meta.as_ref().unwrap_or(&catalog.meta).clone();
        let meta_bytes = (meta != catalog.meta).then(|| encoding::encode(&meta)).transpose()?;
        let mut done = Committed::default();
        let mut puts = Vec::new();
        for (&coord, change) in &edit.tiles {
            let there = catalog.find(coord).is_some();
            match change {
                Some(record) => {
                    fits(&meta, &record.tile).map_err(|source| FileError::Tile { coord, source })?;
                    puts.push(record);
                    *(if there { &mut done.replaced } else { &mut done.added }) += 1;
                }
                None => done.removed += usize::from(there),
            }
        }
        let stays = |entry: &&DirectoryEntry| !edit.tiles.contains_key(&entry.coord());
        let kept: Vec<DirectoryEntry> = catalog.entries().iter().filter(stays).copied().collect();
        if let Some(first) = kept.first() {
            // Tiles that stay fit the old metadata.
            let old = &catalog.meta;
            agree(&meta, (old.origin, old.cell), rounded_agent(old))
                .map_err(|source| FileError::Tile { coord: first.coord(), source })?;
        }
        let changed = done.added + done.replaced + done.removed > 0;
        let graph = edit.graph.new_part(changed);
        graph.flatten().map_or(Ok(()), IslandGraph::check)?;
        let graph_bytes = graph.map(|graph| graph.map(IslandGraph::encode));
        let hierarchy = edit.hierarchy.new_part(changed);
        Ok(Plan { puts, kept, meta, meta_bytes, graph_bytes, hierarchy, sequence, done })
    }
}
