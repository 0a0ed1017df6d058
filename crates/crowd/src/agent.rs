//! An agent: what it is like, where it is, where it wants to go, and how far it has come.

use crate::avoid::walls::Walls;
use crate::bodies::NONE;
use crate::ids::{AgentId, FieldId, GroupId};
use crate::settings::AgentParams;
use detour::{CornerKind, Corridor, PartialReason, Place, PolyRef, Vec3};
use glam::{Vec2, Vec3Swizzles};

/// Where an agent is to go.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Target {
    /// Nowhere: it stands, and steps aside for others.
    #[default]
    None,
    /// To a place, by a path.
    Place(Place),
    /// To another agent, wherever that goes, by a path. It arrives next to that agent, which does not step aside for it.
    Agent(AgentId),
    /// To the goal of a field that is the nearest, the way that the field leads: for many agents with the same goals, as
    /// they need no searches of their own.
    Field(FieldId),
    /// To its slot in the group that it follows in.
    Group(GroupId),
    /// With this horizontal velocity, along walls where they are in the way. Metres per second.
    Velocity(Vec2),
}

/// The doings of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AgentState {
    /// It has no target.
    #[default]
    Idle,
    /// Its path is being searched for; until it is found it goes straight on towards its target.
    Searching,
    /// It follows its path, or its velocity.
    Walking,
    /// It is at its target.
    Arrived,
    /// It waits at the start of an off-mesh link that others are on.
    Waiting(PolyRef),
    /// It is on an off-mesh link.
    OnLink(PolyRef),
    /// There is no ground under it any more.
    Lost,
    /// The ground under it was taken, and it walks straight to the nearest that is left.
    SteppingOut,
}

/// A straight way that is not on the ground: over an off-mesh link, or off ground that was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Passage {
    pub(crate) link: Option<PolyRef>,
    pub(crate) from: Vec3,
    pub(crate) to: Place,
    /// Metres so far, and in all.
    pub(crate) progress: f32,
    pub(crate) length: f32,
}

impl Passage {
    /// The doings of an agent that is on it.
    pub(crate) fn state(&self) -> AgentState {
        self.link.map_or(AgentState::SteppingOut, AgentState::OnLink)
    }

    /// Where the agent is on it.
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
    /// Steps since it was worked out, and where the agent was.
    pub(crate) age: u8,
    pub(crate) seen_from: PolyRef,
    pub(crate) seen_at: Vec2,
}

/// How a path stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Route {
    /// There is none, and none is wanted.
    #[default]
    None,
    /// It is wanted, but not yet searched for.
    Wanted,
    /// It waits for its turn, or is being searched for.
    Queued,
    /// It leads to the target.
    Complete,
    /// It ends as near to the target as can be reached.
    Partial(PartialReason),
    /// It is asked of a field, corner by corner.
    Field,
    /// No way leads from here to a goal of the field.
    OffField,
}

/// An agent of a crowd.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    /// Its number, which its handle names, and its place in the list of agents.
    pub(crate) number: u32,
    pub(crate) place: u32,
    pub(crate) is_there: bool,
    pub(crate) salt: u32,
    pub(crate) params: AgentParams,
    /// Whether the caller moves it.
    pub(crate) is_kinematic: bool,
    pub(crate) corridor: Corridor,
    pub(crate) target: Target,
    /// The target's place when the path was asked for.
    pub(crate) goal: Option<Place>,
    pub(crate) route: Route,
    pub(crate) state: AgentState,
    /// The group that it is in, where it is to be in that, and whether it has arrived when it is there.
    pub(crate) group: Option<GroupId>,
    pub(crate) slot: Option<Place>,
    pub(crate) settles: bool,
    /// The distance from its target's middle at which it stops: the sum of both radii if the target is another agent, else 0.
    pub(crate) beside: f32,
    /// As the leader of a group, it goes no faster than this.
    pub(crate) pace: f32,
    /// Whether it keeps still until its path is found: it walked off the last one while that was searched for.
    pub(crate) holds: bool,
    /// How it moved in the last step, metres per second in plan.
    pub(crate) velocity: Vec2,
    /// The velocity that it wants, and the one that avoidance made of that.
    pub(crate) wanted: Vec2,
    pub(crate) chosen: Vec2,
    /// Unit vector in plan.
    pub(crate) heading: Vec2,
    pub(crate) ahead: Option<Ahead>,
    pub(crate) passage: Option<Passage>,
    /// Whether it is at the end of its way over an off-mesh link, and nobody stands there.
    pub(crate) may_land: bool,
    /// The ground that it is led to once its own was taken, as long as it is lost.
    pub(crate) exit: Option<Place>,
    pub(crate) walls: Walls,
    /// Where it was when it last made progress, and how long that is ago.
    pub(crate) progress_at: Vec2,
    pub(crate) stalled: f32,
    /// The shortest rest of its path so far, the target at that time, and the seconds since the last look.
    pub(crate) nearest: f32,
    pub(crate) nearest_to: Vec2,
    pub(crate) looked: f32,
    /// Seconds for which it still claims the way in a jam, and for which it still gives way to such claims.
    pub(crate) claims: f32,
    pub(crate) gives: f32,
    /// The claim of another that it gives way to and passes on: its rank, and where it presses to.
    pub(crate) lent: Option<(u32, Vec2)>,
    /// Seconds that it has waited for an off-mesh link.
    pub(crate) waited: f32,
    /// Metres of its way until its path is looked over for shortcuts.
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

    /// How fast it is on a way that is not on the ground, metres per second.
    pub(crate) fn passage_speed(&self, passage: &Passage) -> f32 {
        if passage.link.is_some() { self.params.link_speed } else { self.params.max_speed }
    }

    /// Where it is: on the mesh, or on a way that is not.
    pub(crate) fn position(&self) -> Vec3 {
        self.passage.as_ref().map_or(self.corridor.position(), Passage::at)
    }

    /// Gives it another target; a path is asked for in the next step.
    pub(crate) fn aim(&mut self, target: Target) {
        self.target = target;
        self.goal = None;
        self.ahead = None;
        self.holds = false;
        self.beside = 0.0;
        (self.stalled, self.waited, self.nearest) = (0.0, 0.0, f32::INFINITY);
        // Agents that are sent together are not all looked at in the same step.
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
            // It goes once there is ground.
            self.state = AgentState::Lost;
        }
    }

    /// Forgets the path, and asks for another if there is a target.
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

    /// Its doings once it is on the ground again.
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

    /// Whether it stands and has nowhere to go.
    pub(crate) fn is_at_rest(&self) -> bool {
        matches!(self.state, AgentState::Idle | AgentState::Arrived | AgentState::Lost)
    }

    /// Its rank in a jam: who stands goes before nobody. The epoch draws an order of the corners that agents are on their
    /// way to, so that all who go the same way go together, and of these the nearest to the corner goes first.
    pub(crate) fn rank(&self, epoch: u32) -> u32 {
        if self.passage.is_some() {
            return u32::MAX;
        }
        // Leaders go before others three times out of four: those that would follow one may stand in its way.
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

    /// Whether it stands, for whatever reason.
    pub(crate) fn stands(&self) -> bool {
        self.is_at_rest() || matches!(self.state, AgentState::Waiting(_))
    }

    /// How readily it gives way to others: those near to their next corner go first, those that stand step aside.
    pub(crate) fn yielding(&self) -> f32 {
        if self.is_kinematic || self.passage.is_some() {
            return 0.0;
        }
        if self.stands() {
            return 3.0;
        }
        // Two that meet head on are not alike.
        let own = (self.number.wrapping_mul(0x9e37_79b9) >> 24) as f32 / 1024.0;
        let way = self.ahead.map_or(4.0, |ahead| ahead.corner.xz().distance(self.position().xz()));
        0.5 + own + way.min(4.0) * 0.25
    }
}

/// Corners in one square of this side count as one: its reciprocal, per metre.
const PER_CORNER: f32 = 0.5;
/// The bits of a rank that say how near an agent is to its corner, and how often a claim was passed on.
const RANK_BITS: u32 = 0x7ff;

/// A number that looks random, the same for the same agent and epoch.
fn drawn(index: u32, epoch: u32) -> u32 {
    let mixed = (index ^ epoch.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
    (mixed ^ mixed >> 15).wrapping_mul(0xc2b2_ae35)
}

/// An agent as a caller sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentView {
    /// Where its feet are, metres from the mesh's anchor.
    pub position: Vec3,
    /// The polygon under it; on an off-mesh link the one where it comes off.
    pub polygon: PolyRef,
    /// How it moved in the last step, metres per second as seen from above.
    pub velocity: Vec3,
    /// Where it faces: a horizontal unit vector.
    pub heading: Vec3,
    /// Its doings.
    pub state: AgentState,
    /// Its target.
    pub target: Target,
}
