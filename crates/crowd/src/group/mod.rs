//! Groups: a leader, and followers that keep their slots around it.

pub(crate) mod assign;
pub(crate) mod formation;

use crate::error::CrowdError;
use crate::ids::AgentId;
use crate::stored::{Reader, Stored, stored_enum, stored_fields};
use detour::{Place, Vec3};
use formation::Formation;
use glam::Vec2;
use std::collections::VecDeque;

/// The largest number of followers in a group.
pub(crate) const MOST_FOLLOWERS: usize = 255;
/// Number of trail places per follower.
pub(crate) const TRAIL_STEPS: usize = 4;

/// A follower and its slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Follower {
    pub(crate) agent: AgentId,
    /// The slot's number in the formation. A number past the last slot means that the follower has no slot.
    pub(crate) slot: u32,
    /// The place that it walks to; `None` until the first step.
    pub(crate) place: Option<Place>,
    /// True if it walks in the leader's track because its slot has no room.
    pub(crate) is_folded: bool,
    /// Seconds for which its slot has had room.
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
    /// Direction that the formation faces: a unit vector.
    pub(crate) heading: Vec2,
    /// Places that the leader has passed, the last first.
    pub(crate) trail: VecDeque<Place>,
    /// True if slots are to be assigned again.
    pub(crate) is_new: bool,
    /// True if the leader kept still in the step before.
    pub(crate) stood: bool,
    /// The smallest distance of the last straggler from its slot, and the seconds since it last got nearer.
    pub(crate) nearest: f32,
    pub(crate) waited: f32,
    /// The leader's speed.
    pub(crate) pace: f32,
    /// The slots relative to the leader, and the number of followers and the spacing that they were laid out
    /// for.
    pub(crate) slots: Vec<Vec2>,
    laid_out_for: usize,
    pub(crate) laid_out_spacing: f32,
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
            laid_out_for: usize::MAX,
            laid_out_spacing: 0.0,
        }
    }

    /// Lays out the slots, if the number of followers or the spacing has changed.
    pub(crate) fn lay_out(&mut self, spacing: f32) {
        let count = self.followers.len();
        if (self.laid_out_for, self.laid_out_spacing) != (count, spacing) {
            self.formation.lay_out(count, spacing, &mut self.slots);
            (self.laid_out_for, self.laid_out_spacing) = (count, spacing);
        }
    }

    /// Changes the formation. Slots are assigned again.
    pub(crate) fn form(&mut self, formation: Formation, spacing: f32) {
        (self.formation, self.spacing) = (formation, spacing);
        (self.is_new, self.laid_out_for) = (true, usize::MAX);
    }

    /// All members, the leader first.
    pub(crate) fn members(&self) -> impl Iterator<Item = AgentId> {
        std::iter::once(self.leader).chain(self.followers.iter().map(|follower| follower.agent))
    }
}

/// The slot of an agent in its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotView {
    /// The slot's number. The slot nearest to the leader has number 0.
    pub number: u32,
    /// Target position of the agent, metres from the mesh's anchor: the slot, or a place in the leader's
    /// track if the slot has no room.
    pub position: Vec3,
    /// True if it walks in the leader's track.
    pub is_folded: bool,
}

/// A group as a caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupView {
    /// The leader.
    pub leader: AgentId,
    /// The followers, in the order in which they joined.
    pub followers: Vec<AgentId>,
    /// The formation.
    pub formation: Formation,
    /// Distance between neighbours, metres.
    pub spacing: f32,
}

stored_enum!(Formation { 0: Line, 1: Column, 2: Wedge, 3: Box, 4: Own(slots) });
stored_fields!(Follower { agent, slot, place, is_folded, clear_for });
stored_fields!(Group {
    leader,
    formation,
    spacing,
    heading,
    followers,
    trail,
    is_new,
    stood,
    nearest,
    waited,
    pace,
} rest = Group::new(leader, Formation::default(), spacing, heading));
