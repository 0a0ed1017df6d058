//! The files of a command: nothing that it reads is written over, and nothing is written twice. Results are listed
//! before the work starts, files that other files name as they are found; nothing is written until all are listed.

use crate::failure::Failure;
use crate::files::{Target, is_standard};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Everything that a command reads and writes.
#[derive(Debug, Default)]
pub(crate) struct FileList {
    read: Vec<PathBuf>,
    written: Vec<PathBuf>,
}

impl FileList {
    /// The list of a command that reads these files.
    pub(crate) fn reading<'a>(paths: impl IntoIterator<Item = &'a Path>) -> FileList {
        FileList { read: paths.into_iter().map(Path::to_owned).collect(), written: Vec::new() }
    }

    /// Adds files that turned out to be read too; refuses those that will be written.
    pub(crate) fn also_read<'a>(&mut self, paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
        for path in paths {
            if let Some(written) = self.written.iter().find(|written| is_same(written, path)) {
                return Err(overwrites(written, path));
            }
            self.read.push(path.to_owned());
        }
        Ok(())
    }

    /// Adds a file that will be written; refuses those that are read or written already.
    pub(crate) fn also_written(&mut self, path: &Path) -> Result<(), Failure> {
        if let Some(read) = self.read.iter().find(|read| !is_standard(path) && is_same(read, path)) {
            return Err(overwrites(path, read));
        }
        if let Some(other) = self.written.iter().find(|written| is_same(written, path)) {
            let message = if is_standard(path) {
                "standard output would hold two results".to_owned()
            } else {
                format!("{}: would hold two results, as {} is the same file", path.display(), other.display())
            };
            return Err(Failure::call(message).help("give each result a name of its own"));
        }
        self.written.push(path.to_owned());
        Ok(())
    }

    /// A file that will be replaced as a whole.
    pub(crate) fn target(&mut self, path: &Path) -> Result<Target, Failure> {
        self.also_written(path)?;
        Target::new(path)
    }
}

fn overwrites(written: &Path, read: &Path) -> Failure {
    let (name, input) = (written.display(), read.display());
    let message = if written == read {
        format!("{name}: the result would overwrite its own input")
    } else {
        format!("{name}: the result would overwrite its own input {input}")
    };
    Failure::call(message).help("give the result another name")
}

/// Whether two names are of one file, or would be: by links, or by case alone where a system ignores it.
fn is_same(one: &Path, other: &Path) -> bool {
    if is_standard(one) || is_standard(other) {
        return is_standard(one) && is_standard(other);
    }
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(a), Ok(b)) => {
            is_same_inode(&a, &b)
                || matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(a), Ok(b)) if a == b)
        }
        // One of them will be made: its folder and its name tell.
        _ => {
            let (Some(a), Some(b)) = (one.file_name(), other.file_name()) else { return false };
            let lower = |name: &OsStr| name.to_string_lossy().to_lowercase();
            let folder = |path: &Path| match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => fs::canonicalize(folder),
                _ => fs::canonicalize("."),
            };
            lower(a) == lower(b) && matches!((folder(one), folder(other)), (Ok(a), Ok(b)) if a == b)
        }
    }
}

#[cfg(unix)]
fn is_same_inode(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Elsewhere files have one name, but for symbolic links.
#[cfg(not(unix))]
fn is_same_inode(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_a_file_that_is_read_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("level"), b"level").unwrap();
        let mut names = vec![path("level"), path("./level")];
        #[cfg(unix)]
        {
            fs::hard_link(path("level"), path("hard")).unwrap();
            std::os::unix::fs::symlink("level", path("soft")).unwrap();
            names.extend([path("hard"), path("soft")]);
        }
        for name in &names {
            let mut list = FileList::reading([path("level").as_path()]);
            assert_eq!(list.target(name).unwrap_err().status(), 2, "{name:?}");
            let mut list = FileList::default();
            list.target(name).unwrap();
            assert_eq!(list.also_read([path("level").as_path()]).unwrap_err().status(), 2, "{name:?}");
        }
        let mut list = FileList::reading([path("level").as_path()]);
        list.target(&path("other")).unwrap();
    }

    #[test]
    fn no_file_is_written_twice() {
        let folder = tempfile::tempdir().unwrap();
        let mut list = FileList::default();
        list.target(&folder.path().join("level.a.navtile")).unwrap();
        for twin in ["level.a.navtile", "./level.a.navtile", "level.A.navtile"] {
            assert_eq!(list.target(&folder.path().join(twin)).unwrap_err().status(), 2, "{twin}");
        }
        list.target(&folder.path().join("level.b.navtile")).unwrap();
        list.target(Path::new("-")).unwrap();
        assert_eq!(list.also_written(Path::new("-")).unwrap_err().status(), 2);
    }
}
