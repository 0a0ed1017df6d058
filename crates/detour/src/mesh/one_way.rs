//! The islands that one-way off-mesh links lead to. Islands are joined by ground and by links in both
//! directions (`labels.rs`); one-way links are the steps of a directed graph of islands.
//!
//! Cost: the first question about two islands after a change of the mesh gathers the steps, linear in the
//! off-mesh links that are loaded. Then a question is linear in the steps between the islands that can be
//! reached, and constant if the islands are the same.

use super::Inner;
use crate::poly_ref::PolyRef;
use navmath::sort::SharedSort;

/// One-way steps between islands.
#[derive(Clone, Debug, Default)]
pub(super) struct OneWaySteps {
    /// The islands that steps lead from or to, sorted.
    islands: Vec<u64>,
    /// Pairs of indices of `islands`: from and to. Sorted, without repetitions.
    steps: Vec<[u32; 2]>,
}

impl OneWaySteps {
    /// The steps over the joined one-way links of a mesh. `island_of` returns the island of a polygon or
    /// link.
    pub(super) fn new(inner: &Inner, island_of: impl Fn(PolyRef) -> Option<u64>) -> OneWaySteps {
        let step = |(slot, number): (u32, u32)| {
            let tile = inner.loaded(slot)?;
            let record = &tile.data.tile.off_mesh_links()[number as usize];
            let target = tile.link_targets[number as usize].filter(|_| record.direction == 0)?;
            let link = tile.node(slot, tile.surface.polygon_count() + number).reference;
            let (from, to) = (island_of(link)?, island_of(target.end.polygon)?);
            (from != to).then_some([from, to])
        };
        let pairs: Vec<[u64; 2]> = inner.incoming.all().filter_map(step).collect();
        let mut islands: Vec<u64> = pairs.iter().flatten().copied().collect();
        islands.shared_sort();
        islands.dedup();
        let index = |island: u64| islands.partition_point(|other| *other < island) as u32;
        let mut steps: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.map(index)).collect();
        steps.shared_sort();
        steps.dedup();
        OneWaySteps { islands, steps }
    }

    /// The steps as pairs of islands: from and to.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u64; 2]> + '_ {
        self.steps.iter().map(|step| step.map(|index| self.islands[index as usize]))
    }

    fn index(&self, island: u64) -> Option<usize> {
        self.islands.binary_search(&island).ok()
    }
}

/// Scratch memory: the islands that can be reached from one.
#[derive(Debug, Default)]
pub(crate) struct ReachScratch {
    /// For each island with steps, true if it can be reached.
    is_reached: Vec<bool>,
    /// Islands whose steps were not followed yet.
    open: Vec<u32>,
}

/// The islands that can be reached from one island.
pub(crate) struct ReachedIslands<'a> {
    from: u64,
    steps: &'a OneWaySteps,
    is_reached: &'a [bool],
}

impl ReachedIslands<'_> {
    /// Returns true if an island can be reached.
    pub(crate) fn contains(&self, island: u64) -> bool {
        island == self.from || self.steps.index(island).is_some_and(|index| self.is_reached[index])
    }
}

impl OneWaySteps {
    /// The islands that can be reached from an island, itself included.
    pub(super) fn reached_from<'a>(&'a self, from: u64, scratch: &'a mut ReachScratch) -> ReachedIslands<'a> {
        let ReachScratch { is_reached, open } = scratch;
        is_reached.clear();
        is_reached.resize(self.islands.len(), false);
        open.clear();
        open.extend(self.index(from).map(|index| index as u32));
        while let Some(island) = open.pop() {
            let first = self.steps.partition_point(|[from, _]| *from < island);
            for [_, to] in self.steps[first..].iter().take_while(|[from, _]| *from == island) {
                if !std::mem::replace(&mut is_reached[*to as usize], true) {
                    open.push(*to);
                }
            }
        }
        ReachedIslands { from, steps: self, is_reached }
    }
}
