//! Who may go where, when every metre counts the same.

use crate::filter::{Attributes, CostModel, Filter, Step};

/// A model in which a metre costs the same everywhere, and which only decides what may be entered. A promise:
/// what relies on it does not ask for costs. [`Filter`] is none, as its areas have costs; [`Passable`] is.
pub trait UniformCost: CostModel {}

impl<C: UniformCost + ?Sized> UniformCost for &C {}

/// Lets polygons pass by their flags, as [`Filter`] does; a metre costs 1 everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passable {
    include: u32,
    exclude: u32,
}

impl Default for Passable {
    /// Everything passes.
    fn default() -> Passable {
        Passable { include: u32::MAX, exclude: 0 }
    }
}

impl Passable {
    /// The flags of a filter, without its costs.
    pub fn of(filter: &Filter) -> Passable {
        Passable { include: filter.include(), exclude: filter.exclude() }
    }

    /// This one, letting pass only polygons with at least one of these flags. `u32::MAX`, the default, lets
    /// pass polygons without any flag too.
    #[must_use]
    pub fn with_include(mut self, flags: u32) -> Passable {
        self.include = flags;
        self
    }

    /// This one, keeping out polygons with any of these flags. None by default.
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
        polygon.flags & self.exclude == 0 && (self.include == u32::MAX || polygon.flags & self.include != 0)
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
        self.exclude == 0 && self.include == u32::MAX
    }
}
