//! `navtile update`: replaces the obstacles of a dynamic file, without the level.

use crate::failure::{Answer, Failure};
use crate::files::{self, FileList, Target};
use crate::memory_bound::{MemoryArgs, over_memory};
use crate::obstacles;
use crate::threads::thread_pool;
use crate::written::Written;
use crate::{memory, report, values};
use clap::Args;
use navdraw::number::counted;
use navtile::NavStore;
use navtile::file::Seekable;
use serde::Serialize;
use std::io::{Seek, SeekFrom};
use std::path::PathBuf;
use tilecache::{CacheError, TileCache, Update};

#[derive(Debug, Args)]
pub(crate) struct UpdateArgs {
    /// The .navtile file, from `navtile bake --dynamic`.
    file: PathBuf,
    /// The obstacles that the level will have. All earlier obstacles are removed; an empty list removes all.
    #[arg(long, value_name = "OBSTACLES.toml")]
    obstacles: PathBuf,
    /// The file to write [default: the input file is replaced].
    #[arg(short, long, value_name = "OUT.navtile")]
    output: Option<PathBuf>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
    /// Print nothing but warnings and errors.
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
    /// Threads to bake on [default: one per core].
    #[arg(long, value_name = "COUNT", value_parser = values::thread_count)]
    threads: Option<usize>,
    #[command(flatten)]
    memory: MemoryArgs,
}

/// The report, as one JSON object.
#[derive(Debug, Serialize)]
struct UpdateReport {
    output: String,
    /// Obstacles in the level now.
    obstacles: usize,
    /// Obstacles that do not reach a tile.
    outside: usize,
    /// Tiles that were baked.
    baked: usize,
    /// Tiles that changed or were added, and tiles that were removed.
    changed: usize,
    removed: usize,
    /// Tiles of the file.
    tiles: usize,
    /// Its bytes.
    bytes: u64,
}

pub(crate) fn run(args: &UpdateArgs) -> Result<Answer, Failure> {
    thread_pool(args.threads)?.install(|| update(args))
}

fn update(args: &UpdateArgs) -> Result<Answer, Failure> {
    files::refuse_shared_input([args.file.as_path(), args.obstacles.as_path()])?;
    let mut list = FileList::reading([args.obstacles.as_path()]);
    // The target may be the input: it is replaced once the new file is complete.
    let target = list.replacement(args.output.as_deref().unwrap_or(&args.file), &args.file)?;
    args.memory.keep(&args.file)?;
    let bytes = files::read_shared(&args.file)?;
    let before = NavStore::open(&bytes[..]).map_err(|error| Failure::of(&args.file, error))?;
    let mut cache = TileCache::open(Seekable::new(std::io::Cursor::new(bytes.clone())))
        .map_err(|error| Failure::of(&args.file, &error).help(remedy(&error)))?;
    cache.set_memory_bound(args.memory.bound());
    let areas = cache.level().config.settings.areas.iter();
    let areas = areas.map(|area| (area.name.clone(), area.id.0)).collect();
    let listed = obstacles::read(&args.obstacles, &areas)?;
    let mut outside = 0;
    for (index, obstacle) in listed.iter().enumerate() {
        let handle = cache.add(obstacle).map_err(|error| match error {
            CacheError::Obstacle(error) => obstacles::refused(&args.obstacles, index, &error),
            other => obstacles::refused(&args.obstacles, index, &other),
        })?;
        if cache.tiles_of(handle).is_empty() {
            outside += 1;
            report::warn(&format!(
                "{}: obstacle {} is outside the level and has no effect",
                args.obstacles.display(),
                index + 1
            ));
        }
    }
    let update = cache.wait().map_err(|error| Failure::of(&args.file, &error).help(remedy(&error)))?;
    if let Some(failure) = update.failed.iter().find_map(|failed| over_memory(&args.file, &failed.error)) {
        return Err(failure);
    }
    if let Some(failed) = update.failed.first() {
        let more = counted(update.failed.len(), "tile");
        return Err(Failure::of(&args.file, format!("{more} could not be baked: {}", failed.error))
            .help("nothing was changed; `navtile verify` lists everything that is wrong with the file"));
    }
    let bytes = write(&cache, &target, args, &before)?;
    let report = UpdateReport {
        output: target.path().display().to_string(),
        obstacles: listed.len(),
        outside,
        bytes,
        ..UpdateReport::of(&update, cache.coords().len())
    };
    if !args.quiet {
        report::answer(args.json, &report, || report.text())?;
    }
    Ok(Answer::Yes)
}

/// Writes the file; returns its length.
fn write<S: navtile::file::Source>(
    cache: &TileCache<S>,
    target: &Target,
    args: &UpdateArgs,
    before: &NavStore<&[u8]>,
) -> Result<u64, Failure> {
    let mut out = cache.write(target.begin()?).map_err(|error| match error {
        CacheError::Write(navtile::WriteFileError::Io(error)) => target.unwritable(&error),
        other => Failure::of(&args.file, other),
    })?;
    // Tiles that no obstacle reaches, and their spans, were copied unchanged.
    let written = Written::open(target, &mut out)?;
    if let Some(fault) = written.fault_of_tiles().or_else(|| written.fault_of_spans(args.memory.bound())) {
        let other = || Failure::of(&args.file, &fault).help(remedy(&fault));
        return Err(over_memory(&args.file, &fault).unwrap_or_else(other));
    }
    Written::update_hierarchy(target, &mut out, before)?;
    let bytes = out.seek(SeekFrom::End(0)).map_err(|error| target.unwritable(&error))?;
    target.commit(out)?;
    Ok(bytes)
}

fn remedy(error: &CacheError) -> &'static str {
    match error {
        CacheError::NotDynamic | CacheError::Incomplete(_) => "nothing was changed",
        CacheError::NoSeed { .. } => "nothing was changed; remove the obstacles there",
        _ => "nothing was changed; `navtile verify` lists everything that is wrong with the file",
    }
}

impl UpdateReport {
    fn of(update: &Update, tiles: usize) -> UpdateReport {
        let removed = update.changes.iter().filter(|change| change.tile.is_none()).count();
        UpdateReport {
            output: String::new(),
            obstacles: 0,
            outside: 0,
            baked: update.baked,
            changed: update.changes.len() - removed,
            removed,
            tiles,
            bytes: 0,
        }
    }

    fn text(&self) -> String {
        format!(
            "{}: {}; {} baked, {} changed, {} removed; {}, {}\n",
            self.output,
            counted(self.obstacles, "obstacle"),
            counted(self.baked, "tile"),
            self.changed,
            self.removed,
            counted(self.tiles, "tile"),
            memory::readable(self.bytes),
        )
    }
}
