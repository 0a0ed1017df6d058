//! The interface to the place that tiles come from: polled, so that a thread, an async runtime or the fetch
//! of a web page can serve it.

use detour::PreparedTile;
use navtile::file::Source;
use navtile::{NavStore, Tile, TileCoord};
use std::collections::VecDeque;
use std::error::Error;

/// A place that tiles come from. Implement it for a server, an archive, or an async runtime: `request` hands
/// the coordinate to a task, `poll` takes the results from a channel.
///
/// A source may answer in any order, late, twice, or after a request was cancelled: the stream drops answers
/// that it does not wait for. It has no clock: answer each request that is not cancelled, with
/// [`Fetched::Failed`] if it takes too long.
pub trait TileSource {
    /// Begins to fetch a tile. The stream calls it for tiles of its world alone, the most urgent first, and
    /// at most once until the answer has arrived or the request was cancelled. The anchor is that of the
    /// mesh, for sources that answer with a [`PreparedTile`].
    fn request(&mut self, coord: TileCoord, anchor: [f64; 3]);

    /// The next answer; `None` if there is no other yet. An async source never waits here.
    fn poll(&mut self) -> Option<Arrival>;

    /// The tile is no longer needed. It may arrive all the same.
    fn cancel(&mut self, coord: TileCoord) {
        _ = coord;
    }
}

/// The answer to a request.
#[derive(Debug)]
pub struct Arrival {
    /// The coordinate that was requested.
    pub coord: TileCoord,
    /// The tile, or the reason why it is missing.
    pub content: Fetched,
}

/// The result of fetching a tile.
#[derive(Debug)]
pub enum Fetched {
    /// The blob of the tile. It is verified in the update.
    Bytes(Vec<u8>),
    /// The tile. The mesh derives its data from it in the update.
    Tile(Tile),
    /// The tile with all that a mesh derives from it: the update only links it, which is about half of the
    /// work.
    Prepared(PreparedTile),
    /// The source has no tile there, although the world lists one.
    Absent,
    /// Fetching failed.
    Failed(Box<dyn Error + Send + Sync>),
}

impl Fetched {
    /// The tile of a file.
    pub(crate) fn of_store<S: Source>(store: &NavStore<S>, coord: TileCoord) -> Fetched {
        match store.tile(coord) {
            Some(Ok(tile)) => Fetched::Tile(tile),
            Some(Err(error)) => Fetched::Failed(Box::new(error)),
            None => Fetched::Absent,
        }
    }
}

/// A file whose tiles are read within [`TileStream::update`](crate::TileStream::update), one read for each:
/// for tools, tests and files in memory. [`Limits::tiles`](crate::Limits::tiles) bounds the reads of an
/// update. With it, the same calls give the same mesh, slots included.
pub struct StoreSource<S> {
    store: NavStore<S>,
    /// Requested, in order.
    waiting: VecDeque<TileCoord>,
}

impl<S: Source> StoreSource<S> {
    /// Takes tiles from a file.
    pub fn new(store: NavStore<S>) -> StoreSource<S> {
        StoreSource { store, waiting: VecDeque::new() }
    }
}

impl<S: Source> TileSource for StoreSource<S> {
    fn request(&mut self, coord: TileCoord, _anchor: [f64; 3]) {
        self.waiting.push_back(coord);
    }

    fn poll(&mut self) -> Option<Arrival> {
        let coord = self.waiting.pop_front()?;
        Some(Arrival { coord, content: Fetched::of_store(&self.store, coord) })
    }

    fn cancel(&mut self, coord: TileCoord) {
        self.waiting.retain(|waiting| *waiting != coord);
    }
}
