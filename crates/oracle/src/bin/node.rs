//! `node`: queries the npm package `recast-navigation` over tile sets that we export, and our runtime over
//! the same sets.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use oracle::runtime::node::{Answered, ask};
use oracle::runtime::report::tiles;
use oracle::runtime::rows;
use oracle::subject::{self, Subject};
use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode};

const HELP: &str = "\
node

Exports nav_test.obj as a tile set, as one tile and in tiles of 48 cells, loads it with the npm package recast-navigation
under node, and asks both what RecastDemo's test files ask: the 21 paths and 4 rays beside the level in the folder of
meshes ($NAVTILE_MESHES, else shared/meshes next to the repository). Needs node, and npm for the first run.

Exit status: 0 all answers equal, 1 some differ, 2 the call was wrong, 3 it could not be done.
";

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        None => {}
        Some("--help" | "-h") => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Some(other) => {
            eprintln!("node: `{other}` is not known here\n\n{HELP}");
            return ExitCode::from(2);
        }
    }
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("node: {error}");
            ExitCode::from(3)
        }
    }
}

fn run() -> Result<bool, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("node");
    install(&folder)?;
    let levels = subject::well_known_levels(None)?;
    let Some(level) = levels.iter().find(|path| path.ends_with("nav_test.obj")) else {
        return Err("there is no nav_test.obj: NAVTILE_MESHES names the folder of meshes".into());
    };
    let subject = Subject::from_file(level)?;
    let mut questions = Vec::new();
    for text in subject::questions(&subject, None)? {
        questions.extend(rows::questions(&text)?);
    }
    if questions.is_empty() {
        return Err("there are no files of questions beside nav_test.obj".into());
    }
    let mut equal = true;
    for (name, cells) in [("one tile", None), ("tiles of 48 cells", Some(48))] {
        let answers = ask(&tiles(&subject, cells)?, &questions, &folder)?;
        let agree = answers.iter().filter(|answer| answer.agrees()).count();
        println!("{name}: {agree} of {} answers equal\n", answers.len());
        println!("| line | question | polygons | same | our metres | under node |");
        println!("|---|---|---|---|---|---|");
        answers.iter().for_each(|answer| println!("{}", row(answer)));
        equal &= agree == answers.len();
    }
    Ok(equal)
}

fn row(answer: &Answered) -> String {
    let kind = if answer.question.is_ray { "rc" } else { "pf" };
    let same = if answer.agrees() { "yes" } else { "no" };
    let Answered { question, polygons, ours, theirs, .. } = answer;
    format!("| {} | {kind} | {polygons} | {same} | {ours:.4} | {theirs:.4} |", question.line)
}

/// Installs the package's version in the lock file, unless it is already installed.
fn install(folder: &Path) -> Result<(), Box<dyn Error>> {
    if folder.join("node_modules/recast-navigation/package.json").is_file() {
        return Ok(());
    }
    let status = Command::new("npm").args(["ci", "--silent"]).current_dir(folder).status();
    match status.map_err(|error| format!("starting npm: {error}"))? {
        status if status.success() => Ok(()),
        status => Err(format!("npm ci in {}: {status}", folder.display()).into()),
    }
}
