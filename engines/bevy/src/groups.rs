//! Groups: agents that follow a leader in a formation.

use crate::seats::{Aim, FormedGroup};
use crate::world::NavWorld;
use bevy_ecs::prelude::{Component, Entity, Query, ReflectComponent};
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use crowd::{CrowdError, Formation, Target};

/// A [`NavAgent`](crate::NavAgent) that leads a formation. Agents with [`NavFollows`] of its entity follow
/// it. It goes to its own [`NavTarget`](crate::NavTarget), at the pace of the slowest member, and waits for
/// stragglers. If there is no room for the formation, the followers walk in a column after it. Up to 255
/// agents can follow one leader, and a leader follows nobody.
///
/// When it is despawned, its followers lose their [`NavFollows`] and go to their own targets again.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavGroup {
    /// The formation. Default: a column.
    pub formation: NavFormation,
    /// Distance between neighbours, metres, 0 to 1,000; never less than the largest of them needs. Default
    /// 1.5.
    pub spacing: f32,
}

impl Default for NavGroup {
    fn default() -> NavGroup {
        NavGroup { formation: NavFormation::default(), spacing: 1.5 }
    }
}

/// The formation of a group.
#[derive(Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavFormation {
    /// Side by side, the leader in the middle.
    Line,
    /// In single file.
    #[default]
    Column,
    /// A wedge with the leader at its tip.
    Wedge,
    /// Rows of equal length, about as long as the number of rows; the leader in the middle of the first row.
    Box,
    /// Custom slots, metres from the leader: to the right of its direction, and along it. Followers without a
    /// slot walk in a column.
    Own(Vec<Vec2>),
}

impl NavFormation {
    fn of_crowd(&self) -> Formation {
        match self {
            NavFormation::Line => Formation::Line,
            NavFormation::Column => Formation::Column,
            NavFormation::Wedge => Formation::Wedge,
            NavFormation::Box => Formation::Box,
            NavFormation::Own(slots) => Formation::Own(slots.clone()),
        }
    }
}

/// The leader that an agent follows: an entity with a [`NavGroup`], in the same world. While the agent
/// follows, its own [`NavTarget`](crate::NavTarget) has no effect. Remove this component to take the agent
/// out of the group.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, PartialEq, Debug)]
#[relationship(relationship_target = NavFollowers)]
pub struct NavFollows(pub Entity);

/// The agents that follow a leader; written by Bevy.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[relationship_target(relationship = NavFollows)]
pub struct NavFollowers(Vec<Entity>);

/// Forms, changes and dissolves groups to match their components.
pub(crate) fn form_groups(
    leaders: Query<(Entity, &NavGroup)>,
    followers: Query<(Entity, &NavFollows)>,
    mut worlds: Query<&mut NavWorld>,
) {
    for mut world in &mut worlds {
        dissolve(&mut world, &leaders);
        for (entity, group) in &leaders {
            if let Err(error) = lead(&mut world, entity, group) {
                tracing::warn!("the group of {entity}: {error}");
            }
        }
        let stray: Vec<Entity> = world
            .seats
            .iter()
            .filter(|(entity, seat)| seat.aim == Aim::Group && !followers.contains(*entity))
            .map(|(entity, _)| entity)
            .collect();
        for entity in stray {
            if let Err(error) = leave(&mut world, entity) {
                tracing::error!("{entity}: {error}");
            }
        }
        for (entity, follows) in &followers {
            if let Err(error) = follow(&mut world, entity, follows.0) {
                tracing::warn!("{entity}, which follows {}: {error}", follows.0);
            }
        }
    }
}

/// Dissolves groups without a leader.
fn dissolve(world: &mut NavWorld, leaders: &Query<(Entity, &NavGroup)>) {
    let NavWorld { seats, crowd, .. } = world;
    let over = |entity: &Entity, group: &FormedGroup| {
        let seat = seats.get(*entity).map(|seat| seat.id);
        seat != Some(group.leader) || !leaders.contains(*entity)
    };
    let list: Vec<Entity> = seats
        .groups
        .iter()
        .filter(|(entity, group)| over(entity, group))
        .map(|(entity, _)| *entity)
        .collect();
    for entity in list {
        let Some(group) = seats.groups.remove(&entity) else { continue };
        // The crowd has removed the group together with its last member.
        let Ok(view) = crowd.group(group.id) else { continue };
        if let Err(error) = crowd.remove_group(group.id) {
            tracing::error!("the group of {entity}: {error}");
        }
        for member in std::iter::once(view.leader).chain(view.followers) {
            let Some(follower) = seats.entity(member) else { continue };
            if let Some(seat) = seats.get_mut(follower).filter(|seat| seat.aim == Aim::Group) {
                seat.aim = Aim::Anew;
            }
        }
    }
}

/// Makes the group of a leader, or changes its formation.
fn lead(world: &mut NavWorld, entity: Entity, group: &NavGroup) -> Result<(), CrowdError> {
    let NavWorld { seats, crowd, .. } = world;
    let Some(leader) = seats.get(entity).map(|seat| seat.id) else { return Ok(()) };
    let form = group.formation.of_crowd();
    match seats.groups.get_mut(&entity) {
        Some(formed) if formed.form == (form.clone(), group.spacing) => {}
        Some(formed) => {
            // Recorded even if it is rejected, so that it is reported once.
            formed.form = (form.clone(), group.spacing);
            crowd.set_formation(formed.id, form, group.spacing)?;
        }
        None => {
            let id = crowd.add_group(leader, &[], form.clone(), group.spacing)?;
            seats.groups.insert(entity, FormedGroup { id, leader, form: (form, group.spacing) });
        }
    }
    Ok(())
}

/// Makes an agent follow a leader, if both are in this world.
fn follow(world: &mut NavWorld, entity: Entity, leader: Entity) -> Result<(), CrowdError> {
    let NavWorld { seats, crowd, .. } = world;
    let (Some(seat), Some(group)) = (seats.get(entity).copied(), seats.groups.get(&leader)) else {
        return Ok(());
    };
    let wanted = group.id;
    if crowd.group_of(seat.id)? == Some(wanted) {
        if seat.aim != Aim::Group {
            crowd.set_target(seat.id, Target::Group(wanted))?;
        }
    } else if !seats.groups.contains_key(&entity) {
        crowd.leave_group(seat.id)?;
        crowd.join(wanted, seat.id)?;
    } else {
        return Ok(());
    }
    seats.drop_goal(crowd, seat.aim);
    if let Some(seat) = seats.get_mut(entity) {
        seat.aim = Aim::Group;
    }
    Ok(())
}

/// Takes an agent out of its group; it goes to its own target.
fn leave(world: &mut NavWorld, entity: Entity) -> Result<(), CrowdError> {
    let NavWorld { seats, crowd, .. } = world;
    let Some(seat) = seats.get_mut(entity) else { return Ok(()) };
    seat.aim = Aim::Anew;
    crowd.leave_group(seat.id)
}
