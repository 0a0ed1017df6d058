//! `navtile manual`: manual pages and completions for shells, for packages. Only with the feature `manual`,
//! which an ordinary build lacks.

use crate::failure::{Answer, Failure};
use clap::{Args, Command};
use clap_complete::Shell;
use clap_complete::generate_to;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct ManualArgs {
    /// The folder to write into, below man/man1/ and completions/.
    #[arg(value_name = "OUT")]
    folder: PathBuf,
}

/// Writes the pages and completions of the program's command line.
pub(crate) fn run(args: &ManualArgs, program: Command) -> Result<Answer, Failure> {
    let unwritable = |path: &Path| {
        let path = path.to_owned();
        move |error: std::io::Error| Failure::of(&path, error)
    };
    let [man, completions] = ["man/man1", "completions"].map(|name| args.folder.join(name));
    for folder in [&man, &completions] {
        std::fs::create_dir_all(folder).map_err(unwritable(folder))?;
    }
    clap_mangen::generate_to(program.clone(), &man).map_err(unwritable(&man))?;
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        generate_to(shell, &mut program.clone(), "navtile", &completions)
            .map_err(unwritable(&completions))?;
    }
    Ok(Answer::Yes)
}
