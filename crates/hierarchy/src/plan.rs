//! Plans: far paths over doors.

use crate::block::NONE;
use crate::costs::{Cost, UNITS};
use crate::grid::{ClusterCoord, LEVELS, world};
use crate::join::{FarPlace, Joined, Joiner};
use crate::level::{Door, DoorId, Level};
use crate::search::{DoorSearch, Rates, Task, Weights};
use crate::upper::below;
use crate::{FarError, Hierarchy};

/// A part of a plan: the path through a cluster of some level.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hop {
    level: usize,
    cluster: ClusterCoord,
    /// The door where it enters; `None` at the start.
    from: Option<DoorId>,
    /// The door where it leaves; `None` at the goal.
    to: Option<DoorId>,
}

/// The costs between an end of a plan and the doors of the clusters around it, one list for each level.
type Stages = Vec<Vec<(DoorId, Cost)>>;

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
    stages: [Stages; 2],
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
    /// Doors settled by the last plan.
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
        let rates = hierarchy.classes[class].rates(hierarchy.lattice.cell_size);
        let ends = |level: usize| Ends { hierarchy, class, rates, level, joined: &joined };
        let Some(over) = self.over_some_level(&ends, direct) else {
            let Some(direct) = direct else { return Ok(None) };
            // Every path over doors costs more.
            return Ok(Some(FarPath::direct(hierarchy, class, joined, direct)));
        };
        let lower = self.over_doors(&ends(over.level), Weights::Lower, over.cost.saturating_add(1));
        let lower = lower.map_or(over.cost, |found| found.cost);
        let straight = rates.straight(joined[0].place, joined[1].place);
        let lower =
            direct.map_or(lower, |direct| rates.at_least(direct.saturating_sub(1)).min(lower)).max(straight);
        let hops = hops(&hierarchy.levels[over.level], (over.level, class), &joined, &over.doors);
        let (upper, stages) = (over.cost, over.stages);
        let [upper, lower] = [upper, lower.min(upper)].map(|cost| cost as f64 / UNITS);
        Ok(Some(FarPath { hierarchy, upper, lower, class, ends: joined, stages, hops }))
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

    /// A path over doors, at a level whose clusters are small against the path. `direct` is the cost of a
    /// path without doors, if there is one: dearer paths are left out.
    fn over_some_level<'a>(
        &mut self,
        ends: &impl Fn(usize) -> Ends<'a>,
        direct: Option<Cost>,
    ) -> Option<Found> {
        let bound = direct.unwrap_or(Cost::MAX);
        let near = ends(0);
        let level = level_between(near.joined);
        if level > 0 {
            return self.over_doors(&ends(level), Weights::Upper, bound);
        }
        let coarse = self.over_doors(&ends(1), Weights::Upper, bound);
        let [start, goal] = near.joined.each_ref().map(|end| end.coord.parent());
        let large = (2 * near.hierarchy.grid.side(1)) as f64 * near.rates.unit * near.rates.least;
        let (bound, inside) = match &coarse {
            Some(found) if found.cost as f64 >= large => return coarse,
            Some(found) => (found.cost, None),
            None if start == goal => (bound, Some(start)),
            None => return None,
        };
        self.over_doors_in(&near, Weights::Upper, bound, inside).or(coarse)
    }

    /// The cheapest path over doors that costs less than a bound.
    fn over_doors(&mut self, ends: &Ends<'_>, weights: Weights, bound: Cost) -> Option<Found> {
        self.over_doors_in(ends, weights, bound, None)
    }

    /// Like `over_doors`, by a path that stays inside a cluster of the next level.
    fn over_doors_in(
        &mut self,
        ends: &Ends<'_>,
        weights: Weights,
        bound: Cost,
        inside: Option<ClusterCoord>,
    ) -> Option<Found> {
        let stages = [self.stages(ends, weights, false)?, self.stages(ends, weights, true)?];
        let Ends { hierarchy, level, joined, .. } = *ends;
        let task = ends.task(level, weights, inside, false);
        let goal = joined[1].place;
        let estimate = |door: DoorId| ends.estimate(&task, door, goal);
        let end = ends_at(&hierarchy.levels[level], &stages[1][level]);
        let (cost, door) = self.search.run(&task, bound, &stages[0][level], estimate, end)?;
        self.settled += self.search.settled.len();
        let doors = self.search.path(&task, door);
        Some(Found { level, cost, doors, stages })
    }

    /// The costs between one end and the doors of the clusters around it, up to a level.
    fn stages(&mut self, ends: &Ends<'_>, weights: Weights, backwards: bool) -> Option<Stages> {
        let Ends { hierarchy, rates, level, joined, .. } = *ends;
        let joined = &joined[usize::from(backwards)];
        let first = ends.task(0, weights, None, backwards);
        let of_door = |&(door, cost): &(DoorId, Cost)| match weights {
            Weights::Upper => (door, cost),
            Weights::Lower => {
                (door, rates.at_least(cost.saturating_sub(1)).saturating_sub(first.along(door)))
            }
        };
        let mut stages = vec![joined.doors.iter().map(of_door).collect::<Vec<_>>()];
        let mut coord = joined.coord;
        for index in 0..level {
            coord = coord.parent();
            let task = ends.task(index, weights, Some(coord), backwards);
            self.search.run(&task, Cost::MAX, &stages[index], |_| 0, |_| None);
            self.settled += self.search.settled.len();
            let (upper, lower) = (&hierarchy.levels[index + 1], &hierarchy.levels[index]);
            let cluster = upper.find(coord)?;
            let doors = (0..upper.door_count(cluster) as u32).map(|door| DoorId { cluster, door });
            let cost = |door: DoorId| {
                let below = below(upper, lower, door)?;
                below.of(weights).iter().filter_map(|&door| self.search.cost(&task, door)).min()
            };
            stages.push(doors.filter_map(|door| Some((door, cost(door)?))).collect());
        }
        Some(stages)
    }

    /// The stops of a plan: the start, its doors one after the other, and the goal. Takes a search in each
    /// cluster of a higher level that the plan passes.
    pub fn stops(&mut self, path: &FarPath<'_>) -> Vec<FarStop> {
        let Hierarchy { grid, lattice, levels, .. } = path.hierarchy;
        let [start, goal] = path.ends.each_ref().map(|end| FarStop { point: end.world, cluster: end.coord });
        let mut stops = vec![start];
        let mut waiting: Vec<Hop> = path.hops.iter().rev().copied().collect();
        while let Some(hop) = waiting.pop() {
            if hop.level > 0 {
                waiting.extend(self.refined(path, hop).into_iter().rev());
                continue;
            }
            let Some(door) = hop.to else { continue };
            let mut stop = |place| stops.push(FarStop { point: world(lattice, place), cluster: hop.cluster });
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
        let hierarchy = path.hierarchy;
        let level = hop.level - 1;
        let (upper, lower) = (&hierarchy.levels[hop.level], &hierarchy.levels[level]);
        let goal = &path.ends[1];
        let rates = hierarchy.classes[path.class].rates(hierarchy.lattice.cell_size);
        let ends = Ends { hierarchy, class: path.class, rates, level, joined: &path.ends };
        let task = ends.task(level, Weights::Upper, Some(hop.cluster), false);
        let same = |door: Option<DoorId>| Some(below(upper, lower, door?)?.same);
        let (from, to) = (same(hop.from), same(hop.to));
        let mut seeds = Vec::new();
        match from {
            Some(from) => task.each_way(from, |door, cost| seeds.push((door, cost))),
            None => seeds.extend_from_slice(&path.stages[0][level]),
        }
        let rests = &path.stages[1];
        let rest = |door: DoorId| rests[level].iter().find(|(end, _)| *end == door).map(|(_, cost)| *cost);
        let target = to.and_then(|door| Some(lower.across(door, path.class, false)?.0));
        let end = |door: DoorId| match to {
            Some(_) => (Some(door) == target).then_some(0),
            None => rest(door),
        };
        let aim = to.and_then(|door| lower.place(&hierarchy.grid, level, door)).unwrap_or(goal.place);
        let found = self.search.run(&task, Cost::MAX, &seeds, |door| ends.estimate(&task, door, aim), end);
        let at_once = if to.is_none() { from.and_then(rest) } else { None };
        let doors = match found {
            Some((cost, door)) if at_once.is_none_or(|rest| cost < rest) => self.search.path(&task, door),
            _ => Vec::new(),
        };
        let mut hops = Vec::new();
        let mut entry = from;
        let coord = |door: DoorId| lower.coord(door.cluster);
        for &door in &doors {
            hops.push(Hop { level, cluster: coord(door), from: entry, to: Some(door) });
            entry = lower.across(door, path.class, false).map(|(door, _)| door);
        }
        if to.is_none() {
            let cluster = entry.map_or(goal.coord, coord);
            hops.push(Hop { level, cluster, from: entry, to: None });
        }
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
        FarPath { hierarchy, upper, lower, class, ends, stages: Default::default(), hops: Vec::new() }
    }
}

/// A path over doors.
struct Found {
    level: usize,
    cost: Cost,
    doors: Vec<DoorId>,
    stages: [Stages; 2],
}

/// The costs of the rest of a path by the door of the last cluster: one list for all its doors.
pub(crate) fn ends_at(level: &Level, doors: &[(DoorId, Cost)]) -> impl Fn(DoorId) -> Option<Cost> + use<> {
    let last = doors.first().map_or(NONE, |(door, _)| door.cluster);
    let mut rests = vec![None; doors.first().map_or(0, |_| level.door_count(last))];
    for &(door, cost) in doors {
        rests[door.door as usize] = Some(cost);
    }
    move |door: DoorId| if door.cluster == last { rests[door.door as usize] } else { None }
}

/// The two ends of a plan, and the level that it is made at.
#[derive(Clone, Copy)]
pub(crate) struct Ends<'a> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) class: usize,
    pub(crate) rates: Rates,
    pub(crate) level: usize,
    pub(crate) joined: &'a [Joined; 2],
}

impl<'a> Ends<'a> {
    pub(crate) fn task(
        &self,
        index: usize,
        weights: Weights,
        inside: Option<ClusterCoord>,
        backwards: bool,
    ) -> Task<'a> {
        let Hierarchy { grid, levels, .. } = self.hierarchy;
        let (class, rates) = (self.class, self.rates);
        Task { level: &levels[index], grid, index, class, rates, weights, inside, backwards, wide: false }
    }

    /// The least cost of a path from a door, or its stretch, to a place.
    pub(crate) fn estimate(&self, task: &Task<'_>, door: DoorId, to: [i64; 3]) -> Cost {
        let Some(place) = task.level.place(task.grid, task.index, door) else { return 0 };
        let straight = self.rates.straight(place, to);
        match task.weights {
            Weights::Upper => straight,
            Weights::Lower => straight.saturating_sub(task.along(door)),
        }
    }
}

/// The highest level with clusters between the two ends.
fn level_between(joined: &[Joined; 2]) -> usize {
    let mut coords = [joined[0].coord, joined[1].coord];
    let mut level = 0;
    for index in 1..LEVELS {
        coords = coords.map(ClusterCoord::parent);
        if coords[0].apart(coords[1]) >= 2 {
            level = index;
        }
    }
    level
}

/// The hops of a path over doors.
fn hops(level: &Level, (index, class): (usize, usize), joined: &[Joined; 2], doors: &[DoorId]) -> Vec<Hop> {
    let around = |coord: ClusterCoord| (0..index).fold(coord, |coord, _| coord.parent());
    let coord = |door: DoorId| level.coord(door.cluster);
    let mut hops = Vec::new();
    let mut from: Option<DoorId> = None;
    for &door in doors {
        let cluster = from.map_or(around(joined[0].coord), coord);
        hops.push(Hop { level: index, cluster, from, to: Some(door) });
        from = level.across(door, class, false).map(|(door, _)| door);
    }
    hops.push(Hop { level: index, cluster: around(joined[1].coord), from, to: None });
    hops
}
