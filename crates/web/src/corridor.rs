//! A path that an agent keeps while it walks. Each step shortens it, and it is repaired after changes of the
//! mesh.

use crate::convert::{Answer, fail, floats, point};
use crate::mesh::{REACH, WebMesh, references};
use crate::options::{Fields, Options, options};
use detour::{Corridor, Path, PathOptions, StraightOptions, StraightPath};
use js_sys::{BigUint64Array, Float32Array};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A corridor of one agent over one mesh.
#[wasm_bindgen(js_name = Corridor)]
pub struct WebCorridor {
    corridor: Corridor,
    filter: usize,
}

#[derive(Default)]
struct CorridorOptions {
    filter: usize,
}

impl Options for CorridorOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![("filter", &mut self.filter)]
    }
}

#[wasm_bindgen(js_class = Corridor)]
impl WebCorridor {
    /// A corridor at a place.
    #[wasm_bindgen(constructor)]
    pub fn new(
        mesh: &mut WebMesh,
        #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "{ filter?: number }")]
        wanted: JsValue,
    ) -> Answer<WebCorridor> {
        let CorridorOptions { filter } = options("options", wanted)?;
        let place = mesh.snap(point("at", at)?, REACH, filter)?.map_err(fail)?.place();
        Ok(WebCorridor { corridor: Corridor::new(place), filter })
    }

    /// Searches for the path to a place. Returns true if the path is complete.
    pub fn seek(
        &mut self,
        mesh: &mut WebMesh,
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
    ) -> Answer<bool> {
        let goal = mesh.snap(point("to", to)?, REACH, self.filter)?.map_err(fail)?.place();
        let filter = mesh.filters.get(self.filter)?;
        let mut path = Path::default();
        let (start, search) = (self.corridor.place(), PathOptions::default());
        mesh.query.find_path(&mesh.mesh, start, goal, filter, &search, &mut path).map_err(fail)?;
        let leads = path.status.reason().is_none();
        self.corridor.set_path(&mesh.mesh, &path.polygons, goal.point).map_err(fail)?;
        Ok(leads)
    }

    /// Moves the agent towards a place, sliding along walls. Returns its new place.
    #[wasm_bindgen(js_name = moveTo)]
    pub fn move_to(
        &mut self,
        mesh: &mut WebMesh,
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
    ) -> Answer<Float32Array> {
        let to = mesh.mesh.from_world(point("to", to)?);
        let filter = mesh.filters.get(self.filter)?;
        self.corridor.move_start(&mut mesh.query, &mesh.mesh, to, filter).map_err(fail)?;
        Ok(self.position(mesh))
    }

    /// The next corners of the path, at most `most`: three numbers each.
    pub fn corners(&self, mesh: &mut WebMesh, most: usize) -> Answer<Float32Array> {
        let mut path = StraightPath::default();
        let options = StraightOptions { max_corners: most, ..StraightOptions::default() };
        self.corridor.corners(&mut mesh.query, &mesh.mesh, &options, &mut path).map_err(fail)?;
        Ok(floats(path.corners.iter().map(|corner| mesh.mesh.to_world(corner.point))))
    }

    /// Position of the agent.
    pub fn position(&self, mesh: &WebMesh) -> Float32Array {
        floats([mesh.mesh.to_world(self.corridor.position())])
    }

    /// Returns true if the next `ahead` polygons still exist and pass the filter.
    #[wasm_bindgen(js_name = isValid)]
    pub fn is_valid(&self, mesh: &WebMesh, ahead: usize) -> Answer<bool> {
        Ok(self.corridor.is_valid(&mesh.mesh, ahead, mesh.filters.get(self.filter)?))
    }

    /// The polygons from the agent to its target.
    #[wasm_bindgen(getter)]
    pub fn polygons(&self) -> BigUint64Array {
        references(self.corridor.polygons())
    }
}
