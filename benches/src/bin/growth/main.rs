//! The worst known families of input, for every reader and for the work done with the input, each in two
//! sizes: `cargo xtask growth` runs this under valgrind and compares the instructions of both with their
//! sizes.
//!
//! A line of output for each interval between two calls of `stage_boundary`: `-`, or the family's name and
//! the size of its input.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod borders;
mod crowds;
mod foreign;
mod hierarchies;
mod inputs;
mod levels;
mod maps;
mod meshes;
mod obstacles;
mod scenarios;
mod tiles;

use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;

/// Ratio of the second member's parameter to the first one's.
const STEP: usize = 4;

/// Ends one count and begins the next. It must not be inlined, and no other work may move between its calls.
#[inline(never)]
fn stage_boundary(number: usize) -> usize {
    black_box(number)
}

type Outcome = Result<(), Box<dyn Error>>;
/// A member of a family, if it can be made.
type Made = Result<Member, Box<dyn Error>>;

/// A member of a family: its size, and the work that is done with it.
struct Member {
    /// The number of bytes, corners, triangles or other units that the work should be proportional to.
    size: usize,
    work: Box<dyn FnOnce() -> Outcome>,
}

impl Member {
    fn new(size: usize, work: impl FnOnce() -> Outcome + 'static) -> Member {
        Member { size, work: Box::new(work) }
    }
}

/// A family of inputs.
struct Family {
    name: &'static str,
    /// The parameter of the smaller member.
    start: usize,
    make: fn(usize) -> Made,
}

const FAMILIES: [&[Family]; 11] = [
    &inputs::FAMILIES,
    &tiles::FAMILIES,
    &meshes::FAMILIES,
    &crowds::FAMILIES,
    &scenarios::FAMILIES,
    &levels::FAMILIES,
    &borders::FAMILIES,
    &maps::FAMILIES,
    &foreign::FAMILIES,
    &obstacles::FAMILIES,
    &hierarchies::FAMILIES,
];

/// The families that are asked for. Without names all of them; of those, with `--part=I/N`, every N-th from
/// the I-th on.
fn asked() -> impl Iterator<Item = &'static Family> {
    let (mut names, mut part, mut parts) = (Vec::new(), 0, 1);
    for argument in std::env::args().skip(1) {
        let numbers = argument.strip_prefix("--part=").and_then(|numbers| numbers.split_once('/'));
        match numbers.map(|(part, parts)| (part.parse(), parts.parse())) {
            Some((Ok(of), Ok(all))) => (part, parts) = (of, all),
            _ => names.push(argument),
        }
    }
    let is_asked = move |family: &&Family| {
        names.is_empty() || names.iter().any(|asked| family.name.contains(asked.as_str()))
    };
    FAMILIES.into_iter().flatten().filter(is_asked).skip(part).step_by(parts.max(1))
}

fn main() -> ExitCode {
    let mut boundaries = 0;
    let mut boundary = || {
        boundaries += 1;
        stage_boundary(boundaries);
    };
    for family in asked() {
        for parameter in [family.start, STEP * family.start] {
            let done = (family.make)(parameter).and_then(|member| {
                boundary();
                println!("{} {}", family.name, member.size);
                let done = (member.work)();
                boundary();
                println!("-");
                done
            });
            if let Err(error) = done {
                eprintln!("growth: {} of {parameter}: {error}", family.name);
                return ExitCode::from(3);
            }
        }
    }
    ExitCode::SUCCESS
}
