//! The systems that step the crowd and write the results.

use crate::agent::{NavAgent, NavAgentState, NavDrive, NavVelocity};
use crate::events::{LinkId, NavAgentEventKind, NoPathReason, StuckReason};
use crate::seating::report;
use crate::world::NavWorld;
use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::prelude::{Commands, Query, Res};
use bevy_math::Vec3;
use bevy_time::Time;
use bevy_transform::components::Transform;
use crowd::{EventKind, StuckCause};
use detour::{PartialReason, PolyRef};

/// With [`NavDrive::Velocity`], an entity that lags its agent catches up within about this time, seconds.
const CATCH_UP: f32 = 0.25;

/// Moves all crowds by a step, and reports what happened.
pub(crate) fn step(mut worlds: Query<&mut NavWorld>, time: Res<Time>, mut commands: Commands) {
    for mut world in &mut worlds {
        let NavWorld { crowd, mesh, events, .. } = &mut *world;
        if let Err(error) = crowd.step(mesh, time.delta_secs(), events) {
            tracing::error!("the crowd cannot step: {error}");
        }
        let events = std::mem::take(&mut world.events);
        for event in &events {
            let Some(entity) = world.seats.entity(event.agent) else { continue };
            let kind = kind(&world, event.kind);
            if let (NavAgentEventKind::NoPath(reason), Some(seat)) = (kind, world.seats.get_mut(entity))
                && seat.reported.replace(reason) == Some(reason)
            {
                continue;
            }
            report(&mut commands, entity, kind);
            if kind == NavAgentEventKind::Removed {
                commands.entity(entity).try_remove::<NavAgent>();
            }
        }
        // Its memory is reused.
        world.events = events;
        world.events.clear();
    }
}

/// Converts an event of the crowd to an event of an entity.
fn kind(world: &NavWorld, kind: EventKind) -> NavAgentEventKind {
    match kind {
        EventKind::Arrived => NavAgentEventKind::Arrived,
        EventKind::Stuck(cause) => NavAgentEventKind::Stuck(match cause {
            StuckCause::Crowded => StuckReason::Crowded,
            StuckCause::LinkBusy => StuckReason::LinkBusy,
            StuckCause::NoWay => StuckReason::NoWay,
            StuckCause::Slow => StuckReason::Slow,
        }),
        EventKind::PathPartial(reason) => NavAgentEventKind::NoPath(match reason {
            PartialReason::Unreachable => NoPathReason::Unreachable,
            PartialReason::GoalExcluded => NoPathReason::Excluded,
            PartialReason::OutOfNodes => NoPathReason::OutOfNodes,
        }),
        EventKind::PathLost => NavAgentEventKind::PathLost,
        EventKind::GroundLost => NavAgentEventKind::GroundLost,
        EventKind::SteppingOut => NavAgentEventKind::SteppingOut,
        EventKind::Falling => NavAgentEventKind::Falling,
        EventKind::Removed => NavAgentEventKind::Removed,
        EventKind::GroundFound => NavAgentEventKind::GroundFound,
        EventKind::LinkEntered(link) => NavAgentEventKind::LinkEntered(link_id(world, link)),
        EventKind::LinkLeft(link) => NavAgentEventKind::LinkLeft(link_id(world, link)),
        EventKind::SlotChanged { slot, is_folded } => {
            NavAgentEventKind::SlotChanged { slot, in_column: is_folded }
        }
    }
}

fn link_id(world: &NavWorld, link: PolyRef) -> LinkId {
    let Ok(link) = world.mesh.off_mesh(link) else { return LinkId::Gone };
    match world.links.get(link.user_id as usize) {
        Some(entity) => LinkId::Entity(*entity),
        None => LinkId::User(link.user_id),
    }
}

/// Writes transforms, velocities and states.
pub(crate) fn write_agents(
    mut worlds: Query<&mut NavWorld>,
    mut agents: Query<(&NavAgent, &mut Transform, &mut NavVelocity, &mut NavAgentState)>,
) {
    for mut world in &mut worlds {
        let NavWorld { seats, crowd, .. } = &mut *world;
        for (entity, seat) in seats.iter_mut() {
            let (Ok((agent, mut place, mut velocity, mut state)), Ok(view)) =
                (agents.get_mut(entity), crowd.agent(seat.id))
            else {
                continue;
            };
            state.set_if_neq(view.state.into());
            let origin = agent.origin(view.position);
            if agent.drive == NavDrive::Velocity {
                seat.origin = place.translation;
                let behind = (origin - place.translation) / CATCH_UP;
                let led = (view.velocity + behind).clamp_length_max(agent.max_speed * 1.5);
                velocity.set_if_neq(NavVelocity(led));
                continue;
            }
            velocity.set_if_neq(NavVelocity(view.velocity));
            seat.origin = origin;
            let mut next = *place;
            next.translation = origin;
            if agent.turns && view.velocity.length_squared() > 1e-4 {
                next.look_to(view.heading, Vec3::Y);
            }
            place.set_if_neq(next);
        }
    }
}
