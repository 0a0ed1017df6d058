//! Levels above the first: clusters of clusters.

use crate::block::{Crossing, Draft, Jump, Members};
use crate::costs::{Cost, Weights, pack, whole};
use crate::grid::{BRANCH, ClusterCoord, ClusterGrid};
use crate::level::{DoorId, Level};
use crate::search::{DoorSearch, Extent, Node, Rates, Task};
use crate::twins::{Below, below, child_at};
use navtile::layout::side;

/// A level that another one is built on.
#[derive(Clone, Copy)]
pub(crate) struct Base<'a> {
    /// The levels up to it.
    pub(crate) levels: &'a [Level],
    pub(crate) grid: &'a ClusterGrid,
    /// The rates of each class.
    pub(crate) rates: &'a [Rates],
}

impl<'a> Base<'a> {
    /// Its number.
    fn index(&self) -> usize {
        self.levels.len() - 1
    }

    pub(crate) fn level(&self) -> &'a Level {
        &self.levels[self.index()]
    }

    /// A cluster of the level above, without its costs.
    pub(crate) fn cluster_above(&self, coord: ClusterCoord) -> Draft {
        let mut draft = Draft { coord, ..Draft::default() };
        for (border, on) in [side::X_MAX, side::Z_MAX].into_iter().enumerate() {
            for number in 0..BRANCH {
                let Some(child) = self.level().find(child_at(coord, on, number)) else { continue };
                for members in self.groups(child, on, number) {
                    draft.borders[border].push(self.merged(child, on, members));
                    draft.members[border].push(members);
                }
            }
        }
        draft
    }

    /// The open jumps that lead from one cluster of the level above to another.
    pub(crate) fn jumps_above(&self) -> Vec<Jump> {
        let above = |(number, jump): (usize, &Jump)| {
            let clusters = jump.clusters.map(ClusterCoord::parent);
            let start = self.level().jump_end(number as u32, 0);
            let is_open = start.is_none_or(|door| !self.level().is_shut(door));
            let jump = || Jump { clusters, below: number as u32, ..jump.clone() };
            (clusters[0] != clusters[1] && is_open).then(jump)
        };
        self.level().jumps.iter().enumerate().filter_map(above).collect()
    }

    /// The open crossings of a side of a cluster in groups, each with one crossing at the level above. The
    /// crossings of a group follow each other. In both clusters, paths lead between each of them and the
    /// first one, no longer than the clusters are wide. So a path over one of them can go over another one
    /// instead.
    fn groups(&self, child: u32, on: u8, number: i32) -> Vec<Members> {
        let count = self.level().border(child, on).len();
        let Some(beyond) = self.level().beyond(child, on) else { return Vec::new() };
        let sides = [(child, on), (beyond, on ^ 2)]
            .map(|(cluster, on)| (cluster, self.level().first_on(cluster, on)));
        let is_open = |at: usize| {
            let (cluster, first_door) = sides[0];
            !self.level().is_shut(DoorId { cluster, door: first_door + at as u32 })
        };
        let mut groups = Vec::new();
        let mut next = (0..count).find(|at| is_open(*at));
        while let Some(first) = next {
            let mut is_near: Vec<bool> = (0..count).map(is_open).collect();
            for (class, rates) in self.rates.iter().enumerate() {
                let most = whole(self.grid.side(self.index()) as f64 * rates.unit * rates.least);
                for (cluster, first_door) in sides {
                    let costs = self.level().costs(cluster, class, false);
                    for backwards in [false, true] {
                        let mut is_reached = vec![false; count];
                        costs.each(first_door as usize + first, backwards, |door, cost| {
                            let at = door.checked_sub(first_door as usize).filter(|at| *at < count);
                            at.into_iter().for_each(|at| is_reached[at] = cost <= most);
                        });
                        is_near.iter_mut().zip(is_reached).for_each(|(is_near, reached)| *is_near &= reached);
                    }
                }
            }
            let end = (first + 1..count).find(|&at| !is_near[at]).unwrap_or(count);
            let [from, to, same] = [first, end, (first + end) / 2].map(|at| at as u16);
            groups.push(Members { child: number as u16, first: from, end: to, same });
            next = (end..count).find(|at| is_open(*at));
        }
        groups
    }

    /// The crossing of a group.
    fn merged(&self, child: u32, on: u8, members: Members) -> Crossing {
        let list = &self.level().border(child, on)[usize::from(members.first)..usize::from(members.end)];
        let same = list[usize::from(members.same - members.first)];
        let steps = self.grid.side(self.index()) / self.grid.step(self.index());
        let along = (i64::from(members.child) * steps + i64::from(same.along)) / i64::from(BRANCH);
        let own = i64::from(same.along);
        let reach =
            list.iter().map(|crossing| (i64::from(crossing.along) - own).abs() + i64::from(crossing.reach));
        // Two steps more, since both are rounded.
        let reach = reach.max().unwrap_or(0) / i64::from(BRANCH) + 2;
        Crossing { along: along as u16, reach: reach.min(u16::MAX.into()) as u16, height: same.height }
    }

    /// Packed costs between the doors of a cluster of the level above, by paths over this level that stay
    /// inside of it.
    pub(crate) fn costs_above(
        &self,
        search: &mut DoorSearch,
        above: &Level,
        cluster: u32,
        class: usize,
    ) -> [Vec<u16>; 2] {
        let Base { levels, grid, rates } = *self;
        let (level, index) = (self.level(), self.index());
        let count = above.door_count(cluster);
        let doors: Vec<Below> =
            (0..count as u32).filter_map(|door| below(above, level, DoorId { cluster, door })).collect();
        let extent = Extent::Level(index, Some(above.coord(cluster)));
        let rates = rates[class];
        let node = |&door: &DoorId| Node { level: index as u32, door };
        [Weights::Upper, Weights::Lower].map(|weights| {
            let task = Task::new((levels, grid), extent, (class, rates), weights);
            let mut all: Vec<Option<Cost>> = vec![None; count * count];
            for (from, start) in doors.iter().enumerate() {
                // The doors of the start's own cluster are reached from inside.
                let mut seeds = Vec::new();
                for start in start.of(weights).iter().map(node) {
                    seeds.push((start, 0));
                    task.each_way(start, |to, cost| seeds.push((to, cost)));
                }
                search.run(&task, Cost::MAX, &seeds, |_| 0, |_| None);
                for (to, end) in doors.iter().enumerate() {
                    let ends = end.of(weights).iter().map(node);
                    let cost = ends.filter_map(|end| search.cost(&task, end)).min();
                    all[from * count + to] = if from == to { Some(0) } else { cost };
                }
            }
            let mut packed = Vec::new();
            pack(count, weights == Weights::Upper, |from, to| all[from * count + to], &mut packed);
            packed
        })
    }
}
