//! Far paths: plans over a world whose tiles are not loaded, by the hierarchy of its file.

use crate::convert::{Answer, fail, list, object, point};
use crate::mesh::{REACH, WebMesh};
use crate::options::{Fields, Options, options};
use detour::Vec3;
use hierarchy::{FarPlace, FarPlanner, FarStop, Hierarchy};
use navtile::NavFile;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The clusters of a world, and the costs between them. `free()` returns the memory; so does `using`.
#[wasm_bindgen(js_name = Hierarchy)]
pub struct WebHierarchy {
    hierarchy: Hierarchy,
    planner: FarPlanner,
}

#[derive(Default)]
struct FarOptions {
    class: Option<String>,
    reach: Option<[f32; 3]>,
}

impl Options for FarOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![("class", &mut self.class), ("reach", &mut self.reach)]
    }
}

#[wasm_bindgen(js_class = Hierarchy)]
impl WebHierarchy {
    /// Reads the hierarchy of a `.navtile` file, which `navtile bake --hierarchy` writes.
    pub fn open(bytes: &[u8]) -> Answer<WebHierarchy> {
        let file = NavFile::open(bytes).map_err(fail)?;
        let bytes = file.hierarchy().ok_or_else(|| {
            fail("the file has no hierarchy: bake the level again with a table [hierarchy] in its settings")
        })?;
        let hierarchy = Hierarchy::from_bytes(bytes.map_err(fail)?).map_err(fail)?;
        Ok(WebHierarchy { hierarchy, planner: FarPlanner::new() })
    }

    /// The names of the classes of agents that it has costs for.
    pub fn classes(&self) -> Vec<String> {
        self.hierarchy.classes().iter().map(|class| class.name.clone()).collect()
    }

    /// Plans a path between two places whose tiles are in the mesh; null if no path exists. No other tiles
    /// are needed. Without `class`, for the first class.
    #[wasm_bindgen(unchecked_return_type = "FarPlan | null")]
    pub fn plan(
        &mut self,
        mesh: &mut WebMesh,
        #[wasm_bindgen(unchecked_param_type = "Point")] from: &[f64],
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "FarOptions")] wanted: JsValue,
    ) -> Answer<JsValue> {
        let FarOptions { class, reach } = options("options", wanted)?;
        let number = match &class {
            None => 0,
            Some(name) => self.hierarchy.class(name).ok_or_else(|| {
                let known = self.classes().join(", ");
                fail(format!("options: there is no class `{name}`; the classes are {known}"))
            })?,
        };
        let reach = reach.map_or(REACH, Vec3::from_array);
        let filter = &self.hierarchy.classes()[number].filter;
        let WebMesh { mesh, query, .. } = mesh;
        let mut place = |name: &str, at: &[f64]| -> Answer<FarPlace<'_>> {
            let near = query.nearest(mesh, mesh.from_world(point(name, at)?), reach, filter);
            let place = near.map_err(|error| fail(format!("{name}: {error}")))?.place();
            Ok(FarPlace { mesh, place })
        };
        let (start, goal) = (place("from", from)?, place("to", to)?);
        let plan = self.planner.plan(&self.hierarchy, number, start, goal).map_err(fail)?;
        let Some(plan) = plan else { return Ok(JsValue::NULL) };
        let stops = self.planner.stops(&plan);
        let stops = stops.into_iter().map(|stop| self.stop(stop));
        Ok(object(&[("lower", plan.lower.into()), ("upper", plan.upper.into()), ("stops", list(stops))]))
    }
}

impl WebHierarchy {
    fn stop(&self, FarStop { point, cluster }: FarStop) -> JsValue {
        let [x, z] = self.hierarchy.columns(cluster).next().unwrap_or_default();
        let columns = self.hierarchy.grid().tiles;
        let tiles = object(&[("x", x.into()), ("z", z.into()), ("columns", columns.into())]);
        object(&[("point", list(point)), ("tiles", tiles)])
    }
}
