//! Reading files whole, and writing them so that a failure leaves neither half a file nor litter.
//!
//! Files are read, not mapped: the text of a level is gone through once, a tile copies its bytes into a buffer
//! of its own in any case, and a mapped file that another process cuts short would end this one.

use crate::failure::Failure;
use crate::report;
use std::fs::{self, File, Permissions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The bytes of an input file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| {
        let failure = Failure::circumstances(format!("{}: cannot be read: {error}", path.display()));
        match error.kind() {
            ErrorKind::NotFound => failure.help("check the name and the folder you are in"),
            ErrorKind::PermissionDenied => failure.help("ask for the right to read it"),
            ErrorKind::IsADirectory => failure.help("give a file, not a folder"),
            _ => failure,
        }
    })
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
        // What is not there yet, or a link to it, has no other name.
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

    /// Writes the file: under a temporary name in the same folder, synced, then renamed. If that fails, what was
    /// there before is still there, and nothing else.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.replace(bytes).map_err(|error| {
            Failure::circumstances(format!("{}: cannot be written: {error}", self.path.display()))
                .help("nothing was changed; make room or give another folder with -o")
        })?;
        // The file is complete and in its place; only whether its name survives a power cut is open.
        if let Err(error) = sync_folder(&self.folder) {
            report::warn(&format!("{}: the folder could not be synced: {error}", self.folder.display()));
        }
        Ok(())
    }

    fn replace(&self, bytes: &[u8]) -> std::io::Result<()> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".navtile-").suffix(".tmp");
        open_to_all(&mut builder);
        let mut temporary = builder.tempfile_in(&self.folder)?;
        temporary.write_all(bytes)?;
        if let Some(permissions) = &self.permissions {
            temporary.as_file().set_permissions(permissions.clone())?;
        }
        temporary.as_file().sync_all()?;
        temporary.persist(&self.file).map_err(|error| error.error)?;
        Ok(())
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
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems have no way to sync a folder.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
