//! Paths by default, and the shortest, compared with the C++ library's.

use super::RuntimeError;
use super::asker::Asker;
use super::draw::Draw;
use super::paths::{ends, our_path, our_string, their_path, their_string};
use super::string::{flat_length, pull};
use super::verdict::{SAME, Verdict};
use detour::{Optimality, PathStatus};

/// Ratios of lengths, ours over theirs, of paths that reach their goal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lengths {
    /// Sums of lengths, metres: ours, theirs, the shortest.
    pub sums: [f64; 3],
    /// Each path's ratio by default.
    pub ratios: Vec<f64>,
}

/// The bounds on every mesh, as ratios to theirs: for 999 of 1,000 paths by default, and for the sum of
/// all.
const HELD: [f64; 2] = [1.15, 1.0];
/// Fewer paths than these are not enough to judge one in a thousand.
const ENOUGH: usize = 2_000;

impl Lengths {
    /// The ratio that 999 paths of 1,000 do not exceed; 1 without paths.
    pub fn percentile(&self) -> f64 {
        let mut sorted = self.ratios.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = (sorted.len() * 999).div_ceil(1000);
        sorted.get(at.saturating_sub(1)).copied().unwrap_or(1.0)
    }

    /// A message if a bound is broken.
    pub fn unexpected(&self) -> Option<String> {
        let [percentile, sum] = HELD;
        let long = self.sums[0] > self.sums[1] * sum + SAME;
        let outliers = self.ratios.len() >= ENOUGH && self.percentile() > percentile;
        (long || outliers).then(|| format!("paths by default are too long: {}", self.line().trim()))
    }

    /// A line of the report.
    pub fn line(&self) -> String {
        let [ours, theirs, shortest] = self.sums;
        let whole = theirs.max(SAME);
        let longest = self.ratios.iter().copied().fold(1.0, f64::max);
        format!(
            "  {} paths: by default {:.4} of theirs, 99.9th percentile {:.4}, longest {longest:.4}; shortest {:.4}",
            self.ratios.len(),
            ours / whole,
            self.percentile(),
            shortest / whole,
        )
    }
}

/// Checks that the shortest path is never longer than the C++ library's string, and measures our by default's
/// path.
pub fn shortest(
    asker: &mut Asker<'_>,
    draw: &mut Draw,
    lengths: &mut Lengths,
) -> Result<Verdict, RuntimeError> {
    let ends = ends(asker, draw)?;
    let [start, goal] = ends;
    let theirs = their_path(asker, ends, false)?;
    let filters = asker.filters(false);
    asker.ours.shortest_path(
        &asker.pair.ours,
        start.1,
        goal.1,
        &detour::Passable::of(&filters.ours),
        &mut asker.shortest,
    )?;
    let complete = asker.shortest.status == PathStatus::Complete;
    if theirs.last() != Some(&goal.0) || !complete {
        let both = theirs.last() != Some(&goal.0) && !complete;
        return Ok(if both {
            Verdict::Equal
        } else {
            Verdict::Unexplained(format!("{start:?} to {goal:?}"))
        });
    }
    let string = their_string(asker, &theirs, ends)?;
    let (shortest, other) = (asker.shortest.length_from_above, flat_length(&string));
    our_path(asker, ends, false, Optimality::Fast)?;
    let own = flat_length(&our_string(asker, ends)?);
    lengths.sums = [lengths.sums[0] + own, lengths.sums[1] + other, lengths.sums[2] + shortest];
    lengths.ratios.push(if other > SAME { own / other } else { 1.0 });
    let show =
        || format!("from {start:?} to {goal:?}: shortest {shortest}, own {own}, theirs {other} {theirs:?}");
    if own + SAME < shortest {
        return Ok(Verdict::Unexplained(format!("own is shorter than shortest: {}", show())));
    }
    if shortest <= other + SAME {
        return Ok(if shortest + SAME < other {
            Verdict::Deviates("shorter", show())
        } else {
            Verdict::Equal
        });
    }
    let (Some(&first), Some(&last)) = (string.first(), string.last()) else {
        return Ok(Verdict::Unexplained(show()));
    };
    let exact = pull(&asker.pair.exact, &theirs, first, last);
    Ok(match exact {
        Some(line) if shortest <= flat_length(&line) + SAME => Verdict::Deviates("seam-bytes", show()),
        _ => Verdict::Unexplained(show()),
    })
}
