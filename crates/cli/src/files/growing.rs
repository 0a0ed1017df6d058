//! Files that grow in their place over several runs of the program.

use super::read_log::FileId;
use super::target::refuse_input;
use crate::failure::Failure;
use std::fs::{self, File, FileType, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek};
use std::path::Path;

/// A file is recognized by this number of bytes.
const START: u64 = 8;

/// Opens the file that grows at `path`, for this process alone, and makes it if it is missing. An existing
/// file is reused only if it is empty or `is_own` accepts its first bytes: any other file belongs to somebody
/// else. Links are not followed, because the user did not choose this name.
pub(crate) fn open_growing(path: &Path, is_own: impl Fn(&[u8]) -> bool) -> Result<File, Failure> {
    refuse_input([path, path], None)?;
    let name = path.display();
    let unwritable = |error: io::Error| {
        Failure::circumstances(format!("{name}: cannot be written: {error}"))
            .help("free disk space, or name another result with -o")
    };
    let mut how = OpenOptions::new();
    how.read(true).write(true);
    let mut file = match how.clone().create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            refuse_kind(path, fs::symlink_metadata(path).map_err(unwritable)?.file_type())?;
            let file = how.open(path).map_err(unwritable)?;
            // The name may have become a link since then.
            let is_link = fs::symlink_metadata(path).map_err(unwritable)?.is_symlink();
            if is_link || FileId::of(path).is_none_or(|named| !named.is_open_as(&file)) {
                return Err(foreign(path, "another program changes it"));
            }
            file
        }
        made => made.map_err(unwritable)?,
    };
    match file.try_lock() {
        // Some file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(Failure::circumstances(format!("{name}: another bake is writing to it"))
                .help("wait for it, or name another result with -o"));
        }
    }
    let mut start = Vec::new();
    (&mut file).take(START).read_to_end(&mut start).map_err(unwritable)?;
    file.rewind().map_err(unwritable)?;
    if start.is_empty() || is_own(&start) {
        Ok(file)
    } else {
        Err(foreign(path, "it is another kind of file"))
    }
}

/// Refuses folders, links, pipes and devices.
fn refuse_kind(path: &Path, kind: FileType) -> Result<(), Failure> {
    if kind.is_file() {
        return Ok(());
    }
    let what = if kind.is_symlink() {
        "it is a symbolic link, which may lead to any file"
    } else if kind.is_dir() {
        "it is a folder"
    } else {
        "it is a pipe, socket or device"
    };
    Err(foreign(path, what))
}

fn foreign(path: &Path, why: &str) -> Failure {
    let name = path.display();
    Failure::circumstances(format!(
        "{name}: finished tiles are stored in a file of this name, but {why}: it was not changed"
    ))
    .help("move it away, or name another result with -o")
}
