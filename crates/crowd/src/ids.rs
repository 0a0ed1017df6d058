//! Handles of agents, fields, exits and groups.

use std::fmt;

/// A handle: the number of a place in the crowd, and a salt that counts how often the place was used.
macro_rules! handle {
    ($name:ident, $label:literal, $(#[$doc:meta])* $index_doc:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub(crate) index: u32,
            pub(crate) salt: u32,
        }

        impl $name {
            #[doc = $index_doc]
            pub fn index(self) -> usize {
                self.index as usize
            }

            /// The handle as a number, for scripts and files.
            pub fn to_bits(self) -> u64 {
                u64::from(self.salt) << 32 | u64::from(self.index)
            }

            /// The handle with this number. A number from another source may name nothing, or another object.
            pub fn from_bits(bits: u64) -> $name {
                $name { index: bits as u32, salt: (bits >> 32) as u32 }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}.{}", self.index, self.salt)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($label, "({})"), self)
            }
        }
    };
}

handle!(
    AgentId,
    "AgentId",
    /// Names an agent of a [`Crowd`](crate::Crowd). The handle of a removed agent names nothing, even after
    /// its place in the crowd was given to another agent.
    "The number of the agent's place in the crowd: below the largest number of agents that there ever were at once."
);
handle!(
    FieldId,
    "FieldId",
    /// Names a field of a [`Crowd`](crate::Crowd). The handle of a removed field names nothing.
    "The number of the field's place in the crowd: below the largest number of fields that there ever were at once."
);
handle!(
    ExitsId,
    "ExitsId",
    /// Names the exits of a [`Crowd`](crate::Crowd) that were added together. The handle of removed exits
    /// names nothing.
    "The number of the exits' place in the crowd: below the largest number of such lists that there ever were at once."
);
handle!(
    GroupId,
    "GroupId",
    /// Names a group of a [`Crowd`](crate::Crowd). The handle of a dissolved group names nothing.
    "The number of the group's place in the crowd: below the largest number of groups that there ever were at once."
);
