//! How long the mesh of a map takes: fields of square obstacles, ten times as many corners each time.
//!
//! `cargo run --release -p recast --example planar_cost`

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use recast::planar::{Error, Settings, mesh};
use std::time::Instant;

fn main() -> Result<(), Error> {
    println!(
        "{:>10} {:>8} {:>10} {:>10} {:>16}",
        "corners", "radius", "polygons", "seconds", "ns a corner, log2"
    );
    for count in [16, 50, 158] {
        let map = navscenes::flat::field_of_squares(count);
        let corners = map.obstacles.len() * 4;
        for agent_radius in [0.0, 0.5] {
            let started = Instant::now();
            let mesh = mesh(&map, &Settings { agent_radius, ..Settings::default() })?;
            let seconds = started.elapsed().as_secs_f64();
            let each = seconds * 1e9 / (corners as f64 * (corners as f64).log2());
            let polygons = mesh.polygons.len();
            println!("{corners:>10} {agent_radius:>8} {polygons:>10} {seconds:>10.3} {each:>16.1}");
        }
    }
    Ok(())
}
