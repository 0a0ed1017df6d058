//! Ways on foot, over floors, no longer than a limit.
//! Units: tenths of a cell as seen from above, 10 for a step, 14 for a diagonal. Cost: that of A* within the limit (P. Hart,
//! N. Nilsson and B. Raphael, 1968). Memory: that of the floors of one search.

use super::ground::{LevelGround, NO_FLOOR};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A searcher of ways, with the memory that searches share.
pub(super) struct FloorWalker<'a> {
    ground: &'a LevelGround,
    reached: Reached,
    /// The length of a way by each floor if everything were ground, what is left of it, and the floor: of equal ways, the one that is
    /// furthest on is first.
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
}

impl<'a> FloorWalker<'a> {
    pub(super) fn new(ground: &'a LevelGround) -> FloorWalker<'a> {
        FloorWalker { ground, reached: Reached::default(), open: BinaryHeap::new() }
    }

    /// The length of the shortest way from one floor to another, if it is no longer than `limit`.
    pub(super) fn way(&mut self, from: u32, to: u32, limit: u32) -> Option<u32> {
        self.way_over((from, to), limit, u32::MAX)
    }

    /// Whether there is a way no longer than `limit` that is found after looking at `floors` floors.
    pub(super) fn is_near(&mut self, from: u32, to: u32, limit: u32, floors: u32) -> bool {
        self.way_over((from, to), limit, floors).is_some()
    }

    fn way_over(&mut self, (from, to): (u32, u32), limit: u32, floors_walked: u32) -> Option<u32> {
        let floors = &self.ground.floors;
        let (start, end) = (&floors[from as usize], &floors[to as usize]);
        if start.island != end.island || as_crow_flies(start.at, end.at) > limit {
            return None;
        }
        if let Some(length) = [true, false].into_iter().find_map(|first| self.straight(from, to, first)) {
            return Some(length);
        }
        self.reached.clear();
        self.open.clear();
        self.reach(from, 0, end.at, limit);
        let mut walked = 0;
        while let Some(Reverse((total, left, floor))) = self.open.pop() {
            if floor == to {
                return Some(total);
            }
            let gone = total - left;
            // A longer way to the floor, found before the shorter one.
            if gone != *self.reached.entry(floor) {
                continue;
            }
            walked += 1;
            if walked > floors_walked {
                return None;
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

    /// The length of a way without detours, diagonal steps first or last; most ways are such.
    fn straight(&self, from: u32, to: u32, diagonal_first: bool) -> Option<u32> {
        let floors = &self.ground.floors;
        let step = |floor: u32, direction: usize| {
            let next = floors[floor as usize].beside[direction];
            (next != NO_FLOOR).then_some(next)
        };
        let (mut at, end) = (from, floors[to as usize].at);
        loop {
            let [x, z] = floors[at as usize].at;
            let [dx, dz] = [end[0] - x, end[1] - z];
            let [along_x, along_z] = [if dx < 0 { 0 } else { 2 }, if dz < 0 { 3 } else { 1 }];
            let is_diagonal = if diagonal_first { dx != 0 && dz != 0 } else { dx.abs() == dz.abs() };
            at = if dx == 0 && dz == 0 {
                return (at == to).then(|| as_crow_flies(floors[from as usize].at, end));
            } else if is_diagonal {
                let turn = |first, then| step(step(at, first)?, then);
                turn(along_x, along_z).or_else(|| turn(along_z, along_x))?
            } else if dx.abs() > dz.abs() {
                step(at, along_x)?
            } else {
                step(at, along_z)?
            };
        }
    }

    /// Notes that a floor can be reached by a way of a length.
    #[inline]
    fn reach(&mut self, floor: u32, gone: u32, end: [i32; 2], limit: u32) {
        let left = as_crow_flies(self.ground.floors[floor as usize].at, end);
        let total = gone + left;
        if total > limit {
            return;
        }
        let known = self.reached.entry(floor);
        if *known > gone {
            *known = gone;
            self.open.push(Reverse((total, left, floor)));
        }
    }
}

/// How far the floors are that a search reached: a table of floors by a product of their number.
#[derive(Default)]
struct Reached {
    /// The search that filled a place, the floor, and how far it is; a power of two of them.
    places: Vec<(u32, u32, u32)>,
    search: u32,
    count: usize,
}

impl Reached {
    /// Forgets all floors.
    fn clear(&mut self) {
        self.count = 0;
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            // After 2^32 searches, those of the first ones are not taken for theirs.
            self.places.fill((0, 0, 0));
            self.search = 1;
        }
    }

    /// How far a floor is; [`u32::MAX`] for one that was not reached.
    #[inline]
    fn entry(&mut self, floor: u32) -> &mut u32 {
        if 2 * self.count >= self.places.len() {
            self.grow();
        }
        let place = self.place(floor);
        let known = &mut self.places[place];
        if known.0 != self.search {
            *known = (self.search, floor, u32::MAX);
            self.count += 1;
        }
        &mut known.2
    }

    /// The place of a floor, or the one to put it.
    #[inline]
    fn place(&self, floor: u32) -> usize {
        let mask = self.places.len() - 1;
        // The golden ratio: neighbouring numbers lie far apart.
        let mut place = (floor.wrapping_mul(0x9E37_79B9) >> 7) as usize & mask;
        while self.places[place].0 == self.search && self.places[place].1 != floor {
            place = (place + 1) & mask;
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        let size = (2 * self.places.len()).max(256);
        let old = std::mem::replace(&mut self.places, vec![(0, 0, 0); size]);
        for entry in old.into_iter().filter(|entry| entry.0 == self.search) {
            let place = self.place(entry.1);
            self.places[place] = entry;
        }
    }
}

/// The length of the shortest way between two columns if everything were ground.
#[inline]
pub(super) fn as_crow_flies([ax, az]: [i32; 2], [bx, bz]: [i32; 2]) -> u32 {
    let (dx, dz) = (ax.abs_diff(bx), az.abs_diff(bz));
    10 * dx.max(dz) + 4 * dx.min(dz)
}
