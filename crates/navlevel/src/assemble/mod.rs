//! From baked tiles to a file: links are found, islands are judged, tiles lose the islands that are not kept,
//! and the rest is written in canonical order with its hashes.
//!
//! ```text
//!   nodes, ground --Judge--> LevelTiles: graph, kept islands, links
//!                                |
//!   TileStore: baked tiles ------+--write--> file, and each tile as it was written
//! ```
//!
//! [`LevelChange`] decides which tiles of an earlier file can stay, and which follow from a change.
//! Every bake ends here: in memory or on disk, whole, in shares, of changes alone, dynamic or not. They
//! differ in their [`TileStore`].

mod changes;
mod earlier;
mod error;
mod judge;
mod store;
mod write;

pub use changes::{AgentInput, LevelChange, NewTiles, SettledTiles};
pub use earlier::{EarlierError, EarlierFile};
pub use error::AssembleError;
pub use judge::{Judge, LevelTiles};
pub use store::{FoundTile, MemoryStore, MemoryTile, TileStore};
pub use write::{LevelSpans, write_level};
