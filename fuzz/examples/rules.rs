//! Measures how soon the fuzz target `tile_rules` meets a tile that breaks exactly one rule, for each rule of
//! tiles. If that rule were missing from the reader, the target would fail there.
//!
//! `cargo run --release --manifest-path fuzz/Cargo.toml --example rules [SECONDS]`: inputs are random bytes
//! from a fixed seed, with no corpus and no coverage to guide them. Ends when all rules were met; fails if
//! some were not met in time.

use navmath::SplitMix64;
use navtile_fuzz::targets::rule_that_is_broken;
use std::error::Error;
use std::time::{Duration, Instant};

/// Bytes of an input. A tile that needs more bytes gets them from a generator seeded by these.
const INPUT: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let seconds = std::env::args().nth(1).map_or(Ok(60), |seconds| seconds.parse())?;
    let limit = Duration::from_secs(seconds);
    let mut random = SplitMix64::new(1);
    let mut missing: Vec<&str> = navtile::verify::RULES.to_vec();
    // The tiles that changes start from take a while to bake.
    rule_that_is_broken(&[]);
    let start = Instant::now();
    let mut executions = 0u64;
    println!("{:<22} {:>9} {:>10}", "rule", "seconds", "executions");
    while !missing.is_empty() && start.elapsed() < limit {
        let input: Vec<u8> = (0..INPUT).map(|_| random.next_u64() as u8).collect();
        executions += 1;
        let Some(rule) = rule_that_is_broken(&input) else { continue };
        if let Some(at) = missing.iter().position(|missing| *missing == rule) {
            missing.remove(at);
            println!("{rule:<22} {:>9.2} {executions:>10}", start.elapsed().as_secs_f64());
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("not met within {seconds} seconds, {executions} executions: {}", missing.join(", ")).into())
}
