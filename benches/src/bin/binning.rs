//! Measures how binning scales. A terrain of many triangles is cut into many tiles; prints time and memory
//! for each size.
//! `cargo run --release -p navtile-benches --bin binning [TRIANGLES..]`

use navlevel::Tiling;
use navscenes::sine_terrain;
use recast::{PreparedLevel, Settings};
use std::time::Instant;

/// Side of a tile, cells.
const TILE_CELLS: u32 = 48;
/// Triangles for each square metre of ground, as terrains of games have them, more or less.
const DENSITY: f64 = 0.5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Result<Vec<usize>, _> = std::env::args().skip(1).map(|argument| argument.parse()).collect();
    let counts = given.map_err(|error| format!("give numbers of triangles: {error}"))?;
    let counts = if counts.is_empty() { vec![10_000, 100_000, 1_000_000] } else { counts };
    for count in counts {
        let side = (count as f64 / DENSITY).sqrt();
        let level = sine_terrain(side, count);
        let start = Instant::now();
        let prepared = PreparedLevel::new(&level, &Settings::default())?;
        let preparing = start.elapsed();
        drop(level);
        let start = Instant::now();
        let tiling = Tiling::new(&prepared, TILE_CELLS)?;
        let binning = start.elapsed();
        let tiles = tiling.coords().len();
        let line = format!(
            "{:>9} triangles, {tiles:>7} tiles: prepared in {:>6.0} ms, binned in {:>6.0} ms; {:.0} MiB for the level, \
             {:.0} MiB for the tiles\n",
            prepared.triangle_count(),
            preparing.as_secs_f64() * 1e3,
            binning.as_secs_f64() * 1e3,
            prepared.memory() as f64 / f64::from(1 << 20),
            tiling.memory() as f64 / f64::from(1 << 20),
        );
        std::io::Write::write_all(&mut std::io::stdout(), line.as_bytes())?;
    }
    Ok(())
}
