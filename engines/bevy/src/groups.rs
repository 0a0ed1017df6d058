//! Groups: agents that follow a leader in a formation.

use crate::seats::{Aim, FormedGroup};
use crate::world::NavWorld;
use bevy_ecs::prelude::{Component, Entity, Query, ReflectComponent};
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use crowd::{CrowdError, Formation, Target};

/// A [`NavAgent`](crate::NavAgent) that others follow in a formation: those with [`NavFollows`] of its entity. It goes to its own
/// [`NavTarget`](crate::NavTarget), at the pace of the slowest, and waits for stragglers. Where there is no room for the
/// formation they go in a column behind it. Up to 255 follow one leader, and a leader follows nobody.
///
/// When it is despawned, its followers lose their [`NavFollows`] and go to targets of their own again.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavGroup {
    /// The form. Default a column.
    pub formation: NavFormation,
    /// Distance of neighbours, metres, 0 to 1,000; never less than the largest of them needs. Default 1.5.
    pub spacing: f32,
}

impl Default for NavGroup {
    fn default() -> NavGroup {
        NavGroup { formation: NavFormation::default(), spacing: 1.5 }
    }
}

/// The form in which a group goes.
#[derive(Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavFormation {
    /// Side by side, the leader in the middle.
    Line,
    /// One behind another.
    #[default]
    Column,
    /// A wedge with the leader at its tip.
    Wedge,
    /// Rows of the same length, about the same number as each has agents; the leader in the middle of the first.
    Box,
    /// Slots of your own, metres from the leader: to the right of its way, and along it. Followers for whom there is no slot go
    /// in a column.
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

/// The leader that an agent follows: an entity with a [`NavGroup`], in the same world. Meanwhile its own
/// [`NavTarget`](crate::NavTarget) does not count. Remove it, and the agent leaves the group.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, PartialEq, Debug)]
#[relationship(relationship_target = NavFollowers)]
pub struct NavFollows(pub Entity);

/// The agents that follow a leader; written by Bevy.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[relationship_target(relationship = NavFollows)]
pub struct NavFollowers(Vec<Entity>);

/// Forms groups, changes and dissolves them, as their components say.
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

/// Dissolves groups that nobody leads any more.
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
        // With its last member the crowd has removed it.
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

/// Makes the group of a leader, or changes its form.
fn lead(world: &mut NavWorld, entity: Entity, group: &NavGroup) -> Result<(), CrowdError> {
    let NavWorld { seats, crowd, .. } = world;
    let Some(leader) = seats.get(entity).map(|seat| seat.id) else { return Ok(()) };
    let form = group.formation.of_crowd();
    match seats.groups.get_mut(&entity) {
        Some(formed) if formed.form == (form.clone(), group.spacing) => {}
        Some(formed) => {
            // Noted even if it is refused, so that it is reported once.
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

/// Has an agent follow a leader, if both are in this world.
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
