//! Components of agents: properties, targets, and what the crowd makes of them.

use bevy_ecs::prelude::{Component, Entity, ReflectComponent};
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use crowd::{AgentParams, Avoidance, FilterKind, SamplingQuality};
use detour::{Filter, FilterError};

/// A character that walks over a navmesh, around others, to its [`NavTarget`]. It stands on the ground nearest to its
/// [`Transform`] as soon as there is some. Set the transform to put it elsewhere; despawn the entity, or remove this component,
/// and it is gone from the crowd.
///
/// Agents have no parents that are moved or scaled: the crowd reads and writes their [`Transform`].
///
/// `#[require(Transform, NavTarget, NavAgentState, NavVelocity)]`
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(Transform, NavTarget, NavAgentState, NavVelocity)]
pub struct NavAgent {
    /// Radius of its body, metres, at most that of the mesh. Default 0.4.
    pub radius: f32,
    /// Height of its body, metres. Default 1.8.
    pub height: f32,
    /// How high the origin of its entity lies above its feet, metres. Default 0; 0.9 for a capsule with its origin in the middle.
    pub origin_above_feet: f32,
    /// Metres per second. Default 2.
    pub max_speed: f32,
    /// Metres per second in a second. Default 8.
    pub max_acceleration: f32,
    /// How fast it turns, radians per second. Default at once.
    pub turn_rate: f32,
    /// It has arrived when it is this near to its target, metres. Default 0.1.
    pub stopping_distance: f32,
    /// Whether it slows down before its target. Default on.
    pub brakes: bool,
    /// How it keeps clear of others. Default by reciprocal velocity obstacles.
    pub avoidance: NavAvoidance,
    /// How far ahead it avoids collisions, seconds, 0.1 to 10. Default 0.6.
    pub horizon: f32,
    /// Agents give way to those of higher priority. Default 0.
    pub priority: u8,
    /// The layers that it is on, a bit for each. Default 1.
    pub layers: u32,
    /// The layers of those that it avoids. Default all.
    pub avoids: u32,
    /// How fast it goes along off-mesh links, metres per second. With 0 the game takes it over, by
    /// [`NavWorld::finish_link`](crate::NavWorld::finish_link), when its animation has ended. Default 2.
    pub link_speed: f32,
    /// The part that moves the entity. Default the plugin.
    pub drive: NavDrive,
    /// Whether the plugin turns the entity, so that its -z axis points where it goes. Default on; only with
    /// [`NavDrive::Transform`].
    pub turns: bool,
}

impl Default for NavAgent {
    fn default() -> NavAgent {
        let own = AgentParams::default();
        NavAgent {
            radius: own.radius,
            height: own.height,
            origin_above_feet: 0.0,
            max_speed: own.max_speed,
            max_acceleration: own.max_acceleration,
            turn_rate: own.turn_rate,
            stopping_distance: own.stopping_distance,
            brakes: own.brakes,
            avoidance: NavAvoidance::default(),
            horizon: own.horizon,
            priority: own.priority,
            layers: own.layers,
            avoids: own.avoids,
            link_speed: own.link_speed,
            drive: NavDrive::default(),
            turns: true,
        }
    }
}

impl NavAgent {
    pub(crate) fn params(&self, filter: FilterKind) -> AgentParams {
        AgentParams {
            radius: self.radius,
            height: self.height,
            max_speed: self.max_speed,
            max_acceleration: self.max_acceleration,
            turn_rate: self.turn_rate,
            filter,
            avoidance: self.avoidance.into(),
            priority: self.priority,
            layers: self.layers,
            avoids: self.avoids,
            stopping_distance: self.stopping_distance,
            brakes: self.brakes,
            horizon: self.horizon,
            link_speed: self.link_speed,
        }
    }

    /// Where the feet are if the entity is here.
    pub(crate) fn feet(&self, origin: Vec3) -> Vec3 {
        origin - Vec3::Y * self.origin_above_feet
    }

    /// Where the entity is if the feet are here.
    pub(crate) fn origin(&self, feet: Vec3) -> Vec3 {
        feet + Vec3::Y * self.origin_above_feet
    }
}

/// The part that moves an agent's entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavDrive {
    /// The plugin writes the [`Transform`].
    #[default]
    Transform,
    /// The game, or a physics engine, moves the entity by its [`NavVelocity`]; the plugin never writes the [`Transform`].
    ///
    /// The agent goes ahead in the crowd, and the velocity leads the entity after it. Where the entity is held up until it is
    /// more than four radii behind, the agent goes on from where the entity is.
    Velocity,
}

/// How an agent keeps clear of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavAvoidance {
    /// It does not; bodies are only pushed apart.
    None,
    /// By reciprocal velocity obstacles.
    #[default]
    Orca,
    /// By trying 22 velocities and taking the best, as Detour's crowd does.
    Sampling,
    /// The same with 66 velocities.
    FineSampling,
}

impl From<NavAvoidance> for Avoidance {
    fn from(avoidance: NavAvoidance) -> Avoidance {
        match avoidance {
            NavAvoidance::None => Avoidance::None,
            NavAvoidance::Orca => Avoidance::Orca,
            NavAvoidance::Sampling => Avoidance::Sampling(SamplingQuality::Medium),
            NavAvoidance::FineSampling => Avoidance::Sampling(SamplingQuality::High),
        }
    }
}

/// Where an agent is to go. Change it to send the agent elsewhere; it moves in the next step already.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub enum NavTarget {
    /// Nowhere: it stands, and steps aside for others.
    #[default]
    None,
    /// To the ground nearest to a place, within 2 m of it across and 4 m in height.
    Point(Vec3),
    /// The same, for a goal that many agents have: one search leads all of them there, however many they are.
    Shared(Vec3),
    /// To another entity, wherever that goes.
    Entity(Entity),
    /// With this horizontal velocity, along walls where they are in the way. Metres per second.
    Velocity(Vec3),
}

/// The ground that an agent may enter, and what it costs, where that is not what the bake says.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavFilter {
    /// Ground with any of these flags is a wall. Default none.
    pub exclude: u32,
    /// Ground of these areas is a wall. Default none.
    pub closed: Vec<u8>,
    /// The cost of a metre of these areas, at least 0.001. Default that of the bake.
    pub costs: Vec<(u8, f32)>,
}

impl NavFilter {
    pub(crate) fn over(&self, base: Filter) -> Result<Filter, FilterError> {
        let filter =
            self.costs.iter().try_fold(base, |filter, (area, cost)| filter.with_area_cost(*area, *cost))?;
        let excluded = if self.exclude == 0 { filter } else { filter.with_exclude(self.exclude) };
        Ok(self.closed.iter().fold(excluded, |filter, area| filter.without_area(*area)))
    }
}

/// How an agent is doing; written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub enum NavAgentState {
    /// It does not stand on a mesh yet: there is none, or no ground within 2 m of it.
    #[default]
    OffMesh,
    /// It has no target.
    Idle,
    /// Its path is being searched for; it goes straight on until it is found.
    Searching,
    /// It follows its path.
    Walking,
    /// It is at its target.
    Arrived,
    /// It waits at the start of an off-mesh link that others are on.
    Waiting,
    /// It is on an off-mesh link.
    OnLink,
    /// There is no ground near it any more.
    Lost,
    /// The ground under it was taken, and it walks to the nearest that is left.
    SteppingOut,
}

impl From<crowd::AgentState> for NavAgentState {
    fn from(state: crowd::AgentState) -> NavAgentState {
        match state {
            crowd::AgentState::Idle => NavAgentState::Idle,
            crowd::AgentState::Searching => NavAgentState::Searching,
            crowd::AgentState::Walking => NavAgentState::Walking,
            crowd::AgentState::Arrived => NavAgentState::Arrived,
            crowd::AgentState::Waiting(_) => NavAgentState::Waiting,
            crowd::AgentState::OnLink(_) => NavAgentState::OnLink,
            crowd::AgentState::Lost => NavAgentState::Lost,
            crowd::AgentState::SteppingOut => NavAgentState::SteppingOut,
        }
    }
}

/// The velocity of an agent, metres per second: how it moved in the last step, or, with [`NavDrive::Velocity`], how its entity
/// is to be moved. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavVelocity(pub Vec3);
