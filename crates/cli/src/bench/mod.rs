//! `navtile bench`: measures the time to bake a level and to load its file, and the time of queries on the
//! mesh.
//!
//! Everything happens in memory, repeatedly; medians are reported. Each repetition must give the same tiles
//! and the same answers; otherwise there are no figures.

mod questions;
mod report;
mod samples;
mod verbs;

use crate::failure::{Answer, Failure};
use crate::source::{self, SourceArgs, Stop};
use crate::threads::thread_pool;
use crate::tile_size::tile_cells;
use crate::{memory, mesh, report as console, values};
use clap::Args;
use navlevel::bake_tiles;
use navlevel::meta::meta;
use navmath::Hasher;
use navtile::{SharedBytes, write_file};
use recast::{Baked, PreparedLevel, Scratch, Silent, StageId, bake_solo};
use report::{BenchReport, summary};
use samples::{Samples, ms};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Threads to bake on. Stages are summed over threads; loading and queries use one.
    #[arg(long, value_name = "COUNT", value_parser = values::thread_count, default_value = "1")]
    threads: usize,
    /// Number of repetitions.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=10_000), default_value = "5")]
    repeat: u32,
    /// Number of random pairs of connected places to query.
    #[arg(
        long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1_000_000),
        default_value = "10000"
    )]
    queries: u32,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

/// The bakes of a level.
struct Bakes {
    /// The tiles of the last one.
    baked: Vec<Baked>,
    hash: String,
    stages: Vec<(&'static str, Samples)>,
    total: Samples,
}

pub(crate) fn run(args: &BenchArgs) -> Result<Answer, Failure> {
    if args.source.is_map()? {
        return Err(Failure::call("a map of polygons has no stages to measure")
            .help("give a level of triangles: OBJ, glTF, or a geometry set"));
    }
    let source = source::open(&args.source)?;
    let size = source.tile_size();
    let level = source.prepare()?;
    let [prepared] = level.levels.as_slice() else {
        return Err(Failure::call(format!("the settings have {} agents", level.levels.len()))
            .help("choose one of them with --agent"));
    };
    level.warnings.iter().for_each(|warning| console::warn(warning));
    let tile_cells = tile_cells(size, prepared)?;
    let pool = thread_pool(Some(args.threads))?;
    let repeat = args.repeat as usize;
    let bakes = pool.install(|| bake(prepared, tile_cells, repeat)).map_err(|stop| level.stopped(stop))?;
    let tiles: Vec<_> = bakes.baked.iter().map(|baked| baked.tile.clone()).collect();
    let file = write_file(&meta(prepared, tile_cells, None), &tiles)
        .map_err(|error| Failure::of(&level.title, error))?;
    let (loaded, load) = loads(&level.title, &file, repeat)?;
    let asked = questions::ask(&loaded, args.queries as usize, repeat)?;
    let stages = summary(&bakes.stages);
    let column = |at: usize| stages.iter().map(|&(name, values)| (name, values[at])).collect();
    let sum = |count: fn(&Baked) -> usize| bakes.baked.iter().map(count).sum::<usize>();
    let report = BenchReport {
        levels: level.names.clone(),
        threads: args.threads,
        repeat,
        tile_cells,
        tiles: tiles.len(),
        grid: [prepared.size[0], prepared.size[2]],
        triangles: prepared.triangle_count(),
        polygons: sum(|baked| baked.tile.polygons().len()),
        vertices: sum(|baked| baked.tile.vertices().len()),
        hash: bakes.hash,
        file_bytes: file.len() as u64,
        stage_ms: column(0),
        stage_spread_ms: column(1),
        stages,
        total_ms: ms(bakes.total.median()),
        total_spread_ms: ms(bakes.total.spread()),
        load_ms: ms(load.median()),
        load_spread_ms: ms(load.spread()),
        pairs: asked.pairs,
        query_ns: asked.nanoseconds,
        answers_hash: asked.hash,
        peak_bytes: memory::peak(),
    };
    console::answer(args.json, &report, || report.text())?;
    Ok(if report.polygons > 0 { Answer::Yes } else { Answer::No })
}

/// Bakes a level repeatedly, in the current pool.
fn bake(prepared: &PreparedLevel, tile_cells: u32, repeat: usize) -> Result<Bakes, Stop> {
    let mut stages: BTreeMap<StageId, Samples> = BTreeMap::new();
    let (mut total, mut first): (Samples, Option<String>) = Default::default();
    let mut last = Vec::new();
    for round in 1..=repeat {
        let start = Instant::now();
        let baked = if tile_cells == 0 {
            bake_solo(prepared, &Silent, &mut Scratch::new()).map(|baked| vec![baked])
        } else {
            bake_tiles(prepared, tile_cells, &Silent)
        };
        let baked = baked.map_err(Stop::Bake)?;
        total.push(start.elapsed());
        let mut sums: BTreeMap<StageId, Duration> = BTreeMap::new();
        for &(stage, elapsed) in baked.iter().flat_map(|baked| &baked.stage_times) {
            *sums.entry(stage).or_default() += elapsed;
        }
        sums.into_iter().for_each(|(stage, sum)| stages.entry(stage).or_default().push(sum));
        let mut hasher = Hasher::new();
        for baked in &baked {
            hasher.write_u8s(baked.tile.bytes());
        }
        let hash = hasher.finish().to_string();
        if first.get_or_insert_with(|| hash.clone()) != &hash {
            let what = format!("bake {round} made different tiles from the first: {hash}");
            return Err(Stop::Failure(Failure::circumstances(what)));
        }
        last = baked;
    }
    Ok(Bakes {
        baked: last,
        hash: first.unwrap_or_default(),
        stages: stages.into_iter().map(|(stage, samples)| (stage.name(), samples)).collect(),
        total,
    })
}

/// Loads a file from memory repeatedly.
fn loads(title: &Path, file: &[u8], repeat: usize) -> Result<(mesh::Loaded, Samples), Failure> {
    let file = SharedBytes::from(file);
    let mut samples = Samples::default();
    for _ in 1..repeat {
        let start = Instant::now();
        let loaded = mesh::from_bytes(title, file.clone())?;
        samples.push(start.elapsed());
        drop(loaded);
    }
    let start = Instant::now();
    let loaded = mesh::from_bytes(title, file)?;
    samples.push(start.elapsed());
    Ok((loaded, samples))
}
