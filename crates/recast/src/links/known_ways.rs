//! Ways that were found, from which others follow: most candidates lead beside another, by the same obstacle.
//!
//! ```text
//!     s . . . . . e     a way that is known
//!     |           |
//!     t           f     from t to f no way is longer than that and what lies between their ends
//! ```
//!
//! A way that follows is one that can be walked, so whether a short enough one exists is answered as by a search; only that there is none
//! is left to one. Units: tenths of a cell. Cost: O(ways known from the floors around). Memory: 4 bytes per floor, 20 per way.

use super::floor::NO_FLOOR;
use super::ground::LevelGround;
use super::ways::{as_crow_flies, has_straight_way};

/// A way to walk, or two with a kept link between them.
struct KnownWay {
    end: u32,
    /// How much of it is walked.
    length: u32,
    /// Profile and length of the link, if there is one.
    link: Option<(u16, u32)>,
    /// The one before from the same start, counted from 1; 0 for none.
    next: u32,
}

/// Ways by the floors that they start from.
pub(super) struct KnownWays<'a> {
    ground: &'a LevelGround,
    /// The last way from each floor, counted from 1; 0 for none.
    first: Vec<u32>,
    ways: Vec<KnownWay>,
}

impl<'a> KnownWays<'a> {
    pub(super) fn new(ground: &'a LevelGround) -> KnownWays<'a> {
        KnownWays { ground, first: vec![0; ground.floors.len()], ways: Vec::new() }
    }

    /// Notes a way.
    pub(super) fn add(&mut self, [start, end]: [u32; 2], length: u32, link: Option<(u16, u32)>) {
        let number = self.ways.len() as u32 + 1;
        let next = std::mem::replace(&mut self.first[start as usize], number);
        self.ways.push(KnownWay { end, length, link, next });
    }

    /// Whether a way between two floors follows from one that is known; it is noted. `limit` is how much of it may be walked, if it is
    /// a way of this kind.
    pub(super) fn follows(
        &mut self,
        [start, end]: [u32; 2],
        limit: impl Fn(Option<(u16, u32)>) -> Option<u32>,
    ) -> bool {
        let Some((length, link)) = self.find([start, end], limit) else { return false };
        self.add([start, end], length, link);
        true
    }

    fn find(
        &self,
        [start, end]: [u32; 2],
        limit: impl Fn(Option<(u16, u32)>) -> Option<u32>,
    ) -> Option<(u32, Option<(u16, u32)>)> {
        let floors = &self.ground.floors;
        let to = floors[end as usize].at;
        let around = [start].into_iter().chain(floors[start as usize].beside);
        for (floor, before) in around.zip([0, 10, 10, 10, 10]).filter(|(floor, _)| *floor != NO_FLOOR) {
            let mut at = self.first[floor as usize];
            while at != 0 {
                let way = &self.ways[at as usize - 1];
                at = way.next;
                let Some(limit) = limit(way.link) else { continue };
                let after = as_crow_flies(floors[way.end as usize].at, to);
                let length = before + way.length + after;
                if length <= limit && has_straight_way(self.ground, [way.end, end], after) {
                    return Some((length, way.link));
                }
            }
        }
        None
    }
}
