//! The files of a command. Only this module decides what a command may write: not its inputs, and no file
//! twice.
//!
//! Files on the command line are refused before the work starts. Files that other files refer to are refused
//! once these have been read ([`FileList::check`], and again when a result is begun). Nothing is written
//! until then.

use super::is_standard;
use super::names::{is_same, without_missing_folders};
use super::read_log::FileId;
use super::target::{Purpose, Target, overwrites, refuse_input};
use crate::failure::Failure;
use std::path::{Path, PathBuf};

/// All files that a command reads and writes.
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

    /// Adds a file that will be written; refuses files that are read or written already.
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
        Target::new(path, Purpose::Write, None)
    }

    /// A file that would be replaced, but is only compared.
    pub(crate) fn looked_at(&mut self, path: &Path) -> Result<Target, Failure> {
        self.also_written(path)?;
        Target::new(path, Purpose::Look, None)
    }

    /// A file that will be replaced as a whole, and may be `input` itself: it has been read to the end by
    /// then.
    pub(crate) fn replacement(&mut self, path: &Path, input: &Path) -> Result<Target, Failure> {
        self.also_written(path)?;
        Target::new(path, Purpose::Write, FileId::of(input))
    }

    /// Refuses results that would overwrite any file that has been read, under whatever name.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let mut files = self.written.iter().filter(|path| !is_standard(path));
        files.try_for_each(|path| refuse_input([path, &without_missing_folders(path)], None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files;
    use std::fs;

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
        }
        let mut list = FileList::reading([path("level").as_path()]);
        list.target(&path("other")).unwrap();
    }

    #[test]
    fn a_file_that_turns_out_to_be_read_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("buffer"), b"buffer").unwrap();
        let mut list = FileList::default();
        let target = list.target(&path("buffer")).unwrap();
        list.check().unwrap();
        files::read(&path("./buffer")).unwrap();
        assert_eq!(list.check().unwrap_err().status(), 2);
        assert_eq!(target.write(b"result").unwrap_err().status(), 2);
        assert_eq!(files::create_stream(&path("buffer")).unwrap_err().status(), 2);
        assert_eq!(fs::read(path("buffer")).unwrap(), b"buffer");
        // A result may replace its own input.
        let own = FileList::default().replacement(&path("buffer"), &path("buffer")).unwrap();
        own.write(b"result").unwrap();
        assert_eq!(fs::read(path("buffer")).unwrap(), b"result");
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
