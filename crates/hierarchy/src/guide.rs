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
use crate::within::Guide;
use crate::{FarError, Hierarchy};
use std::collections::BTreeSet;

impl FarPlanner {
    /// A guide for searches between two places on one mesh; `None` if the hierarchy knows no path.
    ///
    /// With it, `find_path` and `shortest_path` find the same path or a slightly longer one, and touch a
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
        Ok(Some(Guide::new(hierarchy, &kind.filter, start.mesh, clusters)))
    }
}
