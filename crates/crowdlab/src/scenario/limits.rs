//! Ranges of numbers, and names that must refer to something.

use super::plan::{Agents, DiscCourse, Door, Follow, Goal, Kind, Point, Region, Scenario};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The longest time, seconds.
const LONGEST: f64 = 100_000.0;
/// The largest number of agents.
const MOST_AGENTS: u64 = 100_000;
/// The largest coordinate, metres.
const FARTHEST: f64 = 1e7;
/// The largest number of agents that follow one leader.
const MOST_FOLLOWERS: u32 = 255;

/// A fault of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// The key: `agents[1].count`.
    pub(super) path: String,
    /// The value that was found, and the value that was expected.
    pub(super) what: String,
}

/// The index of the first element of a list with each name.
type FirstNamed<'a> = BTreeMap<&'a str, usize>;

fn first_named<'a>(names: impl Iterator<Item = (usize, &'a str)>) -> FirstNamed<'a> {
    let mut first = FirstNamed::new();
    names.for_each(|(index, name)| {
        first.entry(name).or_insert(index);
    });
    first
}

/// All names of a scenario, in maps. The number of names is limited only by the size of the file, so a linear
/// search for each would be too slow.
struct ScenarioNames<'a> {
    kinds: FirstNamed<'a>,
    agents: FirstNamed<'a>,
    /// Names of leaders, with the index of the first table that follows each.
    leaders: FirstNamed<'a>,
    gates: FirstNamed<'a>,
}

impl ScenarioNames<'_> {
    fn of(scenario: &Scenario) -> ScenarioNames<'_> {
        let followers = scenario.agents.iter().enumerate();
        let leaders = followers.filter_map(|(index, agents)| Some((index, &*agents.follow.as_ref()?.leader)));
        ScenarioNames {
            kinds: first_named(scenario.kind.iter().map(|kind| &*kind.name).enumerate()),
            agents: first_named(scenario.agents.iter().map(|agents| &*agents.name).enumerate()),
            leaders: first_named(leaders),
            gates: first_named(scenario.gate.iter().map(|gate| &*gate.name).enumerate()),
        }
    }
}

/// Returns true if an element before `index` has the same name.
fn is_taken(first: &FirstNamed<'_>, name: &str, index: usize) -> bool {
    first.get(name).is_some_and(|&first| first < index)
}

/// Collects the faults.
#[derive(Default)]
struct Findings(Vec<Wrong>);

impl Findings {
    fn add(&mut self, path: impl Into<String>, what: impl Into<String>) {
        self.0.push(Wrong { path: path.into(), what: what.into() });
    }

    /// A number that may be missing.
    fn range(&mut self, path: &str, value: Option<f64>, range: RangeInclusive<f64>, unit: &str) {
        if let Some(value) = value.filter(|value| !range.contains(value)) {
            let (least, most) = range.into_inner();
            self.add(path, format!("is {value}, expected {least} to {most}{unit}"));
        }
    }

    fn points<'a>(&mut self, path: &str, points: impl IntoIterator<Item = &'a Point>) {
        let is_sound = |point: &Point| point.iter().all(|v| v.abs() <= FARTHEST);
        if let Some(point) = points.into_iter().find(|point| !is_sound(point)) {
            self.add(
                path,
                format!("has {point:?}, expected coordinates from {:e} to {FARTHEST:e} m", -FARTHEST),
            );
        }
    }

    /// Requires at least one point, and all points valid.
    fn some_points(&mut self, path: &str, points: &[Point]) {
        if points.is_empty() {
            self.add(path, "is empty, expected at least one place");
        }
        self.points(path, points);
    }

    fn region(&mut self, path: &str, region: &Region) {
        match region {
            Region::Box(corners) => self.points(&format!("{path}.box"), corners),
            Region::Places(places) => self.some_points(&format!("{path}.places"), places),
            Region::Disc { centre, radius } => self.around(&format!("{path}.disc"), centre, *radius),
            Region::Ring { centre, radius } => self.around(&format!("{path}.ring"), centre, *radius),
        }
    }

    fn around(&mut self, path: &str, centre: &Point, radius: f64) {
        self.points(&format!("{path}.centre"), [centre]);
        self.range(&format!("{path}.radius"), Some(radius), 0.0..=FARTHEST, " m");
    }

    /// Times `[from, until]`, in ascending order.
    fn spans(&mut self, path: &str, spans: &[[f64; 2]]) {
        let times = spans.iter().flatten();
        let ascend = times.clone().zip(times.clone().skip(1)).all(|(a, b)| a <= b);
        if !ascend || !times.clone().all(|time| (0.0..=LONGEST).contains(time)) {
            let what = format!(
                "is {spans:?}, expected times [from, until] from 0 to {LONGEST} s in ascending order"
            );
            self.add(path, what);
        }
    }

    fn kind(&mut self, path: &str, kind: &Kind) {
        if kind.name.is_empty() {
            self.add(path, "has no `name`, which every [[kind]] needs");
        }
        let wide = |value: Option<f32>| value.map(f64::from);
        for (key, value, range, unit) in [
            ("radius", kind.radius, 0.0..=100.0, " m"),
            ("height", kind.height, 0.0..=100.0, " m"),
            ("speed", kind.speed, 0.001..=100.0, " m/s"),
            ("acceleration", kind.acceleration, 0.0..=1000.0, " m/s2"),
            ("turn_rate", kind.turn_rate, 0.0..=f64::INFINITY, " rad/s"),
            ("horizon", kind.horizon, 0.1..=10.0, " s"),
            ("stopping_distance", kind.stopping_distance, 0.0..=1000.0, " m"),
            ("link_speed", kind.link_speed, 0.001..=100.0, " m/s"),
        ] {
            // Rounded as they are written in the file, not as f32 stores them.
            let value = wide(value).map(|value| (value * 1e6).round() / 1e6);
            self.range(&format!("{path}.{key}"), value, range, unit);
        }
        for (key, layers) in [("layers", &kind.layers), ("avoids", &kind.avoids)] {
            for layer in layers.iter().flatten().filter(|layer| **layer > 31) {
                self.add(format!("{path}.{key}"), format!("has {layer}, expected layers from 0 to 31"));
            }
        }
        for (area, cost) in &kind.cost {
            let (least, most) = (detour::Filter::MIN_COST, detour::Filter::MAX_COST);
            if !(least..=most).contains(cost) {
                let what = format!("is {cost}, expected {least:e} to {most:e} per metre");
                self.add(format!("{path}.cost.{area}"), what);
            }
        }
    }

    fn goal(&mut self, path: &str, goal: &Goal) {
        match goal {
            Goal::Place(point) => self.points(&format!("{path}.place"), [point]),
            Goal::Into(region) => self.region(&format!("{path}.into"), region),
            Goal::Opposite(point) => self.points(&format!("{path}.opposite"), [point]),
            Goal::Shift(point) => self.points(&format!("{path}.shift"), [point]),
            Goal::Field(places) => self.some_points(&format!("{path}.field"), places),
            Goal::Patrol(places) => self.some_points(&format!("{path}.patrol"), places),
            Goal::Chase(_) => {}
        }
    }

    fn door(&mut self, path: &str, door: &Door) {
        self.points(&format!("{path}.box"), &door.within);
        self.spans(&format!("{path}.shut"), &door.shut);
        if door.flags == Some(0) {
            self.add(format!("{path}.flags"), "is 0, expected at least one flag");
        }
    }

    fn disc(&mut self, path: &str, disc: &DiscCourse) {
        for (key, value, unit) in
            [("radius", disc.radius, " m"), ("height", disc.height, " m"), ("speed", disc.speed, " m/s")]
        {
            self.range(&format!("{path}.{key}"), Some(value.into()), 0.0..=100.0, unit);
        }
        self.some_points(&format!("{path}.course"), &disc.course);
    }
}

impl Scenario {
    /// All faults of the scenario.
    pub(super) fn wrong(&self) -> Vec<Wrong> {
        let (mut found, names) = (Findings::default(), ScenarioNames::of(self));
        found.range("seconds", Some(self.seconds), 0.0..=LONGEST, " s");
        found.range("rate", Some(self.rate), 1.0..=1000.0, " steps per second");
        let tuning = &self.crowd;
        for (key, value, most) in [
            ("search_nodes", tuning.search_nodes, u32::MAX),
            ("avoid_every", tuning.avoid_every, 1000),
            ("far_every", tuning.far_every, 60),
        ] {
            found.range(&format!("crowd.{key}"), value.map(f64::from), 1.0..=most.into(), "");
        }
        found.range("crowd.stuck_after", tuning.stuck_after.map(f64::from), 0.1..=1000.0, " s");
        found.range("crowd.interest_radius", Some(tuning.interest_radius.into()), 0.0..=1e6, " m");
        found.points("crowd.interest", &tuning.interest);
        for (index, kind) in self.kind.iter().enumerate() {
            found.kind(&format!("kind[{index}]"), kind);
            if is_taken(&names.kinds, &kind.name, index) {
                let what = format!("is \"{}\", which is the name of another [[kind]]", kind.name);
                found.add(format!("kind[{index}].name"), what);
            }
        }
        let count: u64 = self.agents.iter().map(|agents| u64::from(agents.total())).sum();
        if count > MOST_AGENTS {
            found.add("agents", format!("are {count} in all, expected at most {MOST_AGENTS}"));
        }
        for (index, agents) in self.agents.iter().enumerate() {
            self.check_agents(index, agents, &names, &mut found);
        }
        for (index, door) in self.door.iter().enumerate() {
            found.door(&format!("door[{index}]"), door);
        }
        for (index, tile) in self.tile.iter().enumerate() {
            found.spans(&format!("tile[{index}].gone"), &tile.gone);
            let times: Vec<[f64; 2]> = tile.replaced.iter().map(|time| [*time; 2]).collect();
            found.spans(&format!("tile[{index}].replaced"), &times);
        }
        for (index, disc) in self.disc.iter().enumerate() {
            found.disc(&format!("disc[{index}]"), disc);
        }
        self.check_gates(&names, &mut found);
        self.check_bounds(&names, &mut found);
        found.0
    }

    fn check_agents(&self, index: usize, agents: &Agents, names: &ScenarioNames<'_>, found: &mut Findings) {
        let path = format!("agents[{index}]");
        if let Some(kind) = &agents.kind
            && !names.kinds.contains_key(&**kind)
        {
            found.add(format!("{path}.kind"), format!("is \"{kind}\", expected the name of a [[kind]]"));
        }
        if !agents.name.is_empty() && is_taken(&names.agents, &agents.name, index) {
            let what = format!("is \"{}\", which is the name of other [[agents]]", agents.name);
            found.add(format!("{path}.name"), what);
        }
        found.region(&format!("{path}.start"), &agents.start);
        match (&agents.start, agents.count) {
            (_, Some(0)) => found.add(format!("{path}.count"), "is 0, expected at least 1"),
            (Region::Places(places), Some(count)) if count as usize > places.len() => {
                let what = format!("is {count}, expected at most one for each of {} places", places.len());
                found.add(format!("{path}.count"), what);
            }
            (Region::Places(_), _) | (_, Some(_)) => {}
            _ => found.add(&*path, "have no `count`, which only agents with `start.places` can omit"),
        }
        found.range(&format!("{path}.at"), Some(agents.at), 0.0..=LONGEST, " s");
        if let Some(goal) = &agents.goal {
            found.goal(&format!("{path}.goal"), goal);
        }
        let others = |name: &str| names.agents.contains_key(name) && !name.is_empty();
        if let Some(Goal::Chase(name)) = &agents.goal
            && (!others(name) || *name == agents.name)
        {
            let what = format!("is \"{name}\", expected the name of other [[agents]]");
            found.add(format!("{path}.goal.chase"), what);
        }
        if let Some(follow) = &agents.follow {
            self.check_follow(index, follow, names, found);
        }
    }

    fn check_follow(&self, index: usize, follow: &Follow, names: &ScenarioNames<'_>, found: &mut Findings) {
        let (path, agents) = (format!("agents[{index}]"), &self.agents[index]);
        let leader = names.agents.get(&*follow.leader).map(|&leader| &self.agents[leader]);
        if leader.is_none_or(|leader| leader.follow.is_some()) || follow.leader.is_empty() {
            let what =
                format!("is \"{}\", expected the name of [[agents]] that do not follow", follow.leader);
            found.add(format!("{path}.follow.leader"), what);
        }
        if is_taken(&names.leaders, &follow.leader, index) {
            let what = format!("is \"{}\", which other agents already follow", follow.leader);
            found.add(format!("{path}.follow.leader"), what);
        }
        if agents.goal.is_some() {
            found.add(format!("{path}.goal"), "cannot be combined with `follow`: remove one of them");
        }
        if agents.total() > MOST_FOLLOWERS {
            found.add(&*path, format!("are {}, expected at most {MOST_FOLLOWERS} followers", agents.total()));
        }
        found.range(&format!("{path}.follow.spacing"), Some(follow.spacing.into()), 0.0..=1000.0, " m");
    }

    fn check_gates(&self, names: &ScenarioNames<'_>, found: &mut Findings) {
        for (index, gate) in self.gate.iter().enumerate() {
            let path = format!("gate[{index}]");
            found.points(&format!("{path}.line"), &gate.line);
            if is_taken(&names.gates, &gate.name, index) || gate.name.is_empty() {
                let what = format!("is \"{}\", expected a name that no other [[gate]] has", gate.name);
                found.add(format!("{path}.name"), what);
            }
            let [[ax, _, az], [bx, _, bz]] = gate.line;
            if ax == bx && az == bz {
                found.add(
                    format!("{path}.line"),
                    "has no length as seen from above, expected two different places",
                );
            }
        }
    }

    fn check_bounds(&self, names: &ScenarioNames<'_>, found: &mut Findings) {
        let bounds = &self.check;
        let share = ", a share of the agents that were sent";
        found.range("check.arrived", bounds.arrived, 0.0..=1.0, share);
        for (key, value) in [
            ("worst_overlap", bounds.worst_overlap),
            ("mean_delay", bounds.mean_delay),
            ("p95_delay", bounds.p95_delay),
            ("mean_jerk", bounds.mean_jerk),
            ("seconds", bounds.seconds),
        ] {
            found.range(&format!("check.{key}"), value, 0.0..=1e9, "");
        }
        for (name, flow) in &bounds.flow {
            let path = format!("check.flow.{name}");
            if !names.gates.contains_key(&**name) {
                found.add(&*path, "is not a [[gate]] of the file, expected the name of one");
            }
            found.range(&path, Some(*flow), 0.0..=1e9, "");
        }
        if let Some(hash) = &bounds.hash
            && (hash.len() != 16 || u64::from_str_radix(hash, 16).is_err())
        {
            found.add("check.hash", format!("is {hash:?}, expected 16 hexadecimal digits"));
        }
    }
}

impl Agents {
    /// Number of agents.
    pub(super) fn total(&self) -> u32 {
        match (&self.start, self.count) {
            (_, Some(count)) => count,
            (Region::Places(places), None) => places.len() as u32,
            _ => 0,
        }
    }
}
