//! The report of `navtile crowd`.

use crate::report::{columns, rounded};
use crowdlab::scenario::{Broken, Flow, RunReport};
use crowdlab::trial::TrialReport;
use navdraw::number::counted;
use serde::Serialize;
use std::time::Duration;

/// Times of the steps.
#[derive(Debug, Default)]
pub(super) struct StepTimes(Vec<Duration>);

impl StepTimes {
    pub(super) fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Microseconds.
    fn summary(&self) -> StepMicros {
        let mut sorted: Vec<f64> = self.0.iter().map(|time| time.as_secs_f64() * 1e6).collect();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (sorted.len() as f64 * share) as usize;
            sorted.get(place.min(sorted.len().saturating_sub(1))).map_or(0.0, |time| rounded(*time))
        };
        StepMicros { median: at(0.5), p99: at(0.99), max: at(1.0) }
    }
}

/// Time of a step, microseconds.
#[derive(Clone, Copy, Debug, Serialize)]
struct StepMicros {
    median: f64,
    p99: f64,
    max: f64,
}

/// The results of a crowd.
#[derive(Debug, Serialize)]
pub(super) struct CrowdReport {
    pub(super) agents: usize,
    pub(super) arrived: usize,
    /// In radii.
    worst_overlap: f64,
    left_mesh: u64,
    /// Seconds.
    mean_delay: f64,
    /// Seconds.
    p95_delay: f64,
    /// Metres per second.
    mean_jerk: f64,
    stuck: u64,
    seconds: f64,
    step_us: StepMicros,
    hash: String,
    /// Options that may help agents that have not arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gates: Vec<GateFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    broken: Vec<BrokenBound>,
}

/// The number of agents that passed a gate.
#[derive(Debug, Serialize)]
struct GateFlow {
    name: String,
    /// Metres.
    width: f64,
    passed: usize,
    /// Agents per second and metre.
    flow: f64,
}

/// A bound of the scenario that is broken.
#[derive(Debug, Serialize)]
struct BrokenBound {
    bound: String,
    found: String,
    expected: String,
    off_by: Option<f64>,
    #[serde(skip)]
    line: String,
}

impl CrowdReport {
    pub(super) fn new(
        run: &RunReport,
        times: &StepTimes,
        broken: &[Broken],
        is_scenario: bool,
    ) -> CrowdReport {
        let trial = &run.trial;
        CrowdReport {
            agents: trial.agents,
            arrived: trial.arrived,
            worst_overlap: rounded(trial.worst_overlap.into()),
            left_mesh: trial.left_mesh,
            mean_delay: rounded(trial.mean_delay.into()),
            p95_delay: rounded(trial.p95_delay.into()),
            mean_jerk: rounded(trial.mean_jerk.into()),
            stuck: trial.stuck,
            seconds: rounded(trial.seconds.into()),
            step_us: times.summary(),
            hash: format!("{:016x}", trial.hash),
            help: help(trial, is_scenario),
            gates: run.flows.iter().map(GateFlow::of).collect(),
            broken: broken.iter().map(BrokenBound::of).collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        let StepMicros { median, p99, max } = self.step_us;
        let mut lines = vec![
            ("arrived", format!("{} of {} after {:.1} s", self.arrived, self.agents, self.seconds)),
            (
                "delay",
                format!(
                    "{:.2} s over the shortest path, on average; {:.2} s p95",
                    self.mean_delay, self.p95_delay
                ),
            ),
            ("overlap", format!("{:.1} % of a radius at worst", self.worst_overlap * 100.0)),
            ("left mesh", self.left_mesh.to_string()),
            ("shimmer", format!("{:.4} m/s change of velocity per step, on average", self.mean_jerk)),
            ("stuck", format!("{} times", self.stuck)),
            ("step", format!("{median:.0} us in the median, {p99:.0} us p99, {max:.0} us at most")),
            ("hash", self.hash.clone()),
        ];
        lines.extend(self.gates.iter().map(|GateFlow { name, width, passed, flow }| {
            ("gate", format!("{name}: {passed} passed, {flow:.2} per second and metre, {width:.2} m wide"))
        }));
        lines.extend(self.help.iter().map(|help| ("help", help.clone())));
        lines.extend(self.broken.iter().map(|broken| ("broken", broken.line.clone())));
        columns(lines)
    }
}

/// Options that may help agents that have not arrived in time.
fn help(trial: &TrialReport, is_scenario: bool) -> Option<String> {
    let late = counted(trial.agents - trial.arrived, "agent");
    let longer = (trial.seconds * 3.0).round().max(1.0);
    let remedies = if is_scenario {
        format!("more time (`seconds = {longer}`), a smaller `radius` of the kinds, or fewer agents")
    } else {
        format!("more time (`--seconds {longer}`), a smaller `--radius`, or fewer `--agents`")
    };
    (trial.arrived < trial.agents).then(|| format!("{late} did not arrive in time. Try {remedies}"))
}

impl GateFlow {
    fn of(flow: &Flow) -> GateFlow {
        let Flow { name, width, passed, rate } = flow;
        GateFlow {
            name: name.clone(),
            width: rounded((*width).into()),
            passed: *passed,
            flow: rounded((*rate).into()),
        }
    }
}

impl BrokenBound {
    fn of(broken: &Broken) -> BrokenBound {
        let Broken { bound, found, expected, by } = broken.clone();
        BrokenBound { bound, found, expected, off_by: by, line: broken.to_string() }
    }
}
