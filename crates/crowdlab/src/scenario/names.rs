//! Names of a scenario that must refer to something, and keys that depend on others.

use super::keys::MOST_AGENTS;
use super::plan::{Agents, Follow, Goal, Region, Scenario};
use navinput::escaped;
use navinput::tables::Reader;
use std::collections::BTreeMap;

/// The largest number of agents that follow one leader.
const MOST_FOLLOWERS: u32 = 255;

/// The index of the first element of a list with each name.
type FirstNamed<'a> = BTreeMap<&'a str, usize>;

fn first_named<'a>(names: impl Iterator<Item = (usize, &'a str)>) -> FirstNamed<'a> {
    let mut first = FirstNamed::new();
    names.filter(|(_, name)| !name.is_empty()).for_each(|(index, name)| {
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

impl Scenario {
    /// Notes names without a meaning, and values that do not fit together.
    pub(super) fn check_names(&self, reader: &mut Reader<'_>) {
        let names = ScenarioNames::of(self);
        for (index, kind) in self.kind.iter().enumerate() {
            if is_taken(&names.kinds, &kind.name, index) {
                let what = format!("is \"{}\", which is the name of another [[kind]]", escaped(&kind.name));
                reader.refuse(&format!("kind[{index}].name"), &what);
            }
        }
        for (index, gate) in self.gate.iter().enumerate() {
            if is_taken(&names.gates, &gate.name, index) {
                let name = escaped(&gate.name);
                let what = format!("is \"{name}\", expected a name that no other [[gate]] has");
                reader.refuse(&format!("gate[{index}].name"), &what);
            }
        }
        let count: u64 = self.agents.iter().map(|agents| u64::from(agents.total())).sum();
        if count > MOST_AGENTS.into() {
            reader.refuse("agents", &format!("are {count} in all, expected at most {MOST_AGENTS}"));
        }
        for (index, agents) in self.agents.iter().enumerate() {
            check_agents((index, agents), &names, reader);
            if let Some(follow) = &agents.follow {
                self.check_follow((index, follow), &names, reader);
            }
        }
        for name in self.check.flow.keys().filter(|name| !names.gates.contains_key(name.as_str())) {
            let path = format!("check.flow.{}", escaped(name));
            reader.refuse(&path, "is not a [[gate]] of the file, expected the name of one");
        }
    }

    fn check_follow(
        &self,
        (index, follow): (usize, &Follow),
        names: &ScenarioNames<'_>,
        reader: &mut Reader<'_>,
    ) {
        let (path, agents) = (format!("agents[{index}]"), &self.agents[index]);
        let leader = names.agents.get(&*follow.leader).map(|&leader| &self.agents[leader]);
        let name = escaped(&follow.leader);
        if leader.is_none_or(|leader| leader.follow.is_some()) && !name.is_empty() {
            let what = format!("is \"{name}\", expected the name of [[agents]] that do not follow");
            reader.refuse(&format!("{path}.follow.leader"), &what);
        }
        if is_taken(&names.leaders, &follow.leader, index) {
            let what = format!("is \"{name}\", which other agents already follow");
            reader.refuse(&format!("{path}.follow.leader"), &what);
        }
        if agents.goal.is_some() {
            reader.refuse(&format!("{path}.goal"), "cannot be combined with `follow`: remove one of them");
        }
        if agents.total() > MOST_FOLLOWERS {
            let what = format!("are {}, expected at most {MOST_FOLLOWERS} followers", agents.total());
            reader.refuse(&path, &what);
        }
    }
}

fn check_agents((index, agents): (usize, &Agents), names: &ScenarioNames<'_>, reader: &mut Reader<'_>) {
    let path = format!("agents[{index}]");
    if let Some(kind) = agents.kind.as_deref().filter(|kind| !names.kinds.contains_key(kind)) {
        let what = format!("is \"{}\", expected the name of a [[kind]]", escaped(kind));
        reader.refuse(&format!("{path}.kind"), &what);
    }
    if is_taken(&names.agents, &agents.name, index) {
        let what = format!("is \"{}\", which is the name of other [[agents]]", escaped(&agents.name));
        reader.refuse(&format!("{path}.name"), &what);
    }
    let count = format!("{path}.count");
    match (&agents.start, agents.count) {
        (Region::Places(places), Some(given)) if (1..given as usize).contains(&places.len()) => {
            let what = format!("is {given}, expected at most one for each of {} places", places.len());
            reader.refuse(&count, &what);
        }
        (Region::Places(_), _) | (_, Some(_)) => {}
        _ if reader.has(&count) => {}
        _ => reader.refuse(&path, "have no `count`, which only agents with `start.places` can omit"),
    }
    if let Some(Goal::Chase(name)) = &agents.goal
        && (*name == agents.name || !names.agents.contains_key(name.as_str()))
    {
        let what = format!("is \"{}\", expected the name of other [[agents]]", escaped(name));
        reader.refuse(&format!("{path}.goal.chase"), &what);
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
