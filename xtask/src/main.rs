//! All automation: `cargo xtask COMMAND`. Each command is a module; `ci` runs them all.

#![forbid(unsafe_code)]
// A program for developers: printing is its job.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod assets;
mod bench;
mod bevy;
mod callgrind;
mod capi;
mod capi_package;
mod changing_figures;
mod ci;
mod csharp;
mod draco;
mod far;
mod farm;
mod figures;
mod fuzz;
mod golden;
mod growth;
mod instructions;
mod lines;
mod map_figures;
mod oracle;
mod outline_figures;
mod outputs;
mod package;
mod passed;
mod platforms;
mod release;
mod rooms;
mod scenarios;
mod site;
mod threads;
mod tidy;
mod walkthrough;
mod wasm_order;
mod web;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// An error that stops a command. Its message is for people.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// `Ok(true)`: all is well. `Ok(false)`: something is out of date or failed, and has been printed.
type Outcome = Result<bool, Error>;

#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask",
    after_help = "\
Exit status: 0 done, 1 something is out of date or failed, 2 the call was wrong, 3 it could not be done."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the levels under assets/ from the scenes they are made of
    Assets {
        /// Write nothing, and say what is out of date
        #[arg(long)]
        check: bool,
    },
    /// Compare speed with the C++ library and write docs/performance.md
    Bench {
        /// Measure less, and only print
        #[arg(long)]
        quick: bool,
    },
    /// Check the plugin for Bevy, a workspace of its own: format, clippy, tests, an example, documentation
    Bevy,
    /// Build the C interface into target/capi, and run its examples; they need cmake and a C++ compiler
    Capi(capi::CapiArgs),
    /// Run all lanes, or those named; the last lines repeat the test counts
    Ci {
        #[arg(value_name = "LANE", value_parser = PossibleValuesParser::new(ci::LANES.map(|lane| lane.name)))]
        lanes: Vec<String>,
    },
    /// Bake a world with its hierarchy, and measure far paths over it
    Far(far::FarArgs),
    /// Bake a world in shards with GNU parallel, Ray and Slurm if installed, and kill workers during the bake
    Farm(farm::FarmArgs),
    /// Draw the pictures under docs/figures/
    Figures {
        /// Write nothing, and say what is out of date
        #[arg(long)]
        check: bool,
    },
    /// Fuzz every reader; this needs cargo-fuzz and a C++ compiler
    Fuzz {
        /// Seconds over all targets
        #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
        seconds: u64,
    },
    /// Compare every stage of every scene with its hash under assets/golden/
    Golden {
        /// Record the hashes instead
        #[arg(long)]
        update: bool,
    },
    /// Check that work grows in proportion to input, for the worst known inputs; this needs valgrind
    Growth(growth::GrowthArgs),
    /// Compare instructions by scene and stage with benches/instructions.toml; this needs valgrind
    Instructions(instructions::InstructionsArgs),
    /// Count lines of code, documentation, comments and tests per crate
    #[command(after_help = lines::RULE)]
    Lines(lines::LinesArgs),
    /// Decode Draco streams of the reference encoder and compare with the reference decoder; this needs node
    /// and npm
    Draco {
        /// Write the few streams that the tests of navinput keep
        #[arg(long)]
        update: bool,
    },
    /// Load our sets with the npm package recast-navigation and query both; this needs node, npm and a C++
    /// compiler
    Node,
    /// Compare our tile cache with Detour's and, without arguments, write the table of
    /// docs/changing-worlds.md; this needs a C++ compiler
    #[command(disable_help_flag = true)]
    Changes(oracle::ProgramArgs),
    /// Compare our crowds with DetourCrowd and, without arguments, write the tables of
    /// docs/crowds-reference.md; this needs a C++ compiler
    #[command(disable_help_flag = true)]
    Crowds(oracle::ProgramArgs),
    /// Compare with the C++ library, stage by stage; this needs a C++ compiler
    #[command(disable_help_flag = true)]
    Oracle(oracle::ProgramArgs),
    /// Compare digests of bakes, answers and crowds in debug, in release and on other platforms; this needs
    /// qemu, wine and node
    Platforms,
    /// Compare the quality of meshes with the C++ library's; this needs a C++ compiler
    #[command(disable_help_flag = true)]
    Quality(oracle::ProgramArgs),
    /// Build the archive of a release for this platform or another, into target/release-archive; this needs
    /// tar
    Release(release::ReleaseArgs),
    /// Compare the borders of meshes with the true ones: rooms at all angles, and places on the lattice
    Rooms(rooms::RoomsArgs),
    /// Run and draw all scenarios of crowds and write the table of docs/crowds-reference.md, or only run and
    /// draw the named ones
    Scenarios {
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// Write nothing, and say what is out of date
        #[arg(long)]
        check: bool,
    },
    /// List how soon fuzzing meets a tile that breaks exactly one rule, for each rule
    Rules {
        /// Seconds after which rules that were not met are an error
        #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
        seconds: u64,
    },
    /// Bake levels with several numbers of threads and compare the bytes
    Threads {
        /// Levels [default: those of assets/, and the public ones]
        #[arg(value_name = "LEVEL")]
        levels: Vec<std::path::PathBuf>,
    },
    /// Check the project's own rules
    Tidy {
        /// Also report what xtask/tidy.toml still allows
        #[arg(long)]
        strict: bool,
    },
    /// Build the npm package into target/web/npm and the studio into target/web/site, and test them; this
    /// needs node, npm and wasm-bindgen
    Web {
        /// Put the pages that were built into the program's sources
        #[arg(long)]
        update: bool,
        /// Measure the built package against recast-navigation-js, which npm installs, instead
        #[arg(long, conflicts_with = "update")]
        compare: bool,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Assets { check } => assets::run(check),
        Command::Release(args) => release::run(&args),
        Command::Capi(args) => capi::run(args),
        Command::Bevy => bevy::run(),
        Command::Bench { quick } => bench::run(quick),
        Command::Ci { lanes } => ci::run(&lanes),
        Command::Draco { update } => draco::run(update),
        Command::Far(args) => far::run(&args),
        Command::Farm(args) => farm::run(&args),
        Command::Figures { check } => figures::run(check),
        Command::Fuzz { seconds } => fuzz::run(seconds),
        Command::Golden { update } => golden::run(update),
        Command::Growth(call) => growth::run(&call),
        Command::Instructions(call) => instructions::run(&call),
        Command::Lines(call) => lines::run(&call),
        Command::Node => oracle::run("node", &[]),
        Command::Changes(oracle::ProgramArgs { arguments }) => oracle::changes(&arguments),
        Command::Crowds(oracle::ProgramArgs { arguments }) => oracle::crowds(&arguments),
        Command::Oracle(oracle::ProgramArgs { arguments }) => oracle::run("oracle", &arguments),
        Command::Platforms => platforms::run(),
        Command::Quality(oracle::ProgramArgs { arguments }) => oracle::run("quality", &arguments),
        Command::Rooms(call) => rooms::run(&call),
        Command::Scenarios { names, check } => scenarios::run(&names, check),
        Command::Rules { seconds } => fuzz::rules(seconds),
        Command::Threads { levels } => threads::run(&levels),
        Command::Tidy { strict } => tidy::run(strict),
        Command::Web { compare: true, .. } => site::compare(),
        Command::Web { update, .. } => web::run(update),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::from(3)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let parsed =
            |text: &str| Arguments::try_parse_from(text.split(' ')).map(|arguments| arguments.command);
        assert!(matches!(parsed("xtask assets --check"), Ok(Command::Assets { check: true })));
        assert!(matches!(parsed("xtask fuzz"), Ok(Command::Fuzz { seconds: 600 })));
        assert!(matches!(parsed("xtask oracle --help a.obj"),
            Ok(Command::Oracle(oracle::ProgramArgs { arguments })) if arguments == ["--help", "a.obj"]));
        let wrong =
            ["golden --check", "fuzz --seconds 0", "ci tydi", "lines --against", "instructions --reason why"];
        for text in wrong {
            assert!(parsed(&format!("xtask {text}")).is_err(), "{text}");
        }
    }
}
