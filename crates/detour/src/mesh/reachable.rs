//! Reachability between two places, for any filter and for registered filters.

use super::NavMesh;
use super::labels::Labels;
use super::one_way::{ReachScratch, ReachedIslands};
use crate::error::RefError;
use crate::filter::{CostModel, Filter};
use crate::poly_ref::PolyRef;
use std::sync::Arc;

/// The answer to a reachability query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reachable {
    /// Neither ground nor off-mesh links lead from the start to the goal: no search will find a path.
    No,
    /// There is a path if all polygons and links on it pass the filter. If the filter is registered and the
    /// start passes it, they do.
    Maybe,
}

impl NavMesh {
    /// Maintains separate islands for a filter, from now on and in all snapshots made from this one. Returns
    /// the filter with its registration. [`NavMesh::reachable`] and searches with this filter then know at
    /// once what closed doors, flags and areas cut off. Changing the filter afterwards removes its
    /// registration.
    ///
    /// Cost: now, almost linear in polygons and links. Later, for every tile that is added or removed, linear
    /// in its polygons and in the smaller of the islands that join or split; and again for a tile at each
    /// change of flags or area that makes a polygon pass or stop passing. Memory: 4 bytes per polygon.
    ///
    /// ```
    /// # let tile = navscenes::baked_tile("two_rooms")?;
    /// use detour::{Filter, NavMesh, Query, Reachable, Vec3};
    ///
    /// const SHUT: u32 = 0x8000;
    /// let mut mesh = NavMesh::default();
    /// mesh.add_tile(tile)?;
    /// let walker = mesh.register_filter(Filter::default().with_exclude(SHUT));
    ///
    /// let (mut query, box_size) = (Query::new(), Vec3::new(1.0, 2.0, 1.0));
    /// let west = query.nearest(&mesh, Vec3::new(2.0, 0.0, 6.0), box_size, &walker)?.polygon;
    /// let east = query.nearest(&mesh, Vec3::new(10.0, 0.0, 6.0), box_size, &walker)?.polygon;
    /// assert_eq!(mesh.reachable(west, east, &walker)?, Reachable::Maybe);
    ///
    /// mesh.set_flags(east, SHUT)?;
    /// assert_eq!(mesh.reachable(west, east, &walker)?, Reachable::No);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "only the returned filter is registered"]
    pub fn register_filter(&mut self, filter: Filter) -> Filter {
        let filter = filter.registered();
        let labels = Labels::kept(self, &filter);
        Arc::make_mut(&mut self.inner).registered.push(labels);
        filter
    }

    /// Stops maintaining a filter's islands. Returns true if there were any.
    pub fn forget_filter(&mut self, filter: &Filter) -> bool {
        let Some(id) = filter.registration() else { return false };
        let inner = Arc::make_mut(&mut self.inner);
        let before = inner.registered.len();
        inner.registered.retain(|labels| labels.id() != Some(id));
        inner.registered.len() < before
    }

    /// Checks if there may be a path from `a` to `b`, polygons or off-mesh links. A filter that is registered
    /// with this mesh is looked up in its own islands, any other in the islands of all polygons.
    ///
    /// `No` is certain, for that filter and for any filter that lets no more pass. As in searches, the start
    /// need not pass the filter.
    ///
    /// Cost: constant on one island. Between islands linear in the one-way links between them; the first such
    /// call after a change of the mesh is linear in all off-mesh links.
    pub fn reachable(&self, a: PolyRef, b: PolyRef, filter: &impl CostModel) -> Result<Reachable, RefError> {
        self.reachable_with(&mut ReachScratch::default(), [a, b], filter)
    }

    /// [`NavMesh::reachable`] with scratch memory.
    pub(crate) fn reachable_with(
        &self,
        scratch: &mut ReachScratch,
        [a, b]: [PolyRef; 2],
        filter: &impl CostModel,
    ) -> Result<Reachable, RefError> {
        self.locate_node(a)?;
        self.locate_node(b)?;
        let mut is_cut_off = |labels: &Labels| {
            let Some(from) = labels.of(a) else { return false };
            let leads = |to| to == from || self.reached_islands(labels, from, scratch).contains(to);
            !labels.of(b).is_some_and(leads)
        };
        let excluded = |labels: &Labels| a != b && labels.of(b).is_none();
        let registered = self.labels_of(filter).is_some_and(|labels| is_cut_off(labels) || excluded(labels));
        Ok(if registered || is_cut_off(&self.inner.all) { Reachable::No } else { Reachable::Maybe })
    }

    /// The islands that can be reached from an island with these labels of this mesh.
    pub(crate) fn reached_islands<'a>(
        &self,
        labels: &'a Labels,
        from: u64,
        scratch: &'a mut ReachScratch,
    ) -> ReachedIslands<'a> {
        labels.one_way_steps(&self.inner).reached_from(from, scratch)
    }

    /// Pairs of islands with these labels of this mesh: a one-way link leads from the first to the second.
    pub(crate) fn one_way_pairs<'a>(&self, labels: &'a Labels) -> impl Iterator<Item = [u64; 2]> + 'a {
        labels.one_way_steps(&self.inner).pairs()
    }

    /// The islands that are maintained for a filter.
    pub(crate) fn labels_of(&self, filter: &impl CostModel) -> Option<&Labels> {
        let id = filter.registration()?;
        self.inner.registered.iter().find(|labels| labels.id() == Some(id))
    }

    /// The islands as a model sees them now.
    pub(crate) fn labels_by(&self, model: &impl CostModel) -> Labels {
        Labels::new(self, model)
    }

    /// The islands of all polygons.
    pub(crate) fn all_labels(&self) -> &Labels {
        &self.inner.all
    }
}
