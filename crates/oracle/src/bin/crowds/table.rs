//! The result of a contest as lines of a table.

use crate::contest::Standing;

/// The head of the table.
pub(crate) const HEAD: &str = "\
| level | agents | crowd | us an agent and step | speed | arrived | mean delay, s | worst overlap, radii | off the mesh | jerk, m/s |
|---|---|---|---|---|---|---|---|---|---|";

/// A line for each crowd; speed is in multiples of the first.
pub(crate) fn lines(level: &str, agents: usize, outcomes: &[Standing]) -> Vec<String> {
    let first = outcomes.first().map_or(0.0, |outcome| outcome.cost);
    let line = |outcome: &Standing| {
        let Standing { name, cost, arrived, delay, overlap, left_mesh, jerk } = outcome;
        let speed = if *cost > 0.0 { first / cost } else { 0.0 };
        format!(
            "| {level} | {agents} | {name} | {cost:.2} | {speed:.2} | {:.1} % | {delay:.2} | {overlap:.3} | {left_mesh} | {jerk:.4} |",
            arrived * 100.0
        )
    };
    outcomes.iter().map(line).collect()
}
