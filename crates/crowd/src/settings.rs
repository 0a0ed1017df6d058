//! Settings of a crowd, and the properties of its agents.

use crate::error::{CrowdError, check_range};
use detour::NavMesh;

/// Settings of a [`Crowd`](crate::Crowd).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdSettings {
    /// Number of polygons that all path searches together may settle in a step. Bounds the cost of many
    /// orders at once. About ten thousand take a millisecond of one thread. At least 1.
    pub search_nodes: u32,
    /// Avoidance is computed for each agent in every n-th step, for a part of the agents in each step: 1 for
    /// all agents in each step, 3 for 20 times a second at 60 steps. At least 1.
    pub avoid_every: u32,
    /// Agents far from all points of interest
    /// ([`Crowd::set_points_of_interest`](crate::Crowd::set_points_of_interest)) choose a velocity in every
    /// n-th step, a part of them in each; between these steps they keep their velocity. 1 to 60.
    pub far_every: u32,
    /// Time without progress towards its target after which an agent is reported as stuck. Seconds, 0.1 to
    /// 1000.
    pub stuck_after: f32,
    /// Number of nodes that the search for a field may use: about three for each polygon that it reaches. If
    /// they do not suffice, the field covers only the ground nearest to its goals. At least 1.
    pub field_nodes: u32,
    /// Length of the detour that agents accept around a passage that a body holds: a body that has kept still
    /// for a second and does not step aside, such as a kinematic agent in a doorway. Metres, 0 to 10,000; at
    /// 0 paths ignore bodies.
    pub held_detour: f32,
}

impl Default for CrowdSettings {
    fn default() -> CrowdSettings {
        CrowdSettings {
            search_nodes: 20_000,
            avoid_every: 1,
            far_every: 8,
            stuck_after: 5.0,
            field_nodes: 4_000_000,
            held_detour: 30.0,
        }
    }
}

impl CrowdSettings {
    pub(crate) fn check(&self) -> Result<(), CrowdError> {
        check_range("search_nodes", self.search_nodes as f32, 1.0..=u32::MAX as f32, "")?;
        check_range("avoid_every", self.avoid_every as f32, 1.0..=1000.0, " steps")?;
        check_range("far_every", self.far_every as f32, 1.0..=60.0, " steps")?;
        check_range("field_nodes", self.field_nodes as f32, 1.0..=u32::MAX as f32, "")?;
        check_range("held_detour", self.held_detour, 0.0..=10_000.0, " m")?;
        check_range("stuck_after", self.stuck_after, 0.1..=1000.0, " s")
    }
}

/// Method of avoiding others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Avoidance {
    /// No avoidance; bodies are only pushed apart.
    None,
    /// By reciprocal velocity obstacles: the velocity nearest to the preferred velocity without a collision
    /// within the horizon, if both sides do their part.
    #[default]
    Orca,
}

/// Speed of an agent among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Flow {
    /// Its full speed as far as others leave room, as games want it.
    #[default]
    Free,
    /// Slower the more others are ahead of it, as people walk: full speed alone, half of it with 1.9 others
    /// per square metre, an eighth with 4. See U. Weidmann, Transporttechnik der Fussgänger (1993).
    People,
}

/// The behaviour of an agent whose ground is removed, for example because a bridge collapses or a tile is
/// unloaded. An agent next to level ground, within its own radius, steps there in any case: the mesh ends a
/// radius before ledges and walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum GroundLoss {
    /// It walks straight to the nearest remaining ground that it could reach before, for example out from
    /// under a crate that was dropped on it. Without such ground it waits.
    #[default]
    StepOut,
    /// It keeps still until there is ground at its place again.
    Wait,
    /// It falls to the ground below it, at most [`AgentParams::fall_height`] deep. Without such ground it
    /// waits.
    Fall,
    /// It is removed from the crowd.
    Remove,
}

/// A filter of a crowd: its number in the order of [`Crowd::add_filter`](crate::Crowd::add_filter). The
/// default, 0, allows all ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FilterKind(pub(crate) u8);

/// The properties of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentParams {
    /// Radius of its body, metres, 0 to 100.
    pub radius: f32,
    /// Height of its body, metres, 0 to 100. Bodies whose heights do not overlap do not avoid each other.
    pub height: f32,
    /// Metres per second, 0 to 100.
    pub max_speed: f32,
    /// Largest change of its velocity, metres per second per second, 0 to 1000.
    pub max_acceleration: f32,
    /// Turning speed, radians per second; [`f32::INFINITY`] turns at once.
    pub turn_rate: f32,
    /// Filter: the ground that it may enter, and the cost of that ground.
    pub filter: FilterKind,
    /// Method of avoiding others.
    pub avoidance: Avoidance,
    /// Agents yield to agents of higher priority.
    pub priority: u8,
    /// The layers that it is on: one bit per layer.
    pub layers: u32,
    /// The layers of the bodies that it avoids.
    pub avoids: u32,
    /// It has arrived when it is this near to its target, metres, 0 to 1000. If the target is another agent,
    /// this is the gap between the two bodies.
    pub stopping_distance: f32,
    /// True if it slows down before its target so as to stop there.
    pub brakes: bool,
    /// Time for which collisions are predicted, seconds, 0.1 to 10.
    pub horizon: f32,
    /// Speed along off-mesh links, metres per second, 0 to 100. With 0, the caller moves it over the link by
    /// [`Crowd::finish_link`](crate::Crowd::finish_link), for example when its animation has ended.
    pub link_speed: f32,
    /// Speed among others.
    pub flow: Flow,
    /// Behaviour if its ground is removed.
    pub ground_loss: GroundLoss,
    /// The greatest depth of a fall with [`GroundLoss::Fall`], metres, 0 to 1000.
    pub fall_height: f32,
}

impl Default for AgentParams {
    /// A walking person.
    fn default() -> AgentParams {
        AgentParams {
            radius: 0.4,
            height: 1.8,
            max_speed: 2.0,
            max_acceleration: 8.0,
            turn_rate: f32::INFINITY,
            filter: FilterKind::default(),
            avoidance: Avoidance::Orca,
            priority: 0,
            layers: 1,
            avoids: u32::MAX,
            stopping_distance: 0.1,
            brakes: true,
            horizon: 0.6,
            link_speed: 2.0,
            flow: Flow::Free,
            ground_loss: GroundLoss::StepOut,
            fall_height: 10.0,
        }
    }
}

impl AgentParams {
    /// Returns the depth, in metres, to which a body of this radius can reach into walls. The mesh keeps away
    /// from walls only by the radius that it was baked for, so that the sides of a wider agent reach into
    /// walls, and it walks through passages that are narrower than its body. The depth is 0 if the mesh was
    /// baked for agents of this radius, or if its tiles do not name a radius.
    pub fn depth_in_walls(&self, mesh: &NavMesh) -> f32 {
        baked_radius(mesh).map_or(0.0, |radius| (self.radius - radius).max(0.0))
    }

    pub(crate) fn check(&self) -> Result<(), CrowdError> {
        check_range("radius", self.radius, 0.0..=100.0, " m")?;
        check_range("height", self.height, 0.0..=100.0, " m")?;
        check_range("max_speed", self.max_speed, 0.0..=100.0, " m/s")?;
        check_range("max_acceleration", self.max_acceleration, 0.0..=1000.0, " m/s2")?;
        check_range("turn_rate", self.turn_rate, 0.0..=f32::INFINITY, " rad/s")?;
        check_range("stopping_distance", self.stopping_distance, 0.0..=1000.0, " m")?;
        check_range("horizon", self.horizon, 0.1..=10.0, " s")?;
        check_range("link_speed", self.link_speed, 0.0..=100.0, " m/s")?;
        check_range("fall_height", self.fall_height, 0.0..=1000.0, " m")
    }
}

/// The smallest radius of agents that the tiles of a mesh were baked for, metres; `None` if they do not name
/// one.
pub(crate) fn baked_radius(mesh: &NavMesh) -> Option<f32> {
    let baked = mesh.tiles().map(|tile| tile.header().agent[0]).filter(|radius| *radius > 0.0);
    baked.reduce(f32::min)
}
