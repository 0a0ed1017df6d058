//! Handles of agents and moving discs.

use std::fmt;

/// Names an agent of a [`Crowd`](crate::Crowd). A handle of an agent that was removed names nothing, even after its place
/// in the crowd was given to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId {
    pub(crate) index: u32,
    /// How many agents have had this place in the crowd, up to this one.
    pub(crate) salt: u32,
}

impl AgentId {
    /// The number of the agent's place in the crowd: below the largest number of agents that there ever were at once.
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// The handle as a number, for scripts and files.
    pub fn to_bits(self) -> u64 {
        u64::from(self.salt) << 32 | u64::from(self.index)
    }

    /// The handle that [`AgentId::to_bits`] gave. A number that came from elsewhere names no agent, or another.
    pub fn from_bits(bits: u64) -> AgentId {
        AgentId { index: bits as u32, salt: (bits >> 32) as u32 }
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.index, self.salt)
    }
}

impl fmt::Debug for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AgentId({self})")
    }
}
