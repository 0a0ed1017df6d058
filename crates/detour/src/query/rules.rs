//! What a search asks a cost model, in two forms that the compiler makes searches of: a model where everything passes
//! and a metre costs the same everywhere is asked once for the search; then no polygon's flags and area are looked
//! up. Every other model is asked for each polygon and move.

use crate::filter::{Attributes, CostModel, Step, cost_of};
use crate::geometry::distance;
use crate::mesh::{Located, NavMesh};
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// Who may enter what, and what moves cost.
pub(super) trait Rules {
    /// What costs depend on of a polygon.
    type Seen: Copy;

    /// Of the polygon that a search stands on, whether it passes or not.
    fn of(&self, located: &Located<'_>) -> Self::Seen;

    /// Of a polygon or off-mesh link that another has a link to; `None` if it may not be entered.
    fn enter(&self, mesh: &NavMesh, from: &Located<'_>, to: PolyRef) -> Option<Self::Seen>;

    /// The cost of a move over a polygon, on into the next; `None` if it is impossible.
    fn cost(&self, from: Vec3, to: Vec3, polygon: Self::Seen, next: Option<Self::Seen>) -> Option<f64>;
}

/// Everything passes, and a metre costs this.
#[derive(Clone, Copy)]
pub(super) struct Plain {
    /// Not negative.
    metre: f32,
}

impl Plain {
    /// The rules of a model, if they are as plain as that.
    #[inline]
    pub(super) fn of(filter: &impl CostModel) -> Option<Plain> {
        let metre = filter.uniform_cost().filter(|metre| *metre >= 0.0)?;
        filter.passes_all().then_some(Plain { metre })
    }
}

impl Rules for Plain {
    type Seen = ();

    #[inline]
    fn of(&self, _: &Located<'_>) {}

    #[inline]
    fn enter(&self, _: &NavMesh, _: &Located<'_>, _: PolyRef) -> Option<()> {
        Some(())
    }

    #[inline]
    fn cost(&self, from: Vec3, to: Vec3, (): (), _: Option<()>) -> Option<f64> {
        let cost = distance(from, to) * self.metre;
        (cost < f32::INFINITY).then_some(f64::from(cost))
    }
}

/// Those of any model.
pub(super) struct Asked<'a, C>(pub(super) &'a C);

impl<C: CostModel> Rules for Asked<'_, C> {
    type Seen = Attributes;

    #[inline]
    fn of(&self, located: &Located<'_>) -> Attributes {
        located.attributes()
    }

    #[inline]
    fn enter(&self, mesh: &NavMesh, from: &Located<'_>, to: PolyRef) -> Option<Attributes> {
        let attributes = from.linked(mesh, to).ok()?.attributes();
        self.0.passes(&attributes).then_some(attributes)
    }

    #[inline]
    fn cost(&self, from: Vec3, to: Vec3, polygon: Attributes, next: Option<Attributes>) -> Option<f64> {
        cost_of(self.0, &Step { from, to, polygon, next })
    }
}
