//! Recordings: where every agent was, frame by frame, in few bytes, with the doors and tiles that changed in the meantime.
//!
//! - [`Recorder`] writes one as the crowd steps; it holds no more than a block of frames.
//! - [`Recording`] reads one back. Damaged bytes are refused with the place; memory is bounded by the bytes that are there.
//!
//! The format, little endian, is in docs/crowds-reference.md.

mod bytes;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::{Frames, Recording};
pub use write::Recorder;

use crate::agent::AgentState;
use detour::Vec3;
use thiserror::Error;

/// The first bytes of a recording.
const MAGIC: [u8; 8] = *b"navcrowd";
/// The version that is written and read.
const VERSION: u32 = 1;
/// Frames in a block; the first of a block stands for itself.
const BLOCK_FRAMES: u32 = 64;
/// Tags of blocks.
const FRAMES: u8 = b'F';
const END: u8 = b'E';

/// All that stays the same from frame to frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordingHeader {
    /// Steps per second.
    pub rate: f32,
    /// Steps from frame to frame.
    pub every: u32,
    /// Metres; positions are whole multiples of it.
    pub quantum: f32,
    /// The world position that positions are relative to, metres: the anchor of the mesh.
    pub anchor: [f64; 3],
    /// The agents' bodies.
    pub bodies: Vec<RecordedBody>,
    /// Agents that belong together, in the order of the bodies: a name, and how many they are.
    pub cohorts: Vec<(String, u32)>,
    /// The doors that changes speak of: corners of their boxes, world metres.
    pub doors: Vec<[[f64; 3]; 2]>,
    /// The tiles that changes speak of: x, z, layer.
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

/// A change of the mesh. Doors and tiles by their numbers in the header, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A door shut.
    DoorShut(u32),
    /// A door opened.
    DoorOpened(u32),
    /// A tile went.
    TileGone(u32),
    /// A tile came back.
    TileBack(u32),
    /// A tile was replaced by itself.
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
    fn of((kind, number): (u8, u32), header: &RecordingHeader) -> Option<Change> {
        let count = if kind < 2 { header.doors.len() } else { header.tiles.len() };
        let make =
            [Change::DoorShut, Change::DoorOpened, Change::TileGone, Change::TileBack, Change::TileReplaced];
        make.get(usize::from(kind)).filter(|_| (number as usize) < count).map(|make| make(number))
    }
}

/// The doings of an agent, without their particulars.
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
            AgentState::Lost => Doing::Lost,
        }
    }
}

/// Where an agent is, and what it does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Metres from the anchor, to within half a quantum.
    pub position: Vec3,
    /// Where it faces: 256ths of a turn, 0 along z, 64 along x.
    pub heading: u8,
    /// Its doings.
    pub doing: Doing,
}

impl Pose {
    /// The pose of an agent that faces along a horizontal vector.
    pub fn new(position: Vec3, heading: Vec3, state: AgentState) -> Pose {
        let turn = libm::atan2f(heading.x, heading.z) / std::f32::consts::TAU;
        Pose { position, heading: (turn * 256.0).round() as i32 as u8, doing: state.into() }
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

/// Bytes that are no recording.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {at} of the recording: {problem}")]
pub struct RecordingError {
    /// Where.
    pub at: usize,
    /// The fault.
    pub problem: &'static str,
}
