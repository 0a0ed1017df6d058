//! The bake of one shard: its tiles into a shard file.

use super::args::BakeArgs;
use super::baked::BakedTiles;
use super::baker::TileBaker;
use super::shard::Shard;
use super::targets::Targets;
use crate::bake_report::phases::Phases;
use crate::bake_report::report::{milliseconds, times};
use crate::bake_report::warning;
use crate::failure::{Answer, Failure};
use crate::files::is_standard;
use crate::memory;
use crate::report::{self, columns, duration};
use crate::source::Stop;
use navbake::Warning;
use navbake::shard::{ReadChunks, ShardRun, TileFacts};
use navdraw::number::counted;
use serde_json::{Value, json};

/// Bakes the share and writes its shard file; the warnings are about the chunks that were read, if the level
/// has chunks.
pub(crate) fn bake(
    args: &BakeArgs,
    shard: Shard,
    baker: &TileBaker<'_>,
    targets: &Targets,
    (of_level, chunks): (&[String], Option<&ReadChunks>),
    mut phases: Phases,
) -> Result<Answer, Stop> {
    let target = &targets.files[0];
    let baked = baker.run_share(&mut phases)?;
    let tiles: usize = baked.iter().map(|baked| baked.tiles.len()).sum();
    let resumed: usize = baked.iter().map(|baked| baked.resumed).sum();
    let run = ShardRun {
        baked: (tiles - resumed) as u64,
        threads: rayon::current_num_threads() as u32,
        elapsed: phases.started.elapsed(),
        peak_memory: memory::peak(),
    };
    let Some(file) = target.file() else { return Err(Failure::call("a shard file needs a name").into()) };
    if let Some(chunks) = chunks {
        baker.spool.put_chunks(chunks).map_err(|error| target.unwritable(&error))?;
    }
    let bytes = baker.spool.finish(&run, file)?;
    phases.lap("write");
    let of_tiles = facts(&baked).flat_map(|facts| facts.warnings.iter().cloned());
    let of_level = of_level.iter().filter(|_| chunks.is_some());
    let of_level = of_level.map(|text| Warning::plain(warning::LEVEL, text.clone()));
    let warnings: Vec<Warning> = of_level.chain(of_tiles).collect();
    let name = target.path().display().to_string();
    let text = columns([
        ("share", format!("{} of {}", shard.index, shard.of)),
        ("tiles", format!("{}: {} baked, {resumed} reused", counted(tiles, "tile"), run.baked)),
        ("warnings", warnings.iter().filter(|warning| !warning.is_note).count().to_string()),
        ("file", format!("{name}, {}, in {}", memory::readable(bytes), duration(run.elapsed))),
    ]);
    let lines = |notes: bool| -> Vec<String> {
        warnings.iter().filter(|warning| warning.is_note == notes).map(Warning::line).collect()
    };
    let document: Value = json!({
        "share": [shard.index, shard.of],
        "file": name,
        "bytes": bytes,
        "tiles": tiles,
        "baked": run.baked,
        "taken_over": resumed,
        "threads": run.threads,
        "total_ms": milliseconds(run.elapsed),
        "phase_ms": times(phases.laps.iter().copied()),
        "peak_memory": run.peak_memory,
        "warnings": lines(false),
        "notes": lines(true),
    });
    baker.events.send("done", json!({ "reports": [document] }))?;
    if args.json {
        report::print_json(&document)?;
        return Ok(Answer::Yes);
    }
    warning::warn(&warnings, args.verbose);
    if !args.quiet && !args.events.as_deref().is_some_and(is_standard) {
        report::print(&text)?;
    }
    Ok(Answer::Yes)
}

fn facts(baked: &[BakedTiles]) -> impl Iterator<Item = &TileFacts> {
    baked.iter().flat_map(|baked| baked.tiles.values())
}
