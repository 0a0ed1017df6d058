//! Paths on foot over floors, no longer than a limit. Units: tenths of a cell as seen from above, 10 for a
//! step, 14 for a diagonal. Cost: that of A* within the limit (P. Hart, N. Nilsson and B. Raphael, 1968),
//! with a bucket for each length (R. Dial, 1969). Memory: 8 bytes per floor.

use crate::ground::LevelGround;
use recast::inside::ground::NO_FLOOR;

/// Weight of the remaining distance against the distance walked if any path will do.
const HASTE: u32 = 3;

/// Searches for paths; reuses its memory from search to search.
pub(super) struct FloorWalker<'a> {
    ground: &'a LevelGround,
    /// Distance to each floor, with the number of the search that reached it.
    reached: Vec<u64>,
    search: u32,
    /// Floors to continue from, each with its distance. Buckets are ordered by the distance walked plus
    /// `haste` times the remaining distance over open ground, from the shortest possible path in steps of
    /// two: lengths are even. Among equals, the last one is taken first.
    open: Vec<Vec<(u32, u32)>>,
    /// Number of buckets in use, and the first of them that may have floors.
    used: usize,
    bucket: usize,
    /// The end of the path, its shortest possible length, and the weight of the remaining distance.
    end: [i32; 2],
    shortest: u32,
    haste: u32,
}

impl<'a> FloorWalker<'a> {
    pub(super) fn new(ground: &'a LevelGround) -> FloorWalker<'a> {
        let reached = vec![0; ground.floors.len()];
        FloorWalker {
            ground,
            reached,
            search: 0,
            open: Vec::new(),
            used: 0,
            bucket: 0,
            end: [0; 2],
            shortest: 0,
            haste: 1,
        }
    }

    /// The length of the shortest path from one floor to another, if it is no longer than `limit`.
    pub(super) fn way(&mut self, from: u32, to: u32, limit: u32) -> Option<u32> {
        self.find([from, to], limit, 1)
    }

    /// The length of any path from one floor to another that is no longer than `limit`.
    pub(super) fn any_way(&mut self, ends: [u32; 2], limit: u32) -> Option<u32> {
        self.find(ends, limit, HASTE)
    }

    /// Searches in the order of the distance walked plus `haste` times the remaining distance. A floor
    /// reached by a shorter path is reopened, so a path is found at any haste if there is one; with a haste
    /// of 1 it is the shortest.
    fn find(&mut self, [from, to]: [u32; 2], limit: u32, haste: u32) -> Option<u32> {
        let floors = &self.ground.floors;
        let (start, end) = (&floors[from as usize], &floors[to as usize]);
        if self.ground.island(start) != self.ground.island(end) || as_crow_flies(start.at, end.at) > limit {
            return None;
        }
        if has_straight_way(self.ground, [from, to], limit) {
            return Some(as_crow_flies(start.at, end.at));
        }
        self.clear();
        (self.end, self.shortest, self.haste) = (end.at, as_crow_flies(start.at, end.at), haste);
        self.reach(from, 0, limit);
        while self.bucket < self.used {
            let Some((floor, gone)) = self.open[self.bucket].pop() else {
                self.bucket += 1;
                continue;
            };
            if floor == to {
                return Some(gone);
            }
            // A longer path to the floor, found before the shorter one.
            if self.known(floor) != gone {
                continue;
            }
            let beside = floors[floor as usize].beside;
            for (direction, next) in beside.into_iter().enumerate() {
                if next == NO_FLOOR {
                    continue;
                }
                self.reach(next, gone + 10, limit);
                // To the diagonal floor over this one, on either side.
                for turn in [1, 3] {
                    let diagonal = floors[next as usize].beside[(direction + turn) % 4];
                    if diagonal != NO_FLOOR {
                        self.reach(diagonal, gone + 14, limit);
                    }
                }
            }
        }
        None
    }

    /// Forgets all floors.
    fn clear(&mut self) {
        self.open[..self.used].iter_mut().for_each(Vec::clear);
        (self.used, self.bucket) = (0, 0);
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            // After 2^32 searches the numbers repeat: entries of the first searches must not pass for new
            // ones.
            self.reached.fill(0);
            self.search = 1;
        }
    }

    /// The known distance to a floor; [`u32::MAX`] if it was not reached.
    #[inline]
    fn known(&self, floor: u32) -> u32 {
        let reached = self.reached[floor as usize];
        if (reached >> 32) as u32 == self.search { reached as u32 } else { u32::MAX }
    }

    /// Notes that a floor can be reached by a path of a length.
    #[inline]
    fn reach(&mut self, floor: u32, gone: u32, limit: u32) {
        if self.known(floor) <= gone {
            return;
        }
        let left = as_crow_flies(self.ground.floors[floor as usize].at, self.end);
        if gone + left > limit {
            return;
        }
        self.reached[floor as usize] = u64::from(self.search) << 32 | u64::from(gone);
        let bucket = ((gone + self.haste * left - self.shortest) / 2) as usize;
        self.bucket = self.bucket.min(bucket);
        if bucket >= self.used {
            self.used = bucket + 1;
            if self.used > self.open.len() {
                self.open.resize(self.used, Vec::new());
            }
        }
        self.open[bucket].push((floor, gone));
    }
}

/// Returns true if a path without detours, diagonal steps first or last, is no longer than `limit`; most
/// paths are like this.
pub(super) fn has_straight_way(ground: &LevelGround, ends: [u32; 2], limit: u32) -> bool {
    let [from, to] = ends.map(|floor| &ground.floors[floor as usize]);
    as_crow_flies(from.at, to.at) <= limit
        && ground.island(from) == ground.island(to)
        && [true, false].into_iter().any(|first| is_straight(ground, ends, first))
}

/// Returns true if a path without detours leads from one floor to another, diagonal steps first or last.
fn is_straight(ground: &LevelGround, [from, to]: [u32; 2], diagonal_first: bool) -> bool {
    let floors = &ground.floors;
    let step = |floor: u32, direction: usize| {
        let next = floors[floor as usize].beside[direction];
        (next != NO_FLOOR).then_some(next)
    };
    let ([x, z], end) = (floors[from as usize].at, floors[to as usize].at);
    let [dx, dz] = [end[0] - x, end[1] - z];
    let [along_x, along_z] = [if dx < 0 { 0 } else { 2 }, if dz < 0 { 3 } else { 1 }];
    let (mut left_x, mut left_z, mut at) = (dx.abs(), dz.abs(), Some(from));
    while let Some(floor) = at {
        let is_diagonal =
            if diagonal_first { left_x != 0 && left_z != 0 } else { left_x == left_z && left_x != 0 };
        if is_diagonal {
            let turn = |first, then| step(step(floor, first)?, then);
            at = turn(along_x, along_z).or_else(|| turn(along_z, along_x));
            (left_x, left_z) = (left_x - 1, left_z - 1);
        } else if left_x > left_z {
            (at, left_x) = (step(floor, along_x), left_x - 1);
        } else if left_z > 0 {
            (at, left_z) = (step(floor, along_z), left_z - 1);
        } else {
            return floor == to;
        }
    }
    false
}

/// The length of the shortest path between two columns over open ground.
#[inline]
pub(super) fn as_crow_flies([ax, az]: [i32; 2], [bx, bz]: [i32; 2]) -> u32 {
    let (dx, dz) = (ax.abs_diff(bx), az.abs_diff(bz));
    10 * dx.max(dz) + 4 * dx.min(dz)
}
