//! `oracle`: bakes levels with the C++ library and with ours, stage by stage, and reports the differences.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod call;

use call::Call;
use oracle::deviations;
use oracle::reference::{Space, as_the_program};
use oracle::report::{Report, measure};
use oracle::runtime;
use oracle::subject::{self, Subject};
use recast::TileBuild;
use recast::{AreaId, Level, PreparedLevel, Settings, Shape, Volume};
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    let call = call::parse(std::env::args_os()).unwrap_or_else(|error| error.exit());
    if call.deviations {
        print!("{}{}", deviations::list(), runtime::deviations::list());
        return ExitCode::SUCCESS;
    }
    let outcome = run(&call);
    if let Err(error) = &outcome {
        eprintln!("oracle: {error}");
    }
    ExitCode::from(status(&outcome))
}

/// The exit status of an outcome.
fn status(outcome: &Result<bool, Box<dyn Error>>) -> u8 {
    match outcome {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(_) => 3,
    }
}

/// The meaning of the tables' columns, and the version of the C++ library that ours is compared with.
const LEGEND: &str = "\
legend
  fed C++ input   our stage, given what the C++ stage was given; (n kind, id): n differences listed under that id
  from our spans  the same stage of a whole bake, both sides from our merged spans
  ours, C++       amounts of two whole bakes, each from the triangles
  compared with   the crate recastnavigation-rs 0.1.0, whose results are those of the library's main branch of 2026
  not with        the crate recastnavigation-sys 1.0.3, sources of September 2023, which from the main branch differ in
                  ledges (clearance must exceed the agent's height, not reach it; a missing neighbour counts as a drop
                  to below the world), layer regions (pieces of different areas join) and the detail mesh (which edges
                  count as boundary). Where versions differ we follow the main branch.";

/// Measures everything. Returns true if there was nothing unexpected.
fn run(call: &Call) -> Result<bool, Box<dyn Error>> {
    let (mut tables, mut unexpected) = (0, 0);
    let subjects = subjects(call)?;
    for subject in subjects.iter().filter(|_| call.stages()) {
        for &cell_size in call.cell_sizes() {
            for tile_cells in call.tilings() {
                if call.quick && tile_cells.is_some() && subject.name != "courtyard" {
                    continue;
                }
                let report = measure_one(call, subject, cell_size, tile_cells)?;
                let lines = report.unexpected();
                tables += 1;
                unexpected += lines.len();
                println!("{}", if call.brief { report.brief() } else { report.table() });
                lines.iter().for_each(|line| println!("  unexpected: {line}"));
            }
        }
    }
    if !call.brief && call.stages() {
        println!("{LEGEND}");
    }
    for subject in subjects.iter().filter(|_| call.runtime()) {
        for tile_cells in call.tilings() {
            unexpected += ask_runtimes(call, subject, tile_cells)?;
            tables += 1;
        }
    }
    println!("{tables} tables, {unexpected} unexpected differences");
    Ok(unexpected == 0)
}

/// Asks both runtimes over one level. Returns the number of unexpected differences.
fn ask_runtimes(call: &Call, subject: &Subject, tile_cells: Option<u32>) -> Result<usize, Box<dyn Error>> {
    let texts = subject::questions(subject, call.meshes.as_deref())?;
    let report = runtime::report::measure_subject(subject, tile_cells, &texts, &call.questions())?;
    println!("{}", if call.brief { report.brief() } else { report.table() });
    if call.examples {
        report.examples().iter().for_each(|line| println!("  {line}"));
    }
    let lines = report.unexpected();
    lines.iter().for_each(|line| println!("  unexpected: {line}"));
    Ok(lines.len())
}

/// The named levels and scenes. If none is named, the well-known levels that exist, and every scene.
fn subjects(call: &Call) -> Result<Vec<Subject>, Box<dyn Error>> {
    let mut levels = call.levels.clone();
    let mut scenes: Vec<&str> = call.scenes.iter().map(String::as_str).collect();
    if levels.is_empty() && scenes.is_empty() {
        levels = subject::well_known_levels(call.meshes.as_deref())?;
        scenes = subject::scene_names();
        if levels.is_empty() {
            println!("skipped: nav_test.obj and dungeon.obj, as there is no folder of meshes (see --meshes)");
        }
    }
    let mut subjects = Vec::new();
    for path in levels {
        subjects.push(Subject::from_file(&path)?);
    }
    subjects.extend(scenes.into_iter().filter_map(Subject::from_scene));
    Ok(subjects)
}

fn measure_one(
    call: &Call,
    subject: &Subject,
    cell_size: f64,
    tile_cells: Option<u32>,
) -> Result<Report, Box<dyn Error>> {
    let mut settings = Settings { cell_size, cell_height: call.cell_height, ..subject.settings.clone() };
    if call.volumes {
        settings.volumes = volumes_across(&subject.level);
        settings.median_filter = true;
    }
    let mut prepared = PreparedLevel::new(&subject.level, &settings)?;
    let options = call.options();
    if options.space == Space::World {
        prepared.config = as_the_program(&prepared.config);
    }
    let tiles = tiles(&prepared, tile_cells)?;
    Ok(measure(&subject.name, tile_cells, &subject.level, &prepared, &tiles, &options)?)
}

/// Volumes of each shape that both programs know, spread over a level so that they overlap in part.
fn volumes_across(level: &Level) -> Vec<Volume> {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for vertex in level.triangles.iter().flatten().map(|&v| level.vertices[v as usize]) {
        min = std::array::from_fn(|axis| min[axis].min(vertex[axis]));
        max = std::array::from_fn(|axis| max[axis].max(vertex[axis]));
    }
    // Fractions of the level's size that avoid lines between cells.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_is_that_of_the_outcome() {
        assert_eq!(status(&Ok(true)), 0);
        assert_eq!(status(&Ok(false)), 1);
        assert_eq!(status(&Err("no such file".into())), 3);
    }
}
