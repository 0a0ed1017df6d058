//! Finds ground for all agents that have lost theirs. Agents are handled in the order of their numbers, so
//! that no two get the same place.

use crate::agent::{Agent, Footing};
use crate::bodies::Body;
use crate::crowd::Crowd;
use crate::event::{Event, EventKind};
use crate::filters::Ground;
use crate::settings::GroundLoss;
use crate::step::advance::step_out;
use crate::step::ground::{Groundless, falls_to, free_ground};
use crate::step::upkeep::land;
use detour::NavMesh;
use glam::Vec3Swizzles;

/// Number of agents per step that also try places around their own.
const MOST_TRIES: usize = 32;
/// Steps between two attempts of the agents that found no place.
const EVERY: u64 = 6;

impl Crowd {
    /// Gives free ground, if there is any, to agents without ground and sends them there. Agents that find
    /// none keep still and block nobody until they do.
    pub(crate) fn find_ground(&mut self, mesh: &NavMesh, has_changed: bool, events: &mut Vec<Event>) {
        let mut before = Vec::new();
        if has_changed {
            before = std::mem::take(&mut self.groundless.list);
            self.list_groundless();
        }
        // The caller may have moved some of them, or removed them.
        self.groundless.list.retain(|index| is_lost(&self.agents[*index as usize]));
        let count = self.groundless.list.len();
        if count == 0 || !has_changed && !self.parts.steps.is_multiple_of(EVERY) {
            return;
        }
        self.gather_bodies(0.0);
        self.sort_bodies();
        let Groundless { mut list, mut landed } = std::mem::take(&mut self.groundless);
        landed.clear(self.parts.bodies.largest);
        // The agents take turns.
        let first = ((self.parts.steps / EVERY).wrapping_mul(MOST_TRIES as u64) % count as u64) as usize;
        for (number, index) in list.iter().enumerate() {
            let id = self.agents[*index as usize].id();
            let is_its_turn = (number + count - first) % count < MOST_TRIES;
            let agent = &mut self.agents[id.index()];
            if agent.params.ground_loss == GroundLoss::Remove && agent.exit().is_none() {
                // An agent of the crowd can be removed.
                let _ = self.remove(id);
                events.push(Event { agent: id, kind: EventKind::Removed });
                continue;
            }
            let ground = Ground { mesh, filter: &self.parts.filters[usize::from(agent.params.filter.0)] };
            let (query, bodies) = (&mut self.query, &self.parts.bodies);
            let place = free_ground(agent, is_its_turn, ground, query, bodies, &landed);
            let was_lost = !has_changed || before.binary_search(index).is_ok();
            if place.is_none() && !was_lost {
                events.push(Event { agent: id, kind: EventKind::GroundLost });
            }
            if let Some(place) = place {
                let (from, falls) = (agent.position(), falls_to(agent, &place, mesh));
                agent.touch_ground();
                land(agent, place, ground, events);
                events.push(Event { agent: id, kind: step_out(agent, from, place, falls) });
                let own = self.parts.own[agent.place as usize];
                landed.add(Body { at: place.point.xz(), feet: place.point.y, ..own });
            }
        }
        list.retain(|index| is_lost(&self.agents[*index as usize]));
        self.groundless = Groundless { list, landed };
    }

    /// Lists the agents without ground, by their states.
    pub(crate) fn list_groundless(&mut self) {
        let lost = self.agents.iter().filter(|agent| is_lost(agent)).map(|agent| agent.number);
        self.groundless.list.clear();
        self.groundless.list.extend(lost);
    }
}

fn is_lost(agent: &Agent) -> bool {
    agent.is_there && matches!(agent.footing, Footing::Lost(_))
}
