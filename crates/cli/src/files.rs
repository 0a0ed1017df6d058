//! Reading files whole, and writing them so that a failure leaves neither half a file nor litter.
//!
//! Files are read, not mapped: the text of a level is gone through once, tiles stay where they were read to, and a
//! mapped file that another process cuts short would end this one.

use crate::failure::Failure;
use crate::memory::{self, readable};
use crate::report;
use navtile::SharedBytes;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The bytes of an input file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    bytes_of(path).map_err(|error| unreadable(path, &error))
}

/// The bytes of a .navtile file whose tiles are to share them.
pub(crate) fn read_shared(path: &Path) -> Result<SharedBytes, Failure> {
    let read = open(path).and_then(|(file, length)| SharedBytes::read_from(file, length));
    read.map_err(|error| unreadable(path, &error))
}

/// As [`read`], with the system's error.
pub(crate) fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let (file, length) = open(path)?;
    let mut bytes = Vec::new();
    file.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A regular file and its length. What else there is by the name is refused before it is opened: opening a pipe that
/// nobody writes to would wait for ever.
fn open(path: &Path) -> io::Result<(File, usize)> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::Unsupported, "it is a pipe, socket or device, not a file"));
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    check_length(length, memory::installed().unwrap_or(u64::MAX))?;
    Ok((file, usize::try_from(length).map_err(|_| ErrorKind::FileTooLarge)?))
}

/// Refuses a file that is longer than the memory there is.
fn check_length(length: u64, memory: u64) -> io::Result<()> {
    if length <= memory {
        return Ok(());
    }
    let message = format!("it has {}, and this machine {} of memory", readable(length), readable(memory));
    Err(io::Error::new(ErrorKind::FileTooLarge, message))
}

/// The failure of reading a file.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let failure = Failure::circumstances(format!("{}: cannot be read: {error}", path.display()));
    match error.kind() {
        ErrorKind::NotFound => failure.help("check the name and the current folder"),
        ErrorKind::PermissionDenied => failure.help("get permission to read it"),
        ErrorKind::IsADirectory => failure.help("give a file, not a folder"),
        ErrorKind::FileTooLarge => failure.help("give a smaller file"),
        ErrorKind::Unsupported => failure.help("write it to a file first"),
        _ => failure,
    }
}

/// Where a result will be written. Made before the work starts, so that a wrong name costs no bake.
#[derive(Debug)]
pub(crate) struct Target {
    /// As it was given.
    path: PathBuf,
    /// The file itself, behind symbolic links.
    file: PathBuf,
    folder: PathBuf,
    /// Of the file that will be replaced.
    permissions: Option<Permissions>,
}

impl Target {
    /// Checks that a file can be made at `path`, and that it is none of the inputs.
    pub(crate) fn new(path: &Path, inputs: &[&Path]) -> Result<Target, Failure> {
        let name = path.display();
        // A file that does not exist yet has no other name.
        let file = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut permissions = None;
        if let Ok(metadata) = fs::metadata(&file) {
            if !metadata.is_file() {
                return Err(Failure::call(format!("{name}: is not a file, so it cannot be replaced by one"))
                    .help("give the name of a file with -o"));
            }
            if inputs.iter().any(|input| fs::canonicalize(input).is_ok_and(|input| input == file)) {
                return Err(Failure::call(format!("{name}: the result would overwrite its own input"))
                    .help("give another name with -o"));
            }
            permissions = Some(metadata.permissions());
        }
        if path.file_name().is_none() {
            return Err(Failure::call(format!("{name}: is no file name")).help("give the name of a file"));
        }
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        // A file without a name: it leaves nothing behind, whatever happens.
        tempfile::tempfile_in(&folder).map_err(|error| {
            let message = format!("{name}: cannot be written: folder {}: {error}", folder.display());
            let failure = Failure::circumstances(message);
            match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => {
                    failure.help("make the folder first, or give another one with -o")
                }
                _ => failure.help("give a folder that can be written to with -o"),
            }
        })?;
        Ok(Target { path: path.to_owned(), file, folder, permissions })
    }

    /// As it was given.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file behind the name, if there is one now.
    pub(crate) fn existing(&self) -> Option<&Path> {
        self.file.is_file().then_some(self.file.as_path())
    }

    /// Writes the file: under a temporary name in the same folder, synced, then renamed. If that fails, what was
    /// there before is still there, and nothing else.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut pending = self.begin()?;
        pending.write_all(bytes).map_err(|error| self.unwritable(&error))?;
        self.commit(pending)
    }

    /// Starts to write the file piece by piece; nothing is changed until [`Target::commit`].
    pub(crate) fn begin(&self) -> Result<Pending, Failure> {
        remove_litter(&self.folder);
        Ok(BufWriter::new(self.temporary().map_err(|error| self.unwritable(&error))?))
    }

    /// A file without a name in the same folder, which goes away by itself, whatever happens.
    pub(crate) fn scratch_file(&self) -> Result<File, Failure> {
        tempfile::tempfile_in(&self.folder).map_err(|error| self.unwritable(&error))
    }

    /// The failure of writing.
    pub(crate) fn unwritable(&self, error: &io::Error) -> Failure {
        Failure::circumstances(format!("{}: cannot be written: {error}", self.path.display()))
            .help("nothing was changed; make room or give another folder with -o")
    }

    /// A temporary file, locked for as long as it is open: what is not locked, nobody writes to any more.
    fn temporary(&self) -> io::Result<tempfile::NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        open_to_all(&mut builder);
        loop {
            let temporary = builder.tempfile_in(&self.folder)?;
            let locked = temporary.as_file().try_lock();
            // Between making and locking it, another process may have taken it for litter.
            match locked {
                Ok(()) if temporary.path().exists() => return Ok(temporary),
                Ok(()) | Err(fs::TryLockError::WouldBlock) => {}
                // Where files cannot be locked, nothing is taken for litter either.
                Err(fs::TryLockError::Error(_)) => return Ok(temporary),
            }
        }
    }

    /// Syncs what was written and puts it in its place.
    pub(crate) fn commit(&self, pending: Pending) -> Result<(), Failure> {
        self.replace(pending).map_err(|error| self.unwritable(&error))?;
        // The file is complete and in its place; only whether its name survives a power cut is open.
        if let Err(error) = sync_folder(&self.folder) {
            report::warn(&format!("{}: the folder could not be synced: {error}", self.folder.display()));
        }
        Ok(())
    }

    fn replace(&self, pending: Pending) -> io::Result<()> {
        let temporary = pending.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(permissions) = &self.permissions {
            temporary.as_file().set_permissions(permissions.clone())?;
        }
        temporary.as_file().sync_all()?;
        temporary.persist(&self.file).map_err(|error| error.error)?;
        Ok(())
    }
}

/// A file that is being written under a temporary name; dropped, it goes away.
pub(crate) type Pending = BufWriter<tempfile::NamedTempFile>;

const PREFIX: &str = ".navtile-";
const SUFFIX: &str = ".tmp";

/// Removes temporary files that a killed process left in a folder: those that nobody holds a lock on. Errors
/// are ignored: a file that stays harms nothing.
fn remove_litter(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            continue;
        }
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            // Whether it is gone or not, there is nothing more to do about it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The permissions any new file gets, less the umask, instead of a temporary file's private ones.
#[cfg(unix)]
fn open_to_all(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn open_to_all(_: &mut tempfile::Builder<'_, '_>) {}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems have no way to sync a folder.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused_before_it_is_read() {
        check_length(4, 4).unwrap();
        let error = check_length(5, 4).unwrap_err();
        assert!(error.to_string().contains("it has 5 bytes, and this machine 4 bytes"), "{error}");
        #[cfg(unix)]
        for refused in
            [read(Path::new("/dev/zero")).unwrap_err(), read_shared(Path::new("/dev/zero")).unwrap_err()]
        {
            assert!(refused.plain().contains("/dev/zero: cannot be read: it is a pipe, socket or device"));
        }
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()).unwrap_err().status(), 3);
        assert_eq!(read_shared(folder.path()).unwrap_err().status(), 3);
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        Target::new(&path, &[]).unwrap().write(b"one").unwrap();
        let target = Target::new(&path, &[]).unwrap();
        target.write(b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no litter");
        // The folder goes away between the check and the writing.
        let gone = folder.path().join("gone");
        fs::create_dir(&gone).unwrap();
        let target = Target::new(&gone.join("out"), &[]).unwrap();
        fs::remove_dir(&gone).unwrap();
        assert_eq!(target.write(b"three").unwrap_err().status(), 3);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no litter");
    }

    #[test]
    fn litter_of_a_killed_process_goes_and_files_in_work_stay() {
        let folder = tempfile::tempdir().unwrap();
        let litter = folder.path().join(".navtile-dead.tmp");
        fs::write(&litter, b"half a file").unwrap();
        fs::write(folder.path().join("navtile.tmp"), b"somebody's own").unwrap();
        let target = Target::new(&folder.path().join("out"), &[]).unwrap();
        let first = target.begin().unwrap();
        assert!(!litter.exists());
        let second = target.begin().unwrap();
        assert!(first.get_ref().path().exists(), "it is locked");
        target.commit(first).unwrap();
        drop(second);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "the result and somebody's own");
    }

    #[test]
    fn what_is_not_a_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Target::new(folder.path(), &[]).unwrap_err().status(), 2);
        assert_eq!(Target::new(&folder.path().join("no/file"), &[]).unwrap_err().status(), 3);
        let input = folder.path().join("input");
        fs::write(&input, b"level").unwrap();
        assert_eq!(Target::new(&input, &[&input]).unwrap_err().status(), 2);
        #[cfg(unix)]
        assert_eq!(Target::new(Path::new("/dev/null"), &[]).unwrap_err().status(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        Target::new(&link, &[]).unwrap().write(b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
