//! The bounds of a scenario, and the violations in a run.

use super::report::RunReport;
use std::collections::BTreeMap;
use std::fmt;

/// Bounds on the figures of a run, `[check]`. Omitted bounds always hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The smallest share of sent agents that must arrive: 1 for all.
    pub arrived: Option<f64>,
    /// The largest overlap of two bodies, in radii of the smaller.
    pub worst_overlap: Option<f64>,
    /// The largest number of positions off the mesh.
    pub left_mesh: Option<u64>,
    /// The largest mean delay: seconds beyond the time that each agent would have taken alone.
    pub mean_delay: Option<f64>,
    /// Limit on the delay that one in twenty exceeds.
    pub p95_delay: Option<f64>,
    /// The largest mean change of velocity in a step, metres per second.
    pub mean_jerk: Option<f64>,
    /// The largest number of times that agents are stuck.
    pub stuck: Option<u64>,
    /// The largest number of seconds until the last agent has arrived.
    pub seconds: Option<f64>,
    /// The smallest number of these seconds.
    pub least_seconds: Option<f64>,
    /// The smallest flow through a gate, agents per second and metre.
    pub flow: BTreeMap<String, f64>,
    /// The hash of all positions of all steps.
    pub hash: Option<String>,
}

/// A violated bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// Its key in `[check]`.
    pub bound: String,
    /// The figure of the run.
    pub found: String,
    /// The bound.
    pub expected: String,
    /// Amount of the violation; `None` for a hash.
    pub by: Option<f64>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { bound, found, expected, by } = self;
        write!(f, "`{bound}` is {found}, expected {expected}")?;
        by.map_or(Ok(()), |by| write!(f, ": off by {by}"))
    }
}

impl Bounds {
    /// Returns true if there are no bounds.
    pub fn is_empty(&self) -> bool {
        *self == Bounds::default()
    }

    /// The bounds that a run violates.
    pub fn broken(&self, report: &RunReport) -> Vec<Broken> {
        let trial = &report.trial;
        let wide = |value: f32| f64::from(value);
        // If nobody was sent, nobody failed to arrive.
        let share = if trial.agents == 0 { 1.0 } else { trial.arrived as f64 / trial.agents as f64 };
        let mut broken = Vec::new();
        let mut check = |bound: String, found: f64, least: Option<f64>, most: Option<f64>| {
            let round = |value: f64| (value * 1e6).round() / 1e6;
            let found = round(found);
            let missed = least.filter(|least| found < *least).map(|least| ("least", least));
            let over = most.filter(|most| found > *most).map(|most| ("most", most));
            if let Some((side, limit)) = missed.or(over) {
                let by = Some(round((found - limit).abs()));
                let expected = format!("at {side} {limit}");
                broken.push(Broken { bound, found: found.to_string(), expected, by });
            }
        };
        check("arrived".to_owned(), share, self.arrived, None);
        check("least_seconds".to_owned(), wide(trial.seconds), self.least_seconds, None);
        for (bound, found, most) in [
            ("worst_overlap", wide(trial.worst_overlap), self.worst_overlap),
            ("left_mesh", trial.left_mesh as f64, self.left_mesh.map(|most| most as f64)),
            ("mean_delay", wide(trial.mean_delay), self.mean_delay),
            ("p95_delay", wide(trial.p95_delay), self.p95_delay),
            ("mean_jerk", wide(trial.mean_jerk), self.mean_jerk),
            ("stuck", trial.stuck as f64, self.stuck.map(|most| most as f64)),
            ("seconds", wide(trial.seconds), self.seconds),
        ] {
            check(bound.to_owned(), found, None, most);
        }
        for flow in &report.flows {
            check(format!("flow.{}", flow.name), wide(flow.rate), self.flow.get(&flow.name).copied(), None);
        }
        let found = format!("{:016x}", trial.hash);
        if let Some(expected) = self.hash.as_ref().filter(|hash| !hash.eq_ignore_ascii_case(&found)) {
            let (bound, expected) = ("hash".to_owned(), expected.clone());
            broken.push(Broken { bound, found, expected, by: None });
        }
        broken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Flow;
    use crate::trial::TrialReport;

    #[test]
    fn broken_bounds_say_by_how_much() {
        let trial = TrialReport { agents: 8, arrived: 6, worst_overlap: 0.25, ..TrialReport::default() };
        let flow = Flow { name: "exit".to_owned(), width: 1.0, passed: 6, rate: 0.5 };
        let report = RunReport { trial, flows: vec![flow] };
        assert!(Bounds::default().broken(&report).is_empty());
        let bounds = Bounds {
            arrived: Some(0.875),
            worst_overlap: Some(0.05),
            left_mesh: Some(0),
            flow: BTreeMap::from([("exit".to_owned(), 1.5)]),
            hash: Some("00000000000000ff".to_owned()),
            ..Bounds::default()
        };
        let lines: Vec<String> = bounds.broken(&report).iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "`arrived` is 0.75, expected at least 0.875: off by 0.125",
                "`worst_overlap` is 0.25, expected at most 0.05: off by 0.2",
                "`flow.exit` is 0.5, expected at least 1.5: off by 1",
                "`hash` is 0000000000000000, expected 00000000000000ff",
            ]
        );
    }
}
