//! The programs of the oracle: `cargo xtask oracle`, `quality`, `crowds`, `changes` and `node`. Their crate
//! is a workspace of its own, as it needs a C++ compiler.

use crate::Outcome;
use crate::outputs::{root, run_cargo};

/// Arguments that are passed on unchanged.
#[derive(Debug, clap::Args)]
pub(crate) struct ProgramArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<String>,
}

/// The lane of `ci`: all levels that exist, and all scenes, in the coarser of the two cell sizes; the
/// courtyard in tiles too. Without arguments, `cargo xtask oracle` measures everything.
pub(crate) fn lane() -> Outcome {
    run("oracle", &["--quick".to_owned(), "--brief".to_owned()])
}

/// Compares our crowd with others. Without arguments, runs all levels and scenarios and writes the tables of
/// the docs.
pub(crate) fn crowds(arguments: &[String]) -> Outcome {
    let whole = ["--document".to_owned(), root().join("docs/crowds-reference.md").display().to_string()];
    run("crowds", if arguments.is_empty() { &whole } else { arguments })
}

/// Compares our tile cache with Detour's, built as for `cargo xtask bench`. Without arguments, runs on
/// nav_test and writes the table of the docs.
pub(crate) fn changes(arguments: &[String]) -> Outcome {
    let whole = ["--document".to_owned(), root().join("docs/changing-worlds.md").display().to_string()];
    let arguments = if arguments.is_empty() { &whole } else { arguments };
    run_built("speed", "changes", arguments)
}

/// Runs one of the programs, which prints its own errors.
pub(crate) fn run(program: &str, arguments: &[String]) -> Outcome {
    run_built("release", program, arguments)
}

fn run_built(profile: &str, program: &str, arguments: &[String]) -> Outcome {
    let oracle =
        ["run", "--quiet", "--profile", profile, "--manifest-path", "crates/oracle/Cargo.toml", "--bin"];
    run_cargo(oracle.into_iter().chain([program, "--"]).chain(arguments.iter().map(String::as_str)))
}
