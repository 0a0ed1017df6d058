//! The search over doors, for plans and for building levels: A*.
//!
//! A node is a door that a path has come to inside a cluster and has not passed yet. To settle it, the
//! search passes the door and looks at the costs from there to the other doors of the cluster beyond.
//! Backwards, it goes from a goal against the direction of walking.
//!
//! A plan takes clusters that are as large as they can be without one of its ends in them, and those of the
//! first level around the ends. Where the size changes, a path goes on from the door of the other level that
//! is at the same place.
//!
//! With [`Weights::Lower`], the weight of two doors is the least cost of a path between their stretches. So
//! the sum of the weights of the stretches that a path passes is never more than its cost. If a door is the
//! n-th that a path passes, the estimate of its rest is the straight distance from the door's stretch to
//! the goal. The sum of both is at most the path's cost, at each of its doors, and so is the larger of two
//! such sums. A search that ends when no open node has a smaller sum than the best end cannot end above the
//! cost of the path. Since the estimates are not consistent, nodes are opened again when a cheaper path to
//! them is found.

use crate::Hierarchy;
use crate::costs::{Cost, Weights, whole};
use crate::grid::{ClusterCoord, ClusterGrid};
use crate::level::{Door, DoorId, Level};
use crate::twins::{above, below};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

/// The clusters that paths of a search lead through.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// All clusters of a level, or those inside of a cluster of the next level.
    Level(usize, Option<ClusterCoord>),
    /// All levels, of each the clusters that are as large as they can be without one of two ends in them. The
    /// ends are clusters of the first level.
    Between([ClusterCoord; 2]),
}

/// The part of a hierarchy that a search runs over.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    /// The levels from the first on, as far as the search needs them.
    pub(crate) levels: &'a [Level],
    pub(crate) grid: &'a ClusterGrid,
    pub(crate) extent: Extent,
    pub(crate) class: usize,
    pub(crate) rates: Rates,
    pub(crate) weights: Weights,
    pub(crate) backwards: bool,
    /// True if the search also settles the doors of all paths that cost at most [`widened`] the best.
    pub(crate) wide: bool,
    /// The search gives up when it has settled this number of doors. Then it returns a lower bound.
    pub(crate) most: usize,
    /// The number of the first door that the search may come to, and the count of them.
    pub(crate) doors: [usize; 2],
}

/// A door of a cluster of some level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Node {
    pub(crate) level: u32,
    pub(crate) door: DoorId,
}

/// A little more than a cost: 1/512.
pub(crate) fn widened(cost: Cost) -> Cost {
    cost.saturating_add(cost >> 9)
}

/// A node that waits to be settled: what a path over it costs at least, and the cost up to it.
type Waiting = Reverse<(Cost, Cost, Node)>;

/// The knowledge about a door.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The number of the search that wrote it.
    search: u32,
    cost: Cost,
    /// The estimate of the rest, if it is known.
    rest: Option<Cost>,
    /// The node that the path comes from; itself at the start.
    before: Node,
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
    pub(crate) settled: Vec<Node>,
}

impl<'a> Task<'a> {
    /// A search forwards, to its end.
    pub(crate) fn new(
        (levels, grid): (&'a [Level], &'a ClusterGrid),
        extent: Extent,
        (class, rates): (usize, Rates),
        weights: Weights,
    ) -> Task<'a> {
        let doors = match extent {
            Extent::Level(level, None) => [0, levels[level].all_doors()],
            Extent::Level(level, Some(inside)) => levels[level].doors_inside(inside),
            Extent::Between(_) => [0, levels.iter().map(Level::all_doors).sum()],
        };
        let (backwards, wide, most) = (false, false, usize::MAX);
        Task { levels, grid, extent, class, rates, weights, backwards, wide, most, doors }
    }

    pub(crate) fn level(&self, node: Node) -> &'a Level {
        &self.levels[node.level as usize]
    }

    /// Calls `visit` with the doors of a cluster that paths lead to from one of its doors, and their costs.
    pub(crate) fn each_way(&self, from: Node, mut visit: impl FnMut(Node, Cost)) {
        let Node { level, door: DoorId { cluster, door } } = from;
        let to = |door: usize| Node { level, door: DoorId { cluster, door: door as u32 } };
        let is_least = self.weights == Weights::Lower;
        let costs = self.level(from).costs(cluster, self.class, is_least && level > 0);
        if !is_least || level > 0 {
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
    pub(crate) fn along(&self, node: Node) -> Cost {
        let reach = match self.level(node).door(node.door) {
            None => return 0,
            Some(Door::Crossing(_, _, crossing)) => {
                i64::from(crossing.reach) * self.grid.step(node.level as usize)
            }
            Some(Door::Exit(_, jump) | Door::Entry(_, jump)) => i64::from(jump.reach),
        };
        // Rounded up.
        whole(reach as f64 * self.rates.unit * self.rates.most) + 1
    }

    /// The least cost of a path from a door, or its stretch, to a place.
    pub(crate) fn estimate(&self, node: Node, to: [i64; 3]) -> Cost {
        let Some(place) = self.level(node).place(self.grid, node.level as usize, node.door) else { return 0 };
        let straight = self.rates.straight(place, to);
        match self.weights {
            Weights::Upper => straight,
            Weights::Lower => straight.saturating_sub(self.along(node)),
        }
    }

    /// Calls `visit` with the doors that a path enters clusters by when it passes a door, and with what that
    /// costs. It may enter a cluster of another level.
    pub(crate) fn pass(&self, node: Node, mut visit: impl FnMut(Node, Cost)) {
        let beyond = self.level(node).across(node.door, self.class, self.backwards);
        let Some((door, passing)) = beyond else { return };
        self.enter(Node { door, ..node }, &mut |entry| visit(entry, passing));
    }

    /// Calls `visit` with the doors of the clusters of the right size that are the same as a door.
    fn enter(&self, node: Node, visit: &mut impl FnMut(Node)) {
        let Extent::Between(ends) = self.extent else { return visit(node) };
        let Node { level, door } = node;
        let own = self.level(node);
        let coord = own.coord(door.cluster);
        let has_end = |coord: ClusterCoord, level: u32| ends.iter().any(|end| end.around(level) == coord);
        if level > 0 && has_end(coord, level) {
            let lower = &self.levels[level as usize - 1];
            let Some(below) = below(own, lower, door) else { return };
            for &door in below.of(self.weights) {
                self.enter(Node { level: level - 1, door }, visit);
            }
        } else if let Some(upper) = self.levels.get(level as usize + 1)
            && !has_end(coord.parent(), level + 1)
        {
            let Some(door) = above(upper, own, door, self.weights) else { return };
            self.enter(Node { level: level + 1, door }, visit);
        } else {
            visit(node);
        }
    }

    fn stays(&self, entry: Node) -> bool {
        match self.extent {
            Extent::Level(_, Some(inside)) => self.level(entry).parent(entry.door.cluster) == inside,
            _ => true,
        }
    }

    /// The number of a door among all that the search may come to.
    #[inline]
    fn number(&self, Node { level, door }: Node) -> usize {
        let before = match self.extent {
            Extent::Level(..) => 0,
            Extent::Between(_) => self.levels[..level as usize].iter().map(Level::all_doors).sum(),
        };
        before + self.levels[level as usize].number(door) - self.doors[0]
    }
}

impl Hierarchy {
    /// A search for a class, over some clusters.
    pub(crate) fn task(&self, class: usize, weights: Weights, extent: Extent) -> Task<'_> {
        let rates = self.classes[class].rates(self.lattice.cell_size);
        Task::new((&self.levels, &self.grid), extent, (class, rates), weights)
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
        seeds: &[(Node, Cost)],
        estimate: impl Fn(Node) -> Cost,
        end: impl Fn(Node) -> Option<Cost>,
    ) -> Option<(Cost, Node)> {
        self.start(task, bound);
        for &(node, cost) in seeds {
            self.reach(task, (node, cost), (node, 0), &estimate);
        }
        let mut best: Option<(Cost, Node)> = None;
        while let Some(Reverse((least, cost, node))) = self.open.pop() {
            if best.is_some_and(|(best, _)| best <= least && !(task.wide && least <= widened(best))) {
                break;
            }
            if self.cost(task, node) != Some(cost) {
                continue;
            }
            if self.settled.len() == task.most {
                return Some((least, node));
            }
            self.settled.push(node);
            task.pass(node, |entry, passing| {
                let cost = cost.saturating_add(passing);
                if let Some(rest) = end(entry) {
                    // The larger of two sums that are at most the path's cost.
                    let total = cost.saturating_add(rest).max(least);
                    if best.is_none_or(|(best, _)| total < best) {
                        best = Some((total, node));
                    }
                }
                if task.stays(entry) {
                    if task.weights == Weights::Upper {
                        self.close(task, entry, cost, node);
                    }
                    task.each_way(entry, |to, more| {
                        self.reach(task, (to, cost.saturating_add(more)), (node, least), &estimate);
                    });
                }
            });
        }
        best
    }

    fn start(&mut self, task: &Task<'_>, bound: Cost) {
        self.bound = bound;
        self.search += 1;
        self.settled.clear();
        self.open.clear();
        let before = Node { level: 0, door: DoorId { cluster: 0, door: 0 } };
        let doors = task.doors[1];
        if self.known.len() < doors {
            let known = Known { search: 0, cost: 0, rest: None, before };
            self.known.resize(doors, known);
        }
    }

    /// Notes a path to a door at some cost, unless a cheaper one is known. `before` is the node before it,
    /// with a lower bound of paths over that one.
    #[inline]
    fn reach(
        &mut self,
        task: &Task<'_>,
        (node, cost): (Node, Cost),
        (before, least): (Node, Cost),
        estimate: &impl Fn(Node) -> Cost,
    ) {
        let known = &mut self.known[task.number(node)];
        let is_new = known.search != self.search;
        if is_new || cost < known.cost {
            let known_rest = known.rest.filter(|_| !is_new);
            let rest = known_rest.unwrap_or_else(|| estimate(node));
            *known = Known { search: self.search, cost, rest: Some(rest), before };
            let least = cost.saturating_add(rest).max(least);
            if least < self.bound {
                self.open.push(Reverse((least, cost, node)));
            }
        }
    }

    /// Notes that a path has come to a door from its other side. A dearer path from this side is of no use:
    /// it leads back to where the first one came from.
    #[inline]
    fn close(&mut self, task: &Task<'_>, node: Node, cost: Cost, before: Node) {
        let known = &mut self.known[task.number(node)];
        if known.search != self.search || cost < known.cost {
            *known = Known { search: self.search, cost, rest: None, before };
        }
    }

    /// The cost up to a door, if the last search has reached it.
    pub(crate) fn cost(&self, task: &Task<'_>, node: Node) -> Option<Cost> {
        let known = self.known.get(task.number(node))?;
        (known.search == self.search).then_some(known.cost)
    }

    /// The doors of the path to a door, from the first one on.
    pub(crate) fn path(&self, task: &Task<'_>, last: Node) -> Vec<Node> {
        let mut nodes = vec![last];
        let mut at = last;
        // Costs never decrease along a path, but they may be 0, so the number of doors bounds it.
        while nodes.len() <= task.doors[1] {
            let before = self.known[task.number(at)].before;
            if before == at {
                break;
            }
            nodes.push(before);
            at = before;
        }
        nodes.reverse();
        nodes
    }
}
