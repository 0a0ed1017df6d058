//! A file that was written, checked before it is moved to its place: it contains unchanged copies of tiles
//! and cached spans from parts and earlier files.

use crate::failure::Failure;
use crate::files::{Pending, Target};
use navbake::hierarchy::{self, AddError};
use navinput::HierarchyInput;
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
        Ok(Written(NavStore::open(flushed(target, pending)?)))
    }

    /// Adds the hierarchy of its tiles to a file without a hierarchy.
    pub(crate) fn add_hierarchy(
        target: &Target,
        pending: &mut Pending,
        input: &HierarchyInput,
    ) -> Result<(), Failure> {
        completed(target, hierarchy::add(flushed(target, pending)?, input))
    }

    /// Adds the hierarchy of the earlier file that this one was made from, brought up to date, if it had one.
    pub(crate) fn update_hierarchy(
        target: &Target,
        pending: &mut Pending,
        before: &NavStore<&[u8]>,
    ) -> Result<(), Failure> {
        completed(target, hierarchy::update(flushed(target, pending)?, before))
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

fn completed(target: &Target, added: Result<Seekable<File>, AddError>) -> Result<(), Failure> {
    match added {
        Ok(_) => Ok(()),
        Err(AddError::Store(StoreError::Io { source, .. })) => Err(target.unwritable(&source)),
        Err(error) => Err(Failure::of(target.path(), error)),
    }
}

/// The file itself, with everything that was written so far.
fn flushed(target: &Target, pending: &mut Pending) -> Result<Seekable<File>, Failure> {
    let file = pending.flush().and_then(|()| pending.get_ref().as_file().try_clone());
    file.map(Seekable::new).map_err(|error| target.unwritable(&error))
}
