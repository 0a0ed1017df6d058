//! Groups of a crowd: calls that make, change and dissolve them.

use crate::agent::{Role, Target};
use crate::crowd::Crowd;
use crate::error::{CrowdError, check_position, check_range};
use crate::group::formation::Formation;
use crate::group::{Follower, Group, GroupView, MOST_FOLLOWERS, SlotView};
use crate::ids::{AgentId, GroupId};
use detour::Vec3;

/// The largest spacing, and the largest distance of a slot, metres.
const FARTHEST: f32 = 1000.0;

/// Rejects a spacing or slots that are out of range.
pub(crate) fn check_form(formation: &Formation, spacing: f32) -> Result<(), CrowdError> {
    check_range("the spacing", spacing, 0.0..=FARTHEST, " m")?;
    let Formation::Own(slots) = formation else { return Ok(()) };
    slots.iter().try_for_each(|slot| {
        check_position("a slot", Vec3::new(slot.x, 0.0, slot.y))?;
        check_range("the distance of a slot", slot.length(), 0.0..=FARTHEST, " m")
    })
}

impl Crowd {
    /// Makes a group. The followers get [`Target::Group`] and keep their slots around the leader. The leader
    /// goes where it is sent, at the pace of the slowest member, and waits for stragglers. `spacing` is the
    /// distance between neighbours, metres; it is never less than the largest member needs. An agent can be
    /// in one group; up to 255 can follow one leader.
    pub fn add_group(
        &mut self,
        leader: AgentId,
        followers: &[AgentId],
        formation: Formation,
        spacing: f32,
    ) -> Result<GroupId, CrowdError> {
        check_form(&formation, spacing)?;
        for (number, id) in std::iter::once(&leader).chain(followers).enumerate() {
            let is_twice = number > 0 && (*id == leader || followers[..number - 1].contains(id));
            if self.get(*id)?.group().is_some() || is_twice {
                return Err(CrowdError::InGroup(*id));
            }
        }
        if followers.len() > MOST_FOLLOWERS {
            return Err(CrowdError::TooManyFollowers);
        }
        let group = Group::new(leader, formation, spacing, self.get(leader)?.heading);
        let (index, salt) = self.groups.add(group);
        let id = GroupId { index, salt };
        self.agent_mut(leader)?.role = Role::Leader { group: id, pace: f32::INFINITY };
        followers.iter().try_for_each(|follower| self.join(id, *follower))?;
        Ok(id)
    }

    /// Sends a group somewhere: sends its leader, and so all followers.
    pub fn send_group(&mut self, id: GroupId, target: Target) -> Result<(), CrowdError> {
        self.set_target(self.known_group(id)?.leader, target)
    }

    /// A group in its present state.
    pub fn group(&self, id: GroupId) -> Result<GroupView, CrowdError> {
        let group = self.known_group(id)?;
        Ok(GroupView {
            leader: group.leader,
            followers: group.followers.iter().map(|follower| follower.agent).collect(),
            formation: group.formation.clone(),
            spacing: group.spacing,
        })
    }

    /// The group that an agent is in.
    pub fn group_of(&self, id: AgentId) -> Result<Option<GroupId>, CrowdError> {
        Ok(self.get(id)?.group())
    }

    /// The slot of a follower in the last step, or `None` if the agent is not a follower.
    pub fn slot(&self, id: AgentId) -> Result<Option<SlotView>, CrowdError> {
        let Some(group) = self.get(id)?.group() else { return Ok(None) };
        let follower = self.known_group(group)?.followers.iter().find(|follower| follower.agent == id);
        let view = |follower: &Follower| {
            let position = follower.place?.point;
            Some(SlotView { number: follower.slot, position, is_folded: follower.is_folded })
        };
        Ok(follower.and_then(view))
    }

    /// Changes the formation of a group. Slots are assigned again by distance.
    pub fn set_formation(
        &mut self,
        id: GroupId,
        formation: Formation,
        spacing: f32,
    ) -> Result<(), CrowdError> {
        check_form(&formation, spacing)?;
        self.group_mut(id)?.form(formation, spacing);
        Ok(())
    }

    /// Adds a follower to a group.
    pub fn join(&mut self, id: GroupId, follower: AgentId) -> Result<(), CrowdError> {
        if self.get(follower)?.group().is_some() {
            return Err(CrowdError::InGroup(follower));
        }
        let group = self.group_mut(id)?;
        if group.followers.len() >= MOST_FOLLOWERS {
            return Err(CrowdError::TooManyFollowers);
        }
        group.followers.push(Follower::new(follower));
        group.is_new = true;
        let agent = self.agent_mut(follower)?;
        agent.role = Role::Follower { group: id, slot: None, may_arrive: true };
        if !agent.is_kinematic {
            agent.aim(Target::Group(id));
        }
        Ok(())
    }

    /// Takes an agent out of its group, if it is in one; the agent stays where it is. If the agent was the
    /// leader, the follower in the first slot takes over, with the leader's target. A group without members
    /// is removed.
    pub fn leave_group(&mut self, id: AgentId) -> Result<(), CrowdError> {
        let (target, Some(own)) = (self.get(id)?.target, self.get(id)?.group()) else { return Ok(()) };
        self.agent_mut(id)?.leave_group();
        let group = self.group_mut(own)?;
        group.is_new = true;
        if group.leader != id {
            group.followers.retain(|follower| follower.agent != id);
            return Ok(());
        }
        let first = group.followers.iter().enumerate().min_by_key(|(_, follower)| follower.slot);
        let Some(first) = first.map(|(index, _)| index) else {
            self.groups.remove(own.index, own.salt);
            return Ok(());
        };
        let leader = group.followers.remove(first).agent;
        group.leader = leader;
        self.agent_mut(leader)?.role = Role::Leader { group: own, pace: f32::INFINITY };
        if self.set_target(leader, target).is_err() {
            // The new leader may not go there, or the agent to follow is gone.
            self.agent_mut(leader)?.aim(Target::None);
        }
        Ok(())
    }

    /// Dissolves a group. Its followers have no target any more.
    pub fn remove_group(&mut self, id: GroupId) -> Result<(), CrowdError> {
        let group = self.groups.remove(id.index, id.salt).ok_or(CrowdError::NoGroup(id))?;
        group.members().try_for_each(|member| {
            self.agent_mut(member)?.leave_group();
            Ok(())
        })
    }

    /// Rejects an agent that is not a follower in a group.
    pub(crate) fn check_follower(&self, id: AgentId, group: GroupId) -> Result<(), CrowdError> {
        let is_follower = self.known_group(group)?.followers.iter().any(|follower| follower.agent == id);
        if is_follower { Ok(()) } else { Err(CrowdError::NoFollower { agent: id, group }) }
    }

    fn known_group(&self, id: GroupId) -> Result<&Group, CrowdError> {
        self.groups.get(id.index, id.salt).ok_or(CrowdError::NoGroup(id))
    }

    fn group_mut(&mut self, id: GroupId) -> Result<&mut Group, CrowdError> {
        self.groups.get_mut(id.index, id.salt).ok_or(CrowdError::NoGroup(id))
    }
}
