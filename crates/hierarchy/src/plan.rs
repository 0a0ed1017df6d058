//! Plans: far paths over doors.

use crate::block::NONE;
use crate::costs::{Cost, UNITS, Weights};
use crate::grid::{ClusterCoord, world};
use crate::join::{FarPlace, Joined, Joiner};
use crate::level::{Door, DoorId, Level};
use crate::search::{DoorSearch, Extent, Node, Task};
use crate::twins::below;
use crate::{FarError, Hierarchy};

/// A part of a plan: the path through a cluster of some level, from its start or a door to a door.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hop {
    /// The door where it enters; `None` at the start.
    from: Option<Node>,
    /// The door where it leaves.
    to: Node,
}

/// A plan from a start to a goal, over a hierarchy that does not change meanwhile. A
/// [`FarRoute`](crate::FarRoute) can be kept for longer.
#[derive(Clone, Debug)]
pub struct FarPath<'a> {
    hierarchy: &'a Hierarchy,
    /// The cost of the best known path along the plan, and so an upper bound of the cost of the cheapest
    /// path.
    pub upper: f64,
    /// A lower bound of the cost of the cheapest path.
    pub lower: f64,
    class: usize,
    ends: [Joined; 2],
    hops: Vec<Hop>,
}

/// A place that a plan leads over: its start, its goal, or a place where it leaves a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FarStop {
    /// The place, world metres. Its height is that of the tile's border there, which may be a metre or two
    /// off hilly ground: look for the nearest polygon within a few metres of height.
    pub point: [f64; 3],
    /// The cluster that the leg to it leads through. [`Hierarchy::columns`] has its tiles.
    pub cluster: ClusterCoord,
}

/// Scratch memory for plans, for one thread at a time.
#[derive(Debug, Default)]
pub struct FarPlanner {
    joiner: Joiner,
    pub(crate) search: DoorSearch,
    /// The number of doors settled by the searches of the last plan.
    pub settled: usize,
}

impl FarPlanner {
    /// Creates scratch memory.
    pub fn new() -> FarPlanner {
        FarPlanner::default()
    }

    /// Plans a path for a class of agents; `None` if no path exists.
    pub fn plan<'a>(
        &mut self,
        hierarchy: &'a Hierarchy,
        class: usize,
        start: FarPlace<'_>,
        goal: FarPlace<'_>,
    ) -> Result<Option<FarPath<'a>>, FarError> {
        let (joined, direct) = self.join(hierarchy, class, [start, goal])?;
        self.settled = 0;
        let extent = Extent::Between(joined.each_ref().map(|end| end.coord));
        let upper = hierarchy.task(class, Weights::Upper, extent);
        let Some((cost, last)) = self.over_doors(&upper, &joined, direct.unwrap_or(Cost::MAX)) else {
            let Some(direct) = direct else { return Ok(None) };
            // Every path over doors costs more.
            return Ok(Some(FarPath::direct(hierarchy, class, joined, direct)));
        };
        let hops = hops(&upper, &self.search.path(&upper, last));
        // Beyond that, the bound hardly grows.
        let most = self.search.settled.len();
        let lower = self.over_doors(
            &Task { weights: Weights::Lower, most, ..upper },
            &joined,
            cost.saturating_add(1),
        );
        let lower = lower.map_or(cost, |(lower, _)| lower);
        let rates = upper.rates;
        let straight = rates.straight(joined[0].place, joined[1].place);
        let lower =
            direct.map_or(lower, |direct| rates.at_least(direct.saturating_sub(1)).min(lower)).max(straight);
        let [upper, lower] = [cost, lower.min(cost)].map(|cost| cost as f64 / UNITS);
        Ok(Some(FarPath { hierarchy, upper, lower, class, ends: joined, hops }))
    }

    /// Joins start and goal to the doors of their clusters. Also returns the cost of a path inside one
    /// cluster, if there is one.
    pub(crate) fn join(
        &mut self,
        hierarchy: &Hierarchy,
        class: usize,
        [start, goal]: [FarPlace<'_>; 2],
    ) -> Result<([Joined; 2], Option<Cost>), FarError> {
        let filter = &hierarchy.classes.get(class).ok_or(FarError::UnknownClass(class))?.filter;
        let joined = [
            self.joiner.join(hierarchy, filter, &start, false)?,
            self.joiner.join(hierarchy, filter, &goal, true)?,
        ];
        let is_near = joined[0].cluster == joined[1].cluster;
        let direct = if is_near { self.joiner.direct(hierarchy, filter, &start, &goal)? } else { None };
        Ok((joined, direct))
    }

    /// The cheapest path over doors that costs less than a bound, and its last door.
    fn over_doors(&mut self, task: &Task<'_>, joined: &[Joined; 2], bound: Cost) -> Option<(Cost, Node)> {
        let of_end = |joined: &Joined| -> Vec<(Node, Cost)> {
            let weight = |node: Node, cost: Cost| match task.weights {
                Weights::Upper => cost,
                Weights::Lower => {
                    task.rates.at_least(cost.saturating_sub(1)).saturating_sub(task.along(node))
                }
            };
            joined.nodes().map(|(node, cost)| (node, weight(node, cost))).collect()
        };
        let [seeds, rests] = joined.each_ref().map(of_end);
        if rests.is_empty() {
            return None;
        }
        let goal = joined[1].place;
        let end = ends_at(&task.levels[0], &rests);
        let found = self.search.run(task, bound, &seeds, |node| task.estimate(node, goal), end);
        self.settled += self.search.settled.len();
        found
    }

    /// The stops of a plan: the start, its doors one after the other, and the goal. Takes a search in each
    /// cluster of a higher level that the plan passes.
    pub fn stops(&mut self, path: &FarPath<'_>) -> Vec<FarStop> {
        let Hierarchy { grid, lattice, levels, .. } = path.hierarchy;
        let [start, goal] = path.ends.each_ref().map(|end| FarStop { point: end.world, cluster: end.coord });
        let mut stops = vec![start];
        let mut waiting: Vec<Hop> = path.hops.iter().rev().copied().collect();
        while let Some(hop) = waiting.pop() {
            if hop.to.level > 0 {
                waiting.extend(self.refined(path, hop).into_iter().rev());
                continue;
            }
            let door = hop.to.door;
            let cluster = levels[0].coord(door.cluster);
            let mut stop = |place| stops.push(FarStop { point: world(lattice, place), cluster });
            levels[0].place(grid, 0, door).into_iter().for_each(&mut stop);
            if let Some(Door::Exit(_, jump)) = levels[0].door(door) {
                stop(jump.places[1]);
            }
        }
        stops.push(goal);
        stops
    }

    /// A hop as hops of the level below.
    fn refined(&mut self, path: &FarPath<'_>, hop: Hop) -> Vec<Hop> {
        let Hop { from, to } = hop;
        let hierarchy = path.hierarchy;
        let level = to.level - 1;
        let (upper, lower) = (&hierarchy.levels[to.level as usize], &hierarchy.levels[level as usize]);
        let same = |node: Node| Some(Node { level, door: below(upper, lower, node.door)?.same });
        let (Some(from), Some(to)) = (from.and_then(same), same(to)) else { return Vec::new() };
        let extent = Extent::Level(level as usize, Some(upper.coord(hop.to.door.cluster)));
        let task = hierarchy.task(path.class, Weights::Upper, extent);
        let mut seeds = Vec::new();
        task.each_way(from, |node, cost| seeds.push((node, cost)));
        let Some((beyond, _)) = lower.across(to.door, path.class, false) else { return Vec::new() };
        let end = |node: Node| (node.door == beyond).then_some(0);
        let aim = lower.place(&hierarchy.grid, level as usize, to.door).unwrap_or(path.ends[1].place);
        let found = self.search.run(&task, Cost::MAX, &seeds, |node| task.estimate(node, aim), end);
        let Some((_, last)) = found else { return Vec::new() };
        let mut hops = hops(&task, &self.search.path(&task, last));
        hops.first_mut().into_iter().for_each(|hop| hop.from = Some(from));
        hops
    }
}

impl<'a> FarPath<'a> {
    /// The hierarchy that the plan was made by.
    pub fn hierarchy(&self) -> &'a Hierarchy {
        self.hierarchy
    }

    /// A path inside one cluster.
    fn direct(hierarchy: &'a Hierarchy, class: usize, ends: [Joined; 2], cost: Cost) -> FarPath<'a> {
        let [upper, lower] = [cost, cost.saturating_sub(1)].map(|cost| cost as f64 / UNITS);
        FarPath { hierarchy, upper, lower, class, ends, hops: Vec::new() }
    }
}

/// The costs of the rest of a path by the door of the last cluster, which is of the first level: one list
/// for all its doors.
pub(crate) fn ends_at(level: &Level, doors: &[(Node, Cost)]) -> impl Fn(Node) -> Option<Cost> + use<> {
    let last = doors.first().map_or(NONE, |(node, _)| node.door.cluster);
    let mut rests = vec![None; doors.first().map_or(0, |_| level.door_count(last))];
    for &(node, cost) in doors {
        rests[node.door.door as usize] = Some(cost);
    }
    move |Node { level, door: DoorId { cluster, door } }: Node| {
        if level == 0 && cluster == last { rests[door as usize] } else { None }
    }
}

/// The hops of a path over doors.
fn hops(task: &Task<'_>, nodes: &[Node]) -> Vec<Hop> {
    let mut from = None;
    let of_node = |&to: &Node| {
        let hop = Hop { from, to };
        from = None;
        task.pass(to, |entry, _| from = Some(entry));
        hop
    };
    nodes.iter().map(of_node).collect()
}
