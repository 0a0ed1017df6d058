//! Writes a result under a temporary name until it is complete.

use super::is_standard;
use super::names::{folder_of, without_missing_folders};
use super::read_log::{self, FileId};
use crate::failure::Failure;
use crate::{interrupt, report};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

/// The file that a result will be written to. It is checked before the work starts, so that a wrong name does
/// not cost a bake. Nothing changes on disk until the result is begun; folders are also made then.
#[derive(Debug)]
pub(crate) struct Target {
    /// As it was given.
    path: PathBuf,
    /// The file itself, with symbolic links resolved.
    file: PathBuf,
    /// The folder of the file, which may be missing.
    folder: PathBuf,
    /// The nearest folder above the file that exists.
    existing_folder: PathBuf,
    /// Permissions of the file that will be replaced.
    permissions: Option<Permissions>,
    /// The one input that it may replace.
    own_input: Option<FileId>,
    /// True if it is standard output. The temporary file is copied to it in the end.
    is_standard: bool,
}

/// The purpose of a result's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The result is written.
    Write,
    /// It is only compared: its folder may be read-only.
    Look,
}

impl Target {
    /// Checks that a file can be made at `path`; `-` is standard output. `own_input` is the only input that
    /// it may replace.
    pub(super) fn new(path: &Path, purpose: Purpose, own_input: Option<FileId>) -> Result<Target, Failure> {
        if is_standard(path) {
            report::leave_standard_output();
            let folder = std::env::temp_dir();
            return Ok(Target {
                path: path.to_owned(),
                file: path.to_owned(),
                existing_folder: folder.clone(),
                folder,
                permissions: None,
                own_input: None,
                is_standard: true,
            });
        }
        let name = path.display();
        let plain = without_missing_folders(path);
        // A file that does not exist yet has no other name.
        let file = fs::canonicalize(&plain).unwrap_or_else(|_| plain.clone());
        let mut permissions = None;
        if let Ok(metadata) = fs::metadata(&file) {
            if !metadata.is_file() {
                return Err(Failure::call(format!("{name}: is not a file, so it cannot be replaced by one"))
                    .help("give the name of a file with -o"));
            }
            permissions = Some(metadata.permissions());
        } else if is_link(&plain) {
            return Err(Failure::circumstances(format!(
                "{name}: is a symbolic link to a file that is missing"
            ))
            .help("make the file that it points to, remove the link, or give another name"));
        }
        let ends_as_folder = path.to_string_lossy().ends_with(std::path::is_separator);
        if ends_as_folder || plain.file_name().is_none() {
            return Err(Failure::call(format!("{name}: is not a file name")).help("give the name of a file"));
        }
        let folder = folder_of(&file).to_owned();
        let existing_folder = existing_folder(path, &folder)?;
        if purpose == Purpose::Write {
            // A file without a name leaves nothing behind, whatever happens.
            tempfile::tempfile_in(&existing_folder)
                .map_err(|error| unusable_folder(path, &existing_folder, &error.to_string()))?;
        }
        let path = path.to_owned();
        Ok(Target { path, file, folder, existing_folder, permissions, own_input, is_standard: false })
    }

    /// The path as given.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file that will be replaced or made, with symbolic links resolved; `None` for standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        (!self.is_standard).then_some(self.file.as_path())
    }

    /// The file at this name, if it exists now.
    pub(crate) fn existing(&self) -> Option<&Path> {
        (!self.is_standard && self.file.is_file()).then_some(self.file.as_path())
    }

    /// Writes the file: under a temporary name in the same folder, synced, then renamed. If that fails, the
    /// previous file is unchanged, and nothing else remains.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut pending = self.begin()?;
        pending.write_all(bytes).map_err(|error| self.unwritable(&error))?;
        self.commit(pending)
    }

    /// Starts to write the file piece by piece; no file is changed until [`Target::commit`]. All input has
    /// been read by now: a result that would overwrite any of it is refused.
    pub(crate) fn begin(&self) -> Result<Pending, Failure> {
        if !self.is_standard {
            refuse_input([&self.path, &self.file], self.own_input.as_ref())?;
            self.make_folder()?;
        }
        remove_litter(&self.folder);
        Ok(BufWriter::new(self.temporary().map_err(|error| self.unwritable(&error))?))
    }

    /// Makes the folder of the file, and its parents.
    pub(crate) fn make_folder(&self) -> Result<(), Failure> {
        make_folder(&self.path, &self.folder)
    }

    /// A file without a name near the result, or in the system's folder of temporary files. It disappears by
    /// itself, whatever happens.
    pub(crate) fn scratch_file(&self) -> Result<File, Failure> {
        let near = tempfile::tempfile_in(&self.existing_folder);
        near.or_else(|error| tempfile::tempfile().map_err(|_| error)).map_err(|error| self.unwritable(&error))
    }

    /// The failure of a write.
    pub(crate) fn unwritable(&self, error: &io::Error) -> Failure {
        Failure::circumstances(format!("{}: cannot be written: {error}", self.path.display()))
            .help("nothing was changed; free disk space, or give another folder with -o")
    }

    /// A temporary file, locked while it is open. Nobody writes to an unlocked one any more.
    fn temporary(&self) -> io::Result<tempfile::NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
        open_to_all(&mut builder);
        loop {
            let temporary = interrupt::temporary_file(|| builder.tempfile_in(&self.folder))?;
            let locked = temporary.as_file().try_lock();
            // Between creation and locking, another process may have mistaken it for an abandoned file.
            match locked {
                Ok(()) if temporary.path().exists() => return Ok(temporary),
                Ok(()) | Err(fs::TryLockError::WouldBlock) => {}
                // Without file locks, no file is treated as abandoned.
                Err(fs::TryLockError::Error(_)) => return Ok(temporary),
            }
        }
    }

    /// Syncs the file and moves it to its place.
    pub(crate) fn commit(&self, pending: Pending) -> Result<(), Failure> {
        self.replace(pending).map_err(|error| self.unwritable(&error))?;
        if self.is_standard {
            return Ok(());
        }
        // The file is complete and in its place; only its name might not survive a power cut.
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

/// The failure of a result that would overwrite a file that is read.
pub(super) fn overwrites(written: &Path, read: &Path) -> Failure {
    let (name, input) = (written.display(), read.display());
    let message = if written == read {
        format!("{name}: the result would overwrite its own input")
    } else {
        format!("{name}: the result would overwrite its own input {input}")
    };
    Failure::call(message).help("give the result another name")
}

/// Refuses a result with this name and file that would overwrite a file that was read, except its own input.
pub(super) fn refuse_input([path, file]: [&Path; 2], own_input: Option<&FileId>) -> Result<(), Failure> {
    let Some(file) = FileId::of(file).filter(|file| Some(file) != own_input) else { return Ok(()) };
    match read_log::name_of(&file) {
        None => Ok(()),
        Some(input) => Err(overwrites(path, &input)),
    }
}

/// A file that is written from start to end in its place: emptied first. It is not an input at this point.
pub(crate) fn create_stream(path: &Path) -> Result<File, Failure> {
    let file = without_missing_folders(path);
    refuse_input([path, &file], None)?;
    make_folder(path, folder_of(&file))?;
    File::create(&file).map_err(|error| {
        Failure::circumstances(format!("{}: cannot be written: {error}", path.display()))
            .help("give another file, or `-` for standard output")
    })
}

/// The nearest folder that exists: `folder`, or a folder above it.
fn existing_folder(path: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    let mut at = folder;
    loop {
        match fs::metadata(at) {
            Ok(metadata) if metadata.is_dir() => return Ok(at.to_owned()),
            Ok(_) => return Err(unusable_folder(path, at, "it is not a folder")),
            Err(_) if is_link(at) => {
                return Err(unusable_folder(path, at, "it is a symbolic link to a folder that is missing"));
            }
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Err(unusable_folder(path, at, &error.to_string()));
            }
            Err(_) => at = folder_of(at),
        }
    }
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

fn unusable_folder(path: &Path, folder: &Path, why: &str) -> Failure {
    Failure::circumstances(format!(
        "{}: cannot be written: folder {}: {why}",
        path.display(),
        folder.display()
    ))
    .help("give a folder that can be written to")
}

fn make_folder(path: &Path, folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| {
        unusable_folder(path, folder, &format!("it is missing, and cannot be made: {error}"))
    })
}

/// A file that is being written under a temporary name; it is removed when dropped.
pub(crate) type Pending = BufWriter<tempfile::NamedTempFile>;

const PREFIX: &str = ".navtile-";
const SUFFIX: &str = ".tmp";
/// Number of random letters and digits between them.
const RANDOM: usize = 6;

/// Returns true if a temporary file could have this name.
fn is_temporary(name: &str) -> bool {
    let middle = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    middle
        .is_some_and(|letters| letters.len() == RANDOM && letters.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Removes temporary files that a killed process left in a folder: those without a lock. Errors are ignored:
/// a remaining file does no harm.
fn remove_litter(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| is_temporary(&entry.file_name().to_string_lossy())) {
        let is_input = FileId::of(&entry.path()).is_some_and(|file| read_log::name_of(&file).is_some());
        // Anything else is not ours, and opening a pipe would wait for a writer.
        if !is_input
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            // If that fails, there is nothing more to do about it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The permissions of an ordinary new file, without the umask's, instead of the private ones of a temporary
/// file.
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

/// Other systems cannot sync a folder.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::FileList;
    use super::*;

    fn target(path: &Path) -> Target {
        FileList::default().target(path).unwrap()
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        target(&path).write(b"one").unwrap();
        target(&path).write(b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no litter");
        // Its folder becomes a file between the check and the write.
        let late = target(&folder.path().join("late/out"));
        fs::write(folder.path().join("late"), b"three").unwrap();
        assert_eq!(late.write(b"four").unwrap_err().status(), 3);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "no litter");
    }

    #[test]
    fn folders_are_made_when_the_result_is_begun() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/./deep/none/../out");
        let target = target(&path);
        assert!(target.existing().is_none() && !folder.path().join("new").exists());
        drop(target.scratch_file().unwrap());
        assert!(!folder.path().join("new").exists());
        target.write(b"one").unwrap();
        assert_eq!(fs::read(folder.path().join("new/deep/out")).unwrap(), b"one");
        assert!(!folder.path().join("new/deep/none").exists());
    }

    #[test]
    fn litter_of_a_killed_process_goes_and_files_in_work_stay() {
        let folder = tempfile::tempdir().unwrap();
        let litter = folder.path().join(".navtile-deadaf.tmp");
        fs::write(&litter, b"half a file").unwrap();
        for own in ["navtile.tmp", ".navtile-level.tmp", ".navtile-a level.tmp"] {
            fs::write(folder.path().join(own), b"somebody's own").unwrap();
        }
        // A file with such a name that was read.
        let read = folder.path().join(".navtile-aLevel.tmp");
        fs::write(&read, b"somebody's own").unwrap();
        crate::files::read(&read).unwrap();
        let target = target(&folder.path().join("out"));
        let first = target.begin().unwrap();
        assert!(!litter.exists());
        let second = target.begin().unwrap();
        assert!(first.get_ref().path().exists(), "it is locked");
        target.commit(first).unwrap();
        drop(second);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 5, "the result and somebody's own");
    }

    #[test]
    fn what_is_not_a_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| FileList::default().target(path).unwrap_err();
        assert_eq!(refused(folder.path()).status(), 2);
        assert_eq!(refused(&folder.path().join("missing/")).status(), 2);
        fs::write(folder.path().join("file"), b"a file").unwrap();
        assert_eq!(refused(&folder.path().join("file/in/it")).status(), 3);
        #[cfg(unix)]
        std::os::unix::fs::symlink("missing", folder.path().join("dangling")).unwrap();
        #[cfg(unix)]
        {
            assert_eq!(refused(&folder.path().join("dangling")).status(), 3);
            assert_eq!(refused(&folder.path().join("dangling/file")).status(), 3);
            assert_eq!(refused(Path::new("/dev/null")).status(), 2);
        }
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
        target(&link).write(b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
