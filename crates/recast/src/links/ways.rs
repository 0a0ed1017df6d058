//! Ways on foot, over floors, no longer than a limit.
//! Units: tenths of a cell as seen from above, 10 for a step, 14 for a diagonal. Cost: that of A* within the limit (P. Hart,
//! N. Nilsson and B. Raphael, 1968).

use super::ground::{LevelGround, NO_FLOOR};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A searcher of ways, with the memory that searches share.
pub(super) struct FloorWalker<'a> {
    ground: &'a LevelGround,
    /// For each floor, the search that reached it, and how far it is from the start of that search.
    reached: Vec<(u32, u32)>,
    search: u32,
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl<'a> FloorWalker<'a> {
    pub(super) fn new(ground: &'a LevelGround) -> FloorWalker<'a> {
        let reached = vec![(0, 0); ground.floors.len()];
        FloorWalker { ground, reached, search: 0, open: BinaryHeap::new() }
    }

    /// The length of the shortest way from one floor to another, if it is no longer than `limit`.
    pub(super) fn way(&mut self, from: u32, to: u32, limit: u32) -> Option<u32> {
        let floors = &self.ground.floors;
        let (start, end) = (&floors[from as usize], &floors[to as usize]);
        if start.island != end.island || as_crow_flies(start.at, end.at) > limit {
            return None;
        }
        self.search += 1;
        self.open.clear();
        self.reach(from, 0, end.at, limit);
        while let Some(Reverse((total, floor))) = self.open.pop() {
            if floor == to {
                return Some(total);
            }
            let (_, gone) = self.reached[floor as usize];
            // A longer way to the floor, found before the shorter one.
            if total != gone + as_crow_flies(floors[floor as usize].at, end.at) {
                continue;
            }
            let beside = floors[floor as usize].beside;
            for (direction, next) in beside.into_iter().enumerate() {
                if next == NO_FLOOR {
                    continue;
                }
                self.reach(next, gone + 10, end.at, limit);
                // To the diagonal floor by way of this one, to either side.
                for turn in [1, 3] {
                    let diagonal = floors[next as usize].beside[(direction + turn) % 4];
                    if diagonal != NO_FLOOR {
                        self.reach(diagonal, gone + 14, end.at, limit);
                    }
                }
            }
        }
        None
    }

    /// Notes that a floor can be reached by a way of a length.
    #[inline]
    fn reach(&mut self, floor: u32, gone: u32, end: [i32; 2], limit: u32) {
        let total = gone + as_crow_flies(self.ground.floors[floor as usize].at, end);
        let known = &mut self.reached[floor as usize];
        if total <= limit && (known.0 != self.search || known.1 > gone) {
            *known = (self.search, gone);
            self.open.push(Reverse((total, floor)));
        }
    }
}

/// The length of the shortest way between two columns if everything were ground.
#[inline]
pub(super) fn as_crow_flies([ax, az]: [i32; 2], [bx, bz]: [i32; 2]) -> u32 {
    let (dx, dz) = (ax.abs_diff(bx), az.abs_diff(bz));
    10 * dx.max(dz) + 4 * dx.min(dz)
}
