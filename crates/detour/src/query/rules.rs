//! The two forms of a cost model that searches are compiled for. If everything in the mesh passes and a metre
//! costs the same everywhere, the model is asked once per search, and flags and areas of polygons are not
//! looked up. Any other model is asked for each polygon and each move. Gain of the first form, in
//! instructions: 26 % of `wall_distance` and of long slides, 16 % of `around_circle`, 4 % of `find_path`.

use crate::filter::{Attributes, CostModel, Step, Uniformity, cost_of};
use crate::mesh::{NavMesh, Poly};
use crate::poly_ref::PolyRef;
use glam::Vec3;

/// Decides which polygons may be entered and what moves cost.
pub(super) trait Rules {
    /// The properties of a polygon that costs depend on: none, or its attributes.
    type Key: Copy;

    /// The key of the current polygon of a search, which need not pass.
    fn key(&self, poly: &Poly<'_>) -> Self::Key;

    /// The key of a node that `from` has a link to; `None` if it may not be entered.
    fn enter(&self, mesh: &NavMesh, from: &Poly<'_>, to: PolyRef) -> Option<Self::Key>;

    /// The cost of a move over a polygon to the next; infinite if it is impossible.
    fn cost(&self, from: Vec3, to: Vec3, polygon: Self::Key, next: Option<Self::Key>) -> f32;
}

/// Everything passes, and every metre costs the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct UniformRules {
    /// Not negative.
    cost_per_metre: f32,
}

impl UniformRules {
    /// The rules of a model; `None` if it is not uniform on the mesh.
    #[inline]
    pub(super) fn of(mesh: &NavMesh, filter: &impl CostModel) -> Option<UniformRules> {
        UniformRules::promised(mesh.uniformity(filter))
    }

    /// The rules of a model with these promises; `None` if they are not enough.
    #[inline]
    pub(super) fn promised(Uniformity { per_metre, passes_all }: Uniformity) -> Option<UniformRules> {
        let cost_per_metre = per_metre.filter(|cost| passes_all && *cost >= 0.0)?;
        Some(UniformRules { cost_per_metre })
    }
}

impl Rules for UniformRules {
    type Key = ();

    #[inline]
    fn key(&self, _: &Poly<'_>) {}

    #[inline]
    fn enter(&self, _: &NavMesh, _: &Poly<'_>, _: PolyRef) -> Option<()> {
        Some(())
    }

    #[inline]
    fn cost(&self, from: Vec3, to: Vec3, (): (), _: Option<()>) -> f32 {
        from.distance(to) * self.cost_per_metre
    }
}

/// The rules of any model.
pub(super) struct FilterRules<'a, C>(pub(super) &'a C);

impl<C: CostModel> Rules for FilterRules<'_, C> {
    type Key = Attributes;

    #[inline]
    fn key(&self, poly: &Poly<'_>) -> Attributes {
        poly.attributes()
    }

    #[inline]
    fn enter(&self, mesh: &NavMesh, from: &Poly<'_>, to: PolyRef) -> Option<Attributes> {
        let attributes = from.follow(mesh, to).ok()?.attributes();
        self.0.passes(&attributes).then_some(attributes)
    }

    #[inline]
    fn cost(&self, from: Vec3, to: Vec3, polygon: Attributes, next: Option<Attributes>) -> f32 {
        cost_of(self.0, &Step { from, to, polygon, next }).unwrap_or(f64::INFINITY) as f32
    }
}
