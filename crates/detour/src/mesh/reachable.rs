//! Whether one place can be reached from another, for any filter and for registered ones.

use super::NavMesh;
use super::labels::Labels;
use crate::error::RefError;
use crate::filter::{CostModel, Filter};
use crate::islands::Reachable;
use crate::poly_ref::PolyRef;
use std::sync::Arc;

impl NavMesh {
    /// Keeps islands of their own for a filter, from now on and in all snapshots made from this one, and gives the
    /// filter back with the registration noted in it: [`NavMesh::reachable`] and searches that are given this filter
    /// then know at once what closed doors, flags and areas cut off. A filter that is changed afterwards has lost
    /// its registration.
    ///
    /// Cost: now, almost linear in polygons and links; later, at every tile that comes or goes, linear in its
    /// polygons and in the smaller of the islands that join or part; the same for a tile at each change of flags or
    /// area that lets a polygon pass or stops it. Memory: 4 bytes a polygon.
    #[must_use = "only the filter that is given back is registered"]
    pub fn register_filter(&mut self, filter: Filter) -> Filter {
        let filter = filter.registered();
        let inner = Arc::make_mut(&mut self.inner);
        let labels = Labels::new(inner, filter.clone());
        inner.registered.push(labels);
        filter
    }

    /// Keeps a filter's islands no longer; false if there were none.
    pub fn forget_filter(&mut self, filter: &Filter) -> bool {
        let Some(id) = filter.registration() else { return false };
        let inner = Arc::make_mut(&mut self.inner);
        let before = inner.registered.len();
        inner.registered.retain(|labels| labels.id() != Some(id));
        inner.registered.len() < before
    }

    /// Whether there may be a way from `a` to `b`, polygons or off-mesh links, in constant time. For a filter that
    /// is registered with this mesh its own islands are asked, for others those of all polygons.
    ///
    /// `No` is certain, for that filter and any that lets no more pass; as searches do, it grants a start on ground
    /// that the filter keeps out. One-way links may make a `Maybe` a no.
    pub fn reachable(&self, a: PolyRef, b: PolyRef, filter: &impl CostModel) -> Result<Reachable, RefError> {
        self.locate_node(a)?;
        self.locate_node(b)?;
        let differ = |labels: &Labels| labels.of(a).is_some_and(|island| labels.of(b) != Some(island));
        let kept_out = |labels: &Labels| a != b && labels.of(b).is_none();
        let registered = self.labels_of(filter).is_some_and(|labels| differ(labels) || kept_out(labels));
        Ok(if registered || differ(&self.inner.all) { Reachable::No } else { Reachable::Maybe })
    }

    /// The islands that are kept for a filter.
    pub(crate) fn labels_of(&self, filter: &impl CostModel) -> Option<&Labels> {
        let id = filter.registration()?;
        self.inner.registered.iter().find(|labels| labels.id() == Some(id))
    }

    /// The islands of all polygons.
    pub(crate) fn all_labels(&self) -> &Labels {
        &self.inner.all
    }
}
