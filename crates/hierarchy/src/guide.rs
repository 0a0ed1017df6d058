//! Guides: searches over polygons that keep to the clusters where the cheapest path may be.
//!
//! A search over doors, backwards from the goal, finds the costs from each door to the goal. Another one,
//! from the start, then finds all doors on paths that cost hardly more than the best. The cheapest path over
//! polygons leads through the clusters of these doors, but for rare exceptions, so a search that enters
//! no others touches a corridor instead of an ellipse.

use crate::costs::Cost;
use crate::grid::ClusterCoord;
use crate::join::FarPlace;
use crate::level::DoorId;
use crate::plan::{Ends, FarPlanner, ends_at};
use crate::search::{DoorSearch, Task, Weights, widened};
use crate::{FarError, Hierarchy};
use detour::{Attributes, CostModel, Filter, NavMesh, PolygonKind, Step, Uniformity};
use std::collections::BTreeSet;

/// The filter of a class that lets agents pass only in the clusters around the cheapest path from a start to
/// a goal. For [`Query::find_path`](detour::Query::find_path) on the mesh that it was made for.
#[derive(Clone, Debug)]
pub struct Guide<'a> {
    filter: &'a Filter,
    /// A bit for the slot of each tile.
    slots: Vec<u64>,
}

impl CostModel for Guide<'_> {
    #[inline]
    fn passes(&self, polygon: &Attributes) -> bool {
        let slot = polygon.polygon.slot();
        let word = self.slots.get(slot as usize / 64).copied().unwrap_or(0);
        word >> (slot % 64) & 1 == 1 && self.filter.passes(polygon)
    }

    #[inline]
    fn cost(&self, step: &Step) -> f32 {
        self.filter.cost(step)
    }

    fn minimum_cost(&self) -> f32 {
        self.filter.minimum_cost()
    }

    fn uniform_cost(&self) -> Option<f32> {
        self.filter.uniform_cost()
    }

    fn uniform_on(&self, kinds: &[PolygonKind]) -> Uniformity {
        Uniformity { passes_all: false, ..self.filter.uniform_on(kinds) }
    }
}

impl<'a> Guide<'a> {
    fn new(
        hierarchy: &Hierarchy,
        filter: &'a Filter,
        mesh: &NavMesh,
        clusters: &BTreeSet<ClusterCoord>,
    ) -> Self {
        let mut slots: Vec<u64> = Vec::new();
        for [x, z] in clusters.iter().flat_map(|cluster| hierarchy.columns(*cluster)) {
            // A tile without polygons is never entered.
            for first in mesh.column(x, z).filter_map(|tile| mesh.reference(tile.coord(), 0)) {
                let slot = first.slot() as usize;
                slots.resize(slots.len().max(slot / 64 + 1), 0);
                slots[slot / 64] |= 1 << (slot % 64);
            }
        }
        Guide { filter, slots }
    }
}

impl FarPlanner {
    /// A guide for searches between two places on one mesh; `None` if the hierarchy knows no path.
    ///
    /// With it, `find_path` and `shortest_path` find the same path or one that is hardly longer, and touch a
    /// third to a fifth of the nodes. A guide takes some tenths of a millisecond, so it pays for exact
    /// searches ([`Optimality::Near`](detour::Optimality::Near), `Shortest`) of a few hundred metres and
    /// more; docs/far-paths.md has figures.
    ///
    /// The search fails if the mesh lacks tiles of the clusters, or has others than the hierarchy: if a path
    /// is not complete, search again with the filter of the class.
    ///
    /// # Errors
    /// The places are not on the mesh or not on the grid of the hierarchy; the class is not known.
    pub fn guide<'a>(
        &mut self,
        hierarchy: &'a Hierarchy,
        class: usize,
        start: FarPlace<'_>,
        goal: FarPlace<'_>,
    ) -> Result<Option<Guide<'a>>, FarError> {
        let (joined, direct) = self.join(hierarchy, class, [start, goal])?;
        let kind = &hierarchy.classes[class];
        let rates = kind.rates(hierarchy.lattice.cell_size);
        let ends = Ends { hierarchy, class, rates, level: 0, joined: &joined };
        let mut rests = DoorSearch::default();
        let level = &hierarchy.levels[0];
        let back = Task { wide: true, ..ends.task(0, Weights::Upper, None, true) };
        let to_start = |door: DoorId| ends.estimate(&back, door, joined[0].place);
        let first = ends_at(level, &joined[0].doors);
        let over = rests.run(&back, direct.map_or(Cost::MAX, widened), &joined[1].doors, to_start, first);
        let Some(best) = over.map(|(cost, _)| cost).into_iter().chain(direct).min() else { return Ok(None) };
        let rest = |door: DoorId| {
            let (beyond, passing) = level.across(door, class, false)?;
            Some(rests.cost(&back, beyond)?.saturating_add(passing))
        };
        let task = ends.task(0, Weights::Upper, None, false);
        let bound = widened(best).saturating_add(1);
        self.search.run(&task, bound, &joined[0].doors, |door| rest(door).unwrap_or(Cost::MAX), |_| None);
        let mut clusters: BTreeSet<ClusterCoord> = joined.iter().map(|end| end.coord).collect();
        for &door in &self.search.settled {
            clusters.insert(level.coord(door.cluster));
            clusters.extend(level.across(door, class, false).map(|(beyond, _)| level.coord(beyond.cluster)));
        }
        Ok(Some(Guide::new(hierarchy, &kind.filter, start.mesh, &clusters)))
    }
}
