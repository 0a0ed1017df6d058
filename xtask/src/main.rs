//! Everything automated: `cargo xtask COMMAND`. Each command is a module; `ci` runs them all.

#![forbid(unsafe_code)]
// A program of the workshop: printing is its job.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod assets;
mod bakes;
mod bench;
mod ci;
mod figures;
mod fuzz;
mod golden;
mod instructions;
mod lines;
mod map_figures;
mod oracle;
mod outputs;
mod quality;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  assets  [--check]       write the levels under assets/ from the scenes they are made of
  bench   [--quick]       measure ours beside the C++ library and write docs/performance.md; --quick only prints
  ci      [LANE...]       run all lanes, or those named; the last lines repeat the test counts
  figures [--check]       draw the pictures under docs/figures/
  fuzz    [--seconds N]   fuzz every reader, N seconds in all [600] (needs cargo-fuzz and a C++ compiler)
  golden  [--update]      compare every stage of every scene with its hash under assets/golden/
  instructions [--update] compare instructions by scene and stage with benches/instructions.toml (needs valgrind);
                          --update keeps them, with --reason WHY where they have risen
  lines   [--json] [--against REV] count lines of code, doc, comment and test per crate, now and at a revision
  node                    load our sets with the npm package recast-navigation and ask both (needs node and npm too)
  oracle  [ARGUMENT...]   run the comparison with the C++ library (needs a C++ compiler)
  quality [ARGUMENT...]   measure the meshes of levels beside the C++ library's (the same)
  tidy    [--strict]      check the rules of the house; --strict allows nothing that xtask/tidy.toml still allows

--check writes nothing and says what is out of date.
Exit status: 0 done, 1 something is out of date or failed, 2 the call was wrong, 3 it could not be done.";

/// What can stop a command; the message is for a person.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// `Ok(true)`: all is well. `Ok(false)`: something is out of date or failed, and has been printed.
type Outcome = Result<bool, Error>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = arguments.split_first() else {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    };
    let outcome = match command.as_str() {
        "assets" => flag(rest, "--check").map(assets::run),
        "bench" => bench::run(rest),
        "ci" => ci::lanes(rest).map(|lanes| ci::run(&lanes)),
        "figures" => flag(rest, "--check").map(figures::run),
        "fuzz" => fuzz::run(rest),
        "golden" => flag(rest, "--update").map(golden::run),
        "instructions" => instructions::run(rest),
        "lines" => lines::run(rest),
        "node" => none(rest).map(|()| oracle::node()),
        "oracle" => Ok(oracle::run(rest)),
        "quality" => quality::run(rest),
        "tidy" => flag(rest, "--strict").map(tidy::run),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        other => Err(format!("there is no command `{other}`")),
    };
    match outcome {
        Ok(Ok(true)) => ExitCode::SUCCESS,
        Ok(Ok(false)) => ExitCode::from(1),
        Ok(Err(error)) => {
            eprintln!("xtask {command}: {error}");
            ExitCode::from(3)
        }
        Err(wrong) => {
            eprintln!("{wrong}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Refuses any argument.
fn none(arguments: &[String]) -> Result<(), String> {
    match arguments.first() {
        None => Ok(()),
        Some(given) => Err(format!("`{given}` is not known here; there are no arguments")),
    }
}

/// Whether the one flag a command knows was given; any other argument is an error.
fn flag(arguments: &[String], name: &str) -> Result<bool, String> {
    match arguments {
        [] => Ok(false),
        [given] if given == name => Ok(true),
        [given, ..] => Err(format!("`{given}` is not known here; the only flag is {name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_flag_or_none() {
        assert!(none(&[]).is_ok() && none(&["--check".to_owned()]).is_err());
        let given = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            flag(&names, "--check")
        };
        assert_eq!(given(&[]), Ok(false));
        assert_eq!(given(&["--check"]), Ok(true));
        assert!(given(&["--chekc"]).is_err() && given(&["--check", "--check"]).is_err());
    }
}
