//! The arguments of `navtile bake`.

use crate::source::SourceArgs;
use crate::values;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct BakeArgs {
    #[command(flatten)]
    pub(super) source: SourceArgs,
    /// The file to write [default: the level's name with .navtile, in the current folder]. With several agents, each
    /// agent's name is put before the extension.
    #[arg(short, long, value_name = "OUT.navtile")]
    pub(super) output: Option<PathBuf>,
    /// Report as one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// Report everything: settings in effect, counts, notes, memory, the time of each stage.
    #[arg(short, long, conflicts_with_all = ["quiet", "json"])]
    pub(super) verbose: bool,
    /// Print nothing but warnings and errors.
    #[arg(short, long, conflicts_with = "json")]
    pub(super) quiet: bool,
    /// Also write a page about the bake: settings, pictures, times, warnings.
    #[arg(long, value_name = "OUT.html")]
    pub(super) report: Option<PathBuf>,
    /// Bake only tiles whose input changed since the file was written, and reuse the others. The file is the same as if
    /// all tiles had been baked.
    #[arg(long)]
    pub(super) changed: bool,
    /// Bake nothing: exit status 1 if the file is missing or differs from what would be written.
    #[arg(long, conflicts_with_all = ["changed", "report"])]
    pub(super) check: bool,
    /// Write nothing: report cells, tiles, time and memory, from a sample that takes up to a second. Exit status 1 if the
    /// bake does not fit in memory.
    #[arg(long, conflicts_with_all = ["changed", "check", "report"])]
    pub(super) estimate: bool,
    /// Keep in the file what rasterizing made of each tile, so that `navtile update` and games can bake tiles again, with
    /// pieces that come and go, without the level.
    #[arg(long)]
    pub(super) dynamic: bool,
    /// Bake the level with these pieces in it: a list of crates, doors, holes and the like.
    #[arg(long, value_name = "PIECES.toml", requires = "dynamic")]
    pub(super) pieces: Option<PathBuf>,
    /// Bake one share of the tiles, the I-th of N from 1 on, into a part; `navtile join` makes the file of all parts. Without
    /// a value, or with `/N` alone, the number is that of the array job: of Slurm, of an Indexed Job of Kubernetes, of AWS Batch.
    #[arg(long, value_name = "I/N", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["check", "report"])]
    pub(super) shard: Option<String>,
    /// Keep finished tiles beside the result, as NAME.unfinished, until all are baked; and go on from those that an earlier
    /// bake left there, whatever ended it.
    #[arg(long, conflicts_with_all = ["check", "estimate"])]
    pub(super) resume: bool,
    /// Threads to bake on [default: one per core].
    #[arg(long, value_name = "COUNT", value_parser = values::thread_count)]
    pub(super) threads: Option<usize>,
    /// Write events as lines of JSON while the bake runs; `-` for standard output, which then holds nothing else.
    #[arg(long, value_name = "OUT|-", conflicts_with = "json")]
    pub(super) events: Option<PathBuf>,
}
