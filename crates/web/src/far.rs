//! Far paths: plans over a world whose tiles are not loaded, by the hierarchy of its file.

use crate::convert::{Answer, fail, floats, list, object, point};
use crate::far_route::WebFarRoute;
use crate::far_values::{cluster, described, read, square, stop_of};
use crate::mesh::{REACH, WebMesh, in_world};
use crate::options::{Fields, Options, options};
use detour::Vec3;
use hierarchy::{Class, FarPath, FarPlace, FarPlanner, FarRoute, Hierarchy, Portal};
use navtile::{Meta, NavFile, TileCoord};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The clusters of a world, and the costs between them. `free()` returns the memory; so does `using`.
#[wasm_bindgen(js_name = Hierarchy)]
pub struct WebHierarchy {
    hierarchy: Hierarchy,
    planner: FarPlanner,
    meta: Meta,
}

#[derive(Default)]
struct FarOptions {
    class: Option<String>,
    reach: Option<[f32; 3]>,
    legs_ahead: Option<usize>,
}

impl Options for FarOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![("class", &mut self.class), ("reach", &mut self.reach), ("legsAhead", &mut self.legs_ahead)]
    }
}

impl FarOptions {
    fn reach(&self) -> Vec3 {
        self.reach.map_or(REACH, Vec3::from_array)
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
        Ok(WebHierarchy { hierarchy, planner: FarPlanner::new(), meta: file.meta().clone() })
    }

    /// The names of the classes of agents that it has costs for.
    pub fn classes(&self) -> Vec<String> {
        self.hierarchy.classes().iter().map(|class| class.name.clone()).collect()
    }

    /// The squares of tiles that a plan needs around its start or its goal, for `NavMesh.open`.
    #[wasm_bindgen(unchecked_return_type = "TileSquare[]")]
    pub fn around(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "FarOptions")] wanted: JsValue,
    ) -> Answer<JsValue> {
        let reach = options::<FarOptions>("options", wanted)?.reach().to_array().map(f64::from);
        let around = self.hierarchy.clusters_around(point("at", at)?, reach);
        Ok(list(around.into_iter().map(|cluster| square(self.hierarchy.grid(), cluster))))
    }

    /// Makes the filter of a class for the option `filter` of a mesh's queries. Without `class`, of the first
    /// class.
    pub fn filter(&self, mesh: &mut WebMesh, class: Option<String>) -> Answer<usize> {
        let (_, class) = self.class(class.as_deref())?;
        let filter = mesh.mesh.register_filter(class.filter.clone());
        Ok(mesh.filters.add(filter))
    }

    /// The grid of clusters, and the crossings between those of the first level.
    #[wasm_bindgen(unchecked_return_type = "ClusterLayout")]
    pub fn layout(&self) -> JsValue {
        let grid = self.hierarchy.grid();
        let [x, _, z] = self.meta.origin;
        let side = f64::from(grid.tiles) * f64::from(grid.tile_cells) * self.meta.cell[0];
        let middle = |[one, two]: [[f64; 3]; 2]| [0, 1, 2].map(|axis| f64::midpoint(one[axis], two[axis]));
        let places = |portal: &Portal| {
            let ends = self.hierarchy.portal_ends(portal)?;
            Some(match portal {
                Portal::Border { .. } => vec![middle(ends)],
                Portal::Link { .. } => ends.to_vec(),
            })
        };
        let portals = self.hierarchy.portals_in([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]);
        object(&[
            ("corner", list([x, z])),
            ("side", side.into()),
            ("clusters", list(self.hierarchy.cluster_counts().into_iter().map(|count| count as f64))),
            ("crossings", floats(portals.iter().filter_map(places).flatten()).into()),
        ])
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
        let options = options("options", wanted)?;
        let grid = self.hierarchy.grid();
        let planned = self.planned(mesh, from, to, &options, |planner, plan| {
            let stops = planner.stops(&plan).into_iter().map(|stop| stop_of(grid, stop));
            object(&[("lower", plan.lower.into()), ("upper", plan.upper.into()), ("stops", list(stops))])
        });
        Ok(planned?.unwrap_or(JsValue::NULL))
    }

    /// Plans a path as `plan` does, and returns a route along it for an agent at its start; null if no path
    /// exists.
    #[wasm_bindgen(unchecked_return_type = "FarRoute | null")]
    pub fn route(
        &mut self,
        mesh: &mut WebMesh,
        #[wasm_bindgen(unchecked_param_type = "Point")] from: &[f64],
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &[f64],
        #[wasm_bindgen(js_name = "options", unchecked_optional_param_type = "FarOptions")] wanted: JsValue,
    ) -> Answer<JsValue> {
        let options: FarOptions = options("options", wanted)?;
        let grid = self.hierarchy.grid();
        let planned = self.planned(mesh, from, to, &options, |planner, plan| {
            let route =
                planner.route(&plan).with_legs_ahead(options.legs_ahead.unwrap_or(FarRoute::LEGS_AHEAD));
            WebFarRoute { route, grid, lower: plan.lower, upper: plan.upper }
        });
        Ok(planned?.map_or(JsValue::NULL, JsValue::from))
    }

    /// The portals in a box, corners in world metres: parts of the open borders between clusters of tiles,
    /// and off-mesh links between them. A part of a border counts with the height of its middle.
    #[wasm_bindgen(js_name = portalsIn, unchecked_return_type = "Portal[]")]
    pub fn portals_in(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Point")] low: &[f64],
        #[wasm_bindgen(unchecked_param_type = "Point")] high: &[f64],
    ) -> Answer<JsValue> {
        let found = self.hierarchy.portals_in(point("low", low)?, point("high", high)?);
        Ok(list(found.iter().map(described)))
    }

    /// The ends of a portal for drawing, world metres; null if there is no such portal.
    #[wasm_bindgen(
        js_name = portalEnds,
        unchecked_return_type = "[[number, number, number], [number, number, number]] | null"
    )]
    pub fn portal_ends(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Portal")] portal: JsValue,
    ) -> Answer<JsValue> {
        let ends = self.hierarchy.portal_ends(&read("portal", &portal)?);
        Ok(ends.map_or(JsValue::NULL, |ends| list(ends.map(list))))
    }

    /// Closes these portals and opens all others: far paths do not lead over a closed one. Returns the
    /// clusters that changed, for `FarRoute.needsReplan`. A portal that does not exist has no effect.
    #[wasm_bindgen(js_name = setClosed, unchecked_return_type = "Cluster[]")]
    pub fn set_closed(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Portal[]")] portals: JsValue,
    ) -> Answer<JsValue> {
        let portals: Vec<Portal> = read("portals", &portals)?;
        let changed = self.hierarchy.set_closed(portals.into_iter().collect());
        Ok(list(changed.into_iter().map(cluster)))
    }

    /// The closed portals, for a saved game.
    #[wasm_bindgen(unchecked_return_type = "Portal[]")]
    pub fn closed(&self) -> JsValue {
        list(self.hierarchy.closed().iter().map(described))
    }

    /// Updates the hierarchy after tiles of a mesh have changed: x, z and layer each, as `TileCache.update`
    /// returns them. The mesh must have all tiles of their clusters and of the clusters next to these: a
    /// tile that it does not have counts as gone. Returns the clusters that changed.
    #[wasm_bindgen(unchecked_return_type = "Cluster[]")]
    pub fn update(
        &mut self,
        mesh: &WebMesh,
        #[wasm_bindgen(unchecked_param_type = "[number, number, number][]")] tiles: JsValue,
    ) -> Answer<JsValue> {
        self.hierarchy.check_tiles(&mesh.mesh).map_err(fail)?;
        let tiles: Vec<[i32; 3]> = read("tiles", &tiles)?;
        let tiles: Vec<TileCoord> =
            tiles.into_iter().map(|[x, z, layer]| TileCoord { x, z, layer }).collect();
        let changed = self.hierarchy.update(&mesh.mesh, &tiles).map_err(fail)?;
        Ok(list(changed.into_iter().map(cluster)))
    }
}

impl WebHierarchy {
    /// A class and its number; the first one if none is named.
    fn class(&self, name: Option<&str>) -> Answer<(usize, &Class)> {
        let number = match name {
            None => 0,
            Some(name) => self.hierarchy.class(name).ok_or_else(|| {
                let known = self.classes().join(", ");
                fail(format!("there is no class `{name}`; the classes are {known}"))
            })?,
        };
        Ok((number, &self.hierarchy.classes()[number]))
    }

    /// Plans a path, and makes something of the plan; `None` if no path exists.
    fn planned<R>(
        &mut self,
        WebMesh { mesh, query, .. }: &mut WebMesh,
        from: &[f64],
        to: &[f64],
        wanted: &FarOptions,
        make: impl FnOnce(&mut FarPlanner, FarPath<'_>) -> R,
    ) -> Answer<Option<R>> {
        let (number, Class { filter, .. }) = self.class(wanted.class.as_deref())?;
        let reach = wanted.reach();
        let mut place = |name: &str, at: &[f64]| -> Answer<FarPlace<'_>> {
            let near = query.nearest(mesh, mesh.from_world(point(name, at)?), reach, filter);
            let near = near.map_err(|error| fail(format!("{name}: {}", in_world(mesh, error))))?;
            Ok(FarPlace { mesh, place: near.place() })
        };
        let (start, goal) = (place("from", from)?, place("to", to)?);
        let plan = self.planner.plan(&self.hierarchy, number, start, goal).map_err(fail)?;
        Ok(plan.map(|plan| make(&mut self.planner, plan)))
    }
}
