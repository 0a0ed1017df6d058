//! An agent: its properties, position, target and progress.

use crate::avoid::walls::Walls;
use crate::bodies::{Errand, NONE, NearQuery};
use crate::ids::{AgentId, ExitsId, FieldId, GroupId};
use crate::settings::AgentParams;
use detour::{CornerKind, Corridor, PartialReason, Place, PolyRef, Vec3};
use glam::{Vec2, Vec3Swizzles};

/// An agent without progress for this time is in a jam and claims right of way. Seconds.
pub(crate) const JAMMED: f32 = 1.0;

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
    /// To one of several exits, along the exit's field. The agent chooses the exit that it expects to pass
    /// first, by its path and by the queue: see [`Crowd::add_exits`](crate::Crowd::add_exits).
    Exits(ExitsId),
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
    /// The ground under it was removed, and it falls to the ground below.
    Falling,
    /// The caller carries it: see [`Crowd::carry`](crate::Crowd::carry).
    Carried,
}

/// The acceleration of agents that fall, metres per second per second.
const GRAVITY: f32 = 9.81;

/// A straight move off the ground: over an off-mesh link, or away from ground that was removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Passage {
    pub(crate) link: Option<PolyRef>,
    /// True if the agent falls.
    pub(crate) falls: bool,
    pub(crate) from: Vec3,
    pub(crate) to: Place,
    /// Metres covered so far, and the total length.
    pub(crate) progress: f32,
    pub(crate) length: f32,
    /// True if the agent has reached the end and nobody occupies the landing place.
    pub(crate) may_land: bool,
}

impl Passage {
    pub(crate) fn new(link: Option<PolyRef>, from: Vec3, to: Place) -> Passage {
        let length = from.distance(to.point);
        Passage { link, falls: false, from, to, progress: 0.0, length, may_land: false }
    }

    /// Speed of an agent on the passage, metres per second.
    pub(crate) fn speed(&self, params: &AgentParams) -> f32 {
        if self.falls {
            (2.0 * GRAVITY * self.progress.min(self.length)).sqrt()
        } else if self.link.is_some() {
            params.link_speed
        } else {
            params.max_speed
        }
    }

    /// Moves an agent on for `dt` seconds.
    pub(crate) fn advance(&mut self, params: &AgentParams, dt: f32) {
        let gained = if self.falls { 0.5 * GRAVITY * dt } else { 0.0 };
        self.progress += (self.speed(params) + gained) * dt;
    }

    /// Its direction in plan: a unit vector, or zero if it is vertical or a fall.
    pub(crate) fn direction(&self) -> Vec2 {
        if self.falls {
            return Vec2::ZERO;
        }
        (self.to.point - self.from).xz().normalize_or_zero()
    }

    /// Position of the agent on the passage.
    pub(crate) fn at(&self) -> Vec3 {
        if self.length <= 0.0 {
            return self.to.point;
        }
        self.from.lerp(self.to.point, (self.progress / self.length).min(1.0))
    }
}

/// Activity of an agent on the ground: see the states of the same names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Activity {
    Idle,
    Searching,
    Walking,
    Arrived,
    Waiting(PolyRef),
}

/// The relation of an agent to the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Footing {
    /// On the mesh.
    Ground(Activity),
    /// Between two places of the mesh.
    Passage(Passage),
    /// Without ground; and the ground to which the agent is led after its own was removed.
    Lost(Option<Place>),
    /// Carried by the caller, at this position.
    Carried(Vec3),
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

/// Behaviour of an agent until its path is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Meanwhile {
    /// It walks straight towards its target.
    #[default]
    Approach,
    /// It keeps still, because it had left the beginning of the last path by the time that was found.
    Wait,
}

/// Status of an agent's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathState {
    /// The agent has no path and needs none.
    None,
    /// The agent needs a path that is not queued yet.
    Wanted(Meanwhile),
    /// The search is queued or running.
    Queued(Meanwhile),
    /// There is no ground at the target. A change of the mesh starts another search.
    NoGoal(Meanwhile),
    /// The path leads to the target.
    Complete,
    /// The path ends as near to the target as the agent can get.
    Partial(PartialReason),
    /// The agent follows a field, which gives one corner at a time.
    Field,
    /// No path leads from here to a goal of the field.
    OffField,
}

impl PathState {
    /// The status of an agent that needs another path.
    pub(crate) fn again(self) -> PathState {
        match self {
            PathState::Wanted(meanwhile) | PathState::Queued(meanwhile) | PathState::NoGoal(meanwhile) => {
                PathState::Wanted(meanwhile)
            }
            _ => PathState::Wanted(Meanwhile::Approach),
        }
    }

    /// Returns true if there is a path, to the target or near it.
    pub(crate) fn is_found(self) -> bool {
        matches!(self, PathState::Complete | PathState::Partial(_))
    }
}

/// Part of an agent in its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    /// It is in no group.
    Single,
    /// Leads, at no more than this speed.
    Leader { group: GroupId, pace: f32 },
    /// Follows: its place in the group, and whether it counts as arrived when it gets there.
    Follower { group: GroupId, slot: Option<Place>, may_arrive: bool },
}

/// A claim of right of way in a jam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Claim {
    pub(crate) rank: u32,
    /// Velocity in the direction in which others are to make room.
    pub(crate) push: Vec2,
}

/// Each failure to get to its target doubles the time until an agent tries again, at most this many times.
pub(crate) const MOST_FAILURES: u8 = 8;

/// Progress of an agent towards its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Progress {
    /// Its position when it last moved on, and the seconds since then.
    pub(crate) at: Vec2,
    pub(crate) stalled: f32,
    /// Shortest remaining path so far, the target at that time, and the seconds since the last check.
    pub(crate) shortest: f32,
    pub(crate) shortest_to: Vec2,
    pub(crate) unchecked: f32,
    /// Number of times that it arrived next to its target because it could not get there.
    pub(crate) failures: u8,
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
    /// The field of the exit that it has chosen, and the cost of the path there at its last turn.
    pub(crate) chosen_exit: Option<(FieldId, f32)>,
    /// The target's place when the path was requested.
    pub(crate) goal: Option<Place>,
    /// Stopping distance from the middle of its target: the sum of both radii if the target is another agent,
    /// else 0.
    pub(crate) standoff: f32,
    pub(crate) path: PathState,
    pub(crate) footing: Footing,
    pub(crate) role: Role,
    /// Velocity of the last step, metres per second in plan.
    pub(crate) velocity: Vec2,
    /// The preferred velocity, and the velocity that avoidance made of it.
    pub(crate) preferred: Vec2,
    pub(crate) chosen: Vec2,
    /// Unit vector in plan.
    pub(crate) heading: Vec2,
    pub(crate) ahead: Option<Ahead>,
    pub(crate) walls: Walls,
    pub(crate) progress: Progress,
    /// Seconds for which it still claims right of way and yields to other claims, because it was in a jam.
    pub(crate) in_jam: f32,
    /// Age of the claim of its stream, seconds.
    pub(crate) claimed: f32,
    /// Seconds for which it still keeps right in passages, and true if it is in the right half of one.
    pub(crate) keeps_right: f32,
    pub(crate) in_lane: bool,
    /// A claim of another agent that it yields to and forwards.
    pub(crate) forwarded_claim: Option<Claim>,
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
            chosen_exit: None,
            goal: None,
            standoff: 0.0,
            path: PathState::None,
            footing: Footing::Ground(Activity::Idle),
            role: Role::Single,
            velocity: Vec2::ZERO,
            preferred: Vec2::ZERO,
            chosen: Vec2::ZERO,
            heading: Vec2::X,
            ahead: None,
            walls: Walls::default(),
            progress: Progress {
                at: place.point.xz(),
                stalled: 0.0,
                shortest: f32::INFINITY,
                shortest_to: Vec2::ZERO,
                unchecked: 0.0,
                failures: 0,
            },
            in_jam: 0.0,
            claimed: 0.0,
            keeps_right: 0.0,
            in_lane: false,
            forwarded_claim: None,
            waited: 0.0,
            until_review: 0.0,
        }
    }

    pub(crate) fn id(&self) -> AgentId {
        AgentId { index: self.number, salt: self.salt }
    }

    /// Its state, as a caller sees it.
    pub(crate) fn state(&self) -> AgentState {
        match self.footing {
            Footing::Ground(Activity::Idle) => AgentState::Idle,
            Footing::Ground(Activity::Searching) => AgentState::Searching,
            Footing::Ground(Activity::Walking) => AgentState::Walking,
            Footing::Ground(Activity::Arrived) => AgentState::Arrived,
            Footing::Ground(Activity::Waiting(link)) => AgentState::Waiting(link),
            Footing::Passage(passage) if passage.falls => AgentState::Falling,
            Footing::Passage(passage) => passage.link.map_or(AgentState::SteppingOut, AgentState::OnLink),
            Footing::Lost(_) => AgentState::Lost,
            Footing::Carried(_) => AgentState::Carried,
        }
    }

    /// Changes its activity, if it is on the ground.
    pub(crate) fn act(&mut self, activity: Activity) {
        if let Footing::Ground(own) = &mut self.footing {
            *own = activity;
        }
    }

    /// Returns true if it is on the ground with this activity.
    pub(crate) fn is(&self, activity: Activity) -> bool {
        matches!(self.footing, Footing::Ground(own) if own == activity)
    }

    /// Returns true if it has no ground: it is lost or carried.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self.footing, Footing::Lost(_) | Footing::Carried(_))
    }

    /// Returns true if it waits for an off-mesh link.
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(self.footing, Footing::Ground(Activity::Waiting(_)))
    }

    /// The ground to which it is led after its own was removed.
    pub(crate) fn exit(&self) -> Option<Place> {
        if let Footing::Lost(exit) = self.footing { exit } else { None }
    }

    /// The passage that it is on.
    pub(crate) fn passage(&self) -> Option<&Passage> {
        if let Footing::Passage(passage) = &self.footing { Some(passage) } else { None }
    }

    /// Its position: on the mesh, on a passage, or where it is carried.
    pub(crate) fn position(&self) -> Vec3 {
        match &self.footing {
            Footing::Passage(passage) => passage.at(),
            Footing::Carried(position) => *position,
            Footing::Ground(_) | Footing::Lost(_) => self.corridor.position(),
        }
    }

    /// The search for the bodies that it avoids around a position of its feet.
    pub(crate) fn around(&self, feet: Vec3, reach: f32) -> NearQuery {
        let heights = [feet.y, feet.y + self.params.height];
        NearQuery { at: feet.xz(), reach, heights, layers: self.params.avoids, own: self.number }
    }

    /// The group that it is in.
    pub(crate) fn group(&self) -> Option<GroupId> {
        match self.role {
            Role::Single => None,
            Role::Leader { group, .. } | Role::Follower { group, .. } => Some(group),
        }
    }

    /// Its place in the group in which it is a follower.
    pub(crate) fn slot(&self) -> Option<Place> {
        if let Role::Follower { slot, .. } = self.role { slot } else { None }
    }

    /// The largest speed that it may have as the leader of a group.
    pub(crate) fn pace(&self) -> f32 {
        if let Role::Leader { pace, .. } = self.role { pace } else { f32::INFINITY }
    }

    /// Gives it another target. The next step queues the search for a path.
    pub(crate) fn aim(&mut self, target: Target) {
        self.target = target;
        self.chosen_exit = None;
        self.goal = None;
        self.ahead = None;
        self.standoff = 0.0;
        self.waited = 0.0;
        self.progress = Progress {
            at: self.position().xz(),
            stalled: 0.0,
            shortest: f32::INFINITY,
            // Agents that are sent together are not all checked in the same step.
            unchecked: -((drawn(self.number, 0) >> 16) as f32 / 65536.0),
            failures: 0,
            ..self.progress
        };
        self.path = match target {
            Target::None | Target::Velocity(_) => PathState::None,
            Target::Field(_) | Target::Exits(_) => PathState::Field,
            Target::Place(_) | Target::Agent(_) | Target::Group(_) => PathState::Wanted(Meanwhile::Approach),
        };
        // An agent without ground starts to walk as soon as it has ground.
        self.act(self.next_activity());
    }

    /// Drops the path, and requests another if there is a target.
    pub(crate) fn lose_path(&mut self) {
        self.ahead = None;
        self.progress.shortest = f32::INFINITY;
        self.path = match self.target {
            Target::None | Target::Velocity(_) => return,
            Target::Field(_) | Target::Exits(_) => PathState::Field,
            Target::Place(_) | Target::Agent(_) | Target::Group(_) => self.path.again(),
        };
        if !self.is(Activity::Arrived) {
            self.act(self.next_activity());
        }
    }

    /// Leaves its group.
    pub(crate) fn leave_group(&mut self) {
        self.role = Role::Single;
        if matches!(self.target, Target::Group(_)) {
            self.aim(Target::None);
        }
    }

    /// The number of the agent that it goes to, or [`NONE`].
    pub(crate) fn quarry(&self) -> u32 {
        if let Target::Agent(other) = self.target { other.index } else { NONE }
    }

    /// The field that it follows: that of its target, or of the exit that it has chosen.
    pub(crate) fn field(&self) -> Option<FieldId> {
        let of_exit = || self.chosen_exit.map(|(field, _)| field);
        if let Target::Field(field) = self.target { Some(field) } else { of_exit() }
    }

    /// Sends it to an exit of its target, by its field and the cost of the path there, or to no exit.
    pub(crate) fn choose_exit(&mut self, choice: Option<(FieldId, f32)>) {
        if self.chosen_exit.map(|own| own.0) != choice.map(|own| own.0) {
            (self.ahead, self.progress.shortest) = (None, f32::INFINITY);
        }
        self.chosen_exit = choice;
    }

    /// Puts it on the ground, where it continues with its target.
    pub(crate) fn touch_ground(&mut self) {
        self.footing = Footing::Ground(self.next_activity());
    }

    /// Its next activity on the ground, by its target and its path.
    fn next_activity(&self) -> Activity {
        match (self.target, self.path) {
            (Target::None, _) | (_, PathState::NoGoal(_)) => Activity::Idle,
            (_, PathState::Wanted(_) | PathState::Queued(_)) => Activity::Searching,
            _ => Activity::Walking,
        }
    }

    /// Returns true if it has nowhere to go and keeps still.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.is_lost() || matches!(self.footing, Footing::Ground(Activity::Idle | Activity::Arrived))
    }

    /// Returns true if it keeps still, for any reason.
    pub(crate) fn is_still(&self) -> bool {
        self.is_at_rest() || self.is_waiting()
    }

    /// The agent, field and group that it goes to or with.
    pub(crate) fn errand(&self) -> Errand {
        Errand {
            target: self.corridor.target().xz(),
            has_arrived: self.is(Activity::Arrived),
            field: self.field().map_or(NONE, |field| field.index),
            group: self.group().map_or(NONE, |group| group.index),
            quarry: self.quarry(),
        }
    }
}

/// A pseudorandom number for an agent and an epoch.
pub(crate) fn drawn(index: u32, epoch: u32) -> u32 {
    let mixed = (index ^ epoch.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
    (mixed ^ mixed >> 15).wrapping_mul(0xc2b2_ae35)
}

/// An agent as a caller sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentView {
    /// Position of its feet, metres from the mesh's anchor.
    pub position: Vec3,
    /// The polygon under it. On an off-mesh link, the polygon at the link's end; of a carried agent, the
    /// polygon that it was on before.
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
