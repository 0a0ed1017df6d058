//! Shard files: baked tiles in an append-only file, before it is known which of their islands are kept.
//!
//! A shard file holds a share of a bake, for [`join`](crate::LevelBake::join) on another machine, or the
//! tiles that an interrupted bake had finished. It is a sequence of frames after eight bytes. A frame that
//! was cut short or damaged ends it; everything before that frame can be used:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `NVPART03` |
//! | 4, 4, 8 | for each frame: its kind, the CRC-32 of kind, length and payload, the length of the payload |
//!
//! | kind | payload |
//! |---|---|
//! | 1 | head, the first frame: bake version, share, and for each agent the facts that a join needs |
//! | 2 | tile: agent, node of the island graph, counts, warnings, times, packed ground for links, blob |
//! | 3 | cached spans of a tile of a dynamic file: agent, x, z, layer, digest of the level there, spans |
//! | 5 | chunks of the level that were read, if it is read in chunks: triangles, areas, floors, warnings |
//! | 4 | end, the last frame of a complete file: number of frames of kinds 2 and 3, threads, time, memory |
//!
//! All numbers are little-endian. Lists, texts and blobs follow their lengths, except a blob or spans at the
//! end of a payload. Nothing in a shard file is trusted: sizes are compared with the available bytes, and
//! tiles and their ground are verified when they are read.

mod bytes;
mod chunks;
mod file;
mod head;
mod profiles;
mod tile;

pub use chunks::{ChunkFacts, ReadChunks};
pub use file::{ReadShard, ShardFile, ShardRun, StoredTile, begins_as_shard};
pub use head::{AgentFacts, Difference, MOST_SHARES, ShardHead};
pub(crate) use tile::Share;
pub use tile::{TileFacts, WholeTile};

use std::fmt;
use std::io;

/// The reason why bytes are not a shard file.
type Damage = String;

/// The reason why a shard file cannot be read or written.
#[derive(Debug)]
pub enum ShardError {
    /// Reading or writing failed.
    Io(io::Error),
    /// The bytes are something else.
    NotShard,
    /// The shard file is damaged.
    Damage(String),
}

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShardError::Io(error) => error.fmt(f),
            ShardError::NotShard => f.write_str("it is not a shard file: it does not begin like one"),
            ShardError::Damage(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ShardError {}

impl From<io::Error> for ShardError {
    fn from(error: io::Error) -> ShardError {
        ShardError::Io(error)
    }
}
