//! `quality`: compares the quality of meshes of levels with the C++ library's.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use clap::Parser;
use oracle::quality::{QualityOptions, measure, report};
use oracle::subject::{self, Subject};
use recast::{PreparedLevel, Settings};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Bakes each level with the C++ library and with ours, whole and in tiles, and compares the meshes by eight
/// measures
#[derive(Debug, Parser)]
#[command(name = "quality", after_help = format!("{}{STATUS}", report::LEGEND))]
struct Call {
    /// OBJ files or names of scenes, which have settings of their own [default: nav_test.obj and dungeon.obj
    /// if present, and all scenes]
    #[arg(value_name = "LEVEL")]
    levels: Vec<String>,
    /// Metres, for OBJ files
    #[arg(long, value_name = "S", default_value_t = Settings::default().cell_size)]
    cell_size: f64,
    /// Metres, for OBJ files
    #[arg(long, value_name = "H", default_value_t = Settings::default().cell_height)]
    cell_height: f64,
    /// Cells along a tile
    #[arg(long, value_name = "N", default_value_t = QualityOptions::default().tile_cells,
          value_parser = clap::value_parser!(u32).range(1..))]
    tile_cells: u32,
    /// Paths to measure
    #[arg(long, value_name = "N", default_value_t = QualityOptions::default().pairs)]
    pairs: usize,
    /// Seed of the paths
    #[arg(long, value_name = "N", default_value_t = QualityOptions::default().seed)]
    seed: u64,
    /// Samples of each mesh, and of the ground, that are tested with a capsule
    #[arg(long, value_name = "N", default_value_t = QualityOptions::default().capsules)]
    capsules: usize,
    /// Name the worst places below the table
    #[arg(long)]
    places: bool,
    /// One JSON object per level, with its places
    #[arg(long)]
    json: bool,
    /// The folder of meshes [default: $NAVTILE_MESHES, else shared/meshes next to the repository]
    #[arg(long, value_name = "DIR")]
    meshes: Option<PathBuf>,
}

const STATUS: &str = "\nExit status: 0 measured, 2 the call was wrong, 3 it could not be done.";

fn main() -> ExitCode {
    let call = Call::parse();
    match run(&call) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quality: {error}");
            ExitCode::from(3)
        }
    }
}

fn run(call: &Call) -> Result<(), Box<dyn Error>> {
    let levels =
        if call.levels.is_empty() { default_levels(call.meshes.as_deref())? } else { call.levels.clone() };
    let options = QualityOptions {
        tile_cells: call.tile_cells,
        pairs: call.pairs,
        seed: call.seed,
        capsules: call.capsules,
    };
    for named in &levels {
        let Subject { name, level, settings } = read(named, call)?;
        let prepared = PreparedLevel::new(&level, &settings).map_err(|error| format!("{named}: {error}"))?;
        let quality =
            measure(&name, &level, &prepared, &options).map_err(|error| format!("{named}: {error}"))?;
        if call.json {
            println!("{}", quality.json());
        } else {
            println!("{}", quality.table(call.places));
        }
    }
    Ok(())
}

/// A scene, or the level of a file.
fn read(named: &str, call: &Call) -> Result<Subject, Box<dyn Error>> {
    if let Some(scene) = Subject::from_scene(named) {
        return Ok(scene);
    }
    let path = Path::new(named);
    if path.extension().is_none() {
        let scenes = subject::scene_names().join(", ");
        return Err(format!("{named} is no scene and no OBJ file; the scenes are {scenes}").into());
    }
    let mut subject = Subject::from_file(path)?;
    (subject.settings.cell_size, subject.settings.cell_height) = (call.cell_size, call.cell_height);
    Ok(subject)
}

/// The levels that are measured by default.
fn default_levels(meshes: Option<&Path>) -> Result<Vec<String>, String> {
    let files = subject::well_known_levels(meshes)?;
    let mut levels: Vec<String> = files.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    levels.extend(subject::scene_names().into_iter().map(str::to_owned));
    Ok(levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Call, clap::Error> {
        Call::try_parse_from(std::iter::once("quality").chain(text.split_whitespace()))
    }

    #[test]
    fn calls_are_understood() {
        let call = parsed("--tile-cells 32 --pairs 10 --seed 4 --json a.obj courtyard").unwrap();
        assert_eq!((call.tile_cells, call.pairs, call.seed), (32, 10, 4));
        assert_eq!((call.json, call.places, call.levels.len()), (true, false, 2));
    }

    #[test]
    fn wrong_calls_are_refused() {
        let refused = |text: &str| parsed(text).unwrap_err().to_string();
        assert!(refused("--pairs").contains("a value is required"));
        assert!(refused("--seed many").contains("invalid value 'many'"));
        assert!(refused("--tile-cells 0").contains("0 is not in 1.."));
        assert!(refused("--bogus").contains("--bogus"));
    }

    #[test]
    fn levels_are_scenes_or_files() {
        let call = parsed("").unwrap();
        assert_eq!(read("plane", &call).unwrap().name, "plane");
        assert!(read("plain", &call).unwrap_err().to_string().contains("the scenes are courtyard"));
        assert!(read("no-such-level.obj", &call).is_err());
        assert!(default_levels(None).unwrap().iter().any(|level| level == "terrain"));
    }
}
