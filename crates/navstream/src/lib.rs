//! Worlds that are too large to load: a [`TileStream`] keeps a [`detour::NavMesh`] of the tiles around some
//! places.
//!
//! - [`World`]: which tiles there are, from the directory of a file or a list.
//! - [`TileSource`]: where their bytes come from. [`StoreSource`] reads a file within the update;
//!   `WorkerSource` (feature `threads`) reads it on a thread. Implement it for anything else: it is polled,
//!   so an async task, another thread or the fetch of a web page can serve it.
//! - [`TileStream`]: pins, wants and holds say which tiles are needed; [`TileStream::update`] does a bounded
//!   amount of work to get them, and reports what changed.
//!
//! ```
//! use navstream::{Limits, StoreSource, TileStream, World};
//! use navtile::NavStore;
//!
//! # let file = navscenes::tiled_file("courtyard", 32)?;
//! let store = NavStore::open(file)?; // reads the directory; any `Source`, such as a `File`
//! let world = World::of_catalog(&store)?;
//! let mut stream = TileStream::new(world, StoreSource::new(store), [0.0; 3], Limits::default())?;
//!
//! let player = stream.pin([2.5, 0.0, 2.5], 40.0)?;
//! for tick in 0..10 {
//!     stream.move_pin(player, [2.5 + f64::from(tick), 0.0, 2.5])?;
//!     let update = stream.update();
//!     for failed in &update.failed {
//!         println!("{failed}");
//!     }
//!     let snapshot = stream.mesh().clone(); // for threads that query
//! # assert!(snapshot.tile_count() > 0);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # References
//!
//! A [`PolyRef`](detour::PolyRef) is valid while its tile stays in the mesh. A stream removes a tile if
//! nothing needs it *and* room is needed for another. Hence:
//!
//! - a tile within a pin stays, unless the pins together need more memory than there is;
//! - a tile that is held stays in any case: [`TileStream::hold`] the corridor of an agent for as long as it
//!   follows it;
//! - each [`Update`] lists the tiles that were removed or replaced, and a query with a reference to one of
//!   them fails with `NotLoaded` or `Stale`;
//! - a tile is only replaced if [`TileStream::reload`] asked for it.
//!
//! # Determinism
//!
//! A mesh and its references depend on the calls and the answers of the source alone; with [`StoreSource`],
//! on the calls alone. A source that answers when it can, as a thread does, gives
//! meshes that are equal but for their slots.

#![forbid(unsafe_code)]

pub mod error;
pub mod plan;
pub mod source;
pub mod stream;
pub mod update;
#[cfg(feature = "threads")]
pub mod worker;
pub mod world;

pub use error::StreamError;
pub use plan::{Hold, Pin};
pub use source::{Arrival, Fetched, StoreSource, TileSource};
pub use stream::TileStream;
pub use update::{ChangeKind, FailedTile, Limits, TileChange, TileFault, Update};
#[cfg(feature = "threads")]
pub use worker::WorkerSource;
pub use world::{World, WorldTile};

// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
