//! The files that the studio shows: a level with its settings, or a mesh. Detects changes of the files, and
//! writes settings.

use crate::failure::Failure;
use crate::files::{self, FileList};
use crate::source;
use navbake::{LevelBake, LevelFile, file_hash};
use recast::Observer;
use serde::Serialize;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Modification time and size of a file. `None` if the file does not exist.
type Stamp = Option<(SystemTime, u64)>;

/// The files of the page.
pub(super) struct ServedFiles {
    level: PathBuf,
    /// `None` for a mesh.
    settings: Option<PathBuf>,
    seen: Mutex<Seen>,
    /// Digest of the settings that this studio wrote last. Locked while it writes.
    written: Mutex<Option<String>>,
}

struct Seen {
    /// Grows with each change.
    version: u64,
    files: Vec<SeenFile>,
    settings: Stamp,
}

struct SeenFile {
    /// The name by which other files refer to it.
    name: String,
    path: PathBuf,
    stamp: Stamp,
    /// The version of its last change.
    version: u64,
}

/// The files as the page sees them.
#[derive(Serialize)]
pub(super) struct Session {
    files: Vec<String>,
    /// For each file, the version of its last change.
    versions: Vec<u64>,
    settings: Option<String>,
    toml: String,
    /// Digest of the settings, which the page sends when it overwrites them.
    digest: String,
    version: u64,
}

/// The reason why settings are not written.
pub(super) enum Refusal {
    /// The settings file has changed since the page read it.
    Changed,
    Failed(Failure),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal::Failed(failure)
    }
}

impl ServedFiles {
    /// The files that belong to a level or mesh.
    pub(super) fn new(level: &Path, config: Option<&Path>) -> Result<ServedFiles, Failure> {
        let is_mesh = is_mesh(level);
        if is_mesh && config.is_some() {
            return Err(Failure::call(format!(
                "{}: is a finished mesh, which has no settings",
                level.display()
            ))
            .help("give the level, to change its settings"));
        }
        let settings = config.map_or_else(|| level.with_extension("toml"), Path::to_owned);
        let settings = (!is_mesh).then_some(settings);
        let files = find(level, &[], 1)?;
        let seen = Seen { version: 1, files, settings: settings.as_deref().and_then(stamp) };
        let served = ServedFiles {
            level: level.to_owned(),
            settings,
            seen: Mutex::new(seen),
            written: Mutex::default(),
        };
        if let Some(path) = &served.settings {
            let mut list = served.protected();
            list.looked_at(path)?;
            list.looked_at(&backup_of(path))?;
            list.check()?;
        }
        // Settings that cannot be read are reported here, not in the page.
        served.session()?;
        Ok(served)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks the files, and returns the number of changes so far.
    pub(super) fn version(&self) -> u64 {
        let mut seen = self.seen();
        let settings = self.settings.as_deref().and_then(stamp);
        let is_changed = seen.files.iter().any(|file| stamp(&file.path) != file.stamp);
        if is_changed || settings != seen.settings {
            seen.version += 1;
            seen.settings = settings;
        }
        if is_changed {
            let version = seen.version;
            // A damaged or half-written level keeps its files: the page reports what is wrong with it.
            if let Ok(files) = find(&self.level, &seen.files, version) {
                seen.files = files;
            }
            for file in &mut seen.files {
                let now = stamp(&file.path);
                if now != file.stamp {
                    (file.stamp, file.version) = (now, version);
                }
            }
        }
        seen.version
    }

    pub(super) fn session(&self) -> Result<Session, Failure> {
        let version = self.version();
        let toml = match &self.settings {
            Some(path) => String::from_utf8(content(path)?.unwrap_or_default())
                .map_err(|_| Failure::of(path, "is not UTF-8").help("save it as UTF-8"))?,
            None => String::new(),
        };
        let settings = self.settings.as_ref().and_then(|path| path.file_name());
        let seen = self.seen();
        Ok(Session {
            files: seen.files.iter().map(|file| file.name.clone()).collect(),
            versions: seen.files.iter().map(|file| file.version).collect(),
            settings: settings.map(|name| name.to_string_lossy().into_owned()),
            digest: file_hash(toml.as_bytes()),
            toml,
            version,
        })
    }

    /// A file by its number, and its length; `None` if there is no such number.
    pub(super) fn open(&self, number: usize) -> Option<Result<(File, u64), Failure>> {
        let path = self.seen().files.get(number)?.path.clone();
        let opened = files::open(&path).map(|(file, length)| (file, length as u64));
        Some(opened.map_err(|error| files::unreadable(&path, &error)))
    }

    /// All files that are read to show the level.
    fn protected(&self) -> FileList {
        let seen = self.seen();
        FileList::reading(seen.files.iter().map(|file| file.path.as_path()))
    }

    /// Writes the settings; with a digest, only if the settings file still has it. Settings from other
    /// programs are kept as a backup.
    pub(super) fn write(&self, toml: &str, over: Option<&str>) -> Result<(), Refusal> {
        let Some(path) = &self.settings else {
            return Err(Failure::call("a finished mesh has no settings").into());
        };
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let before = content(path)?;
        let digest = file_hash(before.as_deref().unwrap_or_default());
        if over.is_some_and(|over| over != digest) {
            return Err(Refusal::Changed);
        }
        let mut list = self.protected();
        let target = list.replacement(path, path)?;
        let is_own = written.as_ref() == Some(&digest);
        if let Some(before) = before.filter(|before| !is_own && before != toml.as_bytes()) {
            let backup = backup_of(path);
            if fs::symlink_metadata(&backup).is_ok_and(|data| !data.is_file()) {
                let failure =
                    Failure::of(&backup, "is not a file, so it cannot hold the backup of the settings");
                return Err(failure.help("move it away").into());
            }
            list.replacement(&backup, &backup)?.write(&before)?;
        }
        target.write(toml.as_bytes())?;
        *written = Some(file_hash(toml.as_bytes()));
        Ok(())
    }

    /// Bakes the level on all cores: the file of the first agent, or the reason for the failure.
    pub(super) fn bake(&self, toml: &str, observer: &dyn Observer) -> Result<Vec<u8>, String> {
        let files: Vec<(String, PathBuf)> =
            self.seen().files.iter().map(|file| (file.name.clone(), file.path.clone())).collect();
        let read = |(name, path): (String, PathBuf)| {
            files::read(&path).map(|bytes| (name, bytes)).map_err(|failure| failure.to_string())
        };
        let files: Vec<(String, Vec<u8>)> = files.into_iter().map(read).collect::<Result<_, String>>()?;
        let files: Vec<LevelFile<'_>> = files.iter().map(|(name, bytes)| LevelFile { name, bytes }).collect();
        let bake = LevelBake::new(&files, Some(toml)).map_err(|error| error.to_string())?;
        let baked = bake.run(observer).map_err(|error| error.to_string())?;
        baked.into_iter().next().map(|file| file.bytes).ok_or_else(|| "there is no agent".to_owned())
    }
}

fn is_mesh(level: &Path) -> bool {
    level.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("navtile"))
}

fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// The backup of settings that the studio overwrites.
fn backup_of(settings: &Path) -> PathBuf {
    let mut name = settings.as_os_str().to_owned();
    name.push(".bak");
    PathBuf::from(name)
}

/// The content of a file; `None` if it does not exist.
fn content(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    if path.exists() { files::read(path).map(Some) } else { Ok(None) }
}

/// The files that belong to a level. Known files keep their version.
fn find(level: &Path, before: &[SeenFile], version: u64) -> Result<Vec<SeenFile>, Failure> {
    let paths = if is_mesh(level) {
        files::open(level).map_err(|error| files::unreadable(level, &error))?;
        vec![level.to_owned()]
    } else {
        source::files_of_level(level)?
    };
    let folder = level.parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for path in paths {
        let inside = path.strip_prefix(folder).unwrap_or(&path);
        let parts: Vec<String> =
            inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        let known = before.iter().find(|file| file.path == path);
        let (stamp, version) = known.map_or((stamp(&path), version), |file| (file.stamp, file.version));
        found.push(SeenFile { name: parts.join("/"), path, stamp, version });
    }
    Ok(found)
}
