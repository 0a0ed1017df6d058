//! A shard file in memory or in a file, appended frame by frame and read at any place.

use super::bytes::{In, Out};
use super::chunks::ReadChunks;
use super::head::ShardHead;
use super::tile::{self, TileFacts, WholeTile};
use super::{Damage, ShardError};
use navlevel::unpack_ground;
use navlinks::{GroundCounts, tile_size};
use navtile::file::Storage;
use navtile::graph::TileNode;
use navtile::{IslandGraph, Tile, TileCoord};
use recast::TileGround;
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

const MAGIC: &[u8; 8] = b"NVPART03";
/// The first bytes of all versions of the format.
const FAMILY: &[u8; 6] = b"NVPART";
/// Number of bytes of a frame before its payload.
const FRAME_HEAD: u64 = 16;

const HEAD: u32 = 1;
const TILE: u32 = 2;
const SPANS: u32 = 3;
const END: u32 = 4;
const CHUNKS: u32 = 5;

/// Returns true if bytes begin like a shard file, of any version of the format.
pub fn begins_as_shard(bytes: &[u8]) -> bool {
    bytes.starts_with(FAMILY)
}

/// A run that completed a shard file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShardRun {
    /// Number of tiles that it baked itself, without tiles that it took over.
    pub baked: u64,
    /// Number of threads that it baked on.
    pub threads: u32,
    /// From its start to the end.
    pub elapsed: Duration,
    /// The largest amount of memory that it used, bytes, if the system reports it.
    pub peak_memory: Option<u64>,
}

/// A range of bytes in a shard file.
#[derive(Clone, Copy, Debug)]
struct ByteRange {
    offset: u64,
    length: u64,
}

type TileKey = (usize, TileCoord);

/// Places of the blob of a tile, and of its packed ground, if it has one.
#[derive(Clone, Copy, Debug)]
struct StoredRanges {
    blob: ByteRange,
    ground: Option<ByteRange>,
}

/// A shard file that is being written or read.
#[derive(Debug)]
pub struct ShardFile<S> {
    storage: S,
    end: u64,
    tiles: BTreeMap<TileKey, StoredRanges>,
    spans: BTreeMap<TileKey, ([u8; 16], ByteRange)>,
    /// Number of frames of tiles and of spans.
    frames: [u64; 2],
}

/// A tile of a shard file that was read, without its blob and its ground.
#[derive(Clone, Debug)]
pub struct StoredTile {
    /// Index of its agent.
    pub agent: usize,
    /// Its node of the island graph.
    pub node: TileNode,
    /// The report of its bake.
    pub facts: TileFacts,
    /// The size of the ground that it claims to have for link generation, if the settings have link profiles.
    pub ground: Option<GroundCounts>,
}

/// A shard file after reading.
#[derive(Debug)]
pub struct ReadShard<S> {
    /// Its tiles can be read, and more can be appended unless it is complete.
    pub file: ShardFile<S>,
    /// Index of the share, and identity of the bake.
    pub head: ShardHead,
    /// Its tiles in the order in which they were written. A later tile replaces an earlier tile at its place.
    pub tiles: Vec<StoredTile>,
    /// The chunks of the level that it was baked from; `None` for a level that is not read in chunks.
    pub chunks: Option<ReadChunks>,
    /// The run that completed it; `None` if it is not complete.
    pub run: Option<ShardRun>,
    /// The reason why the rest of it was skipped, if anything was.
    pub damage: Option<String>,
}

impl<S: Storage> ShardFile<S> {
    /// Starts a shard file in empty storage.
    ///
    /// # Errors
    /// Fails if the storage cannot be written.
    pub fn create(storage: S, head: &ShardHead) -> io::Result<ShardFile<S>> {
        let (tiles, spans) = (BTreeMap::new(), BTreeMap::new());
        let mut file = ShardFile { storage, end: 0, tiles, spans, frames: [0; 2] };
        file.storage.write_at(0, MAGIC)?;
        file.end = MAGIC.len() as u64;
        file.append(HEAD, &head.encode())?;
        Ok(file)
    }

    /// Reads the intact beginning of a shard file. [`ShardFile::cut`] removes the rest, which was cut short
    /// or is damaged. Blobs are not read.
    ///
    /// # Errors
    /// Fails if the storage cannot be read, if the bytes are not a shard file, or if the head is damaged.
    pub fn read(storage: S) -> Result<ReadShard<S>, ShardError> {
        let length = storage.length()?;
        let mut start = [0; 8];
        let is_part = length >= start.len() as u64 && {
            storage.read_at(0, &mut start)?;
            begins_as_shard(&start)
        };
        if !is_part {
            return Err(ShardError::NotShard);
        }
        if start != *MAGIC {
            let what = "it is a shard file of another version of the program";
            return Err(ShardError::Damage(what.to_owned()));
        }
        let (tiles, spans) = (BTreeMap::new(), BTreeMap::new());
        let mut file = ShardFile { storage, end: start.len() as u64, tiles, spans, frames: [0; 2] };
        let head = match file.next_frame(length)? {
            Ok((HEAD, payload)) => ShardHead::decode(&payload).map_err(ShardError::Damage)?,
            Ok(_) => return Err(ShardError::Damage("its first frame is not a head".to_owned())),
            Err(damage) => return Err(ShardError::Damage(damage)),
        };
        let mut read = ReadShard { file, head, tiles: Vec::new(), chunks: None, run: None, damage: None };
        while read.file.end < length && read.damage.is_none() {
            let before = read.file.end;
            let taken = match read.file.next_frame(length)? {
                Ok((kind, payload)) => read.take(kind, &payload, before),
                Err(damage) => Err(damage),
            };
            if let Err(damage) = taken {
                (read.file.end, read.damage) = (before, Some(damage));
            }
        }
        Ok(read)
    }

    /// Reads the frame at the present end, and moves the end past it. `length` is the number of all bytes.
    fn next_frame(&mut self, length: u64) -> io::Result<Result<(u32, Vec<u8>), Damage>> {
        let left = length - self.end;
        if left < FRAME_HEAD {
            return Ok(Err(format!("{FRAME_HEAD} bytes of a frame are expected, but {left} are left")));
        }
        let mut head = [0; FRAME_HEAD as usize];
        self.storage.read_at(self.end, &mut head)?;
        let mut from = In::new(&head);
        let (Ok(kind), Ok(checksum), Ok(payload)) = (from.read(), from.read::<u32>(), from.read::<u64>())
        else {
            return Ok(Err("a frame without a head".to_owned()));
        };
        let left = left - FRAME_HEAD;
        if payload > left {
            return Ok(Err(format!("{payload} bytes are expected, but {left} are left")));
        }
        // No more than the storage has.
        let mut bytes = vec![0; payload as usize];
        self.storage.read_at(self.end + FRAME_HEAD, &mut bytes)?;
        if sum(kind, &bytes) != checksum {
            return Ok(Err("wrong checksum".to_owned()));
        }
        self.end += FRAME_HEAD + payload;
        Ok(Ok((kind, bytes)))
    }

    /// Appends a frame. Returns the place of its payload.
    fn append(&mut self, kind: u32, payload: &[u8]) -> io::Result<ByteRange> {
        let mut frame = Out::default();
        frame.0.reserve(FRAME_HEAD as usize + payload.len());
        frame.u32(kind);
        frame.u32(sum(kind, payload));
        frame.u64(payload.len() as u64);
        frame.0.extend(payload);
        self.storage.write_at(self.end, &frame.0)?;
        let place = ByteRange { offset: self.end + FRAME_HEAD, length: payload.len() as u64 };
        self.end += frame.0.len() as u64;
        Ok(place)
    }

    /// Removes the bytes that could not be read, so that frames can be appended again.
    ///
    /// # Errors
    /// Fails if the storage cannot be written.
    pub fn cut(&mut self) -> io::Result<()> {
        self.storage.set_length(self.end)
    }

    /// Appends a tile. It replaces an earlier tile at its place.
    ///
    /// # Errors
    /// Fails if the storage cannot be written.
    pub fn put(&mut self, agent: usize, whole: &WholeTile) -> io::Result<()> {
        let (payload, within) = tile::encode(agent, whole);
        let place = self.append(TILE, &payload)?;
        self.frames[0] += 1;
        self.tiles.insert((agent, whole.tile.coord()), place.of_tile(&within));
        Ok(())
    }

    /// Appends the packed spans that a dynamic file keeps of a tile; `level_hash` is the digest of the level
    /// there.
    ///
    /// # Errors
    /// Fails if the storage cannot be written.
    pub fn put_spans(
        &mut self,
        agent: usize,
        coord: TileCoord,
        level_hash: [u8; 16],
        spans: &[u8],
    ) -> io::Result<()> {
        let (payload, start) = tile::encode_spans(agent, coord, level_hash, spans);
        let place = self.append(SPANS, &payload)?;
        self.frames[1] += 1;
        self.spans.insert((agent, coord), (level_hash, place.from(start)));
        Ok(())
    }

    /// Appends the chunks of the level that its tiles are baked from. They replace earlier chunks.
    ///
    /// # Errors
    /// Fails if the storage cannot be written.
    pub fn put_chunks(&mut self, chunks: &ReadChunks) -> io::Result<()> {
        self.append(CHUNKS, &chunks.encode()).map(drop)
    }

    /// Completes the shard file.
    ///
    /// # Errors
    /// Fails if the storage cannot be written or synced.
    pub fn finish(&mut self, run: &ShardRun) -> io::Result<()> {
        let mut out = Out::default();
        self.frames.into_iter().for_each(|frames| out.u64(frames));
        out.u64(run.baked);
        out.u32(run.threads);
        out.u64(u64::try_from(run.elapsed.as_nanos()).unwrap_or(u64::MAX));
        out.option(run.peak_memory, Out::u64);
        self.append(END, &out.0)?;
        self.storage.sync()
    }

    /// The blob of the tile at a coordinate, as it was written; `None` if the shard file has no such tile.
    ///
    /// # Errors
    /// Fails if the storage cannot be read.
    pub fn blob(&self, agent: usize, coord: TileCoord) -> io::Result<Option<Vec<u8>>> {
        self.tiles.get(&(agent, coord)).map(|places| self.bytes(places.blob)).transpose()
    }

    /// The packed ground of a tile; `None` if the tile has no ground.
    ///
    /// # Errors
    /// Fails if the storage cannot be read.
    pub fn ground(&self, agent: usize, coord: TileCoord) -> io::Result<Option<Vec<u8>>> {
        let place = self.tiles.get(&(agent, coord)).and_then(|places| places.ground);
        place.map(|place| self.bytes(place)).transpose()
    }

    /// The cached spans of a tile, and the digest of the level there, if the tile has cached spans.
    ///
    /// # Errors
    /// Fails if the storage cannot be read.
    pub fn spans(&self, agent: usize, coord: TileCoord) -> io::Result<Option<([u8; 16], Vec<u8>)>> {
        let Some((level_hash, place)) = self.spans.get(&(agent, coord)) else { return Ok(None) };
        Ok(Some((*level_hash, self.bytes(*place)?)))
    }

    /// The digest of the level at a tile, if the tile has cached spans.
    pub fn level_hash(&self, agent: usize, coord: TileCoord) -> Option<[u8; 16]> {
        self.spans.get(&(agent, coord)).map(|(level_hash, _)| *level_hash)
    }

    /// The tiles with cached spans for an agent, in canonical order, each with the digest of the level there.
    pub fn cached(&self, agent: usize) -> impl Iterator<Item = (TileCoord, [u8; 16])> {
        let own = self.spans.iter().filter(move |((of, _), _)| *of == agent);
        own.map(|((_, coord), (level_hash, _))| (*coord, *level_hash))
    }

    /// Length of the blob of a tile, bytes; `None` if the shard file has no such tile.
    pub fn length(&self, agent: usize, coord: TileCoord) -> Option<u64> {
        self.tiles.get(&(agent, coord)).map(|places| places.blob.length)
    }

    /// The storage.
    pub fn into_storage(self) -> S {
        self.storage
    }

    fn bytes(&self, place: ByteRange) -> io::Result<Vec<u8>> {
        // The range is within the storage.
        let mut bytes = vec![0; place.length as usize];
        self.storage.read_at(place.offset, &mut bytes)?;
        Ok(bytes)
    }
}

impl ByteRange {
    /// The rest of the range, from `start`.
    fn from(self, start: u64) -> ByteRange {
        ByteRange { offset: self.offset + start, length: self.length.saturating_sub(start) }
    }

    /// The places of the blob and the ground in the payload of a tile.
    fn of_tile(self, within: &tile::InPayload) -> StoredRanges {
        let [start, end] = within.ground;
        let ground = ByteRange { offset: self.offset + start, length: end - start };
        StoredRanges { blob: self.from(within.blob), ground: (start < end).then_some(ground) }
    }
}

impl<S: Storage> ReadShard<S> {
    /// The blob of a tile, verified and compared with its node of the island graph, because shard files come
    /// from other machines.
    ///
    /// # Errors
    /// Fails if the storage cannot be read, or if the blob breaks a rule or does not match its node.
    pub fn tile(&self, stored: &StoredTile) -> Result<Tile, ShardError> {
        let damaged = |why: String| ShardError::Damage(why);
        let coord = stored.node.coord();
        let bytes = self.file.blob(stored.agent, coord)?;
        let bytes = bytes.ok_or_else(|| damaged("its blob is missing".to_owned()))?;
        let tile = Tile::from_bytes(&bytes).map_err(|error| damaged(error.to_string()))?;
        let graph = IslandGraph::new(vec![stored.node.clone()]);
        graph
            .check_tile(&tile, stored.node.input_hash(), [0; 8])
            .map_err(|error| damaged(error.to_string()))?;
        Ok(tile)
    }

    /// The ground of a tile, verified; `None` if the tile has no ground. The memory that it takes is
    /// proportional to the size that it claims ([`StoredTile::ground`]) and to the size of a tile. If a shard
    /// file comes from somebody else, check first that the claim is acceptable.
    ///
    /// # Errors
    /// Fails if the storage cannot be read, or if the ground breaks a rule.
    pub fn ground(&self, stored: &StoredTile) -> Result<Option<TileGround>, ShardError> {
        let (coord, facts) = (stored.node.coord(), self.head.agents.get(stored.agent));
        let (Some(bytes), Some(facts)) = (self.file.ground(stored.agent, coord)?, facts) else {
            return Ok(None);
        };
        let size = tile_size(facts.size, facts.meta.tile_cells);
        let ground = unpack_ground(&bytes, coord, size, stored.node.islands().len());
        ground.map(Some).ok_or_else(|| ShardError::Damage("its ground breaks a rule".to_owned()))
    }

    /// Handles a frame that begins at `offset`.
    fn take(&mut self, kind: u32, payload: &[u8], offset: u64) -> Result<(), Damage> {
        if self.run.is_some() {
            return Err("frames follow its end".to_owned());
        }
        let place = ByteRange { offset: offset + FRAME_HEAD, length: payload.len() as u64 };
        let agents = self.head.agents.len();
        let known = |agent: usize| {
            let agent = (agent < agents).then_some(agent);
            agent.ok_or_else(|| format!("a tile for an agent beyond the last of {agents}"))
        };
        match kind {
            TILE => {
                let tile::TileEntry { agent, node, facts, ground, place: within } = tile::decode(payload)?;
                self.file.tiles.insert((known(agent)?, node.coord()), place.of_tile(&within));
                self.file.frames[0] += 1;
                self.tiles.push(StoredTile { agent, node, facts, ground });
            }
            SPANS => {
                let tile::SpansEntry { agent, coord, level_hash, start } = tile::decode_spans(payload)?;
                self.file.spans.insert((known(agent)?, coord), (level_hash, place.from(start)));
                self.file.frames[1] += 1;
            }
            CHUNKS => self.chunks = Some(ReadChunks::decode(payload)?),
            END => {
                let mut from = In::new(payload);
                let frames: [u64; 2] = from.read()?;
                if frames != self.file.frames {
                    return Err(format!(
                        "it has {:?} tiles and spans, but declares {frames:?}",
                        self.file.frames
                    ));
                }
                let run = ShardRun {
                    baked: from.read()?,
                    threads: from.read()?,
                    elapsed: Duration::from_nanos(from.read()?),
                    peak_memory: from.option(In::read)?,
                };
                from.end()?;
                self.run = Some(run);
            }
            other => return Err(format!("unknown kind of frame: {other}")),
        }
        Ok(())
    }
}

/// The checksum of a frame.
fn sum(kind: u32, payload: &[u8]) -> u32 {
    navmath::crc32_of_parts(&[&kind.to_le_bytes(), &(payload.len() as u64).to_le_bytes(), payload])
}
