//! One step of a crowd, phase by phase.
//!
//! | phase | work | reads | writes |
//! |---|---|---|---|
//! | `upkeep` | paths that changes of the mesh have cut are found again | mesh | own corridor |
//! | `ground` | agents whose ground is gone get other ground, one after another | all | own place |
//! | holders | bodies that hold passages make the ground around them cost more | all | filters, paths |
//! | `lead` | the slots of groups around their leaders, and the leaders' pace | agents, mesh | own group |
//! | searches | a bounded part of the pending searches | agents, mesh | results |
//! | `decide` | corners, preferred velocity, neighbours, walls, avoidance | initial bodies | own velocity |
//! | `separate` | overlapping bodies are pushed apart | places of the round before | own place |
//! | `advance` | the move along the surface, arrival, links, being stuck | mesh, initial bodies | own place |
//! | `admit` | admission of agents to off-mesh links | all | waiting agents |
//!
//! Within a phase, no agent reads values that another agent writes, so that the result does not depend on the
//! number of threads.

pub(crate) mod admit;
pub(crate) mod advance;
pub(crate) mod decide;
pub(crate) mod ground;
pub(crate) mod lead;
pub(crate) mod separate;
pub(crate) mod upkeep;
pub(crate) mod walkway;

use crate::agent::Agent;
use crate::avoid::decide::AvoidScratch;
use crate::avoid::walls::WallScratch;
use crate::bodies::{Bodies, Body, Near, NearLists, Nearby, Neighbours};
use crate::event::Event;
use crate::fields::Fields;
use crate::filters::CrowdFilter;
use crate::filters::Ground;
use crate::interest::Interest;
use crate::settings::CrowdSettings;
use detour::{NavMesh, Query, StraightPath};
use glam::Vec2;

/// The parts of a crowd that its phases read.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) settings: CrowdSettings,
    pub(crate) filters: Vec<CrowdFilter>,
    pub(crate) fields: Fields,
    pub(crate) interest: Interest,
    /// Number of steps so far.
    pub(crate) steps: u64,
    /// The bodies at the beginning of the step, sorted.
    pub(crate) bodies: Bodies,
    /// The bodies of the agents, by their places.
    pub(crate) own: Vec<Body>,
    /// New position of each body, in plan, by its place; known from `separate` on.
    pub(crate) spots: separate::Spots,
    /// The largest distance that anybody may move in the step, metres.
    pub(crate) moved: f32,
}

/// The input of a phase, besides the agent that it works on.
pub(crate) struct Scene<'a> {
    pub(crate) mesh: &'a NavMesh,
    pub(crate) parts: &'a Parts,
    pub(crate) dt: f32,
}

impl<'a> Scene<'a> {
    /// The mesh as an agent sees it.
    pub(crate) fn ground(&self, agent: &Agent) -> Ground<'a> {
        Ground { mesh: self.mesh, filter: &self.parts.filters[usize::from(agent.params.filter.0)] }
    }

    /// Neighbours that were found.
    pub(crate) fn nearby<'n>(&self, near: &'n [Near]) -> Nearby<'n>
    where
        'a: 'n,
    {
        Nearby { near, bodies: &self.parts.bodies }
    }
}

/// Scratch memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct Worker {
    pub(crate) query: Query,
    pub(crate) corners: StraightPath,
    pub(crate) avoid: AvoidScratch,
    pub(crate) walls: WallScratch,
    pub(crate) lead: lead::LeadScratch,
    /// The spots of its agents, in their order.
    pub(crate) spots: Vec<Vec2>,
    pub(crate) contacts: separate::Contacts,
    /// The neighbours of the current agent, and those of all its agents.
    pub(crate) near: Neighbours,
    pub(crate) near_lists: NearLists,
    /// The largest distance that one of its agents may move in the step, metres.
    pub(crate) farthest: f32,
    /// Places of its agents that may need a path, and its agents on off-mesh links, before the step.
    pub(crate) seekers: Vec<u32>,
    pub(crate) on_links: Vec<admit::OnLink>,
    /// The numbers of its agents that are on off-mesh links or at the start of one.
    pub(crate) at_links: Vec<u32>,
    /// The events of its agents, in their order.
    pub(crate) events: Vec<Event>,
}

impl Worker {
    /// Clears the results of the step before.
    pub(crate) fn clear(&mut self) {
        self.contacts.clear();
        self.near_lists.clear();
        self.at_links.clear();
    }
}
