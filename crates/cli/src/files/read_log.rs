//! The files that this process has read. Every reader adds its file here, so that no result overwrites an
//! input, even if only another input refers to it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file, independent of its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileId(
    /// Device, and file number on it.
    #[cfg(unix)]
    (u64, u64),
    /// Elsewhere a file has one name, except for symbolic links.
    #[cfg(not(unix))]
    PathBuf,
);

/// The files, each with a name that it was read by.
static READ: Mutex<BTreeMap<FileId, PathBuf>> = Mutex::new(BTreeMap::new());

impl FileId {
    /// The file that a name refers to, links resolved; `None` if it is missing.
    #[cfg(unix)]
    pub(super) fn of(path: &Path) -> Option<FileId> {
        fs::metadata(path).ok().map(|metadata| FileId::of_metadata(&metadata))
    }

    #[cfg(not(unix))]
    pub(super) fn of(path: &Path) -> Option<FileId> {
        fs::canonicalize(path).ok().map(FileId)
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &fs::Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId((metadata.dev(), metadata.ino()))
    }

    /// Returns true if an open file is this file, or if the system does not report it.
    #[cfg(unix)]
    pub(super) fn is_open_as(&self, file: &fs::File) -> bool {
        file.metadata().is_ok_and(|metadata| FileId::of_metadata(&metadata) == *self)
    }

    #[cfg(not(unix))]
    pub(super) fn is_open_as(&self, _: &fs::File) -> bool {
        true
    }
}

fn read() -> MutexGuard<'static, BTreeMap<FileId, PathBuf>> {
    READ.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a file that is read, or that belongs to such a file. No result overwrites it from here on.
pub(crate) fn add(path: &Path) {
    if let Some(file) = FileId::of(path) {
        read().insert(file, path.to_owned());
    }
}

/// The name that a file was read by, if it was read.
pub(super) fn name_of(file: &FileId) -> Option<PathBuf> {
    let name = read().get(file).cloned();
    // A system may give the number of a removed file to the next one.
    name.filter(|name| FileId::of(name).as_ref() == Some(file))
}
