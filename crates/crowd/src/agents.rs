//! The agents of a crowd, in memory in the order of where they are in the world: those near each other share cache lines of
//! neighbours and of the mesh, however many agents there are.
//!
//! An agent's *number*, which its handle names, stays for as long as it is there; its *place* in the list changes now and then.
//! Nothing that a step works out depends on places, so that they need not be stored.

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
    /// Where each is to be put, by its place: only memory that is kept.
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

    /// All in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Agent> {
        self.places.iter().map(|place| &self.list[*place as usize])
    }

    /// Gives an agent the number after the last.
    pub(crate) fn push(&mut self, agent: Agent) {
        let number = self.list.len() as u32;
        self.places.push(number);
        self.list.push(Agent { number, place: number, ..agent });
    }

    /// Gives an agent the number of one that is there no more.
    pub(crate) fn replace(&mut self, number: usize, agent: Agent) {
        let old = &mut self[number];
        *old = Agent { number: old.number, place: old.place, ..agent };
    }

    /// Puts agents into this order, given by the places that they have now: each of them once.
    pub(crate) fn arrange(&mut self, order: impl Iterator<Item = u32>) {
        let AgentList { list, places, moves } = self;
        moves.clear();
        moves.resize(list.len(), 0);
        (0..).zip(order).for_each(|(to, from)| moves[from as usize] = to);
        for place in 0..list.len() {
            // Each swap puts one agent where it is to be.
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
