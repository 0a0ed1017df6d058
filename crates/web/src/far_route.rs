//! Far routes: an agent that follows a far path.

use crate::convert::{Answer, list, object, point};
use crate::far_values::{read, stop_of};
use hierarchy::{ClusterCoord, ClusterGrid, FarRoute};
use std::collections::BTreeSet;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Follows a far path, leg by leg, while the tiles around its agent come and go. It needs neither the mesh
/// nor the hierarchy. `free()` returns the memory; so does `using`.
#[wasm_bindgen(js_name = FarRoute)]
pub struct WebFarRoute {
    pub(crate) route: FarRoute,
    /// The grid of the hierarchy that planned it.
    pub(crate) grid: ClusterGrid,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

#[wasm_bindgen(js_class = FarRoute)]
impl WebFarRoute {
    /// The least that the cheapest path costs. Metres, if a metre costs 1.
    #[wasm_bindgen(getter)]
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// The cost of the plan.
    #[wasm_bindgen(getter)]
    pub fn upper(&self) -> f64 {
        self.upper
    }

    /// The number of legs to the goal; the last leg, 1, ends at the goal.
    #[wasm_bindgen(getter, js_name = legsLeft)]
    pub fn legs_left(&self) -> usize {
        self.route.legs_left()
    }

    /// All stops: the start, the crossings between clusters of tiles, and the goal.
    #[wasm_bindgen(unchecked_return_type = "FarStop[]")]
    pub fn stops(&self) -> JsValue {
        list(self.route.stops().iter().map(|stop| stop_of(self.grid, *stop)))
    }

    /// The stop to walk to now.
    #[wasm_bindgen(unchecked_return_type = "FarStop")]
    pub fn ahead(&self) -> JsValue {
        stop_of(self.grid, self.route.ahead())
    }

    /// Moves on with the agent at a position. Returns true if it has come to a later leg: then `ahead` and
    /// `columnsAhead` have other answers.
    pub fn advance(&mut self, #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64]) -> Answer<bool> {
        Ok(self.route.advance(point("at", at)?))
    }

    /// The columns of tiles that the agent needs for the next legs, the most urgent first. Take no fewer legs
    /// than the agent looks ahead; with more, tiles are there before they are needed.
    #[wasm_bindgen(js_name = columnsAhead, unchecked_return_type = "{ x: number, z: number }[]")]
    pub fn columns_ahead(&self, legs: usize) -> JsValue {
        let columns = self.route.columns_ahead(legs).into_iter();
        list(columns.map(|[x, z]| object(&[("x", x.into()), ("z", z.into())])))
    }

    /// Returns true if one of these clusters is still ahead: plan again from where the agent is. Takes what
    /// `Hierarchy.setClosed` and `Hierarchy.update` return.
    #[wasm_bindgen(js_name = needsReplan)]
    pub fn needs_replan(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Cluster[]")] changed: JsValue,
    ) -> Answer<bool> {
        let changed: Vec<ClusterCoord> = read("changed", &changed)?;
        let changed: BTreeSet<ClusterCoord> = changed.into_iter().collect();
        Ok(self.route.needs_replan(&changed))
    }
}
