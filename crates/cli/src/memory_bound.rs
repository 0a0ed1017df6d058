//! `--memory` for every command: a tile that takes more by itself is refused, and a guard ends work that
//! exceeds all estimates.

use crate::failure::Failure;
use crate::memory::{self, readable};
use crate::{interrupt, values};
use clap::Args;
use recast::Settings;
use std::path::Path;
use tilecache::CacheError;

/// The option for commands that do not read settings.
#[derive(Debug, Args)]
pub(crate) struct MemoryArgs {
    /// Maximum memory, such as 512MiB. Files and tiles that take more are refused [default: 8GiB].
    #[arg(long, value_name = "SIZE", value_parser = values::memory)]
    memory: Option<u64>,
}

impl MemoryArgs {
    /// The bound, bytes. The default is that of a bake.
    pub(crate) fn bound(&self) -> u64 {
        self.memory.unwrap_or(Settings::default().memory_bound)
    }

    /// Limits the memory of work on a file from here on, and ends the program if it takes more.
    pub(crate) fn keep(&self, path: &Path) -> Result<(), Failure> {
        let bound = readable(self.bound());
        let failure =
            Failure::call(format!("{}: takes more than --memory, which is {bound}", path.display()));
        watch(self.bound(), failure.help(REMEDY))
    }
}

const REMEDY: &str =
    "nothing was changed; allow more memory with --memory, or bake the level in smaller tiles";

/// The failure for a tile of a file that takes too much memory; `None` if the error is another one.
pub(crate) fn over_memory(path: &Path, error: &CacheError) -> Option<Failure> {
    let CacheError::Memory { coord, bound } = error else { return None };
    let (name, bound) = (path.display(), readable(*bound));
    let message = format!(
        "{name}: tile ({}, {}) takes more memory than is allowed for it, which is {bound}",
        coord.x, coord.z
    );
    Some(Failure::call(message).help(REMEDY))
}

/// Ends the program with `failure` as soon as it holds more than `bound` bytes.
pub(crate) fn watch(bound: u64, failure: Failure) -> Result<(), Failure> {
    // A lower bound is refused by its estimate.
    memory::guard(bound.max(memory::BASE), move || interrupt::give_up(failure)).map_err(|error| {
        Failure::circumstances(format!("a thread to watch the memory cannot be started: {error}"))
            .help("allow more threads or memory for this user")
    })
}
