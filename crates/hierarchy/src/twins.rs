//! Doors of two levels that are the same: a crossing of a level represents some of the level below.

use crate::block::Members;
use crate::costs::Weights;
use crate::grid::{BRANCH, ClusterCoord};
use crate::level::{Door, DoorId, Level};
use navtile::layout::side;

/// The child of a cluster with a number along a side.
pub(crate) fn child_at(coord: ClusterCoord, on: u8, number: i32) -> ClusterCoord {
    let last = BRANCH - 1;
    let (x, z) = match on {
        side::X_MIN => (0, number),
        side::X_MAX => (last, number),
        side::Z_MIN => (number, 0),
        _ => (number, last),
    };
    ClusterCoord { x: coord.x * BRANCH + x, z: coord.z * BRANCH + z }
}

/// The doors of the level below that a door represents: the one at its place, and all of them.
pub(crate) struct Below {
    pub(crate) same: DoorId,
    all: Vec<DoorId>,
}

impl Below {
    fn one(same: DoorId) -> Option<Below> {
        Some(Below { same, all: vec![same] })
    }

    /// The doors that count: known paths lead over one, others over any.
    pub(crate) fn of(&self, weights: Weights) -> &[DoorId] {
        match weights {
            Weights::Upper => std::slice::from_ref(&self.same),
            Weights::Lower => &self.all,
        }
    }
}

/// The doors below a door, in the clusters inside of its cluster.
pub(crate) fn below(upper: &Level, lower: &Level, door: DoorId) -> Option<Below> {
    let (on, number) = match upper.door(door)? {
        Door::Crossing(on, number, _) => (on, number),
        Door::Exit(_, jump) => return Below::one(lower.jump_end(jump.below, 0)?),
        Door::Entry(_, jump) => return Below::one(lower.jump_end(jump.below, 1)?),
    };
    let members = upper.members(door.cluster, on).get(number as usize)?;
    let child = lower.find(child_at(upper.coord(door.cluster), on, i32::from(members.child)))?;
    let first = lower.first_on(child, on);
    let at = |number: u16| DoorId { cluster: child, door: first + u32::from(number) };
    Some(Below { same: at(members.same), all: (members.first..members.end).map(at).collect() })
}

/// The door above that represents a door; `None` if there is none. Known paths lead over the door at its
/// place alone.
pub(crate) fn above(upper: &Level, lower: &Level, door: DoorId, weights: Weights) -> Option<DoorId> {
    let cluster = upper.find(lower.parent(door.cluster))?;
    let is_same = |number: u32, jump: u32| upper.jumps[jump as usize].below == number;
    let (on, number) = match lower.door(door)? {
        Door::Crossing(on, number, _) => (on, number),
        Door::Exit(number, _) => {
            return upper.jump_end(upper.exits(cluster).find(|jump| is_same(number, *jump))?, 0);
        }
        Door::Entry(number, _) => {
            return upper.jump_end(*upper.entries(cluster).iter().find(|jump| is_same(number, **jump))?, 1);
        }
    };
    let ClusterCoord { x, z } = lower.coord(door.cluster);
    let child = if matches!(on, side::X_MIN | side::X_MAX) { z } else { x }.rem_euclid(BRANCH);
    let represents = |members: &Members| {
        let range = match weights {
            Weights::Upper => members.same..members.same + 1,
            Weights::Lower => members.first..members.end,
        };
        i32::from(members.child) == child && (u32::from(range.start)..range.end.into()).contains(&number)
    };
    let at = upper.members(cluster, on).iter().position(represents)?;
    Some(DoorId { cluster, door: upper.first_on(cluster, on) + at as u32 })
}
