//! The format of a level that is named on the command line.

use crate::failure::Failure;
use crate::files::{self, is_standard};
use navinput::format::{LEVEL_ENDINGS, LevelFormat};
use std::path::Path;

/// The format of a file, or of standard input for `-`.
pub(crate) fn format_of(path: &Path) -> Result<LevelFormat, Failure> {
    if is_standard(path) {
        let start = files::start_of_standard_input().map_err(|error| files::unreadable(path, &error))?;
        return Ok(LevelFormat::of_start(&start));
    }
    LevelFormat::of_name(path).ok_or_else(|| {
        let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
        let why = ending.map_or_else(
            || "its name has no extension".to_owned(),
            |ending| format!("levels with the extension {ending} are not supported"),
        );
        Failure::call(format!("{}: {why}", path.display()))
            .help(format!("{LEVEL_ENDINGS}; lists of chunks are .toml"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_endings_are_refused_by_name() {
        let failure = format_of(Path::new("a.fbx")).unwrap_err();
        assert!(failure.plain().contains(".fbx are not supported") && failure.plain().contains(".gltf"));
    }
}
