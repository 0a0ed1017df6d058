//! Measures how much longer a bake takes with links than without: the table of docs/links-reference.md.
//!
//!     cargo run --release -p navtile-benches --bin link_cost
//!     cargo run --release -p navtile-benches --bin link_cost -- level.obj    # other levels
//!
//! Each level is baked without and with links in turn, on one thread, measured in CPU time, as one piece and
//! in tiles. The share is the median over pairs of such bakes. Each bake must give the tiles of the first
//! one.
#![allow(clippy::print_stdout)] // It is a program.

use cpu_time::ThreadTime;
use navlevel::{bake_tiles, prune_islands};
use navmath::{Digest, Hasher};
use navscenes::{obj::from_obj, shooter};
use recast::{Baked, Level, PreparedLevel, Scratch, Settings, Silent, bake_solo};
use std::error::Error;
use std::time::Duration;

type Problem = Box<dyn Error + Send + Sync>;

/// Pairs of bakes that are measured.
const TURNS: usize = 31;
/// Cells along the side of a tile; 0 for one piece.
const TILE_CELLS: [u32; 3] = [0, 48, 128];

fn main() -> Result<(), Problem> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let levels = if named.is_empty() {
        known()
    } else {
        named.iter().map(|path| read(path)).collect::<Result<_, _>>()?
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("| level | cut into | links | without, ms | with, ms | more |");
    println!("|---|---|---|---|---|---|");
    for (name, level) in levels {
        for tile_cells in TILE_CELLS {
            let share = one.install(|| Share::measure(&level, tile_cells))?;
            let cut = if tile_cells == 0 { "one piece".to_owned() } else { format!("tiles of {tile_cells}") };
            let [without, with] = share.times.map(|time| time.as_secs_f64() * 1e3);
            println!(
                "| {name} | {cut} | {} | {without:.2} | {with:.2} | {:.0} % |",
                share.links,
                100.0 * share.more
            );
        }
    }
    Ok(())
}

/// The levels that figures are stated for: the levels in the folder of meshes, if it exists, and the terrain.
fn known() -> Vec<(String, Level)> {
    let terrain = navscenes::by_name("terrain").map(|scene| (scene.name, (scene.level)()));
    let levels = navscenes::public_levels().into_iter().chain(terrain);
    levels.map(|(name, level)| (name.to_owned(), level)).collect()
}

fn read(path: &str) -> Result<(String, Level), Problem> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("reading {path}: {error}"))?;
    let level = from_obj(&text).ok_or_else(|| format!("{path}: is no OBJ file of vertices and faces"))?;
    Ok((path.to_owned(), level))
}

/// The cost of the links of a level.
struct Share {
    /// Number of link records in the tiles.
    links: usize,
    /// Median CPU time of a bake without and with links.
    times: [Duration; 2],
    /// Median over pairs of how much longer the bake with links takes, as a share of the one without.
    more: f64,
}

impl Share {
    fn measure(level: &Level, tile_cells: u32) -> Result<Share, Problem> {
        let profiles = [Vec::new(), shooter::profiles()];
        let prepared =
            profiles.map(|links| PreparedLevel::new(level, &Settings { links, ..Settings::default() }));
        let [without, with] = prepared;
        let prepared = [without?, with?];
        let mut scratch = Scratch::new();
        let first = [&prepared[0], &prepared[1]].map(|level| bake(level, tile_cells, &mut scratch));
        let [without, with] = first;
        let first = [without?, with?];
        let digests = [digest(&first[0]), digest(&first[1])];
        let (mut times, mut shares) = ([Vec::new(), Vec::new()], Vec::new());
        for _ in 0..TURNS {
            for (kind, level) in prepared.iter().enumerate() {
                let start = ThreadTime::try_now()?;
                let tiles = bake(level, tile_cells, &mut scratch)?;
                times[kind].push(start.try_elapsed()?);
                if digest(&tiles) != digests[kind] {
                    return Err("a bake gave other tiles than the first".into());
                }
            }
            let [without, with] =
                [0, 1].map(|kind: usize| times[kind].last().map_or(0.0, Duration::as_secs_f64));
            shares.push(with / without - 1.0);
        }
        shares.sort_by(f64::total_cmp);
        times.iter_mut().for_each(|times| times.sort());
        Ok(Share {
            links: first[1].iter().map(|baked| baked.tile.off_mesh_links().len()).sum(),
            times: times.map(|times| times[TURNS / 2]),
            more: shares[TURNS / 2],
        })
    }
}

/// A whole bake of the level in the current pool.
fn bake(level: &PreparedLevel, tile_cells: u32, scratch: &mut Scratch) -> Result<Vec<Baked>, Problem> {
    if tile_cells > 0 {
        return Ok(bake_tiles(level, tile_cells, &Silent)?);
    }
    let mut tiles = vec![bake_solo(level, &Silent, scratch)?];
    prune_islands(level, 0, &mut tiles)?;
    Ok(tiles)
}

fn digest(tiles: &[Baked]) -> Digest {
    let mut hasher = Hasher::new();
    for baked in tiles {
        hasher.write_u8s(baked.tile.bytes());
    }
    hasher.finish()
}
