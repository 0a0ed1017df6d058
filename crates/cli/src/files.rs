//! Reading files whole, and writing them so that a failure leaves neither half a file nor litter.
//!
//! Files are read, not mapped: the text of a level is gone through once, tiles stay where they were read to, and a
//! mapped file that another process cuts short would end this one.

use crate::failure::Failure;
use crate::memory::{self, readable};
use crate::{interrupt, report};
use navtile::SharedBytes;
use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The name of standard input among inputs, and of standard output among results.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Refuses inputs that would read standard input more than once: nothing would be left of it.
pub(crate) fn refuse_shared_input<'a>(inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    match inputs.into_iter().filter(|path| is_standard(path)).nth(1) {
        None => Ok(()),
        Some(_) => Err(Failure::call("standard input is named twice, and can be read once only")
            .help("give `-` for one input, and files for the others")),
    }
}

/// The bytes of an input file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    bytes_of(path).map_err(|error| unreadable(path, &error))
}

/// The text of an input file.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?).map_err(|_| {
        Failure::call(format!("{}: the text is not UTF-8", path.display())).help("save the file as UTF-8")
    })
}

/// The bytes of a .navtile file whose tiles are to share them, or of standard input for `-`.
pub(crate) fn read_shared(path: &Path) -> Result<SharedBytes, Failure> {
    if is_standard(path) {
        return Ok(SharedBytes::from(&read(path)?[..]));
    }
    let read = open(path).and_then(|(file, length)| SharedBytes::read_from(file, length));
    read.map_err(|error| unreadable(path, &error))
}

/// As [`read`], with the system's error.
pub(crate) fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    if is_standard(path) {
        return all_of(io::stdin().lock(), 0, memory::installed());
    }
    let (file, length) = open(path)?;
    all_of(file, length, memory::installed())
}

/// How standard input begins; nothing is taken from it.
pub(crate) fn start_of_standard_input() -> io::Result<Vec<u8>> {
    Ok(io::stdin().lock().fill_buf()?.to_vec())
}

/// A regular file, and its length. Others are not opened: a pipe may never be written to, and a device never end.
pub(crate) fn open(path: &Path) -> io::Result<(File, usize)> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::Unsupported, "it is a pipe, socket or device, not a file"));
    }
    let most = memory::installed();
    if metadata.len() > most {
        return Err(too_large(most));
    }
    let length = usize::try_from(metadata.len()).map_err(|_| ErrorKind::FileTooLarge)?;
    Ok((File::open(path)?, length))
}

/// All bytes of a reader, of which `expected` are expected, if there are at most `most`.
fn all_of(from: impl Read, expected: usize, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(expected)?;
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

fn too_large(most: u64) -> io::Error {
    let message = format!("it is larger than the memory of this machine, which is {}", readable(most));
    io::Error::new(ErrorKind::FileTooLarge, message)
}

/// The failure of reading a file.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let failure = Failure::circumstances(format!("{}: cannot be read: {error}", path.display()));
    match error.kind() {
        ErrorKind::NotFound => failure.help("check the name and the current folder"),
        ErrorKind::PermissionDenied => failure.help("get permission to read it"),
        ErrorKind::IsADirectory => failure.help("give a file, not a folder"),
        ErrorKind::FileTooLarge => failure.help("give a smaller file"),
        ErrorKind::Unsupported => failure.help("give a file, or `-` and pipe it to standard input"),
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
    /// Whether it is standard output, to which the temporary file is copied in the end.
    is_standard: bool,
}

impl Target {
    /// Checks that a file can be made at `path`; `-` is standard output.
    pub(crate) fn new(path: &Path) -> Result<Target, Failure> {
        if is_standard(path) {
            report::leave_standard_output();
            let folder = std::env::temp_dir();
            return Ok(Target {
                path: path.to_owned(),
                file: path.to_owned(),
                folder,
                permissions: None,
                is_standard: true,
            });
        }
        let name = path.display();
        // A file that does not exist yet has no other name.
        let file = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut permissions = None;
        if let Ok(metadata) = fs::metadata(&file) {
            if !metadata.is_file() {
                return Err(Failure::call(format!("{name}: is not a file, so it cannot be replaced by one"))
                    .help("give the name of a file with -o"));
            }
            permissions = Some(metadata.permissions());
        } else if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
            return Err(Failure::circumstances(format!(
                "{name}: is a symbolic link to a file that is missing"
            ))
            .help("make the file that it names, remove the link, or give another name"));
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
        Ok(Target { path: path.to_owned(), file, folder, permissions, is_standard: false })
    }

    /// As it was given.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file that will be replaced or made, behind symbolic links; `None` for standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        (!self.is_standard).then_some(self.file.as_path())
    }

    /// The file behind the name, if there is one now.
    pub(crate) fn existing(&self) -> Option<&Path> {
        (!self.is_standard && self.file.is_file()).then_some(self.file.as_path())
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
            let temporary = interrupt::temporary_file(|| builder.tempfile_in(&self.folder))?;
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
        if self.is_standard {
            return Ok(());
        }
        // The file is complete and in its place; only whether its name survives a power cut is open.
        if let Err(error) = sync_folder(&self.folder) {
            report::warn(&format!("{}: the folder could not be synced: {error}", self.folder.display()));
        }
        Ok(())
    }

    fn replace(&self, pending: Pending) -> io::Result<()> {
        let mut temporary = pending.into_inner().map_err(io::IntoInnerError::into_error)?;
        if self.is_standard {
            temporary.as_file_mut().rewind()?;
            return report::copy_to_standard_output(temporary.as_file_mut());
        }
        if let Some(permissions) = &self.permissions {
            temporary.as_file().set_permissions(permissions.clone())?;
        }
        temporary.as_file().sync_all()?;
        interrupt::uninterrupted(|| temporary.persist(&self.file)).map_err(|error| error.error)?;
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
        // Anything else is not ours, and opening a pipe would wait for who writes to it.
        if entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
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
    fn what_never_ends_is_refused() {
        assert_eq!(all_of(&b"four"[..], 4, 4).unwrap(), b"four");
        let error = all_of(io::repeat(0), 0, 4).unwrap_err();
        assert!(
            error.to_string().contains("larger than the memory of this machine, which is 4 bytes"),
            "{error}"
        );
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()).unwrap_err().status(), 3);
        assert_eq!(read_shared(folder.path()).unwrap_err().status(), 3);
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        Target::new(&path).unwrap().write(b"one").unwrap();
        let target = Target::new(&path).unwrap();
        target.write(b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no litter");
        // The folder goes away between the check and the writing.
        let gone = folder.path().join("gone");
        fs::create_dir(&gone).unwrap();
        let target = Target::new(&gone.join("out")).unwrap();
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
        let target = Target::new(&folder.path().join("out")).unwrap();
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
        assert_eq!(Target::new(folder.path()).unwrap_err().status(), 2);
        assert_eq!(Target::new(&folder.path().join("no/file")).unwrap_err().status(), 3);
        #[cfg(unix)]
        std::os::unix::fs::symlink("missing", folder.path().join("dangling")).unwrap();
        #[cfg(unix)]
        assert_eq!(Target::new(&folder.path().join("dangling")).unwrap_err().status(), 3);
        #[cfg(unix)]
        assert_eq!(Target::new(Path::new("/dev/null")).unwrap_err().status(), 2);
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
        Target::new(&link).unwrap().write(b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
