//! Links that can be crossed anywhere along their edges. A link between two floors is widened to the longest
//! straight run of links that lead from neighbours of its start to neighbours of its end, all with the same
//! displacement.
//!
//! ```text
//!     . . S S S S S . .      S  floors where the ground ends, neighbours in a row along a side or a diagonal
//!         | | | | |          |  links that are free, with one displacement, x, z and height
//!     . . E E E E E . .      E  floors that they lead to, neighbours too
//! ```
//!
//! Each link of a run was swept. Between two neighbours along a side, a body is only over columns that it is
//! also over at one of them, so a run is as free as its links. Along a diagonal it may be over a column by
//! half the diagonal of a cell more. Cost: O(length of the run × log of all candidates) for each link that is
//! kept.

use crate::candidates::Candidate;
use crate::ground::LevelGround;
use crate::zone::{Lead, Rect, Zone, edge_square};
use recast::inside::ground::NO_FLOOR;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Directions of runs, along x and z; each is also followed backwards.
const LINES: [[i32; 2]; 4] = [[1, 0], [0, 1], [1, 1], [1, -1]];

/// The floors that a link leads from and to.
pub(super) type FloorPair = [u32; 2];

/// A link by its profile and its floors.
type LinkKey = (u16, FloorPair);

/// All candidates of a zone in the order of their examination, and those in runs that are kept.
pub(super) struct Runs<'a> {
    ground: &'a LevelGround,
    candidates: Vec<Candidate>,
    taken: BTreeSet<LinkKey>,
    /// Runs must be known to their ends if they begin here.
    own: Rect,
    zone: &'a Zone,
    leads: RefCell<BTreeSet<Lead>>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(
        ground: &'a LevelGround,
        candidates: Vec<Candidate>,
        (own, zone): (Rect, &'a Zone),
    ) -> Runs<'a> {
        Runs { ground, candidates, taken: BTreeSet::new(), own, zone, leads: RefCell::default() }
    }

    /// The rows that leave the zone before the end of a run that must be known.
    pub(super) fn leads(&self) -> BTreeSet<Lead> {
        self.leads.borrow().clone()
    }

    /// A candidate by its index in that order.
    pub(super) fn candidate(&self, index: usize) -> Option<Candidate> {
        self.candidates.get(index).copied()
    }

    /// Returns true if a candidate is part of a run that is kept.
    pub(super) fn has_taken(&self, candidate: &Candidate) -> bool {
        self.taken.contains(&key(candidate))
    }

    /// Marks a candidate as part of a run that is kept.
    pub(super) fn mark_taken(&mut self, profile: u16, pair: FloorPair) {
        self.taken.insert((profile, pair));
    }

    /// Keeps a candidate and returns the longest run through it, the first of equally long ones: its links in
    /// order, along one of [`LINES`].
    pub(super) fn take(&mut self, candidate: &Candidate) -> Vec<FloorPair> {
        let mut longest: (i32, Vec<FloorPair>) = (-1, Vec::new());
        for line in LINES {
            let mut run = self.row(candidate, line.map(|step| -step)).collect::<Vec<FloorPair>>();
            run.reverse();
            run.push([candidate.start, candidate.end]);
            run.extend(self.row(candidate, line));
            let steps = run.len() as i32 - 1;
            let length2 = steps * steps * (line[0] * line[0] + line[1] * line[1]);
            if length2 > longest.0 {
                longest = (length2, run);
            }
        }
        self.taken.extend(longest.1.iter().map(|pair| (candidate.profile, *pair)));
        longest.1
    }

    /// The candidates that continue a run from one of them, in a direction, as far as an edge may lead.
    fn row(&self, first: &Candidate, direction: [i32; 2]) -> impl Iterator<Item = FloorPair> {
        let first = *first;
        let floors = &self.ground.floors;
        let at = move |floor: u32| floors[floor as usize].at;
        let up = move |[start, end]: FloorPair| floors[end as usize].height - floors[start as usize].height;
        let beside = move |pair: FloorPair| {
            let next = pair.map(|floor| self.beside(floor, direction));
            if next.contains(&NO_FLOOR) || up(next) != up([first.start, first.end]) {
                return None;
            }
            let place = at(next[0]);
            if edge_square(place) != edge_square(at(first.start)) {
                return None;
            }
            if !self.zone.has(place) {
                if self.own.has(at(first.start)) {
                    self.leads.borrow_mut().insert((place, direction));
                }
                return None;
            }
            self.has(&Candidate { start: next[0], end: next[1], ..first }).then_some(next)
        };
        std::iter::successors(beside([first.start, first.end]), move |pair| beside(*pair))
    }

    /// Finds the rows of candidates that lead from one part of the level to another, regardless of the runs
    /// that are kept, and returns the floors in between where they start. `part_of` returns the part of
    /// a column: `0` for the first, `2` for the other, and `1` in between. Candidates that start in the other
    /// part are not relied on. Only those are looked at whose runs must be known.
    pub(super) fn leading_over(&self, part_of: &dyn Fn([i32; 2]) -> u8) -> BTreeSet<u32> {
        let at = |floor: u32| self.ground.floors[floor as usize].at;
        let mut between = BTreeSet::new();
        let directions = LINES.into_iter().flat_map(|line| [line, line.map(|step| -step)]);
        let directions: Vec<[i32; 2]> = directions.collect();
        for candidate in self.candidates.iter().filter(|candidate| self.own.has(at(candidate.start))) {
            let start = candidate.start;
            let here = part_of(at(start));
            for direction in directions.iter().filter(|_| here < 2) {
                let [[x, z], [dx, dz]] = [at(start), *direction];
                let (ahead, behind) = (part_of([x + dx, z + dz]), part_of([x - dx, z - dz]));
                // Out of the first part, or into it from the direction of the other part.
                let goal = match here {
                    0 if ahead != 0 => 2,
                    1 if behind == 2 => 0,
                    _ => continue,
                };
                let mut passed = vec![start];
                let mut row = self.row(candidate, *direction);
                let ends_there = row.any(|[floor, _]| {
                    passed.push(floor);
                    part_of(at(floor)) == goal
                });
                // Beyond the last column that is relied on, an outgoing row is unknown.
                let goes_out = goal == 2
                    && passed.last().is_some_and(|&last| {
                        let [x, z] = at(last);
                        part_of([x + dx, z + dz]) == 2
                    });
                if ends_there || goes_out {
                    between.extend(passed.into_iter().filter(|&floor| part_of(at(floor)) == 1));
                }
            }
        }
        between
    }

    /// Returns true if a link is a candidate; its displacement, and so its length, are those of a known
    /// candidate.
    fn has(&self, link: &Candidate) -> bool {
        self.candidates.binary_search_by(|other| other.order(link, self.ground)).is_ok()
    }

    /// The floor that a step along a side or a diagonal leads to, or [`NO_FLOOR`].
    fn beside(&self, floor: u32, [dx, dz]: [i32; 2]) -> u32 {
        // By `Direction`: towards smaller x, larger z, larger x, smaller z.
        let along_x = [(dx < 0, 0), (dx > 0, 2)];
        let along_z = [(dz > 0, 1), (dz < 0, 3)];
        let direction = |sides: [(bool, usize); 2]| sides.into_iter().find(|side| side.0).map(|side| side.1);
        let step = |floor: u32, direction: Option<usize>| match direction {
            Some(direction) if floor != NO_FLOOR => self.ground.floors[floor as usize].beside[direction],
            _ => floor,
        };
        let (x, z) = (direction(along_x), direction(along_z));
        match step(step(floor, x), z) {
            NO_FLOOR => step(step(floor, z), x),
            found => found,
        }
    }
}

fn key(candidate: &Candidate) -> LinkKey {
    (candidate.profile, [candidate.start, candidate.end])
}
