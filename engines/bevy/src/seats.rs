//! The link between entities and agents of the crowd: their last targets, and the goals, exits and filters
//! that agents share.

use crate::agent::NavFilter;
use crate::events::NoPathReason;
use crate::exits::NavExits;
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::Entity;
use bevy_math::Vec3;
use crowd::{AgentId, Crowd, CrowdError, FilterKind, Formation, GroupId, Target};

/// The place of an entity in the crowd.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    pub(crate) id: AgentId,
    pub(crate) filter: FilterKind,
    /// True if the agent has its own filter.
    pub(crate) has_filter: bool,
    /// Position of the entity after the last step. If the entity is elsewhere now, the game has moved it.
    pub(crate) origin: Vec3,
    pub(crate) aim: Aim,
    /// The reason why no path leads to the target, if it was reported. Each change of the mesh finds it
    /// again.
    pub(crate) reported: Option<NoPathReason>,
}

/// Status of an agent's target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Aim {
    /// The crowd knows it.
    Known,
    /// There was no ground there, or the entity is gone. Retried when the mesh changes.
    Unknown,
    /// It goes to a goal that agents share, or to one of several exits.
    Shared(Target),
    /// It follows an entity that is not an agent; the value is the entity's last position.
    Follows(Vec3),
    /// It keeps its slot in a group.
    Group,
    /// It must be sent to its target again.
    Anew,
}

/// A goal or exits that agents share.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meeting {
    Point(Vec3),
    Exits(NavExits),
}

/// A goal or exits that agents with a filter share.
#[derive(Clone, Debug)]
struct SharedGoal {
    meeting: Meeting,
    filter: FilterKind,
    /// A field or exits of the crowd.
    target: Target,
    followers: usize,
}

/// A group of the crowd, with its leader, formation and spacing.
#[derive(Clone, Debug)]
pub(crate) struct FormedGroup {
    pub(crate) id: GroupId,
    pub(crate) leader: AgentId,
    pub(crate) form: (Formation, f32),
}

/// All seats.
#[derive(Default)]
pub(crate) struct Seats {
    of: EntityHashMap<Seat>,
    /// By the number of the agent.
    entities: Vec<Entity>,
    goals: Vec<SharedGoal>,
    /// Groups, by the entities of their leaders.
    pub(crate) groups: EntityHashMap<FormedGroup>,
    /// `None` is the filter of the bake.
    pub(crate) filters: Vec<(Option<NavFilter>, FilterKind)>,
}

impl Seats {
    pub(crate) fn get(&self, entity: Entity) -> Option<&Seat> {
        self.of.get(&entity)
    }

    pub(crate) fn get_mut(&mut self, entity: Entity) -> Option<&mut Seat> {
        self.of.get_mut(&entity)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (Entity, &mut Seat)> {
        self.of.iter_mut().map(|(entity, seat)| (*entity, seat))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Entity, &Seat)> {
        self.of.iter().map(|(entity, seat)| (*entity, seat))
    }

    /// The entity of an agent.
    pub(crate) fn entity(&self, id: AgentId) -> Option<Entity> {
        let entity = *self.entities.get(id.index())?;
        self.of.get(&entity).filter(|seat| seat.id == id).map(|_| entity)
    }

    pub(crate) fn insert(&mut self, entity: Entity, seat: Seat) {
        let index = seat.id.index();
        if self.entities.len() <= index {
            self.entities.resize(index + 1, Entity::PLACEHOLDER);
        }
        self.entities[index] = entity;
        self.of.insert(entity, seat);
    }

    /// Takes an entity out of the crowd.
    pub(crate) fn leave(&mut self, crowd: &mut Crowd, entity: Entity) {
        let Some(seat) = self.of.remove(&entity) else { return };
        self.drop_goal(crowd, seat.aim);
        match crowd.remove(seat.id) {
            // The crowd itself removes an agent whose ground was removed, if its properties say so.
            Ok(()) | Err(CrowdError::NoAgent(_)) => {}
            Err(error) => tracing::error!("{entity}: {error}"),
        }
    }

    /// The target that agents with this filter share, if there is one. Counts one more follower.
    pub(crate) fn share(&mut self, meeting: &Meeting, filter: FilterKind) -> Option<Target> {
        let goal = self.goals.iter_mut().find(|goal| goal.meeting == *meeting && goal.filter == filter)?;
        goal.followers += 1;
        Some(goal.target)
    }

    /// Records a new target, which one agent has.
    pub(crate) fn open(&mut self, meeting: Meeting, filter: FilterKind, target: Target) {
        self.goals.push(SharedGoal { meeting, filter, target, followers: 1 });
    }

    /// Records that one agent less has a target, and removes its field or its exits with the last of them.
    pub(crate) fn drop_goal(&mut self, crowd: &mut Crowd, aim: Aim) {
        let Aim::Shared(target) = aim else { return };
        let Some(index) = self.goals.iter().position(|goal| goal.target == target) else { return };
        self.goals[index].followers -= 1;
        if self.goals[index].followers == 0 {
            self.goals.swap_remove(index);
            let removed = match target {
                Target::Exits(exits) => crowd.remove_exits(exits),
                Target::Field(field) => crowd.remove_field(field),
                _ => Ok(()),
            };
            if let Err(error) = removed {
                tracing::error!("{error}");
            }
        }
    }
}
