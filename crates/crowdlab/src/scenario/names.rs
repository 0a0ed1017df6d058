//! Names of a scenario that must refer to something, and keys that depend on others.

use super::keys::MOST_AGENTS;
use super::plan::{Agents, Follow, Goal, Region, Scenario};
use navinput::escaped;
use navinput::tables::Reader;
use std::collections::BTreeSet;

/// The largest number of agents that follow one leader.
const MOST_FOLLOWERS: u32 = 255;

impl Scenario {
    /// Notes names without a meaning, and values that do not fit together.
    pub(super) fn check_names(&self, reader: &mut Reader<'_>) {
        let kinds = reader.first_named("kind", self.kind.iter().map(|kind| &*kind.name));
        let gates = reader.first_named("gate", self.gate.iter().map(|gate| &*gate.name));
        let cohorts = reader.first_named("agents", self.agents.iter().map(|agents| &*agents.name));
        let count: u64 = self.agents.iter().map(|agents| u64::from(agents.total())).sum();
        if count > MOST_AGENTS.into() {
            reader.refuse("agents", &format!("are {count} in all, expected at most {MOST_AGENTS}"));
        }
        let mut leaders = BTreeSet::new();
        for (index, agents) in self.agents.iter().enumerate() {
            let path = format!("agents[{index}]");
            if let Some(kind) = agents.kind.as_deref().filter(|kind| !kinds.contains_key(kind)) {
                let what = format!("is \"{}\", expected the name of a [[kind]]", escaped(kind));
                reader.refuse(&format!("{path}.kind"), &what);
            }
            check_count(agents, &path, reader);
            if let Some(Goal::Chase(name)) = &agents.goal
                && cohorts.get(&**name).is_none_or(|_| *name == agents.name)
            {
                let what = format!("is \"{}\", expected the name of other [[agents]]", escaped(name));
                reader.refuse(&format!("{path}.goal.chase"), &what);
            }
            if let Some(Follow { leader, .. }) = &agents.follow {
                let is_leader =
                    cohorts.get(&**leader).is_some_and(|&index| self.agents[index].follow.is_none());
                check_follow((agents, leader), (is_leader, leaders.insert(leader)), &path, reader);
            }
        }
        for name in self.check.flow.keys().filter(|name| !gates.contains_key(name.as_str())) {
            let path = format!("check.flow.{}", escaped(name));
            reader.refuse(&path, "is not a [[gate]] of the file, expected the name of one");
        }
    }
}

fn check_count(agents: &Agents, path: &str, reader: &mut Reader<'_>) {
    let count = format!("{path}.count");
    match (&agents.start, agents.count) {
        (Region::Places(places), Some(given)) if (1..given as usize).contains(&places.len()) => {
            let what = format!("is {given}, expected at most one for each of {} places", places.len());
            reader.refuse(&count, &what);
        }
        (Region::Places(_), _) | (_, Some(_)) => {}
        _ if reader.has(&count) => {}
        _ => reader.refuse(path, "have no `count`, which only agents with `start.places` can omit"),
    }
}

fn check_follow(
    (agents, leader): (&Agents, &str),
    (is_leader, is_first): (bool, bool),
    path: &str,
    reader: &mut Reader<'_>,
) {
    let name = escaped(leader);
    let leader_path = format!("{path}.follow.leader");
    if !is_leader && !name.is_empty() {
        let what = format!("is \"{name}\", expected the name of [[agents]] that do not follow");
        reader.refuse(&leader_path, &what);
    }
    if !is_first && !name.is_empty() {
        reader.refuse(&leader_path, &format!("is \"{name}\", which other agents already follow"));
    }
    if agents.goal.is_some() {
        reader.refuse(&format!("{path}.goal"), "cannot be combined with `follow`: remove one of them");
    }
    if agents.total() > MOST_FOLLOWERS {
        let what = format!("are {}, expected at most {MOST_FOLLOWERS} followers", agents.total());
        reader.refuse(path, &what);
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
