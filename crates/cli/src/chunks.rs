//! `navtile chunks`: writes the list of a level's chunks, with the content of each, from their files.

use crate::failure::{Answer, Failure};
use crate::files::{FileList, is_standard};
use crate::report;
use crate::source::{self, SourceArgs};
use clap::Args;
use navdraw::number::counted;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct ChunksArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The list to write, in the folder of the files or above it; `-` for standard output.
    #[arg(short, long, value_name = "OUT.toml")]
    output: PathBuf,
}

pub(crate) fn run(args: &ChunksArgs) -> Result<Answer, Failure> {
    let source = source::open(&args.source)?;
    let mut list = FileList::reading(source.inputs());
    let target = list.target(&args.output)?;
    let folder = args.output.parent().filter(|_| !is_standard(&args.output)).unwrap_or(Path::new(""));
    let mut source = source.chunked()?;
    source.find_bounds()?;
    let chunks = source.listed(folder)?;
    target.write(navinput::chunks_toml(&chunks).as_bytes())?;
    if !is_standard(&args.output) {
        let triangles: u64 = chunks.iter().filter_map(|chunk| chunk.triangles).sum();
        let count = counted(chunks.len(), "chunk");
        report::print(&format!("{}: {count}, {triangles} triangles\n", args.output.display()))?;
    }
    Ok(Answer::Yes)
}
