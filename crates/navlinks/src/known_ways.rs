//! Paths that were found, to derive others: most candidates are next to another one and cross the same
//! obstacle.
//!
//! ```text
//!     s . . . . . e     a path that is known
//!     |           |
//!     t           f     the shortest path from t to f is at most as long as it plus s-t and e-f
//! ```
//!
//! A path that follows from another can be walked, so it answers as a search does if it is short enough. Only
//! a search can show that no path exists. Units: tenths of a cell. Cost: O(paths known from the floors
//! around). Memory: 4 bytes per floor, 20 per path.

use crate::ground::LevelGround;
use crate::ways::{as_crow_flies, has_straight_way};
use recast::inside::ground::NO_FLOOR;

/// A kept link as a part of a path.
#[derive(Clone, Copy)]
pub(super) struct WayLink {
    pub(super) profile: u16,
    pub(super) length: u32,
}

/// A path on foot, or two paths on foot with a kept link between them.
#[derive(Clone, Copy)]
struct KnownWay {
    end: u32,
    /// Length of the part on foot.
    length: u32,
    link: Option<WayLink>,
    /// The previous path from the same start, counted from 1; 0 for none.
    next: u32,
}

/// Paths by the floors that they start from.
pub(super) struct KnownWays<'a> {
    ground: &'a LevelGround,
    /// The last path from each floor, counted from 1; 0 for none.
    first: Vec<u32>,
    ways: Vec<KnownWay>,
}

impl<'a> KnownWays<'a> {
    pub(super) fn new(ground: &'a LevelGround) -> KnownWays<'a> {
        KnownWays { ground, first: vec![0; ground.floors.len()], ways: Vec::new() }
    }

    /// Adds a path.
    pub(super) fn add(&mut self, [start, end]: [u32; 2], length: u32, link: Option<WayLink>) {
        let number = self.ways.len() as u32 + 1;
        let next = std::mem::replace(&mut self.first[start as usize], number);
        self.ways.push(KnownWay { end, length, link, next });
    }

    /// Returns true, and adds the path, if a path between two floors follows from a known one. `limit`
    /// returns the greatest length on foot for a path over the given link; `None` if such paths do not count.
    pub(super) fn follows(
        &mut self,
        [start, end]: [u32; 2],
        limit: impl Fn(Option<WayLink>) -> Option<u32>,
    ) -> bool {
        let LevelGround { floors, .. } = self.ground;
        let to = floors[end as usize].at;
        let around = [start].into_iter().chain(floors[start as usize].beside);
        for (floor, before) in around.zip([0, 10, 10, 10, 10]).filter(|(floor, _)| *floor != NO_FLOOR) {
            let mut at = self.first[floor as usize];
            while at != 0 {
                let way = self.ways[at as usize - 1];
                at = way.next;
                let Some(limit) = limit(way.link) else { continue };
                let after = as_crow_flies(floors[way.end as usize].at, to);
                let length = before + way.length + after;
                if length <= limit && has_straight_way(self.ground, [way.end, end], after) {
                    self.add([start, end], length, way.link);
                    return true;
                }
            }
        }
        false
    }
}
