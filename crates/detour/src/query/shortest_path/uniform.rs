//! Filters for searches with the same cost of a metre everywhere.

use crate::filter::{Attributes, CostModel, Filter, Step};

/// Marks a model with the same cost of a metre everywhere, so that it only decides which polygons may be
/// entered. It is a promise: searches that rely on it do not ask for costs. [`Filter`] does not implement it,
/// as its areas have costs; [`Passable`] does.
pub trait UniformCost: CostModel {}

impl<C: UniformCost + ?Sized> UniformCost for &C {}

/// Lets polygons pass by their flags and areas, as [`Filter`] does; a metre costs 1 everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passable {
    include: u32,
    exclude: u32,
    /// A bit for each area that does not pass.
    closed: [u64; 4],
}

impl Default for Passable {
    /// Everything passes.
    fn default() -> Passable {
        Passable { include: u32::MAX, exclude: 0, closed: [0; 4] }
    }
}

impl Passable {
    /// Lets everything pass that a filter lets pass, without its costs.
    pub fn of(filter: &Filter) -> Passable {
        Passable { include: filter.include(), exclude: filter.exclude(), closed: filter.closed_areas() }
    }

    /// Lets pass only polygons with at least one of these flags. `u32::MAX`, the default, lets polygons
    /// without any flag pass too.
    #[must_use]
    pub fn with_include(mut self, flags: u32) -> Passable {
        self.include = flags;
        self
    }

    /// Excludes polygons with any of these flags; none by default.
    #[must_use]
    pub fn with_exclude(mut self, flags: u32) -> Passable {
        self.exclude = flags;
        self
    }
}

impl UniformCost for Passable {}

impl CostModel for Passable {
    #[inline]
    fn passes(&self, polygon: &Attributes) -> bool {
        polygon.flags & self.exclude == 0
            && (self.include == u32::MAX || polygon.flags & self.include != 0)
            && self.closed[usize::from(polygon.area) / 64] >> (polygon.area % 64) & 1 == 0
    }

    #[inline]
    fn cost(&self, step: &Step) -> f32 {
        step.from.distance(step.to)
    }

    #[inline]
    fn minimum_cost(&self) -> f32 {
        1.0
    }

    #[inline]
    fn uniform_cost(&self) -> Option<f32> {
        Some(1.0)
    }

    #[inline]
    fn passes_all(&self) -> bool {
        self.exclude == 0 && self.include == u32::MAX && self.closed == [0; 4]
    }
}
