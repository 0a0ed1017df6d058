//! A filter that keeps searches within some clusters.

use crate::Hierarchy;
use crate::grid::ClusterCoord;
use detour::{Attributes, CostModel, Filter, NavMesh, PolygonKind, Step, Uniformity};

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
    /// Lets agents pass in these clusters of the first level.
    pub(crate) fn new(
        hierarchy: &Hierarchy,
        filter: &'a Filter,
        mesh: &NavMesh,
        clusters: impl IntoIterator<Item = ClusterCoord>,
    ) -> Guide<'a> {
        let mut slots: Vec<u64> = Vec::new();
        for [x, z] in clusters.into_iter().flat_map(|cluster| hierarchy.columns(cluster)) {
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
