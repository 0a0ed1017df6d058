//! The search over doors, for plans and for building levels: A* over the doors of one level.
//!
//! A node is a door that a path has come to inside a cluster and has not passed yet. To settle it, the
//! search passes the door and looks at the costs from there to the other doors of the cluster beyond.
//! Backwards, it goes from a goal against the direction of walking.
//!
//! With [`Weights::Lower`], the weight of two doors is the least cost of a path between their stretches. So
//! the sum of the weights of the stretches that a path passes is never more than its cost. If a door is the
//! n-th that a path passes, the estimate of its rest is the straight distance from the door's stretch to
//! the goal. The sum of both is at most the path's cost, at each of its doors, and so is the larger of two
//! such sums. A search that ends when no open node has a smaller sum than the best end cannot end above the
//! cost of the path. Since the estimates are not consistent, nodes are opened again when a cheaper path to
//! them is found.

use crate::costs::{Cost, whole};
use crate::grid::{ClusterCoord, ClusterGrid};
use crate::level::{Door, DoorId, Level};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which costs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weights {
    /// The costs of known paths.
    Upper,
    /// The least costs of any path.
    Lower,
}

/// The costs of a metre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rates {
    /// The metres in 1/256 cell, times the units of cost in a metre.
    pub(crate) unit: f64,
    /// The smallest cost of a metre.
    pub(crate) least: f64,
    /// The largest.
    pub(crate) most: f64,
}

impl Rates {
    /// The least cost of a path between two places, as seen from above.
    pub(crate) fn straight(&self, a: [i64; 3], b: [i64; 3]) -> Cost {
        let [x, z] = [0, 2].map(|axis| a[axis] as f64 - b[axis] as f64);
        // A little less, since it is rounded.
        whole((x * x + z * z).sqrt() * self.unit * self.least * (1.0 - 1e-9))
    }

    /// The least cost of any path where the best known one costs `upper`.
    pub(crate) fn at_least(&self, upper: Cost) -> Cost {
        if self.least == self.most {
            return upper;
        }
        /// Fields over areas of different costs find at most this share less than the best.
        const SLACK: f64 = 0.9;
        whole(upper as f64 * SLACK * self.least / self.most)
    }
}

/// The part of a hierarchy that a search runs over.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) level: &'a Level,
    pub(crate) grid: &'a ClusterGrid,
    /// The number of the level.
    pub(crate) index: usize,
    pub(crate) class: usize,
    pub(crate) rates: Rates,
    pub(crate) weights: Weights,
    /// The cluster of the next level that paths do not leave, if there is one.
    pub(crate) inside: Option<ClusterCoord>,
    pub(crate) backwards: bool,
    /// True if the search also settles the doors of all paths that cost at most [`widened`] the best.
    pub(crate) wide: bool,
}

/// A little more than a cost: 1/512.
pub(crate) fn widened(cost: Cost) -> Cost {
    cost.saturating_add(cost >> 9)
}

/// A node that waits to be settled: the estimated cost of a path over it, and the cost up to it.
type Waiting = Reverse<(Cost, Cost, DoorId)>;

/// The knowledge about a door.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The number of the search that wrote it.
    search: u32,
    cost: Cost,
    /// The door that the path comes from; itself at the start.
    before: DoorId,
}

/// Scratch memory of searches over doors.
#[derive(Debug, Default)]
pub(crate) struct DoorSearch {
    known: Vec<Known>,
    search: u32,
    open: BinaryHeap<Waiting>,
    /// Paths that cost as much are of no use.
    bound: Cost,
    /// The nodes settled by the last search, in order.
    pub(crate) settled: Vec<DoorId>,
}

impl<'a> Task<'a> {
    /// Calls `visit` with the doors of a cluster that paths lead to from one of its doors, and their costs.
    pub(crate) fn each_way(&self, from: DoorId, mut visit: impl FnMut(DoorId, Cost)) {
        let DoorId { cluster, door } = from;
        let to = |door: usize| DoorId { cluster, door: door as u32 };
        let is_least = self.weights == Weights::Lower;
        let costs = self.level.costs(cluster, self.class, is_least && self.index > 0);
        if !is_least || self.index > 0 {
            return costs.each(door as usize, self.backwards, |door, cost| visit(to(door), cost));
        }
        let own = self.along(from);
        costs.each(door as usize, self.backwards, |door, cost| {
            // Costs were rounded up.
            let least = self.rates.at_least(cost.saturating_sub(1 << costs.shift()));
            visit(to(door), least.saturating_sub(own + self.along(to(door))));
        });
    }

    /// The largest cost of walking along the border from a door to a place of its part.
    pub(crate) fn along(&self, door: DoorId) -> Cost {
        self.level.door(door).map_or(0, |door| self.along_border(&door))
    }

    fn along_border(&self, door: &Door<'_>) -> Cost {
        let reach = match door {
            Door::Crossing(_, _, crossing) => i64::from(crossing.reach) * self.grid.step(self.index),
            Door::Exit(_, jump) | Door::Entry(_, jump) => i64::from(jump.reach),
        };
        // Rounded up.
        whole(reach as f64 * self.rates.unit * self.rates.most) + 1
    }

    fn stays(&self, cluster: u32) -> bool {
        self.inside.is_none_or(|inside| self.level.parent(cluster) == inside)
    }
}

impl DoorSearch {
    /// Searches from doors that are reached at some costs. `estimate` is what a path from a door to the end
    /// costs at least; `end` is what the rest of a path costs that enters a cluster by a door, if it can
    /// end there. Returns the cost of the cheapest path, and its last door before it enters the cluster
    /// where it ends. Without an end, the search goes to all doors. Paths that cost `bound` or more are
    /// left out.
    pub(crate) fn run(
        &mut self,
        task: &Task<'_>,
        bound: Cost,
        seeds: &[(DoorId, Cost)],
        estimate: impl Fn(DoorId) -> Cost,
        end: impl Fn(DoorId) -> Option<Cost>,
    ) -> Option<(Cost, DoorId)> {
        self.start(task, bound);
        for &(door, cost) in seeds {
            self.reach(task, door, cost, door, || cost.saturating_add(estimate(door)));
        }
        let mut best: Option<(Cost, DoorId)> = None;
        while let Some(Reverse((least, cost, door))) = self.open.pop() {
            if best.is_some_and(|(best, _)| best <= least && !(task.wide && least <= widened(best))) {
                break;
            }
            if self.cost(task, door) != Some(cost) {
                continue;
            }
            self.settled.push(door);
            let Some((beyond, passing)) = task.level.across(door, task.class, task.backwards) else {
                continue;
            };
            let cost = cost.saturating_add(passing);
            if let Some(rest) = end(beyond) {
                // The larger of two sums that are at most the path's cost.
                let total = cost.saturating_add(rest).max(least);
                if best.is_none_or(|(best, _)| total < best) {
                    best = Some((total, door));
                }
            }
            if task.stays(beyond.cluster) {
                task.each_way(beyond, |to, more| {
                    let reached = cost.saturating_add(more);
                    self.reach(task, to, reached, door, || reached.saturating_add(estimate(to)).max(least));
                });
            }
        }
        best
    }

    fn start(&mut self, task: &Task<'_>, bound: Cost) {
        self.bound = bound;
        self.search += 1;
        self.settled.clear();
        self.open.clear();
        let door = DoorId { cluster: 0, door: 0 };
        if self.known.len() < task.level.all_doors() {
            self.known.resize(task.level.all_doors(), Known { search: 0, cost: 0, before: door });
        }
    }

    /// Notes a path to a door, unless a cheaper one is known. `least` is what paths over it cost at least.
    #[inline]
    fn reach(
        &mut self,
        task: &Task<'_>,
        door: DoorId,
        cost: Cost,
        before: DoorId,
        least: impl FnOnce() -> Cost,
    ) {
        let known = &mut self.known[task.level.number(door)];
        if known.search != self.search || cost < known.cost {
            *known = Known { search: self.search, cost, before };
            let least = least();
            if least < self.bound {
                self.open.push(Reverse((least, cost, door)));
            }
        }
    }

    /// The cost up to a door, if the last search has reached it.
    pub(crate) fn cost(&self, task: &Task<'_>, door: DoorId) -> Option<Cost> {
        let known = self.known.get(task.level.number(door))?;
        (known.search == self.search).then_some(known.cost)
    }

    /// The doors of the path to a door, from the first one on.
    pub(crate) fn path(&self, task: &Task<'_>, last: DoorId) -> Vec<DoorId> {
        let mut doors = vec![last];
        let mut at = last;
        // Costs never decrease along a path, but they may be 0, so the number of doors bounds it.
        while doors.len() <= task.level.all_doors() {
            let before = self.known[task.level.number(at)].before;
            if before == at {
                break;
            }
            doors.push(before);
            at = before;
        }
        doors.reverse();
        doors
    }
}
