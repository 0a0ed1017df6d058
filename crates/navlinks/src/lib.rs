//! Links that the bake generates: drops off ledges, jumps over gaps, climbs onto crates.
//! docs/links-reference.md has the rules.
//!
//! They are found after all tiles are baked, on floors and spans of the lattice. These do not depend on how
//! the level is cut into tiles, so neither do the links:
//!
//! ```text
//!   TileGround, one per tile        LevelGround, of the tiles of a window
//!   floors with their islands  -->  floors joined over seams  --candidates-->  chosen links
//!   spans                           spans                       swept            worth it, far enough apart
//! ```
//!
//! - [`recast::TileGround`]: the ground of a tile, which a bake keeps; [`GroundStore`]: where it is.
//! - [`find_links`]: the links of a level, in windows; [`join_links`], [`kept_links`], [`with_links`]: the
//!   links in the island graph and in tiles.
//! - [`LinkWindow`]: the links that a change can affect, found again.
//! - [`explain_links`]: why a link was generated or not.
//! - [`Reason`]: the reasons for having no link, and for all that `navexplain` explains.

#![forbid(unsafe_code)]

mod candidates;
mod changes;
mod choose;
mod cut;
mod explain;
mod fits;
mod generated;
mod ground;
mod ground_counts;
mod ground_store;
mod known_ways;
mod ladders;
mod link;
mod order;
mod profile;
mod rays;
mod reach;
mod reason;
mod search;
mod sweep;
mod ways;
mod widen;
mod window;
mod zone;

pub use changes::{LinkWindow, WindowLinks};
pub use cut::{end_tiles, with_links};
pub use explain::{LinkExplanation, explain_links};
pub use generated::{join_links, kept_links, links_of_tiles};
pub use ground_counts::{GroundCounts, MOST_OF_WINDOW, ground_memory, tile_size};
pub use ground_store::GroundStore;
pub use link::{GeneratedLink, RunPlace};
pub use reason::{Comparison, Reason, ReasonCode, place_words};
pub use search::{LinkIslands, find_links};
