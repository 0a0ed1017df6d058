//! `cargo xtask growth`: checks how work grows with its input, for the worst families of input that are
//! known. benches/src/bin/growth has each family in two sizes. The instructions of both are counted, so that
//! a machine's load does not matter.

use crate::{Error, Outcome, callgrind};
use rayon::prelude::*;
use std::path::Path;

/// Limit of growth beyond proportion: the factor of work per unit of input from the smaller member of a
/// family to the larger one, which is four times as large. Sorting needs some of it; quadratic work would
/// reach four.
const MOST: f64 = 1.4;
/// Families that take more, and how much. The reason for groups is not known.
const KNOWN: [(&str, f64); 1] = [("crowd/groups", 1.8)];

#[derive(Debug, Default, clap::Args)]
pub(crate) struct GrowthArgs {
    /// Count only families whose names have one of these in them
    #[arg(value_name = "PART")]
    names: Vec<String>,
}

/// A member of a family.
#[derive(Clone, Debug, PartialEq)]
struct Member {
    family: String,
    size: f64,
    instructions: f64,
}

/// The lane of `ci`. Without valgrind, prints that it is skipped.
pub(crate) fn lane() -> Outcome {
    callgrind::if_there(|| compare(&GrowthArgs::default()))
}

/// Compares all families, or some.
pub(crate) fn run(call: &GrowthArgs) -> Outcome {
    callgrind::or_error(|| compare(call))
}

fn compare(call: &GrowthArgs) -> Outcome {
    // Optimised code takes less than half the instructions. It also removes checks whose linear cost would
    // hide a loop.
    let program = callgrind::build("growth")?;
    let members = all_members(&program, &call.names)?;
    let mut good = true;
    for pair in members.chunks(2) {
        let [small, large] = pair else { return Err("a family has one member".into()) };
        let factor = growth(small, large)?;
        let known = KNOWN.iter().find(|(family, _)| *family == small.family);
        let most = known.map_or(MOST, |(_, most)| *most);
        let verdict = if factor <= most { "" } else { ": too much" };
        println!(
            "{:<45} {:>7.2} million instructions; {:>4.1} times the size takes {:.2} times that per unit{verdict}",
            small.family,
            small.instructions / 1e6,
            large.size / small.size,
            factor
        );
        good &= factor <= most;
    }
    Ok(good)
}

/// Counts the members of all families: each processor runs the program for its part of them, since valgrind
/// runs threads one after the other.
fn all_members(program: &Path, names: &[String]) -> Result<Vec<Member>, Error> {
    let parts = if names.is_empty() { std::thread::available_parallelism()?.get() } else { 1 };
    let count = |part: usize| {
        let arguments = [&[format!("--part={part}/{parts}")], names].concat();
        let counted = callgrind::intervals(program, &format!("growth-{part}"), &arguments);
        counted.and_then(|counted| counted.iter().map(member).collect()).map_err(|error| error.to_string())
    };
    let counted: Result<Vec<Vec<Member>>, String> = (0..parts).into_par_iter().map(count).collect();
    Ok(counted?.concat())
}

/// The member that a line names: its family and its size.
fn member((line, instructions): &(String, u64)) -> Result<Member, Error> {
    let (family, size) = line.rsplit_once(' ').ok_or("a line has no size")?;
    Ok(Member { family: family.to_owned(), size: size.parse()?, instructions: *instructions as f64 })
}

/// Factor by which the larger member takes more work per unit of its size.
fn growth(small: &Member, large: &Member) -> Result<f64, Error> {
    if small.family != large.family || small.size >= large.size {
        return Err(format!("{} and {} are no pair", small.family, large.family).into());
    }
    Ok(large.instructions / small.instructions * small.size / large.size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str, instructions: u64) -> Member {
        member(&(line.to_owned(), instructions)).unwrap()
    }

    #[test]
    fn growth_is_that_of_a_unit() {
        assert_eq!(growth(&of("a/b 10", 100), &of("a/b 40", 400)).unwrap(), 1.0);
        assert_eq!(growth(&of("a/b 10", 100), &of("a/b 40", 1600)).unwrap(), 4.0);
        assert!(growth(&of("a/b 10", 100), &of("a/c 40", 1600)).is_err());
        assert!(growth(&of("a/b 10", 100), &of("a/b 10", 1600)).is_err());
        assert!(member(&("a/b".to_owned(), 1)).is_err());
    }
}
