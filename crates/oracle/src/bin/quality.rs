//! `quality`: how good the meshes of levels are, ours beside the C++ library's.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use oracle::quality::{Options, measure, report};
use oracle::subject::{self, Subject};
use recast::{PreparedLevel, Settings};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
quality [options] [LEVEL ...]

Bakes each level with the C++ library and with ours, whole and in tiles, and prints five measures of the meshes side
by side. A LEVEL is an OBJ file or the name of a scene; if none is named, nav_test.obj and dungeon.obj of the folder
of meshes, as far as they are there, and all scenes. Scenes have settings of their own.

  --cell-size S    metres, for OBJ files (default 0.3)
  --cell-height H  metres, for OBJ files (default 0.2)
  --tile-cells N   cells along a tile (default 48)
  --pairs N        paths to measure (default 1000)
  --seed N         what picks them (default 1)
  --places         name the worst places below the table
  --json           one JSON object a level, with its places
  --meshes DIR     the folder of meshes (default: $NAVTILE_MESHES, else shared/meshes beside the repository)

";

const STATUS: &str = "\nExit status: 0 measured, 2 the call was wrong, 3 it could not be done.\n";

/// What the command line asks for.
#[derive(Debug)]
struct Call {
    cell_size: f64,
    cell_height: f64,
    options: Options,
    places: bool,
    json: bool,
    meshes: Option<PathBuf>,
    levels: Vec<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        print!("{HELP}{}{STATUS}", report::LEGEND);
        return ExitCode::SUCCESS;
    }
    let call = match parse(arguments) {
        Ok(call) => call,
        Err(message) => {
            eprintln!("quality: {message}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match run(&call) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quality: {error}");
            ExitCode::from(3)
        }
    }
}

fn parse(arguments: Vec<String>) -> Result<Call, String> {
    let defaults = Settings::default();
    let mut call = Call {
        cell_size: defaults.cell_size,
        cell_height: defaults.cell_height,
        options: Options::default(),
        places: false,
        json: false,
        meshes: None,
        levels: Vec::new(),
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--cell-size" => call.cell_size = number(&argument, &value()?)?,
            "--cell-height" => call.cell_height = number(&argument, &value()?)?,
            "--tile-cells" => call.options.tile_cells = number(&argument, &value()?)?,
            "--pairs" => call.options.pairs = number(&argument, &value()?)?,
            "--seed" => call.options.seed = number(&argument, &value()?)?,
            "--places" => call.places = true,
            "--json" => call.json = true,
            "--meshes" => call.meshes = Some(value()?.into()),
            option if option.starts_with('-') => return Err(format!("{option} is not an option")),
            _ => call.levels.push(argument),
        }
    }
    if call.options.tile_cells == 0 {
        return Err("--tile-cells is 0, expected at least 1".to_owned());
    }
    Ok(call)
}

fn number<T: std::str::FromStr>(option: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{option} is {text}, expected a number"))
}

fn run(call: &Call) -> Result<(), Box<dyn Error>> {
    let levels =
        if call.levels.is_empty() { default_levels(call.meshes.as_deref())? } else { call.levels.clone() };
    for named in &levels {
        let Subject { name, level, settings } = read(named, call)?;
        let prepared = PreparedLevel::new(&level, &settings).map_err(|error| format!("{named}: {error}"))?;
        let quality =
            measure(&name, &level, &prepared, &call.options).map_err(|error| format!("{named}: {error}"))?;
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

/// The levels that are measured if none is named.
fn default_levels(meshes: Option<&Path>) -> Result<Vec<String>, String> {
    let files = subject::well_known_levels(meshes)?;
    let mut levels: Vec<String> = files.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    levels.extend(subject::scene_names().into_iter().map(str::to_owned));
    Ok(levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Call, String> {
        parse(text.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn calls_are_understood() {
        let call = parsed("--tile-cells 32 --pairs 10 --seed 4 --json a.obj courtyard").unwrap();
        assert_eq!(call.options, Options { tile_cells: 32, pairs: 10, seed: 4 });
        assert_eq!((call.json, call.places, call.levels.len()), (true, false, 2));
    }

    #[test]
    fn wrong_calls_are_refused() {
        let refused = |text: &str| parsed(text).unwrap_err();
        assert!(refused("--pairs").contains("needs a value"));
        assert!(refused("--seed many").contains("expected a number"));
        assert!(refused("--tile-cells 0").contains("at least 1"));
        assert!(refused("--bogus").contains("not an option"));
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
