//! The `navtile` program: the only crate of the workspace that reads arguments, prints, and opens files.
//!
//! Exit status: 0 yes or done, 1 the answer is no, 2 the command line or the settings are wrong, 3 the
//! command could not be completed. Results go to standard output, progress and warnings to standard error.

#![forbid(unsafe_code)]

mod args;
mod ask;
mod bake;
mod bake_report;
mod base64;
mod bench;
mod chunks;
mod compact;
mod crowd;
mod diff;
mod dump;
mod explain;
mod export;
mod failure;
mod far;
mod files;
mod import;
mod info;
mod init;
mod inspect;
mod interrupt;
mod join;
mod level_format;
#[cfg(feature = "manual")]
mod manual;
mod map_bake;
mod memory;
mod memory_bound;
mod mesh;
mod obstacles;
mod path;
mod progress;
mod render;
mod report;
mod settings;
mod source;
mod studio;
mod threads;
mod tile_size;
mod update;
mod values;
mod verify;
mod view;
mod written;

use args::{Cli, Command};
use failure::{Answer, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::read();
    match run(&cli.command) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(failure) => {
            let status = failure.status();
            report::failure(failure);
            ExitCode::from(status)
        }
    }
}

fn run(command: &Command) -> Result<Answer, Failure> {
    // These commands start their own threads, or use none.
    let own_threads = matches!(
        command,
        Command::Init(_)
            | Command::Bake(_)
            | Command::Join(_)
            | Command::Bench(_)
            | Command::Crowd(_)
            | Command::Update(_)
    );
    if !own_threads {
        threads::start()?;
    }
    match command {
        Command::Init(args) => init::run(args),
        Command::Bake(args) if args.source.is_map()? => map_bake::run(args),
        Command::Bake(args) => bake::run(args),
        Command::Join(args) => join::run(args),
        Command::Chunks(args) => chunks::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Crowd(args) => crowd::run(args),
        Command::Update(args) => update::run(args),
        Command::Compact(args) => compact::run(args),
        Command::Info(args) => info::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Dump(args) => dump::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Export(args) => export::run(args),
        Command::Import(args) => import::run(args),
        Command::Path(args) => path::run(args),
        Command::Nearest(args) => ask::nearest::run(args),
        Command::Raycast(args) => ask::raycast::run(args),
        Command::Reachable(args) => ask::reachable::run(args),
        Command::Render(args) => render::run(args),
        Command::Studio(args) => studio::run(args),
        Command::View(args) => view::run(args),
        #[cfg(feature = "manual")]
        Command::Manual(args) => manual::run(args, <Cli as clap::CommandFactory>::command()),
    }
}
