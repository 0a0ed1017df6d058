//! The arguments of `navtile bake`.

use crate::source::SourceArgs;
use crate::values;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct BakeArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The file to write [default: the level's name with .navtile, in the current folder]. With several
    /// agents, each agent's name is put before the extension.
    #[arg(short, long, value_name = "OUT.navtile")]
    pub(crate) output: Option<PathBuf>,
    /// Report as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Report everything: settings in effect, counts, notes, memory, the time of each stage.
    #[arg(short, long, conflicts_with_all = ["quiet", "json"])]
    pub(crate) verbose: bool,
    /// Print nothing but warnings and errors.
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) quiet: bool,
    /// Also write a page about the bake: settings, pictures, times, warnings.
    #[arg(long, value_name = "OUT.html")]
    pub(crate) report: Option<PathBuf>,
    /// Bake only tiles whose input changed since the file was written, and reuse the others. The file is the
    /// same as if all tiles had been baked.
    #[arg(long)]
    pub(crate) changed: bool,
    /// Bake nothing: exit status 1 if the file is missing or out of date.
    #[arg(long, conflicts_with_all = ["changed", "report"])]
    pub(crate) check: bool,
    /// Write nothing: report cells, tiles, time and memory, from a sample that takes up to a second. Exit
    /// status 1 if the bake does not fit in memory.
    #[arg(long, conflicts_with_all = ["changed", "check", "report"])]
    pub(crate) estimate: bool,
    /// Keep the voxels of each tile in the file, so that `navtile update` and games can bake tiles again with
    /// added, moved and removed obstacles, without the level.
    #[arg(long)]
    pub(crate) dynamic: bool,
    /// Add a hierarchy of clusters to the file, so that `navtile path --far` can plan over tiles that are not
    /// loaded. The table `[hierarchy]` of the settings file does so too, and has its sizes and classes.
    #[arg(long)]
    pub(crate) hierarchy: bool,
    /// Bake the level with the obstacles of a list: crates, doors, holes and so on.
    #[arg(long, value_name = "OBSTACLES.toml", requires = "dynamic")]
    pub(crate) obstacles: Option<PathBuf>,
    /// Bake one share of the tiles, the I-th of N, counted from 1, into a shard file; `navtile join` makes
    /// the mesh from all of them. Without a value, or with `/N` alone, the share is the number of the array
    /// job: of Slurm, of an Indexed Job of Kubernetes, of AWS Batch.
    #[arg(long, value_name = "I/N", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["check", "report"])]
    pub(crate) shard: Option<String>,
    /// Keep finished tiles next to the result, as NAME.unfinished, until all are baked, and continue from the
    /// tiles that an earlier bake left there, even after a crash.
    #[arg(long, conflicts_with_all = ["check", "estimate"])]
    pub(crate) resume: bool,
    /// Threads to bake on [default: one per core].
    #[arg(long, value_name = "COUNT", value_parser = values::thread_count)]
    pub(crate) threads: Option<usize>,
    /// Write events as lines of JSON during the bake; `-` for standard output, which then holds nothing else.
    #[arg(long, value_name = "OUT|-", conflicts_with = "json")]
    pub(crate) events: Option<PathBuf>,
}
