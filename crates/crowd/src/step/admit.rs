//! Who may come off an off-mesh link, and who may step onto one: one after another, those that have waited longest first.

use super::advance::{at_link, next_link, step_off, step_onto};
use crate::agent::{AgentState, Passage};
use crate::agents::AgentList;
use crate::bodies::Body;
use crate::event::{Event, EventKind};
use crate::ids::AgentId;
use detour::{NavMesh, PolyRef, Vec3};

/// Space between two on one link, metres.
const GAP: f32 = 0.2;

/// One that is on a link: which, to where, and how far its back has come.
#[derive(Clone, Copy, Debug)]
struct Taken {
    link: PolyRef,
    to: PolyRef,
    behind: f32,
}

/// Those on links, and those that want to be: only memory that is kept.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    at_links: Vec<u32>,
    candidates: Vec<u32>,
    taken: Vec<Taken>,
    /// Where agents have come off in this step, and their radii.
    landed: Vec<(Vec3, f32)>,
    /// Those on links: which, to where, how far they have still to go, and their numbers.
    row: Vec<([PolyRef; 2], u32, u32)>,
}

impl Gate {
    /// Lets agents off links whose ends are free, and onto links that have room for them; the others wait. `at_links` are the
    /// numbers of those that are on links or at the start of one.
    pub(crate) fn run(
        &mut self,
        at_links: impl Iterator<Item = u32>,
        agents: &mut AgentList,
        mesh: &NavMesh,
        dt: f32,
        events: &mut Vec<Event>,
    ) {
        self.at_links.clear();
        self.at_links.extend(at_links);
        self.let_off(agents, events);
        self.let_on(agents, mesh, dt, events);
    }

    /// Of those that are on one link in one direction, only the first keeps its far end free: the bodies of all of them
    /// there would be all that others see.
    pub(crate) fn hide_followers(&mut self, agents: &AgentList, bodies: &mut [Body]) {
        let row = &mut self.row;
        row.clear();
        row.extend(agents.list.iter().filter(|agent| agent.is_there).filter_map(|agent| {
            let passage = agent.passage?;
            let left = (passage.length - passage.progress).max(0.0);
            Some(([passage.link?, passage.to.polygon], left.to_bits(), agent.number))
        }));
        row.sort_unstable();
        for pair in row.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            bodies[agents[pair[1].2 as usize].place as usize].layers = 0;
        }
    }

    /// Those that have come farthest come off first.
    fn let_off(&mut self, agents: &mut AgentList, events: &mut Vec<Event>) {
        let Gate { candidates, landed, at_links, .. } = self;
        candidates.clear();
        candidates.extend(at_links.iter().filter(|index| agents[**index as usize].may_land));
        let come = |index: &u32| agents[*index as usize].passage.map_or(0.0, |passage| passage.progress);
        candidates.sort_by(|a, b| come(b).total_cmp(&come(a)).then(a.cmp(b)));
        landed.clear();
        for &index in candidates.iter() {
            let agent = &mut agents[index as usize];
            let (Some(passage), radius) = (agent.passage, agent.params.radius) else { continue };
            let place = passage.to.point;
            if landed.iter().all(|(other, its)| other.distance(place) >= radius + its) {
                landed.push((place, radius));
                events.push(step_off(agent, AgentId { index, salt: agent.salt }, passage));
            }
        }
    }

    fn let_on(&mut self, agents: &mut AgentList, mesh: &NavMesh, dt: f32, events: &mut Vec<Event>) {
        let Gate { candidates, taken, at_links, .. } = self;
        candidates.clear();
        candidates.extend(at_links.iter().filter(|index| at_link(&agents[**index as usize])));
        if candidates.is_empty() {
            return;
        }
        let rank = |index: &u32| {
            let agent = &agents[*index as usize];
            (std::cmp::Reverse(agent.params.priority), std::cmp::Reverse(agent.waited.to_bits()), *index)
        };
        candidates.sort_by_key(rank);
        taken.clear();
        taken.extend(at_links.iter().filter_map(|index| {
            let agent = &agents[*index as usize];
            let Passage { link, to, progress, .. } = agent.passage?;
            Some(Taken { link: link?, to: to.polygon, behind: progress - agent.params.radius })
        }));
        for &index in candidates.iter() {
            let agent = &mut agents[index as usize];
            let id = AgentId { index, salt: agent.salt };
            let Some((link, end)) = next_link(agent, mesh) else {
                agent.lose_route();
                events.push(Event { agent: id, kind: EventKind::PathLost });
                continue;
            };
            let (room, to) = (agent.params.radius + GAP, end.polygon);
            let in_the_way = |other: &Taken| other.link == link && (other.to != to || other.behind < room);
            if taken.iter().any(in_the_way) {
                agent.state = AgentState::Waiting(link);
                agent.waited += dt;
            } else if let Some(kind) = step_onto(agent, mesh) {
                taken.push(Taken { link, to, behind: -agent.params.radius });
                events.push(Event { agent: id, kind });
            }
        }
    }
}
