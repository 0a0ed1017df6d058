//! An agent: its properties, position, target and progress.

use crate::avoid::walls::Walls;
use crate::bodies::NONE;
use crate::ids::{AgentId, FieldId, GroupId};
use crate::settings::AgentParams;
use detour::{CornerKind, Corridor, PartialReason, Place, PolyRef, Vec3};
use glam::{Vec2, Vec3Swizzles};

/// The target of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Target {
    /// No target: the agent does not walk, and steps aside for others.
    #[default]
    None,
    /// To a place, by a path.
    Place(Place),
    /// To another agent, which may move, by a path. The agent arrives next to its target, which does not step
    /// aside for it.
    Agent(AgentId),
    /// To the nearest goal of a field, along the field. Suits many agents with the same goals, because they
    /// need no searches of their own.
    Field(FieldId),
    /// To its slot in the group in which it is a follower.
    Group(GroupId),
    /// With this horizontal velocity, sliding along walls. Metres per second.
    Velocity(Vec2),
}

/// The state of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AgentState {
    /// It has no target.
    #[default]
    Idle,
    /// Its path is being searched for. Until the path is found, the agent walks straight towards its target.
    Searching,
    /// It follows its path, or its velocity.
    Walking,
    /// It is at its target.
    Arrived,
    /// It waits at the start of an off-mesh link that others are on.
    Waiting(PolyRef),
    /// It is on an off-mesh link.
    OnLink(PolyRef),
    /// There is no ground under it.
    Lost,
    /// The ground under it was removed, and it walks straight to the nearest remaining ground.
    SteppingOut,
}

/// A straight move off the ground: over an off-mesh link, or away from ground that was removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Passage {
    pub(crate) link: Option<PolyRef>,
    pub(crate) from: Vec3,
    pub(crate) to: Place,
    /// Metres covered so far, and the total length.
    pub(crate) progress: f32,
    pub(crate) length: f32,
}

impl Passage {
    /// The state of an agent that is on this passage.
    pub(crate) fn state(&self) -> AgentState {
        self.link.map_or(AgentState::SteppingOut, AgentState::OnLink)
    }

    /// Position of the agent on the passage.
    pub(crate) fn at(&self) -> Vec3 {
        if self.length <= 0.0 {
            return self.to.point;
        }
        self.from.lerp(self.to.point, (self.progress / self.length).min(1.0))
    }
}

/// The next corners of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ahead {
    pub(crate) corner: Vec3,
    pub(crate) kind: CornerKind,
    /// The polygon that the corner leads into: an off-mesh link at the start of one.
    pub(crate) polygon: PolyRef,
    /// The corner after it, if it is known.
    pub(crate) after: Option<Vec2>,
    /// Number of steps since it was computed, and the agent's place at that time.
    pub(crate) age: u8,
    pub(crate) seen_from: PolyRef,
    pub(crate) seen_at: Vec2,
}

/// Status of an agent's path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Route {
    /// The agent has no path and needs none.
    #[default]
    None,
    /// The agent needs a path that is not queued yet.
    Wanted,
    /// The search is queued or running.
    Queued,
    /// The path leads to the target.
    Complete,
    /// The path ends as near to the target as the agent can get.
    Partial(PartialReason),
    /// The agent follows a field, which gives one corner at a time.
    Field,
    /// No path leads from here to a goal of the field.
    OffField,
}

/// An agent of a crowd.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    /// Its number, which is part of its handle, and its place in the list of agents.
    pub(crate) number: u32,
    pub(crate) place: u32,
    pub(crate) is_there: bool,
    pub(crate) salt: u32,
    pub(crate) params: AgentParams,
    /// True if the caller moves it.
    pub(crate) is_kinematic: bool,
    pub(crate) corridor: Corridor,
    pub(crate) target: Target,
    /// The target's place when the path was requested.
    pub(crate) goal: Option<Place>,
    pub(crate) route: Route,
    pub(crate) state: AgentState,
    /// The group that it is in, its place in that group, and whether it counts as arrived when it gets there.
    pub(crate) group: Option<GroupId>,
    pub(crate) slot: Option<Place>,
    pub(crate) settles: bool,
    /// Stopping distance from the middle of its target: the sum of both radii if the target is another agent,
    /// else 0.
    pub(crate) beside: f32,
    /// The largest speed that it may have as the leader of a group.
    pub(crate) pace: f32,
    /// True if it keeps still until its path is found, because it had left the beginning of the last path by
    /// the time that was found.
    pub(crate) holds: bool,
    /// Velocity of the last step, metres per second in plan.
    pub(crate) velocity: Vec2,
    /// The preferred velocity, and the velocity that avoidance made of it.
    pub(crate) wanted: Vec2,
    pub(crate) chosen: Vec2,
    /// Unit vector in plan.
    pub(crate) heading: Vec2,
    pub(crate) ahead: Option<Ahead>,
    pub(crate) passage: Option<Passage>,
    /// True if it has reached the end of an off-mesh link and nobody occupies the landing place.
    pub(crate) may_land: bool,
    /// The ground to which a lost agent is led after its own ground was removed.
    pub(crate) exit: Option<Place>,
    pub(crate) walls: Walls,
    /// Its position when it last made progress, and the seconds since then.
    pub(crate) progress_at: Vec2,
    pub(crate) stalled: f32,
    /// Shortest remaining path so far, the target at that time, and the seconds since the last check.
    pub(crate) nearest: f32,
    pub(crate) nearest_to: Vec2,
    pub(crate) looked: f32,
    /// Seconds for which it still claims right of way in a jam, and for which it still yields to such claims.
    pub(crate) claims: f32,
    pub(crate) gives: f32,
    /// A claim of another agent that it yields to and forwards: the rank, and the push direction.
    pub(crate) lent: Option<(u32, Vec2)>,
    /// Seconds that it has waited for an off-mesh link.
    pub(crate) waited: f32,
    /// Metres that it walks before its path is checked for shortcuts.
    pub(crate) until_review: f32,
}

impl Agent {
    pub(crate) fn new(place: Place, salt: u32, params: AgentParams) -> Agent {
        Agent {
            number: 0,
            place: 0,
            is_there: true,
            salt,
            params,
            is_kinematic: false,
            corridor: Corridor::new(place),
            target: Target::None,
            goal: None,
            route: Route::None,
            state: AgentState::Idle,
            group: None,
            slot: None,
            settles: true,
            beside: 0.0,
            pace: f32::INFINITY,
            holds: false,
            velocity: Vec2::ZERO,
            wanted: Vec2::ZERO,
            chosen: Vec2::ZERO,
            heading: Vec2::X,
            ahead: None,
            passage: None,
            may_land: false,
            exit: None,
            walls: Walls::default(),
            progress_at: place.point.xz(),
            stalled: 0.0,
            nearest: f32::INFINITY,
            nearest_to: Vec2::ZERO,
            looked: 0.0,
            claims: 0.0,
            gives: 0.0,
            lent: None,
            waited: 0.0,
            until_review: 0.0,
        }
    }

    pub(crate) fn id(&self) -> AgentId {
        AgentId { index: self.number, salt: self.salt }
    }

    /// The speed of an agent on a passage, metres per second.
    pub(crate) fn passage_speed(&self, passage: &Passage) -> f32 {
        if passage.link.is_some() { self.params.link_speed } else { self.params.max_speed }
    }

    /// Its position, on the mesh or on a passage.
    pub(crate) fn position(&self) -> Vec3 {
        self.passage.as_ref().map_or(self.corridor.position(), Passage::at)
    }

    /// Gives it another target. The next step queues the search for a path.
    pub(crate) fn aim(&mut self, target: Target) {
        self.target = target;
        self.goal = None;
        self.ahead = None;
        self.holds = false;
        self.beside = 0.0;
        (self.stalled, self.waited, self.nearest) = (0.0, 0.0, f32::INFINITY);
        // Agents that are sent together are not all checked in the same step.
        self.looked = -((drawn(self.number, 0) >> 16) as f32 / 65536.0);
        self.progress_at = self.position().xz();
        let is_lost = self.state == AgentState::Lost;
        (self.route, self.state) = match target {
            Target::None => (Route::None, AgentState::Idle),
            Target::Velocity(_) => (Route::None, AgentState::Walking),
            Target::Field(_) => (Route::Field, AgentState::Walking),
            Target::Place(_) | Target::Agent(_) | Target::Group(_) => (Route::Wanted, AgentState::Searching),
        };
        if let Some(passage) = &self.passage {
            self.state = passage.state();
        }
        if is_lost {
            // It starts to walk as soon as it has ground.
            self.state = AgentState::Lost;
        }
    }

    /// Drops the path, and requests another if there is a target.
    pub(crate) fn lose_route(&mut self) {
        self.ahead = None;
        self.nearest = f32::INFINITY;
        let is_on_ground = self.passage.is_none() && self.state != AgentState::Lost;
        match self.target {
            Target::None | Target::Velocity(_) => {}
            Target::Field(_) => {
                self.route = Route::Field;
                if is_on_ground {
                    self.state = AgentState::Walking;
                }
            }
            Target::Place(_) | Target::Agent(_) | Target::Group(_) => {
                self.route = Route::Wanted;
                if is_on_ground && self.state != AgentState::Arrived {
                    self.state = AgentState::Searching;
                }
            }
        }
    }

    /// Leaves its group.
    pub(crate) fn leave_group(&mut self) {
        (self.group, self.slot, self.settles, self.pace) = (None, None, true, f32::INFINITY);
        if matches!(self.target, Target::Group(_)) {
            self.aim(Target::None);
        }
    }

    /// The number of the agent that it goes to, or [`NONE`].
    pub(crate) fn quarry(&self) -> u32 {
        if let Target::Agent(other) = self.target { other.index } else { NONE }
    }

    /// The field that it follows.
    pub(crate) fn field(&self) -> Option<FieldId> {
        if let Target::Field(field) = self.target { Some(field) } else { None }
    }

    /// Its state once it is on the ground again.
    pub(crate) fn state_on_ground(&self) -> AgentState {
        match (self.target, self.route) {
            // There was no ground at its target.
            (Target::None, _) | (Target::Place(_) | Target::Agent(_) | Target::Group(_), Route::None) => {
                AgentState::Idle
            }
            (Target::Velocity(_), _) => AgentState::Walking,
            (_, Route::Wanted | Route::Queued) => AgentState::Searching,
            _ => AgentState::Walking,
        }
    }

    /// Returns true if it has nowhere to go and keeps still.
    pub(crate) fn is_at_rest(&self) -> bool {
        matches!(self.state, AgentState::Idle | AgentState::Arrived | AgentState::Lost)
    }

    /// Its rank in a jam. An agent that does not walk has the lowest rank. The epoch puts the corners that
    /// agents walk to in a random order. Agents on the way to the same corner therefore move together, and
    /// the agent nearest to the corner moves first.
    pub(crate) fn rank(&self, epoch: u32) -> u32 {
        if self.passage.is_some() {
            return u32::MAX;
        }
        // Leaders outrank others in three of four draws, because their followers may block them.
        let (drawn, near) = match self.ahead {
            Some(ahead) => {
                let [x, y] = (ahead.corner.xz() * PER_CORNER).to_array().map(|along| along as i32 as u32);
                let away = ahead.corner.xz().distance(self.position().xz()) * PER_CORNER * 32.0;
                (drawn(x.wrapping_mul(0x9e37_79b9) ^ y, epoch), 255 - away.min(255.0) as u32)
            }
            None => (drawn(self.number, epoch), 0),
        };
        let leads = if self.pace < f32::INFINITY && drawn & 3 != 0 { 1 << 31 } else { 0 };
        let own = if self.stands() { 0 } else { drawn >> 1 & !RANK_BITS | near << 3 | 1 | leads };
        self.lent.map_or(own, |(rank, _)| rank.max(own))
    }

    /// Returns true if it keeps still, for any reason.
    pub(crate) fn stands(&self) -> bool {
        self.is_at_rest() || matches!(self.state, AgentState::Waiting(_))
    }

    /// Willingness to yield to others. Agents near their next corner yield least, and agents that keep still
    /// yield most.
    pub(crate) fn yielding(&self) -> f32 {
        if self.is_kinematic || self.passage.is_some() {
            return 0.0;
        }
        if self.stands() {
            return 3.0;
        }
        // Two agents that meet head on must differ.
        let own = (self.number.wrapping_mul(0x9e37_79b9) >> 24) as f32 / 1024.0;
        let way = self.ahead.map_or(4.0, |ahead| ahead.corner.xz().distance(self.position().xz()));
        0.5 + own + way.min(4.0) * 0.25
    }
}

/// Reciprocal of a square's side, per metre. Corners in the same square count as one.
const PER_CORNER: f32 = 0.5;
/// The bits of a rank that hold an agent's distance from its corner and how often a claim was forwarded.
const RANK_BITS: u32 = 0x7ff;

/// A pseudorandom number for an agent and an epoch.
fn drawn(index: u32, epoch: u32) -> u32 {
    let mixed = (index ^ epoch.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
    (mixed ^ mixed >> 15).wrapping_mul(0xc2b2_ae35)
}

/// An agent as a caller sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentView {
    /// Position of its feet, metres from the mesh's anchor.
    pub position: Vec3,
    /// The polygon under it. On an off-mesh link, the polygon at the link's end.
    pub polygon: PolyRef,
    /// Velocity of the last step, metres per second as seen from above.
    pub velocity: Vec3,
    /// Direction that it faces: a horizontal unit vector.
    pub heading: Vec3,
    /// Its state.
    pub state: AgentState,
    /// Its target.
    pub target: Target,
}
