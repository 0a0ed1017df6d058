//! `navtile init`: writes a commented settings file.

use crate::failure::{Answer, Failure};
use crate::files::{FileList, is_standard};
use crate::report;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The file to write; `-` for standard output. An existing file is not overwritten.
    #[arg(value_name = "OUT.toml", default_value = "navtile.toml")]
    file: PathBuf,
}

pub(crate) fn run(args: &InitArgs) -> Result<Answer, Failure> {
    let text = navinput::default_toml();
    if is_standard(&args.file) {
        report::print(&text)?;
        return Ok(Answer::Yes);
    }
    let name = args.file.display();
    // An edited settings file must not be lost.
    if std::fs::symlink_metadata(&args.file).is_ok() {
        return Err(Failure::circumstances(format!("{name}: already exists"))
            .help("give another name: navtile init OTHER.toml"));
    }
    FileList::default().target(&args.file)?.write(text.as_bytes())?;
    report::print(&format!(
        "{name}: every setting with its default; use it with navtile bake LEVEL.obj -c {name}\n"
    ))?;
    Ok(Answer::Yes)
}
