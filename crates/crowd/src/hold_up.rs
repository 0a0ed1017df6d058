//! The reason why an agent is held up. Found when it is asked for, from the state after the last step, so
//! that steps cost nothing more and nothing more is saved.

use crate::agent::{Agent, AgentState, PathState};
use crate::avoid::decide::{CLAIM_REACH, yielded_to};
use crate::bodies::{Body, Neighbours};
use crate::crowd::{Crowd, MovingDisc};
use crate::error::CrowdError;
use crate::ids::AgentId;
use crate::step::{Scene, admit, decide};
use crate::stepping::{body_of, body_of_disc};
use detour::Vec3;
use glam::{Vec2, Vec3Swizzles};

/// An agent that is slower than this share of the speed that it wants is held up.
const SLOW: f32 = 1.0 / 3.0;
/// Bodies nearer than this many seconds block an agent.
const IN_THE_WAY: f32 = 0.5;
/// An agent is at the end of its path if it is within this many radii of it.
const AT_END: f32 = 2.0;

/// The reason why an agent is held up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldUp {
    /// The reason.
    pub cause: HoldUpCause,
    /// The agent that it waits for. `None` if it waits for something else, such as a moving disc, or for
    /// nobody.
    pub by: Option<AgentId>,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldUpCause {
    /// Another body blocks it.
    Crowded,
    /// It makes room in a jam for another agent, to whose claim it yields.
    RightOfWay,
    /// It waits for an off-mesh link that another agent is on.
    LinkBusy,
    /// It leads a group and waits for its followers.
    Followers,
    /// Its path is being searched for.
    Searching,
    /// No path leads to its target, and it is as near to the target as it can get.
    NoWay,
    /// There is no ground under it.
    GroundLost,
}

impl Crowd {
    /// The reason why an agent walked much more slowly in the last step than it wanted to. `None` if it did
    /// not, or if it does not want to walk: it has no target, has arrived, or the caller moves it. Also
    /// `None` if nothing holds it up, for example if it has just begun to walk.
    ///
    /// It costs about as much as a search for neighbours; for an agent that waits for a link, O(n).
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`] if the agent was removed.
    pub fn hold_up(&self, id: AgentId) -> Result<Option<HoldUp>, CrowdError> {
        let agent = self.get(id)?;
        let alone = |cause| Some(HoldUp { cause, by: None });
        Ok(match agent.state() {
            _ if agent.is_kinematic => None,
            AgentState::Lost => alone(HoldUpCause::GroundLost),
            AgentState::Waiting(_) => {
                let by = admit::link_taken_by(agent, &self.agents, &self.mesh);
                Some(HoldUp { cause: HoldUpCause::LinkBusy, by })
            }
            AgentState::OnLink(_) | AgentState::SteppingOut => self.landing_taken(agent),
            _ if has_no_way(agent) => alone(HoldUpCause::NoWay),
            AgentState::Searching if is_slow(agent, agent.params.max_speed) => alone(HoldUpCause::Searching),
            AgentState::Walking => self.held_on_way(agent),
            _ => None,
        })
    }

    /// Sorts the present bodies of a restored crowd, whose last step sorted those of another crowd.
    pub(crate) fn sort_present_bodies(&mut self) {
        let bodies: Vec<Body> = self.agents.list.iter().map(|agent| body_of(agent, self.epoch())).collect();
        self.parts.bodies.sort(&bodies);
        self.parts.moved = 0.0;
    }

    /// The reason why an agent that walks along its path is slow.
    fn held_on_way(&self, agent: &Agent) -> Option<HoldUp> {
        let wish = decide::preferred(agent, &Scene { mesh: &self.mesh, parts: &self.parts, dt: 0.0 });
        let leads = agent.pace() < agent.params.max_speed * SLOW && is_slow(agent, agent.params.max_speed);
        // An agent that makes room may walk fast, but aside or back.
        let along = agent.velocity.dot(wish.normalize_or_zero());
        if !leads && along >= wish.length() * SLOW {
            return None;
        }
        let (own, others) = (body_of(agent, self.epoch()), self.bodies_around(agent, agent.position()));
        let held = |cause, other: &Body| Some(HoldUp { cause, by: self.owner_of(other) });
        if let Some(other) = yielded_to(&own, others.iter()) {
            return held(HoldUpCause::RightOfWay, other);
        }
        if leads {
            return Some(HoldUp { cause: HoldUpCause::Followers, by: None });
        }
        if !is_slow(agent, wish.length()) {
            return None;
        }
        held(HoldUpCause::Crowded, nearest_ahead(agent, &own, wish, &others)?)
    }

    /// The body at the far end of the link that an agent cannot leave.
    fn landing_taken(&self, agent: &Agent) -> Option<HoldUp> {
        let passage = agent.passage().filter(|passage| passage.progress >= passage.length)?;
        let (end, others) = (passage.to.point, self.bodies_around(agent, passage.to.point));
        let is_there =
            |body: &&Body| !body.lands && body.at.distance(end.xz()) < agent.params.radius + body.radius;
        let away = |body: &&Body| body.at.distance(end.xz());
        let other = others.iter().filter(is_there).min_by(|a, b| away(a).total_cmp(&away(b)))?;
        Some(HoldUp { cause: HoldUpCause::Crowded, by: self.owner_of(other) })
    }

    /// The present bodies that an agent avoids around a place, nearest first, and the discs. The grid has
    /// their places at the beginning of the last step.
    fn bodies_around(&self, agent: &Agent, feet: Vec3) -> Vec<Body> {
        let params = &agent.params;
        let reach = (params.radius + self.parts.bodies.largest) * CLAIM_REACH + params.max_speed * IN_THE_WAY;
        let query = agent.around(feet, reach + self.parts.moved * 2.0);
        let mut near = Neighbours::default();
        self.parts.bodies.near(&query, &mut near);
        let owners = near.list().iter().map(|near| self.parts.bodies.sorted[near.body as usize].owner);
        let agents =
            owners.filter_map(|owner| self.agents.get(owner as usize)).filter(|other| other.is_there);
        let is_met = |disc: &&MovingDisc| {
            let heights = [disc.position.y, disc.position.y + disc.height];
            disc.layers & query.layers != 0
                && heights[0] <= query.heights[1]
                && heights[1] >= query.heights[0]
        };
        let discs = self.discs.iter().filter(is_met).map(|disc| body_of_disc(disc, u32::MAX));
        let mut around: Vec<Body> = agents.map(|other| body_of(other, self.epoch())).chain(discs).collect();
        let away = |body: &Body| body.at.distance_squared(feet.xz());
        around.sort_by(|a, b| away(a).total_cmp(&away(b)).then(a.owner.cmp(&b.owner)));
        around
    }

    /// The agent whose body this is.
    fn owner_of(&self, body: &Body) -> Option<AgentId> {
        self.agents.get(body.owner as usize).map(Agent::id)
    }
}

/// Returns true if an agent was much slower than `wanted` in the last step, metres per second.
fn is_slow(agent: &Agent, wanted: f32) -> bool {
    agent.velocity.length() < wanted * SLOW
}

/// Returns true if an agent has a target that no path leads to, and is as near to it as it can get.
fn has_no_way(agent: &Agent) -> bool {
    match agent.path {
        PathState::NoGoal(_) | PathState::OffField => true,
        PathState::Partial(_) => {
            let left = agent.corridor.position().xz().distance(agent.corridor.target().xz());
            let near = agent.params.radius * AT_END + agent.params.stopping_distance + agent.standoff;
            left <= near && is_slow(agent, agent.params.max_speed)
        }
        _ => false,
    }
}

/// The body that is in an agent's way: it overlaps the strip ahead and is near. Of several, the nearest one
/// that is most nearly straight ahead.
fn nearest_ahead<'b>(agent: &Agent, own: &Body, wish: Vec2, others: &'b [Body]) -> Option<&'b Body> {
    let ahead = wish.normalize_or_zero();
    let gap = |other: &'b Body| {
        let (offset, reach) = (other.at - own.at, own.radius + other.radius);
        let (before, aside) = (ahead.dot(offset), ahead.perp_dot(offset).abs());
        let gap = offset.length() - reach;
        let is_in_the_way =
            before > 0.0 && aside < reach && gap <= agent.params.max_speed * IN_THE_WAY && !other.lands;
        is_in_the_way.then_some((gap.max(0.0) + aside, other))
    };
    others.iter().filter_map(gap).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, other)| other)
}
