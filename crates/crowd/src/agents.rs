//! The agents of a crowd, kept in memory in the order of their positions in the world. Agents near each other
//! share cache lines of their neighbours and of the mesh, for any number of agents.
//!
//! An agent's *number* is part of its handle and never changes. Its *place* in the list changes now and then.
//! No result of a step depends on places, so they are not stored.

use crate::agent::Agent;
use crate::error::CrowdError;
use crate::stored::{Reader, Stored};
use std::ops::{Index, IndexMut};

/// The agents of a crowd. Indexed by their numbers.
#[derive(Debug, Default)]
pub(crate) struct AgentList {
    /// In the order of their places.
    pub(crate) list: Vec<Agent>,
    /// The place of each, by its number.
    places: Vec<u32>,
    /// The new place of each agent, by its present place. Scratch memory.
    moves: Vec<u32>,
}

impl AgentList {
    /// Agents in the order of their numbers.
    pub(crate) fn of(list: Vec<Agent>) -> AgentList {
        let mut agents = AgentList::default();
        list.into_iter().for_each(|agent| agents.push(agent));
        agents
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn get(&self, number: usize) -> Option<&Agent> {
        self.list.get(*self.places.get(number)? as usize)
    }

    pub(crate) fn get_mut(&mut self, number: usize) -> Option<&mut Agent> {
        self.list.get_mut(*self.places.get(number)? as usize)
    }

    /// All agents, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Agent> {
        self.places.iter().map(|place| &self.list[*place as usize])
    }

    /// Gives an agent the number after the last.
    pub(crate) fn push(&mut self, agent: Agent) {
        let number = self.list.len() as u32;
        self.places.push(number);
        self.list.push(Agent { number, place: number, ..agent });
    }

    /// Gives an agent the number of an agent that was removed.
    pub(crate) fn replace(&mut self, number: usize, agent: Agent) {
        let old = &mut self[number];
        *old = Agent { number: old.number, place: old.place, ..agent };
    }

    /// Reorders the agents. `order` gives each of their present places once.
    pub(crate) fn arrange(&mut self, order: impl Iterator<Item = u32>) {
        let AgentList { list, places, moves } = self;
        moves.clear();
        moves.resize(list.len(), 0);
        (0..).zip(order).for_each(|(to, from)| moves[from as usize] = to);
        for place in 0..list.len() {
            // Each swap moves one agent to its final place.
            while moves[place] as usize != place {
                let to = moves[place] as usize;
                list.swap(place, to);
                moves.swap(place, to);
            }
        }
        for (place, agent) in (0..).zip(list) {
            agent.place = place;
            places[agent.number as usize] = place;
        }
    }
}

impl Index<usize> for AgentList {
    type Output = Agent;
    fn index(&self, number: usize) -> &Agent {
        &self.list[self.places[number] as usize]
    }
}

impl IndexMut<usize> for AgentList {
    fn index_mut(&mut self, number: usize) -> &mut Agent {
        &mut self.list[self.places[number] as usize]
    }
}

/// In the order of their numbers.
impl Stored for AgentList {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u32).write(out);
        self.iter().for_each(|agent| agent.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        Ok(AgentList::of(Stored::read(from)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::AgentParams;
    use detour::{Place, PolyRef, Vec3};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_stay_when_places_change(orders in prop::collection::vec(
            Just((0..20u32).collect::<Vec<u32>>()).prop_shuffle(), 1..4,
        )) {
            let polygon = PolyRef::from_bits(1 << 63).unwrap();
            let agent = |salt| Agent::new(Place { polygon, point: Vec3::ZERO }, salt, AgentParams::default());
            let mut agents = AgentList::of((0..20).map(agent).collect());
            for order in orders {
                let before: Vec<u32> = agents.list.iter().map(|agent| agent.number).collect();
                agents.arrange(order.iter().copied());
                let now: Vec<u32> = agents.list.iter().map(|agent| agent.number).collect();
                prop_assert_eq!(now, order.iter().map(|place| before[*place as usize]).collect::<Vec<u32>>());
                for number in 0..20 {
                    prop_assert_eq!((agents[number].number, agents[number].salt), (number as u32, number as u32));
                    prop_assert_eq!(agents.list[agents[number].place as usize].number, number as u32);
                }
            }
        }
    }
}
