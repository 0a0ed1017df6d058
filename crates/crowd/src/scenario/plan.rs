//! The content of a `crowd.toml`. Places are world metres `[x, y, z]`, times are seconds from the start.

use super::bounds::Bounds;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A corner or a place, world metres.
pub(super) type Point = [f64; 3];

/// A scenario.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scenario {
    /// How long it goes on, 0 to 100,000 s; it ends sooner when all who were sent have arrived.
    pub seconds: f64,
    /// Steps per second, 1 to 1000.
    pub rate: f64,
    /// Where random places come from.
    pub seed: u64,
    /// Settings of the crowd.
    pub crowd: CrowdTuning,
    /// Kinds of agents, `[[kind]]`. Without any there is one, `walker`.
    pub kind: Vec<Kind>,
    /// Agents that start and go alike, `[[agents]]`; all of them together are at most 100,000.
    pub agents: Vec<Agents>,
    /// Doors, `[[door]]`.
    pub door: Vec<Door>,
    /// Tiles that go or are put anew, `[[tile]]`.
    pub tile: Vec<TileSwap>,
    /// Bodies that are no agents, `[[disc]]`.
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

/// Settings of the crowd, as in [`CrowdSettings`](crate::CrowdSettings); those that are not given are the library's own.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CrowdTuning {
    /// Polygons that all searches together may settle in a step.
    pub search_nodes: Option<u32>,
    /// Avoidance is worked out in every n-th step.
    pub avoid_every: Option<u32>,
    /// Agents far from all points of interest are worked out in every n-th step.
    pub far_every: Option<u32>,
    /// An agent that has come no nearer for so long is reported as stuck, seconds.
    pub stuck_after: Option<f32>,
    /// Points of interest; without any, all agents are worked out in full.
    pub interest: Vec<Point>,
    /// How far around them agents are worked out in full, metres.
    pub interest_radius: f32,
}

/// How agents avoid others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AvoidanceName {
    /// They do not.
    None,
    /// By reciprocal velocity obstacles.
    #[default]
    Orca,
    /// By the most samples.
    Sampling,
}

/// A kind of agent. Keys that are not given are those of [`AgentParams`](crate::AgentParams), or of the mesh's agent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Kind {
    /// Its name, which `[[agents]]` give.
    pub name: String,
    /// Radius of the body, metres.
    pub radius: Option<f32>,
    /// Height of the body, metres.
    pub height: Option<f32>,
    /// Metres per second, more than 0.
    pub speed: Option<f32>,
    /// Metres per second in a second.
    pub acceleration: Option<f32>,
    /// Radians per second.
    pub turn_rate: Option<f32>,
    /// Those of lower priority give way.
    pub priority: u8,
    /// How others are avoided.
    pub avoidance: AvoidanceName,
    /// How far ahead collisions are avoided, seconds.
    pub horizon: Option<f32>,
    /// The layers that it is on, 0 to 31; 0 if not given.
    pub layers: Option<Vec<u8>>,
    /// The layers that it avoids, 0 to 31; all if not given.
    pub avoids: Option<Vec<u8>>,
    /// It has arrived when it is this near, metres.
    pub stopping_distance: Option<f32>,
    /// Whether it slows down before its target.
    pub brakes: Option<bool>,
    /// Speed on off-mesh links, metres per second, more than 0; that on the ground if not given.
    pub link_speed: Option<f32>,
    /// The cost of a metre in areas, by their names or numbers.
    pub cost: BTreeMap<String, f32>,
    /// Areas that are closed to it, by their names or numbers.
    pub avoid_areas: Vec<String>,
    /// Whether it goes through shut doors.
    pub opens_doors: bool,
}

/// Agents that start and go alike.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agents {
    /// Their name, by which `chase` and `follow` know them.
    #[serde(default)]
    pub name: String,
    /// Their kind; the first if not given.
    pub kind: Option<String>,
    /// Their number; that of the places of `start` if not given.
    pub count: Option<u32>,
    /// Where they start.
    pub start: Region,
    /// Where they go; without it they stand.
    pub goal: Option<Goal>,
    /// When they set out.
    #[serde(default)]
    pub at: f64,
    /// The group that they follow in, instead of a goal.
    pub follow: Option<Follow>,
}

/// Where agents start or go. In a box or a disc each gets a random place, no closer to others than their bodies allow.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
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
    /// At equal distances along a circle.
    Ring {
        /// Its middle.
        centre: Point,
        /// Metres.
        radius: f64,
    },
    /// One place for each.
    Places(Vec<Point>),
}

/// Where agents go.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Goal {
    /// All to one place.
    Place(Point),
    /// Each to a place of its own in the region.
    Into(Region),
    /// Each to the place that is opposite of its start, seen from this one.
    Opposite(Point),
    /// Each this far from its start.
    Shift(Point),
    /// To the nearest of these places, by one field for all.
    Field(Vec<Point>),
    /// To the first of the agents of this name, wherever that goes.
    Chase(String),
    /// From place to place, round and round. They never arrive, and are not counted.
    Patrol(Vec<Point>),
}

/// The group that agents follow in.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Follow {
    /// The first of the agents of this name leads.
    pub leader: String,
    /// The form they go in.
    pub formation: FormationName,
    /// Distance of neighbours, metres.
    #[serde(default)]
    pub spacing: f32,
}

/// The form of a group.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormationName {
    /// Side by side.
    Line,
    /// One behind another.
    Column,
    /// A V.
    Wedge,
    /// Rows.
    Box,
    /// Slots: metres to the right of the leader's way, and along it.
    Own(Vec<[f32; 2]>),
}

/// A door: the polygons that lie within a box, shut at times. Those that agents may not enter then have a flag, or an area.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Door {
    /// From corner to corner. Mark the door in the bake, so that it has polygons of its own.
    #[serde(rename = "box")]
    pub within: [Point; 2],
    /// Flags of its polygons while it is shut; the highest bit if neither this nor `area` is given. Kinds that do not open
    /// doors do not enter polygons with these flags.
    pub flags: Option<u32>,
    /// The area of its polygons while it is shut, by name or number: kinds say what that means to them.
    pub area: Option<String>,
    /// From when until when it is shut.
    pub shut: Vec<[f64; 2]>,
}

/// A tile that goes, or is put anew.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileSwap {
    /// Its coordinates: x, z, layer.
    pub at: [i32; 3],
    /// From when until when it is gone.
    #[serde(default)]
    pub gone: Vec<[f64; 2]>,
    /// When it is replaced by itself, which makes all references to it stale.
    #[serde(default)]
    pub replaced: Vec<f64>,
}

/// A body that is no agent and goes from place to place in straight lines, round and round.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscCourse {
    /// Metres.
    pub radius: f32,
    /// Metres.
    #[serde(default = "two")]
    pub height: f32,
    /// Metres per second.
    pub speed: f32,
    /// The places.
    pub course: Vec<Point>,
}

fn two() -> f32 {
    2.0
}

/// A line where agents are counted that pass it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateLine {
    /// Its name, by which `[check.flow]` knows it.
    pub name: String,
    /// From end to end: its length is the width of the door.
    pub line: [Point; 2],
}
