//! Groups: a leader, and followers that keep their slots around it.

pub(crate) mod assign;
pub(crate) mod formation;

use crate::error::CrowdError;
use crate::ids::AgentId;
use crate::stored::{Reader, Stored};
use detour::{Place, Vec3};
use formation::Formation;
use glam::Vec2;
use std::collections::VecDeque;

/// The most followers of a group.
pub(crate) const MOST_FOLLOWERS: usize = 255;
/// Places of the trail for each follower.
pub(crate) const TRAIL_STEPS: usize = 4;

/// A follower and its slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Follower {
    pub(crate) agent: AgentId,
    /// The slot's number in the formation; from the number of slots on, it has none.
    pub(crate) slot: u32,
    /// Where it is to be; nowhere until the first step.
    pub(crate) place: Option<Place>,
    /// Whether it goes in the leader's track, as there is no room for its slot.
    pub(crate) is_folded: bool,
    /// Seconds for which there has been room for its slot.
    pub(crate) clear_for: f32,
}

impl Follower {
    pub(crate) fn new(agent: AgentId) -> Follower {
        Follower { agent, slot: u32::MAX, place: None, is_folded: false, clear_for: 0.0 }
    }
}

/// A group.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) leader: AgentId,
    pub(crate) followers: Vec<Follower>,
    pub(crate) formation: Formation,
    pub(crate) spacing: f32,
    /// Where the formation faces: a unit vector.
    pub(crate) heading: Vec2,
    /// Places that the leader has come by, the last first.
    pub(crate) trail: VecDeque<Place>,
    /// Whether slots are to be given out anew.
    pub(crate) is_new: bool,
    /// Whether the leader stood in the step before.
    pub(crate) stood: bool,
    /// How near the last straggler has come to its slot, and for how long it has come no nearer.
    pub(crate) nearest: f32,
    pub(crate) waited: f32,
    /// The leader's speed.
    pub(crate) pace: f32,
    /// The slots as seen from the leader, and for how many followers and how far apart they were laid out.
    pub(crate) slots: Vec<Vec2>,
    pub(crate) laid_out: (usize, f32),
}

impl Group {
    pub(crate) fn new(leader: AgentId, formation: Formation, spacing: f32, heading: Vec2) -> Group {
        Group {
            leader,
            followers: Vec::new(),
            formation,
            spacing,
            heading,
            trail: VecDeque::new(),
            is_new: true,
            stood: true,
            nearest: f32::INFINITY,
            waited: 0.0,
            pace: f32::INFINITY,
            slots: Vec::new(),
            laid_out: (usize::MAX, 0.0),
        }
    }

    /// Lays the slots out, if the number of followers or the spacing has changed.
    pub(crate) fn lay_out(&mut self, spacing: f32) {
        let wanted = (self.followers.len(), spacing);
        if self.laid_out != wanted {
            self.formation.lay_out(wanted.0, spacing, &mut self.slots);
            self.laid_out = wanted;
        }
    }

    /// Changes the formation; slots are given out anew.
    pub(crate) fn form(&mut self, formation: Formation, spacing: f32) {
        (self.formation, self.spacing) = (formation, spacing);
        (self.is_new, self.laid_out) = (true, (usize::MAX, 0.0));
    }

    /// All of them, the leader first.
    pub(crate) fn members(&self) -> impl Iterator<Item = AgentId> {
        std::iter::once(self.leader).chain(self.followers.iter().map(|follower| follower.agent))
    }
}

/// The slot of an agent in its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotView {
    /// The slot's number: of the nearest to the leader, 0.
    pub number: u32,
    /// Where the agent is to be, metres from the mesh's anchor: the slot, or a place in the leader's track if there is no
    /// room for it.
    pub position: Vec3,
    /// Whether it goes in the leader's track.
    pub is_folded: bool,
}

/// A group as a caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupView {
    /// The one that the others follow.
    pub leader: AgentId,
    /// The followers, in the order in which they joined.
    pub followers: Vec<AgentId>,
    /// The form.
    pub formation: Formation,
    /// Distance of neighbours, metres.
    pub spacing: f32,
}

impl Stored for Formation {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Formation::Line => out.push(0),
            Formation::Column => out.push(1),
            Formation::Wedge => out.push(2),
            Formation::Box => out.push(3),
            Formation::Own(slots) => (4u8, slots.clone()).write(out),
        }
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        match u8::read(from)? {
            0 => Ok(Formation::Line),
            1 => Ok(Formation::Column),
            2 => Ok(Formation::Wedge),
            3 => Ok(Formation::Box),
            4 => Ok(Formation::Own(Stored::read(from)?)),
            _ => from.fail("a formation that there is not"),
        }
    }
}

impl Stored for Follower {
    fn write(&self, out: &mut Vec<u8>) {
        ((self.agent, self.slot), (self.place, (self.is_folded, self.clear_for))).write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let ((agent, slot), (place, (is_folded, clear_for))) = Stored::read(from)?;
        Ok(Follower { agent, slot, place, is_folded, clear_for })
    }
}

impl Stored for Group {
    fn write(&self, out: &mut Vec<u8>) {
        let trail: Vec<Place> = self.trail.iter().copied().collect();
        ((self.leader, self.followers.clone()), (self.formation.clone(), self.spacing)).write(out);
        ((self.heading, trail), (self.is_new, self.stood)).write(out);
        (self.nearest, (self.waited, self.pace)).write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let ((leader, followers), (formation, spacing)) = Stored::read(from)?;
        let ((heading, trail), (is_new, stood)): ((Vec2, Vec<Place>), (bool, bool)) = Stored::read(from)?;
        let (nearest, (waited, pace)) = Stored::read(from)?;
        if !heading.is_normalized() {
            return from.fail("a heading that is not a unit vector");
        }
        let group = Group::new(leader, formation, spacing, heading);
        let trail = VecDeque::from(trail);
        Ok(Group { followers, trail, is_new, stood, nearest, waited, pace, ..group })
    }
}
