//! Components of agents: properties, targets, and results from the crowd.

use bevy_ecs::prelude::{Component, Entity, ReflectComponent};
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use crowd::{AgentParams, Avoidance, FilterKind, Flow, GroundLoss};
use detour::{Filter, FilterError};

/// A character that walks over a navmesh, around others, to its [`NavTarget`]. It joins at the ground nearest
/// to its [`Transform`] as soon as there is ground. Set the transform to move it elsewhere. To take it out of
/// the crowd, despawn the entity or remove this component.
///
/// An agent must not have a parent that moves or is scaled, because the crowd reads and writes the agent's
/// [`Transform`].
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
    /// Height of the entity's origin above its feet, metres. Default 0; 0.9 for a capsule with its origin in
    /// the middle.
    pub origin_above_feet: f32,
    /// Metres per second. Default 2.
    pub max_speed: f32,
    /// Metres per second per second. Default 8.
    pub max_acceleration: f32,
    /// Turning speed, radians per second. By default it turns at once.
    pub turn_rate: f32,
    /// It has arrived when it is this near to its target, metres. Default 0.1.
    pub stopping_distance: f32,
    /// True if it slows down before its target. Default true.
    pub brakes: bool,
    /// Method of avoiding others. Default: reciprocal velocity obstacles.
    pub avoidance: NavAvoidance,
    /// Time for which collisions are predicted, seconds, 0.1 to 10. Default 0.6.
    pub horizon: f32,
    /// Agents yield to agents of higher priority. Default 0.
    pub priority: u8,
    /// The layers that it is on, one bit per layer. Default 1.
    pub layers: u32,
    /// The layers of the bodies that it avoids. Default: all.
    pub avoids: u32,
    /// Speed along off-mesh links, metres per second. With 0, the game moves it over the link by
    /// [`NavWorld::finish_link`](crate::NavWorld::finish_link), for example when its animation has ended.
    /// Default 2.
    pub link_speed: f32,
    /// Speed among others. Default: full as far as they leave room.
    pub flow: NavFlow,
    /// Behaviour if its ground is removed. By default it walks to the nearest remaining ground.
    pub ground_loss: NavGroundLoss,
    /// The greatest depth of a fall with [`NavGroundLoss::Fall`], metres. Default 10.
    pub fall_height: f32,
    /// The part that moves the entity. Default: the plugin.
    pub drive: NavDrive,
    /// True if the plugin turns the entity, so that its -z axis points along its movement. Default true; only
    /// with [`NavDrive::Transform`].
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
            flow: NavFlow::default(),
            ground_loss: NavGroundLoss::default(),
            fall_height: own.fall_height,
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
            flow: self.flow.into(),
            ground_loss: self.ground_loss.into(),
            fall_height: self.fall_height,
        }
    }

    /// Position of the feet if the entity is at `origin`.
    pub(crate) fn feet(&self, origin: Vec3) -> Vec3 {
        origin - Vec3::Y * self.origin_above_feet
    }

    /// Position of the entity if the feet are at `feet`.
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
    /// The game or a physics engine moves the entity by its [`NavVelocity`]. The plugin never writes the
    /// [`Transform`].
    ///
    /// The agent moves ahead in the crowd, and the velocity leads the entity after it. If the entity is
    /// blocked and falls more than four radii back, the agent continues from the entity's position.
    Velocity,
}

/// Method of avoiding others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavAvoidance {
    /// No avoidance; bodies are only pushed apart.
    None,
    /// By reciprocal velocity obstacles.
    #[default]
    Orca,
}

impl From<NavAvoidance> for Avoidance {
    fn from(avoidance: NavAvoidance) -> Avoidance {
        match avoidance {
            NavAvoidance::None => Avoidance::None,
            NavAvoidance::Orca => Avoidance::Orca,
        }
    }
}

/// Speed of an agent among others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavFlow {
    /// Its full speed as far as others leave room.
    #[default]
    Free,
    /// Slower the more others are ahead of it, as people walk.
    People,
}

impl From<NavFlow> for Flow {
    fn from(flow: NavFlow) -> Flow {
        match flow {
            NavFlow::Free => Flow::Free,
            NavFlow::People => Flow::People,
        }
    }
}

/// The behaviour of an agent whose ground is removed, for example because a bridge collapses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub enum NavGroundLoss {
    /// It walks straight to the nearest remaining ground. Without such ground it waits.
    #[default]
    StepOut,
    /// It keeps still until there is ground at its place again.
    Wait,
    /// It falls to the ground below it. Without such ground it waits.
    Fall,
    /// It leaves the crowd: its [`NavAgent`] is removed after [`Removed`](crate::NavAgentEventKind::Removed).
    Remove,
}

impl From<NavGroundLoss> for GroundLoss {
    fn from(loss: NavGroundLoss) -> GroundLoss {
        match loss {
            NavGroundLoss::StepOut => GroundLoss::StepOut,
            NavGroundLoss::Wait => GroundLoss::Wait,
            NavGroundLoss::Fall => GroundLoss::Fall,
            NavGroundLoss::Remove => GroundLoss::Remove,
        }
    }
}

/// The target of an agent. Change it to send the agent elsewhere; the agent starts to move in the next step.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub enum NavTarget {
    /// No target: the agent does not walk, and steps aside for others.
    #[default]
    None,
    /// To the ground nearest to a place, within 2 m of it horizontally and 4 m in height.
    Point(Vec3),
    /// To a goal that many agents share, found like that of a point. One search leads all of them there, for
    /// any number of agents.
    Shared(Vec3),
    /// To one of the exits of an entity with [`NavExits`](crate::NavExits), which it chooses by distance and
    /// queue.
    Exits(Entity),
    /// To another entity, which may move.
    Entity(Entity),
    /// With this horizontal velocity, sliding along walls. Metres per second.
    Velocity(Vec3),
}

/// An agent with this component is carried by something that moves off the mesh, such as a raft or a lift.
/// The game moves the entity by its [`Transform`]; the agent does not walk, nobody avoids it, and it keeps
/// its target. When the component is removed, the agent continues from the ground nearest to the entity.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavCarried;

/// The ground that an agent may enter, and its costs, if they differ from those of the bake.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavFilter {
    /// Ground with any of these flags is a wall. Default none.
    pub exclude: u32,
    /// Ground of these areas is a wall. Default none.
    pub closed: Vec<u8>,
    /// The cost per metre in these areas, at least 0.001. By default the cost of the bake.
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

/// The state of an agent; written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub enum NavAgentState {
    /// It is not on a mesh yet: the mesh is missing, or there is no ground within 2 m of it.
    #[default]
    OffMesh,
    /// It has no target.
    Idle,
    /// Its path is being searched for. Until the path is found, it walks straight towards its target.
    Searching,
    /// It follows its path.
    Walking,
    /// It is at its target.
    Arrived,
    /// It waits at the start of an off-mesh link that other agents are on.
    Waiting,
    /// It is on an off-mesh link.
    OnLink,
    /// There is no ground near it.
    Lost,
    /// The ground under it was removed, and it walks to the nearest remaining ground.
    SteppingOut,
    /// The ground under it was removed, and it falls to the ground below.
    Falling,
    /// The game carries it: see [`NavCarried`].
    Carried,
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
            crowd::AgentState::Carried => NavAgentState::Carried,
            crowd::AgentState::SteppingOut => NavAgentState::SteppingOut,
            crowd::AgentState::Falling => NavAgentState::Falling,
        }
    }
}

/// The velocity of an agent, metres per second: its movement in the last step, or, with
/// [`NavDrive::Velocity`], the velocity that its entity should have. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavVelocity(pub Vec3);
