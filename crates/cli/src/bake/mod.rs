//! `navtile bake`: a level and settings in, a `.navtile` file out, and a report of what was done.

mod meta;
mod progress;
mod report;

use crate::args::BakeArgs;
use crate::failure::{Answer, Failure};
use crate::files::{self, Target};
use crate::{report as console, settings};
use navinput::{InputError, ObjLevel};
use navmath::LimitError;
use recast::error::LevelError;
use recast::{Error, PreparedLevel, Scratch, Settings};
use report::Report;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn run(args: &BakeArgs) -> Result<Answer, Failure> {
    let started = Instant::now();
    let given = settings::gather(args.config.as_deref(), &args.settings)?;
    let inputs: Vec<&Path> =
        [Some(args.level.as_path()), args.config.as_deref()].into_iter().flatten().collect();
    // The level is looked for first: a wrong name there is the likelier slip than a bad folder.
    let bytes = files::read(&args.level)?;
    let target = Target::new(&output_path(args)?, &inputs)?;
    let level = navinput::read_obj(&bytes).map_err(|error| bad_level(&args.level, &error))?;
    drop(bytes);
    let prepared = prepare(&args.level, &level, &given.settings)?;
    let mut warnings = ignored_statements(&level);
    drop(level);

    let progress = progress::Progress::new();
    let result = recast::bake_solo(&prepared, &progress, &mut Scratch::new());
    progress.finish();
    let baked = result.map_err(|error| failed(&args.level, &error))?;
    warnings.extend(baked.diagnostics.iter().map(report::warning));

    let file = navtile::write_file(&meta::of(&prepared), std::slice::from_ref(&baked.tile))
        .map_err(|error| Failure::circumstances(format!("{}: {error}", target.path().display())))?;
    target.write(&file)?;

    let report = Report {
        level: &args.level,
        file: target.path(),
        bytes: file.len() as u64,
        prepared: &prepared,
        baked: &baked,
        warnings: &warnings,
        elapsed: started.elapsed(),
    };
    if args.json {
        console::print_json(&report.json())?;
    } else {
        console::print(&report.text())?;
        warnings.iter().for_each(|warning| console::warn(warning));
    }
    Ok(Answer::Yes)
}

/// Where the result goes: as asked, or the level's name with `.navtile` in the current folder.
fn output_path(args: &BakeArgs) -> Result<PathBuf, Failure> {
    if let Some(path) = &args.output {
        return Ok(path.clone());
    }
    let stem = args.level.file_stem().ok_or_else(|| {
        Failure::call(format!("{}: has no file name to name the result after", args.level.display()))
            .help("name the result with -o")
    })?;
    Ok(Path::new(stem).with_added_extension("navtile"))
}

fn bad_level(path: &Path, error: &InputError) -> Failure {
    let (place, problem) = match error {
        InputError::Obj { place, problem } => (format!("{place}: "), problem),
        InputError::ObjWhole { problem } => (String::new(), problem),
        other => return Failure::circumstances(format!("{}: {other}", path.display())),
    };
    Failure::circumstances(format!("{}: {place}{problem}", path.display())).help(problem.remedy())
}

fn prepare(path: &Path, level: &ObjLevel, settings: &Settings) -> Result<PreparedLevel, Failure> {
    PreparedLevel::new(&level.level, settings).map_err(|error| {
        let failure = failed(path, &error);
        match error {
            Error::Level(LevelError::OutsideBounds { .. }) => {
                failure.help(format!("give bounds that meet the level: {}", extent(level)))
            }
            Error::Limit(_) => {
                failure.help(format!("check the units of the level: it spans {}", extent(level)))
            }
            _ => failure,
        }
    })
}

/// The part of the world that a level fills.
fn extent(level: &ObjLevel) -> String {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for vertex in &level.level.vertices {
        for (axis, &value) in vertex.iter().enumerate() {
            bounds[0][axis] = bounds[0][axis].min(value);
            bounds[1][axis] = bounds[1][axis].max(value);
        }
    }
    format!("{:?} to {:?}", bounds[0], bounds[1])
}

/// A bake that gave up. What other settings would mend is the call's fault.
fn failed(path: &Path, error: &Error) -> Failure {
    let message = format!("{}: {error}", path.display());
    match error {
        Error::Settings(_) | Error::TooLarge { .. } | Error::Level(LevelError::OutsideBounds { .. }) => {
            Failure::call(message)
        }
        Error::Limit(LimitError { .. }) => Failure::call(message),
        Error::Level(_) => {
            Failure::circumstances(message).help("export the level again, with triangles that have an area")
        }
        _ => Failure::circumstances(message),
    }
}

/// What the level's file holds and the bake does not use.
fn ignored_statements(level: &ObjLevel) -> Vec<String> {
    let ignored = &level.ignored;
    let mut warnings = Vec::new();
    if ignored.lines_and_points > 0 {
        warnings.push(format!("{} lines and points of the level were ignored", ignored.lines_and_points));
    }
    if let Some((place, keyword)) = &ignored.first_unknown {
        warnings.push(format!(
            "{} statements of the level are not known and were ignored; the first is `{keyword}` at {place}",
            ignored.unknown
        ));
    }
    warnings
}
