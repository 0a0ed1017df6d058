//! Compares names of files: two names may refer to the same file, now or once it is made.

use super::is_standard;
use super::read_log::FileId;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Returns true if two names refer to the same file, or will once it is made: through links, or because some
/// systems ignore case.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    if is_standard(one) || is_standard(other) {
        return is_standard(one) && is_standard(other);
    }
    let [one, other] = [one, other].map(without_missing_folders);
    match (FileId::of(&one), FileId::of(&other)) {
        (Some(a), Some(b)) => a == b,
        // One of them will be made: its folder and the names below it decide.
        _ => place(&one).is_some_and(|place_of_one| Some(place_of_one) == place(&other)),
    }
}

/// The nearest folder that exists, links resolved, and the names below it, in lower case.
fn place(path: &Path) -> Option<(PathBuf, Vec<String>)> {
    let mut below = vec![path.file_name()?.to_string_lossy().to_lowercase()];
    let mut folder = folder_of(path);
    loop {
        if let Ok(found) = fs::canonicalize(folder) {
            return Some((found, below));
        }
        below.push(folder.file_name()?.to_string_lossy().to_lowercase());
        folder = folder_of(folder);
    }
}

/// The name without `missing/..`: a missing folder will be made as a folder, not as a link, so `..` leads
/// back.
pub(super) fn without_missing_folders(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        let leads_back = part == Component::ParentDir
            && matches!(plain.components().next_back(), Some(Component::Normal(_)))
            && fs::symlink_metadata(&plain).is_err();
        if leads_back {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_file_are_the_same_before_it_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("level"), b"level").unwrap();
        for (one, other) in [
            ("level", "./level"),
            ("level", "new/../level"),
            ("a.navtile", "A.navtile"),
            ("new/a.navtile", "./new/A.navtile"),
            ("new/a.navtile", "new/deep/../a.navtile"),
            ("new/deeper/a", "new/./other/../deeper/a"),
        ] {
            assert!(is_same(&path(one), &path(other)), "{one} {other}");
        }
        for (one, other) in [("level", "other"), ("a/level", "level"), ("new/a", "newer/a")] {
            assert!(!is_same(&path(one), &path(other)), "{one} {other}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("level", path("soft")).unwrap();
            assert!(is_same(&path("new/../soft"), &path("level")));
            std::os::unix::fs::symlink("nowhere", path("link")).unwrap();
            assert_eq!(without_missing_folders(&path("link/../level")), path("link/../level"));
        }
    }
}
