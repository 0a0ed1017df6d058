//! A crowd that walks, ours or another, and the errands that all crowds receive.

use crowd::AgentParams;
use crowdlab::trial::{Seen, Walk};
use detour::{NavMesh, Query, RouteOptions, Vec3};
use oracle::runtime::RuntimeError;

/// Goal of an agent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Aim {
    /// Nowhere.
    Stand,
    /// To a place.
    Place(Vec3),
    /// To another agent, by its number, to wherever it moves.
    Chase(usize),
    /// From place to place, repeatedly.
    Patrol(Vec<Vec3>),
    /// To its slot in a formation.
    Follow,
}

/// An agent with its errand.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    /// Its properties.
    pub(crate) params: AgentParams,
    /// Its start.
    pub(crate) start: Vec3,
    /// Its goal.
    pub(crate) aim: Aim,
    /// Time at which it sets out, seconds.
    pub(crate) at: f32,
    /// Seconds that it would take alone, all the way to its goal; NaN if that is not known.
    pub(crate) ideal: f32,
}

impl Sent {
    /// An agent that walks to a place at once.
    pub(crate) fn of_walk(walk: &Walk, mesh: &NavMesh, query: &mut Query) -> Sent {
        let filter = detour::Filter::default();
        let route = query.route(mesh, walk.start, walk.goal.point, &filter, &RouteOptions::default());
        let ideal = route.map_or(f32::NAN, |route| route.length) / walk.params.max_speed;
        Sent { params: walk.params, start: walk.start, aim: Aim::Place(walk.goal.point), at: 0.0, ideal }
    }

    /// Returns true if its arrival counts.
    pub(crate) fn counts(&self) -> bool {
        matches!(self.aim, Aim::Place(_) | Aim::Chase(_))
    }

    /// Distance from the goal at which it has arrived. Stopping next to an agent that has stopped there
    /// counts too, as two agents cannot be in one place.
    pub(crate) fn reach(&self) -> f32 {
        (self.params.radius + self.params.stopping_distance) * 2.0
    }
}

/// The changes that the caller of a crowd reports before a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct News<'a> {
    /// Time at which the step begins, seconds.
    pub(crate) time: f32,
    /// The current mesh, if it has changed.
    pub(crate) mesh: Option<&'a NavMesh>,
    /// Tiles that were replaced by themselves: x, z, layer.
    pub(crate) replaced: &'a [[i32; 3]],
}

/// A crowd that walks.
pub(crate) trait Walkers {
    /// Its name in tables.
    fn name(&self) -> &'static str;

    /// Applies the changes of the mesh and gives orders that are due, as its caller would before a step.
    fn prepare(&mut self, _news: &News<'_>) -> Result<(), CrowdsError> {
        Ok(())
    }

    /// Moves all agents by one step. Its time counts.
    fn step(&mut self, dt: f32) -> Result<(), CrowdsError>;

    /// The state of one agent, by its number.
    fn seen(&mut self, number: usize) -> Result<Seen, CrowdsError>;
}

/// The reason why crowds could not be compared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CrowdsError {
    /// Our crowd refuses.
    #[error(transparent)]
    Ours(#[from] crowd::CrowdError),
    /// A scenario cannot be run.
    #[error(transparent)]
    Scenario(#[from] crowdlab::scenario::ScenarioError),
    /// The mesh could not be loaded into both libraries.
    #[error(transparent)]
    Mesh(#[from] RuntimeError),
    /// DetourCrowd refuses.
    #[error("DetourCrowd refuses {0}")]
    Theirs(&'static str),
    /// The document has no place for a table.
    #[error("{0} has no {1} .. {2}")]
    Document(String, String, String),
    /// The document cannot be read or written.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
}
