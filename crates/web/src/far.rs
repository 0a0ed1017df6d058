//! Far paths: plans over a world whose tiles are not loaded, by the hierarchy of its file.

use crate::convert::{Answer, fail, list, object, point};
use crate::mesh::{REACH, WebMesh};
use crate::options::{Fields, FromValue, Item, Options, options};
use detour::Vec3;
use hierarchy::{
    ClusterCoord, ClusterGrid, FarPath, FarPlace, FarPlanner, FarRoute, FarStop, Hierarchy, Portal,
};
use js_sys::{JsString, Reflect};
use navtile::{NavFile, TileCoord};
use std::collections::BTreeSet;
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
    legs_ahead: Option<usize>,
}

impl Options for FarOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![("class", &mut self.class), ("reach", &mut self.reach), ("legsAhead", &mut self.legs_ahead)]
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
    /// Plans a path, and makes something of the plan; `None` if no path exists.
    fn planned<R>(
        &mut self,
        WebMesh { mesh, query, .. }: &mut WebMesh,
        from: &[f64],
        to: &[f64],
        FarOptions { class, reach, .. }: &FarOptions,
        make: impl FnOnce(&mut FarPlanner, FarPath<'_>) -> R,
    ) -> Answer<Option<R>> {
        let number = match class {
            None => 0,
            Some(name) => self.hierarchy.class(name).ok_or_else(|| {
                let known = self.classes().join(", ");
                fail(format!("options: there is no class `{name}`; the classes are {known}"))
            })?,
        };
        let reach = reach.map_or(REACH, Vec3::from_array);
        let filter = &self.hierarchy.classes()[number].filter;
        let mut place = |name: &str, at: &[f64]| -> Answer<FarPlace<'_>> {
            let near = query.nearest(mesh, mesh.from_world(point(name, at)?), reach, filter);
            let place = near.map_err(|error| fail(format!("{name}: {error}")))?.place();
            Ok(FarPlace { mesh, place })
        };
        let (start, goal) = (place("from", from)?, place("to", to)?);
        let plan = self.planner.plan(&self.hierarchy, number, start, goal).map_err(fail)?;
        Ok(plan.map(|plan| make(&mut self.planner, plan)))
    }
}

/// Follows a far path, leg by leg, while the tiles around its agent come and go. It needs neither the mesh
/// nor the hierarchy. `free()` returns the memory; so does `using`.
#[wasm_bindgen(js_name = FarRoute)]
pub struct WebFarRoute {
    route: FarRoute,
    /// The grid of the hierarchy that planned it.
    grid: ClusterGrid,
    lower: f64,
    upper: f64,
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

fn stop_of(grid: ClusterGrid, FarStop { point, cluster }: FarStop) -> JsValue {
    let [x, z] = grid.columns(cluster).next().unwrap_or_default();
    let tiles = object(&[("x", x.into()), ("z", z.into()), ("columns", grid.tiles.into())]);
    object(&[("point", list(point)), ("tiles", tiles)])
}

fn cluster(ClusterCoord { x, z }: ClusterCoord) -> JsValue {
    object(&[("x", x.into()), ("z", z.into())])
}

/// A portal as a plain object, which JSON can hold.
fn described(portal: &Portal) -> JsValue {
    let clusters = ("clusters", list(portal.clusters().map(cluster)));
    match *portal {
        Portal::Border { along, height, .. } => {
            object(&[("kind", "border".into()), clusters, ("along", along.into()), ("height", height.into())])
        }
        Portal::Link { places, .. } => {
            // Places that tiles can have are exact.
            let numbers = |place: [i64; 3]| list(place.map(|number| number as f64));
            object(&[("kind", "link".into()), clusters, ("places", list(places.map(numbers)))])
        }
    }
}

/// A value that a call takes.
fn read<T: FromValue>(name: &str, value: &JsValue) -> Answer<T> {
    T::read(value).ok_or_else(|| fail(format!("{name} is not {}", T::KIND)))
}

fn key<T: FromValue>(of: &JsValue, name: &str) -> Option<T> {
    T::read(&Reflect::get(of, &JsString::from(name)).ok()?)
}

impl FromValue for i32 {
    const KIND: &'static str = "a whole number";
    fn read(value: &JsValue) -> Option<Self> {
        value.as_f64().filter(|number| f64::from(*number as i32) == *number).map(|number| number as i32)
    }
}

impl Item for [i32; 3] {
    const LIST: &'static str = "a list of tiles, x, z and layer each";
}

impl FromValue for ClusterCoord {
    const KIND: &'static str = "a cluster, x and z";
    fn read(value: &JsValue) -> Option<Self> {
        Some(ClusterCoord { x: key(value, "x")?, z: key(value, "z")? })
    }
}

impl Item for ClusterCoord {
    const LIST: &'static str = "a list of clusters, x and z each";
}

impl FromValue for Portal {
    const KIND: &'static str = "a portal of `portalsIn`";
    fn read(value: &JsValue) -> Option<Self> {
        let clusters = <[ClusterCoord; 2]>::try_from(key::<Vec<ClusterCoord>>(value, "clusters")?).ok()?;
        match key::<String>(value, "kind")?.as_str() {
            "border" => {
                let along = key::<u32>(value, "along")?.try_into().ok()?;
                Some(Portal::Border { clusters, along, height: key(value, "height")? })
            }
            "link" => {
                let places = <[[f64; 3]; 2]>::try_from(key::<Vec<[f64; 3]>>(value, "places")?).ok()?;
                Some(Portal::Link { clusters, places: places.map(|place| place.map(|number| number as i64)) })
            }
            _ => None,
        }
    }
}

impl Item for Portal {
    const LIST: &'static str = "a list of portals of `portalsIn`";
}
