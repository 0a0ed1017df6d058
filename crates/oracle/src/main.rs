//! `oracle`: bakes levels with the C++ library and with ours, stage by stage, and says what differs.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use oracle::reference::{Space, as_the_program};
use oracle::report::{Options, measure};
use oracle::{deviations, level};
use recast::build::TileBuild;
use recast::{AreaId, Level, Partition, PreparedLevel, Settings, Shape, Volume};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
oracle [options] [LEVEL.obj ...]

Bakes each level with the C++ library and with ours and compares every stage:
  fed C++ input    our stage given the C++ stage's own input, its output compared bit for bit
  from our spans   a whole bake of ours against the C++ library's, both from our spans
  ours, C++        what each made of the triangles

  --cell-size S    metres; may be given more than once (default 0.3)
  --cell-height H  metres (default 0.2)
  --partition P    watershed, monotone, layers or all (default all)
  --tile-cells N   cut the level into square tiles of N cells (default: one tile)
  --world          give the C++ library the level's own coordinates, as its demonstration program does
  --volumes        mark a box, a prism and a cylinder across the level and filter areas by the median
  --stages-only    leave whole bakes out
  --meshes DIR     bake nav_test.obj and dungeon.obj of this folder if no level is named
                   (default: $NAVTILE_MESHES, else shared/meshes beside the repository)
  --deviations     list what is meant to differ

Exit status: 0 all equal but for listed deviations, 1 something differs, 2 the call was wrong,
3 it could not be done.
";

/// What the command line asks for.
#[derive(Debug)]
struct Call {
    cell_sizes: Vec<f64>,
    cell_height: f64,
    tile_cells: Option<u32>,
    volumes: bool,
    options: Options,
    meshes: Option<PathBuf>,
    levels: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    if arguments.iter().any(|argument| argument == "--deviations") {
        print_deviations();
        return ExitCode::SUCCESS;
    }
    let call = match parse(arguments) {
        Ok(call) => call,
        Err(message) => {
            eprintln!("oracle: {message}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let outcome = run(&call);
    if let Err(error) = &outcome {
        eprintln!("oracle: {error}");
    }
    ExitCode::from(status(&outcome))
}

/// The exit status that tells of an outcome.
fn status(outcome: &Result<bool, Box<dyn Error>>) -> u8 {
    match outcome {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(_) => 3,
    }
}

fn parse(arguments: Vec<String>) -> Result<Call, String> {
    let defaults = Settings::default();
    let all = Partition::NAMES.map(|(_, partition)| partition).to_vec();
    let mut call = Call {
        cell_sizes: Vec::new(),
        cell_height: defaults.cell_height,
        tile_cells: None,
        volumes: false,
        options: Options { partitions: all.clone(), space: Space::Lattice, stages_only: false },
        meshes: None,
        levels: Vec::new(),
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--cell-size" => call.cell_sizes.push(number(&argument, &value()?)?),
            "--cell-height" => call.cell_height = number(&argument, &value()?)?,
            "--tile-cells" => call.tile_cells = Some(number(&argument, &value()?)?),
            "--partition" => {
                let name = value()?;
                let known = Partition::NAMES.iter().find(|(known, _)| *known == name);
                call.options.partitions = match known {
                    Some(&(_, partition)) => vec![partition],
                    None if name == "all" => all.clone(),
                    None => {
                        return Err(format!(
                            "--partition is {name}, expected watershed, monotone, layers or all"
                        ));
                    }
                };
            }
            "--world" => call.options.space = Space::World,
            "--volumes" => call.volumes = true,
            "--stages-only" => call.options.stages_only = true,
            "--meshes" => call.meshes = Some(value()?.into()),
            option if option.starts_with('-') => return Err(format!("{option} is not an option")),
            _ => call.levels.push(argument.into()),
        }
    }
    if call.cell_sizes.is_empty() {
        call.cell_sizes.push(defaults.cell_size);
    }
    if call.tile_cells.is_some() && call.options.space == Space::World {
        return Err("--world goes with one tile only: leave --tile-cells out".to_owned());
    }
    Ok(call)
}

fn number<T: std::str::FromStr>(option: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{option} is {text}, expected a number"))
}

/// Measures all levels; whether nothing unexpected came up.
fn run(call: &Call) -> Result<bool, Box<dyn Error>> {
    let levels =
        if call.levels.is_empty() { default_levels(call.meshes.as_deref())? } else { call.levels.clone() };
    if levels.is_empty() {
        println!("skipped: no level was named, and there is no folder of meshes (see --meshes)");
    }
    let mut expected = true;
    for path in &levels {
        let level = level::read_obj(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        for &cell_size in &call.cell_sizes {
            let settings = Settings {
                cell_size,
                cell_height: call.cell_height,
                volumes: if call.volumes { volumes_across(&level) } else { Vec::new() },
                median_filter: call.volumes,
                ..Settings::default()
            };
            let mut prepared = PreparedLevel::new(&level, &settings)?;
            if call.options.space == Space::World {
                prepared.config = as_the_program(&prepared.config);
            }
            let tiles = tiles(&prepared, call.tile_cells)?;
            let report = measure(&name, &level, &prepared, &tiles, &call.options)?;
            println!("{}", report.table());
            for line in report.unexpected() {
                expected = false;
                println!("  unexpected: {line}");
            }
        }
    }
    Ok(expected)
}

/// Volumes of each shape that both programs know, spread over a level so that they overlap in part.
fn volumes_across(level: &Level) -> Vec<Volume> {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for vertex in level.triangles.iter().flatten().map(|&v| level.vertices[v as usize]) {
        min = std::array::from_fn(|axis| min[axis].min(vertex[axis]));
        max = std::array::from_fn(|axis| max[axis].max(vertex[axis]));
    }
    // Parts of the level's size that fall on no line between cells.
    let at = |axis: usize, part: f64| min[axis] + part * (max[axis] - min[axis]);
    let corner = |x: f64, y: f64, z: f64| [at(0, x), at(1, y), at(2, z)];
    let outline = [(0.41, 0.12), (0.33, 0.61), (0.52, 0.79), (0.71, 0.37)];
    let radius = 0.231 * (max[0] - min[0]).min(max[2] - min[2]);
    vec![
        Volume {
            shape: Shape::Box { min: corner(0.113, 0.0, 0.217), max: corner(0.487, 0.63, 0.531) },
            area: AreaId(1),
        },
        Volume {
            shape: Shape::Prism {
                outline: outline.map(|(x, z)| [at(0, x), at(2, z)]).to_vec(),
                bottom: at(1, 0.0),
                top: at(1, 0.71),
            },
            area: AreaId(7),
        },
        Volume {
            shape: Shape::Cylinder {
                base: corner(0.713, 0.0, 0.619),
                radius,
                height: at(1, 0.9) - at(1, 0.0),
            },
            area: AreaId::NULL,
        },
    ]
}

fn tiles(prepared: &PreparedLevel, tile_cells: Option<u32>) -> Result<Vec<TileBuild>, Box<dyn Error>> {
    let Some(cells) = tile_cells else { return Ok(vec![TileBuild::solo(prepared)]) };
    if cells == 0 {
        return Err("--tile-cells is 0, expected at least 1".into());
    }
    let (along_x, along_z) = (prepared.size[0].div_ceil(cells), prepared.size[2].div_ceil(cells));
    let mut tiles = Vec::new();
    for z in 0..along_z {
        for x in 0..along_x {
            let coord = navtile::TileCoord { x: x as i32, z: z as i32, layer: 0 };
            tiles.push(TileBuild::tiled(prepared, cells, coord)?);
        }
    }
    Ok(tiles)
}

/// The levels that are measured if none is named: those there are of two well-known ones.
fn default_levels(meshes: Option<&Path>) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let named =
        meshes.map(Path::to_path_buf).or_else(|| std::env::var_os("NAVTILE_MESHES").map(PathBuf::from));
    let folder = match named {
        Some(folder) if folder.is_dir() => folder,
        Some(folder) => return Err(format!("{} is not a folder", folder.display()).into()),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes"),
    };
    let levels = ["nav_test.obj", "dungeon.obj"].map(|name| folder.join(name));
    Ok(levels.into_iter().filter(|path| path.is_file()).collect())
}

fn print_deviations() {
    println!("Deviations, fed with the C++ stage's own input:");
    for deviation in deviations::DEVIATIONS {
        println!(
            "  {}, up to {} x {}: {}",
            deviation.stage.name(),
            deviation.most,
            deviation.kind,
            deviation.reason
        );
    }
    if deviations::DEVIATIONS.is_empty() {
        println!("  none");
    }
    println!("Conventions, which the comparison allows for exactly:");
    for convention in deviations::CONVENTIONS {
        println!("  {}: {}", convention.stage.name(), convention.note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Call, String> {
        parse(text.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn calls_are_understood() {
        let call = parsed("--cell-size 0.1 --cell-size 0.3 --partition monotone a.obj b.obj").unwrap();
        assert_eq!(call.cell_sizes, [0.1, 0.3]);
        assert_eq!(call.options.partitions, [Partition::Monotone]);
        assert_eq!(call.levels.len(), 2);
        let call = parsed("").unwrap();
        assert_eq!((call.cell_sizes, call.options.partitions.len()), (vec![0.3], 3));
    }

    #[test]
    fn wrong_calls_are_refused() {
        let refused = |text: &str| parsed(text).unwrap_err();
        assert!(refused("--cell-size").contains("needs a value"));
        assert!(refused("--cell-size wide").contains("expected a number"));
        assert!(refused("--partition bogus").contains("expected watershed"));
        assert!(refused("--bogus").contains("not an option"));
        assert!(refused("--world --tile-cells 48").contains("one tile only"));
    }

    #[test]
    fn the_status_tells_of_the_outcome() {
        assert_eq!(status(&Ok(true)), 0);
        assert_eq!(status(&Ok(false)), 1);
        assert_eq!(status(&Err("no such file".into())), 3);
    }
}
