//! The levels that are measured: from files, and the project's own scenes.

use crate::level::{self, ReadError};
use recast::{Level, Settings};
use std::path::{Path, PathBuf};

/// A level under a name, with the settings that belong to it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Name, for the table.
    pub name: String,
    /// The level.
    pub level: Level,
    /// Its settings: a scene's own, else the defaults.
    pub settings: Settings,
}

impl Subject {
    /// A level from an OBJ file, with default settings.
    pub fn from_file(path: &Path) -> Result<Subject, ReadError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Subject { name, level: level::read_obj(path)?, settings: Settings::default() })
    }

    /// The scene of this name, if there is one.
    pub fn from_scene(name: &str) -> Option<Subject> {
        navscenes::by_name(name).map(|scene| Subject {
            name: scene.name.to_owned(),
            level: (scene.level)(),
            settings: (scene.settings)(),
        })
    }
}

/// Names of all scenes.
pub fn scene_names() -> Vec<&'static str> {
    navscenes::all().iter().map(|scene| scene.name).collect()
}

/// Well-known levels that we may not ship.
const WELL_KNOWN: [&str; 2] = ["nav_test.obj", "dungeon.obj"];

/// Files of questions that go with the first of the well-known levels, as RecastDemo has them.
const QUESTIONS: [&str; 2] = ["nav_mesh_test.txt", "raycast_test.txt"];

/// The folder of the well-known levels: the named one; otherwise the folder in the environment
/// (`NAVTILE_MESHES`), or the one next to the repository. A named folder must exist.
pub fn folder_of_levels(folder: Option<&Path>) -> Result<PathBuf, String> {
    let named =
        folder.map(Path::to_path_buf).or_else(|| std::env::var_os("NAVTILE_MESHES").map(PathBuf::from));
    match named {
        Some(folder) if folder.is_dir() => Ok(folder),
        Some(folder) => Err(format!("{} is not a folder of meshes", folder.display())),
        None => Ok(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes")),
    }
}

/// Well-known levels that are in the folder of meshes.
pub fn well_known_levels(folder: Option<&Path>) -> Result<Vec<PathBuf>, String> {
    let folder = folder_of_levels(folder)?;
    let levels = WELL_KNOWN.map(|name| folder.join(name));
    Ok(levels.into_iter().filter(|path| path.is_file()).collect())
}

/// The texts of the question files that belong to a subject and are in the folder of meshes.
pub fn questions(subject: &Subject, folder: Option<&Path>) -> Result<Vec<String>, String> {
    if subject.name != WELL_KNOWN[0] {
        return Ok(Vec::new());
    }
    let folder = folder_of_levels(folder)?;
    let files = QUESTIONS.map(|name| folder.join(name)).into_iter().filter(|path| path.is_file());
    let text = |path: PathBuf| {
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    files.map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_found_by_name() {
        assert!(scene_names().contains(&"courtyard"));
        let subject = Subject::from_scene("courtyard").unwrap();
        assert!(!subject.level.triangles.is_empty() && !subject.settings.volumes.is_empty());
        assert!(Subject::from_scene("nowhere").is_none());
    }

    #[test]
    fn a_named_folder_must_be_there() {
        let error = well_known_levels(Some(Path::new("no/such/folder"))).unwrap_err();
        assert!(error.contains("no/such/folder is not a folder"), "{error}");
    }
}
