//! A file that was written, checked before it is moved to its place: it contains unchanged copies of tiles
//! and cached spans from parts and earlier files.

use crate::failure::Failure;
use crate::files::{Pending, Target};
use navtile::file::Seekable;
use navtile::{NavStore, StoreError};
use std::fs::File;
use std::io::Write;
use tilecache::{CacheError, check_within};

/// A file that has not been moved to its place.
pub(crate) struct Written(Result<NavStore<Seekable<File>>, StoreError>);

impl Written {
    /// Of a target.
    pub(crate) fn open(target: &Target, pending: &mut Pending) -> Result<Written, Failure> {
        let file = pending.flush().and_then(|()| pending.get_ref().as_file().try_clone());
        let file = file.map_err(|error| target.unwritable(&error))?;
        Ok(Written(NavStore::open(Seekable::new(file))))
    }

    /// The first invalid tile.
    pub(crate) fn fault_of_tiles(&self) -> Option<CacheError> {
        let store = self.0.as_ref().ok()?;
        store.coords().into_iter().find_map(|coord| store.tile(coord)?.err()).map(CacheError::from)
    }

    /// The first fault of its cached spans; the spans of a tile take at most `memory` bytes.
    pub(crate) fn fault_of_spans(self, memory: u64) -> Option<CacheError> {
        match self.0 {
            Ok(store) => check_within(store, memory).into_iter().next(),
            Err(error) => Some(error.into()),
        }
    }
}
