//! Guides: searches over polygons that keep to the clusters where the cheapest path may be.
//!
//! A search over doors, backwards from the goal, finds the costs from each door to the goal. Another one,
//! from the start, then finds all doors on paths that cost hardly more than the best. The cheapest path over
//! polygons leads through the clusters of these doors, but for rare exceptions, so a search that enters
//! no others touches a corridor instead of an ellipse.

use crate::costs::{Cost, Weights};
use crate::grid::ClusterCoord;
use crate::join::FarPlace;
use crate::plan::{FarPlanner, ends_at};
use crate::search::{DoorSearch, Extent, Node, Task, widened};
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
        let every = Extent::Level(0, None);
        let task = hierarchy.task(class, Weights::Upper, every);
        let back = Task { backwards: true, wide: true, ..task };
        let level = &hierarchy.levels[0];
        let [seeds, rests] = joined.each_ref().map(|end| end.nodes().collect::<Vec<_>>());
        let mut back_search = DoorSearch::default();
        let to_start = |node: Node| back.estimate(node, joined[0].place);
        let bound = direct.map_or(Cost::MAX, widened);
        let over = back_search.run(&back, bound, &rests, to_start, ends_at(level, &seeds));
        let Some(best) = over.map(|(cost, _)| cost).into_iter().chain(direct).min() else { return Ok(None) };
        let rest = |node: Node| {
            let (door, passing) = level.across(node.door, class, false)?;
            Some(back_search.cost(&back, Node { door, ..node })?.saturating_add(passing))
        };
        let bound = widened(best).saturating_add(1);
        self.search.run(&task, bound, &seeds, |node| rest(node).unwrap_or(Cost::MAX), |_| None);
        let mut clusters: BTreeSet<ClusterCoord> = joined.iter().map(|end| end.coord).collect();
        for Node { door, .. } in &self.search.settled {
            clusters.insert(level.coord(door.cluster));
            clusters.extend(level.across(*door, class, false).map(|(beyond, _)| level.coord(beyond.cluster)));
        }
        Ok(Some(Guide::new(hierarchy, &hierarchy.classes[class].filter, start.mesh, clusters)))
    }
}
