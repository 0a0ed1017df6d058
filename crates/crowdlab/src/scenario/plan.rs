//! The content of a `crowd.toml`. Places are world metres `[x, y, z]`, times are seconds from the start.

use super::bounds::Bounds;
use super::distribution::Distribution;
use std::collections::BTreeMap;

/// A corner or a place, world metres.
pub(super) type Point = [f64; 3];

/// A scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Duration, 0 to 100,000 s. The run ends sooner when all agents that were sent have arrived.
    pub seconds: f64,
    /// Steps per second, 1 to 1000.
    pub rate: f64,
    /// Seed of the random places.
    pub seed: u64,
    /// Settings of the crowd.
    pub crowd: CrowdTuning,
    /// Kinds of agents, `[[kind]]`. Without kinds in the file, the only kind is `walker`.
    pub kind: Vec<Kind>,
    /// Agents with the same kind of start and goal, `[[agents]]`; at most 100,000 in all.
    pub agents: Vec<Agents>,
    /// Doors, `[[door]]`.
    pub door: Vec<Door>,
    /// Tiles that are removed or replaced, `[[tile]]`.
    pub tile: Vec<TileSwap>,
    /// Bodies that are not agents, `[[disc]]`.
    pub disc: Vec<DiscCourse>,
    /// Lines where passing agents are counted, `[[gate]]`.
    pub gate: Vec<GateLine>,
    /// The bounds that must hold.
    pub check: Bounds,
}

impl Default for Scenario {
    fn default() -> Scenario {
        Scenario {
            seconds: 60.0,
            rate: 60.0,
            seed: 1,
            crowd: CrowdTuning::default(),
            kind: Vec::new(),
            agents: Vec::new(),
            door: Vec::new(),
            tile: Vec::new(),
            disc: Vec::new(),
            gate: Vec::new(),
            check: Bounds::default(),
        }
    }
}

/// Settings of the crowd, as in [`CrowdSettings`](crowd::CrowdSettings). Omitted settings have the library's
/// defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrowdTuning {
    /// Number of polygons that all searches together may settle in a step.
    pub search_nodes: Option<u32>,
    /// Avoidance is computed in every n-th step.
    pub avoid_every: Option<u32>,
    /// Agents far from all points of interest choose a velocity in every n-th step.
    pub far_every: Option<u32>,
    /// Time without progress after which an agent is reported as stuck, seconds.
    pub stuck_after: Option<f32>,
    /// Length of the detour that agents accept around a passage that a body holds, metres.
    pub held_detour: Option<f32>,
    /// Points of interest; without any, all agents are simulated in full.
    pub interest: Vec<Point>,
    /// Radius around them in which agents are simulated in full, metres.
    pub interest_radius: f32,
}

/// The method of avoidance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AvoidanceName {
    /// No avoidance.
    None,
    /// By reciprocal velocity obstacles.
    #[default]
    Orca,
}

/// Speed among others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlowName {
    /// Full as far as others leave room.
    #[default]
    Free,
    /// Slower the more others are ahead.
    People,
}

/// The behaviour of agents whose ground is removed, as in [`GroundLoss`](crowd::GroundLoss). The agents of a
/// scenario are counted to its end, so that none is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroundLossName {
    /// They walk to the nearest remaining ground.
    #[default]
    StepOut,
    /// They keep still.
    Wait,
    /// They fall to the ground below.
    Fall,
}

/// A kind of agent. Omitted keys have the values of [`AgentParams`](crowd::AgentParams), or of the mesh's
/// agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kind {
    /// Its name, which `[[agents]]` refer to.
    pub name: String,
    /// Radius of the body, metres.
    pub radius: Option<Distribution>,
    /// Height of the body, metres.
    pub height: Option<f32>,
    /// Metres per second, more than 0.
    pub speed: Option<Distribution>,
    /// Time from an order to the departure, seconds; by default none.
    pub reaction: Distribution,
    /// Speed among others.
    pub flow: FlowName,
    /// Metres per second per second.
    pub acceleration: Option<f32>,
    /// Radians per second.
    pub turn_rate: Option<f32>,
    /// Agents of lower priority yield.
    pub priority: u8,
    /// The method of avoidance.
    pub avoidance: AvoidanceName,
    /// Time for which collisions are predicted, seconds.
    pub horizon: Option<f32>,
    /// The layers that it is on, 0 to 31; by default 0.
    pub layers: Option<Vec<u8>>,
    /// The layers that it avoids, 0 to 31; by default all.
    pub avoids: Option<Vec<u8>>,
    /// It has arrived when it is this near to its target, metres.
    pub stopping_distance: Option<f32>,
    /// True if it slows down before its target.
    pub brakes: Option<bool>,
    /// Speed on off-mesh links, metres per second, more than 0; by default the speed on the ground.
    pub link_speed: Option<f32>,
    /// Behaviour if their ground is removed.
    pub ground_loss: GroundLossName,
    /// The greatest depth of a fall, metres.
    pub fall_height: Option<f32>,
    /// The cost per metre in areas, by their names or numbers.
    pub cost: BTreeMap<String, f32>,
    /// Shares of its speed in areas, by their names or numbers: up and down.
    pub area_speed: BTreeMap<String, [f32; 2]>,
    /// Areas that are closed to it, by their names or numbers.
    pub avoid_areas: Vec<String>,
    /// True if it walks through shut doors.
    pub opens_doors: bool,
}

/// Agents with the same kind of start and goal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agents {
    /// Their name, which `chase` and `follow` refer to.
    pub name: String,
    /// Their kind; by default the first.
    pub kind: Option<String>,
    /// Their number; by default the number of places in `start`.
    pub count: Option<u32>,
    /// Their starts.
    pub start: Region,
    /// Their goals; without this key they keep still.
    pub goal: Option<Goal>,
    /// Time of departure.
    pub at: f64,
    /// The group in which they follow, instead of a goal.
    pub follow: Option<Follow>,
}

/// Starts or goals of agents. In a box or a disc, each gets a random place, as far from others as their
/// bodies require.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// From corner to corner.
    Box([Point; 2]),
    /// Around a place.
    Disc {
        /// The place.
        centre: Point,
        /// Metres.
        radius: f64,
    },
    /// At equal distances on a circle.
    Ring {
        /// Its middle.
        centre: Point,
        /// Metres.
        radius: f64,
    },
    /// One place for each.
    Places(Vec<Point>),
}

impl Default for Region {
    fn default() -> Region {
        Region::Places(Vec::new())
    }
}

/// Goals of agents.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// All agents to one place.
    Place(Point),
    /// Each agent to its own place in the region.
    Into(Region),
    /// Each agent to the place opposite its start, seen from this place.
    Opposite(Point),
    /// Each agent by this vector from its start.
    Shift(Point),
    /// To the nearest of these places, by one field for all.
    Field(Vec<Point>),
    /// To one of these exits, which each agent chooses by distance and queue.
    Exits(Vec<ExitPlace>),
    /// To the first agent with this name, which may move.
    Chase(String),
    /// From place to place, in a loop. These agents never arrive, and are not counted.
    Patrol(Vec<Point>),
}

/// An exit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExitPlace {
    /// Behind the exit: an agent is through when it arrives there.
    pub place: Point,
    /// Number of agents that it lets through per second, 0.001 to 1000.
    pub rate: f32,
}

/// The group in which agents follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Follow {
    /// The name of the leader: the first agent with this name.
    pub leader: String,
    /// The formation.
    pub formation: FormationName,
    /// Distance between neighbours, metres.
    pub spacing: f32,
}

/// The formation of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FormationName {
    /// Side by side.
    #[default]
    Line,
    /// In single file.
    Column,
    /// A V.
    Wedge,
    /// Rows.
    Box,
    /// Slots: metres to the right of the leader's direction, and along it.
    Own(Vec<[f32; 2]>),
}

/// A door: the polygons within a box. It is shut at times. A shut door's polygons have a flag or an area that
/// can keep agents out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Door {
    /// From corner to corner. Mark the door in the bake, so that it has its own polygons.
    pub within: [Point; 2],
    /// Flags of its polygons while it is shut; the highest bit if neither this nor `area` is given. Kinds
    /// that do not open doors do not enter polygons with these flags.
    pub flags: Option<u32>,
    /// The area of its polygons while it is shut, by name or number. Kinds define the effect of the area.
    pub area: Option<String>,
    /// Times `[from, until]` when it is shut.
    pub shut: Vec<[f64; 2]>,
}

/// A tile that is removed or replaced.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileSwap {
    /// Its coordinates: x, z, layer.
    pub at: [i32; 3],
    /// Times `[from, until]` when it is removed.
    pub gone: Vec<[f64; 2]>,
    /// Times when it is removed and added again at once, which makes all references to it stale.
    pub replaced: Vec<f64>,
}

/// A body that is not an agent and moves from place to place in straight lines, in a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscCourse {
    /// Metres.
    pub radius: f32,
    /// Metres.
    pub height: f32,
    /// Metres per second.
    pub speed: f32,
    /// The places.
    pub course: Vec<Point>,
}

impl Default for DiscCourse {
    fn default() -> DiscCourse {
        DiscCourse { radius: 0.0, height: 2.0, speed: 0.0, course: Vec::new() }
    }
}

/// A line that counts the agents that pass it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GateLine {
    /// Its name, which `[check.flow]` refers to.
    pub name: String,
    /// From end to end. The length of the line is the width of the door.
    pub line: [Point; 2],
}
