//! Measures the time that a map takes: fields of square obstacles, with ten times the corners each time,
//! medians of three rounds.
//! The exponent is the slope of a line through the logarithms of corners and times, by least squares.
//!
//! `cargo run --release -p navtile-plane --example cost`

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use navplane::{Error, Settings, cut, mesh};
use std::time::Instant;

const ROUNDS: usize = 3;
/// Obstacles along a side, for 1 024, 10 000 and 99 856 corners.
const COUNTS: [u32; 3] = [16, 50, 158];
/// Cells of a tile: the largest map, 1580 m wide, becomes seven by seven tiles.
const TILE_CELLS: u32 = 8192;

fn main() -> Result<(), Error> {
    for (words, agent_radius, tiles) in
        [("no radius", 0.0, false), ("radius 0.5", 0.5, false), ("radius 0.5, in tiles", 0.5, true)]
    {
        let settings = Settings { agent_radius, ..Settings::default() };
        let mut points = Vec::new();
        for count in COUNTS {
            let map = navscenes::flat::field_of_squares(count);
            let corners = map.obstacles.len() * 4;
            let mut times = Vec::new();
            let mut polygons = 0;
            for _ in 0..ROUNDS {
                let started = Instant::now();
                polygons = if tiles {
                    let cut = cut(&map, &settings, TILE_CELLS)?;
                    cut.parts.iter().map(|part| part.mesh.polygons.len()).sum()
                } else {
                    mesh(&map, &settings)?.polygons.len()
                };
                times.push(started.elapsed().as_secs_f64());
            }
            times.sort_by(f64::total_cmp);
            let time = times[ROUNDS / 2];
            println!("{words}: {corners} corners, {polygons} polygons, {:.2} ms", time * 1e3);
            points.push([(corners as f64).ln(), time.ln()]);
        }
        println!("{words}: exponent {:.3}", slope(&points));
    }
    Ok(())
}

/// The slope of the line nearest to some points.
fn slope(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let mean = [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / count);
    let moment = |axis: usize| {
        points.iter().map(|point| (point[0] - mean[0]) * (point[axis] - mean[axis])).sum::<f64>()
    };
    moment(1) / moment(0)
}
