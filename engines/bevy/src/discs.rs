//! Bodies that are not agents and are moved by the game. Agents avoid them.

use crate::components::OnNavWorld;
use crate::world::NavWorld;
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::{Component, Entity, Local, Query, ReflectComponent, Res};
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_time::Time;
use bevy_transform::components::Transform;
use crowd::MovingDisc;

/// A body that the game moves, a vehicle or a rolling stone: an upright cylinder. Agents avoid it and see its
/// velocity, but it never avoids them. The ground under it stays ground. For stationary objects, use a
/// [`NavObstacle`](crate::NavObstacle), which paths lead around.
///
/// Like agents, discs must not have parents that move or are scaled. A disc counts in every [`NavWorld`], or
/// in that of its [`OnNavWorld`].
///
/// `#[require(Transform)]`
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform)]
pub struct NavDisc {
    /// Metres, 0 to 100. Default 1.
    pub radius: f32,
    /// Metres, 0 to 100. Default 2.
    pub height: f32,
    /// Height of the entity's origin above its lower end, metres. Default 0.
    pub origin_above_feet: f32,
    /// Metres per second; `None`, the default, to derive it from the moves of the transform.
    pub velocity: Option<Vec3>,
    /// The layers that it is on, one bit per layer. Agents avoid the layers of
    /// [`NavAgent::avoids`](crate::NavAgent::avoids). Default 1.
    pub layers: u32,
}

impl Default for NavDisc {
    fn default() -> NavDisc {
        NavDisc { radius: 1.0, height: 2.0, origin_above_feet: 0.0, velocity: None, layers: 1 }
    }
}

/// A body that has not moved for this long is stationary, seconds. Frames may be farther apart than steps.
const STANDS_AFTER: f32 = 0.1;
/// A body that seems faster than this was moved elsewhere, metres per second.
const FASTEST: f32 = 100.0;

/// Position and velocity of a body when it was last seen.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    at: Vec3,
    /// Time when it was first seen there.
    since: f32,
    velocity: Vec3,
}

impl Seen {
    /// The body, seen again at a later time.
    fn again(self, at: Vec3, now: f32) -> Seen {
        if at == self.at {
            let stands = now - self.since > STANDS_AFTER;
            return if stands { Seen { velocity: Vec3::ZERO, ..self } } else { self };
        }
        let velocity = (at - self.at) / (now - self.since).max(f32::EPSILON);
        let is_move = velocity.length() <= FASTEST;
        Seen { at, since: now, velocity: if is_move { velocity } else { Vec3::ZERO } }
    }
}

/// Passes the bodies to the crowds.
pub(crate) fn place_discs(
    discs: Query<(Entity, &NavDisc, &Transform, Option<&OnNavWorld>)>,
    mut worlds: Query<(Entity, &mut NavWorld)>,
    time: Res<Time>,
    mut seen: Local<EntityHashMap<Seen>>,
) {
    seen.retain(|entity, _| discs.contains(*entity));
    let now = time.elapsed_secs();
    let mut moving = Vec::new();
    for (entity, disc, place, on) in &discs {
        let at = place.translation;
        let before = seen.get(&entity).copied();
        let known = before.map_or(Seen { at, since: now, velocity: Vec3::ZERO }, |seen| seen.again(at, now));
        seen.insert(entity, known);
        let body = MovingDisc {
            position: at - Vec3::Y * disc.origin_above_feet,
            velocity: disc.velocity.unwrap_or(known.velocity),
            radius: disc.radius,
            height: disc.height,
            layers: disc.layers,
        };
        moving.push((on.map(|on| on.0), body));
    }
    for (id, mut world) in &mut worlds {
        let own = moving.iter().filter(|(on, _)| on.is_none_or(|on| on == id));
        let own: Vec<MovingDisc> = own.map(|(_, body)| *body).collect();
        if let Err(error) = world.crowd.set_discs(&own) {
            tracing::warn!("moving discs: {error}; the discs of the previous step are used");
        }
    }
}
