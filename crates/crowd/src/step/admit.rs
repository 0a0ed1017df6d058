//! Decides which agents may leave an off-mesh link and which may enter one: one after another, longest wait
//! first. A link between edges takes several agents next to each other, if their bodies do not touch.

use super::advance::{at_link, next_link, step_off, step_onto};
use super::walkway::walkway_taken_by;
use crate::agent::{Activity, Agent, Passage};
use crate::agents::AgentList;
use crate::bodies::Body;
use crate::event::{Event, EventKind};
use crate::ids::AgentId;
use detour::{NavMesh, Place, PolyRef, Ray, Vec3};
use glam::{Vec2, Vec3Swizzles};

/// Space between two agents on the same link, metres.
const GAP: f32 = 0.2;

/// An agent on a link: the link, its end, and the remaining distance.
#[derive(Clone, Copy, Debug)]
struct Taken {
    link: PolyRef,
    to: Place,
    left: f32,
    radius: f32,
}

impl Taken {
    /// The entry of an agent, if it is on a link.
    fn of(agent: &Agent) -> Option<Taken> {
        let Passage { link, to, progress, length, .. } = *agent.passage()?;
        Some(Taken { link: link?, to, left: (length - progress).max(0.0), radius: agent.params.radius })
    }

    /// Returns true if an agent with this radius that crosses a link between two places would run into this
    /// agent, on the link or where both land. If the two land at the same place, even from different links,
    /// this agent must be far enough ahead, and must not have reached the place yet.
    fn is_in_the_way(&self, link: PolyRef, [start, end]: [Place; 2], radius: f32) -> bool {
        let (reach, way) = ((self.radius + radius).max(f32::MIN_POSITIVE), end.point - start.point);
        let meets = self.link == link
            && self.to.polygon != end.polygon
            && aside(self.to.point - start.point, way) < reach;
        let lands_there = self.to.point.distance(end.point) < reach;
        meets || lands_there && (self.left == 0.0 || self.left + reach + GAP > way.length())
    }
}

/// An agent on a link, in the order in which the agents get to the ends of their links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OnLink {
    /// The link and its end.
    link: [PolyRef; 2],
    /// The remaining distance, as bits with the same order.
    left: u32,
    number: u32,
}

impl OnLink {
    /// The entry of an agent, if it is on a link.
    pub(crate) fn of(agent: &Agent) -> Option<OnLink> {
        let passage = agent.passage()?;
        let left = (passage.length - passage.progress).max(0.0).to_bits();
        Some(OnLink { link: [passage.link?, passage.to.polygon], left, number: agent.number })
    }
}

/// Distance of two parallel paths as seen from above: `between` is a vector between a point of each, and
/// `way` their direction. For vertical paths, the distance of their ends.
fn aside(between: Vec3, way: Vec3) -> f32 {
    match way.xz().normalize_or_zero() {
        Vec2::ZERO => between.xz().length(),
        direction => direction.perp_dot(between.xz()).abs(),
    }
}

/// An agent on a link that keeps another from entering its next link.
pub(crate) fn link_taken_by(waiting: &Agent, agents: &AgentList, mesh: &NavMesh) -> Option<AgentId> {
    let (link, ends) = next_link(waiting, mesh)?;
    let keeps_out = |other: &&Agent| {
        let taken = Taken::of(other).filter(|_| other.is_there);
        taken.is_some_and(|taken| taken.is_in_the_way(link, ends, waiting.params.radius))
    };
    let on_link = agents.iter().find(keeps_out);
    let taken = || walkway_taken_by(waiting, link, ends, agents, mesh, &mut Ray::default());
    on_link.or_else(taken).map(Agent::id)
}

/// Agents on links and agents that wait for links. Scratch memory.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    at_links: Vec<u32>,
    candidates: Vec<u32>,
    taken: Vec<Taken>,
    /// Positions and radii of the agents that came off a link in this step.
    landed: Vec<(Vec3, f32)>,
    row: Vec<OnLink>,
    ray: Ray,
}

impl Gate {
    /// Lets agents off links whose ends are free, and onto links that have room for them; the others wait.
    /// `at_links` are the numbers of the agents that are on links or at the start of one.
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

    /// If several agents are on the same link, in the same direction, and have the same landing place, only
    /// the first of them reserves it. Otherwise these bodies would fill the neighbour lists of others there.
    pub(crate) fn hide_followers(
        &mut self,
        on_links: impl Iterator<Item = OnLink>,
        agents: &AgentList,
        bodies: &mut [Body],
    ) {
        let row = &mut self.row;
        row.clear();
        row.extend(on_links);
        row.sort_unstable();
        let place = |on_link: &OnLink| agents[on_link.number as usize].place as usize;
        for group in row.chunk_by(|a, b| a.link == b.link) {
            for (at, on_link) in group.iter().enumerate().skip(1) {
                let own = place(on_link);
                let is_behind = group[..at].iter().any(|other| {
                    let (own, other) = (&bodies[own], &bodies[place(other)]);
                    own.at.distance(other.at) <= own.radius + other.radius
                });
                if is_behind {
                    bodies[own].layers = 0;
                }
            }
        }
    }

    /// Agents with the most progress come off first.
    fn let_off(&mut self, agents: &mut AgentList, events: &mut Vec<Event>) {
        let Gate { candidates, landed, at_links, .. } = self;
        let may_land = |agent: &Agent| agent.passage().is_some_and(|passage| passage.may_land);
        candidates.clear();
        candidates.extend(at_links.iter().filter(|index| may_land(&agents[**index as usize])));
        let come = |index: &u32| agents[*index as usize].passage().map_or(0.0, |passage| passage.progress);
        candidates.sort_by(|a, b| come(b).total_cmp(&come(a)).then(a.cmp(b)));
        landed.clear();
        for &index in candidates.iter() {
            let agent = &mut agents[index as usize];
            let (Some(passage), radius) = (agent.passage(), agent.params.radius) else { continue };
            let place = passage.to.point;
            if landed.iter().all(|(other, its)| other.distance(place) >= radius + its) {
                landed.push((place, radius));
                events.extend(step_off(agent));
            }
        }
    }

    fn let_on(&mut self, agents: &mut AgentList, mesh: &NavMesh, dt: f32, events: &mut Vec<Event>) {
        let Gate { candidates, taken, at_links, ray, .. } = self;
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
        taken.extend(at_links.iter().filter_map(|index| Taken::of(&agents[*index as usize])));
        for &index in candidates.iter() {
            let agent = &agents[index as usize];
            let (id, radius) = (agent.id(), agent.params.radius);
            let Some((link, ends)) = next_link(agent, mesh) else {
                agents[index as usize].lose_path();
                events.push(Event { agent: id, kind: EventKind::PathLost });
                continue;
            };
            let waits = taken.iter().any(|other| other.is_in_the_way(link, ends, radius))
                || walkway_taken_by(agent, link, ends, agents, mesh, ray).is_some();
            let agent = &mut agents[index as usize];
            if waits {
                agent.act(Activity::Waiting(link));
                agent.waited += dt;
            } else if let Some(kind) = step_onto(agent, mesh) {
                let left = agent.passage().map_or(0.0, |passage| passage.length);
                taken.push(Taken { link, to: ends[1], left, radius });
                events.push(Event { agent: id, kind });
            }
        }
    }
}
