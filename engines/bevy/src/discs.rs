//! Bodies that are no agents and that the game moves: agents keep clear of them.

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

/// A body that the game moves, a vehicle or a rolling stone: an upright cylinder that agents keep clear of, seeing where it goes,
/// and that never keeps clear of them. The ground under it stays ground; for what stands still take a
/// [`NavObstacle`](crate::NavObstacle), which paths lead around.
///
/// As agents, discs have no parents that are moved or scaled. One counts in every [`NavWorld`], or in that of its [`OnNavWorld`].
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
    /// How high the origin of its entity lies above its lower end, metres. Default 0.
    pub origin_above_feet: f32,
    /// Metres per second; `None`, the default, for what the moves of its transform come to.
    pub velocity: Option<Vec3>,
    /// The layers that it is on, a bit for each: agents avoid those that [`NavAgent::avoids`](crate::NavAgent::avoids) names.
    /// Default 1.
    pub layers: u32,
}

impl Default for NavDisc {
    fn default() -> NavDisc {
        NavDisc { radius: 1.0, height: 2.0, origin_above_feet: 0.0, velocity: None, layers: 1 }
    }
}

/// A body that has not moved for this long stands, seconds: frames may be farther apart than steps.
const STANDS_AFTER: f32 = 0.1;
/// One that seems faster was put elsewhere, metres per second.
const FASTEST: f32 = 100.0;

/// Where a body was seen, and how it moved up to then.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    at: Vec3,
    /// When it was first seen there.
    since: f32,
    velocity: Vec3,
}

impl Seen {
    /// The same body, seen again at a time.
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

/// Hands the bodies on to the crowds.
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
            tracing::warn!("moving discs: {error}; those of the step before count");
        }
    }
}
