//! Reachability between two places, for any filter and for registered filters. Constant time.

use super::NavMesh;
use super::labels::Labels;
use crate::error::RefError;
use crate::filter::{CostModel, Filter};
use crate::poly_ref::PolyRef;
use std::sync::Arc;

/// The answer to a reachability query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reachable {
    /// The places are on different islands, or the goal is on no island: no search will find a path.
    No,
    /// The places are on the same island. One-way links may still prevent a path.
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

    /// Checks in constant time if there may be a path from `a` to `b`, polygons or off-mesh links. A filter
    /// that is registered with this mesh is looked up in its own islands, any other in the islands of all
    /// polygons.
    ///
    /// `No` is certain, for that filter and for any filter that lets no more pass. As in searches, the start
    /// need not pass the filter. With one-way links there may be no path after a `Maybe`.
    pub fn reachable(&self, a: PolyRef, b: PolyRef, filter: &impl CostModel) -> Result<Reachable, RefError> {
        self.locate_node(a)?;
        self.locate_node(b)?;
        let differ = |labels: &Labels| labels.of(a).is_some_and(|island| labels.of(b) != Some(island));
        let excluded = |labels: &Labels| a != b && labels.of(b).is_none();
        let registered = self.labels_of(filter).is_some_and(|labels| differ(labels) || excluded(labels));
        Ok(if registered || differ(&self.inner.all) { Reachable::No } else { Reachable::Maybe })
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
