//! Measures far paths over a file with a hierarchy, and checks each answer: the program of `cargo xtask far`.
//!
//!     far paths FILE PAIRS NEAR EXACT REACH    # plans and walks, compared with exact answers
//!     far links FILE STARTS GOALS              # plans over one-way links, compared with floods
//!     far changes FILE COUNT                   # updates after random changes, compared with fresh builds
//!
//! The first command holds some hundred tiles around the agent, as a game does. Then it loads the whole world
//! for the exact answers. A wrong answer is printed, and the exit status is 1; times are not judged.
#![allow(clippy::print_stdout, clippy::print_stderr)] // It is a program.

mod agent;
mod changes;
mod exact;
mod flood;
mod links;
mod pairs;
mod spread;
mod world;

use std::error::Error;
use std::process::ExitCode;
use world::World;

type Failed = Box<dyn Error>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["paths", file, pairs, near, exact, reach] => paths(file, [pairs, near, exact, reach]),
        ["links", file, starts, goals] => over_links(file, [starts, goals]),
        ["changes", file, count] => changed(file, count),
        _ => Err("expected `paths FILE PAIRS NEAR EXACT REACH`, `links FILE STARTS GOALS` or \
                  `changes FILE COUNT`"
            .into()),
    };
    match outcome {
        Ok(0) => ExitCode::SUCCESS,
        Ok(wrong) => {
            println!("{wrong} WRONG ANSWERS");
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("far: {error}");
            ExitCode::from(3)
        }
    }
}

/// Plans and walks, and compares them with exact answers. Returns the number of wrong answers.
fn paths(file: &str, numbers: [&str; 4]) -> Result<usize, Failed> {
    let [pairs, near, exact, reach] = numbers.map(str::parse::<usize>);
    let world = World::open(file)?;
    world.print()?;
    let far = pairs::measure(&world, pairs?)?;
    far.print();
    println!("most memory so far     {} MiB", world::peak() >> 20);
    let whole = exact::Whole::load(&world)?;
    let mut wrong = far.wrong + whole.check_pairs(&world, &far.trips)?;
    wrong += whole.compare(&world, &far.trips, [near?, exact?])?;
    wrong += whole.check_reach(&world, reach?)?;
    println!("most memory            {} MiB", world::peak() >> 20);
    Ok(wrong)
}

/// Compares plans over links with floods. Returns the number of wrong answers.
fn over_links(file: &str, numbers: [&str; 2]) -> Result<usize, Failed> {
    let [starts, goals] = numbers.map(str::parse::<usize>);
    let world = World::open(file)?;
    links::check(&exact::Whole::load(&world)?, &world, starts?, goals?)
}

/// Compares updates with fresh builds. Returns the number of wrong answers.
fn changed(file: &str, count: &str) -> Result<usize, Failed> {
    changes::check(World::open(file)?, count.parse()?)
}
