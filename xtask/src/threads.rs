//! `cargo xtask threads`: bakes levels with several numbers of threads and compares the bytes. It takes the
//! levels of the assets and of the folder of public levels, if it exists. Each is baked in one piece and in
//! tiles, with all partitions, and in tiles with generated links.

use crate::outputs::{root, run_cargo};
use crate::{Error, Outcome};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The others are compared with the first.
const THREADS: [&str; 5] = ["1", "2", "3", "5", "8"];
const PARTITIONS: [&str; 3] = ["watershed", "monotone", "layers"];
const LINKS: &str = "[[links]]\nkind = \"drop\"\nheight = [0.5, 6.0]\n\n[[links]]\nkind = \"jump\"\ndistance = [0.0, 3.0]\nheight = [1.0, 1.0]\n";

/// The lane of `ci`: all known levels. Every second bake with several threads is left out, and not the same
/// ones for all levels.
pub(crate) fn lane() -> Outcome {
    compare(&known_levels()?, 2)
}

/// Bakes the named levels, or all known ones, with each number of threads.
pub(crate) fn run(named: &[PathBuf]) -> Outcome {
    compare(&if named.is_empty() { known_levels()? } else { named.to_vec() }, 1)
}

/// Bakes levels with every number of threads, or with every second one.
fn compare(levels: &[PathBuf], step: usize) -> Outcome {
    if !run_cargo(["build", "--release", "--quiet", "--package", "navtile-cli"])? {
        return Ok(false);
    }
    let folder = std::env::temp_dir().join(format!("navtile-threads-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let compared = compare_all(levels, step, &folder);
    std::fs::remove_dir_all(&folder)?;
    let Tally { bakes, differences, refused } = compared?;
    println!("{} levels, {bakes} bakes, {differences} differ, {refused} levels refused", levels.len());
    Ok(differences == 0 && refused == 0)
}

/// The levels of the assets, and the public ones.
fn known_levels() -> Result<Vec<PathBuf>, Error> {
    let beside = || root().join("../shared/meshes");
    let public = std::env::var_os("NAVTILE_MESHES").map_or_else(beside, PathBuf::from);
    let mut levels = Vec::new();
    for folder in [root().join("assets"), public.join("real"), public.clone()] {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("skipped: there is no folder {}", folder.display());
            continue;
        };
        let is_level =
            |path: &PathBuf| ["obj", "glb", "gltf"].map(OsStr::new).map(Some).contains(&path.extension());
        let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
        levels.extend(paths.into_iter().filter(is_level));
    }
    levels.sort();
    Ok(levels)
}

#[derive(Default)]
struct Tally {
    bakes: usize,
    differences: usize,
    refused: usize,
}

fn compare_all(levels: &[PathBuf], step: usize, folder: &Path) -> Result<Tally, Error> {
    let links = folder.join("links.toml");
    std::fs::write(&links, LINKS)?;
    let links = links.to_string_lossy();
    let mut ways: Vec<Vec<&str>> = Vec::new();
    for partition in PARTITIONS {
        ways.extend(["off", "auto"].map(|size| vec!["--partition", partition, "--tile-size", size]));
    }
    ways.push(vec!["--tile-size", "auto", "-c", &links]);
    let mut tally = Tally::default();
    for (number, level) in levels.iter().enumerate() {
        for (index, way) in ways.iter().enumerate() {
            let Some(first) = bake(level, way, THREADS[0], folder)? else {
                println!("{} is refused with {}", level.display(), way.join(" "));
                tally.refused += 1;
                break;
            };
            tally.bakes += 1;
            for threads in THREADS[1..].iter().skip((number + index) % step).step_by(step) {
                tally.bakes += 1;
                if bake(level, way, threads, folder)?.as_ref() != Some(&first) {
                    println!("{} differs with {} --threads {threads}", level.display(), way.join(" "));
                    tally.differences += 1;
                }
            }
        }
    }
    Ok(tally)
}

/// The bytes of a bake; `None` if it fails.
fn bake(level: &Path, way: &[&str], threads: &str, folder: &Path) -> Result<Option<Vec<u8>>, Error> {
    let result = folder.join("level.navtile");
    let output = Command::new(crate::outputs::target().join("release/navtile"))
        .arg("bake")
        .arg(level)
        .args(way)
        .args(["--threads", threads, "--quiet", "-o"])
        .arg(&result)
        .output()?;
    Ok(if output.status.success() { Some(std::fs::read(&result)?) } else { None })
}
