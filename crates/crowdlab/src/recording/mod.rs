//! Recordings: the position of every agent, frame by frame, in few bytes, with the reasons why agents are
//! held up and the changes of doors and tiles.
//!
//! - [`Recorder`] writes a recording while the crowd steps; it holds no more than a block of frames.
//! - [`Recording`] reads one back. Damaged bytes are rejected with their offset, and memory use is bounded by
//!   the number of bytes.
//!
//! The format, little endian, is in docs/crowds-reference.md.

mod bytes;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::{Frames, Recording};
pub use write::Recorder;

use crowd::{AgentState, HoldUpCause};
use detour::Vec3;
use thiserror::Error;

/// The first bytes of a recording.
const MAGIC: [u8; 8] = *b"navcrowd";
/// The version that is written and accepted.
const VERSION: u32 = 2;
/// Number of frames in a block. The first frame of a block does not depend on earlier frames.
const BLOCK_FRAMES: u32 = 64;
/// The causes of hold-ups, by their numbers in a recording.
const CAUSES: [HoldUpCause; 7] = [
    HoldUpCause::Crowded,
    HoldUpCause::RightOfWay,
    HoldUpCause::LinkBusy,
    HoldUpCause::Followers,
    HoldUpCause::Searching,
    HoldUpCause::NoWay,
    HoldUpCause::GroundLost,
];
/// The bit of a hold-up that is set if it names an agent.
const HAS_BY: u8 = 0x80;
/// Tags of blocks.
const FRAMES: u8 = b'F';
const END: u8 = b'E';

/// Values that are the same for all frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordingHeader {
    /// Steps per second.
    pub rate: f32,
    /// Number of steps from one frame to the next.
    pub every: u32,
    /// Metres; positions are whole multiples of it.
    pub quantum: f32,
    /// The world position that positions are relative to, metres: the anchor of the mesh.
    pub anchor: [f64; 3],
    /// The agents' bodies.
    pub bodies: Vec<RecordedBody>,
    /// Agents that belong together, in the order of the bodies: a name, and the number of agents.
    pub cohorts: Vec<(String, u32)>,
    /// The doors that changes refer to: corners of their boxes, world metres.
    pub doors: Vec<[[f64; 3]; 2]>,
    /// The tiles that changes refer to: x, z, layer.
    pub tiles: Vec<[i32; 3]>,
}

/// The body of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordedBody {
    /// Metres.
    pub radius: f32,
    /// Metres.
    pub height: f32,
}

/// A change of the mesh. Doors and tiles are given by their index in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A door shut.
    DoorShut(u32),
    /// A door opened.
    DoorOpened(u32),
    /// A tile was removed.
    TileGone(u32),
    /// A tile came back.
    TileBack(u32),
    /// A tile was removed and added again.
    TileReplaced(u32),
}

impl Change {
    fn parts(self) -> (u8, u32) {
        match self {
            Change::DoorShut(number) => (0, number),
            Change::DoorOpened(number) => (1, number),
            Change::TileGone(number) => (2, number),
            Change::TileBack(number) => (3, number),
            Change::TileReplaced(number) => (4, number),
        }
    }

    /// The change of this kind, if the header has its door or tile.
    fn of(kind: u8, number: u32, header: &RecordingHeader) -> Option<Change> {
        let count = if kind < 2 { header.doors.len() } else { header.tiles.len() };
        let make =
            [Change::DoorShut, Change::DoorOpened, Change::TileGone, Change::TileBack, Change::TileReplaced];
        make.get(usize::from(kind)).filter(|_| (number as usize) < count).map(|make| make(number))
    }
}

/// The state of an agent, without details.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Doing {
    /// It has no target.
    #[default]
    Idle,
    /// Its path is being searched for.
    Searching,
    /// It walks.
    Walking,
    /// It is at its target.
    Arrived,
    /// It waits for an off-mesh link.
    Waiting,
    /// It is on an off-mesh link.
    OnLink,
    /// There is no ground under it.
    Lost,
}

impl Doing {
    const ALL: [Doing; 7] = [
        Doing::Idle,
        Doing::Searching,
        Doing::Walking,
        Doing::Arrived,
        Doing::Waiting,
        Doing::OnLink,
        Doing::Lost,
    ];
}

impl From<AgentState> for Doing {
    fn from(state: AgentState) -> Doing {
        match state {
            AgentState::Idle => Doing::Idle,
            AgentState::Searching => Doing::Searching,
            AgentState::Walking | AgentState::SteppingOut => Doing::Walking,
            AgentState::Arrived => Doing::Arrived,
            AgentState::Waiting(_) => Doing::Waiting,
            AgentState::OnLink(_) => Doing::OnLink,
            AgentState::Lost | AgentState::Falling | AgentState::Carried => Doing::Lost,
        }
    }
}

/// The reason why an agent is held up, as [`Crowd::hold_up`](crowd::Crowd::hold_up) gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The kind of reason.
    pub cause: HoldUpCause,
    /// The agent that it waits for, by its index in the header.
    pub by: Option<u32>,
}

/// Position, heading and state of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Metres from the anchor, to within half a quantum.
    pub position: Vec3,
    /// Direction that it faces: 256ths of a turn, 0 along z, 64 along x.
    pub heading: u8,
    /// Its state.
    pub doing: Doing,
    /// The reason why it is held up, if it is.
    pub held: Option<Held>,
}

impl Pose {
    /// The pose of an agent that faces along a horizontal vector, and is not held up.
    pub fn new(position: Vec3, heading: Vec3, state: AgentState) -> Pose {
        let turn = libm::atan2f(heading.x, heading.z) / std::f32::consts::TAU;
        let heading = (turn * 256.0).round() as i32 as u8;
        Pose { position, heading, doing: state.into(), held: None }
    }
}

/// All agents at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The step after which it was taken.
    pub step: u64,
    /// Changes of the mesh since the frame before.
    pub changes: Vec<Change>,
    /// The agents, in the order of the header.
    pub poses: Vec<Pose>,
}

/// Bytes that are not a valid recording.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {at} of the recording: {problem}")]
pub struct RecordingError {
    /// Offset of the fault, bytes.
    pub at: usize,
    /// The fault.
    pub problem: &'static str,
}
