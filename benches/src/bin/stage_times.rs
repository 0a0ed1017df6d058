//! How long each stage takes: bakes a level several times and prints, for each stage, the shortest and the median
//! time, and the digest of the tiles.
//!
//! `cargo run --release -p navtile-benches --bin stage_times -- LEVEL [CELL_SIZE] [TILE_CELLS] [PARTITION] [RUNS]
//! [COPIES]`
//!
//! LEVEL is a scene's name or an OBJ file; TILE_CELLS is 0 for a bake in one piece; COPIES repeats the level that
//! often along x and z. Bakes on one thread unless RAYON_NUM_THREADS says otherwise. Counts of instructions, which
//! other programs do not disturb: `valgrind --tool=callgrind` over one run, or `perf stat -e instructions:u`.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use navmath::Hasher;
use recast::Baked;
use recast::{Level, Partition, PreparedLevel, Scratch, Settings, Silent, StageId, Tiling, bake_solo};
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error>;

fn argument<T: std::str::FromStr>(index: usize, default: T) -> Result<T, Failure>
where
    T::Err: std::error::Error + 'static,
{
    std::env::args().nth(index).map_or(Ok(default), |text| Ok(text.parse()?))
}

fn level(name: &str, copies: u32) -> Result<(Level, Settings), Failure> {
    let (level, settings) = match navscenes::by_name(name) {
        Some(scene) => ((scene.level)(), (scene.settings)()),
        None => (navinput::read_obj(&std::fs::read(name)?)?.level, Settings::default()),
    };
    Ok((if copies > 1 { navscenes::repeat(&level, copies, copies) } else { level }, settings))
}

/// Bakes all of it once; times by stage, and what was baked.
fn bake(level: &PreparedLevel, tile_cells: u32, scratch: &mut Scratch) -> Result<Vec<Baked>, Failure> {
    if tile_cells == 0 {
        return Ok(vec![bake_solo(level, &Silent, scratch)?]);
    }
    let tiling = Tiling::new(level, tile_cells)?;
    let bake = |coord| tiling.bake(coord, &Silent, scratch);
    Ok(tiling.coords().into_iter().map(bake).collect::<Result<_, _>>()?)
}

fn main() -> Result<(), Failure> {
    let name: String = argument(1, "courtyard".to_owned())?;
    let (cell_size, tile_cells) = (argument(2, 0.3)?, argument(3, 0)?);
    let partition = match argument(4, "watershed".to_owned())?.as_str() {
        "monotone" => Partition::Monotone,
        "layers" => Partition::Layers,
        _ => Partition::Watershed,
    };
    let (runs, copies): (usize, u32) = (argument(5, 5)?, argument(6, 1)?);
    let (level, settings) = level(&name, copies)?;
    let level = PreparedLevel::new(&level, &Settings { cell_size, partition, ..settings })?;
    let mut scratch = Scratch::new();
    let mut times = vec![Vec::with_capacity(runs); StageId::ALL.len() + 1];
    let threads = std::env::var("RAYON_NUM_THREADS").map_or(Ok(1), |text| text.parse())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut last = None;
    for _ in 0..runs {
        let start = Instant::now();
        let baked =
            pool.install(|| bake(&level, tile_cells, &mut scratch).map_err(|error| error.to_string()))?;
        times[StageId::ALL.len()].push(start.elapsed());
        for (stage, id) in StageId::ALL.iter().enumerate() {
            let of = |baked: &Baked| -> Duration {
                baked.stage_times.iter().filter(|(other, _)| other == id).map(|(_, time)| *time).sum()
            };
            times[stage].push(baked.iter().map(of).sum());
        }
        let mut hasher = Hasher::new();
        baked.iter().for_each(|baked| {
            hasher.write_u8s(baked.tile.bytes());
        });
        last = Some((hasher.finish(), baked));
    }
    println!("{:20} {:>10} {:>10}", "ms", "shortest", "median");
    let names = StageId::ALL.iter().map(|stage| stage.name()).chain(["whole"]);
    for (name, times) in names.zip(&mut times) {
        times.sort_unstable();
        let shown = |time: Duration| time.as_secs_f64() * 1e3;
        println!("{name:20} {:>10.3} {:>10.3}", shown(times[0]), shown(times[times.len() / 2]));
    }
    if let Some((digest, baked)) = last {
        if let [baked] = baked.as_slice() {
            println!("{:?}", baked.counts);
        }
        println!("{digest}");
    }
    Ok(())
}
