//! A source with a thread of its own.

use crate::source::{Arrival, Fetched, TileSource};
use detour::PreparedTile;
use navtile::file::Source;
use navtile::{NavStore, TileCoord};
use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// A file whose tiles a thread reads, verifies and prepares, so that an update only links them. The thread
/// ends when the source is dropped, after the read that it is in.
#[derive(Debug)]
pub struct WorkerSource {
    queue: Arc<Queue>,
    arrivals: Receiver<Arrival>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Queue {
    requests: Mutex<Requests>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Requests {
    /// Coordinates and anchors, in order.
    waiting: VecDeque<(TileCoord, [f64; 3])>,
    /// The tile that the thread reads.
    reading: Option<TileCoord>,
    is_closed: bool,
}

impl WorkerSource {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn new<S: Source + Send + 'static>(store: NavStore<S>) -> io::Result<WorkerSource> {
        let queue = Arc::new(Queue::default());
        let (sender, arrivals) = channel();
        let requests = Arc::clone(&queue);
        let work = move || serve(&store, &requests, &sender);
        let thread = Builder::new().name("navstream".to_owned()).spawn(work)?;
        Ok(WorkerSource { queue, arrivals, thread: Some(thread) })
    }
}

/// Answers requests until the source is dropped.
fn serve<S: Source>(store: &NavStore<S>, queue: &Queue, sender: &Sender<Arrival>) {
    while let Some((coord, anchor)) = queue.next() {
        let content = match Fetched::of_store(store, coord) {
            // The stream refuses a tile that cannot be prepared, and reports why.
            Fetched::Tile(tile) => {
                PreparedTile::new(tile.clone(), anchor).map_or(Fetched::Tile(tile), Fetched::Prepared)
            }
            other => other,
        };
        if sender.send(Arrival { coord, content }).is_err() {
            return;
        }
    }
}

impl Queue {
    /// Every change of the requests is complete after each statement, so a panic elsewhere leaves them valid.
    fn lock(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a request; `None` when the source is dropped.
    fn next(&self) -> Option<(TileCoord, [f64; 3])> {
        let mut requests = self.lock();
        requests.reading = None;
        loop {
            if requests.is_closed {
                return None;
            }
            if let Some(request) = requests.waiting.pop_front() {
                requests.reading = Some(request.0);
                return Some(request);
            }
            requests = self.changed.wait(requests).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl TileSource for WorkerSource {
    fn request(&mut self, coord: TileCoord, anchor: [f64; 3]) {
        self.queue.lock().waiting.push_back((coord, anchor));
        self.queue.changed.notify_one();
    }

    fn poll(&mut self) -> Option<Arrival> {
        match self.arrivals.try_recv() {
            Ok(arrival) => Some(arrival),
            Err(TryRecvError::Empty) => None,
            // The thread has panicked in the storage of the file: nothing else ends it.
            Err(TryRecvError::Disconnected) => {
                let mut requests = self.queue.lock();
                let coord = match requests.reading.take() {
                    Some(coord) => coord,
                    None => requests.waiting.pop_front()?.0,
                };
                let error = "the thread that reads tiles has panicked; open the file again";
                Some(Arrival { coord, content: Fetched::Failed(error.into()) })
            }
        }
    }

    fn cancel(&mut self, coord: TileCoord) {
        self.queue.lock().waiting.retain(|(waiting, _)| *waiting != coord);
    }
}

impl Drop for WorkerSource {
    fn drop(&mut self) {
        self.queue.lock().is_closed = true;
        self.queue.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported by its hook, and as failures of tiles.
            _ = thread.join();
        }
    }
}
