//! The filters of a crowd, shared between its agents and their searches.

use crate::fnv::Fnv;
use detour::{Attributes, CostModel, Filter, FilterId, NavMesh, PolygonKind, Step, Uniformity};
use std::sync::Arc;

/// A filter that searches can own.
#[derive(Clone, Debug)]
pub(crate) struct CrowdFilter(pub(crate) Arc<Filter>);

impl CrowdFilter {
    /// A hash of the contents. Filters that allow the same ground at the same costs have the same hash.
    pub(crate) fn hash(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.add(self.0.include());
        hash.add(self.0.exclude());
        for areas in self.0.closed_areas() {
            hash.add(areas as u32);
            hash.add((areas >> 32) as u32);
        }
        (0..=u8::MAX).for_each(|area| hash.add(self.0.area_cost(area).to_bits()));
        hash.value()
    }
}

impl CostModel for CrowdFilter {
    #[inline]
    fn passes(&self, polygon: &Attributes) -> bool {
        self.0.passes(polygon)
    }

    #[inline]
    fn cost(&self, step: &Step) -> f32 {
        self.0.cost(step)
    }

    #[inline]
    fn minimum_cost(&self) -> f32 {
        self.0.minimum_cost()
    }

    #[inline]
    fn uniform_cost(&self) -> Option<f32> {
        self.0.uniform_cost()
    }

    #[inline]
    fn passes_all(&self) -> bool {
        self.0.passes_all()
    }

    #[inline]
    fn uniform_on(&self, kinds: &[PolygonKind]) -> Uniformity {
        self.0.uniform_on(kinds)
    }

    #[inline]
    fn registration(&self) -> Option<FilterId> {
        self.0.registration()
    }
}

/// A mesh as an agent sees it: with the agent's filter.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) mesh: &'a NavMesh,
    pub(crate) filter: &'a CrowdFilter,
}
