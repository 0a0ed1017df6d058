//! The files that the studio shows: a level with its settings, or a mesh; and whether they have changed.

use crate::failure::Failure;
use crate::files::{self, FileList};
use crate::source;
use navbake::{BakedFile, LevelBake, LevelFile, Silent};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Changes with a file: when it was written, and its size. `None` if there is none.
type Stamp = Option<(SystemTime, u64)>;

/// The files of the page.
pub(super) struct ServedFiles {
    /// With the names that others call them by.
    files: Vec<(String, PathBuf)>,
    /// `None` for a mesh.
    settings: Option<PathBuf>,
    seen: Mutex<Seen>,
}

struct Seen {
    /// Grows with each change.
    version: u64,
    stamps: Vec<Stamp>,
}

/// The files, as the page gets to know them.
#[derive(Serialize)]
pub(super) struct Session {
    files: Vec<String>,
    settings: Option<String>,
    toml: String,
    version: u64,
}

impl ServedFiles {
    /// The files that belong to a level or mesh.
    pub(super) fn new(level: &Path, config: Option<&Path>) -> Result<ServedFiles, Failure> {
        let is_mesh = level.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("navtile"));
        if is_mesh && config.is_some() {
            return Err(Failure::call(format!(
                "{}: is a finished mesh, which has no settings",
                level.display()
            ))
            .help("give the level, to change its settings"));
        }
        let paths = if is_mesh { vec![level.to_owned()] } else { source::files_of_level(level)? };
        let folder = level.parent().unwrap_or(Path::new(""));
        let named = |path: PathBuf| {
            let inside = path.strip_prefix(folder).unwrap_or(&path);
            let parts: Vec<String> =
                inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
            (parts.join("/"), path)
        };
        let files: Vec<(String, PathBuf)> = paths.into_iter().map(named).collect();
        if is_mesh {
            // A file that cannot be read is an error now, not in the page.
            files::read(level)?;
        }
        let settings = config.map_or_else(|| level.with_extension("toml"), Path::to_owned);
        let settings = (!is_mesh).then_some(settings);
        let mut watched =
            ServedFiles { files, settings, seen: Mutex::new(Seen { version: 1, stamps: Vec::new() }) };
        let stamps = watched.stamps();
        watched.seen.get_mut().unwrap_or_else(PoisonError::into_inner).stamps = stamps;
        Ok(watched)
    }

    fn stamps(&self) -> Vec<Stamp> {
        let stamp = |path: &Path| -> Stamp {
            let data = fs::metadata(path).ok()?;
            Some((data.modified().ok()?, data.len()))
        };
        self.files.iter().map(|(_, path)| path).chain(&self.settings).map(|path| stamp(path)).collect()
    }

    /// Looks at the files, and returns how often any has changed.
    pub(super) fn version(&self) -> u64 {
        let now = self.stamps();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if now != seen.stamps {
            seen.stamps = now;
            seen.version += 1;
        }
        seen.version
    }

    pub(super) fn session(&self) -> Result<Session, Failure> {
        let version = self.version();
        let toml = match &self.settings {
            Some(path) if path.exists() => String::from_utf8(files::read(path)?)
                .map_err(|_| Failure::of(path, "is not UTF-8").help("save it as UTF-8"))?,
            _ => String::new(),
        };
        let settings = self.settings.as_ref().and_then(|path| path.file_name());
        Ok(Session {
            files: self.files.iter().map(|(name, _)| name.clone()).collect(),
            settings: settings.map(|name| name.to_string_lossy().into_owned()),
            toml,
            version,
        })
    }

    /// The content of a file by its number; `None` if there is no such number.
    pub(super) fn content(&self, number: usize) -> Option<Result<Vec<u8>, Failure>> {
        self.files.get(number).map(|(_, path)| files::read(path))
    }

    /// Writes the settings.
    pub(super) fn write(&self, toml: &str) -> Result<(), Failure> {
        let Some(path) = &self.settings else {
            return Err(Failure::call("a finished mesh has no settings"));
        };
        let level = self.files.iter().map(|(_, path)| path.as_path());
        FileList::reading(level).replacement(path, path)?.write(toml.as_bytes())
    }

    /// Bakes the level on all cores: the file of the first agent, or why there is none.
    pub(super) fn bake(&self, toml: &str) -> Result<Vec<u8>, String> {
        let read = |(name, path): &(String, PathBuf)| {
            let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok((name.clone(), bytes))
        };
        let files: Vec<(String, Vec<u8>)> = self.files.iter().map(read).collect::<Result<_, String>>()?;
        let files: Vec<LevelFile<'_>> = files.iter().map(|(name, bytes)| LevelFile { name, bytes }).collect();
        let bake = LevelBake::new(&files, Some(toml)).map_err(|error| error.to_string())?;
        let baked = bake.run(&Silent).map_err(|error| error.to_string())?;
        let first: Option<BakedFile> = baked.into_iter().next();
        first.map(|file| file.bytes).ok_or_else(|| "there is no agent".to_owned())
    }
}
