//! Files that are open only while they are read: a bake may have more shards than a process may have open
//! files.

use navtile::file::{Source, Storage};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A file that is open from the first read until it is released; after that it is opened for each read.
/// Clones are the same file.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    path: Arc<Path>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    open: Option<File>,
    is_released: bool,
}

impl Handle {
    pub(crate) fn new(path: PathBuf) -> Handle {
        Handle { path: Arc::from(path), state: Arc::default() }
    }

    /// Closes the file.
    pub(crate) fn release(&self) {
        *self.state() = State { open: None, is_released: true };
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `work` with the file.
    fn with<T>(&self, work: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.state();
        let mut file = state.open.take().map_or_else(|| File::open(&self.path), Ok)?;
        let result = work(&mut file);
        if !state.is_released {
            state.open = Some(file);
        }
        result
    }
}

impl Source for Handle {
    fn length(&self) -> io::Result<u64> {
        self.with(|file| Ok(file.metadata()?.len()))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.with(|file| {
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(buffer)
        })
    }
}

/// Shard files that are joined are not written to.
impl Storage for Handle {
    fn write_at(&mut self, _: u64, _: &[u8]) -> io::Result<()> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }

    fn set_length(&mut self, _: u64) -> io::Result<()> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}
